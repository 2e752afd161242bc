"""The rows of the speed table measure what they say. No times are asserted."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from rich.console import Console

from riverbed_lab.speed import comparison
from riverbed_lab.speed.ours import rows
from riverbed_lab.speed.peers import peers
from riverbed_lab.speed.rows import Measurement, Row
from riverbed_lab.speed.starts import Start, measure_start

BRIEFLY = 0.05  # seconds


def test_a_measurement_leaves_the_warm_up_out_and_ends_with_a_whole_game() -> None:
    plays = iter([(100, 1), (100, 1), (3, 0), (4, 1)])
    found = Row("a game", "somehow", lambda seed: lambda: next(plays)).measure(0.0)
    assert (found.decisions, found.games) == (7, 1)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("row", [*rows((1,)), *peers()], ids=lambda row: f"{row.name}, {row.call}")
def test_a_row_measures_decisions_and_whole_games(row: Row) -> None:
    if not row.installed:
        pytest.skip(f"{row.name} needs {', '.join(row.modules)}")
    found = row.measure(BRIEFLY)
    assert found.decisions > found.games >= 1
    assert found.decisions_per_second == pytest.approx(found.decisions / found.seconds)


def test_the_report_prints_and_writes_medians_and_ratios(tmp_path: Path) -> None:
    def result(name: str, call: str, *speeds: int) -> comparison.Result:
        row = Row(name, call, lambda seed: lambda: (1, 1))
        return comparison.Result(row, [Measurement(speed, 1, 1.0) for speed in speeds], [0.1] * len(speeds))

    results = [
        result("riverbed_hunt_v1 batch", "n = 4,096, 1 thread, random", 100, 200, 900),
        result("riverbed_hunt_v1 batch", "n = 4,096, 2 threads, random", 390),
        result("riverbed_hunt_v1 env()", "AEC, agent_iter/last/step, random", 50),
        result("OpenSpiel hanabi", "tensor", 8),
        result("OpenSpiel hanabi", "in place", 10),
        result("PettingZoo texas_holdem_v4", "raw_env", 5),
    ]
    console = Console(record=True, width=120)
    starts = [Start("deep_river_v0", 8.04, 0.613)]
    comparison.print_report(results, starts, console)
    text = console.export_text()
    assert "riverbed_hunt_v1 batch, one core: 20.00 times OpenSpiel hanabi (in place)" in text
    assert "riverbed_hunt_v1 env(), one core: 10.00 times PettingZoo texas_holdem_v4" in text
    assert "deep_river_v0: 8.0 s of processor time to a batch's first step with an empty cache, 0.61 s with a" in text
    written = json.loads(comparison.write_report(results, starts, tmp_path).read_text())
    assert written["starts"] == [{"game": "deep_river_v0", "empty": 8.04, "full": 0.613}]
    assert written["rows"][0]["decisions_per_second"] == [100, 200, 900]


@pytest.mark.slow
@pytest.mark.compiled
def test_a_start_with_an_empty_cache_compiles_and_the_next_ones_load() -> None:
    start = measure_start("deep_river_v0")
    assert start.empty > start.full > 0
