"""The baseline for training with action masks: PettingZoo's connect four as a single-agent environment.

`ConnectFour` is a common single-agent wrapper: the learner plays one side, a random legal player the other, and a step
runs from one move of the learner to its next. `ConnectFourTurns` is the wrapper of PettingZoo's tutorial for
Stable-Baselines3: one network plays both sides, and every move is a step. Our part of the loop is cheap, so the figures
err in favour of the baseline.
"""

from __future__ import annotations

import random
from importlib import import_module
from importlib.util import find_spec
from typing import Any

import gymnasium
import numpy.typing as npt

from riverbed_lab.speed.peers import known_noise_silenced

REQUIREMENT = "pettingzoo[classic]"

Answer = tuple[npt.NDArray[Any], float, bool, bool, dict[str, Any]]


def is_installed() -> bool:
    """Whether PettingZoo's classic games are installed; imports nothing."""
    return find_spec("pettingzoo") is not None and find_spec("pygame") is not None


class ConnectFour(gymnasium.Env[npt.NDArray[Any], int]):
    """Connect four for the side that begins, (6, 7, 2) int8 and 7 actions; a random legal player plays the other side.

    Rewards are 1, 0 and -1 at the end, whichever side makes the last move.
    """

    def __init__(self) -> None:
        with known_noise_silenced():
            self.game: Any = import_module("pettingzoo.classic.connect_four_v3").env()
            self.game.reset()
        first = self.game.possible_agents[0]
        self.observation_space = self.game.observation_space(first)["observation"]
        self.action_space = self.game.action_space(first)
        self._draw = random.Random(0).random
        self._seen: dict[str, npt.NDArray[Any]] = {}
        self._side = first

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[npt.NDArray[Any], dict[str, Any]]:
        """Begin a game."""
        super().reset(seed=seed)
        if seed is not None:
            self._draw = random.Random(seed).random
        self.game.reset(seed)
        self._side = self.game.agent_selection
        self._seen = self.game.observe(self._side)
        return self._seen["observation"], {}

    def step(self, action: int) -> Answer:
        """Move, and let the other side answer."""
        game, side = self.game, self._side
        game.step(int(action))
        if not game.terminations[side]:
            legal = game.observe(game.agent_selection)["action_mask"].nonzero()[0]
            game.step(legal.item(int(self._draw() * legal.size)))
        self._seen = game.observe(side)
        return self._seen["observation"], game.rewards[side], game.terminations[side], game.truncations[side], {}

    def action_masks(self) -> npt.NDArray[Any]:
        """The legal moves, (7,)."""
        return self._seen["action_mask"]


class ConnectFourTurns(ConnectFour):
    """Connect four as in PettingZoo's tutorial: the learner makes the moves of both sides.

    The observation is the next mover's, the reward the last mover's.
    """

    def step(self, action: int) -> Answer:
        """Move for the side whose turn it is."""
        game, mover = self.game, self.game.agent_selection
        game.step(int(action))
        self._seen = game.observe(game.agent_selection)
        return self._seen["observation"], game.rewards[mover], game.terminations[mover], game.truncations[mover], {}
