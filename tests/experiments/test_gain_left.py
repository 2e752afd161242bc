"""The study of where an agent gains."""

from __future__ import annotations

import numpy as np
import pytest

from studies.gain_left import measure

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def test_the_rule_based_agent_gains_nothing_over_itself_and_the_best_actions_gain() -> None:
    gains = measure(["rule_based"], 5, 20, 1)
    assert not gains.agents.any()
    assert gains.best.sum() > 20
    assert len(np.unique(gains.asked)) > 4


def test_random_play_loses_what_choices_are_worth() -> None:
    gains = measure(["random"], 5, 20, 1)
    assert gains.agents.sum() < -20 < 20 < gains.best.sum()


def test_others_are_asked_in_the_first_ones_situations() -> None:
    gains = measure(["random", "rule_based", "simple"], 5, 20, 1, turns=2)
    alone = measure(["random"], 5, 20, 1, turns=2)
    np.testing.assert_array_equal(gains.agents[0], alone.agents[0])
    np.testing.assert_array_equal(gains.game, alone.game)
    assert set(gains.game) == set(range(20))
    assert not gains.agents[1].any()
    assert gains.agents[0].sum() < gains.agents[2].sum() < gains.best.sum()
