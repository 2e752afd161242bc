"""The `riverbed` command, as a person calls it: in a process of its own once for each way it can end, else in ours."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from in_process import one_line, riverbed
from pyarrow import parquet

from riverbed_env.core.packs import PACKS
from riverbed_env.players.agents import UNIFORM, PythonAgent
from riverbed_env.registry import find_game
from riverbed_env.version import __version__
from riverbed_lab import benchmark as bench

pytestmark = pytest.mark.compiled

SETTINGS = ("--games", "60", "--players", "4,7", "--seed", "5", "--threads", "1")
BUILT_IN = ("riverbed_hunt_v0", "river_rats_v0", "deep_river_v0", "riverside_v0")


def process(*words: str, said: str | None = None) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    program = "import sys; from riverbed_lab.cli.app import main; sys.argv[0] = 'riverbed'; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *words], capture_output=True, text=True, input=said, timeout=300, check=False
    )


@pytest.fixture(scope="module")
def benchmark(tmp_path_factory: pytest.TempPathFactory) -> tuple[subprocess.CompletedProcess[str], Path]:
    out = tmp_path_factory.mktemp("benchmark")
    return process("benchmark", "--agent", "simple", *SETTINGS, "--out", str(out)), out


def test_benchmark_prints_win_rates_with_games_interval_and_base_rate(benchmark) -> None:
    done, _ = benchmark
    assert done.returncode == 0, done.stderr
    for words in ("merchants", "separatists", "profiteer", "all random", "all simple", "Hunt %", "Con %", "penalty %"):
        assert words in done.stdout
    assert "games/s" in done.stdout


def test_benchmark_writes_a_row_a_game_that_can_be_played_again(benchmark) -> None:
    _, out = benchmark
    rows = parquet.read_table(out / "games.parquet")
    assert rows.num_rows == 2 * 5 * 60
    names = set(rows.column_names)
    assert {"environment", "pack", "code", "seed", "game", "num_players", "lineup", "winner", "decisions"} <= names
    assert {"role_0", "agent_0", "role_8", "agent_8"} <= names
    first = rows.slice(0, 1).to_pylist()[0]
    assert first["environment"] == "riverbed_hunt_v0"
    assert (first["seed"], first["game"], first["num_players"]) == (5, 0, 4)
    assert sorted(first[f"role_{seat}"] for seat in range(4))[0] == "chief"
    assert first["role_4"] == ""


def test_benchmark_writes_a_summary_that_agrees_with_its_rows(benchmark) -> None:
    _, out = benchmark
    summary = json.loads((out / "summary.json").read_text())
    rows = parquet.read_table(out / "games.parquet").to_pylist()
    for cell in summary["cells"]:
        mine = [row for row in rows if (row["num_players"], row["lineup"]) == (cell["num_players"], cell["lineup"])]
        assert cell["games"] == len(mine)
        won = sum(row["winner"] == 0 for row in mine)
        assert cell["wins"]["merchants"]["rate"] == pytest.approx(won / len(mine))
        assert cell["wins"]["merchants"]["low"] <= won / len(mine) <= cell["wins"]["merchants"]["high"]
        assert cell["decisions"] == pytest.approx(sum(row["decisions"] for row in mine) / len(mine))


def test_benchmark_draws_plots_and_leaves_nothing_half_written(benchmark) -> None:
    _, out = benchmark
    assert sorted(path.name for path in out.iterdir()) == [
        "games.parquet",
        "lengths.png",
        "summary.json",
        "win_rates.png",
    ]
    assert (out / "win_rates.png").read_bytes().startswith(b"\x89PNG")


def test_the_same_seed_gives_the_same_rows(benchmark, tmp_path: Path) -> None:
    _, out = benchmark
    done = riverbed("benchmark", "--agent", "simple", *SETTINGS, "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    again = parquet.read_table(tmp_path / "games.parquet")
    assert again.equals(parquet.read_table(out / "games.parquet"))


def test_a_game_of_points_is_told_in_scores_too(tmp_path: Path) -> None:
    words = ["benchmark", "--game", "riverside_v0", "--agent", "random", "--games", "30", "--players", "1-2"]
    done = riverbed(*words, "--variants", "--threads", "1", "--out", str(tmp_path))
    assert done.returncode == 0, done.stderr
    assert "final scores" in done.stdout
    assert "extension True" in done.stdout
    assert (tmp_path / "scores.png").read_bytes().startswith(b"\x89PNG")
    rows = parquet.read_table(tmp_path / "games.parquet").to_pylist()
    summary = json.loads((tmp_path / "summary.json").read_text())
    assert [(cell["num_players"], cell["variant"]) for cell in summary["cells"]] == [
        (1, ""), (2, ""), (1, "extension True"), (2, "extension True"),
    ]  # fmt: skip
    last = [row for row in rows if (row["num_players"], row["variant"]) == (2, "extension True")]
    scores = [row[f"final_{seat}"] for row in last for seat in range(2)]
    assert summary["cells"][-1]["scores"]["mean"] == pytest.approx(sum(scores) / len(scores))
    focus = [row[f"payoff_{row['game'] % 2}"] > 0 for row in last]
    assert summary["cells"][-1]["wins"]["captain"]["rate"] == pytest.approx(sum(focus) / len(focus))


def test_where_all_are_one_camp_the_agent_is_tried_in_one_seat_too() -> None:
    named = PythonAgent("named", UNIFORM.act)
    game = find_game("riverside_v0")
    settings = bench.Settings(games=9, players=(3,), agent=named)
    cells = list(bench.run(game, settings))
    assert [cell.lineup.name for cell in cells] == ["all random", "one named", "all named"]
    seats = [[str(cells[1].columns[f"agent_{seat}"][number]) for seat in range(3)] for number in range(9)]
    assert [row.index("named") for row in seats] == [number % 3 for number in range(9)]
    assert all(row.count("random") == 2 for row in seats)
    finals = cells[1].columns
    assert cells[1].scores[:, 0].tolist() == [finals[f"final_{number % 3}"][number] for number in range(9)]


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("benchmark", "--players", "12"), "players must be from 4 to 9, not '12'"),
        (("benchmark", "--players", "many"), "not 'many'"),
        (("benchmark", "--agent", "simpel"), "did you mean 'simple'"),
        (("benchmark", "--games", "0"), "games must be at least 1, not 0"),
        (("benchmark", "--game", "chess_v9"), "there is no game 'chess_v9'"),
        (("benchmark", "--seed", "-1"), "seed must be from 0"),
        (("benchmark", "--pack", "nothing"), "no pack 'nothing'"),
        (("watch", "--players", "3"), "num_players must be an integer from 4 to 9, not 3"),
        (("watch", "--viewer", "9"), "seats are 0 to 6, not 9"),
        (("watch", "--seed", "x"), "Invalid value for '--seed'"),
        (("wach",), "Did you mean 'watch'?"),
        (("games", "--card"), "--card needs a game"),
        (("watch", "--set", "layout=lake"), "not 'lake'"),
        (("watch", "--set", "layout"), "--set takes an option and its value, like layout=random, not 'layout'"),
        (("watch", "--set", "lay=lake"), "riverbed_hunt_v0 has no option 'lay' (did you mean 'layout'?)"),
        (("watch", "--game", "river_rats_v0", "--pack", "default"), "river_rats_v0 has no option 'pack'"),
        (("benchmark", "--game", "river_rats_v0", "--others", "clever"), "river_rats has no agent 'clever'"),
        (("play", "--game", "deep_river_v0", "--players", "3"), "not 3"),
        (("speed", "--seconds", "0"), "seconds must be above 0"),
        (("pack", "missing.toml"), "no such pack file"),
    ],
)
def test_bad_input_is_answered_in_a_line(words: tuple[str, ...], complaint: str, tmp_path: Path) -> None:
    done = riverbed(*words, *(("--out", str(tmp_path / "out")) if words[0] == "benchmark" else ()))
    assert done.returncode == 2
    assert complaint in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr
    assert not list(tmp_path.glob("out/*"))


def test_an_unwritable_folder_is_refused_before_any_play(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("not a folder")
    done = process("benchmark", "--games", "10", "--players", "4", "--out", str(blocked / "results"))
    assert done.returncode == 2
    assert "can't be written" in done.stderr
    assert "choose another with --out" in " ".join(done.stderr.split())


def test_a_person_can_play_and_leave_in_a_process_of_its_own() -> None:
    done = process("play", "--players", "4", "--seat", "1", "--seed", "3", said="nonsense\n1\nq\n")
    assert done.returncode == 0, done.stderr
    assert "'nonsense' is none of" in done.stdout
    assert "You left the game." in done.stdout
    assert "as player_1 sees it" in done.stdout


@pytest.mark.parametrize(
    ("game", "held"),
    [
        ("riverbed_hunt", ("18 tiles", "28 cards")),
        ("deep_river", ("3 tokens", "6 small tiles")),
        ("riverside", ("5 boats", "12 villages")),
    ],
)
def test_pack_says_what_is_in_a_pack(game: str, held: tuple[str, ...]) -> None:
    done = riverbed("pack", str(PACKS / game / "default.toml"))
    assert done.returncode == 0, done.stderr
    said = " ".join(done.stdout.split())  # in lines as long as the path leaves them
    for words in held:
        assert words in said


def test_pack_wants_to_know_which_game_a_pack_is_for(tmp_path: Path) -> None:
    pack = tmp_path / "nameless.toml"
    pack.write_text('[pack]\nname = "nameless"\n')
    done = riverbed("pack", str(pack))
    assert done.returncode == 2
    assert "a pack begins with [pack] and names its game" in " ".join(done.stderr.split())


def test_games_are_listed_with_players_kind_and_a_line() -> None:
    games = one_line(riverbed("games").stdout)
    assert "deep_river_v0 2 two sides A game of perfect information for two." in games
    assert "river_rats_v0 1 to 4 cooperative" in games
    assert all(game in games for game in BUILT_IN)


def test_a_game_is_shown_with_its_options_packs_and_agents() -> None:
    shown = one_line(riverbed("games", "riverbed_hunt_v0").stdout)
    for words in ("hidden roles", "layout", "18 tiles", "rule_based", "random"):
        assert words in shown


def test_a_games_card_is_printed() -> None:
    assert "# Riverside" in riverbed("games", "riverside_v0", "--card").stdout


def test_the_version_is_an_option() -> None:
    done = riverbed("--version")
    assert (done.returncode, done.stdout) == (0, f"{__version__}\n")


@pytest.mark.parametrize("command", ["", "play", "watch", "games", "pack", "warm", "doctor"])
def test_help_fits_a_screen(command: str) -> None:
    done = riverbed(*filter(None, [command]), "--help")
    assert done.returncode == 0
    assert len(done.stdout.splitlines()) <= 30


def test_help_has_a_short_name_for_every_command() -> None:
    assert "--pause" in riverbed("watch", "-h").stdout
    assert "Usage" in riverbed("-h").stdout


@pytest.mark.parametrize("module", ["riverbed_lab", "riverbed_lab.cli.app"])
def test_the_command_can_be_started_as_a_module(module: str) -> None:
    done = subprocess.run([sys.executable, "-m", module, "games"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "deep_river_v0" in done.stdout


def test_a_start_without_a_dependency_is_told_in_a_line() -> None:
    program = "import sys; sys.modules['typer'] = None; from riverbed_lab.cli.start import main; main()"
    done = subprocess.run([sys.executable, "-c", program, "games"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "typer" in done.stderr
    assert done.stderr.endswith(f"{sys.executable} -m riverbed_lab.doctor\n")
