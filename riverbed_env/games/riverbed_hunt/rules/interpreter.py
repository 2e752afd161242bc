"""The interpreter: carries out the effects under way, one instruction at a time, and takes the answers they ask for.

An effect is a frame on the stack; its program is a row of instructions in the vocabulary of the packs. A decision is
always "who chooses what, for which effect", so the question asked is that of the frame on top.
"""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below

from .acts import callable_seats, refresh_all
from .cards import discarding_seats, moving_seats, seats_to_look_at
from .elements import carry_out_layer, turn_down, turn_up
from .kernels import kernel
from .knowledge import everybody_loses_track, everybody_sees_swap, only_space, view_tile
from .powers import ask_penalty, chief_seat, declare_power, make_ready, show_role
from .river import destinations, face_down_within_reach, face_up, others, spaces_in_scope
from .stack import ask, ask_plain, count_ask, count_bits, record_act, record_at, record_event, record_with
from .turn import discard_at_random, discard_card, draw_card, spend_card
from .vocab import (
    MAX_INSTRUCTIONS,
    NO_PROGRAM,
    NO_SPACE,
    NOBODY,
    NUM_SPACES,
    Effect,
    Event,
    Question,
    Scope,
    Source,
    Who,
)


@kernel
def carry_on(game: Record, params: Record) -> None:
    """Carry out the next thing the frame on top has to do, or ask for the choice it needs."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    program = int(frame["program"])
    if program == NO_PROGRAM:
        carry_out_layer(game, params, frame)
        return
    step = int(frame["step"])
    if step >= MAX_INSTRUCTIONS or params["programs"][program, step]["effect"] == Effect.NOTHING:
        finish_program(table, frame)
        return
    begin_instruction(game, params, frame, params["programs"][program, step])


@kernel
def finish_program(table: Record, frame: Record) -> None:
    """RH-6.1: after a text come the tile's further layers; RH-5.4: any other effect is over, with what it kept."""
    if frame["source"] == Source.TILE:
        frame["program"] = NO_PROGRAM
        return
    if frame["source"] == Source.HUNT:
        table["hunting"] = 0
        table["hunted"] = 0
    elif frame["source"] == Source.CO_OP:
        table["slipped"] = 0
    table["depth"] = int(table["depth"]) - 1


@kernel
def next_instruction(frame: Record) -> None:
    """The frame's instruction is done; the next chooses its player and its spaces anew."""
    frame["step"] = int(frame["step"]) + 1
    frame["before"] = frame["chosen"]
    frame["chosen"] = 0
    frame["seat"] = NOBODY


@kernel
def note_choice(frame: Record, space: int) -> None:
    """The space is one of those chosen for the frame's instruction."""
    frame["chosen"] = int(frame["chosen"]) | (1 << space)


@kernel
def begin_instruction(game: Record, params: Record, frame: Record, instruction: Record) -> None:
    """Do what needs no choice at once; ask for the next choice otherwise. What can't be done is skipped."""
    effect = int(instruction["effect"])
    if effect == Effect.VIEW:
        begin_view(game["table"], params, frame, instruction)
    elif effect == Effect.REVEAL:
        begin_reveal(game["table"], params, frame, instruction)
    elif effect == Effect.FLIP_DOWN:
        table = game["table"]
        spaces = eligible(table, params, frame, instruction, int(frame["carrier"])) & face_up(table)
        ask_for_space(table, frame, instruction, Question.FLIP_DOWN, spaces)
    elif effect == Effect.SWAP:
        begin_swap(game["table"], params, frame, instruction)
    elif effect == Effect.SHUFFLE:
        shuffle_tiles(game, params, frame, instruction)
        next_instruction(frame)
    elif effect == Effect.MOVE:
        begin_move(game["table"], params, frame, instruction)
    elif effect == Effect.DRAW:
        for _ in range(int(instruction["amount"])):
            draw_card(game, int(frame["carrier"]))
        next_instruction(frame)
    elif effect == Effect.DISCARD:
        begin_discard(game, frame, instruction)
    elif effect == Effect.REFRESH:
        begin_refresh(game["table"], frame, instruction)
    elif effect == Effect.LOOK_AT_ROLE:
        seats = seats_to_look_at(game["table"], int(instruction["scope"]), int(frame["carrier"]))
        ask_for_seat(game["table"], frame, instruction, seats)
    else:
        begin_rule(game, params, frame, effect)


