"""Gymnasium: a learner's seat in many games at once, `gymnasium.make_vec("riverbed_env:riverbed/Hunt-v1", …)`."""

from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from riverbed_env.registry import find_game

from .learner import LearnerBatch, check_learner_options
from .learner_env import folded_seed
from .shown import Shown

Step = tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


def _where(infos: dict[str, Any], there: npt.NDArray[np.bool_]) -> dict[str, Any]:
    """Infos with a flag for each environment that has them, in Gymnasium's way: "_name" for "name"."""
    return {**infos, **{f"_{name}": there.copy() for name in infos}}


class LearnerVectorEnv(gymnasium.vector.VectorEnv[Any, npt.NDArray[np.int64], npt.NDArray[Any]]):
    """A learner's seat in `num_envs` games.

    `infos["action_mask"]` (num_envs, A) int8 is the action mask, `infos["seat"]` (num_envs,) the learner's seat,
    `infos["game_number"]` (num_envs,) the game's number, and `infos["illegal"]` counts the illegal actions so far. The
    next game is dealt in the step that ends one (Gymnasium's SAME_STEP): `infos["final_obs"]` and `infos["final_info"]`
    hold what the learner saw last of the games that ended, where `infos["_final_obs"]` is true;
    `infos["final_info"]["columns"]` says what those games were: winner, decisions, roles and more, each (num_envs,).
    Arrays are new at every call.

    Args:
        game: Its versioned name.
        num_envs: How many games, 1 or more.
        mask_in: "info" (observations are vectors) or "observation" (a dictionary holds the mask too), see `Shown`.
        dtype: "int8" or "float32", of the observations' vectors.
        options: Those of `LearnerBatch` but for `autoreset`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        SeedError: The seed isn't an integer or is out of range.
        PackError: The content pack can't be read or breaks a rule.
    """

    def __init__(
        self, game: str, num_envs: int = 1, *, mask_in: str = "info", dtype: str = "int8", **options: Any
    ) -> None:
        known = find_game(game)
        check_learner_options(known, options, LearnerVectorEnv.__init__, fixed=("autoreset",))
        self.learner = learner = LearnerBatch(known, num_envs, **options)
        self.num_envs = num_envs
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        self._shown = Shown(learner.low, learner.high, learner.game.actions.size, mask_in, dtype)
        self.single_observation_space = self._shown.space()
        self.single_action_space = gymnasium.spaces.Discrete(self.learner.game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(self, *, seed: Any = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal all games again.

        Args:
            seed: One number for all, under which the games are numbered; None keeps the seed.
            options: Ignored.

        Returns:
            The observations (num_envs, D) and the infos.

        Raises:
            SeedError: This isn't one number; nothing has changed.
        """
        self.learner.begin(folded_seed(seed))
        return self._observations(), self._infos()

    def step(self, actions: npt.NDArray[np.int64]) -> Step:
        """Take the learner's action in every environment and play to its next decision; see `LearnerBatch.step`.

        Args:
            actions: (num_envs,) integers.

        Returns:
            Observations, rewards (num_envs,) float64, terminations and truncations (num_envs,) bool, and infos.

        Raises:
            IllegalActionError: An action is illegal and `on_illegal="raise"`, or these aren't num_envs integers;
                nothing has changed.
        """
        learner = self.learner
        learner.step(actions)
        infos = self._infos()
        ended = learner.terminated | learner.truncated
        if ended.any():
            self._note_ends(ended, infos)
        flags = learner.terminated.copy(), learner.truncated.copy()
        return self._observations(), learner.reward.astype(np.float64), *flags, infos

    def _observations(self) -> Any:
        return self._shown.show(self.learner.observation, self.learner.action_mask)

    def _infos(self) -> dict[str, Any]:
        given = {
            "action_mask": self.learner.action_mask.copy(),
            "seat": self.learner.seat.copy(),
            "game_number": self.learner.game_number.copy(),
        }
        return {**_where(given, np.ones(self.num_envs, np.bool_)), "illegal": self.learner.illegal}

    def _note_ends(self, ended: npt.NDArray[np.bool_], infos: dict[str, Any]) -> None:
        """Add what is known of the games that ended, (n,) bool, as Gymnasium's own vector environments do."""
        learner = self.learner
        columns = {}
        for name, column in learner.ended_columns().items():
            columns[name] = np.zeros(self.num_envs, column.dtype)
            columns[name][ended] = column
        final = np.full(self.num_envs, None, object)
        for index in np.flatnonzero(ended):
            final[index] = self._shown.show(learner.final_observation[index], learner.final_mask[index])
        told = {"action_mask": learner.final_mask.copy(), "game_number": learner.ended_game.copy()}
        told["columns"] = _where(columns, ended)
        infos |= _where({"final_obs": final, "final_info": _where(told, ended)}, ended)

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal.

        Returns:
            (num_envs, A) bool.
        """
        return self.learner.action_mask.astype(np.bool_)
