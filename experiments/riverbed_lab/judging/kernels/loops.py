"""Templates of the judge's loop: worlds as likely as the true one, found by exchanging what is hidden.

What it shares with the core's loops is replaced when the judge links a template to a game and to agents.
"""

from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import prange

from riverbed_env.kernels.common import chance_stream
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.loops import NUM_ACTIONS, agent_stream, choose_as, current_seat, step, write_row
from riverbed_env.kernels.random import AGENTS, CHANCE, TRIED, draw, end_decision, open_stream

Records = npt.NDArray[np.void]
Vector = npt.NDArray[np.int8]
Bytes = npt.NDArray[np.uint8]
Whole = npt.NDArray[np.int64]
Memory = npt.NDArray[np.int32]


class Task(NamedTuple):
    """Decisions at which worlds are wanted, n of them.

    deals: (n,), the games as dealt; actions: (n, decisions), as recorded; until: (n,), the decision's place among them;
    lineups: (n, seats), the agent of each seat, of an open seat the one that plays it on; open_seats: (n, seats), 1
    where the policy isn't known; numbers: (n,), of the random streams.
    """

    deals: Records
    actions: Whole
    until: Whole
    lineups: Whole
    open_seats: Vector
    numbers: Whole


class Scratch(NamedTuple):
    """Scratch arrays of each thread.

    games: (threads, 4); views: (threads,), and `seen`, (threads, bytes), the same memory; rows: (threads, row length);
    memories: (threads, seats, memory); noted: (threads, decisions, bytes), what open seats saw; who: (threads,
    decisions), who chose; streams: (threads,).
    """

    games: Records
    views: Records
    seen: Bytes
    rows: Vector
    memories: Memory
    noted: Bytes
    who: Whole
    streams: Records


NOT_AS_RECORDED = -1  # in place of the number of worlds: the game can't be played again as it was recorded


def exchange(game: Record, params: Record, stream: Record) -> bool:
    """Exchange hidden things of a deal; whether that changed it. Games that have nothing to exchange keep this one."""
    return False


def play_again(
    game: Record, params: Record, table: Scratch, chunk: int, task: Task, index: int, note: bool, size: int
) -> bool:
    """Play a game, as dealt, with the recorded actions of task `index` to its decision; whether it goes as recorded.

    It does if every agent of known policy would act as recorded, and each open seat sees at its decisions what it saw
    the first time, with `note`.
    """
    memories, lineup, open_seats = table.memories[chunk], task.lineups[index], task.open_seats[index]
    row, view, seen = table.rows[chunk], table.views[chunk], table.seen[chunk]
    memories[:] = 0
    for place in range(int(task.until[index]) + 1):
        seat = current_seat(game)
        if seat < 0 or (not note and seat != table.who[chunk, place]):
            return False
        table.who[chunk, place] = seat
        write_row(game, params, seat, view, row, size)
        stream = agent_stream(game)
        begun = int(stream["drawn"])
        if open_seats[seat]:
            if not same_view(seen, table.noted[chunk, place], note):
                return False
            if place == task.until[index]:
                return True
        if not open_seats[seat] or memories.shape[1] > 1:
            mask = row[size : size + NUM_ACTIONS]
            action = choose_as(lineup[seat], view, params, row[:size], mask, memories[seat], stream)
            if not open_seats[seat] and action != task.actions[index, place]:
                return False
        end_decision(stream, begun)
        if step(game, params, task.actions[index, place]) != 0:
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


def move_on(params: Record, table: Scratch, chunk: int, task: Task, index: int, size: int) -> bool:
    """Exchange hidden things of the scratch deal and keep that if the game then goes as recorded; whether it does.

    Of the scratch games 0 is the deal, 1 and 2 are for trying, 3 is the game at the decision.
    """
    games = table.games[chunk]
    games[1] = games[0]
    if not exchange(games[1], params, table.streams[chunk]):
        return False
    games[2] = games[1]
    if not play_again(games[2], params, table, chunk, task, index, False, size):
        return False
    games[0] = games[1]
    games[3] = games[2]
    return True


def write_worlds(
    params: Records,
    table: Scratch,
    task: Task,
    seed: int,
    moves: int,
    worlds: Records,
    kept: Memory,
    accepted: Whole,
    size: int,
) -> None:
    """Write worlds in which the games could stand at n decisions, each as likely as the true one.

    worlds: (n, m), written: the first is the true one, each of the others lies `moves` tried exchanges on; all have
    future chance of their own. kept: (n, m, seats, memory), written: the agents' memories there. accepted: (n,),
    written: the exchanges made, or NOT_AS_RECORDED.
    """
    chunks = len(table.views)
    tasks = len(task.until)
    for chunk in prange(chunks):
        games, stream = table.games[chunk], table.streams[chunk]
        for index in range(chunk * tasks // chunks, (chunk + 1) * tasks // chunks):
            open_stream(stream, seed, task.numbers[index], TRIED)
            games[0] = task.deals[index]
            games[3] = task.deals[index]
            accepted[index] = 0
            if not play_again(games[3], params[0], table, chunk, task, index, True, size):
                accepted[index] = NOT_AS_RECORDED
                continue
            kept[index, 0] = table.memories[chunk]
            for world in range(worlds.shape[1]):
                if world > 0:
                    kept[index, world] = kept[index, world - 1]
                    for _ in range(moves):
                        if move_on(params[0], table, chunk, task, index, size):
                            accepted[index] += 1
                            kept[index, world] = table.memories[chunk]
                worlds[index, world] = games[3]
                open_stream(chance_stream(worlds[index, world]), draw(stream), draw(stream), CHANCE)
                open_stream(agent_stream(worlds[index, world]), draw(stream), draw(stream), AGENTS)
