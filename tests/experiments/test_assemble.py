"""From rows to the report: its numbers are those of the rows, cells are read once, the command repeats the plan."""

from __future__ import annotations

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
from riverbed_lab.evaluation.outcomes import Outcomes
from riverbed_lab.evaluation.ratings import fit_ratings
from riverbed_lab.playing import plan as planning
from riverbed_lab.playing.plan import Plan
from riverbed_lab.report.report import Report, assemble, command
from riverbed_lab.report.sections import sections
from riverbed_lab.statistics import columns

pytestmark = pytest.mark.compiled


def test_the_frame_has_every_cell_with_its_rates_and_gains(report: Report, outcomes: Outcomes) -> None:
    assert list(report.cells["cell"]) == [cell.name for cell in outcomes.cells]
    for line, cell in zip(report.cells.to_dict("records"), outcomes.cells, strict=True):
        games, base, gain = outcomes.read(cell), outcomes.base_of(cell), outcomes.gain(cell)
        assert (line["table"], line["setup"], line["games"]) == (cell.table, str(cell.setup), len(games.block))
        assert line["nobody_won"] == (~games.won.any(axis=1)).sum()
        for camp in GAME.camps:
            rate = outcomes.rate(cell, camp)
            assert line[f"won_{camp}_games"] == rate.games
            assert not rate.games or line.items() >= columns(f"won_{camp}", rate).items()
        assert (base is None) == np.isnan(line["gain"])
        if base is not None and gain is not None:
            assert line.items() >= columns("gain", gain).items()
            assert (line["over"], line["deals"]) == (base.name, gain.blocks)
        if cell.table == "mirror":
            decisions = games.columns["decisions"]
            assert (line["decisions"], line["decisions_median"]) == (decisions.mean(), np.median(decisions))
            assert line["share_Con_games"] == games.columns["has_profiteer"].sum()
            assert line["share_Hunt"] == (games.columns["hunts"] > 0).mean()


def test_a_role_that_not_all_deals_have_is_held_against_those_that_have_it(report: Report) -> None:
    cells = report.table("deviation")
    profiteer = cells[(cells["num_players"] == 4) & (cells["role"] == "profiteer")].iloc[0]
    assert 0 < profiteer["deals"] == profiteer["games"] < PLAN.deals


def test_one_way_there_are_no_rows_of_the_other_way(tmp_path: Path) -> None:
    plan = replace(PLAN, players=(7,), tables=("mirror", "deviation"), rule_based=(), deals=8, one_way=True)
    report = assemble(Outcomes(GAME, plan, played(plan, tmp_path)))
    assert list(report.table("mirror")["agent"]) == ["random"]
    assert set(zip(report.table("deviation")["agent"], report.table("deviation")["among"])) == {("simple", "random")}
    assert "--one-way" in report.command


def test_labels_name_the_agents_everywhere(evaluation: Folder, report: Report) -> None:
    named = Outcomes(GAME, replace(PLAN, labels={"simple": "plain"}), evaluation)
    labelled = assemble(named, report.roles, rated=False)
    assert (labelled.agents, labelled.details["plain"]) == (("plain",), "simple")
    assert "plain=simple" in labelled.command
    names = {*labelled.cells["agent"], *labelled.cells["among"], *labelled.roles["observed"]}
    assert {"simple", "all simple"}.isdisjoint(names)


def test_ratings_are_fitted_to_the_matrix_and_its_mirrors(report: Report, evaluation: Folder) -> None:
    names = ("simple", "random")
    games = []
    for number, cell in enumerate(planning.cells(GAME, PLAN)):
        parts = evaluation.parts_of(number) if cell.table in {"mirror", "matrix"} else []
        for row in (row for part in parts for row in parquet.read_table(part).to_pylist()):
            won = [row[f"won_{camp}"] for camp in GAME.camps]
            sides = [-1 if each is None else names.index(agent) for each, agent in zip(won, cell.camps, strict=True)]
            winner = won.index(True) if True in won else -1
            games.append((sides, winner, row["num_players"], 1000 * row["num_players"] + row["game"]))
    expected = fit_ratings(*zip(*games), names=names, camps=GAME.camps, reference="random", seed=3, resamples=50)
    assert report.ratings is not None
    assert report.ratings.games + report.ratings.nobody_won == len(games) == 2 * 8 * 60
    for fitted, same in zip(report.ratings.strengths, expected.strengths, strict=True):
        assert (fitted.agent, fitted.camp, fitted.games) == (same.agent, same.camp, same.games)
        assert fitted.value == pytest.approx(same.value, abs=1e-5)
        assert fitted.low <= fitted.value <= fitted.high


def test_each_cell_is_read_once(report: Report, evaluation: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[Path] = Counter()
    opened = parquet.ParquetFile

    def count(path: Path, **options: Any) -> Any:
        read[path] += 1
        return opened(path, **options)

    monkeypatch.setattr(parquet, "ParquetFile", count)
    again = Outcomes(GAME, PLAN, evaluation)
    assert again.frame.equals(report.cells)
    assert sorted(read) == sorted(evaluation.parts.glob("*.parquet"))
    assert set(read.values()) == {1}


@pytest.mark.parametrize(
    "plan",
    [
        PLAN,
        replace(PLAN, chunk=4000, inference_games=500, tables=("mirror", "cross_play"), roles=("chief", "leader")),
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
    known = {"chunk": plan.chunk, "rule_based": plan.rule_based}  # neither is asked for
    assert [replace(found, **known) for found in asked] == [plan]


def test_the_report_of_an_evaluation_has_all_parts(report: Report) -> None:
    parts = [part.name for part in sections(report)]
    assert parts == ["mirror", "deviation", "matrix", "held_out", "ratings", "inference", "lengths"]
