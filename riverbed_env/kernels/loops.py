"""Templates for loops over games: each game links them to its own single-game kernels.

The placeholders below are replaced when a game links a template (`Game.loops`); here they only document the arguments.
"""

from collections.abc import Callable
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from numba import prange

from .actions import WAIT
from .compile import Numbers, Record, Records, Vector, Whole, placeholder
from .memory import CACHE_LINE, borrowed, prefetch
from .random import end_decision, random_legal_action

Memory = npt.NDArray[np.int32]

NUM_ACTIONS = 0  # replaced by the game's number
DEAL = -1 << 40  # in place of an action
AHEAD = 3  # how many environments ahead of the stepped one are loaded
OVER = -1  # the game is over
TRUNCATED = 2  # an ending
SEAT_CODES = 64  # more than there are seats: a refused seat and the reason share a number
REFUSED = -2  # REFUSED - code: the rules refused the action for this reason


class Arrays(NamedTuple):
    """The arrays of `num_envs` games, which their loops read and write; (n,) unless it says otherwise.

    params: a record for each set of options; which: the number of each environment's own; views: one for each thread;
    rows: (n, row length), an observation of `size` numbers, then the mask; ended: how the last step ended a game;
    returns: (n, seats); refused: what a loop says it is. For `step_games`: lines, the games' bytes, (n, bytes a game);
    last, as large or empty, receives those of a game that ends; wrong: (threads,); stride: how much further on the
    next game is, 0 for none.
    """

    games: Records
    params: Records
    which: Whole
    views: Records
    seats: Whole
    rows: Vector
    size: int
    ended: Vector
    returns: Numbers
    zero_sum: int
    refused: Whole
    seeds: Whole
    numbers: Whole
    stride: int
    lines: Vector
    last: Vector
    wrong: Whole


class Seated(NamedTuple):
    """The compiled agents of `num_envs` games.

    agents: (n, seats), the number of the agent in each seat, below 0 where it isn't a compiled one; memories: (n,
    seats, memory); scratch: (threads, row length). log: (n, width), receives the actions taken, and taken (n,) their
    number; width 0 keeps no log.
    """

    agents: Whole
    memories: Memory
    scratch: Vector
    log: npt.NDArray[np.uint16]
    taken: Whole


class Recorded(NamedTuple):
    """Recorded games, (n,) numbers of them.

    actions: of all games, those of game i from starts[i] to starts[i + 1]; wanted: (n,), bits of seats.
    """

    numbers: Whole
    starts: Whole
    actions: npt.NDArray[np.uint16]
    wanted: Whole


class Replayed(NamedTuple):
    """What playing them again writes.

    rows: (decisions, row length); for each of them places, which action was taken there, and seats. last_rows: (n *
    seats, row length), every seat's row after the last action, unless it is empty; returns: (n, seats); failed: (n,),
    1 + the place of an action that can't be taken, else 0.
    """

    rows: Vector
    places: Whole
    seats: Whole
    last_rows: Vector
    returns: Numbers
    failed: Whole


# Of the game; a comment names the arguments where types don't tell.
reset: Callable[[Record, Record, int, int], None] = placeholder  # game, params, seed, number
step: Callable[[Record, Record, int], int] = placeholder  # game, params, action -> 0, or why it is refused
current_seat: Callable[[Record], int] = placeholder  # the seat that has to choose, -1 at the end
ending: Callable[[Record], int] = placeholder  # 0 playing, 1 won, 2 truncated
write_mask: Callable[[Record, Record, int, Vector], None] = placeholder  # game, params, seat, out
observe: Callable[[Record, Record, int, Record, Vector], None] = placeholder  # game, params, seat, view, out
show: Callable[[Record, Record, int, Record, Vector], None] = placeholder  # the same; nobody reads the view
write_state: Callable[[Record, Record, Record, Vector, Vector], None] = placeholder  # …, view, scratch, out
write_returns: Callable[[Record, int, Numbers], None] = placeholder  # game, zero_sum, out
agent_stream: Callable[[Record], Record] = placeholder  # the random stream for what players draw
violation: Callable[[Record, Record], int] = placeholder  # which invariant the state breaks, 0 for none
pending: Callable[[Record, Record], int] = placeholder  # bits of those that have yet to answer in this step
write_pending_mask: Callable[[Record, Record, int, Vector], None] = placeholder  # of a pending seat, asked or not
resample: Callable[[Record, Record, Record, Record], None] = placeholder  # view, params, stream, game (written)

