"""The errors and the report of a search for leaks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any

from .channels import names_of
from .compare import Difference


class Leak(AssertionError):  # noqa: N818  # named for what it is
    """An agent can know more than it may.

    agent: the agent, if it is one alone; names: the channels, with their pieces, that show it; where: the moment;
    differences: each place in which two worlds differ, with both values.
    """

    def __init__(
        self,
        message: str,
        names: Sequence[str],
        *,
        agent: Any = None,
        where: str = "",
        apart: Sequence[Difference] = (),
    ) -> None:
        super().__init__(message)
        self.names = list(names)
        self.agent = agent
        self.where = where
        self.differences = tuple(apart)


def told_apart(agent: Any, apart: Sequence[Difference], where: str) -> Leak:
    """The leak by which an agent can tell two worlds apart."""
    names = names_of(apart)
    message = f"{agent} can tell by {', '.join(names)} ({where}); {apart[0]}"
    return Leak(message, names, agent=agent, where=where, apart=apart)


class SideEffectError(AssertionError):
    """Observing an environment changes what it shows."""


class BlindnessError(AssertionError):
    """An agent should have been shown something that differs in two worlds, but no channel shows it."""


class TwinError(ValueError):
    """A second world is no twin: it differs in what the agent may know, or never differs at all."""


class NoTwinError(TwinError):
    """There never was a second world."""


@dataclass
class Report:
    """What a search over paired worlds did and found.

    games: how many were started; moments: the decisions at which worlds were compared; compared: the pairs of worlds;
    alike: those that didn't differ in anything, and so prove nothing; varied: in how many pairs each hidden part
    differed; decisions: how many were played on in pairs of worlds; ends: why the following ended ("steps", "over",
    "told", "stuck"); leaks: those found, if the search collects them.
    """

    games: int = 0
    moments: int = 0
    compared: int = 0
    alike: int = 0
    varied: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    ends: Counter[str] = field(default_factory=Counter)
    leaks: list[Leak] = field(default_factory=list)

    def names(self) -> Counter[str]:
        """How many leaks each channel or piece shows."""
        return Counter(name for leak in self.leaks for name in leak.names)

    def __str__(self) -> str:
        return "\n".join(self._lines())

    def _lines(self) -> list[str]:
        lines = [
            f"{self.compared} pairs of worlds compared at {self.moments} moments of {self.games} games, "
            f"{self.compared - self.alike} of them different in secret",
        ]
        if self.varied:
            lines.append("varied: " + ", ".join(f"{name} {count}" for name, count in often_first(self.varied)))
        if self.ends:
            lines.append(f"followed for {self.decisions} decisions; " + _ends_in_words(self.ends))
        if self.leaks:
            lines.append(f"{len(self.leaks)} leaks: {_counted(self.names())}")
            lines.append(f"the first: {self.leaks[0]}")
        else:
            lines.append("no leak found")
        return lines


_ENDS = {
    "steps": "as far as was asked",
    "over": "to the end of the game",
    "told": "until something was rightly shown",
    "stuck": "until nothing was legal in both",
}


def _ends_in_words(ends: Counter[str]) -> str:
    return ", ".join(f"{ends[end]} {words}" for end, words in _ENDS.items() if ends[end])


def _counted(names: Counter[str]) -> str:
    return ", ".join(f"{name} ({count})" for name, count in often_first(names))


def often_first(counts: Counter[str]) -> list[tuple[str, int]]:
    """The names with their counts, the most frequent first, ties by name."""
    return sorted(counts.items(), key=lambda item: (-item[1], item[0]))
