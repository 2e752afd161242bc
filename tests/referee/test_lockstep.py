"""Engine and referee in lock-step: every fact is the same after every decision."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from referee.adapters.riverbed_hunt import RiverbedHunt
from referee.lockstep import Lockstep, Outcome, agreed
from riverbed_env.kernels.compile import compiled

OWN_PACKS = Path(__file__).parent / "packs" / "riverbed_hunt"
PACKS = {"default": "default", **{name: OWN_PACKS / f"{name}.toml" for name in ("otherwise", "nested")}}
COUNTS = range(4, 10)


def play(num_players: int, games: int, **options: Any) -> Outcome:
    """Games in lock-step with a seed that only these tests use."""
    return Lockstep(RiverbedHunt, 3, range(games), num_players=num_players, layout="random", **options).play()


@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("num_players", COUNTS)
def test_engine_and_referee_agree(num_players: int, pack: str) -> None:
    outcome = agreed(play(num_players, 12 if compiled() else 3, pack=PACKS[pack]))
    if compiled():
        assert outcome.decisions > 300


@pytest.mark.parametrize("budget", [1, 2, 3])
@pytest.mark.parametrize("speakers", ["table", "active"])
@pytest.mark.parametrize("num_players", [4, 7, 9])
def test_they_agree_on_talk(num_players: int, speakers: str, budget: int) -> None:
    agreed(play(num_players, 3 if compiled() else 1, talk="claims", talk_speakers=speakers, talk_budget=budget))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("pack", PACKS)
@pytest.mark.parametrize("num_players", COUNTS)
def test_they_agree_on_talk_with_every_pack(num_players: int, pack: str) -> None:
    outcome = agreed(play(num_players, 30, pack=PACKS[pack], talk="claims", talk_budget=1 + num_players % 3))
    assert outcome.decisions > 2_000


@pytest.mark.parametrize("max_decisions", [1, 12])
def test_they_agree_that_the_cap_doesnt_count_the_floor(max_decisions: int) -> None:
    outcome = agreed(play(5, 12 if compiled() else 2, max_decisions=max_decisions, talk="claims"))
    assert outcome.endings["truncated"] == outcome.games


@pytest.mark.compiled
def test_rare_things_happen_in_lockstep_too() -> None:
    events = play(8, 60).events
    for rare in (
        "hunt",
        "con",
        "penalty",
        "slip away",
        "look at role",
        "reshuffle",
        "swap",
        "shuffle",
        "show",
        "marker",
    ):
        assert events.get(rare, 0) > 0, rare


@pytest.mark.parametrize("max_decisions", [1, 30])
def test_they_agree_on_the_cap(max_decisions: int) -> None:
    outcome = agreed(play(7, 12 if compiled() else 2, max_decisions=max_decisions))
    assert outcome.endings["truncated"] > 0