# Of agents and feature sets.
choose_action: Callable[[Vector, Vector, Memory, Record], int] = placeholder  # observation, mask, memory, stream
choose_by_view: Callable[[Record, Record, Vector, Vector, Memory, Record], int] = placeholder  # view, params, …
choose_as: Callable[[int, Record, Record, Vector, Vector, Memory, Record], int] = placeholder  # agent's number, …
choose_next: Callable[[int, Record, Record, Vector, Vector, Memory, Record], int] = placeholder  # of a later link
write_feature_row: Callable[[Record, Record, Vector, Vector, Record, Vector], None] = placeholder  # …, stream, out
write_state_row: Callable[[Record, Record, Vector], None] = placeholder  # game, params, out


def write_row(game: Record, params: Record, seat: int, view: Record, row: Vector, size: int) -> None:
    """Write a seat's observation, followed by its action mask, into one row."""
    observe(game, params, seat, view, row[:size])
    write_mask(game, params, seat, row[size : size + NUM_ACTIONS])


def serve(
    games: Records,
    params: Records,
    views: Records,
    seed: int,
    number: int,
    action: int,
    row: Vector,
    size: int,
) -> int:
    """One call of a turn-based environment: deal game `number` if action is DEAL, else take the current seat's action.

    Returns the next current seat and writes its row, or returns OVER, or REFUSED - code with nothing changed. One
    kernel deals and steps, so the rules are compiled into one kernel only.
    """
    game = games[0]
    refused = 0
    if action == DEAL:
        reset(game, params[0], seed, number)
    else:
        refused = step(game, params[0], action)
    if refused != 0:
        return REFUSED - refused
    seat = current_seat(game)
    if seat >= 0:
        write_row(game, params[0], seat, views[0], row, size)
    return seat


def row_of(games: Records, params: Records, views: Records, seat: int, row: Vector, size: int) -> int:
    """Write any seat's row at any time; returns the current seat, or OVER if there is none."""
    write_row(games[0], params[0], seat, views[0], row, size)
    return current_seat(games[0])


