"""Evaluations: who sits where, the rows, how a run goes on, and what the rows tell."""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest
from evaluated import AGENTS, GAME, PLAN, SIMPLE, played
from pyarrow import parquet

from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.players.agents import UNIFORM, PythonAgent
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.evaluate import evaluate
from riverbed_lab.evaluation import folder as folders
from riverbed_lab.evaluation.outcomes import Outcomes, rows_frame
from riverbed_lab.evaluation.replay import Replay
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.playing import plan as planning
from riverbed_lab.playing.plan import Cell, Plan
from riverbed_lab.playing.play import deal, play_seated
from riverbed_lab.playing.rows import columns_of
from riverbed_lab.playing.seating import NOBODY, Seating, seat
from riverbed_lab.report.model import MINUS
from riverbed_lab.report.report import assemble, write_summary
from riverbed_lab.report.sections import sections

pytestmark = pytest.mark.compiled

NAMES = [agent.name for agent in AGENTS]


def rows_of(folder: folders.Folder) -> pa.Table:
    """All rows in the order of their cells, without what may differ when they are played again."""
    parts = [parquet.read_table(path) for path in sorted(folder.parts.glob("*.parquet"))]
    return pa.concat_tables(parts, promote_options="default").drop_columns(["seconds"])


def seated(cell: Cell, numbers: np.ndarray, seed: int = 3) -> Seating:
    records = deal(GAME, numbers, seed, num_players=cell.num_players)
    return seat(GAME, cell, NAMES, numbers, records, seed)


# --- who sits where ------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("role", GAME.roles)
@pytest.mark.parametrize("count", [4, 7, 9])
def test_the_one_goes_through_all_seats_of_its_role(count: int, role: str) -> None:
    numbers = np.arange(40)
    cell = planning.deviation(GAME, count, role, "simple", "random")
    found = seated(cell, numbers)
    roles = GAME.roles_of(deal(GAME, numbers, 3, num_players=count))
    expected = [
        (number, place) for number in numbers for place in np.flatnonzero(roles[number] == GAME.roles.index(role))
    ]
    assert list(zip(found.numbers.tolist(), found.focus.tolist())) == expected
    at = np.arange(len(expected))
    assert (found.seats[at, found.focus] == NAMES.index("simple")).all()
    assert (found.seats.sum(axis=1) == NAMES.index("simple")).all()  # nobody else is
    np.testing.assert_array_equal(found.roles, roles[found.numbers])


def test_a_role_that_only_some_deals_have_is_played_in_those_alone() -> None:
    found = seated(planning.deviation(GAME, 4, "profiteer", "simple", "random"), np.arange(200))
    there = GAME.camps_present(deal(GAME, np.arange(200), 3, num_players=4))[:, 2]
    np.testing.assert_array_equal(found.numbers, np.flatnonzero(there))
    assert 0 < len(found.numbers) < 200


def test_camps_sit_where_their_roles_do() -> None:
    found = seated(Cell("matrix", 7, ("simple", "random", "simple")), np.arange(30))
    camps = np.array([GAME.camps.index(GAME.camp_of_role[role]) for role in GAME.roles])[found.roles]
    np.testing.assert_array_equal(found.seats == NAMES.index("simple"), camps != 1)
    assert (found.focus == NOBODY).all()


def test_compared_agents_meet_the_same_partners_in_the_same_seats() -> None:
    pool = ("random", "simple")
    one = seated(planning.held_out(7, "separatist", "simple", pool), np.arange(50))
    other = seated(planning.held_out(7, "separatist", "random", pool), np.arange(50))
    np.testing.assert_array_equal(one.focus, other.focus)
    at = np.arange(len(one.focus))
    assert (one.seats[at, one.focus] == 1).all()
    assert (other.seats[at, other.focus] == 0).all()
    one.seats[at, one.focus] = other.seats[at, other.focus] = NOBODY
    np.testing.assert_array_equal(one.seats, other.seats)
    drawn = one.seats[one.seats != NOBODY]
    assert 0.4 < drawn.mean() < 0.6


def test_partners_are_drawn_by_seed_and_deal_alone() -> None:
    cell = planning.held_out(7, "chief", "simple", ("random", "simple"))
    whole, part = seated(cell, np.arange(50)), seated(cell, np.arange(20, 30))
    np.testing.assert_array_equal(whole.seats[20:30], part.seats)
    assert (seated(cell, np.arange(50), seed=4).seats != whole.seats).any()


