"""The study of strength against time."""

from __future__ import annotations

import pytest

from studies.frontier import frontier

pytestmark = pytest.mark.compiled


def test_an_agent_gains_nothing_over_itself_and_a_worse_one_loses() -> None:
    same, random = frontier(["simple", "random"], "simple", ["leader", "profiteer"], 5, 300, 1, 1)
    assert [gain.gain.value for gain in same.gains.values()] == [0, 0]
    assert random.gains["leader"].gain.high < 0
    assert same.microseconds > 0
