"""Worlds drawn from a view value choices as true states do, and the fit behind them finds what looks tell."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from riverbed_env.deduction.looks import Situation
from riverbed_env.deduction.weights import LOOKS, load
from riverbed_env.games.riverbed_hunt.rules.vocab import Role
from studies.drawn_worlds import Measured, gaps_of, measure
from studies.fitting import riverbed_hunt_looks as fitting

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAMES = 1500
MOST_STATES = 4000  # of a question, from every 500 games
FEWEST_STATES = 1500  # of a question that is judged
TOLERANCE = 0.5  # points of gap that the intervals must not exclude


@pytest.fixture(scope="module")
def measured() -> Measured:
    """Seven players; the games aren't those of the fit."""
    return measure(7, GAMES, MOST_STATES, 1, 2, 300, ("true", "drawn", "alike"))


def test_drawn_worlds_value_the_choices_of_each_question_as_true_states_do(measured: Measured) -> None:
    judged = {}
    for gap in gaps_of(measured):
        if gap.gains["true"].count >= FEWEST_STATES:
            judged[gap.question] = (gap.gaps["drawn"].low, gap.gaps["drawn"].high)
    assert {"TURN", "SEAT", "PLACE", "VIEW", "REVEAL", "MOVE", "ANSWER"} <= set(judged)
    assert {name: ends for name, ends in judged.items() if ends[0] > TOLERANCE or ends[1] < -TOLERANCE} == {}


def test_whom_to_ask_is_misjudged_where_looks_tell_nothing(measured: Measured) -> None:
    seat = next(gap for gap in gaps_of(measured) if gap.question == "SEAT").gaps
    assert seat["alike"].high < -TOLERANCE  # the test above would have noticed
    assert abs(seat["drawn"].value) < abs(seat["alike"].value) / 2


def test_an_unsorted_pair_is_even_and_the_true_places_are_likelier_under_the_fitted_weights() -> None:
    agents = [fitting.find_agent("rule_based", "riverbed_hunt")]
    pairs = fitting.look_at_games(agents, 7, 400, seed=900)
    assert fitting.log_loss(pairs, np.zeros(fitting.NUM_WEIGHTS)) == pytest.approx(np.log(2))
    assert fitting.log_loss(pairs, LOOKS[3].ravel()) < 0.67
    assert fitting.log_loss(pairs, fitting.fit(pairs).ravel()) < fitting.log_loss(pairs, LOOKS[3].ravel())


def test_what_a_camp_wants_it_does_not_leave_behind(tmp_path: Path) -> None:
    path = tmp_path / "look_weights.npz"
    fitting.main(agent=["rule_based"], games=200, seed=7, out=path)
    found = load(path)["looks"]
    assert found.shape == LOOKS.shape
    for fitted in (LOOKS, found):
        left_behind = fitted[:, Situation.PASSED_OVER].mean(axis=0)
        assert left_behind[Role.MERCHANT, 0] < 0 < left_behind[Role.MERCHANT, 1]
        assert left_behind[Role.SEPARATIST, 1] < 0 < left_behind[Role.SEPARATIST, 0]
