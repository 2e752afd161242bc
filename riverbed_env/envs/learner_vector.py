"""Gymnasium: a learner's seat in many games at once, `gymnasium.make_vec("riverbed_env:riverbed/Hunt-v1", …)`."""

from __future__ import annotations

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .learner import LearnerBatch

Vectors = npt.NDArray[np.int8]
Step = tuple[Vectors, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]

MODES = {AutoresetMode.SAME_STEP: "same_step", AutoresetMode.NEXT_STEP: "next_step"}


def _autoreset_mode(given: object) -> AutoresetMode:
    for mode in MODES:
        if given in (mode, mode.value):
            return mode
    allowed = " or ".join(repr(mode.value) for mode in MODES)
    raise OptionError(f"autoreset_mode must be {allowed}, not {given!r}")


class LearnerVectorEnv(gymnasium.vector.VectorEnv[Vectors, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """A learner's seat in `num_envs` games; options as in `LearnerBatch`.

    autoreset_mode: "SameStep" or "NextStep" (Gymnasium's `AutoresetMode`); `metadata["autoreset_mode"]` says which.
    `infos["action_mask"]` (num_envs, A) int8 is the action mask; in SAME_STEP, `infos["final_obs"]` and
    `infos["final_info"]` hold what the learner saw last of the games that ended, where `infos["_final_obs"]` is true.
    `infos["illegal"]` counts the illegal actions so far. Arrays are new at every call.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        autoreset_mode: str | AutoresetMode = AutoresetMode.SAME_STEP,
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        mode = _autoreset_mode(autoreset_mode)
        if render_mode is not None:
            raise OptionError("many games at once aren't drawn: render_mode must be None")
        self._learner = LearnerBatch(find_game(game), num_envs, autoreset=MODES[mode], **options)
        self.num_envs = num_envs
        self.render_mode = None
        self.metadata = {"autoreset_mode": mode, "render_modes": []}
        self.single_observation_space = gymnasium.spaces.Box(self._learner.low, self._learner.high, dtype=np.int8)
        self.single_action_space = gymnasium.spaces.Discrete(self._learner.game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    @property
    def learner(self) -> LearnerBatch:
        """The batch that this environment is made of."""
        return self._learner

    def reset(
        self, *, seed: int | list[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Vectors, dict[str, Any]]:
        """Deal all games again. seed: one number for all environments, as games are numbered under one seed."""
        if isinstance(seed, list):
            raise OptionError("games are numbered under one seed: give one number, not a list")
        self._learner.begin(seed)
        return self._learner.observation.copy(), self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Take the learner's action in every environment and play to its next decision; see `LearnerBatch.step`."""
        learner = self._learner
        learner.step(actions)
        infos = self._infos()
        if self.metadata["autoreset_mode"] is AutoresetMode.SAME_STEP:
            self._note_ends(infos)
        ended = learner.terminated.copy(), learner.truncated.copy()
        return learner.observation.copy(), learner.reward.astype(np.float64), *ended, infos

    def render(self) -> None:
        """Draws nothing and warns."""
        gymnasium.logger.warn("many games at once aren't drawn")

    def _infos(self) -> dict[str, Any]:
        every = np.ones(self.num_envs, np.bool_)
        given = {
            "action_mask": self._learner.action_mask.copy(),
            "seat": self._learner.seat.copy(),
            "game_number": self._learner.game_number.copy(),
        }
        return {**given, **{f"_{name}": every for name in given}, "illegal": self._learner.illegal}

    def _note_ends(self, infos: dict[str, Any]) -> None:
        learner = self._learner
        ended = learner.terminated | learner.truncated
        if ended.any():
            final = np.full(self.num_envs, None, object)
            for index in np.flatnonzero(ended):
                final[index] = learner.final_observation[index].copy()
            infos["final_obs"], infos["_final_obs"] = final, ended
            infos["final_info"] = {
                "action_mask": learner.final_mask.copy(),
                "_action_mask": ended,
                "game_number": learner.ended_game.copy(),
                "_game_number": ended,
            }
            infos["_final_info"] = ended

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal, (num_envs, A) bool."""
        return self._learner.action_mask.astype(np.bool_)
