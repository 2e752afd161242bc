"""The table of results: what is counted, what fades, what isn't known yet."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from riverbed_lab.league.win_counts import Row, WinCounts


def played() -> WinCounts:
    found = WinCounts()
    found.add("main", {("king", "past_1"): (6.0, 8.0), ("thief", "past_1"): (0.0, 2.0), ("king", "mains"): (5.0, 10.0)})
    return found


def test_games_are_counted_by_role_and_line_up() -> None:
    found = played()
    found.add("main", {("king", "past_1"): (1.0, 2.0)})
    assert found.counted("main", role="king", lineup="past_1") == (7.0, 10.0)
    assert found.counted("main", lineup="past_1") == (7.0, 12.0)
    assert found.counted("main", role="king") == (12.0, 20.0)
    assert found.counted("nobody") == (0, 0)


def test_a_win_rate_leans_on_the_usual_one_by_two_games() -> None:
    usual = (11 + 1) / (20 + 2)
    assert played().win_rate("main", "past_1") == pytest.approx((6 + 2 * usual) / (10 + 2))
    assert played().win_rate("main", "never met") == pytest.approx(usual)
    assert played().win_rate("nobody", "mains") == 0.5


def test_what_is_past_counts_less_and_in_the_end_nothing() -> None:
    found = played()
    found.fade(0.5)
    assert found.counted("main", role="king", lineup="past_1") == (3.0, 4.0)
    found.fade(0.3)
    assert found.counted("main", role="thief") == (0, 0)
    assert found.counted("main", role="king", lineup="mains") == pytest.approx((0.75, 1.5))


def test_a_learner_that_begins_anew_has_no_results() -> None:
    found = played()
    found.forget("main")
    assert list(found.rows()) == []


def test_rows_are_read_back_as_they_were() -> None:
    rows = list(played().rows())
    assert list(WinCounts.of([Row(**row) for row in json.loads(json.dumps(rows))]).rows()) == rows


@pytest.mark.parametrize("wrong", [{"wins": 9.0}, {"games": float("nan")}, {"wins": -1.0}])
def test_rows_that_make_no_sense_are_refused(wrong: dict[str, float]) -> None:
    row = Row("main", "king", "mains", 1.0, 2.0)
    with pytest.raises(ValueError, match="wins of"):
        WinCounts.of([replace(row, **wrong)])
