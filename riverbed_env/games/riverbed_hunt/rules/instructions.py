"""Begin each instruction: carry it out if it needs no choice, otherwise ask for its next choice.

An impossible instruction is skipped (RH-7.2).
"""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below

from . import kernel
from . import vocab as v
from .acts import refresh_all
from .board import destinations, others, spaces_in_scope
from .cards import discarding_seats, moving_seats
from .knowledge import everybody_loses_track
from .stack import ask, ask_plain, count_bits, record_act, record_event
from .talk import shuffle_claims
from .turn import discard_at_random


@kernel
def next_instruction(frame: Record) -> None:
    """Advance the frame to its next instruction, with no player and no spaces chosen yet."""
    frame["step"] = int(frame["step"]) + 1
    frame["before"] = frame["chosen"]
    frame["chosen"] = 0
    frame["seat"] = v.NOBODY


@kernel
def eligible(table: Record, params: Record, frame: Record, instruction: Record, seat: int) -> int:
    """RH-2.5: bits of the spaces in the instruction's scope for `seat`, regardless of what lies on them."""
    scope = int(instruction["scope"])
    if scope == v.Scope.SWAPPED:
        spaces = int(frame["swapped"])
    else:
        place = int(table["position"][seat])
        if frame["source"] == v.Source.TILE:
            place = int(frame["space"])
        spaces = spaces_in_scope(table, params, scope, seat, place)
    if instruction["another"]:
        spaces &= ~int(frame["before"])
    return spaces


@kernel
def ask_for_space(table: Record, frame: Record, instruction: Record, question: int, spaces: int) -> None:
    """Ask the carrier for a space, or skip the instruction if there is none to choose."""
    if spaces == 0:
        next_instruction(frame)
    else:
        ask(table, int(frame["carrier"]), question, spaces, 0, int(instruction["optional"]))


@kernel
def ask_for_seat(table: Record, frame: Record, instruction: Record, seats: int) -> None:
    """Ask the carrier for a player, or skip the instruction if there is none to choose."""
    if seats == 0:
        next_instruction(frame)
    else:
        ask(table, int(frame["carrier"]), v.Question.SEAT, 0, seats, int(instruction["optional"]))


