"""The agent lookahead: how actions drop out, when the rule-based one is kept; see test_riverbed_hunt_rollouts too."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest
from agents_kit import answer, in_the_middle

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_agents.riverbed_hunt.search.lookahead import (
    AHEAD,
    BEHIND,
    best_of,
    conclude,
    drop_behind,
    lookahead_agent,
)
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from studies.seat_advantage import measure

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAME = find_game("riverbed_hunt_v0")
LOOKAHEAD = lookahead_agent(100)
ONE_WORLD = lookahead_agent(1, 1)


def race_of(*shares: list[float]) -> tuple[npt.NDArray[np.bool_], npt.NDArray[np.float32]]:
    """Choices 0, 1, …, all left, and how far each won its worlds."""
    won = np.zeros((NUM_ACTIONS, len(shares[0])), np.float32)
    left = np.zeros(NUM_ACTIONS, np.bool_)
    for action, row in enumerate(shares):
        won[action] = row
        left[action] = True
    return left, won


def test_in_a_single_world_it_takes_the_rule_based_action_with_the_same_random_numbers() -> None:
    # A single world has no standard error, so that nothing leads the usual choice in it.
    batch = in_the_middle(60, 7, 40, seed=5)
    np.testing.assert_array_equal(answer(ONE_WORLD, batch), answer(RULE_BASED, batch))


def test_the_best_is_the_choice_with_the_largest_share_among_those_left() -> None:
    left, won = race_of([0.2, 0.2, 1.0], [0.4, 0.3, 0.0], [0.9, 0.9, 0.0])
    assert best_of(left, 2, won) == 2
    left[2] = False
    assert best_of(left, 2, won) == 1
    assert best_of(left, 3, won) == 0


def test_a_choice_drops_out_when_the_best_leads_it_clearly() -> None:
    # Leads in standard errors: sum of differences over the root of the sum of their squares.
    left, won = race_of([0.5] * 6, [0.4] * 6, [0.3, 0.6, 0.5, 0.6, 0.5, 0.4])
    assert BEHIND < 6**0.5
    drop_behind(left, 6, won)
    assert left[:3].tolist() == [True, False, True]


@pytest.mark.parametrize(("other", "chosen"), [
    ([0.5, 0.5, 0.6, 0.45], 0),  # 0.05 over the root of 0.0125: 0.4
    ([0.5, 0.6, 0.6, 0.5], 1),  # 1.4
    ([0.4, 0.7, 0.6, 0.5], 0),  # 0.2 over the root of 0.06: 0.8
])  # fmt: skip
def test_the_usual_choice_stays_unless_it_is_led_by_enough(other: list[float], chosen: int) -> None:
    assert AHEAD == 1.0
    left, won = race_of([0.5] * 4, other)
    assert conclude(left, 4, won, 0) == chosen


def test_a_usual_choice_that_dropped_out_is_not_taken() -> None:
    left, won = race_of([0.5] * 4, [0.5] * 4)
    left[0] = False
    assert conclude(left, 4, won, 0) == 1


@pytest.mark.slow
def test_it_gains_over_the_rule_based_agent() -> None:
    # 500 games: +6.8 points (6.0 to 7.7); here much fewer, so what is asserted is only that it gains.
    gain = measure(lookahead_agent(100), RULE_BASED, "merchant", 7, games=60, worlds=100, seed=2)
    assert 1 < gain.changes < 10
    assert gain.by_choices.value > 0.01


def test_a_budget_that_makes_no_sense_is_refused() -> None:
    with pytest.raises(OptionError, match="worlds must be from 1 to 100,000, not 0"):
        lookahead_agent(worlds=0)


def test_it_is_found_by_its_name_and_parameters() -> None:
    for spec, same in (("lookahead", lookahead_agent()), ("lookahead:worlds=100", LOOKAHEAD)):
        agent = find_agent(spec, GAME.name)
        assert isinstance(agent, CompiledAgent)
        assert (agent.name, agent.about) == (spec, same.about)
    assert lookahead_agent().about != LOOKAHEAD.about
