"""Riverside in lock-step: every fact is the same after every decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.adapters.riverside import Riverside
from referee.lockstep import Lockstep, Outcome, agreed
from referee.riverside import read_pack
from riverbed_env.core.packs import find_pack
from riverbed_env.kernels.compile import compiled

OWN_PACKS = Path(__file__).parent / "packs" / "riverside"
PACKS = {"default": "default", "otherwise": OWN_PACKS / "otherwise.toml"}
COUNTS = range(1, 7)


def play(num_players: int, games: int, **options: Any) -> Outcome:
    """Games in lock-step with a seed that only these tests use."""
    return Lockstep(Riverside, 3, range(games), num_players=num_players, **options).play()


@pytest.mark.parametrize("extension", [False, True])
@pytest.mark.parametrize("pack", ["default", "otherwise"])
@pytest.mark.parametrize("num_players", COUNTS if compiled() else (1, 2))
def test_engine_and_referee_agree(num_players: int, pack: str, extension: bool) -> None:
    outcome = agreed(play(num_players, 1, pack=PACKS[pack], extension=extension))
    assert outcome.decisions > num_players * 45  # two dozen such tests: more than 3,700 compiled


def test_both_have_the_same_default_pack() -> None:
    assert read_pack(find_pack("riverside", "default")) == read_pack(OWN_PACKS / "default.toml")


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("pack", ["default", "otherwise"])
def test_rare_things_happen_in_lockstep_too(pack: str) -> None:
    outcome = agreed(play(3, 40, pack=PACKS[pack]))
    for rare in (
        "plain on Fan base",
        "green on Fan base",
        "green and warm",
        "early",
        "speed",
        "speed after early",
        "score with prize",
        "score at a church",
        "stay",
        "done",
    ):
        assert outcome.events.get(rare, 0) > 0, rare


@pytest.mark.parametrize("max_steps", [1, 9, 40])
def test_they_agree_on_the_cap(max_steps: int) -> None:
    outcome = agreed(play(3, 8 if compiled() else 2, max_steps=max_steps))
    assert outcome.endings["truncated"] == outcome.games


@pytest.mark.slow
@pytest.mark.compiled
def test_they_agree_on_every_cap() -> None:
    for max_steps in range(1, 120):
        agreed(play(2, 1, max_steps=max_steps, pack=PACKS["otherwise"]))


@pytest.mark.compiled
def test_every_ending_is_reached() -> None:
    alone = agreed(play(1, 30, pack=PACKS["otherwise"]))
    assert {"nobody wins", "one wins"} <= {*alone.endings}
