"""The games that a step of lanes ended, seat by seat; the next games are dealt in their place."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Vectors
from riverbed_env.integrations.lanes import Lanes, Whole


@dataclass(frozen=True)
class Ended:
    """Games that a step ended: one row for each of their seats, game by game.

    env, game, seat: (m,) int64, game by its number; role: (m,) int8; reward: (m,) float32; truncated: (m,) bool, the
    cap on its length ended the game; observation, action_mask: (m, D) and (m, A) int8, what the seat sees at the end.
    """

    env: Whole
    game: Whole
    seat: Whole
    role: npt.NDArray[np.int8]
    reward: npt.NDArray[np.float32]
    truncated: npt.NDArray[np.bool_]
    observation: Vectors
    action_mask: Vectors


def replace_ended(lanes: Lanes) -> Ended:
    """Deal the next game in every lane whose game the last step ended; returns what was there."""
    over = lanes.seat < 0
    env, seat = np.nonzero(over[:, None] & (lanes.roles >= 0))
    observation, mask = lanes.observe(seat, env)
    ended = Ended(
        env=env,
        game=lanes.game_number[env],
        seat=seat,
        role=lanes.roles[env, seat],
        reward=lanes.returns[env, seat],
        truncated=lanes.truncated[env],
        observation=observation,
        action_mask=mask,
    )
    lanes.deal_next(over)
    return ended