def test_cells_have_names_of_their_own() -> None:
    cells = planning.cells(GAME, replace(PLAN, agents=("simple", "random", "x"), reference="y"))
    assert len({cell.name for cell in cells}) == len(cells)
    assert {cell.table for cell in cells} == set(planning.TABLES)


def test_one_way_an_agent_never_sits_in_more_than_one_seat() -> None:
    plan = replace(PLAN, one_way=True, tables=("mirror", "deviation", "held_out"), held_out=("silent",))
    cells = planning.cells(GAME, plan)
    assert [cell.camps[0] for cell in cells if cell.table == "mirror"] == ["random", "random"]
    for cell in cells:
        assert "simple" not in {*cell.camps, *cell.pool}
    both_ways = [cell for cell in planning.cells(GAME, PLAN) if cell.table == "deviation"]
    one_way = [cell for cell in cells if cell.table == "deviation"]
    assert one_way == [cell for cell in both_ways if cell.focus == "simple"]
    assert {"simple", "random", "silent"} == set(plan.seated)
    assert planning.usual_tables(GAME, strangers=True, one_way=True) == ("mirror", "deviation", "held_out")
    assert planning.usual_tables(GAME, strangers=False, one_way=False) == ("mirror", "deviation", "matrix")


# --- play with a given agent in every seat -------------------------------------------------------------------------


def test_a_deal_can_be_played_by_several_seatings() -> None:
    numbers = np.array([5, 5, 5, 2])
    seats = np.array([[0] * 5, [1] * 5, [0] * 5, [1] * 5])
    told: list[int] = []
    found = play_seated(GAME, AGENTS, seats, numbers, 8, num_players=5, progress=told.append)
    assert found.games["number"].tolist() == numbers.tolist()
    assert found.games[0].tobytes() == found.games[2].tobytes() != found.games[1].tobytes()
    roles = GAME.roles_of(found.games)
    np.testing.assert_array_equal(roles[0], roles[1])
    assert sum(told) == 4


def test_two_agents_of_one_name_are_refused() -> None:
    with pytest.raises(OptionError, match="need different names, not random, random"):
        play_seated(GAME, [UNIFORM, UNIFORM], np.zeros((1, 5), np.int64), np.zeros(1, np.int64), 0, num_players=5)


# --- rows ----------------------------------------------------------------------------------------------------------


def test_every_cell_plays_its_deals_and_no_other(evaluation: folders.Folder) -> None:
    rows = rows_of(evaluation).to_pylist()
    cells = planning.cells(GAME, PLAN)
    assert len({row["cell"] for row in rows}) == len(cells)
    for cell in cells:
        mine = [row for row in rows if row["cell"] == cell.name]
        assert {row["table"] for row in mine} == {cell.table}
        if not cell.role:
            assert [row["game"] for row in mine] == list(range(PLAN.deals))
            continue
        for row in mine:
            assert (row[f"agent_{row['focus']}"], row[f"role_{row['focus']}"]) == (cell.focus, cell.role)
            seats = [place for place in range(9) if row[f"role_{place}"] == cell.role]
            assert [other["focus"] for other in mine if other["game"] == row["game"]] == seats


def test_all_cells_of_a_player_count_are_of_the_same_deals(evaluation: folders.Folder) -> None:
    deals: dict[tuple[int, int], set[Any]] = {}
    for row in rows_of(evaluation).to_pylist():
        dealt = (row["layout"], *(row[f"role_{place}"] for place in range(GAME.max_players)))
        deals.setdefault((row["num_players"], row["game"]), set()).add(dealt)
    assert len(deals) == 2 * PLAN.deals
    assert all(len(found) == 1 for found in deals.values())


def test_a_row_says_what_it_is_of_and_who_won(evaluation: folders.Folder) -> None:
    for row in rows_of(evaluation).to_pylist():
        assert (row["environment"], row["seed"]) == (GAME.id, 3)
        assert row["pack"] == evaluation.identity.pack
        assert row["code"] == evaluation.identity.code
        assert [row[f"agent_{place}"] == "" for place in range(9)] == [
            place >= row["num_players"] for place in range(9)
        ]
        for number, camp in enumerate(GAME.camps):
            there = any(GAME.camp_of_role.get(row[f"role_{place}"]) == camp for place in range(9))
            assert row[f"won_{camp}"] == ((row["winner"] == number) if there else None)


