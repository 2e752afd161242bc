"""The speed table's own rows: they measure what they say. No times are asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from riverbed_lab.speed import comparison, ours
from riverbed_lab.speed.peers import Measurement

pytestmark = pytest.mark.compiled


@pytest.mark.parametrize("row", ours.rows((1,)), ids=lambda row: f"{row.name}, {row.call}")
def test_a_row_measures_decisions_and_whole_games(row: ours.Row) -> None:
    measured = row.measure(0.05)
    assert measured.decisions > measured.games >= 0
    assert measured.seconds > 0


def test_the_report_prints_and_writes_medians_and_ratios(tmp_path: Path) -> None:
    def result(name: str, call: str, *speeds: int) -> comparison.Result:
        return comparison.Result(
            name, call, [Measurement(name, call, speed, 1, 1.0) for speed in speeds], [0.1] * len(speeds)
        )

    results = [
        result("riverbed_hunt_v0 batch", "n = 4,096, 1 thread, random", 100, 200, 900),
        result("deep_river_v0 batch", "n = 4,096, 1 thread, random", 300),
        result("riverbed_hunt_v0 env()", "AEC, agent_iter/last/step, random", 50),
        result(*comparison.HANABI, 10),
        result(*comparison.TEXAS, 5),
    ]
    console = Console(record=True, width=120)
    comparison.print_report(results, console)
    text = console.export_text()
    assert "batch, one core: 20.0 times OpenSpiel hanabi" in text
    assert "env(): 10.0 times PettingZoo texas_holdem_v4" in text
    assert "deep_river_v0 batch, one core: 1.5 times riverbed_hunt_v0 batch" in text
    assert "load average" in text
    written = json.loads(comparison.write_report(results, tmp_path).read_text())
    assert written["rows"][0]["decisions_per_second"] == [100, 200, 900]
