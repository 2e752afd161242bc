"""Win counts: what is counted, how counts decay, and the prior of an unknown lineup."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from riverbed_lab.league.win_counts import Row, WinCounts


def played() -> WinCounts:
    counts = WinCounts()
    counts.add(
        "main", {("king", "past_1"): (6.0, 8.0), ("thief", "past_1"): (0.0, 2.0), ("king", "mains"): (5.0, 10.0)}
    )
    return counts


def test_games_are_counted_by_role_and_lineup() -> None:
    counts = played()
    counts.add("main", {("king", "past_1"): (1.0, 2.0)})
    assert counts.counted("main", role="king", lineup="past_1") == (7.0, 10.0)
    assert counts.counted("main", lineup="past_1") == (7.0, 12.0)
    assert counts.counted("main", role="king") == (12.0, 20.0)
    assert counts.counted("nobody") == (0, 0)


def test_the_prior_of_a_win_rate_is_two_games_at_the_overall_rate() -> None:
    overall = (11 + 1) / (20 + 2)
    assert played().win_rate("main", "past_1") == pytest.approx((6 + 2 * overall) / (10 + 2))
    assert played().win_rate("main", "never met") == pytest.approx(overall)
    assert played().win_rate("nobody", "mains") == 0.5


def test_old_games_count_less_and_finally_nothing() -> None:
    counts = played()
    counts.fade(0.5)
    assert counts.counted("main", role="king", lineup="past_1") == (3.0, 4.0)
    counts.fade(0.3)
    assert counts.counted("main", role="thief") == (0, 0)
    assert counts.counted("main", role="king", lineup="mains") == pytest.approx((0.75, 1.5))


def test_a_learner_that_restarts_has_no_results() -> None:
    counts = played()
    counts.forget("main")
    assert list(counts.rows()) == []


def test_rows_are_read_back_as_they_were() -> None:
    rows = list(played().rows())
    assert list(WinCounts.of([Row(**row) for row in json.loads(json.dumps(rows))]).rows()) == rows


@pytest.mark.parametrize("wrong", [{"wins": 9.0}, {"games": float("nan")}, {"wins": -1.0}])
def test_rows_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    row = Row("main", "king", "mains", 1.0, 2.0)
    with pytest.raises(ValueError, match="wins of"):
        WinCounts.of([replace(row, **wrong)])
