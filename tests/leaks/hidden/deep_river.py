"""Deep River hides only what its players will draw: after the deal the game has no chance of its own."""

from collections.abc import Collection

import numpy as np

from riverbed_env.core.game import copy_records
from riverbed_env.testing.hidden import Disclosure, Games, Step, redraw_future, streams

PARTS = ("chance",)
TOUCHES = streams("agents")


def twin(games: Games, params: Games, seat: int, rng: np.random.Generator, parts: Collection[str] = PARTS) -> Games:
    """The game with other chance for what the players draw."""
    world = copy_records(games)
    if "chance" in parts:
        redraw_future(world[0], rng, "agents")
    return world


def told(one: Step, two: Step, agent: str) -> Disclosure:
    """Both worlds lie open alike, whatever is done in them."""
    return Disclosure.NOTHING
