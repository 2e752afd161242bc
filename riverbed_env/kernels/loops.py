"""Loops round the single-game kernels: templates that a game links to its own kernels.

The names below are bound when a game links a template (`Game.loop`); here they only say what each kernel takes.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
from numba import prange

from .actions import WAIT
from .compile import Record
from .random import end_decision, random_legal_action

Records = npt.NDArray[np.void]
Vector = npt.NDArray[np.int8]

NUM_ACTIONS = 0  # the game's
DEAL = -1 << 40  # in place of an action
CACHE_LINE = 64
AHEAD = 2  # lanes
OVER = -1  # the game is over
TRUNCATED = 2  # an ending
SEAT_CODES = 64  # more than there are seats: a refused seat and the reason share a number
REFUSED = -2  # REFUSED - code: the rules refused the action for this reason

# Which loops a loop is made of.
MADE_OF = {
    "serve": ("write_row",),
    "sight": ("write_row",),
    "reset_lanes": ("show_lane",),
    "step_lanes": ("show_lane", "step_lane", "touch_lane"),
    "play_until_asked": ("show_lane", "write_row"),
}


def reset_game(game: Record, setting: Record, seed: int, number: int) -> None:
    """Deal game `number` of `seed`."""
    raise NotImplementedError


def step_game(game: Record, setting: Record, action: int) -> int:
    """Take an action; 0, or the reason why it is refused."""
    raise NotImplementedError


def asked_seat(game: Record) -> int:
    """The seat that has to choose, -1 at the end."""
    raise NotImplementedError


def ending_of(game: Record) -> int:
    """0 playing, 1 won, 2 truncated."""
    raise NotImplementedError


def write_mask(game: Record, setting: Record, seat: int, out: Vector) -> None:
    """Write the action mask of a seat."""
    raise NotImplementedError


def observe_game(game: Record, setting: Record, seat: int, view: Record, out: Vector) -> None:
    """Write the observation of a seat."""
    raise NotImplementedError


def write_full_state(game: Record, setting: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """Write the full state."""
    raise NotImplementedError


def write_payoff(game: Record, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """Write every seat's payoff."""
    raise NotImplementedError


def agent_stream(game: Record) -> Record:
    """The game's random stream for what players draw."""
    raise NotImplementedError


def find_fault(game: Record, setting: Record) -> int:
    """Which identity the state breaks, 0 for none."""
    raise NotImplementedError


def pending_seats(game: Record, setting: Record) -> int:
    """Bits of the seats that have yet to answer in the step under way."""
    raise NotImplementedError


def write_pending_mask(game: Record, setting: Record, seat: int, out: Vector) -> None:
    """Write the action mask of a pending seat, asked already or not."""
    raise NotImplementedError