@kernel
def begin_rule(game: Record, params: Record, frame: Record, effect: int) -> None:
    """The instructions that only the rules themselves use (RH-4.3, RH-4.4, RH-5)."""
    table = game["table"]
    carrier = int(frame["carrier"])
    if effect == Effect.CALL:
        ask(table, carrier, Question.SEAT, 0, callable_seats(table, params, carrier), 0)
    elif effect == Effect.DECLARE:
        show_role(game, carrier)
        table["hunting"] = int(frame["source"] == Source.HUNT)
        next_instruction(frame)
    elif effect == Effect.HUNT_ON:
        begin_hunt_on(table, params, frame)
    elif effect == Effect.PENALTY:
        if not ask_penalty(table, params):
            next_instruction(frame)
    else:
        table["uncover_left"][carrier] = 0
        next_instruction(frame)


@kernel
def eligible(table: Record, params: Record, frame: Record, instruction: Record, seat: int) -> int:
    """RH-2.5: bits of the spaces the instruction lets `seat` choose from, whatever lies on them."""
    scope = int(instruction["scope"])
    if scope == Scope.SWAPPED:
        spaces = int(frame["swapped"])
    else:
        place = int(table["position"][seat])
        if frame["source"] == Source.TILE:
            place = int(frame["space"])
        spaces = spaces_in_scope(table, params, scope, seat, place)
    if instruction["another"]:
        spaces &= ~int(frame["before"])
    return spaces


@kernel
def ask_for_space(table: Record, frame: Record, instruction: Record, question: int, spaces: int) -> None:
    """Ask the carrier for a space; with none to choose the instruction is skipped."""
    if spaces == 0:
        next_instruction(frame)
    else:
        ask(table, int(frame["carrier"]), question, spaces, 0, int(instruction["optional"]))


@kernel
def ask_for_seat(table: Record, frame: Record, instruction: Record, seats: int) -> None:
    """Ask the carrier for a player; with none to choose the instruction is skipped."""
    if seats == 0:
        next_instruction(frame)
    else:
        ask(table, int(frame["carrier"]), Question.SEAT, 0, seats, int(instruction["optional"]))


