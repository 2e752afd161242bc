"""Rates, means, differences and scores with their intervals; how many games a comparison needs."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.schema import NOTHING_ELSE
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats

RESAMPLES = 2000  # of a paired bootstrap
SEED_RESAMPLES = 20_000  # of a bootstrap over training seeds: there are few of them, so it is cheap
FEWEST_SEEDS = 5  # of a training method, for an interval
LEVEL = 0.95  # of every interval
POWER = 0.80  # the chance that a planned comparison detects the difference it was planned for
WITHIN = 0.03  # of a win: the interval that games are counted for
WORTH_RESOLVING = 2.0  # points: tables of fewer games than this needs carry a warning


def in_points(value: float, low: float, high: float) -> str:
    """A difference from -1 to 1 and its interval, in points."""
    return f"{100 * value:+.1f} ({100 * low:+.1f} to {100 * high:+.1f})"


def columns(name: str, estimate: Rate | Mean | Difference) -> dict[str, float]:
    """An estimate as columns of a frame: its value, and the two ends of its interval."""
    return {name: estimate.value, f"{name}_low": estimate.low, f"{name}_high": estimate.high}


@dataclass(frozen=True)
class Rate:
    """The rate of an event in `games` games, with its 95 % Wilson interval (all from 0 to 1).

    `rate` makes it for independent games, `clustered_rate` for games that share deals.
    """

    __pydantic_config__ = NOTHING_ELSE

    happened: int
    games: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The rate; NaN without games."""
        return self.happened / self.games if self.games else float("nan")

    def __str__(self) -> str:
        if not self.games:
            return "–"
        return f"{100 * self.value:.1f} {100 * self.low:.1f}–{100 * self.high:.1f}"


def rate(happened: int, games: int) -> Rate:
    """A rate with its 95 % Wilson score interval (Wilson 1927), by SciPy; needs the "reports" extra."""
    if games == 0:
        return Rate(0, 0, 0.0, 1.0)
    from scipy.stats import binomtest

    interval = binomtest(int(happened), int(games)).proportion_ci(0.95, method="wilson")
    return Rate(int(happened), int(games), float(interval.low), float(interval.high))


def clustered_rate(happened: npt.ArrayLike, block: npt.ArrayLike) -> Rate:
    """How often something happened in games that share deals, with a 95 % interval that is robust to the sharing.

    `happened` is (n,) bool, `block` the (n,) int number of each game's deal. The interval is Wilson's for the
    effective number of games: the games divided by the design effect (cluster-robust over binomial variance, never
    taken below 1), less Korn and Graubard's allowance for few blocks. If it always or never happened the design
    effect is unknown, and a block counts as one game.
    """
    wins = np.asarray(happened, np.float64)
    if len(wins) == 0:
        return Rate(0, 0, 0.0, 1.0)
    sizes, sums = _per_block(wins, block)
    total, games, blocks = int(wins.sum()), len(wins), len(sizes)
    if blocks == games:
        return rate(total, games)
    low, high = _wilson(total / games, _effective_games(sizes, sums, total / games))
    return Rate(total, games, low, high)


def _effective_games(sizes: Floats, sums: Floats, value: float) -> float:
    """The number of independent games with the same information as the games of these blocks."""
    games, blocks = float(sizes.sum()), len(sizes)
    if blocks == 1 or value in {0.0, 1.0}:
        return float(blocks)
    robust = blocks / (blocks - 1) * float(((sums - value * sizes) ** 2).sum()) / games**2
    binomial = value * (1 - value) / (games - 1)
    return games / max(1.0, robust / binomial) * (_normal_quantile() / _student_quantile(blocks - 1)) ** 2


def _wilson(value: float, games: float) -> tuple[float, float]:
    """Wilson's score interval of a rate in a number of games, which needn't be whole."""
    square = _normal_quantile() ** 2 / games
    middle = (value + square / 2) / (1 + square)
    half = math.sqrt(square * value * (1 - value) + square**2 / 4) / (1 + square)
    return max(0.0, middle - half), min(1.0, middle + half)


@dataclass(frozen=True)
class Mean:
    """The mean of `count` values of `blocks` independent blocks, with its 95 % interval."""

    value: float
    low: float
    high: float
    count: int
    blocks: int


