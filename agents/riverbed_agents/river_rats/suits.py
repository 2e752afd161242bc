"""Rules of thumb for suit actions and player powers in River Rats."""

from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.legality import card_answers, legal_answers
from riverbed_env.games.river_rats.rules.turn import exchangeable
from riverbed_env.games.river_rats.rules.vocab import NO_CARD, NUM_CARDS, NUM_RANKS, Question, Suit
from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .outlook import RatHands, outlook
from .weighing import chance_now, debt_gain, is_unknown, joker_played, keeping, known_collective, slots_left, weigh

USE_NOW = 0.2  # worth of the chance to win the round with a card not played yet


@kernel
def choose_action(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """The suit action of the card just played, the power, or neither."""
    answers = legal_answers(table, own, params)
    can_act = (answers >> (A.ACT - A.CARD)) & 1
    can_use_power = (answers >> (A.POWER - A.CARD)) & 1
    suit = int(table["played"]) // NUM_RANKS
    if suit == Suit.HEARTS:
        if can_use_power:
            return A.POWER
        if can_act and debt_pays(table, own, params, scene, rat_hands):
            return A.ACT
        return A.NO
    elif suit == Suit.DIAMONDS:
        return choose_exchange(table, own, params, can_act, can_use_power, scene, rat_hands)
    if can_use_power and suit == Suit.CLUBS:
        return A.POWER
    if can_act:
        return A.ACT
    return A.NO


@kernel
def choose_debt(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """Hearts power: add debt if that raises the value of the game."""
    answers = legal_answers(table, own, params)
    if (answers >> (A.DEBT - A.CARD)) & 1 and debt_pays(table, own, params, scene, rat_hands):
        return A.DEBT
    return A.NO


@kernel
def debt_pays(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> bool:
    """Whether another card of debt raises the value of the game."""
    return debt_gain(table, params, chance_now(table, own, params, scene, rat_hands)) > 0


@kernel
def choose_exchange(
    table: Record, own: Record, params: Record, can_act: int, can_use_power: int, scene: Record, rat_hands: RatHands
) -> int:
    """Diamonds: choose the best of a swap with the hand, a swap with the market, and no swap."""
    cards = known_collective(table, own)
    joker, slots = joker_played(table, params), slots_left(table, params)
    stay, _ = weigh(table, own, params, cards, joker, slots, scene, rat_hands)
    chosen = A.NO
    if can_act:
        worth, _, _ = best_exchange(table, own, params, int(own["hand"]), scene, rat_hands)
        if worth > stay:
            stay = worth
            chosen = A.ACT
    if can_use_power:
        worth, _, _ = best_exchange(table, own, params, int(table["market"]), scene, rat_hands)
        if worth > stay:
            chosen = A.POWER
    return chosen


@kernel
def best_exchange(
    table: Record, own: Record, params: Record, source: int, scene: Record, rat_hands: RatHands
) -> tuple[float, int, int]:
    """The best swap of a card of the collective hand with one of `source`: its value, the card out, the card in."""
    best, card_out, card_in = -1.0, NO_CARD, NO_CARD
    known = known_collective(table, own)
    joker, slots = joker_played(table, params), slots_left(table, params)
    candidates = exchangeable(table)
    if table["swapped"] != NO_CARD:
        candidates = 1 << int(table["swapped"])
    for card in range(NUM_CARDS):
        if (candidates >> card) & 1:
            for other in range(NUM_CARDS):
                if (source >> other) & 1:
                    cards = (known & ~(1 << card)) | (1 << other)
                    worth, _ = weigh(table, own, params, cards, joker, slots, scene, rat_hands)
                    if worth > best:
                        best, card_out, card_in = worth, card, other
    return best, card_out, card_in


@kernel
def choose_swap(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """The card to swap out, or the card to swap in."""
    source = int(own["hand"])
    if table["power"]:
        source = int(table["market"])
    _, card_out, card_in = best_exchange(table, own, params, source, scene, rat_hands)
    if table["question"] == Question.SWAP_OUT:
        return A.CARD + card_out
    return A.CARD + card_in


@kernel
def usefulness(table: Record, own: Record, params: Record, card: int, scene: Record, rat_hands: RatHands) -> float:
    """What an unplayed card is worth: for this round if played next, and for later rounds."""
    worth = keeping(card, (int(own["hand"]) | int(table["market"])) & ~(1 << card))
    slots = slots_left(table, params)
    if slots > 0:
        cards = known_collective(table, own) | (1 << card)
        winning, _ = outlook(cards, joker_played(table, params), is_unknown(table, own), slots - 1, scene, rat_hands)
        worth += USE_NOW * winning
    return worth


@kernel
def choose_card(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands, sign: float) -> int:
    """The most (sign 1) or least (sign -1) useful allowed card."""
    answers = card_answers(table, own)[0]
    best, chosen = -9.0, A.NO
    for card in range(NUM_CARDS):
        if (answers >> card) & 1:
            worth = sign * usefulness(table, own, params, card, scene, rat_hands)
            if worth > best:
                best, chosen = worth, A.CARD + card
    return chosen


@kernel
def choose_gift(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """Clubs: the most useful card, for the next players; after the round's last card the least useful one."""
    return choose_card(table, own, params, scene, rat_hands, -1.0 if slots_left(table, params) == 0 else 1.0)
