"""Scores of what agents believe about the roles of others: log-loss, Brier score, calibration, readability."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError

from ..statistics import Mean, Rate, clustered_mean, clustered_rate

BINS = 10  # of equal width, from 0 to 1
SMALLEST = 1e-9  # a chance below counts as this much, so that one certain mistake costs 20.7 nats, not infinity
ROUNDING = 1e-3  # by which chances may miss a sum of 1, or be below 0

Floats = npt.NDArray[np.float64]
Integers = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Bin:
    """Claims of about the same chance: the mean chance claimed, and how often the claim was true.

    A claim is "this seat has this role"; its `observed.games` are claims, and the interval is clustered by game.
    """

    predicted: float
    observed: Rate


@dataclass(frozen=True)
class Scores:
    """How good posteriors are: a seat's log-loss in nats and Brier score (0 to 2), and the bins that hold claims."""

    log_loss: Mean
    brier: Mean
    bins: tuple[Bin, ...]


@dataclass(frozen=True)
class Compared:
    """The scores of the posteriors and of the reference on the same seats; None without a reference."""

    own: Scores
    reference: Scores | None


@dataclass(frozen=True)
class Readability:
    """An observer's log-loss, in nats, about seats of one role: low means that the role gives itself away."""

    own: Mean
    reference: Mean | None


@dataclass(frozen=True)
class Inference:
    """The scores over all, by group (turn, or tenth of the game), and the log-loss by the true role of a seat."""

    overall: Compared
    by_group: Mapping[int, Compared]
    by_role: Mapping[str, Readability]


def score(
    posteriors: npt.ArrayLike,
    truth: npt.ArrayLike,
    counted: npt.ArrayLike,
    group: npt.ArrayLike,
    game: npt.ArrayLike,
    roles: Sequence[str],
    reference: npt.ArrayLike | None = None,
) -> Inference:
    """Score posteriors over roles against the roles that were; intervals are clustered by game.

    `posteriors` and `reference` are (n, seats, roles) chances, one row a moment of one observer; `truth` (n, seats)
    int role numbers; `counted` (n, seats) bool which seats count (present, not the observer, not yet revealed);
    `group` and `game` (n,) int. Raises OptionError if posteriors aren't chances.
    """
    which = np.asarray(counted, np.bool_)
    row = np.nonzero(which)[0]
    right = np.asarray(truth, np.int64)[which]
    if len(right) == 0:
        raise OptionError("no seat counts: there is nothing to score")
    games, groups = np.asarray(game, np.int64)[row], np.asarray(group, np.int64)[row]
    both = [_chances(posteriors, which, len(roles))]
    both += [] if reference is None else [_chances(reference, which, len(roles))]

    def compare(among: npt.NDArray[np.bool_]) -> Compared:
        scores = [_scores(chances[among], right[among], games[among]) for chances in both]
        return Compared(scores[0], scores[1] if len(scores) > 1 else None)

    return Inference(
        compare(np.ones(len(right), np.bool_)),
        {int(each): compare(groups == each) for each in np.unique(groups)},
        {roles[each]: _readability(both, right, games, int(each)) for each in np.unique(right)},
    )


def _chances(posteriors: npt.ArrayLike, which: npt.NDArray[np.bool_], roles: int) -> Floats:
    """The chances of the seats that count, (seats that count, roles). Raises OptionError unless they are chances."""
    chances = np.asarray(posteriors)[which].astype(np.float64)
    if chances.shape[1] != roles:
        raise OptionError(f"posteriors are over {chances.shape[1]} roles, but there are {roles}")
    sums = chances.sum(axis=1)
    if not (np.isfinite(sums).all() and (chances >= -ROUNDING).all() and (np.abs(sums - 1) <= ROUNDING).all()):
        raise OptionError("posteriors must be chances: 0 or more, with a sum of 1 over the roles of a seat")
    checked: Floats = np.clip(chances / sums[:, None], 0.0, 1.0)
    return checked


def _scores(chances: Floats, right: Integers, games: Integers) -> Scores:
    claimed = np.zeros_like(chances)
    claimed[np.arange(len(right)), right] = 1
    brier = ((chances - claimed) ** 2).sum(axis=1)
    return Scores(
        clustered_mean(_log_losses(chances, right), games),
        clustered_mean(brier, games),
        _bins(chances.ravel(), claimed.ravel() > 0, np.repeat(games, chances.shape[1])),
    )


def _log_losses(chances: Floats, right: Integers) -> Floats:
    given: Floats = np.maximum(chances[np.arange(len(right)), right], SMALLEST)
    return -np.log(given)


def _bins(predicted: Floats, happened: npt.NDArray[np.bool_], games: Integers) -> tuple[Bin, ...]:
    number = np.minimum((predicted * BINS).astype(np.int64), BINS - 1)
    members = [number == each for each in range(BINS)]
    return tuple(
        Bin(float(predicted[among].mean()), clustered_rate(happened[among], games[among]))
        for among in members
        if among.any()
    )


def _readability(both: list[Floats], right: Integers, games: Integers, role: int) -> Readability:
    among = right == role
    means = [clustered_mean(_log_losses(chances[among], right[among]), games[among]) for chances in both]
    return Readability(means[0], means[1] if len(means) > 1 else None)
