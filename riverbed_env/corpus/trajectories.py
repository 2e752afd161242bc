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
    """m trajectories of seats with n decisions in all, in new arrays. Seats that never chose have none.

    decisions (n,): those of a trajectory follow one another; starts (m + 1,): where each begins, and the end of all;
    last_observation (m, D) and last_mask (m, A): what the seat saw when the game was over; truncated (m,): it was ended
    by the cap on its length; length (m,): the decisions of all seats of its game.
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
        """Which decisions are the last of their trajectory, (n,)."""
        flags = np.zeros(len(self.decisions), np.bool_)
        flags[self.starts[1:] - 1] = True
        return flags

    @property
    def rewards(self) -> npt.NDArray[np.float32]:
        """What the seat got after each decision, (n,): its return after the last one, 0 before."""
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
    """All trajectories, some games at a time; for the options and errors see `Corpus.decisions`."""
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
