"""The engine of River Rats: deal, take an answer, carry out the rules until the next question."""

from riverbed_env.kernels import engines
from riverbed_env.kernels.compile import Numbers, Record, Vector
from riverbed_env.kernels.engines import link_engine

from . import kernel, legality, turn
from .actions import A
from .modes import ask_for_joker, remove_card, reveal_card, use_joker
from .piles import draw_debt, refill_market
from .resolution import compare
from .setup import ask_next_ace, deal
from .state import ask, close_question, record_event
from .vocab import NO_CARD, NUM_RANKS, Ending, Event, Question, Step, Winner

MOST_ACTS = 1000  # of the rules between two questions: some for each of few rounds without a card to play


@kernel
def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal; OK if it can."""
    return legality.refusal(game["table"], game["private"][seat], params, seat, action)


@kernel
def write_mask(game: Record, params: Record, seat: int, out: Vector) -> None:
    """Write the action mask of a seat. out: (NUM_ACTIONS,) int8."""
    legality.write_mask(game["table"], game["private"][seat], params, seat, out)


@kernel
def next_forced(game: Record, params: Record) -> int:
    """The action that `auto_forced` takes for the player; -1 if the seat has to choose."""
    return legality.forced_action(game["table"], game["private"][int(game["table"]["asked"])], params)


@kernel
def run(game: Record, params: Record) -> None:
    """Carry out the rules until a seat has to choose or the game is over; the cap on decisions truncates it."""
    table = game["table"]
    for _ in range(MOST_ACTS):
        if table["question"] != Question.NONE or table["ending"] != Ending.PLAYING:
            break
        step_now = int(table["step"])
        if step_now == Step.DRAW_OR_PLAY:
            turn.draw_or_play(table)
        elif step_now == Step.END_TURN:
            turn.end_turn(table, params)
        elif step_now == Step.BEGIN_TURN:
            turn.begin_turn(table, params)
        elif step_now == Step.RESOLVE:
            ask_for_joker(table, params)
        elif step_now == Step.COMPARE:
            compare(game, params)
        else:
            ask_next_ace(game, params)
    if table["ending"] == Ending.PLAYING:
        if table["question"] == Question.NONE or table["decisions"] >= params["max_decisions"]:
            record_event(table, Event.TRUNCATE)
            table["ending"] = Ending.TRUNCATED
            close_question(table)


@kernel
def take(game: Record, params: Record, action: int) -> None:
    """RR-2.1, RR-2.4, RR-5.2: count the decision and give the answer to the rule that asked; or the seat declines."""
    table = game["table"]
    table["decisions"] += 1
    seat = int(table["asked"])
    question = int(table["question"])
    close_question(table)
    if action < A.DRAW:
        take_card(game, params, seat, question, action - A.CARD)
    elif action == A.NO:
        record_event(table, Event.PASS, seat)
        if question == Question.DISCARD_MORE:
            refill_market(game)
    elif action == A.ACT:
        turn.act(game, seat, 0)
    elif action == A.POWER:
        turn.act(game, seat, 1)
    elif action == A.DEBT:
        draw_debt(game, seat)
    elif action == A.HIDDEN:
        remove_card(game, seat, NO_CARD)
    elif action == A.JOKER:
        use_joker(game, params, seat)
    elif question == Question.DRAW:
        turn.draw_card(game, seat)
    elif question == Question.MORE_TO_MARKET:
        turn.deck_to_market(game, seat)
    else:
        reveal_card(game, seat)


@kernel
def take_card(game: Record, params: Record, seat: int, question: int, card: int) -> None:
    """Give the chosen card to the rule that asked for it."""
    table = game["table"]
    if question == Question.DRAW:
        turn.take_from_market(game, seat, card)
    elif question == Question.PLAY:
        turn.play_card(game, params, seat, card)
    elif question == Question.DISCARD or question == Question.DISCARD_MORE:
        turn.discard_card(game, seat, card)
    elif question == Question.TO_MARKET:
        turn.hand_to_market(game, seat, card)
        turn.ask_for_second(table, seat)
    elif question == Question.MORE_TO_MARKET:
        turn.hand_to_market(game, seat, card)
    elif question == Question.SWAP_OUT:
        table["swapped"] = card
        ask(table, seat, Question.SWAP_IN)
    elif question == Question.SWAP_IN:
        turn.swap(game, seat, card)
    elif question == Question.REMOVE:
        remove_card(game, seat, card)
    else:
        table["character"][seat] = card // NUM_RANKS  # RR-1.1
        record_event(table, Event.ACE, seat, card)


go_on = link_engine(kernel, engines.go_on, take=take, run=run, next_forced=next_forced)
step = link_engine(kernel, engines.step, refusal=refusal, answer=go_on)


@kernel
def reset(game: Record, params: Record, seed: int, number: int) -> None:
    """Deal game `number` of `seed` and play on to the first decision that isn't forced."""
    deal(game, params, seed, number)
    run(game, params)
    go_on(game, params, next_forced(game, params))


@kernel
def write_returns(game: Record, zero_sum: int, out: Numbers) -> None:
    """RR-3.4, RR-3.6: the return of each seat. out: (at least num_players,) float32; entries past the players are 0.

    +1 to all or -1 to all; truncated: 0 to all. The players have no opponent, so option `zero_sum`
    changes nothing.
    """
    table = game["table"]
    out[:] = 0
    if table["ending"] != Ending.OVER:
        return
    for seat in range(int(table["num_players"])):
        out[seat] = 1 if table["winner"] == Winner.PLAYERS else -1
