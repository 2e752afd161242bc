"""Role posteriors in observations: a PettingZoo wrapper around Riverbed Hunt."""

from __future__ import annotations

from typing import Any

import gymnasium.spaces
import numpy as np
from pettingzoo.utils.wrappers import BaseWrapper

from riverbed_env.deduction.service import Deduction
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_ROLES

from .riverbed_hunt_v1 import raw_env


class RoleBeliefs(BaseWrapper[str, dict[str, Any], Any]):
    """Adds "beliefs" to every observation: the posterior of every seat's role, given what the agent may know.

    beliefs: (MAX_SEATS, NUM_ROLES) float32, the observer first, then clockwise, in the order of `Role`; rows past the
    players are 0. (`Deduction.roles` begins with player_0 instead.) model: "playing" or "uniform", see `Deduction`.
    Raises OptionError for any other environment.
    """

    def __init__(self, env: Any, model: str = "playing") -> None:
        super().__init__(env)
        game: Any = env.unwrapped
        if not isinstance(game, raw_env):
            raise OptionError(f"RoleBeliefs wraps an environment of riverbed_hunt_v1, not {env}")
        if not isinstance(game.observation_space("player_0"), gymnasium.spaces.Dict):
            raise OptionError("RoleBeliefs adds to observations with their masks: mask_in must be 'observation'")
        self._game = game
        self._deduction = Deduction.of(game.params, model)

    def observation_space(self, agent: str) -> gymnasium.spaces.Dict:
        """The wrapped environment's space with "beliefs"."""
        inner: Any = self.env.observation_space(agent)
        return gymnasium.spaces.Dict(
            {**inner.spaces, "beliefs": gymnasium.spaces.Box(0.0, 1.0, (MAX_SEATS, NUM_ROLES), np.float32)}
        )

    def observe(self, agent: str) -> dict[str, Any]:
        """The agent's observation with its beliefs."""
        seat = self._game.possible_agents.index(agent)
        beliefs = np.zeros((MAX_SEATS, NUM_ROLES), np.float32)
        beliefs[: self._game.num_players] = np.roll(self._deduction.roles(self._game.look(agent))[0], -seat, axis=0)
        inner: Any = self.env.observe(agent)
        return {**inner, "beliefs": beliefs}
