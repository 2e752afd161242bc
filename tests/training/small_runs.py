"""Runs that take a second: the toy game, few num_envs, tiny networks."""

from __future__ import annotations

from typing import Any

from riverbed_lab.training.config import EVERYBODY, TrainingConfig

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
