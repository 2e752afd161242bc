"""`riverbed judge` reads recorded games from anywhere, resumes, and repeats itself."""

import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from in_process import riverbed
from recorded_games import record_games

from riverbed_env.core.batch import Batch
from riverbed_env.corpus.manifest import Manifest
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.evaluation.folder import Folder, load
from riverbed_lab.evaluation.outcomes import Outcomes
from riverbed_lab.evaluation.run import Evaluation
from riverbed_lab.judging.run import RESULT, Judging, Settings
from riverbed_lab.judging.sources import find_games
from riverbed_lab.playing.plan import DEVIATION, Plan
from riverbed_lab.recording.record import record_corpus
from riverbed_web.record import content, parse_record, write_record

GAME = find_game("deep_river")
GREEDY = find_agent("greedy", GAME.name)
OPTIONS = ("--game", GAME.name, "--worlds", "2", "--threads", "1")
DEALS = 3

MINE = """
def last_legal(observation, mask, memory, rng):
    return int(mask.nonzero()[0][-1])
"""


@pytest.fixture(scope="module")
def evaluated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An evaluation of an agent that can't be compiled, in one seat among greedy players."""
    folder = tmp_path_factory.mktemp("evaluated")
    (folder / "mine.py").write_text(MINE)
    spec = f"{folder / 'mine.py'}:last_legal"
    plan = Plan(
        GAME.id, (spec,), "greedy", (2,), DEALS, ("salmon", "eel"), (DEVIATION,), one_way=True, labels={spec: "mine"}
    )  # fmt: skip
    Evaluation.begin(plan, folder / "rows").play()
    return folder / "rows"


@pytest.fixture(scope="module")
def games() -> list[RecordedGame]:
    """Games of random play against greedy play."""
    batch = Batch(GAME, DEALS, seed=5, num_players=2, auto_reset=False)
    return record_games(batch, [GREEDY, UNIFORM], np.tile([0, 1], (DEALS, 1)), np.arange(DEALS))


def judge(*words: object) -> Any:
    """The command; its result's file."""
    out = Path(str(words[words.index("--out") + 1]))
    done = riverbed("judge", *map(str, words), *OPTIONS)
    assert done.returncode == 0, done.stderr
    return json.loads((out / RESULT).read_text())


def test_an_evaluation_is_judged_by_its_rows_and_winners_stand_beside(evaluated: Path, tmp_path: Path) -> None:
    by_label = (evaluated, "--agents", "mine", "--out", tmp_path / "judged")
    result = judge(*by_label)
    shown = riverbed("judge", *map(str, by_label), *OPTIONS).stdout
    assert " mine " in shown
    assert "last_legal" not in shown.partition("\n")[2]
    everything, *others = result["rows"]
    found = find_games([evaluated], "greedy")
    assert everything["games"] == 2 * DEALS == len(found.games)
    seats = Judging(Settings(GAME.id, "greedy", worlds=2), [evaluated]).seats()
    assert everything["choices"] == seats["choices"].sum() > 0
    assert everything["gain"] == pytest.approx(seats["gain"].mean())
    assert [(row["group"], row["name"]) for row in others] == [
        *((group, name) for group in ("camp", "role") for name in ("salmon", "eel")), ("seat", "0"), ("seat", "1")
    ]  # fmt: skip
    usual = Outcomes(GAME, load(evaluated).plan, Folder(evaluated, load(evaluated)))
    mirror, *cells = usual.cells[-3:]
    more = [usual.gain(cell) for cell in cells]
    assert mirror.table == "mirror"
    assert [row["winners"] for row in others[:2]] == [pytest.approx(each.value) for each in more if each]


def test_games_of_several_parts_are_read_up_to_the_number_wanted(evaluated: Path, tmp_path: Path) -> None:
    plan = replace(load(evaluated).plan, chunk=1)
    parts = Evaluation.begin(plan, tmp_path)
    parts.play()
    whole, some = (find_games([tmp_path], "greedy", most=most) for most in (0, 2))
    assert whole.games == find_games([evaluated], "greedy").games
    assert some.games == [game for game in whole.games if game.number < 2]


def test_a_judgement_repeats_itself_byte_by_byte(evaluated: Path, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    first, other = judge(evaluated, "--out", one), judge(evaluated, "--games", "1", "--out", two)
    assert (first["games"], other["games"]) == (2 * DEALS, 2)
    before = (one / RESULT).read_bytes()
    judge(evaluated, "--out", one)
    assert (one / RESULT).read_bytes() == before


def test_corpora_records_and_lines_are_read_alike(games: list[RecordedGame], tmp_path: Path) -> None:
    tables = tmp_path / "tables"
    tables.mkdir()
    for game in games:
        write_record(tables / f"{game.number}.json", game)
    lines = tmp_path / "games.jsonl"
    lines.write_text("".join(f"{game.to_json()}\n" for game in games))
    one, two = find_games([tables], "greedy"), find_games([lines], "greedy")
    assert two.games == games
    assert [game.actions for game in one.games] == [game.actions for game in games]
    assert one.seats == two.seats == [[1]] * DEALS
    assert len(find_games([lines, tables / "0.json"], "greedy", most=2).games) == 3
    assert one.played == set()


def test_a_corpus_vouches_for_its_agents(tmp_path: Path) -> None:
    manifest = Manifest(GAME.id, 3, (2,), ("greedy", "random"), {}, seed=2, part=2, options={})
    record_corpus(manifest, tmp_path)
    found = find_games([tmp_path], "greedy", ("random",))
    assert found.played == {"greedy", "random"}
    assert all(game.agents[seat] == "random" for game, seats in zip(found.games, found.seats) for seat in seats)


def test_a_persons_name_is_never_taken_for_an_agents(games: list[RecordedGame]) -> None:
    told = {**content(games[0]), "seats": ["greedy", "person"], "kinds": ["person", "person"]}
    record = parse_record(json.dumps(told))
    assert record.agents == ("person greedy", "person")
    assert content(record) == told


def test_winners_count_finished_games_with_one_open_seat(games: list[RecordedGame], tmp_path: Path) -> None:
    stopped, path = replace(games[0], actions=games[0].actions[:3], returns=()), tmp_path / "games.jsonl"
    path.write_text("".join(f"{game.to_json()}\n" for game in (stopped, *games[1:])))
    one, both = (
        Judging(Settings(GAME.id, "greedy", agents, worlds=1, moves=0), [path]).seats()["winners"]
        for agents in ((), ("greedy", "random"))
    )
    assert np.isnan(one[0])
    assert set(one[1:]) <= {-1.0, 0.0, 1.0}
    assert both.isna().all()
    assert len(both) == 2 * DEALS


@pytest.mark.parametrize(
    ("words", "said"),
    [
        (["nowhere"], "'nowhere' does not exist"),
        (["."], "holds no recorded games"),
        (["games.jsonl", "--agents", "randm"], "did you mean 'random'?"),
        (["games.jsonl", "--reference", "random", "--agents", "greedy", "--game", "riverside"], "judge each game"),
        (["games.jsonl", "--known", "someone"], "--known must be 'greedy' or 'random', not 'someone'"),
    ],
)
def test_what_cannot_be_judged_is_said_in_a_line(
    words: list[str], said: str, games: list[RecordedGame], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("games.jsonl").write_text("".join(f"{game.to_json()}\n" for game in games))
    done = riverbed("judge", *OPTIONS, *words, "--out", "judged")
    assert done.returncode == 2
    *_, last = done.stderr.strip().splitlines()
    assert said in last
