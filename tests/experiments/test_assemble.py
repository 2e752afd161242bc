"""From rows to the report: every number is that of the rows, each cell is read once, and a browser opens the page."""

from __future__ import annotations

import shlex
from collections import Counter
from dataclasses import replace
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.cli import evaluate as commands
from riverbed_lab.cli.app import app
from riverbed_lab.evaluation import outcomes as reading
from riverbed_lab.evaluation.folder import Folder
from riverbed_lab.evaluation.inference_file import InferenceFiles
from riverbed_lab.evaluation.outcomes import Outcomes
from riverbed_lab.evaluation.ratings import fit_ratings
from riverbed_lab.evaluation.results import Report
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.playing import plan as planning
from riverbed_lab.playing.plan import Plan
from riverbed_lab.report.assemble import assemble, command
from riverbed_lab.report.page import write_report

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt_v0")
AGENTS = [UNIFORM, find_agent("simple", GAME.name)]
PLAN = Plan(
    GAME.id, ("simple",), "random", (4, 7), 60, GAME.roles,
    held_out=("random", "simple"), rule_based=("simple",), seed=3, chunk=25, inference_games=10,
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    evaluation = Evaluation.begin(PLAN, tmp_path_factory.mktemp("evaluation"), agents=AGENTS)
    evaluation.play()
    return evaluation.folder


@pytest.fixture(scope="module")
def report(folder: Folder) -> Report:
    files = InferenceFiles(GAME, folder)
    files.play(AGENTS, lambda *progress: None)
    return assemble(Outcomes(GAME, PLAN, folder), files.rows())


@pytest.fixture(scope="module")
def rows(folder: Folder) -> list[dict[str, Any]]:
    return pa.concat_tables([parquet.read_table(path) for path in sorted(folder.parts.glob("*.parquet"))]).to_pylist()


def of(rows: list[dict[str, Any]], cell: planning.Cell) -> list[dict[str, Any]]:
    return [row for row in rows if row["cell"] == cell.name]


def mean(rows: list[dict[str, Any]], camp: str, among: list[dict[str, Any]] | None = None) -> float:
    deals = {row["game"] for row in (rows if among is None else among)}
    return float(
        np.mean([row[f"won_{camp}"] for row in rows if row["game"] in deals and row[f"won_{camp}"] is not None])
    )


def test_mirror_rows_and_lengths_are_those_of_the_rows(report: Report, rows: list[dict[str, Any]]) -> None:
    assert [(row.setup.num_players, row.agent) for row in report.mirror] == [
        (count, agent) for count in (4, 7) for agent in ("random", "simple")
    ]
    for row, length in zip(report.mirror, report.lengths, strict=True):
        mine = of(rows, planning.mirror(GAME, row.setup, row.agent))
        assert (row.games, length.games, length.lineup) == (len(mine), len(mine), f"all {row.agent}")
        assert row.nobody_won == sum(not any(each[f"won_{camp}"] for camp in GAME.camps) for each in mine)
        for camp in GAME.camps:
            assert row.wins[camp].value == pytest.approx(mean(mine, camp))
        decisions = [each["decisions"] for each in mine]
        assert (length.mean, length.median) == (pytest.approx(np.mean(decisions)), np.median(decisions))
        assert length.happened["Con"].games == sum(each["has_profiteer"] for each in mine)
        assert length.happened["Hunt"].happened == sum(each["hunts"] > 0 for each in mine)


def test_bases_are_random_play_and_the_best_rules(report: Report, rows: list[dict[str, Any]]) -> None:
    assert len(report.bases) == 2 * len(GAME.camps)
    for base in report.bases:
        for agent, found in (("random", base.random), ("simple", base.rule_based)):
            mine = of(rows, planning.mirror(GAME, base.setup, agent))
            assert found.value == pytest.approx(mean(mine, base.camp))
        assert base.rule_based_agent == "simple"


def test_one_seat_changes_hands_both_ways(report: Report, rows: list[dict[str, Any]]) -> None:
    assert [(row.setup.num_players, row.role, row.agent, row.among) for row in report.deviations] == [
        (count, role, *pair)
        for count in (4, 7) for role in GAME.roles for pair in (("simple", "random"), ("random", "simple"))
    ]  # fmt: skip
    for row in report.deviations:
        mine = of(rows, planning.deviation(GAME, row.setup, row.role, row.agent, row.among))
        base = of(rows, planning.mirror(GAME, row.setup, row.among))
        assert row.wins.games == len(mine) >= row.gain.games == row.replaced_wins.games
        assert row.wins.value == pytest.approx(mean(mine, row.camp))
        assert row.replaced_wins.value == pytest.approx(mean(base, row.camp, among=mine))
        assert row.gain.low <= row.gain.value <= row.gain.high


def test_one_way_there_are_no_rows_of_the_other_way(tmp_path: Path) -> None:
    plan = replace(PLAN, players=(7,), tables=("mirror", "deviation"), rule_based=(), deals=8, one_way=True)
    evaluation = Evaluation.begin(plan, tmp_path, agents=AGENTS)
    evaluation.play()
    found = assemble(evaluation.outcomes)
    assert [row.agent for row in found.mirror] == ["random"]
    assert [(row.agent, row.among) for row in found.deviations] == [("simple", "random")] * len(GAME.roles)
    assert "--one-way" in found.about.command


def test_a_role_that_not_all_deals_have_is_held_against_those_that_have_it(report: Report) -> None:
    profiteer = next(row for row in report.deviations if (row.setup.num_players, row.role) == (4, "profiteer"))
    assert 0 < profiteer.replaced_wins.games == profiteer.wins.games < 60


def test_among_strangers_the_agent_takes_the_reference_s_seat(report: Report, rows: list[dict[str, Any]]) -> None:
    assert len(report.held_out) == 2 * len(GAME.roles)
    for row in report.held_out:
        mine, base = (
            of(rows, planning.held_out(row.setup, row.role, agent, PLAN.held_out)) for agent in ("simple", "random")
        )
        assert (row.agent, row.replaced, row.among) == ("simple", "random", "random, simple")
        assert row.wins.value == pytest.approx(mean(mine, row.camp))
        assert row.replaced_wins.value == pytest.approx(mean(base, row.camp))
        assert row.gain.value == pytest.approx(row.wins.value - row.replaced_wins.value, abs=0.05)


def test_the_matrix_has_every_lineup(report: Report, rows: list[dict[str, Any]]) -> None:
    assert len(report.matrix) == len({(row.setup, *row.agents.values()) for row in report.matrix}) == 2 * 2**3
    for row in report.matrix:
        camps = tuple(row.agents[camp] for camp in GAME.camps)
        (cell,) = (each for each in planning.matrix(GAME, row.setup, ("simple", "random")) if each.camps == camps)
        mine = of(rows, cell)
        assert row.games == len(mine) == 60
        assert all(row.wins[camp].value == pytest.approx(mean(mine, camp)) for camp in GAME.camps)


def test_labels_name_the_agents_everywhere(folder: Folder, report: Report) -> None:
    named = Outcomes(GAME, replace(PLAN, labels={"simple": "plain"}), folder)
    found = assemble(named, report.inference)
    assert (found.about.agents, found.about.more["plain"]) == (("plain",), "simple")
    assert "plain=simple" in found.about.command
    assert {"simple", "all simple"}.isdisjoint(found.names)


def test_ratings_are_fitted_to_the_matrix_and_its_mirrors(report: Report, rows: list[dict[str, Any]]) -> None:
    names = ("simple", "random")
    games = []
    for cell in (*(each for each in planning.cells(GAME, PLAN) if each.table in {"mirror", "matrix"}),):
        for row in of(rows, cell):
            won = [row[f"won_{camp}"] for camp in GAME.camps]
            sides = [-1 if each is None else names.index(agent) for each, agent in zip(won, cell.camps, strict=True)]
            winner = won.index(True) if True in won else -1
            games.append((sides, winner, row["num_players"], 1000 * row["num_players"] + row["game"]))
    expected = fit_ratings(*zip(*games), names=names, camps=GAME.camps, reference="random", seed=3, resamples=50)
    assert report.ratings.games + report.ratings.nobody_won == len(games) == 2 * 8 * 60
    for found, same in zip(report.ratings.strengths, expected.strengths, strict=True):
        assert (found.agent, found.camp, found.games) == (same.agent, same.camp, same.games)
        assert found.value == pytest.approx(same.value, abs=1e-5)
        assert found.low <= found.value <= found.high


def test_without_the_matrix_there_are_no_ratings_and_without_rules_no_best(folder: Folder) -> None:
    plan = replace(PLAN, tables=("mirror",), rule_based=())
    shrunk = Outcomes(GAME, plan, Folder(folder.path, folder.identity))
    shrunk.cells = Outcomes(GAME, PLAN, folder).cells  # the rows are those of the whole plan
    found = assemble(shrunk)
    assert found.ratings is None
    assert (found.deviations, found.matrix, found.held_out, found.inference) == ((), (), (), ())
    assert all((base.rule_based.games, base.rule_based_agent) == (0, "") for base in found.bases)
    assert not [note for note in found.notes if "ratings" in note]


def test_each_cell_is_read_once(report: Report, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[Path] = Counter()
    opened = parquet.ParquetFile

    def count(path: Path, **options: Any) -> Any:
        read[path] += 1
        return opened(path, **options)

    monkeypatch.setattr(parquet, "ParquetFile", count)
    found = assemble(Outcomes(GAME, PLAN, folder), report.inference)
    assert sorted(read) == sorted(folder.parts.glob("*.parquet"))
    assert set(read.values()) == {1}
    assert replace(found, about=report.about) == report


def test_little_memory_changes_no_number(report: Report, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT_GAMES", 100)
    found = assemble(Outcomes(GAME, PLAN, folder), report.inference)
    assert replace(found, about=report.about) == report


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
    monkeypatch.setattr(commands, "evaluate_plan", lambda plan, *others: asked.append(plan))
    program, *words = shlex.split(command(GAME, plan, Path("some folder")))
    assert (program, words[-2:]) == ("riverbed", ["--out", "some folder"])
    app(words, standalone_mode=False)
    known = {"chunk": plan.chunk, "rule_based": plan.rule_based}  # neither is asked for
    assert [replace(found, **known) for found in asked] == [plan]


@pytest.fixture(scope="module")
def html(report: Report, tmp_path_factory: pytest.TempPathFactory) -> str:
    out = tmp_path_factory.mktemp("report")
    write_report(report, out)
    return (out / "report.html").read_text(encoding="utf-8")


def test_the_report_of_an_evaluation_has_all_parts(html: str) -> None:
    page = ElementTree.fromstring(html.removeprefix("<!DOCTYPE html>"))
    parts = [part.get("id") for part in page.iter("section")]
    assert parts == ["mirror", "deviation", "matrix", "held_out", "ratings", "inference", "lengths"]
    assert "riverbed evaluate simple --game riverbed_hunt_v0 --reference random" in html
