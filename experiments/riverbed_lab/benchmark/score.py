"""Scores of a track: the interquartile mean of normalised gains, with a bootstrap over deals (Agarwal et al. 2021).

A cell's gain is a mean over blocks: the deals, or the packs where a track plays many. A resample draws the blocks of
every cell anew (stratified by cell). The interquartile mean then leaves out the quarter of the cells with the lowest
and the quarter with the highest normalised gains.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np
import numpy.typing as npt

from riverbed_env.core.schema import NOTHING_ELSE
from riverbed_env.kernels.compile import Floats

RESAMPLES = 2000
SMALLEST_BEST = 0.02  # 2 points: gains are divided by at least this much, or noise would decide
TRIMMED = 0.25


@dataclass(frozen=True)
class Cell:
    """What one lineup, player count and seat say.

    Args:
        lineup: the agents in the other seats.
        players: their number, with the entrant.
        seat: the role or camp that the entrant took.
        won, instead: how often its camp won, and how often with the agent in its place.
        differences: pairs of a block's difference, -1 to 1, and the number of blocks that have it.
    """

    __pydantic_config__ = NOTHING_ELSE

    lineup: str
    players: int
    seat: str
    won: float
    instead: float
    differences: tuple[tuple[float, int], ...]

    @property
    def name(self) -> str:
        """What identifies it in a track."""
        return f"{self.seat} of {self.players} among {self.lineup}"

    @property
    def gain(self) -> float:
        """The mean difference, -1 to 1."""
        values, counts = np.array(self.differences).T
        return float(values @ counts / counts.sum())

    def resampled(self, rng: np.random.Generator) -> Floats:
        """The gain in each resample of the blocks, (RESAMPLES,)."""
        values, counts = np.array(self.differences).T
        drawn = rng.multinomial(int(counts.sum()), counts / counts.sum(), RESAMPLES)
        return np.asarray(drawn @ values / counts.sum())


@dataclass(frozen=True)
class Estimate:
    """A figure with its 95 % interval."""

    value: float
    low: float
    high: float

    @classmethod
    def of(cls, value: float, resampled: Floats) -> Estimate:
        """A value with the percentiles of its resamples."""
        low, high = np.quantile(resampled, (0.025, 0.975))
        return cls(value, float(low), float(high))


@dataclass(frozen=True)
class Score:
    """What a track's cells say together.

    Args:
        normalised: the interquartile mean of gains, each divided by the best known.
        points: the mean gain, -1 to 1.
        worst: the smallest gain of all cells, with the interval of that cell.
    """

    normalised: Estimate
    points: Estimate
    worst: Estimate


def score(cells: Sequence[Cell], best: Sequence[float], seed: int = 0) -> Score:
    """The score of a track.

    Args:
        cells: its cells.
        best: the best known gain of each.
        seed: of the resamples.

    Returns:
        The score.
    """
    gains, drawn = _resampled(tuple(cells), seed)
    scale = np.maximum(best, SMALLEST_BEST)
    return Score(
        Estimate.of(float(interquartile_mean(gains / scale)), interquartile_mean(drawn.T / scale)),
        Estimate.of(float(gains.mean()), drawn.mean(axis=0)),
        Estimate.of(float(gains.min()), drawn[gains.argmin()]),
    )


def profile(cells: Sequence[Cell], best: Sequence[float], levels: Sequence[float], seed: int = 0) -> list[list[float]]:
    """A performance profile: the share of the cells whose normalised gain is above each level (Agarwal et al. 2021).

    Args:
        cells: of a track.
        best: the best known gain of each.
        levels: normalised gains.
        seed: of the resamples.

    Returns:
        The shares at these levels, and the lower and the upper ends of their 95 % intervals.
    """
    gains, drawn = _resampled(tuple(cells), seed)
    scale = np.maximum(best, SMALLEST_BEST)[:, None]
    shares, resampled = (((each / scale)[:, :, None] > levels).mean(axis=0) for each in (gains[:, None], drawn))
    found: list[list[float]] = [*shares.tolist(), *np.quantile(resampled, (0.025, 0.975), axis=0).tolist()]
    return found


@cache
def _resampled(cells: tuple[Cell, ...], seed: int) -> tuple[Floats, Floats]:
    """The gain of each cell, (cells,), and in each resample, (cells, RESAMPLES): scores and profiles share them."""
    rng = np.random.default_rng(seed)
    return np.array([cell.gain for cell in cells]), np.array([cell.resampled(rng) for cell in cells])


def interquartile_mean(values: npt.ArrayLike) -> Floats:
    """The mean over the last axis without its lowest and its highest quarter."""
    from scipy.stats import trim_mean

    return np.asarray(trim_mean(np.asarray(values, np.float64), TRIMMED, axis=-1))


def improvement(cells: Sequence[Cell], others: Sequence[Cell], seed: int = 0) -> float:
    """The probability that one agent's gain is larger than another's, averaged over cells.

    Args:
        cells: of one agent.
        others: the same cells of the other.
        seed: of the resamples.

    Returns:
        From 0 to 1; ties count half.
    """
    rng = np.random.default_rng(seed)
    ours, theirs = (np.array([cell.resampled(rng) for cell in each]) for each in (cells, others))
    return float((ours > theirs).mean() + (ours == theirs).mean() / 2)
