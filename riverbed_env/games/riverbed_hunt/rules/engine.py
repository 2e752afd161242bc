"""The engine of Riverbed Hunt: apply an answer and carry out the rules until the next question."""

import numpy as np

from riverbed_env.kernels import engines
from riverbed_env.kernels.common import pay
from riverbed_env.kernels.compile import Numbers, Record, Vector
from riverbed_env.kernels.engines import link_engine
from riverbed_env.kernels.vocab import Forced

from . import kernel, legality
from . import vocab as v
from .actions import A
from .acts import discard_card, discard_or_pass_on, make_ready, spend_card, take_action
from .interpreter import (
    answer_call,
    carry_on,
    choose_seat,
    choose_space,
    finish,
    next_instruction,
)
from .setup import ask_next_placement, deal
from .stack import ask, count_deed, push_frame, record_event
from .state import CARD_PROGRAM
from .talk import speak, speaker

CAMPS = np.array(v.CAMP_OF, np.int8)
MOST_ACTS = 2 * v.MAX_FRAMES * v.MAX_LAYERS * (v.MAX_INSTRUCTIONS + 2)  # of the rules between two questions


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal; 0 when it can."""
    return legality.refusal(game["table"], game["private"][seat], params, seat, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: Vector) -> None:
    """The action mask of a seat. out: (NUM_ACTIONS,) int8."""
    legality.write_mask(game["table"], game["private"][seat], params, seat, out)


@kernel
def next_forced(game: Record, params: Record) -> int:
    """The action that `auto_forced` takes for the asked seat, or -1 if the seat must choose."""
    table = game["table"]
    if params["auto_forced"] == Forced.NONE or table["ending"] != v.Ending.PLAYING:
        return -1
    asked = int(table["asked"])
    knower = asked if params["auto_forced"] == Forced.ALL else v.PUBLIC
    return legality.forced_action(table, game["private"][knower], game["private"][asked], params)


@kernel
def take(game: Record, params: Record, action: int) -> None:
    """Count the decision and pass the answer to the rule that asked; RH-9.8: those on the floor count apart."""
    table = game["table"]
    seat = int(table["asked"])
    question = int(table["question"])
    ask(table, v.NOBODY, v.Question.NONE)
    if question >= v.Question.FLOOR:
        table["spoken"] += 1
        speak(table, params, seat, question, action)
        return
    table["decisions"] += 1
    if action >= A.CARD:
        if question == v.Question.TURN:
            play_card(game, seat, action - A.CARD)
        else:  # RH-7.3; RH-3.3: at the end of a turn no frame has asked for it
            if table["depth"] > 0:
                next_instruction(table["frames"][int(table["depth"]) - 1])
            discard_card(game, seat, action - A.CARD)
    elif action >= A.SEAT:
        choose_seat(game, params, (seat + action - A.SEAT) % int(table["num_players"]))
    elif action >= A.SPACE:
        if question == v.Question.PLACE:
            table["position"][seat] = action - A.SPACE  # RH-1.7: players may share a space
            record_event(table, v.Event.PLACE, seat, space=action - A.SPACE)
        else:
            choose_space(game, params, question, action - A.SPACE)
    elif action == A.STOP:
        frame = table["frames"][int(table["depth"]) - 1]
        if frame["source"] == v.Source.HUNT:  # RH-5.1: the Hunt stops
            frame["step"] = v.MAX_INSTRUCTIONS
        else:  # RH-6.1: an optional instruction is skipped
            next_instruction(frame)
        record_event(table, v.Event.STOP, seat)
    elif question == v.Question.TURN and action <= A.UNCOVER:
        take_action(table, seat, action - A.DIVE + v.Source.DIVE)
    elif question == v.Question.TURN and action == A.END_TURN:
        record_event(table, v.Event.END_TURN, seat)
        table["stage"] = v.Stage.DISCARDING  # RH-3.3
    elif question == v.Question.TURN:
        table["marker_left"][seat] = 0
        make_ready(table, seat, action - A.READY)
        record_event(table, v.Event.MARKER, seat, thing=action - A.READY + 1)
    elif question == v.Question.REFRESH:
        next_instruction(table["frames"][int(table["depth"]) - 1])
        make_ready(table, seat, action - A.READY)
        record_event(table, v.Event.REFRESH, seat, thing=action - A.READY + 1)
    else:
        answer_call(game, params, action)


@kernel
def play_card(game: Record, seat: int, card: int) -> None:
    """RH-7.1: the active player plays a card; its text is carried out next."""
    table = game["table"]
    spend_card(game, seat, card)
    table["card_played"] = 1
    count_deed(table, seat, v.Deed.CARDS, 1)
    record_event(table, v.Event.PLAY, seat, thing=card)
    push_frame(table, v.Source.CARD, card, v.NO_SPACE, seat, CARD_PROGRAM + card)


@kernel
def run(game: Record, params: Record) -> None:
    """Carry out the rules until somebody is asked or the game is over; RH-6.5: the cap on decisions truncates it."""
    table = game["table"]
    for _ in range(MOST_ACTS):
        if table["question"] != v.Question.NONE or table["ending"] != v.Ending.PLAYING:
            break
        if table["depth"] > 0:
            carry_on(game, params)
        elif table["stage"] == v.Stage.PLACING:
            ask_next_placement(table, params)
        elif table["stage"] == v.Stage.DISCARDING:
            discard_or_pass_on(table, params)
        elif table["floor"] > 0:
            ask(table, speaker(table), v.Question.FLOOR)  # RH-9.3
        else:
            ask(table, int(table["active"]), v.Question.TURN)
    if table["ending"] == v.Ending.PLAYING:
        if table["question"] == v.Question.NONE or table["decisions"] >= params["max_decisions"]:
            record_event(table, v.Event.TRUNCATE, v.NOBODY)
            finish(table, v.Ending.TRUNCATED)  # no role is shown, since the game wasn't decided


go_on = link_engine(kernel, engines.go_on, take=take, run=run, next_forced=next_forced)
step = link_engine(kernel, engines.step, refusal=refusal, answer=go_on)
reset = deal  # the first decision, a space for a meeple, is never forced (RH-1.4, RH-1.7)


@kernel
def write_returns(game: Record, zero_sum: int, out: Numbers) -> None:
    """RH-6.2: the return of each seat. out: (at least num_players,) float32; entries past the players are 0.

    +1 to each winner and -1 to each loser; `zero_sum` 1: +1/|winners| and -1/|losers|. If nobody wins (RH-6.4):
    -1 to all, or 0 with `zero_sum`. If truncated (RH-6.5): 0 to all.
    """
    table = game["table"]
    out[:] = 0
    if table["ending"] != v.Ending.WON:
        return
    winners = 0
    for seat in range(int(table["num_players"])):
        winners |= int(CAMPS[int(game["private"][seat]["role"])] == table["winner"]) << seat
    pay(winners, int(table["num_players"]), zero_sum, out)