def test_the_guide_describes_every_column_that_all_games_have() -> None:
    """The games' own columns are named there as examples."""
    rats, river = (set(columns_of(find_game(name)).names) for name in ("river_rats", "deep_river"))
    shared = (rats & river) - {"num_players"}
    stems = {re.sub(r"_(\d|players|salmon|eel)$", "", name) for name in shared} | {"won", "num_players"}
    guide = (Path(__file__).parents[2] / "docs" / "guides" / "evaluation.md").read_text(encoding="utf-8")
    assert not [stem for stem in stems if not re.search(rf"`{stem}(_<(seat|camp)>)?`", guide)]


@pytest.mark.slow  # compiles the loops for several threads
def test_threads_change_no_row(evaluation: folders.Folder, tmp_path: Path) -> None:
    assert rows_of(played(PLAN, tmp_path, threads=2)).equals(rows_of(evaluation))


def test_a_run_that_is_broken_off_goes_on_and_ends_with_the_same_rows(
    evaluation: folders.Folder, tmp_path: Path
) -> None:
    class Enough(Exception):
        pass

    told = 0

    def stop(cell: Cell, deals: float, games: int) -> None:
        nonlocal told
        told += 1
        if told == 20:
            raise Enough

    begun = Evaluation.begin(PLAN, tmp_path, agents=AGENTS)
    folder = begun.folder
    with pytest.raises(Enough):
        begun.play(stop)
    kept = {path: path.stat().st_mtime_ns for path in folder.parts.iterdir()}
    assert len(kept) == 19
    (folder.parts / ".0000-00009.parquet.1.part").write_bytes(b"half")
    again = played(PLAN, tmp_path)
    assert {path: path.stat().st_mtime_ns for path in kept} == kept
    assert not list(folder.parts.glob(".*"))
    assert rows_of(again).equals(rows_of(evaluation))


def test_agents_in_python_play_in_the_same_plan(tmp_path: Path) -> None:
    """Random play under another name gains exactly nothing over random play, in any seat."""
    named = PythonAgent("named", UNIFORM.act)
    plan = replace(PLAN, agents=("named",), players=(5,), tables=("deviation", "held_out"), deals=20)
    outcomes = Outcomes(GAME, plan, played(plan, tmp_path, [*AGENTS, named]))
    with_gains = [cell for cell in outcomes.cells if outcomes.base_of(cell) is not None]
    assert len(with_gains) == 3 * len(GAME.roles)
    for cell in with_gains:
        gain = outcomes.gain(cell)
        assert gain is not None
        assert (gain.value, gain.clear, gain.blocks) == (0.0, False, 20)


# --- the folder ----------------------------------------------------------------------------------------------------


def test_a_folder_of_another_plan_is_refused_with_what_differs(evaluation: folders.Folder) -> None:
    other = replace(PLAN, deals=61, reference="simple")
    with pytest.raises(
        OptionError, match=r"reference random there, simple asked for; games 60 there, 61 asked for.*--out"
    ):
        folders.Folder(evaluation.path, folders.identify(GAME, other, AGENTS))
    with pytest.raises(OptionError, match=r"content pack .* there, other now"):
        folders.Folder(evaluation.path, replace(evaluation.identity, pack="other"))


def test_a_folder_without_a_played_part_is_no_evaluation(tmp_path: Path) -> None:
    folders.Folder(tmp_path, folders.identify(GAME, replace(PLAN, deals=61), AGENTS))
    begun = folders.identify(GAME, PLAN, AGENTS)
    folders.Folder(tmp_path, begun)
    assert folders.load(tmp_path) == begun


def test_changed_sources_are_refused_and_another_commit_alone_is_noted(evaluation: folders.Folder) -> None:
    with pytest.raises(OptionError, match="rules, agents or seating changed"):
        folders.Folder(evaluation.path, replace(evaluation.identity, sources="other"))
    assert not folders.Folder(evaluation.path, evaluation.identity).notes
    (note,) = folders.Folder(evaluation.path, replace(evaluation.identity, code="other")).notes
    assert "now it is other" in note


def test_sources_of_agents_are_their_folders_or_files() -> None:
    assert Path("riverbed_agents/riverbed_hunt/simple.py") in {
        Path(*path.parts[-3:]) for path in folders.sources_of(SIMPLE)
    }
    here = find_agent(f"{__file__}:first_legal", GAME.name)
    assert folders.sources_of(here) == [Path(__file__)]


def test_a_folder_with_something_else_is_refused(tmp_path: Path, evaluation: folders.Folder) -> None:
    (tmp_path / folders.PLAN).write_text('{"plan": 3}')
    with pytest.raises(OptionError, match=r"plan\.json: plan should be an object, not 3"):
        folders.Folder(tmp_path, evaluation.identity)
    (tmp_path / folders.PLAN).unlink()
    (tmp_path / "parts").mkdir()
    (tmp_path / "parts" / "0000-00000.parquet").write_bytes(b"")
    with pytest.raises(OptionError, match=r"parts of an evaluation but no plan\.json"):
        folders.Folder(tmp_path, evaluation.identity)


