"""Tables keep what they say in narrow terminals."""

from __future__ import annotations

import io

import pytest
from rich.console import Console
from rich.table import Table

from riverbed_lab.cli import console
from riverbed_lab.report import terminal_tables


@pytest.mark.parametrize(("columns", "width"), [(40, 80), (79, 80), (80, None), (200, None)])
def test_tables_lose_no_column_in_a_narrow_terminal(
    columns: int, width: int | None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console.sys.stdout, "isatty", lambda: True)
    monkeypatch.setenv("COLUMNS", str(columns))
    assert console.table_width() == width


def test_a_table_that_has_little_room_keeps_names_and_figures() -> None:
    table = Table()
    terminal_tables._columns(table, ("agent",), ("games", "merchants", "separatists", "profiteer"))
    table.add_row("rule_based", "10,000", *["37.5 32.9–42.3 of 4,964"] * 3)
    file = io.StringIO()
    Console(file=file, width=console.LEAST_WIDTH).print(table)
    written = file.getvalue()
    assert "…" not in written
    assert "rule_bas" in written
    assert written.count("32.9–42.3") == 3