def choose_action(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """An agent's choice."""
    raise NotImplementedError


def choose_by_view(
    view: Record, setting: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The choice of an agent that looks at the view."""
    raise NotImplementedError


def choose_as(
    agent: int,
    view: Record,
    setting: Record,
    observation: Vector,
    mask: Vector,
    memory: npt.NDArray[np.int32],
    stream: Record,
) -> int:
    """The choice of one of several agents, by its number."""
    raise NotImplementedError


def choose_next(
    agent: int,
    view: Record,
    setting: Record,
    observation: Vector,
    mask: Vector,
    memory: npt.NDArray[np.int32],
    stream: Record,
) -> int:
    """The choice of one of the agents further on."""
    raise NotImplementedError


def sense_row(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """What a sense tells of one observation."""
    raise NotImplementedError


def write_row(game: Record, setting: Record, seat: int, view: Record, row: Vector, size: int) -> None:
    """A seat's observation and, behind it, its action mask, in one row."""
    observe_game(game, setting, seat, view, row[:size])
    write_mask(game, setting, seat, row[size : size + NUM_ACTIONS])


def serve(
    games: Records,
    settings: Records,
    views: Records,
    seed: int,
    number: int,
    action: int,
    row: Vector,
    size: int,
) -> int:
    """One call of a turn-based environment: deal game `number` if action is DEAL, else take the asked seat's action.

    Returns the next asked seat, whose row is written, or OVER, or REFUSED - code with nothing changed. Dealing and
    stepping are one kernel so that the rules are compiled into one.
    """
    game = games[0]
    refused = 0
    if action == DEAL:
        reset_game(game, settings[0], seed, number)
    else:
        refused = step_game(game, settings[0], action)
    if refused != 0:
        return REFUSED - refused
    seat = asked_seat(game)
    if seat >= 0:
        write_row(game, settings[0], seat, views[0], row, size)
    return seat


def sight(games: Records, settings: Records, views: Records, seat: int, row: Vector, size: int) -> int:
    """Any seat's row at any time; returns the asked seat, OVER if none."""
    write_row(games[0], settings[0], seat, views[0], row, size)
    return asked_seat(games[0])


def full_state(games: Records, settings: Records, views: Records, scratch: Vector, out: Vector) -> None:
    """The full state of the first game."""
    write_full_state(games[0], settings[0], views[0], scratch, out)


def full_states(games: Records, settings: Records, views: Records, scratch: Vector, out: Vector) -> None:
    """The full state of each game. scratch: (threads, an observation's length); out: (n, size)."""
    chunks = len(views)
    for chunk in prange(chunks):
        for lane in range(chunk * len(games) // chunks, (chunk + 1) * len(games) // chunks):
            write_full_state(games[lane], settings[0], views[chunk], scratch[chunk], out[lane])


def pay(games: Records, zero_sum: int, out: npt.NDArray[np.float32]) -> int:
    """The payoffs of the first game; returns how it ended: 0 playing, 1 won, 2 truncated."""
    write_payoff(games[0], zero_sum, out)
    return ending_of(games[0])


def pay_all(games: Records, zero_sum: int, out: npt.NDArray[np.float32]) -> None:
    """The payoffs of each game. out: (n, seats)."""
    for lane in range(len(games)):
        write_payoff(games[lane], zero_sum, out[lane])


def deal_one(games: Records, settings: Records, seed: int, number: int) -> None:
    """Deal the first game."""
    reset_game(games[0], settings[0], seed, number)


def ask_all(games: Records, settings: Records, views: Records, rows: Vector, size: int) -> int:
    """Every seat's row at the beginning of a step that all pending seats take together; returns bits of those seats.

    rows: (seats, row length). Seats that aren't pending are given WAIT alone.
    """
    game = games[0]
    pending = pending_seats(game, settings[0])
    for seat in range(len(rows)):
        observe_game(game, settings[0], seat, views[0], rows[seat, :size])
        mask = rows[seat, size : size + NUM_ACTIONS]
        if (pending >> seat) & 1:
            write_pending_mask(game, settings[0], seat, mask)
        else:
            mask[:] = 0
            mask[WAIT] = 1
    return pending


def step_pending(games: Records, settings: Records, actions: npt.NDArray[np.int64]) -> int:
    """Take every pending seat's action, in the order in which the seats are asked.

    actions: (seats,). Returns OVER when all are taken, or the refused seat + SEAT_CODES * the reason.
    """
    game = games[0]
    left = pending_seats(game, settings[0])
    while left:
        seat = asked_seat(game)
        refused = step_game(game, settings[0], actions[seat])
        if refused != 0:
            return seat + SEAT_CODES * refused
        left &= ~(1 << seat)
    return OVER


def faults(games: Records, settings: Records, out: npt.NDArray[np.int64]) -> None:
    """Which identity each game breaks, 0 for none. out: (n,)."""
    for lane in range(len(games)):
        out[lane] = find_fault(games[lane], settings[0])


def show_lane(
    game: Record, setting: Record, view: Record, lane: int, seats: npt.NDArray[np.int64], rows: Vector, size: int
) -> None:
    """Write the lane's asked seat and its row."""
    seat = asked_seat(game)
    seats[lane] = seat
    observe_game(game, setting, max(seat, 0), view, rows[lane, :size])
    write_mask(game, setting, max(seat, 0), rows[lane, size : size + NUM_ACTIONS])


def reset_lanes(
    games: Records,
    settings: Records,
    views: Records,
    seeds: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    rows: Vector,
    size: int,
) -> None:
    """Deal each lane the game of its seed and number. views: the first is scratch."""
    for lane in range(len(games)):
        reset_game(games[lane], settings[0], seeds[lane], numbers[lane])
        show_lane(games[lane], settings[0], views[0], lane, seats, rows, size)


def step_lane(
    game: Record,
    setting: Record,
    action: int,
    lane: int,
    refused: npt.NDArray[np.int64],
    ended: npt.NDArray[np.int8],
    payoff: npt.NDArray[np.float32],
    zero_sum: int,
) -> None:
    """Take the lane's action; note whether it was refused, whether it ended the game, and the payoffs if so."""
    refused[lane] = step_game(game, setting, action)
    ended[lane] = ending_of(game)
    if ended[lane] != 0:
        write_payoff(game, zero_sum, payoff[lane])


def touch_lane(lines: Vector, lane: int) -> int:
    """Read one byte of each cache line of a lane's record, so that all of it is on its way before it is needed.

    In a batch larger than the cache this makes a step a fifth faster: the lines come at once, not one by one.
    """
    total = 0
    for place in range(0, lines.shape[1], CACHE_LINE):
        total += int(lines[lane, place])
    return total


def step_lanes(
    games: Records,
    settings: Records,
    views: Records,
    seeds: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    stride: int,
    actions: npt.NDArray[np.int64],
    refused: npt.NDArray[np.int64],
    ended: npt.NDArray[np.int8],
    payoff: npt.NDArray[np.float32],
    zero_sum: int,
    seats: npt.NDArray[np.int64],
    rows: Vector,
    size: int,
    lines: Vector,
    touched: npt.NDArray[np.int64],
) -> None:
    """Step every lane; a lane whose game ended is dealt the game `stride` further on at once (stride 0: it stays).

    lines: the games' bytes, (n, bytes a game); touched: (threads,), takes what `touch_lane` finds.
    """
    chunks = len(views)
    for chunk in prange(chunks):
        for lane in range(chunk * len(games) // chunks, (chunk + 1) * len(games) // chunks):
            touched[chunk] = touch_lane(lines, min(lane + AHEAD, len(games) - 1))
            game = games[lane]
            if actions[lane] < 0:  # its game ended in an earlier step
                ended[lane] = 0
                continue
            step_lane(game, settings[0], actions[lane], lane, refused, ended, payoff, zero_sum)
            if ended[lane] != 0 and stride > 0:
                numbers[lane] += stride
                reset_game(game, settings[0], seeds[lane], numbers[lane])
            show_lane(game, settings[0], views[chunk], lane, seats, rows, size)


def observe_lanes(
    games: Records, settings: Records, views: Records, seats: npt.NDArray[np.int64], rows: Vector, size: int
) -> None:
    """The row of one chosen seat a lane. seats: (n,), each a seat of the game."""
    for lane in range(len(games)):
        observe_game(games[lane], settings[0], seats[lane], views[0], rows[lane, :size])
        write_mask(games[lane], settings[0], seats[lane], rows[lane, size : size + NUM_ACTIONS])


def look_lanes(
    games: Records, settings: Records, seats: npt.NDArray[np.int64], views: Records, scratch: Vector
) -> None:
    """What one chosen seat a lane may know. views: (n,), written; scratch: an observation's length."""
    for lane in range(len(games)):
        observe_game(games[lane], settings[0], seats[lane], views[lane], scratch)


def choose_randomly(games: Records, rows: Vector, size: int, actions: npt.NDArray[np.int64]) -> None:
    """A uniformly drawn legal action a lane, from the games' own agent streams; 0 where the game is over."""
    for lane in prange(len(games)):
        actions[lane] = 0
        if asked_seat(games[lane]) >= 0:
            actions[lane] = random_legal_action(rows[lane, size : size + NUM_ACTIONS], agent_stream(games[lane]))


def act_on(
    observations: Vector, masks: Vector, memory: npt.NDArray[np.int32], rng: Records, actions: npt.NDArray[np.int64]
) -> None:
    """An agent's action for each of n games."""
    for lane in range(len(actions)):
        actions[lane] = choose_action(observations[lane], masks[lane], memory[lane], rng[lane])


def act_on_views(
    views: Records,
    settings: Records,
    observations: Vector,
    masks: Vector,
    memory: npt.NDArray[np.int32],
    rng: Records,
    actions: npt.NDArray[np.int64],
) -> None:
    """The same for an agent that looks at views."""
    for lane in range(len(actions)):
        actions[lane] = choose_by_view(
            views[lane], settings[0], observations[lane], masks[lane], memory[lane], rng[lane]
        )


def advise(observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """The sense of what an agent without memory would do, one-hot over the actions."""
    memory = np.zeros(1, np.int32)
    out[:] = 0
    out[choose_action(observation, mask, memory, stream)] = 1


def sense_rows(observations: Vector, masks: Vector, rng: Records, out: Vector) -> None:
    """What a sense tells of n observations. out: (n, size)."""
    for lane in prange(len(out)):
        sense_row(observations[lane], masks[lane], rng[lane], out[lane])


def choose_or_pass_on(
    agent: int,
    view: Record,
    setting: Record,
    observation: Vector,
    mask: Vector,
    memory: npt.NDArray[np.int32],
    stream: Record,
) -> int:
    """A link in the chain that dispatches to several agents: agent 0 is this one, the others come further on."""
    if agent == 0:
        return choose_action(observation, mask, memory, stream)
    return choose_next(agent - 1, view, setting, observation, mask, memory, stream)


def choose_by_view_or_pass_on(
    agent: int,
    view: Record,
    setting: Record,
    observation: Vector,
    mask: Vector,
    memory: npt.NDArray[np.int32],
    stream: Record,
) -> int:
    """Such a link whose agent looks at views."""
    if agent == 0:
        return choose_by_view(view, setting, observation, mask, memory, stream)
    return choose_next(agent - 1, view, setting, observation, mask, memory, stream)


def no_choice(
    agent: int,
    view: Record,
    setting: Record,
    observation: Vector,
    mask: Vector,
    memory: npt.NDArray[np.int32],
    stream: Record,
) -> int:
    """The end of such a chain: no agent has so high a number."""
    return -1


def stream_copies(games: Records, out: Records) -> None:
    """Each game's stream for what its players draw. out: (n,) STREAM."""
    for lane in range(len(games)):
        out[lane] = agent_stream(games[lane])


def put_streams(games: Records, streams: Records) -> None:
    """The streams back, after players drew from their copies."""
    for lane in range(len(games)):
        stream = agent_stream(games[lane])
        stream["drawn"] = streams[lane]["drawn"]


def play_until_asked(
    games: Records,
    settings: Records,
    views: Records,
    rows: Vector,
    scratch: Vector,
    memories: npt.NDArray[np.int32],
    line_ups: npt.NDArray[np.int64],
    lanes: npt.NDArray[np.int64],
    actions: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    ended: npt.NDArray[np.int8],
    payoff: npt.NDArray[np.float32],
    zero_sum: int,
    size: int,
    refused: npt.NDArray[np.int64],
) -> None:
    """Let compiled agents play these lanes until somebody else is asked or the game is over.

    line_ups: (n, seats), the number of the agent in each seat, below 0 where it isn't a compiled one; lanes: which
    lanes; actions: (n,), taken first where not below 0; memories: (n, seats, memory). Written for these lanes: seats
    and rows, who is asked and what that seat sees; ended, how the game ended; payoff, where it did; refused, 1 + an
    action that the rules refused, which stops its game, else 0. views, scratch (threads, row length): for each thread.
    """
    chunks = len(views)
    for chunk in prange(chunks):
        row = scratch[chunk]
        for place in range(chunk * len(lanes) // chunks, (chunk + 1) * len(lanes) // chunks):
            lane = lanes[place]
            game = games[lane]
            action = actions[lane]
            refused[lane] = 0
            seat = asked_seat(game)
            while seat >= 0:
                stream = agent_stream(game)
                begun = int(stream["drawn"])
                if action < 0:
                    if line_ups[lane, seat] < 0:
                        break
                    write_row(game, settings[0], seat, views[chunk], row, size)
                    action = choose_as(
                        line_ups[lane, seat],
                        views[chunk],
                        settings[0],
                        row[:size],
                        row[size : size + NUM_ACTIONS],
                        memories[lane, seat],
                        stream,
                    )
                end_decision(stream, begun)
                if step_game(game, settings[0], action) != 0:
                    refused[lane] = 1 + action
                    break
                action = -1
                seat = asked_seat(game)
            ended[lane] = ending_of(game)
            if ended[lane] != 0:
                write_payoff(game, zero_sum, payoff[lane])
            show_lane(game, settings[0], views[chunk], lane, seats, rows, size)


def deal_lanes(
    games: Records, settings: Records, seed: int, numbers: npt.NDArray[np.int64], lanes: npt.NDArray[np.int64]
) -> None:
    """Deal these lanes the games of their numbers, and no more. numbers: (n,)."""
    for lane in lanes:
        reset_game(games[lane], settings[0], seed, numbers[lane])
