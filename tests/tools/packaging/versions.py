"""`make oldest`, `make newest`: the tests that dependencies matter to, with the oldest or newest that are allowed.

An environment of its own, outside the repository, gets the lower bounds of pyproject.toml, or what is newest; then
parts of the suite run there: conformance of every game, the rules of Deep River, learners' environments, golden games,
reports and training. PyTorch is that of constraints.txt in both, since other builds take gigabytes: the oldest isn't
tested here.
"""

from __future__ import annotations

import argparse
import os
import re
import subprocess
import sys
import tempfile
import tomllib
from pathlib import Path

ROOT = Path(__file__).parents[3]
PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
EXTRAS = ("reports", "leaks", "training")
TESTING = ("hypothesis", "phevaluator", "pytest")  # of the extra dev
PARTS = (
    *("tests/golden", "tests/deep_river/rules", "tests/conformance", "tests/learner", "tests/training"),
    *("tests/experiments/test_report.py", "tests/leaks/test_attack.py", "tests/agents/test_policies.py"),
)
BOUND = re.compile(r"(?P<name>[\w.-]+)>=(?P<version>[\w.]+)")


def bounds() -> dict[str, str]:
    """The lower bounds of base, of the tested extras and of what tests need, by name."""
    optional = PROJECT["optional-dependencies"]
    lines = [*PROJECT["dependencies"], *(line for extra in EXTRAS for line in optional[extra])]
    lines += [line for line in optional["dev"] if line.startswith(TESTING)]
    return {match["name"]: match["version"] for line in lines if (match := BOUND.match(line))}


def main() -> None:
    """Install and test."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("which", choices=("oldest", "newest"))
    parser.add_argument("--parts", nargs="+", default=PARTS, help="what to test")
    parser.add_argument("--environment", type=Path, help="a folder to keep the environment in; else it is removed")
    parser.add_argument("--only", default="", help="pytest's -k")
    chosen = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="riverbed-") as folder:
        home = chosen.environment or Path(folder)
        python = home / "bin" / "python"
        if not python.exists():
            install(home, python, chosen.which)
        subprocess.run([python, "-c", SHOWN], check=True)
        words = [python, "-m", "pytest", "-q", "-p", "no:cacheprovider", *chosen.parts, "-k", chosen.only]
        variables = {**os.environ, "PYTHONPATH": str(ROOT), "RIVERBED_CACHE_DIR": str(home / "kernels")}
        sys.exit(subprocess.run(words, cwd=ROOT, env=variables, check=False).returncode)


SHOWN = """
import importlib.metadata, sys
print(sys.version)
print(*sorted({f"{each.name} {each.version}" for each in importlib.metadata.distributions()}), sep=", ")
"""


def install(home: Path, python: Path, which: str) -> None:
    """Make the environment: PyTorch at its pinned version first, then what is asked for, then Riverbed's names."""
    subprocess.run([sys.executable, "-m", "venv", home], check=True)
    pip = [python, "-m", "pip", "install", "-q"]
    subprocess.run([*pip, "-c", ROOT / "constraints.txt", "torch"], check=True)
    sign = "==" if which == "oldest" else ">="
    wanted = [f"{name}{sign}{version}" for name, version in bounds().items() if name != "torch"]
    newest = ["--upgrade", "--upgrade-strategy", "eager"] if which == "newest" else []
    subprocess.run([*pip, *newest, "-c", ROOT / "constraints.txt", *wanted], check=True)
    subprocess.run([*pip, "--no-deps", ROOT], check=True)


if __name__ == "__main__":
    main()
