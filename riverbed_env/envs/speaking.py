"""A reward for what claims do to beliefs (RH-9), around Stable-Baselines3's vector environment.

After Sarkar et al., "Training language models for social deduction with multi-agent reinforcement learning" (2025): who
speaks is rewarded for the change in what the others believe of the truth, or, if its camp lives by lies, punished.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from stable_baselines3.common.vec_env.base_vec_env import VecEnvStepReturn

from riverbed_env.core.batch import read_actions
from riverbed_env.core.game import Game, take_records
from riverbed_env.deduction import Deduction
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import CAMP_OF, Camp, Question

from .learner import LearnerBatch
from .sb3 import LearnerVecEnv

LEAST = 1e-6  # a probability below counts as this
SIGNS = np.where(np.array(CAMP_OF) == Camp.MERCHANTS, 1.0, -1.0)  # by role


def check_speaks(game: Game, options: dict[str, Any]) -> None:
    """Raise OptionError unless claims are made in games with these options."""
    if game is not RIVERBED_HUNT or options.get("talk", "none") == "none":
        raise OptionError("a reward for speaking needs riverbed_hunt_v1 with the option talk='claims' or 'text'")


class SpeakingVecEnv(LearnerVecEnv):
    """A `LearnerVecEnv` that adds to the reward of each step in which the learner makes a claim.

    What is added: `speaking` times the change that the claim makes, at once, in the mean log of what an onlooker gives
    to the true role of each seat (`Deduction`), for the merchants' camp; for the others, minus that. Infos and the
    `reward` of `learner` hold the game's own rewards. Raises OptionError for games without talk.
    """

    def __init__(self, game: str, num_envs: int, *, speaking: float = 0.1, **options: Any) -> None:
        super().__init__(game, num_envs, **options)
        check_speaks(self.learner.game, options)
        self.speaking = speaking

    def step_wait(self) -> VecEnvStepReturn:
        """As `LearnerVecEnv`; rewards (n,) float32 with what claims earned."""
        earned = self.speaking * shifts(self.learner, read_actions(self._actions, self.num_envs))
        observations, rewards, done, infos = super().step_wait()
        return observations, (rewards + earned).astype(np.float32), done, infos


def shifts(learner: LearnerBatch, actions: npt.NDArray[Any]) -> npt.NDArray[np.float64]:
    """What the claims that these actions make are worth to the learners' camps, (n,); 0 where none is made."""
    batch, kernels, worth = learner.tables.batch, learner.game.kernels, np.zeros(learner.num_envs)
    asked = batch.games["table"]["question"]
    speaking = np.flatnonzero((asked == Question.FLOOR) | (asked == Question.ABOUT))
    for places, params in batch.by_set(speaking):
        rows = speaking[places]
        before, after = (take_records(batch.games, rows) for _ in range(2))
        for place, row in enumerate(rows):
            kernels.step(after[place], params[0], int(actions[row]))
        claimed = after["table"]["said_count"] != before["table"]["said_count"]
        if claimed.any():
            rows, before, after = rows[claimed], before[claimed], after[claimed]
            roles, deduction = learner.game.roles_of(before).astype(np.int64), Deduction.of(params)
            change = _grasp(deduction, after, roles) - _grasp(deduction, before, roles)
            worth[rows] = SIGNS[roles[np.arange(len(rows)), learner.seat[rows]]] * change
    return worth


def _grasp(deduction: Deduction, games: npt.NDArray[np.void], roles: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The mean log of what an onlooker gives to the true roles, (games,)."""
    posteriors = deduction.roles(deduction.public_views(games))
    given = np.take_along_axis(posteriors, roles[:, :, None], axis=2)[:, :, 0]
    mean: npt.NDArray[np.float64] = np.log(np.maximum(given, LEAST)).mean(axis=1)
    return mean
