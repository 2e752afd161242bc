"""Riverside as a table of contents: deal, take an answer, go on until the next question.

Choices within a phase are simultaneous (RS-5.1): in a step every seat with a question answers once, and none of them
sees what the others answer. The engine takes the answers one after another in the order of seats, which changes
nothing: an answer changes its own seat's part alone.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels import engines
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.engines import link_engine

from . import legality
from .actions import DIE_WAYS, A
from .boats import choose_dice, cross_seat
from .excursions import call_early, call_speed, finish_phase, score, visit
from .kernels import kernel
from .phases import end_phase, truncate
from .setup import deal
from .vocab import MAX_SEATS, NOBODY, ROWS, Ending, Question


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal; 0 when it can."""
    asked = int(game["timing"]["asked"] == seat)
    return legality.refusal(game["table"], game["private"][seat], params, asked, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: npt.NDArray[np.int8]) -> None:
    """The action mask of a seat; of one that isn't asked it holds WAIT alone. out: (NUM_ACTIONS,) int8."""
    asked = int(game["timing"]["asked"] == seat)
    legality.write_mask(game["table"], game["private"][seat], params, asked, out)


@kernel
def write_pending_mask(game: Record, params: Record, seat: int, out: npt.NDArray[np.int8]) -> None:
    """RS-5.1: the action mask of a pending seat, asked already or not; of any other it holds WAIT alone."""
    waits = (int(game["timing"]["waiting"]) >> seat) & 1
    legality.write_mask(game["table"], game["private"][seat], params, waits, out)


@kernel
def current_seat(game: Record) -> int:
    """The seat that has to choose, -1 at the end."""
    return int(game["timing"]["asked"])


@kernel
def reset(game: Record, params: Record, seed: int, number: int) -> None:
    """Deal game `number` of `seed` and go on to the first decision that isn't taken by itself."""
    deal(game, params, seed, number)
    begin_step(game, params)
    go_on(game, params)


@kernel
def go_on(game: Record, params: Record) -> None:
    """RS-5.1: take forced answers and end steps that all have answered, until somebody is asked or the game is over."""
    timing = game["timing"]
    timing["asked"] = NOBODY
    while game["table"]["ending"] == Ending.PLAYING:
        if timing["waiting"] == 0:
            end_step(game, params)
            begin_step(game, params)
        else:
            seat = lowest_seat(int(timing["waiting"]))
            answer = legality.forced_answer(game["table"], game["private"][seat], params)
            if answer < 0:
                timing["asked"] = seat
                return
            take(game, params, seat, answer)


@kernel
def begin_step(game: Record, params: Record) -> None:
    """RS-5.1: every seat with a question is to answer one."""
    waiting = 0
    for seat in range(int(params["num_players"])):
        if game["private"][seat]["question"] != Question.NONE:
            waiting |= 1 << seat
    game["timing"]["waiting"] = waiting


@kernel
def end_step(game: Record, params: Record) -> None:
    """RS-5.1: all have answered; the phase is over when nobody has a question left. RS-5.2: the step is counted."""
    timing = game["timing"]
    timing["steps"] += 1
    if not is_anyone_choosing(game, params):
        end_phase(game, params)
    if game["table"]["ending"] == Ending.PLAYING and timing["steps"] >= params["max_steps"]:
        truncate(game)


@kernel
def is_anyone_choosing(game: Record, params: Record) -> bool:
    """RS-5.1: whether a seat has a question left in this phase."""
    for seat in range(int(params["num_players"])):
        if game["private"][seat]["question"] != Question.NONE:
            return True
    return False


@kernel
def pending(game: Record, params: Record) -> int:
    """RS-5.1: the seats that answer in this step and haven't yet, as bits, but those whose answer is forced.

    When a step begins these are all its seats: a parallel environment collects an answer from each of them, unseen by
    the others, and plays the answers in the order of seats.
    """
    found = 0
    for seat in range(int(params["num_players"])):
        if (int(game["timing"]["waiting"]) >> seat) & 1:
            if legality.forced_answer(game["table"], game["private"][seat], params) < 0:
                found |= 1 << seat
    return found


@kernel
def lowest_seat(bits: int) -> int:
    """The lowest of several seats given as bits, NOBODY of none."""
    for seat in range(MAX_SEATS):
        if (bits >> seat) & 1:
            return seat
    return NOBODY


@kernel
def take(game: Record, params: Record, seat: int, action: int) -> None:
    """Hand the answer to its rule; it changes the seat's own part, and that it waits no more."""
    table = game["table"]
    own = game["private"][seat]
    timing = game["timing"]
    timing["decisions"] += 1
    timing["waiting"] = int(timing["waiting"]) & ~(1 << seat)
    if action >= A.PRIZE:
        score(table, own, params, action - A.PRIZE, 1)
    elif action >= A.SCORE:
        score(table, own, params, action - A.SCORE, 0)
    elif action >= A.VILLAGE:
        visit(table, own, action - A.VILLAGE)
    elif action == A.EARLY:
        call_early(own)
    elif action == A.SPEED:
        call_speed(own)
    elif action in (A.STAY, A.DONE):
        finish_phase(own)
    elif action >= A.SEAT:
        cross_seat(own, params, (action - A.SEAT) // ROWS, (action - A.SEAT) % ROWS)
    else:
        way = (action - A.DIE) % DIE_WAYS
        choose_dice(table, own, params, (action - A.DIE) // DIE_WAYS, way // 2, way % 2)


@kernel
def answer(game: Record, params: Record, action: int) -> None:
    """Take the asked seat's legal action and all that follows."""
    take(game, params, int(game["timing"]["asked"]), action)
    go_on(game, params)


step = link_engine(kernel, engines.step, refusal=refusal, answer=answer, current_seat=current_seat)
