"""The interpreter carries out the effects under way, one instruction at a time.

An effect is a frame on the stack; its program is a row of instructions in the vocabulary of the packs. Every
question about an effect is that of the frame on top. `instructions` begins each instruction; `choices` applies the
answers.
"""

from riverbed_env.kernels.compile import Record

from . import instructions, kernel
from . import vocab as v
from .acts import ask_penalty, callable_seats
from .board import face_up
from .cards import seats_to_look_at
from .elements import carry_out_layer
from .stack import ask
from .turn import draw_card


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
    if step >= v.MAX_INSTRUCTIONS or params["programs"][program, step]["effect"] == v.Effect.NOTHING:
        finish_program(table, frame)
        return
    begin_instruction(game, params, frame, params["programs"][program, step])


@kernel
def finish_program(table: Record, frame: Record) -> None:
    """RH-6.1: after a text, continue with the tile's next layer; RH-5.4: otherwise end the effect."""
    if frame["source"] == v.Source.TILE:
        frame["program"] = v.NO_PROGRAM
        return
    if frame["source"] == v.Source.HUNT:
        table["hunting"] = 0
        table["hunted"] = 0
    elif frame["source"] == v.Source.CO_OP:
        table["slipped"] = 0
    table["depth"] = int(table["depth"]) - 1


@kernel
def begin_instruction(game: Record, params: Record, frame: Record, instruction: Record) -> None:
    """Carry out an instruction that needs no choice; otherwise ask for its next choice. Skip an impossible one."""
    effect = int(instruction["effect"])
    if effect == v.Effect.VIEW:
        instructions.begin_view(game["table"], params, frame, instruction)
    elif effect == v.Effect.REVEAL:
        instructions.begin_reveal(game["table"], params, frame, instruction)
    elif effect == v.Effect.FLIP_DOWN:
        table = game["table"]
        spaces = instructions.eligible(table, params, frame, instruction, int(frame["carrier"])) & face_up(table)
        instructions.ask_for_space(table, frame, instruction, v.Question.FLIP_DOWN, spaces)
    elif effect == v.Effect.SWAP:
        instructions.begin_swap(game["table"], params, frame, instruction)
    elif effect == v.Effect.SHUFFLE:
        instructions.shuffle_tiles(game, params, frame, instruction)
        instructions.next_instruction(frame)
    elif effect == v.Effect.MOVE:
        instructions.begin_move(game["table"], params, frame, instruction)
    elif effect == v.Effect.DRAW:
        for _ in range(int(instruction["amount"])):
            draw_card(game, int(frame["carrier"]))
        instructions.next_instruction(frame)
    elif effect == v.Effect.DISCARD:
        instructions.begin_discard(game, frame, instruction)
    elif effect == v.Effect.REFRESH:
        instructions.begin_refresh(game["table"], frame, instruction)
    elif effect == v.Effect.LOOK_AT_ROLE:
        seats = seats_to_look_at(game["table"], int(instruction["scope"]), int(frame["carrier"]))
        instructions.ask_for_seat(game["table"], frame, instruction, seats)
    else:
        begin_rule(game, params, frame, effect)


@kernel
def begin_rule(game: Record, params: Record, frame: Record, effect: int) -> None:
    """RH-4.3, RH-4.4, RH-5: begin an instruction that only the rules themselves use."""
    table = game["table"]
    carrier = int(frame["carrier"])
    if effect == v.Effect.CALL:
        ask(table, carrier, v.Question.SEAT, 0, callable_seats(table, params, carrier), 0)
    elif effect == v.Effect.DECLARE:
        table["role"][carrier] = game["private"][carrier]["role"]  # RH-5.6: open for the rest of the game
        table["hunting"] = int(frame["source"] == v.Source.HUNT)
        instructions.next_instruction(frame)
    elif effect == v.Effect.HUNT_ON:
        instructions.begin_hunt_on(table, params, frame)
    elif effect == v.Effect.PENALTY:
        if not ask_penalty(table, params):
            instructions.next_instruction(frame)
    else:
        table["uncover_left"][carrier] = 0
        instructions.next_instruction(frame)
