"""The engine of Deep River: deal a game, take an answer, run the rules until the next question."""

from riverbed_env.kernels import engines
from riverbed_env.kernels.common import agent_stream
from riverbed_env.kernels.compile import Numbers, Record, Vector
from riverbed_env.kernels.engines import link_engine
from riverbed_env.kernels.random import AGENTS, draw, open_stream
from riverbed_env.kernels.vocab import Forced

from . import kernel, legality
from .actions import A
from .fish import move_fish, stand, start_move
from .setup import deal
from .state import ask, close_question, record_act
from .tiles import arrive, single_pawns, swap_pile, tilt_token, turn_pawn, work
from .turn import carry_on, choose_token
from .vocab import NO_PLACE, Camp, Ending, Event, Purpose, Question

chance_stream = agent_stream  # no chance in play: it ends with the deal


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Return why the seat can't take the action, as a Refusal; 0 if it can."""
    return legality.refusal(game["table"], seat, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: Vector) -> None:
    """Write the action mask of a seat. out: (NUM_ACTIONS,) int8."""
    legality.write_mask(game["table"], seat, out)


@kernel
def next_forced(table: Record, params: Record) -> int:
    """Return the forced action that `auto_forced` takes for the seat, or -1 if the seat must be asked."""
    if params["auto_forced"] == Forced.NONE or table["ending"] != Ending.PLAYING:
        return -1
    return legality.forced_action(table)


@kernel
def take(table: Record, params: Record, action: int) -> None:
    """Count the decision and pass the answer to the rule that asked."""
    table["decisions"] += 1
    seat = int(table["asked"])
    question = int(table["question"])
    close_question(table)
    if question == Question.TOKEN:
        choose_token(table, params, action - A.TOKEN)
    elif question == Question.TILT:
        tilt_token(table, action - A.TILT)
    elif question == Question.DOUBLE:
        if action == A.TURN:
            ask(table, Question.PAWN, single_pawns(table, int(table["active"])), 0)  # DR-3.2
        else:
            start_move(table, Purpose.ADVANCE, 1)  # DR-3.2
    elif question == Question.USE:
        if action == A.USE:
            work(table, int(table["arrived"]))
        else:
            record_act(table, Event.LEAVE, int(table["arrived"]), 0)  # DR-3.2
    else:
        take_place(table, params, question, legality.from_the_salmon(seat, action) - A.PLACE)


@kernel
def take_place(table: Record, params: Record, question: int, place: int) -> None:
    """DR-2, DR-3: pass an answer that is a place to the rule that asked."""
    if question == Question.PILE:
        swap_pile(table, place)
    elif question == Question.PAWN:
        turn_pawn(table, place)
    else:
        new_place = stand(table, place) if question == Question.STAND else move_fish(table, params, place)
        if new_place != NO_PLACE:
            arrive(table, new_place)


@kernel
def run(table: Record, params: Record) -> None:
    """Run the rules until a seat is asked or the game is over."""
    while table["question"] == Question.NONE and table["ending"] == Ending.PLAYING:
        carry_on(table, params)


go_on = link_engine(kernel, engines.go_on, take=take, run=run, next_forced=next_forced)


@kernel
def answer(game: Record, params: Record, action: int) -> None:
    """Take the asked seat's legal action and run to the next decision that isn't forced."""
    go_on(game["table"], params, action)


step = link_engine(kernel, engines.step, refusal=refusal, answer=answer)


@kernel
def reset(game: Record, params: Record, seed: int, number: int) -> None:
    """Deal game `number` of `seed` and run to the first decision that isn't forced."""
    deal(game, params, seed, number)
    go_on(game["table"], params, next_forced(game["table"], params))


@kernel
def write_returns(game: Record, zero_sum: int, out: Numbers) -> None:
    """DR-4.1: write +1 for the winner and -1 for the loser, or 0 for both after a draw or truncation (DR-4.2).

    `zero_sum` changes nothing, since these returns always sum to 0. out: (2,) float32 or longer; the rest is 0.
    """
    winner = int(game["table"]["winner"])
    out[:] = 0
    if winner != Camp.NONE:
        out[winner] = 1
        out[1 - winner] = -1


@kernel
def resample(view: Record, params: Record, stream: Record, game: Record) -> None:
    """Fill `game` with the view's table; what the players will draw is drawn from `stream`."""
    game["table"] = view["table"]
    game["seed"] = draw(stream)
    game["number"] = draw(stream)
    open_stream(game["agents"], draw(stream), draw(stream), AGENTS)
