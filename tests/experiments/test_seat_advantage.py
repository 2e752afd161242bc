"""What one seat gains by another agent: choice by choice, and by winners."""

from __future__ import annotations

import pytest

from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from studies.seat_advantage import GAME, measure

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

SIMPLE = find_agent("simple", GAME.name)


def test_an_agent_gains_nothing_over_itself() -> None:
    found = measure(SIMPLE, SIMPLE, "merchant", 5, games=40, worlds=4, seed=1)
    assert (found.changes, found.by_choices.value, found.by_winners.value) == (0.0, 0.0, 0.0)


def test_who_plays_at_random_loses_by_choices_as_by_winners() -> None:
    found = measure(UNIFORM, find_agent("rule_based", GAME.name), "leader", 7, games=100, worlds=24, seed=5)
    assert found.changes > 2
    assert found.by_choices.high < 0
    assert found.by_choices.high - found.by_choices.low < found.by_winners.high - found.by_winners.low
    assert found.by_winners.low < found.by_choices.value < found.by_winners.high
