"""The study of where an agent gains."""

from __future__ import annotations

import numpy as np
import pytest

from studies.gain_left import measure

pytestmark = [pytest.mark.compiled, pytest.mark.slow]


def test_the_rule_based_agent_gains_nothing_over_itself_and_the_best_actions_gain() -> None:
    gains = measure("rule_based", 5, 20, 1)
    assert not gains.agent.any()
    assert gains.best.sum() > 20
    assert len(np.unique(gains.asked)) > 4


def test_random_play_loses_what_choices_are_worth() -> None:
    gains = measure("random", 5, 20, 1)
    assert gains.agent.sum() < -20 < 20 < gains.best.sum()
