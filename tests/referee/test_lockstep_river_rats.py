"""River Rats in lock-step: every fact is the same after every decision."""

from __future__ import annotations

from collections import Counter
from functools import cache
from itertools import product
from typing import Any

import pytest

from referee.adapters import river_rats as adapter
from referee.adapters.river_rats import RiverRats, Skilled, Stacked
from referee.lockstep import Adapter, Lockstep, Outcome, agreed
from riverbed_env.kernels.compile import compiled

MODES = ("first_game", "standard", "advanced", "expert")
COUNTS = (1, 2, 3, 4)
PREDICTIONS = ("exactly", "at_least_form")


def play(games: int, kind: type[Adapter] = RiverRats, **options: Any) -> Outcome:
    """Games in lock-step with a seed that only these tests use."""
    return Lockstep(kind, 3, range(games), **options).play()


@pytest.mark.parametrize("prediction", PREDICTIONS)
@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("num_players", COUNTS)
def test_engine_and_referee_agree(num_players: int, mode: str, prediction: str) -> None:
    games = 8 if compiled() else 2
    outcome = agreed(play(games, num_players=num_players, mode=mode, prediction=prediction))
    if compiled():
        assert outcome.decisions > 252  # thirty-two such tests: more than 8,000


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("num_players", COUNTS)
def test_they_agree_on_stacked_decks(num_players: int, mode: str) -> None:
    agreed(play(10 if compiled() else 3, Stacked, num_players=num_players, mode=mode))


@cache
def stacked_events() -> Counter[str]:
    """How often each event happens on stacked decks, over all modes."""
    events: Counter[str] = Counter()
    for mode, num_players in product(MODES, COUNTS):
        events.update(agreed(play(60, Stacked, num_players=num_players, mode=mode, prediction="at_least_form")).events)
    return events


@pytest.mark.slow  # compiles an agent
@pytest.mark.compiled
@pytest.mark.parametrize("num_players", COUNTS)
def test_they_agree_on_games_that_are_won(num_players: int) -> None:
    outcome = agreed(play(25, Skilled, num_players=num_players, mode="first_game"))
    assert outcome.endings["won"] > outcome.endings["lost"]
    assert outcome.events["WIN"] == outcome.endings["won"]


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("question", [word for word in adapter.QUESTIONS if word not in {"none", "over"}])
def test_every_question_is_asked_in_lockstep(question: str) -> None:
    assert stacked_events()[f"asked {question}"] > 0


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    "rare", ["REMOVE", "REVEAL", "BUST", "DEFEAT", "DEALT", "PLAY_FACE_DOWN", "RESHUFFLE", "joker at draw"]
)
def test_rare_things_happen_in_lockstep_too(rare: str) -> None:
    assert stacked_events()[rare] > 0


@pytest.mark.parametrize("max_decisions", [1, 2, 3, 30])
def test_they_agree_on_the_cap(max_decisions: int) -> None:
    outcome = agreed(play(12 if compiled() else 3, num_players=2, max_decisions=max_decisions))
    assert outcome.endings["truncated"] > 0
