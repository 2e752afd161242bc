"""What learners take from the deduction: a reward for what claims do to beliefs (RH-9), and roles to predict.

After Sarkar et al., "Training language models for social deduction with multi-agent reinforcement learning" (2025):
who speaks is rewarded for the change in what the others believe of the truth, or, if its camp lives by lies, punished;
and listeners predict who the impostor is.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game, take_records
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import CAMP_OF, MAX_SEATS, NUM_ROLES, Camp, Question

from .service import Deduction

PERCENT = 100
LEAST = 1e-6  # a probability below counts as this
SIGNS = np.where(np.array(CAMP_OF) == Camp.MERCHANTS, 1.0, -1.0)  # by role


def check_speaks(game: Game, options: dict[str, Any]) -> None:
    """Raise OptionError unless claims are made in games with these options."""
    if game is not RIVERBED_HUNT or options.get("talk", "none") == "none":
        raise OptionError("a reward for speaking needs riverbed_hunt_v1 with the option talk='claims' or 'text'")


def check_deduces(game: Game) -> None:
    """Raise OptionError unless there is a deduction of this game's roles."""
    if game is not RIVERBED_HUNT:
        raise OptionError(f"a listening target needs {RIVERBED_HUNT.id}, whose roles can be deduced, not {game.id}")


def role_targets(batch: Batch, seats: npt.NDArray[np.int64]) -> npt.NDArray[np.int8]:
    """The posterior of each seat's role in percent, given what one seat of each game knows.

    Args:
        batch: n games.
        seats: the seat that deduces, (n,).

    Returns:
        (n, MAX_SEATS, NUM_ROLES), the deducing seat first, then clockwise; rows past the players are 0.
    """
    targets = np.zeros((len(seats), MAX_SEATS, NUM_ROLES), np.int8)
    for places, params in batch.by_set():
        rows = np.arange(batch.num_envs)[places]
        roles = Deduction.of(params).roles(batch.look(seats[rows], rows))
        players = roles.shape[1]
        clockwise = (seats[rows, None] + np.arange(players)) % players
        turned = np.take_along_axis(roles, clockwise[:, :, None], axis=1)
        targets[rows, :players] = np.rint(PERCENT * turned)
    return targets


def claim_rewards(
    batch: Batch, seats: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]
) -> npt.NDArray[np.float64]:
    """What the claims that these actions make are worth to the speakers' camps, before the actions are taken.

    For the merchants' camp it is the change that the claim makes, at once, in the mean log of what an onlooker gives to
    the true role of each seat; for the others, minus that.

    Args:
        batch: n games that wait for these seats.
        seats: who acts in each, (n,).
        actions: what it does, (n,).

    Returns:
        (n,); 0 where no claim is made.
    """
    rewards = np.zeros(len(seats))
    asked = batch.games["table"]["question"]
    speaking = np.flatnonzero((asked == Question.FLOOR) | (asked == Question.ABOUT))
    for places, params in batch.by_set(speaking):
        rows = speaking[places]
        before, after = (take_records(batch.games, rows) for _ in range(2))
        for place, row in enumerate(rows):
            batch.game.kernels.step(after[place], params[0], int(actions[row]))
        claimed = after["table"]["said_count"] != before["table"]["said_count"]
        if claimed.any():
            rows, before, after = rows[claimed], before[claimed], after[claimed]
            deduction, roles = Deduction.of(params), batch.game.roles_of(before).astype(np.int64)
            change = _grasp(deduction, after, roles) - _grasp(deduction, before, roles)
            rewards[rows] = SIGNS[roles[np.arange(len(rows)), seats[rows]]] * change
    return rewards


def _grasp(deduction: Deduction, games: npt.NDArray[np.void], roles: npt.NDArray[np.int64]) -> npt.NDArray[np.float64]:
    """The mean log of what an onlooker gives to the true roles, (games,)."""
    posteriors = deduction.roles(deduction.public_views(games))
    given = np.take_along_axis(posteriors, roles[:, :, None], axis=2)[:, :, 0]
    mean: npt.NDArray[np.float64] = np.log(np.maximum(given, LEAST)).mean(axis=1)
    return mean
