"""The rows of the speed table measure what they say. No times are asserted."""

import pytest
from rich.console import Console
from rich.progress import Progress

from riverbed_lab.speed.ours import rows
from riverbed_lab.speed.table import Row, measure_all, table_of

BRIEFLY = 0.05  # seconds


def row(name: str, call: str = "somehow", *plays: tuple[int, int]) -> Row:
    each = iter(plays)
    return Row(name, call, lambda seed: lambda: next(each))


def test_a_measurement_leaves_the_warm_up_out_and_ends_with_a_whole_game() -> None:
    decisions, games = row("a game", "somehow", (100, 1), (100, 1), (3, 0), (4, 1)).measure(0.0)
    assert decisions / games == pytest.approx(7)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("measured", rows((1,)), ids=lambda each: f"{each.name}, {each.call}")
def test_a_row_measures_decisions_and_whole_games(measured: Row) -> None:
    decisions, games = measured.measure(BRIEFLY)
    assert decisions > games > 0


def test_the_table_has_the_medians_of_decisions_and_games() -> None:
    console = Console(record=True, width=120)
    with Progress(console=Console(quiet=True)) as bar:
        plays = [(1, 1), (1, 1)]  # of the warm-up
        slow, fast = (row(name, "somehow", *[*plays, (count, 1)] * 3) for name, count in (("slow", 1), ("fast", 10**9)))
        speeds = measure_all([slow, fast], 0.0, 3, bar)
    console.print(table_of(speeds))
    assert speeds[fast][0] > speeds[slow][0]
    assert [line.split()[0] for line in console.export_text().splitlines() if "somehow" in line] == ["slow", "fast"]
