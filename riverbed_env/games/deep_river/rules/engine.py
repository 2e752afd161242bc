"""Deep River as a table of contents: deal, take an answer, go on until the next question."""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import Forced

from . import legality
from .actions import A
from .fish import move_fish, stand
from .kernels import kernel
from .record import close_question
from .setup import deal
from .tiles import advance, arrive, ask_pawn, leave_tile, swap_pile, tilt_token, turn_pawn, work
from .turn import carry_on, choose_token
from .vocab import NO_PLACE, Ending, Question, Refusal


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal; 0 when it can."""
    return legality.refusal(game["table"], seat, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: npt.NDArray[np.int8]) -> None:
    """The action mask of a seat. out: (NUM_ACTIONS,) int8."""
    legality.write_mask(game["table"], seat, out)


@kernel
def reset(game: Record, params: Record, seed: int, number: int) -> None:
    """Deal game `number` of `seed` and go on to the first decision that isn't taken by itself."""
    deal(game, params, seed, number)
    go_on(game["table"], params, next_forced(game["table"], params))


@kernel
def step(game: Record, params: Record, action: int) -> int:
    """The asked seat's action and all that follows; returns a Refusal and changes nothing unless it is OK."""
    table = game["table"]
    seat = int(table["asked"])
    if seat < 0:
        return Refusal.GAME_OVER
    refused = refusal(game, params, seat, action)
    if refused == Refusal.OK:
        go_on(table, params, action)
    return refused


@kernel
def go_on(table: Record, params: Record, action: int) -> None:
    """Take a legal action, let the rules go on and count the decision; then the decisions that are forced.

    Nothing is taken for action -1.
    """
    while action >= 0:
        take(table, params, action)
        table["decisions"] += 1
        run(table, params)
        action = next_forced(table, params)


@kernel
def next_forced(table: Record, params: Record) -> int:
    """The decision with one legal answer that `auto_forced` says isn't asked, -1 where the seat is to be asked."""
    if params["auto_forced"] == Forced.NONE or table["ending"] != Ending.PLAYING:
        return -1
    return legality.forced_action(table)


@kernel
def take(table: Record, params: Record, action: int) -> None:
    """Hand the answer to the rule that asked."""
    seat = int(table["asked"])
    question = int(table["question"])
    close_question(table)
    if question == Question.TOKEN:
        choose_token(table, params, action - A.TOKEN)
    elif question == Question.TILT:
        tilt_token(table, action - A.TILT)
    elif question == Question.DOUBLE:
        if action == A.TURN:
            ask_pawn(table)
        else:
            advance(table)
    elif question == Question.USE:
        if action == A.USE:
            work(table, int(table["arrived"]))
        else:
            leave_tile(table)
    else:
        take_place(table, params, question, legality.from_the_salmon(seat, action) - A.PLACE)


@kernel
def take_place(table: Record, params: Record, question: int, place: int) -> None:
    """DR-2, DR-3: the answers that are places."""
    if question == Question.PILE:
        swap_pile(table, place)
    elif question == Question.PAWN:
        turn_pawn(table, place)
    else:
        if question == Question.STAND:
            stands = stand(table, place)
        else:
            stands = move_fish(table, params, place)
        if stands != NO_PLACE:
            arrive(table, stands)


@kernel
def run(table: Record, params: Record) -> None:
    """Let the rules go on until somebody is asked or the game is over."""
    while table["question"] == Question.NONE and table["ending"] == Ending.PLAYING:
        carry_on(table, params)