# --- what rows tell ------------------------------------------------------------------------------------------------


def test_rows_name_role_agent_and_win_of_the_seat_in_focus(evaluation: folders.Folder) -> None:
    rows = rows_frame(GAME, evaluation)
    plain = {(row["cell"], row["game"], row["focus"]): row for row in rows_of(evaluation).to_pylist()}
    assert len(rows) == len(plain)
    for row in rows.to_dict("records"):
        seat, same = row["focus"], plain[row["cell"], row["game"], row["focus"]]
        if seat < 0:
            assert all(pd.isna(row[f"focus_{name}"]) for name in ("role", "agent", "won"))
            continue
        assert (row["focus_role"], row["focus_agent"]) == (same[f"role_{seat}"], same[f"agent_{seat}"])
        assert row["focus_won"] == same[f"won_{GAME.camp_of_role[row['focus_role']]}"]


def test_in_cross_play_every_agent_sits_among_every_other(tmp_path: Path) -> None:
    found = evaluate(
        {"plain": SIMPLE, "dice": UNIFORM}, reference=PythonAgent("named", UNIFORM.act), players=4, games=6,
        roles=["chief"], tables=["cross_play"], seed=3, out=tmp_path / "rows",
    )  # fmt: skip
    names = ["plain", "dice", "named"]
    (grid,) = next(part for part in sections(found.results) if part.name == "cross_play").tables
    assert [line[0].text for line in grid.lines] == names
    cells = found.cells.set_index(["table", "agent", "among"]).sort_index()
    for line, one in zip(grid.lines, names):
        for entry, among in zip(line[1:], names):
            cell = cells.loc[("mirror" if one == among else "deviation", one, among)]
            shown = cell["won_merchants"] if one == among else cell["gain"]
            assert float(entry.text.replace(MINUS, "-")) == pytest.approx(100 * shown, abs=0.051)
    assert len(found.rows) == 6 * (3 + 6)
    assert "cross_play" in found.report(tmp_path / "page").read_text(encoding="utf-8")


def test_the_summary_has_every_cell(evaluation: folders.Folder) -> None:
    outcomes = Outcomes(GAME, PLAN, evaluation)
    found = json.loads(write_summary(evaluation, assemble(outcomes)).read_text())
    assert [cell["cell"] for cell in found["cells"]] == [cell.name for cell in planning.cells(GAME, PLAN)]
    gains = {cell["cell"]: cell["over"] for cell in found["cells"] if "gain" in cell}
    assert gains["deviation 7: simple as chief among random"] == "mirror 7: random"
    assert gains["held_out 7: simple as chief among held-out"] == "held_out 7: random as chief among held-out"
    assert found["plan"]["seed"] == 3


# --- playing a row again -------------------------------------------------------------------------------------------


def test_rows_come_out_the_same_when_played_again(evaluation: folders.Folder) -> None:
    again = Replay(evaluation.path)
    rows = rows_of(evaluation).to_pylist()
    for row in rows[:: len(rows) // 20]:
        found = again.row(again.cell(row["cell"]), row["game"], row["focus"])
        assert {name: found[name] for name in row} == row
        assert again.record(found).number == row["game"]
        with pytest.raises(OptionError, match=rf"ends differently from its row .*: turns is {row['turns']}, not -1"):
            again.record({**found, "turns": -1})


def test_the_games_of_one_deal_are_told_apart_by_the_seat_in_focus(evaluation: folders.Folder) -> None:
    again = Replay(evaluation.path)
    cell = again.cell("deviation 7: simple as separatist among random")
    rows = [row for row in rows_of(evaluation).to_pylist() if (row["cell"], row["game"]) == (cell.name, 7)]
    assert len(rows) == 2
    assert [again.row(cell, 7, row["focus"])["decisions"] for row in rows] == [row["decisions"] for row in rows]
    nobody = ({*range(7)} - {row["focus"] for row in rows}).pop()
    with pytest.raises(OptionError, match=f"has no game 7 with seat {nobody} in focus"):
        again.row(cell, 7, nobody)
    with pytest.raises(OptionError, match="isn't played"):
        again.row(cell, 1000)
    with pytest.raises(OptionError, match="has no cell 'nothing'"):
        again.cell("nothing")


# --- what can't be played ------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("change", "complaint"),
    [
        ({"roles": ("chief", "otter")}, "roles must be 'chief' or .* not 'otter'"),
        ({"tables": ("miror",)}, "did you mean 'mirror'"),
        ({"tables": ()}, "tables must be one or more different ones, not none"),
        ({"agents": ("simple", "simple")}, "agents must be one or more different ones, not simple, simple"),
        ({"players": (4, 12)}, "num_players must be an integer from 4 to 9, not 12"),
        ({"deals": 0}, "games must be an integer from 1 to 1000000000, not 0"),
        ({"held_out": ()}, "needs agents to draw from: --held-out"),
        ({"reference": "simple"}, "can't deviate from itself"),
        ({"labels": {"simple": "random"}}, "labels must tell the agents apart"),
        ({"one_way": True}, "matrix seats the agents in whole camps"),
        ({"one_way": True, "tables": ("cross_play",)}, "cross_play seats the agents in whole camps"),
        ({"options": {"lay": "lake"}}, "no option 'lay'"),
    ],
)
def test_what_cannot_be_played_is_refused(change: dict[str, Any], complaint: str) -> None:
    planning.check(GAME, PLAN)
    with pytest.raises(OptionError, match=complaint):
        planning.check(GAME, replace(PLAN, **change))


