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
from browser import needs_browser, open_page
from pyarrow import parquet

from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.cli import evaluate as commands
from riverbed_lab.cli.app import app
from riverbed_lab.evaluation import outcomes as reading
from riverbed_lab.evaluation import run as running
from riverbed_lab.evaluation.folder import Folder, identify
from riverbed_lab.evaluation.inference_file import InferenceFiles
from riverbed_lab.evaluation.outcomes import Outcomes
from riverbed_lab.evaluation.ratings import fit_ratings
from riverbed_lab.evaluation.results import Report
from riverbed_lab.playing import plan as planning
from riverbed_lab.playing.plan import Plan
from riverbed_lab.report.assemble import assemble, command
from riverbed_lab.report.page import write_report
from riverbed_lab.report.terminal_tables import tables_of

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt_v0")
AGENTS = [UNIFORM, find_agent("simple", GAME.name)]
PLAN = Plan(
    GAME.id, ("simple",), "random", (4, 7), 60, GAME.roles,
    held_out=("random", "simple"), rule_based=("simple",), seed=3, chunk=25, inference_games=10,
)  # fmt: skip


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Folder:
    found = Folder(tmp_path_factory.mktemp("evaluation"), identify(GAME, PLAN, AGENTS))
    running.run(GAME, PLAN, AGENTS, found, 1, lambda cell, deals, games: None)
    return found


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
    assert [(row.num_players, row.agent) for row in report.mirror] == [
        (count, agent) for count in (4, 7) for agent in ("random", "simple")
    ]
    for row, length in zip(report.mirror, report.lengths, strict=True):
        mine = of(rows, planning.mirror(GAME, row.num_players, row.agent))
        assert (row.games, length.games, length.lineup) == (len(mine), len(mine), row.agent)
        assert row.nobody_won == sum(not any(each[f"won_{camp}"] for camp in GAME.camps) for each in mine)
        for camp in GAME.camps:
            assert row.wins[camp].value == pytest.approx(mean(mine, camp))
        decisions = [each["decisions"] for each in mine]
        assert (length.mean, length.median) == (pytest.approx(np.mean(decisions)), np.median(decisions))
        assert (length.edges[0] < min(decisions), sum(length.counts)) == (True, len(mine))


def test_bases_are_random_play_and_the_best_rules(report: Report, rows: list[dict[str, Any]]) -> None:
    assert len(report.bases) == 2 * len(GAME.camps)
    for base in report.bases:
        for agent, found in (("random", base.random), ("simple", base.rule_based)):
            mine = of(rows, planning.mirror(GAME, base.num_players, agent))
            assert found.value == pytest.approx(mean(mine, base.camp))
        assert base.rule_based_agent == "simple"


def test_one_seat_changes_hands_both_ways(report: Report, rows: list[dict[str, Any]]) -> None:
    assert [(row.num_players, row.role) for row in report.deviations] == [
        (count, role) for count in (4, 7) for role in GAME.roles
    ]
    for row in report.deviations:
        for swap, one, among in (
            (row.among_reference, "simple", "random"),
            (row.among_agent, "random", "simple"),
        ):
            mine = of(rows, planning.deviation(GAME, row.num_players, row.role, one, among))
            base = of(rows, planning.mirror(GAME, row.num_players, among))
            assert swap.wins.games == len(mine) >= swap.gain.games == swap.replaced.games
            assert swap.wins.value == pytest.approx(mean(mine, row.camp))
            assert swap.replaced.value == pytest.approx(mean(base, row.camp, among=mine))
            assert swap.gain.low <= swap.gain.value <= swap.gain.high


def test_one_way_the_other_way_is_left_empty(tmp_path: Path) -> None:
    plan = replace(PLAN, players=(7,), tables=("mirror", "deviation"), rule_based=(), deals=8, one_way=True)
    folder = Folder(tmp_path, identify(GAME, plan, AGENTS))
    running.run(GAME, plan, AGENTS, folder, 1, lambda cell, deals, games: None)
    found = assemble(Outcomes(GAME, plan, folder), ())
    assert [row.agent for row in found.mirror] == ["random"]
    assert all(row.among_agent is None and row.among_reference.wins.games >= 8 for row in found.deviations)
    assert "--one-way" in found.header.command
    write_report(found, tmp_path)
    _, deviations = tables_of(Outcomes(GAME, plan, folder), 7)
    assert deviations.row_count == len(GAME.roles)


