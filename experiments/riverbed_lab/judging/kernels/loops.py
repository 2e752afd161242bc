"""Templates of the judge's loop: worlds as likely as the true one, found by exchanging what is hidden.

What it shares with the core's loops is replaced when the judge links a template to a game and to agents.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import prange

from riverbed_env.kernels.common import chance_stream
from riverbed_env.kernels.compile import Record, Records, Vector, Whole
from riverbed_env.kernels.loops import NUM_ACTIONS, Memory, agent_stream, choose_as, current_seat, step, write_row
from riverbed_env.kernels.random import AGENTS, CHANCE, TRIED, draw, end_decision, open_stream

Bytes = npt.NDArray[np.uint8]


class Task(NamedTuple):
    """Decisions of a game at which worlds are wanted, n of them.

    deal: (1,), the game as dealt; actions: (decisions,), as recorded; lineup: (seats,), the agent of each seat, of an
    open seat the one that plays it on; open_seats: (seats,), 1 where the policy isn't known; until: (n,), the places
    of the decisions among the actions; numbers: (n,), of their random streams.
    """

    deal: Records
    actions: Whole
    lineup: Whole
    open_seats: Vector
    until: Whole
    numbers: Whole


class Worlds(NamedTuple):
    """Worlds in which the games could stand at n decisions, m for each, and scratch arrays that find them.

    games: (n, m), the first is the true one but for future chance, of which each has its own; memories: (n, m, seats,
    memory), the agents' there; accepted: (n,), the exchanges made, or NOT_AS_RECORDED.

    tried: (n, 4), a deal, two of them for trying, and the game at the decision; views: (n,), and `seen`, (n, bytes),
    the same memory; rows: (n, row length); kept: (n, seats, memory); noted: (n, decisions, bytes), what open seats saw;
    who: (n, decisions), who chose; streams: (n,).
    """

    games: Records
    memories: Memory
    accepted: Whole
    tried: Records
    views: Records
    seen: Bytes
    rows: Vector
    kept: Memory
    noted: Bytes
    who: Whole
    streams: Records


NOT_AS_RECORDED = -1  # in place of the exchanges made: an agent of known policy did otherwise than recorded


def exchange(game: Record, params: Record, stream: Record) -> bool:
    """Exchange hidden things of a deal; whether that changed it. Games that have nothing to exchange keep this one."""
    return False


def play_again(game: Record, params: Record, table: Worlds, task: Task, index: int, note: bool, size: int) -> bool:
    """Play a game, as dealt, with the recorded actions to decision `index`; whether it goes as recorded.

    It does if every agent of known policy would act as recorded, and each open seat sees at its decisions what it saw
    the first time, with `note`.
    """
    memories, open_seats = table.kept[index], task.open_seats
    row, view = table.rows[index], table.views[index]
    memories[:] = 0
    for place in range(int(task.until[index]) + 1):
        seat, action = current_seat(game), int(task.actions[place])
        if seat < 0 or (not note and seat != table.who[index, place]):
            return False
        table.who[index, place] = seat
        write_row(game, params, seat, view, row, size)
        stream = agent_stream(game)
        begun = int(stream["drawn"])
        if open_seats[seat]:
            if not same_view(table.seen[index], table.noted[index, place], note):
                return False
            if place == task.until[index]:
                return True
        if not open_seats[seat] or memories.shape[1] > 1:
            mask = row[size : size + NUM_ACTIONS]
            chosen = choose_as(task.lineup[seat], view, params, row[:size], mask, memories[seat], stream)
            if not open_seats[seat] and chosen != action:
                return False
        end_decision(stream, begun)
        if step(game, params, action) != 0:
            return False
    return False


def same_view(seen: Bytes, noted: Bytes, note: bool) -> bool:
    """Whether a view's bytes are those noted; with `note` they are noted."""
    for byte in range(len(seen)):
        if note:
            noted[byte] = seen[byte]
        elif seen[byte] != noted[byte]:
            return False
    return True


def move_on(params: Record, table: Worlds, task: Task, index: int, size: int) -> bool:
    """Exchange hidden things of the deal and keep that if the game then goes as recorded; whether it does."""
    games = table.tried[index]
    games[1] = games[0]
    if not exchange(games[1], params, table.streams[index]):
        return False
    games[2] = games[1]
    if not play_again(games[2], params, table, task, index, False, size):
        return False
    games[0] = games[1]
    games[3] = games[2]
    return True


def write_worlds(params: Records, table: Worlds, task: Task, seed: int, moves: int, size: int) -> None:
    """Write worlds as likely as the true one, each `moves` tried exchanges on from the last."""
    for index in prange(len(task.until)):
        games, stream, worlds = table.tried[index], table.streams[index], table.games[index]
        open_stream(stream, seed, task.numbers[index], TRIED)
        games[0] = task.deal[0]
        games[3] = task.deal[0]
        if not play_again(games[3], params[0], table, task, index, True, size):
            table.accepted[index] = NOT_AS_RECORDED
            continue
        table.memories[index, 0] = table.kept[index]
        for world in range(len(worlds)):
            if world > 0:
                table.memories[index, world] = table.memories[index, world - 1]
                for _ in range(moves):
                    if move_on(params[0], table, task, index, size):
                        table.accepted[index] += 1
                        table.memories[index, world] = table.kept[index]
            worlds[world] = games[3]
            open_stream(chance_stream(worlds[world]), draw(stream), draw(stream), CHANCE)
            open_stream(agent_stream(worlds[world]), draw(stream), draw(stream), AGENTS)
