"""The guides list every setting as the configs declare it, and a folder keeps the settings of its run."""

import json
from dataclasses import fields, replace
from pathlib import Path
from typing import Any

import pytest
from distil.small_distillations import small as small_distillation
from training.small_runs import small

from riverbed_env.errors import OptionError
from riverbed_lab.config_files import CONFIG, RunConfig, settings_of
from riverbed_lab.distil.config import DistilConfig
from riverbed_lab.exploit import BestResponses
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
    ],
)
def test_a_guide_has_the_table_of_settings(guide: str, kind: type, elsewhere: type | None) -> None:
    """Rows that are the same on the page that it points to are left out."""
    title, line, *rows = settings_table(kind).splitlines()
    known = settings_table(elsewhere).splitlines() if elsewhere else []
    table = "\n".join([title, line, *(row for row in rows if row not in known)])
    assert table in (GUIDES / guide).read_text(encoding="utf-8"), f"{guide} needs this table:\n{table}"


@pytest.mark.parametrize("kind", [TrainingConfig, DistilConfig])
def test_every_field_declares_its_setting(kind: type) -> None:
    assert {each.name for each in fields(kind)} == settings_of(kind).keys()


RUNS = [
    pytest.param(small, {"seed": 7}, id="run"),
    pytest.param(small_distillation, {"seed": 7}, id="distillation"),
    pytest.param(
        lambda: BestResponses(small(), ("wader",)), {"games": 61}, id="best responses", marks=pytest.mark.compiled
    ),
]


@pytest.mark.parametrize(("make", "change"), RUNS)
def test_a_folder_with_other_settings_is_left_alone(make: Any, change: dict[str, Any], tmp_path: Path) -> None:
    config = make()
    kind: type[RunConfig] = type(config)
    with pytest.raises(OptionError, match=f"holds no {config.what} to resume"):
        kind.in_folder(tmp_path, None)
    config.save(tmp_path)
    assert kind.in_folder(tmp_path, None) == kind.in_folder(tmp_path, config) == config
    with pytest.raises(OptionError, match=rf"holds a {config.what} with other settings \({next(iter(change))}\)"):
        kind.in_folder(tmp_path, replace(config, **change))
    training = getattr(config, "training", config)
    more = replace(training, threads=2)
    assert kind.in_folder(tmp_path, more if training is config else replace(config, training=more))


WRONG = [{"format": 99}, {"tempo": 3}, {"seed": "one", "games": "one"}, None]


@pytest.mark.parametrize(("make", "_change"), RUNS)
@pytest.mark.parametrize("wrong", WRONG)
def test_settings_that_make_no_sense_are_refused(make: Any, _change: Any, wrong: Any, tmp_path: Path) -> None:
    config = make()
    config.save(tmp_path)
    path = tmp_path / CONFIG
    path.write_text(json.dumps([1, 2] if wrong is None else {**json.loads(path.read_text()), **wrong}))
    with pytest.raises(OptionError, match=r"config\.json"):
        type(config).load(tmp_path)