def clustered_mean(values: npt.ArrayLike, block: npt.ArrayLike) -> Mean:
    """The mean of values (n,) that come in blocks (n,) int, with a 95 % cluster-robust interval (Student's t)."""
    numbers = np.asarray(values, np.float64)
    if len(numbers) == 0:
        return Mean(math.nan, -math.inf, math.inf, 0, 0)
    sizes, sums = _per_block(numbers, block)
    value, blocks = float(numbers.mean()), len(sizes)
    if blocks == 1:
        return Mean(value, -math.inf, math.inf, len(numbers), 1)
    variance = blocks / (blocks - 1) * float(((sums - value * sizes) ** 2).sum()) / len(numbers) ** 2
    half = _student_quantile(blocks - 1) * math.sqrt(variance)
    return Mean(value, value - half, value + half, len(numbers), blocks)


def games_for(mean: Mean) -> float:
    """How many games give an interval of +-WITHIN, from this one's width; NaN if it has none."""
    half = (mean.high - mean.low) / 2
    return math.ceil(mean.count * (half / WITHIN) ** 2) if math.isfinite(half) else math.nan


@dataclass(frozen=True)
class Difference:
    """The difference of two rates, -1 to 1, with its 95 % interval.

    `games` are those of the smaller arm, `blocks` the deals that both arms played.
    """

    value: float
    low: float
    high: float
    games: int
    blocks: int

    @property
    def clear(self) -> bool:
        """Whether the interval leaves 0 out."""
        return self.low > 0 or self.high < 0

    def __str__(self) -> str:
        if not self.games:
            return "–"
        return in_points(self.value, self.low, self.high)


def paired_difference(
    first: npt.ArrayLike, first_block: npt.ArrayLike, second: npt.ArrayLike, second_block: npt.ArrayLike, seed: int
) -> Difference:
    """How much more often something happened in the first arm than in the second, on the deals that both played.

    `first` and `second` are bool, one a game, their blocks int, one a game. Each common block gives the difference of
    its two means, and the interval is a bias-corrected and accelerated bootstrap (Efron 1987) of their mean over the
    blocks, 2,000 resamples drawn under `seed`.
    """
    differences, _, games = block_differences(first, first_block, second, second_block)
    blocks = len(differences)
    if blocks == 0:
        return Difference(math.nan, -1.0, 1.0, 0, 0)
    low, high = _bootstrap_mean(differences, seed)
    return Difference(float(differences.mean()), low, high, games, blocks)


def block_differences(
    first: npt.ArrayLike, first_block: npt.ArrayLike, second: npt.ArrayLike, second_block: npt.ArrayLike
) -> tuple[Floats, npt.NDArray[np.int64], int]:
    """The difference of means in each block that both arms have, these blocks, and the smaller arm's games in them."""
    blocks = (np.asarray(first_block, np.int64), np.asarray(second_block, np.int64))
    common = np.intersect1d(blocks[0], blocks[1])
    means, games = [], []
    for happened, block in zip((first, second), blocks, strict=True):
        shared = np.isin(block, common)
        sizes, sums = _per_block(np.asarray(happened, np.float64)[shared], block[shared])
        means.append(sums / sizes)
        games.append(int(shared.sum()))
    return means[0] - means[1], common, min(games)


def _bootstrap_mean(values: Floats, seed: int) -> tuple[float, float]:
    """The ends of the 95 % bootstrap interval of a mean of values from -1 to 1.

    Blocks with the same value are drawn together, as one multinomial draw of how often each value comes: exactly
    equivalent to drawing block by block, but the cost doesn't grow with the number of blocks.
    """
    from scipy.special import ndtr

    distinct, counts = np.unique(np.round(values, 12), return_counts=True)
    mean = float(distinct @ counts / len(values))
    if len(distinct) == 1:
        return _bounds_without_spread(mean, len(values))
    drawn = np.random.default_rng(seed).multinomial(len(values), counts / len(values), RESAMPLES)
    means = drawn @ distinct / len(values)
    deviations = distinct - mean
    acceleration = float(counts @ deviations**3) / (6 * float(counts @ deviations**2) ** 1.5)
    below = (np.count_nonzero(means < mean - 1e-12) + np.count_nonzero(means <= mean + 1e-12)) / (2 * RESAMPLES)
    bias = _normal_quantile(min(max(below, 1 / RESAMPLES), 1 - 1 / RESAMPLES))
    tails = bias + np.array([-1.0, 1.0]) * _normal_quantile()
    low, high = np.quantile(means, ndtr(bias + tails / (1 - acceleration * tails)))
    return float(low), float(high)


