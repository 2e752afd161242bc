"""The `riverbed` command, as a person calls it: in a process of its own once for each way it can end, else in ours."""

import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import typer
from in_process import one_line, ran, refused, riverbed, settings

from riverbed_env.core.packs import PACKS
from riverbed_env.version import __version__
from riverbed_lab.cli.app import COMMANDS, app

pytestmark = pytest.mark.compiled

RIVER = ("--set", "game=deep_river", "--set", "pack=nothing", "--out", "/dev/null/nowhere")
BUILT_IN = ("riverbed_hunt", "river_rats", "deep_river", "riverside")


def process(*words: str, said: str | None = None, **environment: str) -> subprocess.CompletedProcess[str]:
    """The command in a process of its own."""
    program = "import sys; from riverbed_lab.cli.app import main; sys.argv[0] = 'riverbed'; main()"
    return subprocess.run(
        [sys.executable, "-c", program, *words],
        capture_output=True, text=True, input=said, timeout=300, check=False, env={**os.environ, **environment},
    )  # fmt: skip


@pytest.mark.parametrize(
    ("words", "complaint"),
    [
        (("watch", "--players", "3"), "num_players must be an integer from 4 to 9, not 3"),
        (("watch", "--viewer", "9"), "seats are 0 to 6, not 9"),
        (("watch", "--seed", "x"), "--seed must be an integer, not 'x'"),
        (("watch", "--pause", "x"), "--pause must be a number, not 'x'"),
        (("wach",), "Did you mean 'watch'?"),
        (("games", "--card"), "--card needs a game"),
        (("watch", "--set", "layout=lake"), "not 'lake'"),
        (("watch", "--set", "layout"), "--set takes NAME=VALUE, not 'layout'"),
        (("watch", "--set", "lay=lake"), "riverbed_hunt_v1 has no option 'lay' (did you mean 'layout'?)"),
        (("watch", "--game", "river_rats", "--set", "pack=default"), "river_rats_v0 has no option 'pack'"),
        (("play", "--game", "deep_river", "--players", "3"), "not 3"),
        (("doctor", "--speed", "play", "--seconds", "0"), "seconds must be above 0"),
        (("games", "missing.toml"), "riverbed: missing.toml: there is no such pack file"),
        (("watch", "--set", "pack=generated:0"), "no pack 'generated:0': there are generated:1 to generated:"),
        (("watch", "--set", "pack=hunt-test"), "here give one of them"),
        (("record", "simple", "--set", "pack=hunt-test", "--out", "corpus"), "here give one of them"),
        (("train", "--set", "pack=hunt-tests"), "did you mean 'hunt-test'?"),
        (("evaluate", "simple", "--set", "pack=hunt-tests"), "did you mean 'hunt-test'?"),
        (("train", *RIVER), "no pack 'nothing'"),
        (("distil", *RIVER), "no pack 'nothing'"),
        (("exploit", "greedy", *RIVER), "no pack 'nothing'"),
        (("evaluate", "simple", "--players", "7-5"), "players must be from 4 to 9, like 4-9 or 4,9, not '7-5'"),
        (("judge", "nowhere", "--out", "judged"), "path 'nowhere' does not exist"),
    ],
)
def test_bad_input_is_answered_in_a_line(words: tuple[str, ...], complaint: str) -> None:
    assert complaint in refused(*words)
    assert not Path("judged").exists()


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
def test_games_says_what_is_in_a_pack(game: str, held: tuple[str, ...]) -> None:
    said = one_line(ran("games", str(PACKS / game / "default.toml")))
    for words in held:
        assert words in said


def test_games_wants_to_know_which_game_a_pack_is_for(tmp_path: Path) -> None:
    pack = tmp_path / "nameless.toml"
    pack.write_text('[pack]\nname = "nameless"\n')
    assert "a pack begins with [pack] and names its game" in refused("games", str(pack))


def test_games_are_listed_with_players_kind_and_a_line() -> None:
    games = one_line(riverbed("games").stdout)
    assert "deep_river_v0 2 two sides A game of perfect information for two." in games
    assert "river_rats_v0 1 to 4 cooperative" in games
    assert all(game in games for game in BUILT_IN)


def test_a_game_is_shown_with_its_options_packs_and_agents() -> None:
    shown = one_line(riverbed("games", "riverbed_hunt").stdout)
    for words in ("hidden roles", "layout", "18 tiles", "hunt-test", "rule_based", "random"):
        assert words in shown
    assert shown.count("generated:") == 2 * 3  # a line for each split


def test_a_games_card_is_printed() -> None:
    assert "# Riverside" in riverbed("games", "riverside", "--card").stdout


