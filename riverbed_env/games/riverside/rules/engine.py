"""The flow of a game of Riverside: deal, take an answer, advance to the next question.

Choices within a phase are simultaneous (RS-5.1): in a step every seat with a question answers once, and no seat sees
the others' answers. The engine takes the answers in the order of seats. The order has no effect, because an answer
changes only the private part of its seat.
"""

from riverbed_env.kernels import engines
from riverbed_env.kernels.common import pay
from riverbed_env.kernels.compile import Numbers, Record, Vector
from riverbed_env.kernels.engines import link_engine

from . import kernel, legality
from .actions import DIE_WAYS, A
from .boats import choose_dice, cross_seat
from .excursions import call_early, call_speed, finish_phase, score, visit
from .phases import deal, end_phase, truncate
from .vocab import MAX_SEATS, NOBODY, ROWS, Ending, Question


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal; 0 if it can."""
    asked = int(game["timing"]["asked"] == seat)
    return legality.refusal(game["table"], game["private"][seat], params, asked, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: Vector) -> None:
    """Write the action mask of a seat; only WAIT is legal for a seat that isn't asked. out: (NUM_ACTIONS,) int8."""
    asked = int(game["timing"]["asked"] == seat)
    legality.write_mask(game["table"], game["private"][seat], params, asked, out)


@kernel
def write_pending_mask(game: Record, params: Record, seat: int, out: Vector) -> None:
    """RS-5.1: write the action mask of a pending seat, even before it is asked."""
    legality.write_answers(game["table"], game["private"][seat], params, out)


@kernel
def current_seat(game: Record) -> int:
    """The seat that has to choose; -1 at the end."""
    return int(game["timing"]["asked"])


@kernel
def reset(game: Record, params: Record, seed: int, number: int) -> None:
    """Deal game `number` of `seed` and advance to the first decision that a seat has to take."""
    deal(game, params, seed, number)
    begin_step(game, 0)
    go_on(game, params)


@kernel
def go_on(game: Record, params: Record) -> None:
    """RS-5.1: take forced answers and end complete steps until a seat has to answer or the game is over."""
    timing = game["timing"]
    timing["asked"] = NOBODY
    while game["table"]["ending"] == Ending.PLAYING:
        if timing["waiting"] == 0:
            end_step(game, params)
            begin_step(game, 0)
        else:
            seat = lowest_seat(int(timing["waiting"]))
            answer = legality.forced_answer(game["table"], game["private"][seat], params)
            if answer < 0:
                timing["asked"] = seat
                return
            take(game, params, seat, answer)


@kernel
def begin_step(game: Record, first: int) -> None:
    """RS-5.1: from seat `first` on, every seat with a question has to answer once."""
    waiting = 0
    for seat in range(first, MAX_SEATS):
        if game["private"][seat]["question"] != Question.NONE:
            waiting |= 1 << seat
    game["timing"]["waiting"] = waiting


@kernel
def end_step(game: Record, params: Record) -> None:
    """RS-5.1: end the phase if no seat has a question left. RS-5.2: count the step and apply the cap."""
    timing = game["timing"]
    timing["steps"] += 1
    if not is_anyone_choosing(game, params):
        end_phase(game, params)
    if game["table"]["ending"] == Ending.PLAYING and timing["steps"] >= params["max_steps"]:
        truncate(game)


@kernel
def is_anyone_choosing(game: Record, params: Record) -> bool:
    """RS-5.1: whether any seat has a question left in this phase."""
    for seat in range(int(params["num_players"])):
        if game["private"][seat]["question"] != Question.NONE:
            return True
    return False


@kernel
def pending(game: Record, params: Record) -> int:
    """RS-5.1: the seats that still have to choose in this step, as bits; seats with a forced answer are left out.

    A parallel environment reads this when a step begins, collects an answer from each of these seats, unseen by the
    others, and plays the answers in the order of seats.
    """
    seats = 0
    for seat in range(int(params["num_players"])):
        if (int(game["timing"]["waiting"]) >> seat) & 1:
            asked = game["timing"]["asked"] == seat  # in a state of a table that takes fewer answers for its players
            if asked or legality.forced_answer(game["table"], game["private"][seat], params) < 0:
                seats |= 1 << seat
    return seats


@kernel
def lowest_seat(bits: int) -> int:
    """The lowest seat in a bit set; NOBODY if it is empty."""
    for seat in range(MAX_SEATS):
        if (bits >> seat) & 1:
            return seat
    return NOBODY


@kernel
def take(game: Record, params: Record, seat: int, action: int) -> None:
    """Apply the answer to the seat's private part, and remove the seat from the waiting ones."""
    timing = game["timing"]
    timing["decisions"] += 1
    timing["waiting"] = int(timing["waiting"]) & ~(1 << seat)
    carry_out(game["table"], game["private"][seat], params, action)


@kernel
def carry_out(table: Record, private: Record, params: Record, action: int) -> None:
    """Apply an answer to a private part."""
    if action >= A.PRIZE:
        score(table, private, params, action - A.PRIZE, 1)
    elif action >= A.SCORE:
        score(table, private, params, action - A.SCORE, 0)
    elif action >= A.VILLAGE:
        visit(table, private, action - A.VILLAGE)
    elif action == A.EARLY:
        call_early(private)
    elif action == A.SPEED:
        call_speed(private)
    elif action in (A.STAY, A.DONE):
        finish_phase(private)
    elif action >= A.SEAT:
        cross_seat(private, params, (action - A.SEAT) // ROWS, (action - A.SEAT) % ROWS)
    else:
        way = (action - A.DIE) % DIE_WAYS
        choose_dice(table, private, params, (action - A.DIE) // DIE_WAYS, way // 2, way % 2)


@kernel
def answer(game: Record, params: Record, action: int) -> None:
    """Take the asked seat's legal action and advance to the next question."""
    take(game, params, int(game["timing"]["asked"]), action)
    go_on(game, params)


step = link_engine(kernel, engines.step, refusal=refusal, answer=answer, current_seat=current_seat)


@kernel
def write_returns(game: Record, zero_sum: int, out: Numbers) -> None:
    """RS-4.1: the return of each seat. out: (at least num_players,) float32; entries past the players are 0.

    Each winner gets +1 and each loser -1. With `zero_sum` 1, winners get +1/|winners| and losers -1/|losers|; all get
    0 if there are no winners or no losers, as in solo play. In a truncated game (RS-5.2) all get 0.
    """
    table = game["table"]
    out[:] = 0
    if table["ending"] == Ending.FINISHED:
        pay(int(table["winners"]), int(table["num_players"]), zero_sum, out)
