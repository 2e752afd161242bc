"""The interpreter carries out the effects under way, one instruction at a time.

An effect is a frame on the stack; its program is a row of instructions in the vocabulary of the packs. Every
question about an effect is that of the frame on top. An instruction is carried out if it needs no choice; otherwise its
next choice is asked for, and the answer applied to it. An impossible instruction is skipped (RH-7.2).
"""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below

from . import kernel
from . import vocab as v
from .actions import A
from .acts import callable_seats, discard_blind, discarding_seats, draw_card, moving_seats, seats_to_look_at, spend_card
from .board import chief_seat, destinations, face_down_within_reach, face_up, others, spaces_in_scope
from .knowledge import everybody_learns, everybody_loses_track, everybody_sees_swap, only_space, view_tile
from .stack import (
    ask,
    begin_program,
    count_ask,
    count_bits,
    count_choice,
    count_deed,
    nth_bit,
    push_frame,
    record_event,
)
from .talk import end_claims_on, shuffle_claims, swap_claims


@kernel
def carry_on(game: Record, params: Record) -> None:
    """Carry out the top frame's next instruction or layer, or ask for the choice that it needs."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    program = int(frame["program"])
    if program == v.NO_PROGRAM:
        carry_out_layer(game, params, frame)
        return
    step = int(frame["step"])
    if step < v.MAX_INSTRUCTIONS and params["programs"][program, step]["effect"] != v.Effect.NOTHING:
        begin_instruction(game, params, frame, params["programs"][program, step])
    elif frame["source"] == v.Source.TILE:  # RH-6.1: after a text, the tile's next layer
        frame["program"] = v.NO_PROGRAM
    else:  # RH-5.4: the effect ends
        if frame["source"] == v.Source.HUNT:
            table["hunting"] = 0
            table["hunted"] = 0
        elif frame["source"] == v.Source.CO_OP:
            table["slipped"] = 0
        table["depth"] = int(table["depth"]) - 1


@kernel
def begin_instruction(game: Record, params: Record, frame: Record, instruction: Record) -> None:
    """Carry out an instruction that needs no choice; otherwise ask for its next choice. Skip an impossible one."""
    table = game["table"]
    effect = int(instruction["effect"])
    carrier = int(frame["carrier"])
    if effect == v.Effect.VIEW:
        begin_view(table, params, frame, instruction)
    elif effect == v.Effect.REVEAL:
        begin_reveal(table, params, frame, instruction)
    elif effect == v.Effect.FLIP_DOWN:
        spaces = eligible(table, params, frame, instruction, carrier) & face_up(table)
        ask_for(table, frame, instruction, carrier, v.Question.FLIP_DOWN, spaces, 0)
    elif effect == v.Effect.SWAP:
        begin_swap(table, params, frame, instruction)
    elif effect == v.Effect.SHUFFLE:
        shuffle_tiles(game, params, frame, instruction)
        next_instruction(frame)
    elif effect == v.Effect.MOVE:
        begin_move(table, params, frame, instruction)
    elif effect == v.Effect.DRAW:
        for _ in range(int(instruction["amount"])):
            draw_card(game, carrier)
        next_instruction(frame)
    elif effect == v.Effect.DISCARD:
        begin_discard(game, frame, instruction)
    elif effect == v.Effect.REFRESH:
        begin_refresh(table, frame, instruction)
    elif effect == v.Effect.LOOK_AT_ROLE:
        seats = seats_to_look_at(table, int(instruction["scope"]), carrier)
        ask_for(table, frame, instruction, carrier, v.Question.SEAT, 0, seats)
    elif effect == v.Effect.CALL:  # RH-4.3; the rest is for the rules alone
        ask(table, carrier, v.Question.SEAT, 0, callable_seats(table, params, carrier), 0)
    elif effect == v.Effect.DECLARE:
        table["role"][carrier] = game["private"][carrier]["role"]  # RH-5.6: open for the rest of the game
        table["hunting"] = int(frame["source"] == v.Source.HUNT)
        next_instruction(frame)
    elif effect == v.Effect.HUNT_ON:
        begin_hunt_on(table, params, frame)
    elif effect == v.Effect.PENALTY:
        begin_penalty(table, params, frame)
    else:
        table["uncover_left"][carrier] = 0  # RH-4.4
        next_instruction(frame)


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
def ask_for(
    table: Record, frame: Record, instruction: Record, seat: int, question: int, spaces: int, seats: int
) -> None:
    """Ask the seat for a space or a player, or skip the instruction if there is none to choose."""
    if spaces | seats == 0:
        next_instruction(frame)
    else:
        ask(table, seat, question, spaces, seats, int(instruction["optional"]))


@kernel
def begin_view(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-4.1 and cards: look at a face-down tile, alone or with another player chosen first."""
    carrier = int(frame["carrier"])
    spaces = eligible(table, params, frame, instruction, carrier) & int(table["face_down"])
    if spaces != 0 and instruction["who"] != v.Who.SELF and frame["seat"] == v.NOBODY:
        ask_for(table, frame, instruction, carrier, v.Question.SEAT, 0, others(table, carrier))
    else:
        ask_for(table, frame, instruction, carrier, v.Question.VIEW, spaces, 0)


