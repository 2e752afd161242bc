"""Each part of the library imports only the layers below it, as pyproject.toml defines them."""

import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PACKAGES = ("riverbed_env", "agents", "web", "experiments")
PROGRAM = """
import sys
sys.path[:0] = [".", "agents", "web", "experiments"]
from importlinter.cli import lint_imports
sys.exit(lint_imports(no_cache=True))
"""


def linted(folder: Path) -> subprocess.CompletedProcess[str]:
    """The import linter's result for the packages in a folder."""
    command = [sys.executable, "-c", PROGRAM]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    for package in PACKAGES:
        shutil.copytree(
            ROOT / package, tmp_path / package, ignore=shutil.ignore_patterns("__pycache__", "node_modules")
        )
    shutil.copy(ROOT / "pyproject.toml", tmp_path)
    return tmp_path


def test_arrows_point_one_way(copy: Path) -> None:
    result = linted(copy)
    assert result.returncode == 0, result.stdout
    assert "0 broken" in result.stdout


@pytest.mark.parametrize(
    ("file", "line", "contract"),
    [
        ("riverbed_env/kernels/common.py", "from riverbed_env.games.riverside import vocab", "The house's layers"),
        (
            "riverbed_env/games/riverside/rules/engine.py",
            "from riverbed_env.games.deep_river import vocab",
            "Games know",
        ),
        (
            "agents/riverbed_agents/riverside/greedy.py",
            "from riverbed_agents.deep_river import kernels",
            "Agents of one game",
        ),
        (
            "agents/riverbed_agents/riverside/greedy.py",
            "from riverbed_env.core.batch import Batch",
            "Agents never read a state",
        ),
        ("experiments/riverbed_lab/ppo.py", "from riverbed_lab import exploit", "The lab's layers"),
    ],
)
def test_an_arrow_that_points_back_is_found(copy: Path, file: str, line: str, contract: str) -> None:
    path = copy / file
    path.write_text(path.read_text(encoding="utf-8") + f"\n{line}\n", encoding="utf-8")
    result = linted(copy)
    assert result.returncode == 1
    assert [text for text in result.stdout.splitlines() if contract in text and "BROKEN" in text], result.stdout
