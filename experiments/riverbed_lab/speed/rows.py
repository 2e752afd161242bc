"""A row of the speed table: an environment of ours or of another library, and one way of driving it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from time import perf_counter
from typing import TypeAlias

WARM_UP_PLAYS = 2

Play: TypeAlias = Callable[[], tuple[int, int]]  # plays for a while; returns decisions made and games completed


@dataclass(frozen=True)
class Row:
    """A row of the table.

    name: like 'PettingZoo texas_holdem_v4'; call: how it is driven, like 'AEC, default wrappers'; prepare: builds the
    environment from a seed and returns a function that plays it; modules: what `prepare` imports.
    """

    name: str
    call: str
    prepare: Callable[[int], Play]
    modules: tuple[str, ...] = ()

    @property
    def installed(self) -> bool:
        """Whether every module it needs can be found; without importing any."""
        return all(find_spec(module) is not None for module in self.modules)

    def measure(self, seconds: float, seed: int = 0) -> tuple[float, float]:
        """Decisions and games a second, over about `seconds`. `seed` fixes the random player's draws.

        The clock starts after a warm-up and is read between plays, so the last play is finished and at least one game
        is complete.
        """
        play = self.prepare(seed)
        for _ in range(WARM_UP_PLAYS):
            play()
        decisions = games = 0
        elapsed, started = 0.0, perf_counter()
        while elapsed < seconds or games == 0:
            more_decisions, more_games = play()
            decisions += more_decisions
            games += more_games
            elapsed = perf_counter() - started
        return decisions / elapsed, games / elapsed