def full_states(games: Records, params: Records, which: Whole, views: Records, scratch: Vector, out: Vector) -> None:
    """Write the full state of each game. scratch: (threads, an observation's length); out: (n, size)."""
    chunks = len(views)
    for chunk in prange(chunks):
        for index in range(chunk * len(games) // chunks, (chunk + 1) * len(games) // chunks):
            write_state(games[index], params[which[index]], views[chunk], scratch[chunk], out[index])


def write_state_rows(games: Records, params: Records, which: Whole, out: Vector) -> None:
    """Write a set of state features of each game. out: (n, size)."""
    for index in prange(len(games)):
        write_state_row(games[index], params[which[index]], out[index])


def step_copies(
    games: Records,
    params: Records,
    which: Whole,
    indices: Whole,
    actions: Whole,
    zero_sum: int,
    copies: Records,
    seats: Whole,
    ended: Vector,
    returns: Numbers,
) -> None:
    """Take each action in a copy of the game of its environment.

    indices: which environments, (m,); written, (m,) each: copies, the games after it; seats: who chooses there, OVER if
    nobody does, REFUSED - code if the rules refuse the action; ended: how it ended the game; returns: (m, seats), if it
    did.
    """
    for place in prange(len(indices)):
        index = indices[place]
        copies[place] = games[index]
        refused = step(copies[place], params[which[index]], actions[place])
        seats[place] = REFUSED - refused if refused != 0 else current_seat(copies[place])
        ended[place] = ending(copies[place])
        if ended[place] != 0:
            write_returns(copies[place], zero_sum, returns[place])


def returns_of_one(games: Records, zero_sum: int, out: Numbers) -> int:
    """Write the returns of the first game; returns how it ended: 0 playing, 1 won, 2 truncated."""
    write_returns(games[0], zero_sum, out)
    return ending(games[0])


def returns_of_all(games: Records, zero_sum: int, out: Numbers) -> None:
    """Write the returns of each game. out: (n, seats)."""
    for index in range(len(games)):
        write_returns(games[index], zero_sum, out[index])


def ask_all(games: Records, params: Records, views: Records, rows: Vector, size: int) -> int:
    """Write every seat's row before a step that all pending seats take together; returns the bits of those seats.

    rows: (seats, row length). Only WAIT is legal for seats that aren't pending.
    """
    game = games[0]
    asked = pending(game, params[0])
    for seat in range(len(rows)):
        observe(game, params[0], seat, views[0], rows[seat, :size])
        mask = rows[seat, size : size + NUM_ACTIONS]
        if (asked >> seat) & 1:
            write_pending_mask(game, params[0], seat, mask)
        else:
            mask[:] = 0
            mask[WAIT] = 1
    return asked


def step_pending(games: Records, params: Records, actions: Whole) -> int:
    """Take every pending seat's action, in the order in which the seats are asked.

    actions: (seats,). Returns OVER if all are taken, or the refused seat + SEAT_CODES * the reason.
    """
    game = games[0]
    left = pending(game, params[0])
    while left:
        seat = current_seat(game)
        refused = step(game, params[0], actions[seat])
        if refused != 0:
            return seat + SEAT_CODES * refused
        left &= ~(1 << seat)
    return OVER


def violations(games: Records, params: Records, out: Whole) -> None:
    """Which invariant each game breaks, 0 for none. out: (n,)."""
    for index in range(len(games)):
        out[index] = violation(games[index], params[0])


def show_game(game: Record, params: Record, view: Record, index: int, seats: Whole, rows: Vector, size: int) -> None:
    """Write the environment's current seat and its row."""
    seat = current_seat(game)
    seats[index] = seat
    show(game, params, max(seat, 0), view, rows[index, :size])
    write_mask(game, params, max(seat, 0), rows[index, size : size + NUM_ACTIONS])


def count_illegal(seats: Whole, rows: Vector, size: int, actions: Whole, first: int, end: int) -> int:
    """How many actions the masks of games in play don't allow, of the environments from `first` to before `end`."""
    wrong = 0
    for index in range(first, end):
        action = actions[index]
        if seats[index] >= 0 and (action < 0 or action >= NUM_ACTIONS or rows[index, size + action] != 1):
            wrong += 1
    return wrong


def step_games(batch: Arrays, actions: Whole) -> None:
    """Step every environment; when its game ends, deal the game `stride` further on at once.

    The action DEAL deals an environment without a current seat the game of its seed and number; below 0 any other does
    nothing. One kernel deals and steps, so what a seat is shown is compiled into one kernel only. `wrong` receives how
    many actions are illegal, and unless all are 0 nothing else changes.
    """
    games, params, which, views, seats, rows, size, ended, returns, zero_sum = batch[:10]
    refused, seeds, numbers, stride, lines, last, wrong = batch[10:]
    chunks = len(views)
    rows, lines, last = borrowed(rows), borrowed(lines), borrowed(last)
    for chunk in prange(chunks):  # each thread reads the masks that it wrote, which are in its core's cache
        first, end = chunk * len(games) // chunks, (chunk + 1) * len(games) // chunks
        wrong[chunk] = count_illegal(seats, rows, size, actions, first, end)
    for chunk in range(chunks):
        if wrong[chunk] != 0:
            return
    for chunk in prange(chunks):
        for index in range(chunk * len(games) // chunks, (chunk + 1) * len(games) // chunks):
            deal = actions[index] == DEAL
            if actions[index] < 0:
                ended[index] = 0
                if not deal:
                    continue
            for place in range(0, lines.shape[1], CACHE_LINE):  # the record will be in the cache when it is needed
                prefetch(lines, min(index + AHEAD, len(games) - 1), place)
            game, own = games[index], params[which[index]]
            if not deal:
                refused[index] = step(game, own, actions[index])
                ended[index] = ending(game)
                if ended[index] != 0:
                    write_returns(game, zero_sum, returns[index])
                    if stride > 0:
                        last[index, :] = lines[index, :]
                        numbers[index] += stride
                        deal = True
            if deal:
                reset(game, own, seeds[index], numbers[index])
            show_game(game, own, views[chunk], index, seats, rows, size)


def observe_games(
    games: Records, params: Records, which: Whole, views: Records, seats: Whole, rows: Vector, size: int
) -> None:
    """Write the row of one chosen seat per environment. seats: (n,), each a seat of the game."""
    for index in range(len(games)):
        write_row(games[index], params[which[index]], seats[index], views[0], rows[index], size)


def look_at_games(games: Records, params: Records, which: Whole, seats: Whole, views: Records, scratch: Vector) -> None:
    """Write the view of one chosen seat per environment. views: (n,), written; scratch: an observation's length."""
    for index in range(len(games)):
        observe(games[index], params[which[index]], seats[index], views[index], scratch)


def resample_views(views: Records, params: Records, streams: Records, games: Records) -> None:
    """Draw a game for each view. streams: (n,), drawn from; games: (n,), written."""
    for index in range(len(views)):
        resample(views[index], params[0], streams[index], games[index])


def choose_randomly(games: Records, rows: Vector, size: int, actions: Whole) -> None:
    """Draw a uniform legal action for each environment from its game's agent stream; 0 where the game is over."""
    rows = borrowed(rows)
    for index in prange(len(games)):
        actions[index] = 0
        if current_seat(games[index]) >= 0:
            actions[index] = random_legal_action(rows[index, size : size + NUM_ACTIONS], agent_stream(games[index]))


def act_on(observations: Vector, masks: Vector, memory: Memory, rng: Records, actions: Whole) -> None:
    """Write an agent's action for each of n games."""
    for index in range(len(actions)):
        actions[index] = choose_action(observations[index], masks[index], memory[index], rng[index])


def act_on_views(
    views: Records,
    params: Records,
    observations: Vector,
    masks: Vector,
    memory: Memory,
    rng: Records,
    actions: Whole,
) -> None:
    """Write the action of an agent that reads views, for each of n games."""
    for index in range(len(actions)):
        actions[index] = choose_by_view(
            views[index], params[0], observations[index], masks[index], memory[index], rng[index]
        )


def advise(view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write the action that the only agent of the chain, one without memory, would take: one-hot over the actions."""
    memory = np.zeros(1, np.int32)
    out[:] = 0
    out[choose_as(0, view, params, observation, mask, memory, stream)] = 1


def write_feature_rows(
    views: Records, params: Records, observations: Vector, masks: Vector, rng: Records, out: Vector
) -> None:
    """Write a feature set's features of what n seats see. out: (n, size)."""
    for index in prange(len(out)):
        write_feature_row(views[index], params[0], observations[index], masks[index], rng[index], out[index])


def choose_or_pass_on(
    agent: int,
    view: Record,
    params: Record,
    observation: Vector,
    mask: Vector,
    memory: Memory,
    stream: Record,
) -> int:
    """A link in the chain that dispatches to several agents: agent 0 is this one, later links hold the others."""
    if agent == 0:
        return choose_action(observation, mask, memory, stream)
    return choose_next(agent - 1, view, params, observation, mask, memory, stream)


def choose_by_view_or_pass_on(
    agent: int,
    view: Record,
    params: Record,
    observation: Vector,
    mask: Vector,
    memory: Memory,
    stream: Record,
) -> int:
    """The same link for an agent that reads the view."""
    if agent == 0:
        return choose_by_view(view, params, observation, mask, memory, stream)
    return choose_next(agent - 1, view, params, observation, mask, memory, stream)


def no_choice(
    agent: int,
    view: Record,
    params: Record,
    observation: Vector,
    mask: Vector,
    memory: Memory,
    stream: Record,
) -> int:
    """The end of the chain: no agent has this number."""
    return -1


def stream_copies(games: Records, out: Records) -> None:
    """Copy each game's stream for what its players draw. out: (n,) STREAM."""
    for index in range(len(games)):
        out[index] = agent_stream(games[index])


def put_streams(games: Records, streams: Records) -> None:
    """Move the games' streams to where the players' copies stand."""
    for index in range(len(games)):
        stream = agent_stream(games[index])
        stream["drawn"] = streams[index]["drawn"]


def play_until_asked(batch: Arrays, seated: Seated, indices: Whole, actions: Whole) -> None:
    """Let compiled agents play these environments until another seat has to choose or the game is over.

    indices: which environments; actions: (n,), taken first unless below 0, then set to -1. Written for these
    environments: seats and rows, the current seat and its row; ended, how the game ended; returns, if it did; refused,
    1 + an action that the rules refused, which stops its game, else 0. A game whose log is full stops before its next
    action.
    """
    games, params, which, views, seats, rows, size, ended, returns, zero_sum, refused = batch[:11]
    agents, memories, scratch, log, taken = seated
    chunks = len(views)
    rows, scratch, memories = borrowed(rows), borrowed(scratch), borrowed(memories)
    for chunk in prange(chunks):
        row = scratch[chunk]
        for place in range(chunk * len(indices) // chunks, (chunk + 1) * len(indices) // chunks):
            index = indices[place]
            game, own = games[index], params[which[index]]
            action = actions[index]
            refused[index] = 0
            seat = current_seat(game)
            while seat >= 0:
                if log.shape[1] > 0 and taken[index] == log.shape[1]:
                    break
                stream = agent_stream(game)
                begun = int(stream["drawn"])
                if action < 0:
                    if agents[index, seat] < 0:
                        break
                    write_row(game, own, seat, views[chunk], row, size)
                    action = choose_as(
                        agents[index, seat],
                        views[chunk],
                        own,
                        row[:size],
                        row[size : size + NUM_ACTIONS],
                        memories[index, seat],
                        stream,
                    )
                end_decision(stream, begun)
                if step(game, own, action) != 0:
                    refused[index] = 1 + action
                    break
                if log.shape[1] > 0:
                    log[index, taken[index]] = action
                    taken[index] += 1
                action = -1
                actions[index] = -1
                seat = current_seat(game)
            ended[index] = ending(game)
            if ended[index] != 0:
                write_returns(game, zero_sum, returns[index])
            show_game(game, own, views[chunk], index, seats, rows, size)


def deal_games(games: Records, params: Records, which: Whole, seed: int, numbers: Whole, indices: Whole) -> None:
    """Deal these environments the games of their numbers. numbers: (n,)."""
    for index in indices:
        reset(games[index], params[which[index]], seed, numbers[index])


def replay_games(
    games: Records, params: Records, views: Records, seed: int, recorded: Recorded, replayed: Replayed, size: int
) -> int:
    """Play recorded games again, one after the other, and write a row for each decision of the wanted seats.

    Returns how many rows there are.
    """
    numbers, starts, actions, wanted = recorded
    rows, places, seats, last_rows, returns, failed = replayed
    filled = 0
    num_seats = returns.shape[1]
    for index in range(len(games)):
        game = games[index]
        reset(game, params[0], seed, numbers[index])
        failed[index] = 0
        for place in range(starts[index], starts[index + 1]):
            seat = current_seat(game)
            if seat >= 0 and (wanted[index] >> seat) & 1:
                write_row(game, params[0], seat, views[0], rows[filled], size)
                places[filled] = place
                seats[filled] = seat
                filled += 1
            if step(game, params[0], actions[place]) != 0:  # also where the game is over
                failed[index] = 1 + place
                break
        write_returns(game, 0, returns[index])
        if len(last_rows) > 0:
            for seat in range(num_seats):
                write_row(game, params[0], seat, views[0], last_rows[index * num_seats + seat], size)
    return filled