def _bounds_without_spread(mean: float, blocks: int) -> tuple[float, float]:
    """Bounds of a mean when every block has the same value: what unseen blocks of another kind could still change.

    Their share is Wilson's upper bound for an event never seen in this many blocks, their value as far off as possible.
    """
    unseen = _wilson(0.0, blocks)[1]
    return mean - unseen * (mean + 1), mean + unseen * (1 - mean)


def gain_of(row: Mapping[str, Any]) -> Difference:
    """The gain of a row of a curve or table, from `gain`, `gain_low`, `gain_high` and `games`.

    Raises KeyError, TypeError or ValueError if these are missing or no numbers.
    """
    games = int(row["games"])
    return Difference(float(row["gain"]), float(row["gain_low"]), float(row["gain_high"]), games, games)


@dataclass(frozen=True)
class SeedsDifference:
    """The mean difference over training seeds, weighted equally, with its 95 % interval, and each seed's difference.

    With fewer than five seeds the interval is -1 to 1: they say too little about the method.
    """

    value: float
    low: float
    high: float
    by_seed: Mapping[int, Difference]


def seeds_difference(by_seed: Mapping[int, Difference], seed: int) -> SeedsDifference:
    """The gain of a training method over its training seeds, by a bootstrap that draws whole seeds under `seed`.

    The percentile interval is expanded for few seeds (Hesterberg 2015): with five it covers the truth in about
    91 % of cases, plain percentiles in about 85 %.
    """
    from scipy.special import ndtr

    values = np.array([gain.value for gain in by_seed.values()])
    if len(values) == 0:
        raise OptionError("a difference over training seeds needs at least one seed")
    if len(values) < FEWEST_SEEDS:
        return SeedsDifference(float(values.mean()), -1.0, 1.0, dict(by_seed))
    drawn = np.random.default_rng(seed).integers(len(values), size=(SEED_RESAMPLES, len(values)))
    means = values[drawn].mean(axis=1)
    tail = float(ndtr(-math.sqrt(len(values) / (len(values) - 1)) * _student_quantile(len(values) - 1)))
    low, high = np.quantile(means, (tail, 1 - tail))
    return SeedsDifference(float(values.mean()), float(low), float(high), dict(by_seed))


def detectable(gain: Difference) -> float:
    """The smallest true difference, in points, that a comparison like this one finds with power 80 % (two-sided 5 %).

    From the width of its interval, that is from the variance of the paired differences on these deals.
    """
    return 50 * (gain.high - gain.low) * (1 + _normal_quantile(POWER) / _normal_quantile())


def deals_needed(gain: Difference, points: float) -> int:
    """The number of deals with which a comparison like this one finds a difference of this many points."""
    return math.ceil(gain.blocks * (detectable(gain) / points) ** 2)


def _per_block(values: Floats, block: npt.ArrayLike) -> tuple[Floats, Floats]:
    """The number and the sum of the values of each block, in the order of the blocks' numbers."""
    _, place = np.unique(np.asarray(block), return_inverse=True)
    sizes = np.bincount(place).astype(np.float64)
    return sizes, np.bincount(place, weights=values).astype(np.float64)


def _normal_quantile(level: float = (1 + LEVEL) / 2) -> float:
    from scipy.special import ndtri

    return float(ndtri(level))


def _student_quantile(freedom: int) -> float:
    from scipy.special import stdtrit

    return float(stdtrit(freedom, (1 + LEVEL) / 2))


def spread(name: str, scores: npt.NDArray[np.float64]) -> dict[str, float]:
    """How the scores of independent games, (games, seats), are spread, as columns of a frame.

    The mean has the bare name, with its 95 % interval, 1.96 standard errors over the games' means; `_deviation` is the
    standard deviation, `_p5`, `_median` and `_p95` are percentiles.
    """
    by_game, mean = scores.mean(axis=1), float(scores.mean())
    error = float(by_game.std(ddof=1) / np.sqrt(len(by_game))) if len(by_game) > 1 else math.inf
    percentiles = zip(("p5", "median", "p95"), np.percentile(scores, (5, 50, 95)).tolist())
    return {
        name: mean,
        f"{name}_low": mean - 1.96 * error,
        f"{name}_high": mean + 1.96 * error,
        f"{name}_deviation": float(scores.std()),
        **{f"{name}_{each}": value for each, value in percentiles},
    }
