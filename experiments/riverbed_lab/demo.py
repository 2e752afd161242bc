"""What `make run` trains: one role, from nothing, for about two minutes. All settings of it are in this file."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from riverbed_env.core.files import write_json

from .training.comparison import COMPARISON, CURVE
from .training.config import EVERYBODY, TrainingConfig
from .training.run import BOARD, CHECKPOINT, CONFIG, POLICY

FORMAT = 1
MARK = "demo.json"  # in folders of demonstrations: what may be deleted there to begin anew
GAME, ROLE, PLAYERS = "riverbed_hunt_v0", "profiteer", 5
OPPONENT = "simple"  # quick to play against, and beaten by what can be learnt in two minutes
REFERENCE = "rule_based"  # who sits in the same seat beside the learner, and at the tables of the report
STEPS = 983_040  # decisions: 60 rollouts
EVALUATIONS = 12  # in a run, beside the one before it
CHECKPOINTS = 12
REPORT_GAMES = 2000

# Beside TrainingConfig's own: a small network, which is quick, and all of the game's features but advice.
SETTINGS: dict[str, Any] = {
    "features": ("outlook",),
    "num_envs": 512,
    "rollout_steps": 32,
    "batch_size": 2048,
    "n_epochs": 4,
    "learning_rate": 3e-3,
    "widths": (64, 32),
    "object_width": 16,
    "evaluation_games": 2000,
}


def demo_config(steps: int = STEPS, seed: int = 0, threads: int = 1) -> TrainingConfig:
    """The settings of a demonstration of so many decisions."""
    return TrainingConfig(
        game=GAME,
        role=ROLE,
        players=(PLAYERS,),
        opponents=({EVERYBODY: [OPPONENT]},),
        reference=REFERENCE,
        steps=steps,
        seed=seed,
        threads=threads,
        evaluate_every=max(1, steps // EVALUATIONS),
        checkpoint_every=max(1, steps // CHECKPOINTS),
        **SETTINGS,
    )


def begin(folder: Path) -> None:
    """Mark a folder as a demonstration's, unless it holds a run of somebody's own."""
    if not (folder / CONFIG).exists():
        write_json(folder / MARK, {"format": FORMAT, "role": ROLE})


def is_begun(folder: Path) -> bool:
    """Whether the folder is a demonstration's, in which it may be begun anew."""
    return (folder / MARK).exists()


def clear(folder: Path) -> None:
    """Delete the run of a demonstration."""
    for name in (CONFIG, CHECKPOINT, POLICY, CURVE, COMPARISON):
        (folder / name).unlink(missing_ok=True)
    shutil.rmtree(folder / BOARD, ignore_errors=True)
