"""RH-3, a turn: its order, the hand limit, and the two piles of ability cards."""

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below, shuffle

from . import kernel
from .stack import ask_plain, record_act, record_with
from .talk import open_floor
from .vocab import HAND_LIMIT, MAX_CARD_KINDS, NO_CARD, NOBODY, Event, Question, Stage


@kernel
def begin_turn(table: Record, params: Record, seat: int) -> None:
    """RH-3.1: the seat becomes the active player; RH-9.2: the floor opens."""
    table["stage"] = Stage.TURN
    table["active"] = seat
    table["turn"] += 1
    table["action_done"] = 0
    table["card_played"] = 0
    open_floor(table, params)


@kernel
def end_turn(table: Record) -> None:
    """RH-3.3: end the turn; next comes the discard down to the hand limit."""
    record_act(table, Event.END_TURN, int(table["active"]))
    table["stage"] = Stage.DISCARDING


@kernel
def discard_or_pass_on(table: Record, params: Record) -> None:
    """RH-3.3: ask for a discard while the hand is over the limit; then put used cards on the pile and pass the turn."""
    active = int(table["active"])
    if int(table["hand_size"][active]) > HAND_LIMIT:
        ask_plain(table, active, Question.DISCARD)
        return
    for card in range(MAX_CARD_KINDS):
        table["discard_pile"][card] = int(table["discard_pile"][card]) + int(table["used"][card])
        table["used"][card] = 0
    begin_turn(table, params, (active + 1) % int(table["num_players"]))


@kernel
def draw_card(game: Record, seat: int) -> None:
    """RH-3.4: the seat draws the top card; an empty pile is refilled first, and if both are empty nothing is drawn."""
    table = game["table"]
    if table["draw_pile"] == 0:
        reshuffle(game)
    size = int(table["draw_pile"])
    if size == 0:
        return
    card = int(game["deck"][size - 1])
    game["deck"][size - 1] = NO_CARD
    table["draw_pile"] = size - 1
    take_card(game, seat, card)
    record_act(table, Event.DRAW, seat)


@kernel
def take_card(game: Record, seat: int, card: int) -> None:
    """RH-7.1: put a card into the hand, unseen by the others."""
    private = game["private"][seat]
    private["hand"][card] = int(private["hand"][card]) + 1
    game["table"]["hand_size"][seat] = int(game["table"]["hand_size"][seat]) + 1


@kernel
def reshuffle(game: Record) -> None:
    """RH-3.4: shuffle the discard pile into a new draw pile; the cards of this turn aren't on it yet."""
    table = game["table"]
    size = 0
    for card in range(MAX_CARD_KINDS):
        for _ in range(int(table["discard_pile"][card])):
            game["deck"][size] = card
            size += 1
        table["discard_pile"][card] = 0
    if size == 0:
        return
    shuffle(game["chance"], game["deck"], size)
    table["draw_pile"] = size
    record_act(table, Event.RESHUFFLE, int(table["active"]))


@kernel
def spend_card(game: Record, seat: int, card: int) -> None:
    """RH-3.4: remove a card from the hand; it is public at once and joins the discard pile when the turn ends."""
    table = game["table"]
    private = game["private"][seat]
    private["hand"][card] = int(private["hand"][card]) - 1
    table["hand_size"][seat] = int(table["hand_size"][seat]) - 1
    table["used"][card] = int(table["used"][card]) + 1


@kernel
def discard_card(game: Record, seat: int, card: int) -> None:
    """RH-7.3: the seat discards a card."""
    spend_card(game, seat, card)
    record_with(game["table"], Event.DISCARD, seat, NOBODY, card)


@kernel
def discard_at_random(game: Record, seat: int) -> None:
    """RH-7.3: discard a card drawn at random from the seat's hand."""
    nth = below(game["chance"], int(game["table"]["hand_size"][seat]))
    for card in range(MAX_CARD_KINDS):
        nth -= int(game["private"][seat]["hand"][card])
        if nth < 0:
            discard_card(game, seat, card)
            return
