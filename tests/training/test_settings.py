"""The guides list every setting with the default and the words that the configs declare."""

from __future__ import annotations

from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest

from riverbed_lab.config_files import settings_of
from riverbed_lab.distil.config import DistilConfig
from riverbed_lab.league.config import LeagueConfig
from riverbed_lab.training.config import TrainingConfig

GUIDES = Path(__file__).parents[2] / "docs" / "guides"


def settings_table(kind: type) -> str:
    """A Markdown table of the settings of a config, as the guides show it."""
    defaults = {each.name: each.default for each in fields(kind)}
    rows = [
        f"| `{name}` | {setting.default or _in_words(defaults[name])} | {setting.about} |"
        for name, (_, setting) in settings_of(kind).items()
    ]
    return "\n".join(["| setting | default | what it is |", "| --- | --- | --- |", *rows])


def _in_words(value: Any) -> str:
    if isinstance(value, str | bool):
        return f"`{str(value).lower()}`"
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return f"{value:,}" if isinstance(value, int) else f"{value:g}"


@pytest.mark.parametrize(
    ("guide", "kind", "elsewhere"),
    [
        ("training.md", TrainingConfig, None),
        ("distil.md", DistilConfig, TrainingConfig),
        ("league.md", LeagueConfig, None),
    ],
)
def test_a_guide_has_the_table_of_settings(guide: str, kind: type, elsewhere: type | None) -> None:
    """Rows that are the same on the page that it points to are left out."""
    title, line, *rows = settings_table(kind).splitlines()
    known = settings_table(elsewhere).splitlines() if elsewhere else []
    table = "\n".join([title, line, *(row for row in rows if row not in known)])
    assert table in (GUIDES / guide).read_text(encoding="utf-8"), f"{guide} needs this table:\n{table}"


@pytest.mark.parametrize(
    ("kind", "without"), [(TrainingConfig, set()), (DistilConfig, set()), (LeagueConfig, {"training"})]
)
def test_every_field_declares_its_setting(kind: type, without: set[str]) -> None:
    assert {each.name for each in fields(kind)} - without == settings_of(kind).keys()
