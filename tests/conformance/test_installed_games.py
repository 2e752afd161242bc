"""A game of an installed package is found by its entry point: the one that the guide to new games shows."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

EXAMPLE = Path(__file__).parents[2] / "docs" / "examples" / "pebbles"
ENTRY_POINTS = "[riverbed.games]\npebbles_v0 = pebbles\nbroken_v0 = broken_game\nidle_v0 = idle_game\n"


@pytest.fixture
def package(tmp_path: Path) -> Path:
    """A folder with the guide's package as an installer would leave it, and two that can't be used."""
    shutil.copytree(EXAMPLE, tmp_path, dirs_exist_ok=True, ignore=shutil.ignore_patterns("__pycache__"))
    (tmp_path / "broken_game.py").write_text("raise RuntimeError('needs a licence')\n")
    (tmp_path / "idle_game.py").write_text("")
    about = tmp_path / "pebbles-1.0.dist-info"
    about.mkdir()
    (about / "METADATA").write_text("Metadata-Version: 2.1\nName: pebbles\nVersion: 1.0\n")
    (about / "entry_points.txt").write_text(ENTRY_POINTS)
    return tmp_path


def run(package: Path, *words: str, compiled: bool = False) -> subprocess.CompletedProcess[str]:
    """Python with these arguments, beside the package."""
    path = os.pathsep.join([str(package), *filter(None, sys.path)])
    extra = {"PYTHONPATH": path, "PYTHONWARNINGS": "default::UserWarning", "RIVERBED_CACHE_DIR": str(package / "cache")}
    plain = {} if compiled else {"NUMBA_DISABLE_JIT": "1"}
    return subprocess.run(
        [sys.executable, *words],
        env={**os.environ, **extra, **plain},
        cwd=package,
        capture_output=True,
        text=True,
        check=False,
    )


def printed(package: Path, code: str, *, compiled: bool = False) -> str:
    """What a program prints on standard output."""
    done = run(package, "-c", code, compiled=compiled)
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


COMMAND = ("-m", "riverbed_lab.cli.start")


def test_the_command_plays_it(package: Path) -> None:
    done = run(package, *COMMAND, "watch", "--game", "pebbles", "--pause", "0")
    assert done.returncode == 0, done.stderr
    assert "0 pebbles are left; the game is over." in done.stdout


def test_the_command_lists_it_and_names_what_is_broken(package: Path) -> None:
    done = run(package, *COMMAND, "games")
    assert done.returncode == 0, done.stderr
    assert "pebbles_v0" in done.stdout
    assert "riverside_v0" in done.stdout
    assert "broken_v0 of package pebbles can't be loaded from broken_game: RuntimeError: needs a licence" in done.stderr
    assert "idle_v0 of package pebbles: importing idle_game doesn't call register_game('idle_v0', ...)" in done.stderr


def test_a_broken_one_says_why_when_it_is_asked_for(package: Path) -> None:
    done = run(package, *COMMAND, "watch", "--game", "broken_v0")
    assert done.returncode == 2
    assert "broken_v0 of package pebbles can't be loaded" in " ".join(done.stderr.split())
    assert "Traceback" not in done.stderr


def test_a_batch_finds_it_and_imports_nothing_else(package: Path) -> None:
    code = (
        "import sys; from riverbed_env import make_batch; make_batch('pebbles', 4);"
        "print('broken_game' in sys.modules, 'idle_game' in sys.modules)"
    )
    assert printed(package, code) == "False False"


def test_gymnasium_imports_it_itself(package: Path) -> None:
    code = "import gymnasium; print(gymnasium.make('pebbles:pebbles/Pebbles-v0', opponents='random').reset(seed=1)[0])"
    assert printed(package, code).startswith("[")


def test_a_batch_of_it_is_unpickled_where_nobody_imported_it(package: Path) -> None:
    save = "import pickle, riverbed_env; pickle.dump(riverbed_env.make_batch('pebbles', 4, seed=1), open('b', 'wb'))"
    printed(package, save)
    assert printed(package, "import pickle; print(pickle.load(open('b', 'rb')).game.name)") == "pebbles"


def test_a_game_under_another_name_is_refused(package: Path) -> None:
    path = package / "pebbles" / "game.py"
    path.write_text(path.read_text(encoding="utf-8").replace('name="pebbles"', 'name="stones"'), encoding="utf-8")
    done = run(package, *COMMAND, "watch", "--game", "pebbles")
    assert done.returncode == 2
    assert "is registered for pebbles.game:PEBBLES, which calls itself stones_v0" in " ".join(done.stderr.split())


@pytest.mark.slow
def test_it_passes_the_tests_that_every_game_passes(package: Path) -> None:
    done = run(package, "-m", "pytest", "-q", "-p", "no:cacheprovider", "tests")
    assert done.returncode == 0, done.stdout[-3000:]


@pytest.mark.slow
@pytest.mark.compiled
def test_it_plays_the_same_games_compiled(package: Path) -> None:
    code = (
        "import riverbed_env; batch = riverbed_env.make_batch('pebbles', 16, seed=3)\n"
        "for _ in range(50): batch.step(batch.random_actions())\n"
        "print(batch.get_state().tobytes().hex(), riverbed_env.make_batch('pebbles', 1).game.name)"
    )
    assert printed(package, code, compiled=True) == printed(package, code)
