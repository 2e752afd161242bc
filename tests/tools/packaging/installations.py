"""`make dist`: installs the sdist and the wheel in empty environments, alone and with each extra, and plays there.

Each environment is a new one outside the repository with a kernel cache of its own and an empty working folder. PyTorch
is installed first, at the version of constraints.txt, so that no other build of it is chosen.
"""

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from packages_kit import ROOT

GAMES = ("riverbed_hunt", "river_rats", "deep_river", "riverside")
PLAYERS = {"riverbed_hunt": "5", "river_rats": "2", "deep_river": "2", "riverside": "2"}
WATCH = [f"riverbed watch --game {game} --players {PLAYERS[game]} --seed 1 --pause 0" for game in GAMES]
POLICIES = (
    'python -c "import sys; from riverbed_env.players.specs import find_agent; '
    "print(find_agent('student', 'riverbed_hunt').about); "
    "assert 'torch' not in sys.modules\""
)
BASE = ("riverbed games", "riverbed games riverbed_hunt", POLICIES)
EVALUATE = "riverbed evaluate student --reference simple --game riverbed_hunt --players 5 --games 20 --tables mirror"
RECORD = "riverbed record random --game deep_river --games 20 --part 10"
TRAIN = (
    "riverbed train --set game=deep_river --set steps=512 --set num_envs=8 --set rollout_steps=32 "
    "--set batch_size=128 --set evaluation_games=8 --set features=outlook --set opponents=random"
)
MODULES = 'python -c "import {}"'
PICTURE = (
    "python -c \"from riverbed_env import deep_river_v0 as game; env = game.env(render_mode='rgb_array'); "
    'env.reset(seed=1); assert len(set(env.render().ravel().tolist())) > 20"'
)


@dataclass(frozen=True)
class Trial:
    """An installation: its name, the extra, the commands that must succeed there, and those that must name an extra."""

    name: str
    extra: str
    commands: tuple[str, ...]
    refused: tuple[tuple[str, str], ...] = ()


REFUSED = (("riverbed train", ".[training]"), ("riverbed evaluate .", ".[reports]"))
TRIALS = (
    Trial("wheel", "", (*BASE, *WATCH, "riverbed doctor --compile games"), REFUSED),
    Trial("sdist", "", (*BASE, WATCH[2])),
    Trial("reports", "reports", (f"{EVALUATE} --out evaluation",)),
    Trial("corpus", "corpus", (f"{RECORD} --threads 1 --out corpus", "riverbed games corpus --check hashes")),
    Trial("training", "training", (f"{TRAIN} --out training",)),
    Trial("notebooks", "notebooks", (MODULES.format("ipykernel, nbclient, nbformat, torch, matplotlib"),)),
    Trial("draw", "draw", (PICTURE,)),
    Trial("web", "web", (MODULES.format("riverbed_web, starlette, uvicorn, websockets"),)),
    Trial("openspiel", "openspiel", (MODULES.format("riverbed_env.integrations.openspiel"),)),
    Trial("peers", "peers", (MODULES.format("rlcard, pyspiel"),)),
)


class Environment:
    """A new virtual environment with an empty working folder, or another one, and a cache of kernels of its own."""

    def __init__(self, folder: Path, cache: Path, work: Path | None = None) -> None:
        self.folder = folder
        self.work = work or folder / "work"
        subprocess.run([sys.executable, "-m", "venv", folder / "env"], check=True)
        self.work.mkdir(exist_ok=True)
        kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "VIRTUAL_ENV"))}
        path = f"{folder / 'env' / 'bin'}{os.pathsep}{os.environ['PATH']}"
        self.variables = {**kept, "PATH": path, "RIVERBED_CACHE_DIR": str(cache)}

    def run(self, command: str | Sequence[str | Path]) -> subprocess.CompletedProcess[str]:
        """A command in the working folder, by the shell if it is one text."""
        shell = isinstance(command, str)
        return subprocess.run(
            command, shell=shell, cwd=self.work, env=self.variables, text=True, check=False,
            stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        )  # fmt: skip

    def must(self, command: str | Sequence[str | Path]) -> str:
        """What a command prints that must succeed."""
        done = self.run(command)
        if done.returncode:
            raise SystemExit(f"{command}\nfailed with {done.returncode}:\n{done.stdout[-3000:]}")
        return done.stdout

    def pip(self, *words: str | Path) -> None:
        """Install what these words name."""
        self.must([self.folder / "env" / "bin" / "python", "-m", "pip", "install", "-q", *words])

    def must_refuse(self, command: str, wanted: str) -> None:
        """A command that must say in a line what it needs."""
        done = self.run(command)
        if done.returncode != 2 or wanted not in done.stdout or done.stdout.count("\n") != 1:
            raise SystemExit(f"{command} should name {wanted}; it ended with {done.returncode}:\n{done.stdout[-3000:]}")


def try_one(trial: Trial, package: Path, home: Path) -> None:
    """Install and try. The environment is removed."""
    environment = Environment(home / trial.name, home / "kernels")
    if trial.extra in ("training", "notebooks"):
        environment.pip("-c", ROOT / "constraints.txt", "torch")
    environment.pip("-c", ROOT / "constraints.txt", f"{package}[{trial.extra}]" if trial.extra else package)
    for command in trial.commands:
        environment.must(command)
    for command, wanted in trial.refused:
        environment.must_refuse(command, wanted)
    shutil.rmtree(environment.folder)


def main() -> None:
    """Try the files of a folder."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("folder", type=Path, help="where the built files are")
    built = parser.parse_args().folder
    (wheel,), (sdist,) = sorted(built.glob("*.whl")), sorted(built.glob("*.tar.gz"))
    print(f"{wheel.name}: {wheel.stat().st_size:,} bytes; {sdist.name}: {sdist.stat().st_size:,} bytes")
    with tempfile.TemporaryDirectory(prefix="riverbed-") as folder:
        for trial in TRIALS:
            print(f"trying {trial.name}", flush=True)
            try_one(trial, (sdist if trial.name == "sdist" else wheel).resolve(), Path(folder))


if __name__ == "__main__":
    main()
