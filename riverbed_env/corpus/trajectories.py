"""Recorded games as trajectories: the decisions of one seat in one game, one after the other, up to the game's end."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from .corpus import DECISIONS, Corpus, bits
from .games import Games, Small, Whole
from .replaying import Decisions, Replayer


@dataclass(frozen=True)
class Trajectories:
    """m trajectories of seats with n decisions in all, in new arrays; seats that never chose have none.

    Args:
        decisions: n, those of a trajectory follow one another.
        starts: (m + 1,) int64, where each trajectory begins, and the end of all.
        last_observation: (m, D) int8, what the seat saw when the game was over.
        last_mask: (m, A) int8, its mask.
        truncated: (m,) bool, the game was ended by the cap on its length.
        length: (m,) int64, the decisions of all seats of its game.
    """

    decisions: Decisions
    starts: Whole
    last_observation: Small
    last_mask: Small
    truncated: npt.NDArray[np.bool_]
    length: Whole

    def __len__(self) -> int:
        return len(self.truncated)

    @property
    def is_last(self) -> npt.NDArray[np.bool_]:
        """Which decisions are the last of their trajectory, (n,) bool."""
        flags = np.zeros(len(self.decisions), np.bool_)
        flags[self.starts[1:] - 1] = True
        return flags

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """What the seat got after each decision, (n,) float32: its return after the last one, 0 before."""
        return np.where(self.is_last, self.decisions.returns, np.float32(0))


def trajectories(
    corpus: Corpus,
    *,
    size: int = DECISIONS,
    view: str = "history",
    parts: Iterable[int] | None = None,
    agents: Collection[str] | None = None,
    roles: Collection[str] | None = None,
) -> Iterator[Trajectories]:
    """All trajectories, some games at a time.

    Args:
        corpus: The corpus.
        size: About how many decisions at a time.
        view: Of the observations.
        parts: Only these parts; None for all.
        agents: Only seats that have one of these agents; None for all.
        roles: Only seats that have one of these roles; None for all.

    Yields:
        The trajectories of some games of one player count.

    Raises:
        OptionError: As in `Corpus.decisions`.
    """
    seats = corpus.seats_of(agents, roles)
    replayer = Replayer(corpus.game, corpus.manifest, view, size, last=True)
    for games in corpus.chunks(size, parts):
        found = replayer.play(games, bits(seats(games)))
        if len(found):
            yield _by_seat(games, found, replayer, corpus.game.actions.size)


def _by_seat(games: Games, found: Decisions, replayer: Replayer, num_actions: int) -> Trajectories:
    place = np.searchsorted(games.number, found.game)
    whose = place * found.num_players + found.seat
    order = np.argsort(whose, kind="stable")
    starts = np.flatnonzero(np.diff(whose[order], prepend=-1))
    first = order[starts]
    rows, size = replayer.last_rows[whose[first]], replayer.size
    return Trajectories(
        decisions=found.take(order),
        starts=np.append(starts, len(order)),
        last_observation=rows[:, :size],
        last_mask=rows[:, size : size + num_actions],
        truncated=games.truncated[place[first]],
        length=games.lengths[place[first]].astype(np.int64),
    )
