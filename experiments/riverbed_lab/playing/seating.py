"""Who sits where: the games of a cell on some deals, and the agent in every seat of each."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import KernelFamily, Records, Vector, Whole
from riverbed_env.kernels.random import PARTNERS, STREAM, below, open_stream

from .plan import Cell

NOBODY = -1  # no seat is in focus


kernel = KernelFamily("seating", Path(__file__).parent)


@dataclass(frozen=True)
class Seating:
    """The games of a cell: numbers (n,) of the deals, seats (n, players) with the agent in each, focus (n,) the seat
    in focus or NOBODY, roles (n, players) as dealt.
    """

    numbers: Whole
    seats: Whole
    focus: Whole
    roles: Vector


def seat(game: Game, cell: Cell, agents: Sequence[str], numbers: Whole, records: Records, seed: int) -> Seating:
    """The games of a cell on the deals of these numbers, dealt in `records`; a deal without the role has no games.

    Seats hold numbers of `agents`. A deal's games follow one another, from its first seat of the role to its last.
    """
    roles = game.roles_of(records)
    seats = _partners(cell, agents, numbers, roles.shape[1], seed) if cell.pool else _by_camp(game, cell, agents, roles)
    if len(game.camps) == 1:
        focus = numbers % roles.shape[1]  # each seat in turn, so that none is favoured
        if cell.role:
            seats[np.arange(len(numbers)), focus] = agents.index(cell.focus)
        return Seating(numbers, seats, focus, roles)
    if not cell.role:
        return Seating(numbers, seats, np.full(len(numbers), NOBODY), roles)
    indices, focus = np.nonzero(roles == game.roles.index(cell.role))
    seats = seats[indices]
    seats[np.arange(len(indices)), focus] = agents.index(cell.focus)
    return Seating(numbers[indices], seats, focus.astype(np.int64), roles[indices])


def _by_camp(game: Game, cell: Cell, agents: Sequence[str], roles: Vector) -> Whole:
    of_camp = dict(zip(game.camps, cell.camps))
    by_role = np.array([agents.index(of_camp[game.camp_of_role[role]]) for role in game.roles], np.int64)
    return by_role[roles]


def _partners(cell: Cell, agents: Sequence[str], numbers: Whole, num_players: int, seed: int) -> Whole:
    """Every seat drawn from the pool by (seed, number, seat) alone: the same partners for every agent in focus."""
    drawn = np.zeros((len(numbers), num_players), np.int64)
    draw_partners(seed, numbers, len(cell.pool), np.zeros(1, STREAM), drawn)
    return np.array([agents.index(agent) for agent in cell.pool])[drawn]


@kernel
def draw_partners(seed: int, numbers: Whole, pool: int, streams: Records, out: Whole) -> None:
    """A number below `pool` for every seat of each deal. numbers: (n,); streams: (1,), scratch; out: (n, players)."""
    for index in range(len(numbers)):
        open_stream(streams[0], seed, numbers[index], PARTNERS)
        for place in range(out.shape[1]):
            out[index, place] = below(streams[0], pool)
