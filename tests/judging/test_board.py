"""`riverbed judge --page` makes one page of results."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from board_page import Page
from in_process import one_line, riverbed

from riverbed_env.errors import OptionError
from riverbed_lab.judging.run import RESULT
from riverbed_lab.report.board import read_board

GAME = "deep_river_v0"
DEALS = "2"
FIRST = "def first(asked):\n    return {'choice': asked['choices'][0]['id']}\n"
CLUMSY = """
def clumsy(asked):
    return {'choice': asked['choices'][0]['id'] if asked['problem'] else 999}
"""


@pytest.fixture(scope="module")
def results(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Two players from outside of equal strength, one of whom is always illegal at first, evaluated and judged."""
    folder = tmp_path_factory.mktemp("results")
    (folder / "players.py").write_text(FIRST + CLUMSY)
    specs = [f"{name}=call:target={folder / 'players.py'}:{name}" for name in ("first", "clumsy")]
    play = (
        "--game",
        GAME,
        "--reference",
        "greedy",
        "--games",
        DEALS,
        "--tables",
        "deviation",
        "--one-way",
        "--seed",
        "9",
    )
    done = riverbed("evaluate", *specs, *play, "--threads", "1", "--no-report", "--out", str(folder / "rows"))
    assert done.returncode == 0, done.stderr
    judge = ("--game", GAME, "--worlds", "2", "--threads", "1", "--out", str(folder / "judged"))
    done = riverbed("judge", str(folder / "rows"), *judge)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_page_shows_strength_apart_from_failures(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.html"
    done = riverbed("judge", str(results / "rows"), str(results / "judged"), "--page", str(out))
    assert done.returncode == 0, done.stderr
    text = out.read_text()
    page = Page(text)
    assert page.loaded == []
    rows = {name: [row for row in page.rows if row[:1] == [name]] for name in ("first", "clumsy")}
    assert rows["first"][0][1:] == rows["clumsy"][0][1:]  # equal strength
    heads = next(row for row in page.rows if "illegal, %" in row)
    failed = {name: dict(zip(heads, _without_intervals(rows[name][-1]))) for name in rows}
    assert (failed["first"]["illegal, %"], failed["clumsy"]["illegal, %"]) == ("0.0", "50.0")
    judged = json.loads((results / "judged" / RESULT).read_text())
    assert judged["games_hash"] in text
    assert judged["pool"]["greedy"] in text
    assert "first" in one_line(done.stdout)


def _without_intervals(row: list[str]) -> list[str]:
    return [entry for entry in row if "–" not in entry]


def test_two_versions_of_an_agent_are_not_put_on_one_board(results: Path, tmp_path: Path) -> None:
    judged = json.loads((results / "judged" / RESULT).read_text())
    (tmp_path / "other.json").write_text(json.dumps({**judged, "pool": {"greedy": "another"}}))
    with pytest.raises(OptionError, match="two versions of greedy"):
        read_board([results / "judged", tmp_path / "other.json"])


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (None, "holds no results"),
        ("{}", "holds no result"),
        ('{"kind": "riverbed judgement", "rows": [{}]}', "result of"),
    ],
)
def test_what_is_no_result_is_refused_in_a_line(content: str | None, said: str, tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    if content is not None:
        path.write_text(content)
    done = riverbed("judge", str(path if content else tmp_path), "--page", str(tmp_path / "page.html"))
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1
