"""Distillations that take a second: the toy game, few games, tiny networks."""

from typing import Any

from riverbed_env.players.lineups import EVERYBODY
from riverbed_lab.distil.config import DistilConfig

GAME = "ford_v0"


def small(**changed: Any) -> DistilConfig:
    plain: dict[str, Any] = {
        "game": GAME,
        "opponents": ({EVERYBODY: ["random"]},),
        "rounds": 2,
        "blocks": 2,
        "block_games": 24,
        "batch_size": 16,
        "window": 2,
        "epochs": 1,
        "view": "history",
        "widths": (16, 8),
        "object_width": 8,
        "evaluation_games": 40,
    }
    return DistilConfig(**{**plain, **changed})
