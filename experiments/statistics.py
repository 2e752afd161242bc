"""Rates and scores with their intervals."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True)
class Rate:
    """How often something happened in `games` independent games, with its 95 % Wilson interval (all from 0 to 1)."""

    happened: int
    games: int
    low: float
    high: float

    @property
    def value(self) -> float:
        """The rate itself; not a number without games."""
        return self.happened / self.games if self.games else float("nan")

    def is_above(self, other: Rate) -> bool:
        """Whether the intervals are disjoint and this one lies higher."""
        return self.low > other.high

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


@dataclass(frozen=True)
class Spread:
    """How scores are spread: mean with its 95 % interval, standard deviation, 5th, 50th and 95th percentile."""

    mean: float
    low: float
    high: float
    deviation: float
    p5: float
    median: float
    p95: float

    def is_above(self, other: Spread) -> bool:
        """Whether the intervals of the means are disjoint and this one lies higher."""
        return self.low > other.high

    def __str__(self) -> str:
        return f"{self.mean:.1f} {self.low:.1f}–{self.high:.1f}"


def spread(scores: npt.NDArray[np.float64]) -> Spread:
    """The spread of the scores of independent games, (games, seats): the seats of a game count as one for the interval.

    The interval is normal: 1.96 standard errors of the games' own means.
    """
    by_game = scores.mean(axis=1)
    error = by_game.std(ddof=1) / np.sqrt(len(by_game)) if len(by_game) > 1 else np.inf
    p5, median, p95 = np.percentile(scores, (5, 50, 95))
    mean = float(scores.mean())
    return Spread(
        mean, float(mean - 1.96 * error), float(mean + 1.96 * error), float(scores.std()),
        float(p5), float(median), float(p95),
    )  # fmt: skip
