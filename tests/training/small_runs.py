"""Runs that take a second: the toy game, few environments, tiny networks; and how they are broken off or damaged."""

import json
import shutil
from collections.abc import Callable
from contextlib import nullcontext
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import pytest

from riverbed_env.players.lineups import EVERYBODY
from riverbed_lab.training.checkpoint import load_checkpoint
from riverbed_lab.training.config import TrainingConfig
from riverbed_lab.training.curve import CURVE
from riverbed_lab.training.folder_run import CHECKPOINT, Progress

Run = TypeVar("Run", bound=Any)

GAME = "ford_v0"
ROLLOUT = 64  # decisions


def small(**changed: Any) -> TrainingConfig:
    plain: dict[str, Any] = {
        "game": GAME,
        "opponents": ({EVERYBODY: ["random"]},),
        "steps": 6 * ROLLOUT,
        "num_envs": 8,
        "rollout_steps": 8,
        "batch_size": 32,
        "n_epochs": 2,
        "view": "history",
        "widths": (16, 8),
        "object_width": 8,
        "evaluate_every": 2 * ROLLOUT,
        "evaluation_games": 40,
        "checkpoint_every": ROLLOUT,
    }
    return TrainingConfig(**{**plain, **changed})


class BrokenOffError(Exception):
    """The tests' own way to stop a run."""


def played(run: Run, until: Callable[[Progress], bool] | None = None) -> Run:
    """Play a run to its end, or break it off once it has reported such a progress."""

    def watch(progress: Progress) -> None:
        if until is not None and until(progress):
            raise BrokenOffError

    with nullcontext() if until is None else pytest.raises(BrokenOffError):
        run.run(watch)
    return run


def assert_same_end(one: Path, other: Path) -> None:
    """Two runs ended with the same checkpoint and, but for the seconds, the same curve."""
    first, second = (load_checkpoint(folder / CHECKPOINT)[1] for folder in (one, other))
    assert first.keys() == second.keys()
    for name, array in first.items():
        np.testing.assert_array_equal(array, second[name], err_msg=name)
    curves = [json.loads((folder / CURVE).read_text())["curve"] for folder in (one, other)]
    assert [{**row, "seconds": 0} for row in curves[0]] == [{**row, "seconds": 0} for row in curves[1]]


def copied(whole: Path, folder: Path) -> Path:
    """The folder, with the files of a run that tests share."""
    shutil.copytree(whole, folder, dirs_exist_ok=True)
    return folder


def damaged(path: Path, how: str) -> None:
    """Damage a file."""
    content = path.read_bytes()
    middle = len(content) // 2
    end = middle + 64  # not a place alone: of one in the header of an array nobody need take notice
    flipped = content[:middle] + bytes(byte ^ 0x01 for byte in content[middle:end]) + content[end:]
    changed = {
        "truncated": content[:middle],
        "empty": b"",
        "another kind of file": b"not a checkpoint at all" * 20,
        "tampered with": flipped,
    }
    path.unlink()
    if how != "missing":
        path.write_bytes(changed[how])


def rewritten(path: Path, change: Any) -> None:
    """Change the header and the arrays of a file in place: change(header, arrays)."""
    with np.load(path, allow_pickle=False) as file:
        kept = {name: file[name] for name in file.files}
    header = json.loads(str(kept["header"]))
    change(header, kept)
    kept["header"] = np.array(json.dumps(header))
    with path.open("wb") as file:
        np.savez(file, **kept)
