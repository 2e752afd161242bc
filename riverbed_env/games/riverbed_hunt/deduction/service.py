"""What `Game` asks the deduction: posteriors over roles, full states that look the same, and rewards for claims (RH-9).

The reward is after Sarkar et al., "Training language models for social deduction with multi-agent reinforcement
learning" (2025): who speaks is rewarded for the change in what the others believe of the truth, or, if its camp lives
by lies, punished.
"""

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records, take_records
from riverbed_env.core.options import check_choice
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Records, Whole

from ..rules import engine
from ..rules.state import VIEW, look
from ..rules.vocab import CAMP_OF, MAX_SEATS, NUM_ROLES, PUBLIC, Camp, Question
from .evidence import EVIDENCE
from .posterior import DEAF, PLAYING, UNIFORM_CHOICE, weigh_all
from .resample import resample_all

MODELS = {"playing": PLAYING, "uniform": UNIFORM_CHOICE, "deaf": DEAF}
LEAST = 1e-6  # a probability below counts as this
SIGNS = np.where(np.array(CAMP_OF) == Camp.MERCHANTS, 1.0, -1.0)  # by role


def beliefs(views: Records, params: Records, model: str) -> Floats:
    """The posterior of every seat's role for each view, (n, num_players, roles); see `Game.beliefs`."""
    posteriors = np.zeros((len(views), MAX_SEATS, NUM_ROLES))
    weigh_all(*_checked(views, params, model), posteriors)
    return posteriors[:, : int(params["num_players"][0])]


def draw_games(views: Records, params: Records, model: str, streams: Records, games: Records) -> None:
    """Write a game for each view that looks the same to its seat; see `Game.resample`."""
    resample_all(*_checked(views, params, model), streams, games)


def public_views(games: Records) -> Records:
    """What everybody knows of each game, (n,) view records: an onlooker's views, for `beliefs`."""
    views = np.zeros(len(games), VIEW)
    for index in range(len(games)):
        look(games[index], PUBLIC, views[index])
    return views


def _checked(views: Records, params: Records, model: str) -> tuple[Records, Records, Records, int]:
    """What the loops take. Raises OptionError for another model, and for views of games of another pack."""
    check_choice("model", model, tuple(MODELS))
    table, in_play = views["table"], params["tiles"][0][: int(params["num_tiles"][0])] - 1
    possible = views["public"]["possible"] != 0
    fits = table["occupied"] == params["layout_spaces"][0][table["layout"]]
    fits &= (possible.sum(axis=1) == len(in_play)) & possible[:, in_play].all(axis=1)
    if not fits.all():
        raise OptionError("the views are of games of another pack: the tiles in play aren't those of the params")
    return copy_records(views), params, np.zeros(1, EVIDENCE), MODELS[model]


def claim_rewards(batch: Batch, seats: Whole, actions: Whole) -> Floats:
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
            engine.step(after[place], params[0], int(actions[row]))
        claimed = after["table"]["said_count"] != before["table"]["said_count"]
        if claimed.any():
            rows, before, after = rows[claimed], before[claimed], after[claimed]
            roles = batch.game.roles_of(before).astype(np.int64)
            change = _grasp(after, params, roles) - _grasp(before, params, roles)
            rewards[rows] = SIGNS[roles[np.arange(len(rows)), seats[rows]]] * change
    return rewards


def _grasp(games: Records, params: Records, roles: Whole) -> Floats:
    """The mean log of what an onlooker gives to the true roles, (games,)."""
    given = np.take_along_axis(beliefs(public_views(games), params, "playing"), roles[:, :, None], axis=2)[:, :, 0]
    mean: Floats = np.log(np.maximum(given, LEAST)).mean(axis=1)
    return mean
