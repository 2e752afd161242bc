"""What one seat gains by another agent: choice by choice, and by winners."""

from __future__ import annotations

import numpy as np
import pytest

from riverbed_env.core.batch import Batch
from riverbed_env.deduction.service import Deduction
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, PythonAgent
from riverbed_env.players.specs import find_agent
from studies import headroom
from studies.headroom import GAME, Change, gains_of, measure, play_otherwise, seats_of

pytestmark = pytest.mark.compiled

SIMPLE = find_agent("simple", GAME.name)


def test_the_seat_in_focus_has_the_role_in_deals_that_have_it() -> None:
    numbers, focus = seats_of("profiteer", 50, 4, seed=2)
    batch = Batch(GAME, len(numbers), seed=2, num_players=4, auto_reset=False)
    batch.deal(numbers)
    assert len(numbers) == 50
    assert (GAME.roles_of(batch.games)[np.arange(50), focus] == GAME.roles.index("profiteer")).all()


def test_an_agent_gains_nothing_over_itself() -> None:
    found = measure(SIMPLE, SIMPLE, "merchant", 5, games=40, worlds=4, seed=1)
    assert (found.changes, found.by_choices.value, found.by_winners.value) == (0.0, 0.0, 0.0)


def test_who_plays_at_random_loses_by_choices_as_by_winners() -> None:
    found = measure(UNIFORM, find_agent("rule_based", GAME.name), "leader", 7, games=100, worlds=24, seed=5)
    assert found.changes > 2
    assert found.by_choices.high < 0
    assert found.by_choices.high - found.by_choices.low < found.by_winners.high - found.by_winners.low
    assert found.by_winners.low < found.by_choices.value < found.by_winners.high


def test_what_a_choice_gains_is_the_same_again_and_differs_from_choice_to_choice() -> None:
    batch = Batch(GAME, 400, seed=3, num_players=7, auto_reset=False)
    focus = np.zeros(400, np.int64)
    deduction = Deduction.of(batch.params)
    changes = list(play_otherwise(batch, UNIFORM, SIMPLE, np.arange(400), focus))
    assert all(isinstance(change, Change) and change.chosen != change.usual for change in changes)
    assert {change.game for change in changes} <= set(range(400))
    gains = gains_of(changes[:60], 20, SIMPLE, 0, 7, deduction, seed=7)
    again = gains_of(changes[:60], 20, SIMPLE, 0, 7, deduction, seed=7)
    np.testing.assert_array_equal(gains, again)
    assert (np.abs(gains) <= 1).all()
    assert len(set(gains.tolist())) > 10


def test_what_a_choice_gains_doesn_t_depend_on_how_many_are_judged_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    batch = Batch(GAME, 60, seed=3, num_players=5, auto_reset=False)
    changes = list(play_otherwise(batch, UNIFORM, SIMPLE, np.arange(60), np.zeros(60, np.int64)))[:17]
    deduction = Deduction.of(batch.params)
    together = gains_of(changes, 10, SIMPLE, 1, 5, deduction, seed=7)
    monkeypatch.setattr(headroom, "LANES", 100)
    np.testing.assert_array_equal(gains_of(changes, 10, SIMPLE, 1, 5, deduction, seed=7), together)


def test_an_agent_with_a_memory_can_t_play_on_from_the_middle() -> None:
    notes = PythonAgent("notes", UNIFORM.act, memory_size=1)
    with pytest.raises(OptionError, match="notes keeps a memory"):
        measure(UNIFORM, notes, "chief", 4, games=4, worlds=2, seed=0)
