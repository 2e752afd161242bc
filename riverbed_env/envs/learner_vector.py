"""Gymnasium: a learner's seat in many games at once, `gymnasium.make_vec("riverbed_env:riverbed/Hunt-v1", …)`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt
from gymnasium.vector import AutoresetMode
from gymnasium.vector.utils import batch_space

from riverbed_env.errors import OptionError, SeedError
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.registry import find_game

from .learner import LearnerBatch, check_learner_options
from .learner_env import folded_seed
from .shown import Shown

Step = tuple[Any, npt.NDArray[np.float64], npt.NDArray[np.bool_], npt.NDArray[np.bool_], dict[str, Any]]


def _one_seed(given: int | Sequence[int | None] | None, num_envs: int) -> int | None:
    """The seed that is given, or that a list stands for; None if all are None. Another order is another seed."""
    seeds: Any = given.tolist() if isinstance(given, np.ndarray) else given
    if isinstance(seeds, str | bytes) or not isinstance(seeds, Sequence):
        return folded_seed(given)  # type: ignore[no-any-return]  # what isn't a seed is refused with the others
    if len(seeds) != num_envs:
        raise SeedError(f"seed must be one number or a list of {num_envs}, not of {len(seeds)}")
    if all(each is None for each in seeds):
        return None
    mixed = np.random.SeedSequence([fresh_seed() if each is None else check_seed(folded_seed(each)) for each in seeds])
    return int(mixed.generate_state(1, np.uint64)[0] >> np.uint64(1))


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
        render_mode: None alone.
        options: Those of `LearnerBatch` but for `autoreset`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        SeedError: The seed isn't an integer or is out of range.
        PackError: The content pack can't be read or breaks a rule.
    """

    def __init__(
        self,
        game: str,
        num_envs: int = 1,
        *,
        mask_in: str = "info",
        dtype: str = "int8",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        if render_mode is not None:
            raise OptionError("many games at once aren't drawn: render_mode must be None")
        known = find_game(game)
        check_learner_options(known, options, LearnerVectorEnv.__init__, fixed=("autoreset",))
        self.learner = LearnerBatch(known, num_envs, **options)
        self.num_envs = num_envs
        self.render_mode = None
        self.metadata = {"autoreset_mode": AutoresetMode.SAME_STEP, "render_modes": []}
        learner = self.learner
        self._shown = Shown(learner.low, learner.high, learner.game.actions.size, mask_in, dtype)
        self.single_observation_space = self._shown.space()
        self.single_action_space = gymnasium.spaces.Discrete(self.learner.game.actions.size)
        self.observation_space = batch_space(self.single_observation_space, num_envs)
        self.action_space = batch_space(self.single_action_space, num_envs)

    def reset(
        self, *, seed: int | Sequence[int | None] | None = None, options: dict[str, Any] | None = None
    ) -> tuple[Any, dict[str, Any]]:
        """Deal all games again.

        Args:
            seed: One number, under which the games are numbered, or a list that stands for one, with a number, or None,
                for each environment. None keeps the seed.
            options: Ignored.

        Returns:
            The observations (num_envs, D) and the infos.

        Raises:
            SeedError: This isn't such a seed; nothing has changed.
        """
        self.learner.begin(_one_seed(seed, self.num_envs))
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

    def render(self) -> None:
        """Draws nothing and warns."""
        gymnasium.logger.warn("many games at once aren't drawn")

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
