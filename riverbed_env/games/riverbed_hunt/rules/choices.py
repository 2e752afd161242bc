"""Apply the answers to the top frame's questions: a space, a player, a card, or an answer to a co-op."""

from riverbed_env.kernels.compile import Record

from . import kernel
from . import vocab as v
from .acts import chief_seat, declare_power, make_ready
from .board import face_down_within_reach
from .elements import turn_down, turn_up
from .instructions import next_instruction
from .knowledge import everybody_sees_swap, only_space, view_tile
from .stack import ask, ask_plain, count_ask, record_act, record_at, record_event, record_with
from .talk import swap_claims
from .turn import discard_card, spend_card


@kernel
def choose_space(game: Record, params: Record, question: int, space: int) -> None:
    """Apply the chosen space to the instruction of the top frame."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    carrier = int(frame["carrier"])
    if question == v.Question.HUNT_ON:
        frame["revealed"] = game["tile_at"][space]
        turn_up(game, params, carrier, space)
        return
    frame["chosen"] = int(frame["chosen"]) | (1 << space)
    if question == v.Question.VIEW:
        look_at_tile(game, params, frame, space)
    elif question == v.Question.REVEAL:
        reveal_tile(game, params, frame, space)
    elif question == v.Question.FLIP_DOWN:
        next_instruction(frame)
        turn_down(game, params, carrier, space)
    elif question == v.Question.PENALTY:
        next_instruction(frame)
        turn_down(game, params, chief_seat(table), space)
    elif question == v.Question.SWAP:
        choose_swap(game, frame, space)
    else:
        move_meeple(table, frame, space)


@kernel
def look_at_tile(game: Record, params: Record, frame: Record, space: int) -> None:
    """RH-4.1 and cards: the carrier, the chosen player or both look at a face-down tile."""
    table = game["table"]
    carrier = int(frame["carrier"])
    seat = int(frame["seat"])
    who = int(params["programs"][int(frame["program"]), int(frame["step"])]["who"])
    next_instruction(frame)
    if who != v.Who.ANOTHER:
        view_tile(game, carrier, space)
    if who != v.Who.SELF:
        view_tile(game, seat, space)
    if frame["source"] == v.Source.DIVE:
        record_at(table, v.Event.DIVE, carrier, space, 0)
    elif who == v.Who.SELF:
        record_at(table, v.Event.VIEW, carrier, space, 0)
    elif who == v.Who.ANOTHER:
        record_at(table, v.Event.VIEW, seat, space, 0)
    else:
        record_event(table, v.Event.SHOW, carrier, seat, space, v.NO_SPACE, 0)


@kernel
def reveal_tile(game: Record, params: Record, frame: Record, space: int) -> None:
    """RH-6.1: turn the chosen tile up; its layers are carried out before anything else."""
    seat = int(frame["carrier"])
    instruction = params["programs"][int(frame["program"]), int(frame["step"])]
    if instruction["who"] == v.Who.ANOTHER:
        seat = int(frame["seat"])
    frame["revealed"] = game["tile_at"][space]
    next_instruction(frame)
    turn_up(game, params, seat, space)


@kernel
def choose_swap(game: Record, frame: Record, space: int) -> None:
    """RH-7, Undercurrent: once two tiles are chosen, they change places; everybody sees which."""
    first_bit = int(frame["chosen"]) & ~(1 << space)
    if first_bit == 0:
        return
    first = only_space(first_bit)
    frame["swapped"] = frame["chosen"]
    first_tile = game["tile_at"][first]
    game["tile_at"][first] = game["tile_at"][space]
    game["tile_at"][space] = first_tile
    everybody_sees_swap(game, first, space)
    if game["table"]["said_count"] > 0:
        swap_claims(game["table"], first, space)
    record_event(game["table"], v.Event.SWAP, int(frame["carrier"]), v.NOBODY, first, space, 0)
    next_instruction(frame)


@kernel
def move_meeple(table: Record, frame: Record, space: int) -> None:
    """RH-2.6: move the meeple to the space."""
    carrier = int(frame["carrier"])
    mover = carrier
    if frame["seat"] != v.NOBODY:
        mover = int(frame["seat"])
    table["position"][mover] = space
    record_event(table, v.Event.MOVE, carrier, mover, space, v.NO_SPACE, 0)
    next_instruction(frame)


@kernel
def choose_seat(game: Record, params: Record, seat: int) -> None:
    """Apply the chosen player to the instruction of the top frame."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    effect = params["programs"][int(frame["program"]), int(frame["step"])]["effect"]
    frame["seat"] = seat
    if effect == v.Effect.CALL:
        call(table, params, frame)
    elif effect == v.Effect.LOOK_AT_ROLE:
        carrier = int(frame["carrier"])
        game["private"][carrier]["looked"][seat] = game["private"][seat]["role"]
        record_with(table, v.Event.LOOK_AT_ROLE, carrier, seat, 0)
        next_instruction(frame)


@kernel
def call(table: Record, params: Record, frame: Record) -> None:
    """RH-4.3: ask the chosen player for an answer; without a face-down tile within reach they reveal nothing."""
    seat = int(frame["seat"])
    carrier = int(frame["carrier"])
    count_ask(table, carrier, seat)
    record_with(table, v.Event.CO_OP, carrier, seat, 0)
    if face_down_within_reach(table, params, seat) == 0:
        next_instruction(frame)
    else:
        ask_plain(table, seat, v.Question.ANSWER)


@kernel
def answer_call(game: Record, params: Record, answer: int) -> None:
    """RH-4.3: the asked player reveals; RH-5.1, RH-5.3: or declares a power; RH-7.5: or slips away.

    answer: Source TILE, HUNT, CON or CARD.
    """
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    seat = int(frame["seat"])
    if answer == v.Source.TILE:
        ask(table, seat, v.Question.REVEAL, face_down_within_reach(table, params, seat), 0, 0)
    elif answer == v.Source.CARD:
        card = int(params["redirect_card"])
        spend_card(game, seat, card)
        table["slipped"] = int(table["slipped"]) | (1 << seat)
        frame["seat"] = v.NOBODY
        record_with(table, v.Event.SLIP_AWAY, seat, int(frame["carrier"]), card)
    else:
        next_instruction(frame)
        declare_power(table, seat, answer)


@kernel
def choose_card(game: Record, params: Record, seat: int, card: int) -> None:
    """RH-7.3: the asked player discards a card; RH-3.3: at the end of a turn no frame has asked for it."""
    table = game["table"]
    if table["depth"] > 0:
        next_instruction(table["frames"][int(table["depth"]) - 1])
    discard_card(game, seat, card)


@kernel
def choose_ready(table: Record, seat: int, swim: int) -> None:
    """RH-5.5 and cards: make an exhausted action ready."""
    next_instruction(table["frames"][int(table["depth"]) - 1])
    make_ready(table, seat, swim)
    record_with(table, v.Event.REFRESH, seat, v.NOBODY, swim + 1)


@kernel
def decline(table: Record, seat: int) -> None:
    """RH-5.1: stop the Hunt; RH-6.1: or skip an optional instruction."""
    frame = table["frames"][int(table["depth"]) - 1]
    if frame["source"] == v.Source.HUNT:
        frame["step"] = v.MAX_INSTRUCTIONS
    else:
        next_instruction(frame)
    record_act(table, v.Event.STOP, seat)
