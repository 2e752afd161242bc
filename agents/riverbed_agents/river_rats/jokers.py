"""Rules of thumb for jokers in the modes `advanced` and `expert`."""

from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.hands import count_cards, hand_value
from riverbed_env.games.river_rats.rules.modes import CARDS_FOR_A_JOKER
from riverbed_env.games.river_rats.rules.resolution import kings
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS, NUM_RANKS, Question
from riverbed_env.kernels.compile import Record

from .game_value import after_loss, after_win, round_value
from .kernels import kernel
from .outlook import RatHands, beats, of_rank
from .weighing import chance_now, known_collective, slots_left

REMOVAL_GAIN = 0.15  # the least gain in the chance to win the round that is worth a joker, in advanced mode
STRIDE, SKIP = 17, 5  # of a fixed walk through the cards, used instead of random draws


@kernel
def removal_pays(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> bool:
    """RR-5.1, advanced: whether removing the rat's best card raises the chance to win enough; last slot only."""
    if slots_left(table, params) > 1:
        return False
    winning = chance_now(table, own, params, scene, rat_hands)
    value = hand_value(known_collective(table, own), 0)
    after = 0.0
    for card in range(NUM_CARDS):
        if (int(table["rat_up"]) >> card) & 1:
            after = max(after, beats_without(table, card, value, scene, len(rat_hands)))
    return after > winning + REMOVAL_GAIN


@kernel
def beats_without(table: Record, card: int, value: int, scene: Record, number: int) -> float:
    """How often a value beats the rat's hand after one of its open cards is replaced by two face-down ones."""
    shown = (int(table["rat_up"]) | kings(table)) & ~(1 << card)
    return beaten_by_pool(shown, int(table["rat_down"]) + CARDS_FOR_A_JOKER, value, int(scene["pool"]), number)


@kernel
def beaten_by_pool(shown: int, hidden: int, value: int, pool: int, number: int) -> float:
    """How often a value beats the shown cards plus `hidden` cards of the pool, over `number` hands of a fixed walk."""
    beaten = 0
    card = 0
    for _ in range(number):
        cards = shown
        for _ in range(hidden):
            for _ in range(NUM_CARDS):
                card = (card + STRIDE) % (NUM_CARDS + 1)
                if card < NUM_CARDS and (pool >> card) & 1 and not (cards >> card) & 1:
                    break
            if card < NUM_CARDS:
                cards |= 1 << card
        card = (card + SKIP) % NUM_CARDS
        beaten += int(hand_value(cards, 0) < value)
    return beaten / number


@kernel
def choose_removal(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """Remove the rat's card without which it loses most often."""
    value = hand_value(known_collective(table, own), 0)
    best, chosen = -1.0, A.HIDDEN
    for card in range(NUM_CARDS):
        if (int(table["rat_up"]) >> card) & 1:
            worth = beats_without(table, card, value, scene, len(rat_hands))
            worth += 0.001 * count_cards(int(table["rat_up"]) & of_rank(card % NUM_RANKS))
            if worth > best:
                best, chosen = worth, A.CARD + card
    return chosen


@kernel
def choose_reveal(table: Record, own: Record, params: Record, scene: Record, rat_hands: RatHands) -> int:
    """RR-5.2, expert: whether to use a joker, or to reveal another card, by looking one card ahead."""
    begun = table["question"] == Question.REVEAL_MORE
    up = int(table["joker_up"])
    pile = int(table["pile_size"])
    cards = known_collective(table, own)
    stay = round_value(table, params, pile, up, beats(hand_value(cards, 0), rat_hands))
    bust_value = hand_value(cards & ~int(table["revealed"]), 0)
    bust_winning = beats(bust_value, rat_hands)
    bust = bust_winning * after_win(table, pile, up) + (1.0 - bust_winning) * after_loss(table, params, pile + 1, up)
    total, number = 0.0, 0
    for card in range(NUM_CARDS):
        if (int(scene["pool"]) >> card) & 1:
            number += 1
            if card // NUM_RANKS == table["rat"]:
                total += bust
            else:
                winning = beats(hand_value(cards | (1 << card), 0), rat_hands)
                total += round_value(table, params, pile, up - int(not begun), winning)
    more = number > 0 and total / number > stay
    if not more:
        return A.NO
    elif begun:
        return A.DRAW
    return A.JOKER