def test_labels_change_no_rows_and_need_no_other_folder(evaluation: folders.Folder) -> None:
    named = replace(evaluation.identity, plan=replace(PLAN, labels={"simple": "plain"}))
    assert folders.Folder(evaluation.path, named).identity == folders.load(evaluation.path) == named
    folders.Folder(evaluation.path, evaluation.identity)


# --- games of one camp ---------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def points(tmp_path_factory: pytest.TempPathFactory) -> Outcomes:
    """Riverside, which is played for points, in both of its variants."""
    named, game = PythonAgent("named", UNIFORM.act), find_game("riverside")
    plan = Plan(
        game.id, ("named",), "random", (1, 3), 9, game.roles, tables=("mirror", "deviation"), variants=game.variants
    )
    begun = Evaluation.begin(plan, tmp_path_factory.mktemp("points"), agents=[UNIFORM, named])
    begun.play()
    return begun.outcomes


def test_where_all_are_one_camp_the_seat_in_focus_goes_round_with_the_deals(points: Outcomes) -> None:
    rows = rows_of(points.folder).to_pylist()
    for cell in points.cells:
        mine = [row for row in rows if row["cell"] == cell.name]
        assert [row["focus"] for row in mine] == [number % cell.num_players for number in range(9)]
        if cell.focus == "named":
            assert [[row[f"agent_{seat}"] for seat in range(cell.num_players)].index("named") for row in mine] == [
                row["focus"] for row in mine
            ]


def test_games_of_points_are_told_in_scores_of_the_seat_or_of_all(points: Outcomes) -> None:
    setup = planning.Setup(3, "extension True")
    rows = [row for row in rows_of(points.folder).to_pylist() if row["num_players"] == 3]
    alone = planning.deviation(points.game, setup, "captain", "named", "random")
    mine = [row for row in rows if row["cell"] == alone.name]
    assert points.scores(alone)[:, 0].tolist() == [row[f"final_{row['focus']}"] for row in mine]
    assert points.scores(planning.mirror(points.game, setup, "random")).shape == (9, 3)


def test_variants_are_cells_of_their_own_and_reported_apart(points: Outcomes) -> None:
    report = assemble(points)
    assert list(dict.fromkeys(report.cells["setup"])) == [
        "1 player", "3 players", "1 player, extension True", "3 players, extension True"
    ]  # fmt: skip
    assert "mirror 3 (extension True): random" in {cell.name for cell in points.cells}
    parts = {part.name: part.tables for part in sections(report)}
    assert [[line[0].text for line in grid.lines] for grid in parts["lengths"]] == [["random", "named"]] * 4
    assert all("mean score" in grid.heads for name in ("lengths", "deviation") for grid in parts[name])


def test_an_agent_that_breaks_the_rules_stops_the_run(tmp_path: Path) -> None:
    plan = replace(PLAN, agents=("careless",), tables=("mirror",), players=(4,))
    careless = PythonAgent("careless", lambda observations, masks, memory, rng: np.zeros(len(masks), np.int64))
    with pytest.raises(RiverbedError, match="can't take action 0"):
        played(plan, tmp_path, [UNIFORM, careless])


def first_legal(observation: np.ndarray, mask: np.ndarray, memory: np.ndarray, rng: np.void) -> int:
    """The first legal action."""
    return int(np.flatnonzero(mask)[0])
