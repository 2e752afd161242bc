"""Leagues that take a second: the toy game, or Riverbed Hunt with few players, few num_envs and tiny networks."""

from typing import Any

from training.small_runs import ROLLOUT, small

from riverbed_lab.league.config import LeagueConfig

TRAINING_FIELDS = (
    "game",
    "role",
    "players",
    "options",
    "seed",
    "num_envs",
    "evaluation_games",
    "reference",
    "features",
)


def small_league(**changed: Any) -> LeagueConfig:
    """A league of the toy game's two rounds; settings of learners and of the league by their names."""
    training = {name: changed.pop(name) for name in TRAINING_FIELDS if name in changed}
    plain: dict[str, Any] = {
        "rounds": 2,
        "steps_per_round": 4 * ROLLOUT,
        "lineups": 6,
        "snapshot_every": 1,
        "exploiter_rounds": 1,
        "rate_every": 2,
    }
    return LeagueConfig(small(**{"evaluation_games": 20, **training}), **{**plain, **changed})
