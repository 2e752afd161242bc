"""Stable-Baselines3: a learner's seat in many games at once, as a vector environment that serves its own action masks.

env = LearnerVecEnv("riverbed_hunt_v1", 512, role="separatist", opponents="rule_based", num_players=7, seed=0)
MaskablePPO("MlpPolicy", env).learn(1_000_000)
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from itertools import pairwise
from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from riverbed_env.core.batch import MOST_ENVS, Vectors, read_actions
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_integers, check_whole
from riverbed_env.errors import OptionError, StateError
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.players.arena import check_arrays
from riverbed_env.registry import find_game

from .learner import LearnerBatch, check_learner_options

MASKS = "action_masks"


def _player_counts(game: Game, num_envs: int, num_players: int | Sequence[int] | None) -> list[int]:
    """The player counts to divide the environments among. Raises OptionError if there are none, or too many."""
    given = game.default_players if num_players is None else num_players
    counts: list[int] = check_integers("num_players", given, game.min_players, game.max_players).tolist()
    if num_envs < len(counts) or not counts:
        raise OptionError(f"{num_envs} environments can't be divided among {len(counts)} player counts")
    return counts


class LearnerVecEnv(VecEnv):
    """`num_envs` games in which the learner has one seat; see `LearnerBatch` for the options.

    Observations are int8 vectors (n, D), rewards float32 (n,); a game that ends is followed at once by the next, and
    its info holds `terminal_observation`, `TimeLimit.truncated`, `episode` (return `r`, decisions `l`, seconds `t`) and
    `columns`, what the game was: winner, decisions, roles and more, by name.
    `num_players` may be several numbers, which the environments are divided among. MaskablePPO asks for the masks by
    `env_method("action_masks")`. Raises OptionError for invalid options.
    """

    def __init__(
        self,
        game: str,
        num_envs: int,
        *,
        num_players: int | Sequence[int] | None = None,
        seed: int | None = None,
        **options: Any,
    ) -> None:
        known = find_game(game)
        check_learner_options(known, options, type(self).__init__, LearnerVecEnv.__init__)
        check_whole("num_envs", num_envs, 1, MOST_ENVS)
        counts = _player_counts(known, num_envs, num_players)
        if options.pop("autoreset", "same_step") != "same_step":
            raise OptionError("Stable-Baselines3 deals the next game in the step that ends one: autoreset='same_step'")
        bounds = [num_envs * place // len(counts) for place in range(len(counts) + 1)]
        self._slices = [slice(*pair) for pair in pairwise(bounds)]
        self.parts = [
            LearnerBatch(known, share.stop - share.start, seed=seed, num_players=count, **options)
            for count, share in zip(counts, self._slices)
        ]
        first = self.parts[0]
        self.reward_sums = np.zeros(num_envs, np.float64)
        self.lengths = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(
            num_envs,
            gymnasium.spaces.Box(first.low, first.high, dtype=np.int8),
            gymnasium.spaces.Discrete(known.actions.size),
        )

    def _together(self, name: str) -> npt.NDArray[Any]:
        """An array of all environments, new each time."""
        if len(self.parts) == 1:
            alone: npt.NDArray[Any] = getattr(self.parts[0], name).copy()
            return alone
        return np.concatenate([getattr(part, name) for part in self.parts])

    def _rows(self, name: str, indices: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
        """An array of these environments, in ascending order; a copy, so that the others' isn't kept alive."""
        if len(self.parts) == 1:
            alone: npt.NDArray[Any] = getattr(self.parts[0], name)[indices]
            return alone
        shares = [indices[(indices >= share.start) & (indices < share.stop)] - share.start for share in self._slices]
        return np.concatenate([getattr(part, name)[mine] for part, mine in zip(self.parts, shares)])

    def action_masks(self) -> Vectors:
        """The action masks of all environments, (n, A)."""
        return self._together("action_mask")

    def reset(self) -> Vectors:
        """Deal all games again; the numbers continue unless `seed` was called before."""
        for part in self.parts:
            part.begin(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self.reward_sums[:] = 0
        self.lengths[:] = 0
        return self._together("observation")

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Set the seed of the next `reset`; None draws one. Returns it once for each environment.

        Games are numbered under one seed. Raises SeedError, with nothing changed, if the seed is invalid.
        """
        self._seeds = [fresh_seed() if seed is None else check_seed(seed)] * self.num_envs
        return list(self._seeds)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Store the actions for `step_wait`."""
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play to each environment's next decision. Raises IllegalActionError as `LearnerBatch` does."""
        actions = read_actions(self._actions, self.num_envs)
        if len(self.parts) > 1:  # a single part checks before it changes anything
            for part, indices in zip(self.parts, self._slices):
                part.check(actions[indices])
        for part, indices in zip(self.parts, self._slices):
            part.step(actions[indices])
        rewards, done = self._together("reward"), self._together("terminated") | self._together("truncated")
        self.reward_sums += rewards
        self.lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(done)
        if len(ended):
            self._note_ends(ended, infos)
        return self._together("observation"), rewards, done, infos

    def _note_ends(self, ended: npt.NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        final, truncated = self._rows("final_observation", ended), self._rows("truncated", ended).tolist()
        returns, lengths = self.reward_sums[ended].tolist(), self.lengths[ended].tolist()
        seconds = round(time.time() - self._begun, 6)
        rows = [row for part in self.parts for row in part.ended_rows()]
        for place, index in enumerate(ended.tolist()):
            infos[index] = {
                "terminal_observation": final[place],
                "TimeLimit.truncated": truncated[place],
                "columns": rows[place],
                "episode": {"r": returns[place], "l": lengths[place], "t": seconds},
            }
        self.reward_sums[ended] = 0
        self.lengths[ended] = 0

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """The exact state, as copies of arrays by name."""
        state: dict[str, npt.NDArray[Any]] = {"reward_sums": self.reward_sums.copy(), "lengths": self.lengths.copy()}
        for number, part in enumerate(self.parts):
            state |= {f"part_{number}/{name}": array for name, array in part.get_state().items()}
        return state

    def set_state(self, state: dict[str, npt.NDArray[Any]]) -> Vectors:
        """Restore what `get_state` gave. Returns the observations, (n, D).

        Raises StateError, with nothing changed, if it isn't sound or of other games.
        """
        check_arrays(state, {"reward_sums": self.reward_sums, "lengths": self.lengths})
        before = [part.snapshot() for part in self.parts]
        try:
            for number, part in enumerate(self.parts):
                mark = f"part_{number}/"
                part.set_state({name[len(mark) :]: array for name, array in state.items() if name.startswith(mark)})
        except StateError:
            for part, kept in zip(self.parts, before):
                part.go_back(kept)
            raise
        self.reward_sums[:] = state["reward_sums"]
        self.lengths[:] = state["lengths"]
        return self._together("observation")

    def close(self) -> None:
        """Does nothing: no resource is held."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute, the same for each environment."""
        if attr_name == "render_mode":
            return [None for _ in self._get_indices(indices)]
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def has_attr(self, attr_name: str) -> bool:
        """Whether the environment has an attribute; `action_masks` is one."""
        return hasattr(self, attr_name)

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute for all environments."""
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method; for `action_masks` the mask of each environment, (A,)."""
        wanted = self._get_indices(indices)
        if method_name == MASKS:
            masks = self.action_masks()
            return list(masks) if indices is None else [masks[index] for index in wanted]
        return [getattr(self, method_name)(*method_args, **method_kwargs) for _ in wanted]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """No environment is wrapped."""
        return [False for _ in self._get_indices(indices)]