def test_a_role_that_not_all_deals_have_is_held_against_those_that_have_it(report: Report) -> None:
    profiteer = next(row for row in report.deviations if (row.num_players, row.role) == (4, "profiteer"))
    assert 0 < profiteer.among_reference.replaced.games == profiteer.among_reference.wins.games < 60


def test_among_strangers_the_agent_takes_the_reference_s_seat(report: Report, rows: list[dict[str, Any]]) -> None:
    assert len(report.held_out) == 2 * len(GAME.roles)
    for row in report.held_out:
        mine, base = (
            of(rows, planning.held_out(row.num_players, row.role, agent, PLAN.held_out))
            for agent in ("simple", "random")
        )
        assert (row.agent, row.others) == ("simple", "random, simple")
        assert row.swap.wins.value == pytest.approx(mean(mine, row.camp))
        assert row.swap.replaced.value == pytest.approx(mean(base, row.camp))
        assert row.swap.gain.value == pytest.approx(row.swap.wins.value - row.swap.replaced.value, abs=0.05)


def test_the_matrix_has_every_line_up(report: Report, rows: list[dict[str, Any]]) -> None:
    assert len(report.matrix) == len({(cell.num_players, *cell.agents.values()) for cell in report.matrix}) == 2 * 2**3
    for cell in report.matrix:
        camps = tuple(cell.agents[camp] for camp in GAME.camps)
        same = len(set(camps)) == 1
        played = planning.mirror(GAME, cell.num_players, camps[0])
        mine = of(rows, played if same else planning.Cell("camp_matrix", cell.num_players, camps))
        assert cell.games == len(mine) == 60
        assert all(cell.wins[camp].value == pytest.approx(mean(mine, camp)) for camp in GAME.camps)


def test_ratings_are_fitted_to_the_matrix_and_its_mirrors(report: Report, rows: list[dict[str, Any]]) -> None:
    names = ("simple", "random")
    games = []
    for cell in (*(each for each in planning.cells(GAME, PLAN) if each.table in {"mirror", "camp_matrix"}),):
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
    assert not [warning for warning in found.warnings if "ratings" in warning]


def test_each_cell_is_read_once(report: Report, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    read: Counter[Path] = Counter()
    opened = parquet.ParquetFile

    def count(path: Path, **options: Any) -> Any:
        read[path] += 1
        return opened(path, **options)

    monkeypatch.setattr(parquet, "ParquetFile", count)
    outcomes = Outcomes(GAME, PLAN, folder)
    for players in PLAN.players:
        list(tables_of(outcomes, players))
    found = assemble(outcomes, report.inference)
    assert sorted(read) == sorted(folder.parts.glob("*.parquet"))
    assert set(read.values()) == {1}
    assert replace(found, header=report.header) == report


def test_little_memory_changes_no_number(report: Report, folder: Folder, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reading, "KEPT_GAMES", 100)
    found = assemble(Outcomes(GAME, PLAN, folder), report.inference)
    assert replace(found, header=report.header) == report


def test_player_counts_with_the_same_gap_are_warned_of_together(report: Report) -> None:
    assert [warning.partition(":")[0] for warning in report.warnings] == [
        "4, 7 players, all camps",
        "4 players, profiteer",
    ]


@pytest.mark.parametrize(
    "plan",
    [
        PLAN,
        replace(PLAN, chunk=4000, inference_games=500, tables=("mirror", "deviation"), roles=("chief", "leader")),
        replace(PLAN, players=(9,), held_out=("simple",), options={"pack": "default", "layout": "river bend"}),
    ],
)
def test_the_command_of_a_report_asks_for_the_same_plan(plan: Plan, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Plan] = []
    monkeypatch.setattr(commands, "evaluate_plan", lambda game, plan, *others: asked.append(plan))
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


@needs_browser
def test_a_browser_shows_the_report_of_an_evaluation(html: str, tmp_path: Path) -> None:
    shown = open_page(html, tmp_path)
    assert shown.tables == html.count("<table>")
    # bars and maps of two player counts, the triangle, strengths, log-loss and calibration of two lineups, lengths
    assert len(shown.widths) == 2 + 2 + 1 + 1 + 2 * 2 * 2 + 1
    assert min(shown.widths) > 250
