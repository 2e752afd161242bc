"""Evaluations with seats from outside: rows and report tell failures and costs, and a cassette gives the same rows."""

from pathlib import Path
from typing import Any
from zlib import crc32

import pyarrow as pa
import pytest
from chat_server import Body, Reply, chat_server, first_choice, numbers_of
from in_process import ran, riverbed
from pyarrow import parquet

from riverbed_env.seats import FIGURES
from riverbed_lab.evaluation.outcomes import Outcomes, outside_frame
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.judging.sources import find_games
from riverbed_lab.llm import seat as model_seat
from riverbed_lab.llm.client import Run
from riverbed_lab.playing.plan import DEVIATION, Plan
from riverbed_lab.playing.rows import OUTSIDE
from riverbed_lab.report.report import assemble
from riverbed_lab.report.sections import sections

pytestmark = [pytest.mark.compiled, pytest.mark.slow]
DEALS = 4


def sloppy(body: Body, number: int) -> Reply:
    """A model that often has to be asked again, and sometimes never answers."""
    numbers = numbers_of(body)
    asked, again, _ = body["messages"][-1]["content"].partition("Your last answer")
    wrong = crc32(asked.strip().encode()) % (30 if again else 3) == 0
    return Reply("let me think") if wrong else Reply(f'{{"choice": {numbers[number % len(numbers)]}}}')


def evaluate(spec: str, folder: Path, cassette: Path, *, offline: bool) -> Evaluation:
    """Play a small evaluation of a model as both roles of Deep River among random players."""
    model_seat.set_run(Run.limited(None, None, cassette, offline))
    plan = Plan(
        environment="deep_river_v0",
        agents=(spec,),
        reference="random",
        players=(2,),
        deals=DEALS,
        roles=("salmon", "eel"),
        tables=(DEVIATION,),
        one_way=True,
        labels={spec: "sloppy"},
    )
    evaluation = Evaluation.begin(plan, folder)
    evaluation.warm_up()
    evaluation.play()
    return evaluation


def rows_of(evaluation: Evaluation) -> dict[str, pa.Table]:
    """The rows by file, without the seconds they took."""
    paths = sorted(evaluation.folder.parts.glob("*.parquet"))
    return {path.name: parquet.read_table(path).drop_columns(["seconds"]) for path in paths}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """The evaluation played live, its calls, and the same evaluation from the cassette alone."""
    folder = tmp_path_factory.mktemp("played")
    with chat_server(sloppy) as server:
        spec = f"llm:model=sloppy,base_url={server.base_url},price_in=1,price_out=2,retries=1"
        live = evaluate(spec, folder / "live", folder / "calls.jsonl", offline=False)
    again = evaluate(spec, folder / "again", folder / "calls.jsonl", offline=True)
    model_seat._run.clear()
    return live, server.requests, again


def test_rows_count_what_each_seat_from_outside_did(played: Any) -> None:
    live, requests, _ = played
    seated = [rows for rows in rows_of(live).values() if f"{OUTSIDE}decisions" in rows.column_names]
    assert [rows.num_rows for rows in seated] == [DEALS, DEALS]
    total = {name: sum(sum(map(sum, rows[f"{OUTSIDE}{name}"].to_pylist())) for rows in seated) for name in FIGURES}
    assert total["tokens_in"] == 100 * len(requests)
    assert total["micros"] == 120 * len(requests)
    assert total["decisions"] + total["unparsable"] - total["repaired"] == len(requests)
    assert total["repaired"] > 0
    others = [rows for rows in rows_of(live).values() if rows not in seated]
    assert not any(name.startswith(OUTSIDE) for rows in others for name in rows.column_names)


def test_the_report_shows_failures_apart_from_strength(played: Any) -> None:
    live, requests, _ = played
    (row,) = outside_frame(live.outcomes).to_dict("records")
    assert row["agent"] == "sloppy"
    assert row["answers"] == len(requests)
    assert (row["games"], row["forfeits"]) == (2 * DEALS, 0)
    cells = live.outcomes.frame
    assert row["wins"] == pytest.approx(cells[cells["agent"] == "sloppy"]["won"].mean())
    report = assemble(live.outcomes)
    (section,) = [section for section in sections(report) if section.name == "outside"]
    costs, grid = section.tables
    told = dict(zip(costs.heads, (entry.text for entry in costs.lines[0]), strict=True))
    assert told["tokens a game"] == f"{110 * len(requests) / row['games']:,.0f}"
    gains = cells[(cells["agent"] == "sloppy") & cells["gain"].notna()]["gain"]
    assert row["gain"] == pytest.approx(gains.mean())
    assert row["cost_needed"] == pytest.approx(row["needed"] * row["cost"] / row["games"])
    shown = dict(zip(grid.heads, (entry.text for entry in grid.lines[0]), strict=True))
    assert shown["unparsable, %"] == f"{100 * row['unparsable'] / row['answers']:.1f}"
    assert shown["cost"] == f"{120 * len(requests) / 1e6:.4f}"


def test_games_with_a_repaired_choice_can_be_left_out(played: Any) -> None:
    """Of evaluations and of what is judged; failures and costs are still those of all games."""
    live, _, _ = played
    bad = {
        (name, row["game"])
        for name, rows in rows_of(live).items()
        for row in rows.to_pylist()
        if f"{OUTSIDE}repaired" in row and sum(row[f"{OUTSIDE}repaired"])
    }
    assert 0 < len(bad) < 2 * DEALS
    some = Outcomes(live.game, live.plan, live.folder, unrepaired=True)
    cells, usual = some.frame, live.outcomes.frame
    assert usual["games"].sum() - cells["games"].sum() == len(bad)
    (failures,), (before,) = (outside_frame(each).to_dict("records") for each in (some, live.outcomes))
    assert failures["repaired"] == before["repaired"] > 0
    assert any("leave out" in note for note in assemble(some).notes)
    found = find_games([live.folder.path], "random", unrepaired=True)
    assert len(found.games) == 2 * DEALS - len(bad)


def test_only_commands_that_compare_leave_games_out(played: Any, tmp_path: Path) -> None:
    live, _, _ = played
    rows = str(live.folder.path)
    refused = riverbed("watch", "--game", "deep_river", "--llm", "unrepaired=true")
    assert (refused.returncode, refused.stdout) == (2, "")
    assert "is for evaluate and judge" in refused.stderr
    told = riverbed("evaluate", rows, "--llm", "unrepaired=true")
    assert told.returncode == 0, told.stderr
    assert "leave out games in which chance chose" in told.stdout
    (tmp_path / "games.jsonl").write_text("")
    refused = riverbed("judge", str(tmp_path / "games.jsonl"), "--game", "deep_river", "--llm", "unrepaired=true")
    assert "doesn't say which choices were repaired" in refused.stderr


def test_a_cassette_gives_the_same_rows_without_the_network(played: Any) -> None:
    live, _, again = played
    one, two = rows_of(live), rows_of(again)
    assert one.keys() == two.keys()
    assert all(one[name].equals(two[name]) for name in one)


def test_the_command_keeps_every_call_beside_its_rows(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(model_seat, "_run", [])
    given = ("--game", "deep_river", "--games", "2", "--reference", "random", "--tables", "deviation", "--no-report")
    out = tmp_path / "out"
    with chat_server(first_choice) as server:
        ran("evaluate", f"m=llm:model=tiny,base_url={server.base_url}", *given, "--out", str(out))
        assert len((out / "calls.jsonl").read_text().splitlines()) == len(server.requests) > 0
