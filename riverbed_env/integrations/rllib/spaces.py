"""The spaces of all agents, alike for every role and player count; the action space samples legal actions."""

from __future__ import annotations

from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_view

OBSERVATION, ACTION_MASK = "observation", "action_mask"


class MaskedDiscrete(gymnasium.spaces.Discrete):
    """`Discrete` whose `sample()` draws only what the last `allow` allowed; without one it draws from all.

    RLlib's check of environments and its random actions sample without a mask; so they play legally too.
    """

    def __init__(self, n: int, seed: int | None = None) -> None:
        super().__init__(n, seed=seed)
        self._allowed: npt.NDArray[np.int8] | None = None

    def allow(self, mask: npt.NDArray[np.int8]) -> None:
        """Draw from these actions, (n,) of 0 and 1, from now on."""
        self._allowed = np.array(mask, np.int8)

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> np.int64:
        """A random action; see `Discrete.sample`."""
        if mask is None and probability is None:
            mask = self._allowed
        return super().sample(mask) if probability is None else super().sample(mask, probability)


def observation_space_of(game: Game, view: str) -> gymnasium.spaces.Dict:
    """{"observation": int8 vector, "action_mask": int8 vector}."""
    size = check_view(game, view)
    return gymnasium.spaces.Dict(
        {
            OBSERVATION: gymnasium.spaces.Box(
                game.observation.low()[:size], game.observation.high()[:size], dtype=np.int8
            ),
            ACTION_MASK: gymnasium.spaces.Box(0, 1, (game.actions.size,), np.int8),
        }
    )
