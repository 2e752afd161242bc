"""RR-3, resolution: the prediction, the comparison, where the debt goes, clean-up, and a defeated rat."""

from riverbed_env.kernels.compile import Record

from . import kernel
from . import vocab as v
from .hands import can_form, category_of, count_cards, hand_value
from .piles import (
    discard,
    finish,
    give_debt_to_players,
    give_debt_to_rat,
    lose_top_debt,
    refill_market,
    see_leaving,
)
from .setup import begin_round, card_of, make_active
from .state import record_event


@kernel
def compare(game: Record, params: Record) -> None:
    """RR-3.1 to RR-3.6: hands resolve, and a new round begins unless the game is over."""
    table = game["table"]
    check_prediction(game, params)
    turn_all_up(game)
    players = hand_value(players_cards(game), joker_in_hand(table, params))
    rats = hand_value(int(table["rat_up"]) | kings(table), 0)  # RR-3.2: without the waiting River Rat
    record_event(table, v.Event.COMPARE, first=1 + category_of(players), second=1 + category_of(rats))
    if players > rats:
        give_debt_to_rat(game)
        if table["rat_debt"] >= v.DEBT_LIMIT and table["defeated"] != v.Suit.NONE:  # RR-3.6: the players win at once
            record_event(table, v.Event.DEFEAT, v.NOBODY, card_of(int(table["rat"]), v.KING))
            record_event(table, v.Event.WIN)
            finish(table, v.Winner.PLAYERS)
    else:
        give_debt_to_players(game, params)
    if table["ending"] == v.Ending.PLAYING:
        discard(table, int(table["collective"]) | int(table["revealed"]) | int(table["rat_up"]))  # RR-3.5
        if table["rat_debt"] >= v.DEBT_LIMIT:
            defeat(game)
        begin_round(game, params)


@kernel
def players_cards(game: Record) -> int:
    """RR-3.2: all cards of the collective hand except a joker, with the face-down one and an expert joker's."""
    table = game["table"]
    cards = int(table["collective"]) | int(table["revealed"])
    if table["placer"] != v.NOBODY:
        cards |= 1 << int(game["private"][int(table["placer"])]["placed"])
    return cards


@kernel
def joker_in_hand(table: Record, params: Record) -> int:
    """RR-2.1, RR-5.1: 1 if a joker is one of the collective hand's cards."""
    if params["joker"] == v.JokerUse.CARD:
        return int(table["joker_used"])
    return 0


@kernel
def kings(table: Record) -> int:
    """RR-1.1, RR-3.6: the River Rats that lie open, as a set of cards."""
    cards = 1 << card_of(int(table["rat"]), v.KING)
    if table["defeated"] != v.Suit.NONE:
        cards |= 1 << card_of(int(table["defeated"]), v.KING)
    return cards


@kernel
def check_prediction(game: Record, params: Record) -> None:
    """RR-3.1: a collective hand that matches the prediction turns a joker up, if one is left."""
    table = game["table"]
    if not prediction_met(game, params):
        return
    earned = int(table["joker_down"] > 0)
    table["joker_down"] = int(table["joker_down"]) - earned
    table["joker_up"] = int(table["joker_up"]) + earned
    record_event(table, v.Event.PREDICTION, first=1 + int(table["prediction"]), second=earned)


@kernel
def prediction_met(game: Record, params: Record) -> bool:
    """RR-3.1: whether the collective hand matches; RR-3.7: fewer than five cards match nothing."""
    table = game["table"]
    predicted = int(table["prediction"])
    cards = players_cards(game)
    joker = joker_in_hand(table, params)
    if count_cards(cards) + joker < v.POKER_HAND:
        return False
    if params["prediction"] == v.Prediction.AT_LEAST_FORM:
        return bool(can_form(cards, joker, predicted))
    return category_of(hand_value(cards, joker)) == predicted


@kernel
def turn_all_up(game: Record) -> None:
    """RR-3.2: the face-down cards of both hands are turned up, which everybody sees (RR-6.1).

    The events show the rat's cards in the order of their numbers, because their slots mean nothing (RR-2.6).
    """
    table = game["table"]
    cards = 0
    for place in range(int(table["rat_down"])):
        cards |= 1 << int(game["face_down"][place])
        game["face_down"][place] = v.NO_CARD
    for card in range(v.NUM_CARDS):
        if (cards >> card) & 1:
            record_event(table, v.Event.TURN_UP, v.NOBODY, card, first=v.Whose.RATS)
    table["rat_up"] = int(table["rat_up"]) | cards
    table["rat_down"] = 0
    placer = int(table["placer"])
    if placer != v.NOBODY:
        card = int(game["private"][placer]["placed"])
        table["collective"] = int(table["collective"]) | (1 << card)
        see_leaving(table, placer, card)
        record_event(table, v.Event.TURN_UP, v.NOBODY, card, first=v.Whose.PLAYERS)
        game["private"][placer]["placed"] = v.NO_CARD
        table["placer"] = v.NOBODY


@kernel
def defeat(game: Record) -> None:
    """RR-3.6: the first rat is defeated: its debt is discarded, its bonus begins, the second rat becomes active."""
    table = game["table"]
    table["defeated"] = table["rat"]
    record_event(table, v.Event.DEFEAT, v.NOBODY, card_of(int(table["rat"]), v.KING))
    discard(table, int(game["rat_debt"]))
    game["rat_debt"] = 0
    table["rat_debt"] = 0
    table["rat_debt_seen"] = 0
    if table["defeated"] == v.Suit.HEARTS:  # RR-4.1
        lose_top_debt(game)
    elif table["defeated"] == v.Suit.SPADES:
        refill_market(game)
    make_active(game, int(game["second_rat"]))
