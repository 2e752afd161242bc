"""Gymnasium: one seat of a game as a single-agent environment, `gymnasium.make("riverbed_env:riverbed/Hunt-v1", …)`."""

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import gymnasium
import numpy as np
import numpy.typing as npt

from riverbed_env.core.options import check_reset_options, check_whole, whole
from riverbed_env.core.picture import SIZE
from riverbed_env.errors import EpisodeOverError, IllegalActionError
from riverbed_env.kernels.random import MAX_SEED, check_seed
from riverbed_env.registry import find_game

from .learner import LearnerBatch, check_learner_options
from .rendering import Rendering, available_modes
from .shown import Shown
from .single import METADATA


def folded_seed(seed: Any) -> Any:
    """A seed larger than ours as one of ours: Gymnasium's may be of any size."""
    if not isinstance(seed, int | np.integer) or seed <= MAX_SEED:
        return seed  # what isn't a seed is refused with the others
    return int(np.random.SeedSequence(int(seed)).generate_state(1, np.uint64)[0] >> np.uint64(1))


class LearnerEnv(gymnasium.Env[Any, np.int64]):
    """One seat of a game; the others are agents and play between its steps.

    Games of a seed are numbered from 0; `reset` without a seed deals the next number.

    `info["action_mask"]` (A,) int8 is the action mask, and so is `action_masks()` (A,) bool, which MaskablePPO calls;
    `info["seat"]` is the learner's seat, `info["game_number"]` the game's number, and `info["illegal"]` counts the
    illegal actions so far. At the end `info["columns"]` says what the game was: winner, decisions, roles and more, by
    name.

    Args:
        game: Its versioned name.
        mask_in: "info" (observations are vectors) or "observation" (a dictionary holds the mask too), see `Shown`.
        dtype: "int8" or "float32", of the observation's vector.
        render_mode: "ansi", "rgb_array", "human" or None, see `Rendering`.
        render_size: Width and height of an image in pixels, each 160 to 8192.
        render_panels: "all", or "board" for the middle of the table alone.
        options: Those of `LearnerBatch` but for `autoreset`: role, opponents, features, on_illegal, rewards, the game's
            own and others.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """

    metadata = METADATA

    def __init__(
        self,
        game: str,
        *,
        mask_in: str = "info",
        dtype: str = "int8",
        render_mode: str | None = None,
        render_size: Sequence[int] = SIZE,
        render_panels: str = "all",
        **options: Any,
    ) -> None:
        self._rendering = Rendering(render_mode, render_size, render_panels)
        self.render_mode = render_mode
        self.metadata = {**METADATA, "render_modes": available_modes()}
        known = find_game(game)
        check_learner_options(known, options, LearnerEnv.__init__, fixed=("autoreset",))
        self.learner = learner = LearnerBatch(known, 1, autoreset="off", **options)
        self._dealt = False
        self._shown = Shown(learner.low, learner.high, learner.game.actions.size, mask_in, dtype)
        self.observation_space = self._shown.space()
        self.action_space = gymnasium.spaces.Discrete(self.learner.game.actions.size)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Deal the next game, game 0 of a seed, or the one in `options`, and play to the learner's first decision.

        Args:
            seed: 0 or more; a seed of 2**63 or more stands for a smaller one. None keeps the seed.
            options: {"game_number": k} deals game k of the seed, 0 to 2**62; others are ignored with a warning.

        Returns:
            The observation and the info.

        Raises:
            SeedError: This isn't a seed.
            OptionError: The options aren't a mapping, or the number is out of range.
        """
        checked = None if seed is None else check_seed(folded_seed(seed))
        self.learner.begin(checked, check_reset_options(options))
        super().reset(seed=checked)
        self._dealt = True
        if self.render_mode == "human":
            self.render()
        return self._observation(), self._info()

    def step(self, action: np.int64 | int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Take the learner's action and play to its next decision or the end.

        Args:
            action: The id of the action, an integer.

        Returns:
            Observation, reward, terminated, truncated and info.

        Raises:
            IllegalActionError: The action is illegal and `on_illegal="raise"`, or it isn't an integer.
            EpisodeOverError: The game is over or not dealt.
        """
        if not self._dealt or self.learner.over[0]:
            raise EpisodeOverError("step() after the end of the game, or before reset(): call reset() first")
        given = whole(action)
        if given is None:
            raise IllegalActionError(f"an action must be an integer, not {action!r}")
        learner = self.learner
        learner.step(np.array([given]))
        if self.render_mode == "human":
            self.render()
        ended = (bool(learner.terminated[0]), bool(learner.truncated[0]))
        return self._observation(), float(learner.reward[0]), *ended, self._info()

    def _observation(self) -> Any:
        return self._shown.show(self.learner.observation[0], self.learner.action_mask[0])

    def _info(self) -> dict[str, Any]:
        learner = self.learner
        ended = bool(learner.terminated[0] or learner.truncated[0])
        return {
            "action_mask": learner.action_mask[0].copy(),
            "seat": int(learner.seat[0]),
            "game_number": int(learner.game_number[0]),
            "illegal": learner.illegal,
            **({"columns": learner.ended_rows()[0]} if ended else {}),
        }

    def action_masks(self) -> npt.NDArray[np.bool_]:
        """Which actions are legal.

        Returns:
            (A,) bool.
        """
        return np.array(self.learner.action_mask[0], np.bool_)

    def describe_action(self, action: int) -> str:
        """An action in plain English, as the learner would mean it now.

        Args:
            action: The id of the action.

        Returns:
            The words.

        Raises:
            OptionError: There is no such action.
        """
        learner = self.learner
        check_whole("action", action, 0, learner.game.actions.size - 1)
        batch = learner.tables.batch
        return str(learner.game.words.describe_action(batch.pack, batch.games[0], action, int(learner.seat[0])))

    def render(self) -> str | npt.NDArray[np.uint8] | None:
        """The table as the learner's seat knows it.

        Without a render mode it warns and gives None.

        Returns:
            Text ("ansi"), an image, (height, width, 3) uint8 ("rgb_array"), or None ("human"): the text is printed.
        """
        if self.render_mode is None:
            gymnasium.logger.warn("render() needs render_mode='ansi', 'rgb_array' or 'human'")
            return None
        learner = self.learner
        batch = learner.tables.batch
        seat = int(learner.seat[0])
        how = replace(self._rendering, mode=self.render_mode)
        return how.render(learner.game, batch.pack, batch.games, batch.params, seat)
