"""RS-5.1: a random game that looks the same to a seat: what the others chose in this phase is chosen again, at random.

The others' choices of the phase are all that a seat can't see. They have given as many answers as the seat has, and if
seats answer in turn, those before it one more, each drawn uniformly from the legal ones.
"""

import numpy as np

from riverbed_env.kernels.common import byte_of, event_at
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.random import random_legal_action, renew_streams
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel, legality
from . import vocab as v
from .actions import NUM_ACTIONS
from .engine import begin_step, is_anyone_choosing, lowest_seat, take
from .phases import forget_round
from .state import NO_TIMING, TIMING

TRIES = 64  # before the others are left where the phase began


@kernel
def resample(view: Record, params: Record, stream: Record, game: Record) -> None:
    """RS-5.1: fill `game` with what the seat sees, and draw what the others chose in this phase.

    The seat is asked if it has a question. How many steps the game has taken isn't seen: it is the least that the
    sheets show.
    """
    observer = int(view["seat"])
    game["table"] = view["table"]
    for seat in range(v.MAX_SEATS):
        game["sheets"][seat] = view["sheets"][seat]
    begin_again(view, params, game)
    if game["table"]["ending"] == v.Ending.PLAYING:
        choose_again(view, params, stream, game)
        note_steps(game, params, answers_given(view["private"], view["sheets"][observer]))
    elif game["table"]["ending"] == v.Ending.TRUNCATED:
        game["timing"]["steps"] = params["max_steps"]
        game["timing"]["decisions"] = params["max_steps"]
    renew_streams(game, stream)


@kernel
def begin_again(view: Record, params: Record, game: Record) -> None:
    """RS-5.1: put every other seat where the phase began; nobody waits."""
    game["timing"] = viewed(NO_TIMING, TIMING)[0]
    phase = int(game["table"]["phase"])
    for seat in range(v.MAX_SEATS):
        private = game["private"][seat]
        if seat == int(view["seat"]):
            game["private"][seat] = view["private"]
            continue
        forget_round(game, seat)
        if phase == v.Phase.DICE and seat < int(params["num_players"]):
            private["question"] = v.Question.DIE
        elif phase == v.Phase.EXCURSIONS and seat < int(params["num_players"]):
            read_dice(game["table"], seat, private)
            private["question"] = v.Question.VILLAGE


@kernel
def read_dice(table: Record, seat: int, private: Record) -> None:
    """RS-5.1: the dice that a seat chose in this round and the rows it completed, from the public events."""
    private["die"] = 0
    for age in range(min(MAX_EVENTS, int(table["event_count"])) - 1, -1, -1):
        event = event_at(table, age)
        kind = byte_of(event, 0)
        if kind == v.Event.ROLL:
            private["queue"][:] = v.NO_ROW
            private["queued"] = 0
        elif byte_of(event, 1) != seat + 1:
            continue
        elif kind == v.Event.CHOOSE:
            private["die"] = byte_of(event, 2) - 1
            private["green"] = byte_of(event, 6) % 3
            private["fan"] = byte_of(event, 6) // 3
        elif kind == v.Event.TICKET:
            private["queue"][int(private["queued"])] = (byte_of(event, 2) - 1) * v.ROWS + byte_of(event, 6) - 1
            private["queued"] = int(private["queued"]) + 1
    private["paid"] = private["queued"]


@kernel
def answers_given(own: Record, before: Record) -> int:
    """RS-5.1: how many answers a seat has given in this phase, by its choices and its sheet before them."""
    answers = int(own["visits"]) + int(own["speed"] > 0)
    for boat in range(v.NUM_BOATS):
        for at in range(v.MAX_VISITS):
            answers += int(own["points"][at, boat] > 0)
    early = (
        own["sheet"]["power"][v.Power.EARLY_BIRDS] == v.Charge.USED
        and before["power"][v.Power.EARLY_BIRDS] != v.Charge.USED
    )
    answers += int(early)
    crossed = 0
    for boat in range(v.NUM_COLOURS):
        for row in range(v.ROWS):
            crossed += int(own["sheet"]["crossed"][boat, row]) - int(before["crossed"][boat, row])
    if crossed > 0 or own["boat"] != v.NO_BOAT:
        answers += 1  # the dice, in the phase of dice
    return answers + crossed


@kernel
def choose_again(view: Record, params: Record, stream: Record, game: Record) -> None:
    """RS-5.1: draw the others' answers until a seat is asked: the view's own if it has a choice, else another.

    If seats answer at once, none has answered in this step. A seat whose only answer is forced hasn't given it yet, so
    a seat before it in the order is asked.
    """
    observer = int(view["seat"])
    steps = answers_given(view["private"], view["sheets"][observer])
    has_question = view["private"]["question"] != v.Question.NONE
    has_choice = has_question and legality.forced_answer(view["table"], view["private"], params) < 0
    for _ in range(TRIES):
        begin_again(view, params, game)
        for _ in range(steps):
            for seat in range(int(params["num_players"])):
                if seat != observer:
                    answer_again(game, params, seat, stream)
        if has_choice and not params["at_once"]:
            for seat in range(observer):
                answer_again(game, params, seat, stream)
            wait(game, observer)
            return
        if ask_another(game, params) and (not has_question or game["timing"]["asked"] < observer + int(has_choice)):
            return
    begin_again(view, params, game)
    ask_another(game, params)


@kernel
def answer_again(game: Record, params: Record, seat: int, stream: Record) -> None:
    """RS-5.1: give a random legal answer to a seat's question, if it has one."""
    private = game["private"][seat]
    if private["question"] == v.Question.NONE:
        return
    mask = np.zeros(NUM_ACTIONS, np.int8)
    legality.write_answers(game["table"], private, params, mask)
    take(game, params, seat, random_legal_action(mask, stream))


@kernel
def ask_another(game: Record, params: Record) -> bool:
    """RS-5.1: begin a step, take forced answers, and ask the first seat that has a choice; False if none has."""
    for _ in range(int(params["max_steps"])):
        if not is_anyone_choosing(game, params):
            break
        wait(game, 0)
        for _ in range(v.MAX_SEATS):
            if game["timing"]["waiting"] == 0:
                break
            seat = lowest_seat(int(game["timing"]["waiting"]))
            answer = legality.forced_answer(game["table"], game["private"][seat], params)
            if answer < 0:
                game["timing"]["asked"] = seat
                return True
            take(game, params, seat, answer)
    return False


@kernel
def wait(game: Record, first: int) -> None:
    """RS-5.1: from seat `first` on, every seat with a question has to answer; the first of them is asked."""
    begin_step(game, first)
    game["timing"]["asked"] = lowest_seat(int(game["timing"]["waiting"]))


@kernel
def note_steps(game: Record, params: Record, steps: int) -> None:
    """RS-5.2: how many steps the game has taken at least, by what each seat has crossed and scored so far."""
    table = game["table"]
    most = 0
    total = 0
    for seat in range(int(params["num_players"])):
        answers = int(table["deeds"][seat, v.Deed.EXCURSIONS]) + int(table["deeds"][seat, v.Deed.SCORES])
        for boat in range(v.NUM_COLOURS):
            for row in range(v.ROWS):
                answers += int(game["sheets"][seat]["crossed"][boat, row])
        most = max(most, answers)
        total += answers
    most = min(most + steps + int(table["round"]) - 1, int(params["max_steps"]) - 1)
    game["timing"]["steps"] = most
    game["timing"]["decisions"] = max(most, total)