@kernel
def begin_view(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-4.1 and cards: look at a face-down tile, alone or with another player chosen first."""
    spaces = eligible(table, params, frame, instruction, int(frame["carrier"])) & int(table["face_down"])
    if spaces != 0 and instruction["who"] != v.Who.SELF and frame["seat"] == v.NOBODY:
        ask_for_seat(table, frame, instruction, others(table, int(frame["carrier"])))
    else:
        ask_for_space(table, frame, instruction, v.Question.VIEW, spaces)


@kernel
def begin_reveal(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-4.4, RH-5, RH-6.1 and cards: turn a face-down tile up; RH-7, Rallying Call: another player does."""
    seat = int(frame["carrier"])
    if instruction["who"] == v.Who.ANOTHER:
        if frame["seat"] == v.NOBODY:
            ask_for_seat(table, frame, instruction, seats_to_reveal(table, params, frame, instruction))
            return
        seat = int(frame["seat"])
    spaces = eligible(table, params, frame, instruction, seat) & int(table["face_down"])
    if spaces == 0:
        next_instruction(frame)
    else:
        ask(table, seat, v.Question.REVEAL, spaces, 0, int(instruction["optional"]))


@kernel
def seats_to_reveal(table: Record, params: Record, frame: Record, instruction: Record) -> int:
    """RH-7, Rallying Call: bits of the other seats that have a face-down tile to reveal."""
    seats = 0
    for other in range(int(table["num_players"])):
        if other != frame["carrier"]:
            if eligible(table, params, frame, instruction, other) & int(table["face_down"]) != 0:
                seats |= 1 << other
    return seats


@kernel
def begin_hunt_on(table: Record, params: Record, frame: Record) -> None:
    """RH-5.1: after a tile with the hunt icon the leader may continue; RH-5.2: otherwise the penalty is next."""
    icon = params["features"][int(frame["revealed"]), 3]
    if not icon:
        next_instruction(frame)
    elif table["face_down"] == 0:
        frame["step"] = v.MAX_INSTRUCTIONS
    else:
        ask(table, int(frame["carrier"]), v.Question.HUNT_ON, int(table["face_down"]), 0, 1)


@kernel
def begin_swap(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-7, Undercurrent: swap two face-down tiles; skip it if there are fewer."""
    spaces = eligible(table, params, frame, instruction, int(frame["carrier"])) & int(table["face_down"])
    if frame["chosen"] != 0:
        ask_for_space(table, frame, instruction, v.Question.SWAP, spaces & ~int(frame["chosen"]))
    elif count_bits(spaces) < 2:
        frame["step"] = v.MAX_INSTRUCTIONS  # RH-7.2: nothing is left to work on, so the program ends
    else:
        ask_for_space(table, frame, instruction, v.Question.SWAP, spaces)


@kernel
def begin_move(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-2.6, RH-7.4: move the carrier's meeple, or that of a player chosen first."""
    carrier = int(frame["carrier"])
    scope = int(instruction["scope"])
    if instruction["who"] != v.Who.SELF and frame["seat"] == v.NOBODY:
        seats = moving_seats(table, params, scope, int(instruction["who"]), carrier)
        ask_for_seat(table, frame, instruction, seats)
        return
    mover = carrier
    if frame["seat"] != v.NOBODY:
        mover = int(frame["seat"])
    ask_for_space(table, frame, instruction, v.Question.MOVE, destinations(table, params, scope, mover))


@kernel
def begin_discard(game: Record, frame: Record, instruction: Record) -> None:
    """RH-7.3: the carrier or another player discards a card, by choice or at random."""
    table = game["table"]
    if instruction["who"] == v.Who.SELF:
        discarder = int(frame["carrier"])
    elif frame["seat"] == v.NOBODY:
        seats = discarding_seats(table, int(instruction["who"]), int(frame["carrier"]))
        ask_for_seat(table, frame, instruction, seats)
        return
    else:
        discarder = int(frame["seat"])
    if table["hand_size"][discarder] == 0:
        next_instruction(frame)
    elif instruction["random"]:
        discard_at_random(game, discarder)
        next_instruction(frame)
    else:
        ask_plain(table, discarder, v.Question.DISCARD)


@kernel
def begin_refresh(table: Record, frame: Record, instruction: Record) -> None:
    """RH-4.3, RH-4.4 and cards: make all actions ready (amount 0), or one exhausted action of choice (amount 1)."""
    carrier = int(frame["carrier"])
    ready = int(table["dive_ready"][carrier]) + int(table["swim_ready"][carrier])
    if ready == 2:
        next_instruction(frame)
    elif instruction["amount"] == 0:
        refresh_all(table, carrier)
        record_act(table, v.Event.REFRESH, carrier)
        next_instruction(frame)
    else:
        ask_plain(table, carrier, v.Question.REFRESH)


@kernel
def shuffle_tiles(game: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-6, text S, and RH-7, Whirlpool: shuffle the face-down tiles in scope, if there are at least two."""
    table = game["table"]
    carrier = int(frame["carrier"])
    spaces = eligible(table, params, frame, instruction, carrier) & int(table["face_down"])
    left = count_bits(spaces)
    if left < 2:
        return
    for space in range(v.NUM_SPACES):
        if (spaces >> space) & 1:
            other = nth_space(spaces >> space, below(game["chance"], left)) + space
            tile = game["tile_at"][space]
            game["tile_at"][space] = game["tile_at"][other]
            game["tile_at"][other] = tile
            left -= 1
    everybody_loses_track(game, spaces)
    if table["said_count"] > 0:
        shuffle_claims(table, spaces)
    shown_space = int(frame["space"])
    if shown_space == v.NO_SPACE:
        shown_space = int(table["position"][carrier])
    record_event(table, v.Event.SHUFFLE, carrier, v.NOBODY, shown_space, v.NO_SPACE, 0)


@kernel
def nth_space(spaces: int, nth: int) -> int:
    """The position of the set bit with `nth` set bits below it."""
    for space in range(v.NUM_SPACES):
        if (spaces >> space) & 1:
            if nth == 0:
                return space
            nth -= 1
    return v.NO_SPACE