def test_the_version_is_an_option() -> None:
    done = riverbed("--version")
    assert (done.returncode, done.stdout) == (0, f"{__version__}\n")


@pytest.mark.parametrize("command", ["", *(command.__name__ for command in COMMANDS)])
def test_help_fits_a_screen(command: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("COLUMNS", "100")
    done = riverbed(*filter(None, [command]), "--help")
    assert done.returncode == 0
    assert "Usage" in done.stdout
    assert len(done.stdout.splitlines()) <= 40


def test_there_are_at_most_14_commands_with_110_parameters() -> None:
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    assert set(commands) == {command.__name__ for command in COMMANDS}
    assert len(commands) <= 14
    assert sum(len(command.params) for command in commands.values()) <= 110


@pytest.mark.parametrize(
    ("words", "instead"),
    [
        ("warm", "riverbed doctor --compile all"),
        ("league --exploit random", "riverbed train --set seats=all, or for best responses: riverbed exploit LINEUP"),
        ("board results", "riverbed bench --board FOLDER"),
        ("evaluate --pack x", "evaluate has no option --pack; use --set pack=…"),
        ("evaluate --overwrite", "evaluate has no option --overwrite; use another folder with --out"),
        ("evaluate --inference-games 0", "evaluate has no option --inference-games; use riverbed judge --beliefs"),
        ("record --workers 2", "record has no option --workers; use --threads N"),
        ("watch --max-cost 5", "watch has no option --max-cost; use --llm max_cost=…"),
        ("exploit random --seeds 5", "exploit has no option --seeds; use --set seeds=…"),
        ("train --resume", "train has no option --resume; use the run's folder in place of the settings"),
    ],
)
def test_an_old_name_is_refused_with_the_new_one(words: str, instead: str) -> None:
    done = riverbed(*words.split())
    assert (done.returncode, done.stdout) == (2, "")
    assert instead in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_help_has_a_short_name_for_every_command() -> None:
    assert "--pause" in riverbed("watch", "-h").stdout
    assert "Usage" in riverbed("-h").stdout


def test_the_command_can_be_started_as_a_module() -> None:
    done = subprocess.run([sys.executable, "-m", "riverbed_lab", "games"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stderr) == (0, "")
    assert "deep_river_v0" in done.stdout


def test_a_start_without_a_dependency_is_told_in_a_line() -> None:
    program = "import sys; sys.modules['typer'] = None; from riverbed_lab.cli.start import main; main()"
    done = subprocess.run([sys.executable, "-c", program, "games"], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert len(done.stderr.splitlines()) == 1
    assert "typer" in done.stderr
    assert done.stderr.endswith(f"{sys.executable} -m riverbed_lab.doctor\n")


LEARNER = (
    *settings(game="ford_v0", threads=1, steps=128, num_envs=8, rollout_steps=16, batch_size=64),
    *settings(features="advice:random", widths="8,8", evaluation_games=20),
)
FORD = ("--game", "ford_v0")
RAISES = """
def third(observation, mask, memory, rng):
    raise KeyError("a [bold] key")
"""


@pytest.mark.compiled
@pytest.mark.parametrize(
    "words",
    [
        ("evaluate", "{}", "--reference", "random", "--games", "20", "--players", "3", "--tables", "mirror", *FORD),
        ("record", "{}", "--games", "20", "--players", "3", "--threads", "1", *FORD),
        ("watch", "--agent", "{}", "--seed", "0", *FORD),
        ("train", "--set", "opponents={}", *LEARNER),
        ("exploit", "{}", *settings(seeds=1, games=20), *LEARNER),
    ],
    ids=lambda words: words[0],
)
def test_an_error_of_an_agent_is_a_line_with_game_seed_seat_and_agent(words: tuple[str, ...], tmp_path: Path) -> None:
    file = tmp_path / "mine.py"
    file.write_text(RAISES)
    out = () if words[0] == "watch" else ("--out", str(tmp_path / "out"))
    command = (*(word.format(f"{file}:third") for word in words), *out)
    done = riverbed(*command)
    assert done.returncode == 2
    (line,) = [line for line in done.stderr.splitlines() if "third" in line]
    where = (
        rf"riverbed: game \d+ of seed \d+, player_\d: {file}:third raised KeyError: 'a \[bold\] key'; its traceback: "
    )
    assert re.match(where + "riverbed --traceback …", line)
    assert "Traceback" not in done.stderr
    told = riverbed("--traceback", *command)
    assert told.returncode == 2
    assert "Traceback (most recent call last)" in told.stderr
    assert f'File "{file}", line 3, in third' in told.stderr
