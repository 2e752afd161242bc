"""The rows of the speed table measure what they say. No times are asserted."""

from __future__ import annotations

import pytest
from rich.console import Console

from riverbed_lab.speed.comparison import print_report
from riverbed_lab.speed.ours import rows
from riverbed_lab.speed.peers import peers
from riverbed_lab.speed.rows import Row

BRIEFLY = 0.05  # seconds


def row(name: str, call: str = "somehow", *plays: tuple[int, int]) -> Row:
    each = iter(plays)
    return Row(name, call, lambda seed: lambda: next(each))


def test_a_measurement_leaves_the_warm_up_out_and_ends_with_a_whole_game() -> None:
    decisions, games = row("a game", "somehow", (100, 1), (100, 1), (3, 0), (4, 1)).measure(0.0)
    assert decisions / games == pytest.approx(7)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("measured", [*rows((1,)), *peers()], ids=lambda each: f"{each.name}, {each.call}")
def test_a_row_measures_decisions_and_whole_games(measured: Row) -> None:
    if not measured.installed:
        pytest.skip(f"{measured.name} needs {', '.join(measured.modules)}")
    decisions, games = measured.measure(BRIEFLY)
    assert decisions > games > 0


def test_the_report_prints_speeds_and_ratios() -> None:
    console = Console(record=True, width=120)
    speeds = {
        row("riverbed_hunt_v1 batch", "n = 4,096, 1 thread, random"): (200.0, 2.0),
        row("riverbed_hunt_v1 batch", "n = 4,096, 2 threads, random"): (390.0, 4.0),
        row("riverbed_hunt_v1 env()"): (50.0, 1.0),
        row("OpenSpiel hanabi", "tensor"): (8.0, 1.0),
        row("OpenSpiel hanabi", "in place"): (10.0, 1.0),
        row("PettingZoo texas_holdem_v4", "raw_env"): (5.0, 1.0),
    }
    print_report(speeds, console)
    text = console.export_text()
    assert "390" in text
    assert "riverbed_hunt_v1 batch, one core: 20.00 times OpenSpiel hanabi (in place)" in text
    assert "riverbed_hunt_v1 env(), one core: 10.00 times PettingZoo texas_holdem_v4" in text