@kernel
def begin_reveal(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-4.4, RH-5, RH-6.1 and cards: turn a face-down tile up; RH-7, Rallying Call: another player does."""
    seat = int(frame["carrier"])
    if instruction["who"] == v.Who.ANOTHER:
        if frame["seat"] == v.NOBODY:
            seats = 0
            for other in range(int(table["num_players"])):
                spaces = eligible(table, params, frame, instruction, other) & int(table["face_down"])
                seats |= int(other != seat and spaces != 0) << other
            ask_for(table, frame, instruction, seat, v.Question.SEAT, 0, seats)
            return
        seat = int(frame["seat"])
    spaces = eligible(table, params, frame, instruction, seat) & int(table["face_down"])
    ask_for(table, frame, instruction, seat, v.Question.REVEAL, spaces, 0)


@kernel
def begin_hunt_on(table: Record, params: Record, frame: Record) -> None:
    """RH-5.1: after a tile with the hunt icon the leader may continue; RH-5.2: otherwise the penalty is next."""
    if not params["features"][int(frame["revealed"]), 3]:
        next_instruction(frame)
    elif table["face_down"] == 0:
        frame["step"] = v.MAX_INSTRUCTIONS
    else:
        ask(table, int(frame["carrier"]), v.Question.HUNT_ON, int(table["face_down"]), 0, 1)


@kernel
def begin_penalty(table: Record, params: Record, frame: Record) -> None:
    """RH-5.2: ask the chief to turn down a tile with a log that was turned up during the Hunt, if there is one."""
    spaces = 0
    candidates = int(table["hunted"]) & face_up(table)
    for space in range(v.NUM_SPACES):
        if (candidates >> space) & 1 and params["features"][int(table["tile"][space]), v.Element.LOG] > 0:
            spaces |= 1 << space
    if spaces == 0:
        next_instruction(frame)
        return
    chief = chief_seat(table)
    record_event(table, v.Event.PENALTY, chief)
    ask(table, chief, v.Question.PENALTY, spaces, 0, 0)


@kernel
def begin_swap(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-7, Undercurrent: swap two face-down tiles; skip it if there are fewer."""
    carrier = int(frame["carrier"])
    spaces = eligible(table, params, frame, instruction, carrier) & int(table["face_down"])
    if frame["chosen"] == 0 and count_bits(spaces) < 2:
        frame["step"] = v.MAX_INSTRUCTIONS  # RH-7.2: nothing is left to work on, so the program ends
    else:
        ask_for(table, frame, instruction, carrier, v.Question.SWAP, spaces & ~int(frame["chosen"]), 0)


@kernel
def begin_move(table: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-2.6, RH-7.4: move the carrier's meeple, or that of a player chosen first."""
    carrier = int(frame["carrier"])
    scope = int(instruction["scope"])
    if instruction["who"] != v.Who.SELF and frame["seat"] == v.NOBODY:
        seats = moving_seats(table, params, scope, int(instruction["who"]), carrier)
        ask_for(table, frame, instruction, carrier, v.Question.SEAT, 0, seats)
        return
    mover = carrier if frame["seat"] == v.NOBODY else int(frame["seat"])
    ask_for(table, frame, instruction, carrier, v.Question.MOVE, destinations(table, params, scope, mover), 0)


@kernel
def begin_discard(game: Record, frame: Record, instruction: Record) -> None:
    """RH-7.3: the carrier or another player discards a card, by choice or at random."""
    table = game["table"]
    carrier = int(frame["carrier"])
    if instruction["who"] != v.Who.SELF and frame["seat"] == v.NOBODY:
        seats = discarding_seats(table, int(instruction["who"]), carrier)
        ask_for(table, frame, instruction, carrier, v.Question.SEAT, 0, seats)
        return
    discarder = carrier if instruction["who"] == v.Who.SELF else int(frame["seat"])
    if table["hand_size"][discarder] == 0:
        next_instruction(frame)
    elif instruction["random"]:
        discard_blind(game, discarder)
        next_instruction(frame)
    else:
        ask(table, discarder, v.Question.DISCARD)


@kernel
def begin_refresh(table: Record, frame: Record, instruction: Record) -> None:
    """RH-4.3, RH-4.4 and cards: make all actions ready (amount 0), or one exhausted action of choice (amount 1)."""
    carrier = int(frame["carrier"])
    ready = int(table["dive_ready"][carrier]) + int(table["swim_ready"][carrier])
    if ready == 2:
        next_instruction(frame)
    elif instruction["amount"] == 0:
        table["dive_ready"][carrier] = 1  # RH-4.5: usable from the next turn, as this one's action is taken
        table["swim_ready"][carrier] = 1
        record_event(table, v.Event.REFRESH, carrier)
        next_instruction(frame)
    else:
        ask(table, carrier, v.Question.REFRESH)


@kernel
def shuffle_tiles(game: Record, params: Record, frame: Record, instruction: Record) -> None:
    """RH-6, text S, and RH-7, Whirlpool: shuffle the face-down tiles in scope, if there are at least two."""
    table = game["table"]
    carrier = int(frame["carrier"])
    spaces = eligible(table, params, frame, instruction, carrier) & int(table["face_down"])
    tile_at = game["tile_at"]
    left = count_bits(spaces)
    if left < 2:
        return
    for space in range(v.NUM_SPACES):
        if (spaces >> space) & 1:
            other = nth_bit(spaces >> space, below(game["chance"], left)) + space
            tile_at[space], tile_at[other] = tile_at[other], tile_at[space]
            left -= 1
    everybody_loses_track(game, spaces)
    if table["said_count"] > 0:
        shuffle_claims(table, spaces)
    shown_space = int(table["position"][carrier]) if frame["space"] == v.NO_SPACE else int(frame["space"])
    record_event(table, v.Event.SHUFFLE, carrier, space=shown_space)


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
    else:  # RH-2.6
        mover = carrier if frame["seat"] == v.NOBODY else int(frame["seat"])
        table["position"][mover] = space
        record_event(table, v.Event.MOVE, carrier, mover, space)
        next_instruction(frame)


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
        record_event(table, v.Event.DIVE, carrier, space=space)
    elif who == v.Who.SELF:
        record_event(table, v.Event.VIEW, carrier, space=space)
    elif who == v.Who.ANOTHER:
        record_event(table, v.Event.VIEW, seat, space=space)
    else:
        record_event(table, v.Event.SHOW, carrier, other=seat, space=space)


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
    tile_at = game["tile_at"]
    tile_at[first], tile_at[space] = tile_at[space], tile_at[first]
    everybody_sees_swap(game, first, space)
    if game["table"]["said_count"] > 0:
        swap_claims(game["table"], first, space)
    record_event(game["table"], v.Event.SWAP, int(frame["carrier"]), space=first, second=space)
    next_instruction(frame)


@kernel
def choose_seat(game: Record, params: Record, seat: int) -> None:
    """Apply the chosen player to the instruction of the top frame."""
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    effect = params["programs"][int(frame["program"]), int(frame["step"])]["effect"]
    frame["seat"] = seat
    carrier = int(frame["carrier"])
    if effect == v.Effect.CALL:  # RH-4.3: who has no face-down tile within reach reveals nothing
        count_ask(table, carrier, seat)
        record_event(table, v.Event.CO_OP, carrier, other=seat)
        if face_down_within_reach(table, params, seat) == 0:
            next_instruction(frame)
        else:
            ask(table, seat, v.Question.ANSWER)
    elif effect == v.Effect.LOOK_AT_ROLE:
        game["private"][carrier]["looked"][seat] = game["private"][seat]["role"]
        record_event(table, v.Event.LOOK_AT_ROLE, carrier, other=seat)
        next_instruction(frame)


@kernel
def answer_call(game: Record, params: Record, answer: int) -> None:
    """RH-4.3: the asked player reveals; RH-5.1, RH-5.3: or declares a power; RH-7.5: or slips away.

    answer: REVEAL, HUNT, CON or SLIP_AWAY.
    """
    table = game["table"]
    frame = table["frames"][int(table["depth"]) - 1]
    seat = int(frame["seat"])
    if answer == A.REVEAL:
        ask(table, seat, v.Question.REVEAL, face_down_within_reach(table, params, seat), 0, 0)
    elif answer == A.SLIP_AWAY:
        card = int(params["redirect_card"])
        spend_card(game, seat, card)
        table["slipped"] = int(table["slipped"]) | (1 << seat)
        frame["seat"] = v.NOBODY
        record_event(table, v.Event.SLIP_AWAY, seat, other=int(frame["carrier"]), thing=card)
    else:
        next_instruction(frame)
        record_event(table, answer - A.HUNT + v.Event.HUNT, seat)
        source = answer - A.HUNT + v.Source.HUNT
        push_frame(table, source, 0, v.NO_SPACE, seat, source)  # RH-5.4: inside the co-op under way


@kernel
def turn_up(game: Record, params: Record, seat: int, space: int) -> None:
    """RH-6.1: the seat turns a tile face-up; its layers are carried out next, from the top."""
    table = game["table"]
    tile = int(game["tile_at"][space])
    note_turned_up(table, params, seat, space, tile)
    table["tile"][space] = tile
    if table["said_count"] > 0:
        end_claims_on(table, space)
    table["face_down"] = int(table["face_down"]) & ~(1 << space)
    if table["hunting"]:
        table["hunted"] = int(table["hunted"]) | (1 << space)
    record_event(table, v.Event.REVEAL, seat, space=space, thing=tile)
    count_deed(table, seat, v.Deed.REVEALS, 1)
    everybody_learns(game, tile, space)
    push_frame(table, v.Source.TILE, tile, space, seat, v.NO_PROGRAM)


@kernel
def note_turned_up(table: Record, params: Record, seat: int, space: int, tile: int) -> None:
    """RH-8.1: count in public that a seat turns up a tile it had looked at, or passes one over."""
    looked = int(table["seen"][seat])
    if (looked >> space) & 1:
        for track in range(v.NUM_TRACKS):
            count_choice(table, seat, v.Choice.KELP_UP + track, int(params["features"][tile, track]))
        count_choice(table, seat, v.Choice.KNOWN_UP, 1)
    elif looked & face_down_within_reach(table, params, seat) != 0:
        count_choice(table, seat, v.Choice.PASSED_OVER, 1)


@kernel
def turn_down(game: Record, params: Record, seat: int, space: int) -> None:
    """RH-6.3: the seat turns a tile face-down; its elements leave the tracks and its remaining layers are dropped."""
    table = game["table"]
    tile = int(table["tile"][space])
    for layer in range(int(table["layers_done"][space])):
        kind = int(params["layer_kind"][tile, layer])
        if kind < v.NUM_TRACKS:
            move_track(table, seat, kind, -int(params["layer_amount"][tile, layer]))
    for place in range(int(table["depth"])):
        frame = table["frames"][place]
        if frame["source"] == v.Source.TILE and frame["space"] == space:
            frame["layer"] = v.MAX_LAYERS
    table["tile"][space] = v.NO_TILE
    table["layers_done"][space] = 0
    table["face_down"] = int(table["face_down"]) | (1 << space)
    table["hunted"] = int(table["hunted"]) & ~(1 << space)
    record_event(table, v.Event.FLIP_DOWN, seat, space=space, thing=tile)
    for track in range(v.NUM_TRACKS):
        count_choice(table, seat, v.Choice.KELP_DOWN + track, int(params["features"][tile, track]))


@kernel
def move_track(table: Record, seat: int, track: int, amount: int) -> None:
    """RH-6.1: move a track, and count it for the seat that caused it."""
    table["tracks"][track] = int(table["tracks"][track]) + amount
    count_deed(table, seat, track, amount)


@kernel
def carry_out_layer(game: Record, params: Record, frame: Record) -> None:
    """RH-6.1: carry out the next layer of the tile, or finish with the tile when none is left."""
    table = game["table"]
    tile = int(frame["thing"])
    layer = int(frame["layer"])
    if layer >= int(params["num_layers"][tile]):
        table["depth"] = int(table["depth"]) - 1
        return
    frame["layer"] = layer + 1
    table["layers_done"][int(frame["space"])] = layer + 1
    kind = int(params["layer_kind"][tile, layer])
    amount = int(params["layer_amount"][tile, layer])
    if kind == v.Element.TEXT:
        begin_program(frame, amount)
    else:
        move_track(table, int(frame["carrier"]), kind, amount)
        if int(table["tracks"][kind]) >= int(params["endpoints"][kind]):
            win(game, kind)


@kernel
def win(game: Record, camp: int) -> None:
    """RH-6.2: the camp of that track wins at once; RH-6.4: even if nobody plays it; RH-8.5: roles are shown."""
    table = game["table"]
    record_event(table, v.Event.WIN, v.NOBODY, thing=camp)
    table["winner"] = camp
    for seat in range(v.MAX_SEATS):
        table["role"][seat] = game["private"][seat]["role"]
    finish(table, v.Ending.WON)


@kernel
def finish(table: Record, ending: int) -> None:
    """RH-6.2, RH-6.5: stop the game: no effect is under way and nobody is asked."""
    table["ending"] = ending
    table["depth"] = 0
    table["hunting"] = 0
    table["hunted"] = 0
    table["slipped"] = 0
    table["floor"] = 0
    table["claims_left"] = 0
    ask(table, v.NOBODY, v.Question.NONE)