@kernel
def begin_view(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-4.1 and cards: look at a face-down tile, alone or with another player chosen first."""
    spaces = eligible(table, params, frame, instruction, int(frame["carrier"])) & int(table["face_down"])
    if spaces != 0 and instruction["who"] != Who.SELF and frame["seat"] == NOBODY:
        ask_for_seat(table, frame, instruction, others(table, int(frame["carrier"])))
    else:
        ask_for_space(table, frame, instruction, Question.VIEW, spaces)


@kernel
def begin_reveal(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-4.4, RH-5, RH-6.1 and cards: turn a face-down tile up; RH-7, Rallying Call: another player does."""
    seat = int(frame["carrier"])
    if instruction["who"] == Who.ANOTHER:
        if frame["seat"] == NOBODY:
            ask_for_seat(table, frame, instruction, seats_to_reveal(table, params, frame, instruction))
            return
        seat = int(frame["seat"])
    spaces = eligible(table, params, frame, instruction, seat) & int(table["face_down"])
    if spaces == 0:
        next_instruction(frame)
    else:
        ask(table, seat, Question.REVEAL, spaces, 0, int(instruction["optional"]))


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
    """RH-5.1: after a tile with the hunt icon the leader may go on; RH-5.2: after one without, the penalty is next."""
    icon = params["features"][int(frame["revealed"]), 3]
    if not icon:
        next_instruction(frame)
    elif table["face_down"] == 0:
        frame["step"] = MAX_INSTRUCTIONS
    else:
        ask(table, int(frame["carrier"]), Question.HUNT_ON, int(table["face_down"]), 0, 1)


@kernel
def begin_swap(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-7, Undercurrent: two face-down tiles change places; with fewer than two it is skipped."""
    spaces = eligible(table, params, frame, instruction, int(frame["carrier"])) & int(table["face_down"])
    if frame["chosen"] != 0:
        ask_for_space(table, frame, instruction, Question.SWAP, spaces & ~int(frame["chosen"]))
    elif count_bits(spaces) < 2:
        skip_swap(frame)
    else:
        ask_for_space(table, frame, instruction, Question.SWAP, spaces)


@kernel
def skip_swap(frame: Record) -> None:
    """RH-7.2: without a swap, what would have followed on the swapped tiles has nothing to work on."""
    frame["step"] = MAX_INSTRUCTIONS


@kernel
def begin_move(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-2.6, RH-7.4: move one's own meeple, or one chosen first."""
    carrier = int(frame["carrier"])
    scope = int(instruction["scope"])
    if instruction["who"] != Who.SELF and frame["seat"] == NOBODY:
        seats = moving_seats(table, params, scope, int(instruction["who"]), carrier)
        ask_for_seat(table, frame, instruction, seats)
        return
    mover = carrier
    if frame["seat"] != NOBODY:
        mover = int(frame["seat"])
    ask_for_space(table, frame, instruction, Question.MOVE, destinations(table, params, scope, mover))


@kernel
def begin_discard(game: Record, frame: Record, instruction: Record) -> None:
    """RH-7.3: discard a card of one's choice, or another player does, of theirs or at random."""
    table = game["table"]
    if instruction["who"] == Who.SELF:
        discarder = int(frame["carrier"])
    elif frame["seat"] == NOBODY:
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
        ask_plain(table, discarder, Question.DISCARD)


@kernel
def begin_refresh(table: Record, frame: Record, instruction: Record) -> None:
    """RH-4.3, RH-4.4 and cards: make all actions ready (amount 0), or one of the exhausted ones, chosen (amount 1)."""
    carrier = int(frame["carrier"])
    ready = int(table["dive_ready"][carrier]) + int(table["swim_ready"][carrier])
    if ready == 2:
        next_instruction(frame)
    elif instruction["amount"] == 0:
        refresh_all(table, carrier)
        record_act(table, Event.REFRESH, carrier)
        next_instruction(frame)
    else:
        ask_plain(table, carrier, Question.REFRESH)


@kernel
def shuffle_tiles(game: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-6, text S, and RH-7, Whirlpool: the face-down tiles in scope change places at random; fewer than two don't."""
    table = game["table"]
    carrier = int(frame["carrier"])
    spaces = eligible(table, params, frame, instruction, carrier) & int(table["face_down"])
    left = count_bits(spaces)
    if left < 2:
        return
    for space in range(NUM_SPACES):
        if (spaces >> space) & 1:
            other = nth_space(spaces >> space, below(game["chance"], left)) + space
            kept = game["tile_at"][space]
            game["tile_at"][space] = game["tile_at"][other]
            game["tile_at"][other] = kept
            left -= 1
    everybody_loses_track(game, spaces)
    middle = int(frame["space"])
    if middle == NO_SPACE:
        middle = int(table["position"][carrier])
    record_event(table, Event.SHUFFLE, carrier, NOBODY, middle, NO_SPACE, 0)


@kernel
def nth_space(spaces: int, nth: int) -> int:
    """The place of the bit that has `nth` set bits below it."""
    for space in range(NUM_SPACES):
        if (spaces >> space) & 1:
            if nth == 0:
                return space
            nth -= 1
    return NO_SPACE


@kernel
def choose_space(game: Record, params: Record, question: int, space: int) -> None:
    """Take the space that was asked for by the frame on top and do what it was asked for."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    carrier = int(frame["carrier"])
    if question == Question.HUNT_ON:
        frame["revealed"] = game["tile_at"][space]
        turn_up(game, params, carrier, space)
        return
    note_choice(frame, space)
    if question == Question.VIEW:
        look_at_tile(game, params, frame, space)
    elif question == Question.REVEAL:
        reveal_tile(game, params, frame, space)
    elif question == Question.FLIP_DOWN:
        next_instruction(frame)
        turn_down(game, params, carrier, space)
    elif question == Question.PENALTY:
        next_instruction(frame)
        turn_down(game, params, chief_seat(table), space)
    elif question == Question.SWAP:
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
    if who != Who.ANOTHER:
        view_tile(game, carrier, space)
    if who != Who.SELF:
        view_tile(game, seat, space)
    if frame["source"] == Source.DIVE:
        record_at(table, Event.DIVE, carrier, space, 0)
    elif who == Who.SELF:
        record_at(table, Event.VIEW, carrier, space, 0)
    elif who == Who.ANOTHER:
        record_at(table, Event.VIEW, seat, space, 0)
    else:
        record_event(table, Event.SHOW, carrier, seat, space, NO_SPACE, 0)


@kernel
def reveal_tile(game: Record, params: Record, frame: Record, space: int) -> None:
    """RH-6.1: the asked player's tile is turned up and carried out before anything else goes on."""
    seat = int(frame["carrier"])
    instruction = params["programs"][int(frame["program"]), int(frame["step"])]
    if instruction["who"] == Who.ANOTHER:
        seat = int(frame["seat"])
    frame["revealed"] = game["tile_at"][space]
    next_instruction(frame)
    turn_up(game, params, seat, space)


@kernel
def choose_swap(game: Record, frame: Record, space: int) -> None:
    """RH-7, Undercurrent: the second tile chosen, both change places, and all see which."""
    before = int(frame["chosen"]) & ~(1 << space)
    if before == 0:
        return
    first = only_space(before)
    frame["swapped"] = frame["chosen"]
    kept = game["tile_at"][first]
    game["tile_at"][first] = game["tile_at"][space]
    game["tile_at"][space] = kept
    everybody_sees_swap(game, first, space)
    record_event(game["table"], Event.SWAP, int(frame["carrier"]), NOBODY, first, space, 0)
    next_instruction(frame)


@kernel
def move_meeple(table: Record, frame: Record, space: int) -> None:
    """RH-2.6: the meeple goes to the space."""
    carrier = int(frame["carrier"])
    mover = carrier
    if frame["seat"] != NOBODY:
        mover = int(frame["seat"])
    table["position"][mover] = space
    record_event(table, Event.MOVE, carrier, mover, space, NO_SPACE, 0)
    next_instruction(frame)


@kernel
def choose_seat(game: Record, params: Record, seat: int) -> None:
    """Take the player who was asked for by the frame on top."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    effect = params["programs"][int(frame["program"]), int(frame["step"])]["effect"]
    frame["seat"] = seat
    if effect == Effect.CALL:
        call(table, params, frame)
    elif effect == Effect.LOOK_AT_ROLE:
        carrier = int(frame["carrier"])
        game["private"][carrier]["looked"][seat] = game["private"][seat]["role"]
        record_with(table, Event.LOOK_AT_ROLE, carrier, seat, 0)
        next_instruction(frame)


@kernel
def call(table: Record, params: Record, frame: Record) -> None:
    """RH-4.3: the chosen player is asked how they answer; with no face-down tile within reach nothing is revealed."""
    seat = int(frame["seat"])
    carrier = int(frame["carrier"])
    count_ask(table, carrier, seat)
    record_with(table, Event.CO_OP, carrier, seat, 0)
    if face_down_within_reach(table, params, seat) == 0:
        next_instruction(frame)
    else:
        ask_plain(table, seat, Question.ANSWER)


@kernel
def answer_call(game: Record, params: Record, answer: int) -> None:
    """RH-4.3: the asked player reveals; RH-5.1, RH-5.3: or declares a power (Source); RH-7.5: or slips away (CARD)."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    seat = int(frame["seat"])
    if answer == Source.TILE:
        ask(table, seat, Question.REVEAL, face_down_within_reach(table, params, seat), 0, 0)
    elif answer == Source.CARD:
        card = int(params["redirect_card"])
        spend_card(game, seat, card)
        table["slipped"] = int(table["slipped"]) | (1 << seat)
        frame["seat"] = NOBODY
        record_with(table, Event.SLIP_AWAY, seat, int(frame["carrier"]), card)
    else:
        next_instruction(frame)
        declare_power(table, seat, answer)


@kernel
def choose_card(game: Record, params: Record, seat: int, card: int) -> None:
    """RH-7.3: the asked player's discard; RH-3.3: at the end of a turn no frame asks for it."""
    table = game["table"]
    if table["depth"] > 0:
        next_instruction(table["frames"][int(table["depth"]) - 1])
    discard_card(game, seat, card)


@kernel
def choose_ready(table: Record, seat: int, swim: int) -> None:
    """RH-5.5 and cards: one exhausted action is ready again."""
    next_instruction(table["frames"][int(table["depth"]) - 1])
    make_ready(table, seat, swim)
    record_with(table, Event.REFRESH, seat, NOBODY, swim + 1)


@kernel
def decline(table: Record, seat: int) -> None:
    """RH-5.1: stop the Hunt; RH-6.1: or leave undone what a text offers."""
    frame = table["frames"][int(table["depth"]) - 1]
    if frame["source"] == Source.HUNT:
        frame["step"] = MAX_INSTRUCTIONS
    else:
        next_instruction(frame)
    record_act(table, Event.STOP, seat)
