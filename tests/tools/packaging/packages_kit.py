"""Builds the sdist and the wheel from the files of the repository, and says what belongs in them."""

import os
import shutil
import subprocess
import sys
import tarfile
import zipfile
from dataclasses import dataclass
from fnmatch import fnmatch
from pathlib import Path

ROOT = Path(__file__).parents[3]
IGNORED = {
    *(".venv", "node_modules", "__pycache__", ".pytest_cache", ".mypy_cache", ".ruff_cache", ".hypothesis"),
    *(".git", "build", "dist"),
}
HOMES = {  # package -> its folder
    "riverbed_env": "",
    "riverbed_agents": "agents/",
    "riverbed_web": "web/",
    "riverbed_lab": "experiments/",
    "riverbed_verifiers": "experiments/",
}
DATA = (
    "*/py.typed",
    "riverbed_env/packs/small.toml",
    "riverbed_env/packs/*/*.toml",
    "riverbed_env/packs/*/generated.npz",
    "riverbed_env/games/*/words/card.md",
    "riverbed_env/games/*/words/digest.md",
    "riverbed_env/games/*/words/words.toml",
    "riverbed_agents/**/*.npz",
    "riverbed_env/core/*.toml",
    "riverbed_env/core/fonts/*",
    "riverbed_env/games/riverbed_hunt/deduction/*.npz",
    "riverbed_web/page/*.html",
    "riverbed_lab/report/*.html",
    "riverbed_lab/benchmark/*.json",
    "riverbed_lab/benchmark/*.toml",
    "riverbed_lab/card.md",
    "riverbed_lab/corpora/*.json",
    "riverbed_env/seats/*.json",
)
MOST_WHEEL, MOST_SDIST = 2_750_000, 5_000_000  # bytes

# What tools and runs leave behind: none of it may be packed.
STRAYS = (
    "riverbed_env/games/deep_river/rules/__pycache__/deep_river-0123456789abcdef/engine.nbi",
    "agents/riverbed_agents/riverbed_hunt/__pycache__/simple.cpython-311.pyc",
    "tests/tools/packaging/__pycache__/kernels/loops.1.nbc",
    "notebooks/.ipynb_checkpoints/01_the_game-checkpoint.ipynb",
    "tests/.pytest_cache/README.md",
    "results/run/policy.npz",
)


@dataclass(frozen=True)
class Built:
    """The two files of a build, and what the sdist's folder holds when it is unpacked."""

    sdist: Path
    wheel: Path
    unpacked: Path


def repository_files() -> list[str]:
    """The files of the repository, as posix paths: those git knows, or in an unpacked sdist all that aren't made."""
    listed = subprocess.run(["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, text=True, check=False)
    if listed.returncode == 0 and listed.stdout:
        return sorted(name for name in listed.stdout.split("\0") if name and (ROOT / name).is_file())
    made = {"PKG-INFO", "setup.cfg"}
    files = []
    for folder, inner, names in os.walk(ROOT):
        inner[:] = [name for name in inner if name not in IGNORED and not name.endswith(".egg-info")]
        home = Path(folder).relative_to(ROOT)
        files += [(home / name).as_posix() for name in names if (home / name).as_posix() not in made]
    return sorted(files)


def expected_in_wheel() -> set[str]:
    """What belongs in the wheel, as it is called there: modules of the packages and the data they read."""
    inside = [
        name.removeprefix(home)
        for package, home in HOMES.items()
        for name in repository_files()
        if name.startswith(f"{home}{package}/")
    ]
    return {name for name in inside if name.endswith(".py") or any(fnmatch(name, pattern) for pattern in DATA)}


def build(out: Path) -> Built:
    """Build the sdist from a copy of the repository with strays in it, and the wheel from the unpacked sdist."""
    copy = out / "copy"
    for name in repository_files():
        target = copy / name
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copyfile(ROOT / name, target)
    for name in STRAYS:
        stray = copy / name
        stray.parent.mkdir(parents=True, exist_ok=True)
        stray.write_text("left behind")
    sdist = _run_hook("build_sdist", copy, out)
    with tarfile.open(sdist) as archive:
        archive.extractall(out / "unpacked", filter="data")
    unpacked = next((out / "unpacked").iterdir())
    return Built(sdist, _run_hook("build_wheel", unpacked, out), unpacked)


def _run_hook(hook: str, source: Path, out: Path) -> Path:
    """What the build backend makes in a process of its own, without a network."""
    program = f"import sys; from setuptools import build_meta; print(build_meta.{hook}(sys.argv[1]))"
    done = subprocess.run([sys.executable, "-c", program, out], cwd=source, capture_output=True, text=True, check=False)
    if done.returncode:
        raise RuntimeError(f"{hook} failed:\n{done.stderr}")
    return out / done.stdout.split()[-1]


def sdist_files(built: Built) -> set[str]:
    """The files of the sdist but those that building adds."""
    with tarfile.open(built.sdist) as archive:
        names = {member.name.partition("/")[2] for member in archive.getmembers() if member.isfile()}
    return {
        name for name in names if name not in ("PKG-INFO", "setup.cfg") and not name.startswith("riverbed.egg-info/")
    }


def wheel_files(built: Built) -> set[str]:
    """The files of the wheel, its metadata left out."""
    with zipfile.ZipFile(built.wheel) as archive:
        return {name for name in archive.namelist() if ".dist-info/" not in name}
