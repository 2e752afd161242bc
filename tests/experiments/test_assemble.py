"""From rows to the report: its numbers are those of the rows, cells are read once, the command repeats the plan."""

import shlex
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from evaluated import GAME, PLAN, played
from pyarrow import parquet

from riverbed_lab.cli import evaluate as commands
from riverbed_lab.cli.app import app
from riverbed_lab.evaluation.folder import Folder
from riverbed_lab.evaluation.outcomes import Outcomes, rows_frame
from riverbed_lab.playing.plan import Plan
from riverbed_lab.report.report import Report, assemble, command

pytestmark = pytest.mark.compiled


def test_the_frame_says_what_the_rows_say(report: Report, evaluation: Folder, outcomes: Outcomes) -> None:
    rows = rows_frame(GAME, evaluation).groupby("cell", observed=True)
    assert list(report.cells["cell"]) == [cell.name for cell in outcomes.cells]
    for line, cell in zip(report.cells.to_dict("records"), outcomes.cells, strict=True):
        mine = rows.get_group(cell.name)
        assert (line["table"], line["setup"], line["games"]) == (cell.table, str(cell.setup), len(mine))
        assert line["nobody_won"] == mine["nobody_won"].sum()
        for camp in GAME.camps:
            won = mine[f"won_{camp}"].dropna().astype(float)
            assert line[f"won_{camp}_games"] == len(won)
            if len(won):
                assert line[f"won_{camp}"] == pytest.approx(won.mean())
                assert line[f"won_{camp}_low"] <= line[f"won_{camp}"] <= line[f"won_{camp}_high"]
        base = outcomes.base_of(cell)
        assert (base is None) == np.isnan(line["gain"])
        if base is not None:
            both = (mine, rows.get_group(base.name))
            here, there = (each[f"won_{line['camp']}"].astype(float).groupby(each["game"]).mean() for each in both)
            gains = here.sub(there).dropna()
            assert (line["over"], line["deals"], line["gain"]) == (base.name, len(gains), pytest.approx(gains.mean()))
            assert line["gain_low"] <= line["gain"] <= line["gain_high"]
        if cell.table == "mirror":
            decisions = mine["decisions"]
            assert (line["decisions"], line["decisions_median"]) == (decisions.mean(), decisions.median())
            assert line["share_Con_games"] == mine["has_profiteer"].sum()
            assert line["share_Hunt"] == (mine["hunts"] > 0).mean()


def test_a_role_that_not_all_deals_have_is_held_against_those_that_have_it(report: Report) -> None:
    cells = report.table("deviation")
    profiteer = cells[(cells["num_players"] == 4) & (cells["role"] == "profiteer")].iloc[0]
    assert 0 < profiteer["deals"] == profiteer["games"] < PLAN.deals


def test_one_way_there_are_no_rows_of_the_other_way(tmp_path: Path) -> None:
    plan = replace(PLAN, players=(7,), tables=("mirror", "deviation"), deals=8, one_way=True)
    report = assemble(Outcomes(GAME, plan, played(plan, tmp_path)))
    assert list(report.table("mirror")["agent"]) == ["random"]
    assert set(zip(report.table("deviation")["agent"], report.table("deviation")["among"])) == {("simple", "random")}
    assert "--one-way" in report.command


def test_labels_name_the_agents_everywhere(evaluation: Folder, report: Report) -> None:
    named = Outcomes(GAME, replace(PLAN, labels={"simple": "plain"}), evaluation)
    labelled = assemble(named)
    assert (labelled.agents, labelled.details["labels"]) == (("plain",), "simple is plain")
    assert "plain=simple" in labelled.command
    assert "simple" not in {*labelled.cells["agent"], *labelled.cells["among"]}


def test_a_gain_in_the_matrix_is_of_one_camp_among_references(report: Report) -> None:
    cells = report.table("matrix")
    found = cells[cells["gain"].notna()]
    assert list(zip(found["num_players"], found["agent"], found["camp"], found["among"])) == [
        (count, "simple", camp, "random") for count in (4, 7) for camp in GAME.camps
    ]  # fmt: skip
    assert set(found["over"]) == {"mirror 4: random", "mirror 7: random"}


def test_each_cell_is_read_once(report: Report, evaluation: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[Path] = Counter()
    opened = parquet.read_table

    def count(path: Path, **options: Any) -> Any:
        read[path] += 1
        return opened(path, **options)

    monkeypatch.setattr(parquet, "read_table", count)
    again = Outcomes(GAME, PLAN, evaluation)
    assert again.frame.equals(report.cells)
    assert sorted(read) == sorted(evaluation.parts.glob("*.parquet"))
    assert set(read.values()) == {1}


@pytest.mark.parametrize(
    "plan",
    [
        PLAN,
        replace(PLAN, chunk=4000, tables=("mirror", "cross_play"), roles=("chief", "leader")),
        replace(PLAN, players=(9,), held_out=("simple",), options={"pack": "default", "layout": "river bend"}),
        replace(PLAN, variants=GAME.variants, labels={"simple": "plain", "random": "dice"}),
    ],
)
def test_the_command_of_a_report_asks_for_the_same_plan(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Plan] = []
    monkeypatch.setattr(commands, "evaluate_plan", lambda plan, *others, **more: asked.append(plan))
    program, *words = shlex.split(command(GAME, plan, Path("some folder")))
    assert (program, "some folder" in words) == ("riverbed", True)
    app(words, standalone_mode=False)
    assert [replace(found, chunk=plan.chunk) for found in asked] == [plan]  # which isn't asked for
