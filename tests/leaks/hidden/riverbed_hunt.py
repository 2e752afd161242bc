"""Riverbed Hunt through its own worlds and judgements, which its deeper leak tests use too (RH-8.2, RH-8.4)."""

from __future__ import annotations

from collections.abc import Collection
from random import Random

import numpy as np
from channels import OWN, OWN_MASK
from channels import told as told_by_the_rules
from worlds import PARTS
from worlds import twin as twin_by_parts

from riverbed_env.testing.leaks import Disclosure, Step

from .fields import STREAM_FIELDS, Games

PRIVATE = (*OWN, *OWN_MASK)
TOUCHES = frozenset(
    {
        "tile_at",
        "deck",
        "spare_role",
        *(f"private.{field}" for field in ("role", "hand", "looked", "known", "possible")),
        *(f"{stream}.{field}" for stream in ("chance", "agents") for field in STREAM_FIELDS),
    }
)


def twin(games: Games, params: Games, seat: int, rng: np.random.Generator, parts: Collection[str] = PARTS) -> Games:
    """The game with these parts of what the seat may not know drawn anew."""
    return twin_by_parts(games, params, seat, Random(int(rng.integers(2**62))), parts)


def told(one: Step, two: Step, agent: str) -> Disclosure:
    """What the step rightly told the agent that differs."""
    return told_by_the_rules(one, two, agent)
