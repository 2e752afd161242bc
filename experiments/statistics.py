"""Rates with their intervals."""

from __future__ import annotations

from dataclasses import dataclass


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
