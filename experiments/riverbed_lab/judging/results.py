"""What the judge's command finds: a row for each judged agent in all its seats, in each camp, role and seat."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from ..statistics import Mean, clustered_mean
from .judge import Judged

Flags = npt.NDArray[np.bool_]
Numbers = npt.NDArray[np.float64]

ALL, CAMP, ROLE, SEAT = GROUPS = ("all seats", "camp", "role", "seat")


@dataclass(frozen=True)
class Block:
    """Judged games of one setup: their roles (games, seats) as names, agents, and wins by two lineups.

    won: (games, seats), 1 for a win, NaN if a game isn't over; instead: the same with the reference in all open seats.
    shared: whether several seats were open in each game, (games,).
    """

    judged: Judged
    agents: npt.NDArray[np.str_]
    roles: npt.NDArray[np.str_]
    won: Numbers
    instead: Numbers
    shared: Flags


@dataclass(frozen=True)
class JudgedRow:
    """What an agent's choices were worth in some seats, as shares of a win, and what winners say of the same games.

    setup: the environment and number of players; group and name: "all seats", or a role or seat by its name; games:
    seats judged, of `deals` deals; choices: those that differ from the reference's; gain: per judged seat and game;
    together: what the choices of all open seats did for these seats, None where there is but one; winners: how much
    more often these seats won than with the reference in all open seats of the same deals, which `together` estimates;
    moved: the share of exchanges made; needed and needed_by_winners: games for an interval of +-`within`, None if
    nothing can be said.
    """

    setup: str
    agent: str
    group: str
    name: str
    games: int
    deals: int
    choices: int
    gain: Mean
    together: Mean | None
    winners: Mean
    moved: float
    within: float
    needed: int | None
    needed_by_winners: int | None


def rows_of(setup: str, block: Block, camps: Mapping[str, str], within: float) -> Iterator[JudgedRow]:
    """The rows of a setup's games: of each judged agent in all seats, then by camp, by role and by seat.

    camps: the camp of each role.
    """
    by_camp = np.array([camps[role] for role in block.roles.ravel().tolist()]).reshape(block.roles.shape)
    for agent in dict.fromkeys(block.agents[block.judged.judged].tolist()):
        mine = block.judged.judged & (block.agents == agent)
        yield _row(setup, block, agent, (ALL, ""), mine, within)
        for group, names in ((CAMP, by_camp), (ROLE, block.roles), (SEAT, _seat_names(mine.shape))):
            named = dict.fromkeys(names[mine].tolist())
            if len(named) > 1:
                yield from (_row(setup, block, agent, (group, name), mine & (names == name), within) for name in named)


def _seat_names(shape: tuple[int, ...]) -> npt.NDArray[np.str_]:
    """The name of every seat, (games, seats)."""
    return np.broadcast_to(np.arange(shape[1]).astype(np.str_), shape)


def _row(setup: str, block: Block, agent: str, group: tuple[str, str], seats: Flags, within: float) -> JudgedRow:
    """The row of some seats."""
    judged = block.judged
    game, seat = np.nonzero(seats)
    _, deal = np.unique(judged.deal[game], return_inverse=True)
    mine = seats[judged.choices.game, judged.choices.seat]
    gain, more = judged.gain(seats), (block.won - block.instead)[game, seat]
    known = np.isfinite(more)
    winners = clustered_mean(more[known], deal[known])
    return JudgedRow(
        *(setup, agent, *group, len(game), len(np.unique(deal)), int((mine & judged.choices.differ).sum()), gain),
        together=judged.gain(seats, together=True) if block.shared[game].any() else None,
        winners=winners,
        moved=float(judged.moved[mine].mean()) if mine.any() else 0.0,
        within=within,
        needed=games_for(gain, within),
        needed_by_winners=games_for(winners, within),
    )


def games_for(mean: Mean, within: float) -> int | None:
    """How many games give an interval of +-`within`, from this one's width; None if it has none."""
    half = (mean.high - mean.low) / 2
    return math.ceil(mean.count * (half / within) ** 2) if math.isfinite(half) else None


def joined(blocks: Sequence[Block]) -> Block:
    """Blocks of one setup as one."""
    judged = Judged.joined([block.judged for block in blocks])
    names = [name for name in Block.__dataclass_fields__ if name != "judged"]
    return Block(judged, **{name: np.concatenate([getattr(block, name) for block in blocks]) for name in names})
