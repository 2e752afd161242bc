"""`riverbed board` makes one page of results, and seeds are committed to before and revealed after."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest
from board_page import Page
from in_process import one_line, riverbed

from riverbed_env.errors import OptionError
from riverbed_lab.judging.deception import claims_of
from riverbed_lab.judging.run import RESULT
from riverbed_lab.judging.sources import Wanted, find_games
from riverbed_lab.report.board import read_results
from riverbed_lab.sealed import Sealed

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
    judge = ("--game", GAME, "--worlds", "2", "--moves", "1", "--threads", "1", "--out", str(folder / "judged"))
    done = riverbed("judge", str(folder / "rows"), *judge)
    assert done.returncode == 0, done.stderr
    return folder


def test_the_page_shows_strength_apart_from_failures(results: Path, tmp_path: Path) -> None:
    out = tmp_path / "board.html"
    done = riverbed(
        "board", str(results / "rows"), str(results / "judged"), "--title", "Two <clumsy> players", "--out", str(out)
    )
    assert done.returncode == 0, done.stderr
    text = out.read_text()
    page = Page(text)
    assert page.loaded == []
    assert "Two &lt;clumsy&gt; players" in text
    rows = {name: [row for row in page.rows if row[:1] == [name]] for name in ("first", "clumsy")}
    assert rows["first"][0][1:] == rows["clumsy"][0][1:]  # equal strength
    heads = next(row for row in page.rows if "illegal, %" in row)
    failed = {name: dict(zip(heads, _without_intervals(rows[name][-1]))) for name in rows}
    assert (failed["first"]["illegal, %"], failed["clumsy"]["illegal, %"]) == ("0.0", "50.0")
    judged = json.loads((results / "judged" / RESULT).read_text())
    assert judged["settings_hash"] in text
    assert judged["pool"]["greedy"] in text
    assert "first" in one_line(done.stdout)


def _without_intervals(row: list[str]) -> list[str]:
    return [entry for entry in row if "–" not in entry]


def test_seeds_are_committed_to_and_revealed(results: Path, tmp_path: Path) -> None:
    secret, out = tmp_path / "seeds.json", tmp_path / "board.html"
    done = riverbed("board", "--commit", str(secret), "--seeds", "3")
    published = done.stdout.split()[-1]
    content = json.loads(secret.read_text())
    words = f'{{"nonce":"{content["nonce"]}","seeds":[{",".join(map(str, content["seeds"]))}]}}'
    assert published == hashlib.sha256(words.encode()).hexdigest()
    assert riverbed("board", "--commit", str(secret)).returncode == 2
    assert json.loads(secret.read_text()) == content
    board = ("board", str(results / "judged"), "--out", str(out), "--commitment", published)
    riverbed(*board)
    assert published in out.read_text()
    assert content["nonce"] not in out.read_text()
    refused = riverbed(*board, "--reveal", str(secret))
    assert "games of seed 9 were judged" in one_line(refused.stderr)
    Sealed((9, 4), content["nonce"]).write(tmp_path / "others.json")
    refused = riverbed(*board, "--reveal", str(tmp_path / "others.json"))
    assert f"not {published}" in one_line(refused.stderr)
    mine = Sealed((9, 4), content["nonce"])
    done = riverbed(*board[:-1], mine.hash, "--reveal", str(tmp_path / "others.json"))
    assert done.returncode == 0
    assert "9, 4" in out.read_text()


def test_two_versions_of_an_agent_are_not_put_on_one_board(results: Path, tmp_path: Path) -> None:
    judged = json.loads((results / "judged" / RESULT).read_text())
    (tmp_path / "other.json").write_text(json.dumps({**judged, "pool": {"greedy": "another"}}))
    with pytest.raises(OptionError, match="two versions of greedy"):
        read_results([results / "judged", tmp_path / "other.json"])


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
    done = riverbed("board", str(path if content else tmp_path))
    assert done.returncode == 2
    assert said in one_line(done.stderr)
    assert len(done.stderr.strip().splitlines()) == 1


HUNT = "riverbed_hunt_v1"
TALK = ("--players", "4", "--seed", "6", "--set", "talk=claims")
QUICKLY = ("--worlds", "1", "--moves", "0", "--threads", "1")


def done(*words: str) -> str:
    """What a command prints that must succeed."""
    result = riverbed(*words)
    assert result.returncode == 0, result.stderr
    return result.stdout


def by_agent(page: Page, head: str) -> dict[str, list[dict[str, str]]]:
    """The lines of the table that has this column, by agent."""
    start = next(place for place, row in enumerate(page.rows) if head in row)
    lines: dict[str, list[dict[str, str]]] = {}
    for row in page.rows[start + 1 :]:
        if "agent" in row:
            break
        values = [value for value in row if not (value.startswith(("(", "+")) and " to " in value)]
        lines.setdefault(row[0], []).append(dict(zip(page.rows[start], _without_intervals(values))))
    return lines


@pytest.mark.slow
@pytest.mark.compiled
def test_the_board_tells_liars_from_the_truthful_in_games_that_were_really_played(tmp_path: Path) -> None:
    """Games of talk from a corpus, and from tables; what the page says is what the claims were."""
    corpus, tables = tmp_path / "corpus", tmp_path / "tables"
    done("record", "liar", "truthful", *TALK, "--games", "6", "--workers", "1", "--out", str(corpus))
    tables.mkdir()
    for name in ("liar", "truthful"):
        done("watch", "--agent", name, *TALK, "--no-board", "--record", str(tables / f"{name}.json"))
    for source in (corpus, tables):
        judged, out = tmp_path / f"{source.name}_judged", tmp_path / f"{source.name}.html"
        done("judge", str(source), "--agents", "liar,truthful", *QUICKLY, "--out", str(judged))
        done("board", str(judged), "--out", str(out))
        said = list(claims_of(find_games([source], Wanted("rule_based", ("liar", "truthful")))))
        lines = by_agent(Page(out.read_text()), "lies, %")
        for name in ("liar", "truthful"):
            mine = [each for each in said if each.name == name]
            whole, *by_role = lines[name]
            assert whole["as"] == "any role"
            assert int(whole["claims"]) == len(mine) == sum(int(line["claims"]) for line in by_role)
            lies = [each for each in mine if each.known and not each.true]
            assert float(whole["lies, %"]) == pytest.approx(100 * len(lies) / len(mine), abs=0.06)
        assert float(lines["truthful"][0]["lies, %"]) == 0 < float(lines["liar"][0]["lies, %"])
        assert float(lines["liar"][0]["false, %"]) > 50
