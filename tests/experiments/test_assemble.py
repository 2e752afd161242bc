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
from riverbed_lab.evaluation.results import Report
from riverbed_lab.playing import plan as planning
from riverbed_lab.playing.plan import Plan
from riverbed_lab.report.assemble import assemble, command
from riverbed_lab.report.sections import sections

pytestmark = pytest.mark.compiled


def test_mirrors_and_lengths_are_those_of_the_rows(report: Report, outcomes: Outcomes) -> None:
    assert [(row.setup.num_players, row.agent) for row in report.mirror] == [
        (count, agent) for count in (4, 7) for agent in ("random", "simple")
    ]
    for row, length in zip(report.mirror, report.lengths, strict=True):
        cell = planning.mirror(GAME, row.setup, row.agent)
        games = outcomes.read(cell)
        assert row.wins == {camp: outcomes.rate(cell, camp) for camp in GAME.camps}
        assert row.nobody_won == (~games.won.any(axis=1)).sum()
        assert (row.games, length.games, length.lineup) == (PLAN.deals, PLAN.deals, f"all {row.agent}")
        decisions = games.columns["decisions"]
        assert (length.spread.mean, length.spread.median) == (pytest.approx(decisions.mean()), np.median(decisions))
        assert length.happened["Con"].games == games.columns["has_profiteer"].sum()
        assert length.happened["Hunt"].happened == (games.columns["hunts"] > 0).sum()


def test_bases_are_random_play_and_the_best_rules(report: Report, outcomes: Outcomes) -> None:
    assert len(report.bases) == 2 * len(GAME.camps)
    for base in report.bases:
        assert base.random == outcomes.rate(planning.mirror(GAME, base.setup, "random"), base.camp)
        assert base.rule_based == outcomes.rate(planning.mirror(GAME, base.setup, "simple"), base.camp)
        assert base.rule_based_agent == "simple"


def test_one_seat_changes_hands_both_ways(report: Report, outcomes: Outcomes) -> None:
    assert [(row.setup.num_players, row.role, row.agent, row.among) for row in report.deviations] == [
        (count, role, *pair)
        for count in (4, 7) for role in GAME.roles for pair in (("simple", "random"), ("random", "simple"))
    ]  # fmt: skip
    for row in report.deviations:
        cell = planning.deviation(GAME, row.setup, row.role, row.agent, row.among)
        assert (row.gain, row.wins) == (outcomes.gain(cell), outcomes.rate(cell, row.camp))
        assert row.wins.games >= row.gain.games == row.replaced_wins.games


def test_one_way_there_are_no_rows_of_the_other_way(tmp_path: Path) -> None:
    plan = replace(PLAN, players=(7,), tables=("mirror", "deviation"), rule_based=(), deals=8, one_way=True)
    report = assemble(Outcomes(GAME, plan, played(plan, tmp_path)))
    assert [row.agent for row in report.mirror] == ["random"]
    assert [(row.agent, row.among) for row in report.deviations] == [("simple", "random")] * len(GAME.roles)
    assert "--one-way" in report.about.command


def test_a_role_that_not_all_deals_have_is_held_against_those_that_have_it(report: Report) -> None:
    profiteer = next(row for row in report.deviations if (row.setup.num_players, row.role) == (4, "profiteer"))
    assert 0 < profiteer.replaced_wins.games == profiteer.wins.games < 60


def test_among_strangers_the_agent_takes_the_reference_s_seat(report: Report, outcomes: Outcomes) -> None:
    assert len(report.held_out) == 2 * len(GAME.roles)
    for row in report.held_out:
        mine, base = (planning.held_out(row.setup, row.role, agent, PLAN.held_out) for agent in ("simple", "random"))
        assert (row.agent, row.replaced, row.among) == ("simple", "random", "random, simple")
        assert (row.wins, row.replaced_wins) == (outcomes.rate(mine, row.camp), outcomes.rate(base, row.camp))


def test_the_matrix_has_every_lineup(report: Report, outcomes: Outcomes) -> None:
    assert len(report.matrix) == len({(row.setup, *row.agents.values()) for row in report.matrix}) == 2 * 2**3
    for row in report.matrix:
        camps = tuple(row.agents[camp] for camp in GAME.camps)
        (cell,) = (each for each in planning.matrix(GAME, row.setup, ("simple", "random")) if each.camps == camps)
        assert row.wins == {camp: outcomes.rate(cell, camp) for camp in GAME.camps}


def test_labels_name_the_agents_everywhere(evaluation: Folder, report: Report) -> None:
    named = Outcomes(GAME, replace(PLAN, labels={"simple": "plain"}), evaluation)
    labelled = assemble(named, report.inference, rated=False)
    assert (labelled.about.agents, labelled.about.details["plain"]) == (("plain",), "simple")
    assert "plain=simple" in labelled.about.command
    assert {"simple", "all simple"}.isdisjoint(labelled.names)


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


def test_mirrors_alone_have_no_ratings_and_without_rules_there_is_no_best(tmp_path: Path) -> None:
    plan = replace(PLAN, tables=("mirror",), rule_based=(), players=(7,), deals=8)
    report = assemble(Outcomes(GAME, plan, played(plan, tmp_path)))
    assert report.ratings is None
    assert (report.deviations, report.matrix, report.held_out, report.inference) == ((), (), (), ())
    assert all((base.rule_based.games, base.rule_based_agent) == (0, "") for base in report.bases)
    assert not [note for note in report.notes if "ratings" in note]


def test_each_cell_is_read_once(report: Report, evaluation: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[Path] = Counter()
    opened = parquet.ParquetFile

    def count(path: Path, **options: Any) -> Any:
        read[path] += 1
        return opened(path, **options)

    monkeypatch.setattr(parquet, "ParquetFile", count)
    again = assemble(Outcomes(GAME, PLAN, evaluation), report.inference)
    assert sorted(read) == sorted(evaluation.parts.glob("*.parquet"))
    assert set(read.values()) == {1}
    assert replace(again, about=report.about) == report


@pytest.mark.parametrize(
    "plan",
    [
        PLAN,
        replace(PLAN, chunk=4000, inference_games=500, tables=("mirror", "deviation"), roles=("chief", "leader")),
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
