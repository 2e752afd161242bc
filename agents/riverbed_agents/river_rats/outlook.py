"""What a collective hand may become: the chance to beat the rat, and to meet the prediction, before it is full.

Each plan (a flush of a suit, a straight up to a rank, ranks held several times) has cards it still lacks. Some lie
open or are known to be in a hand, others may be drawn; a plan's chance is counted from both, and it wins as often as
its hand beats the rat's, whose face-down cards are drawn many times over.
"""

import math

import numpy as np
import numpy.typing as npt

from riverbed_env.games.river_rats.rules.hands import (
    ACE_WORTH,
    ALL_RANKS,
    CATEGORY,
    COUNT,
    FIRST_RANK,
    HIGHEST,
    LOWEST_STRAIGHT,
    RANK_BITS,
    can_form,
    category_of,
    count_cards,
    hand_value,
    suit_ranks,
)
from riverbed_env.games.river_rats.rules.resolution import kings
from riverbed_env.games.river_rats.rules.vocab import (
    NUM_CARDS,
    NUM_RANKS,
    NUM_SUITS,
    POKER_HAND,
    Category,
    Prediction,
    Suit,
)
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below

from .observation_reader import kernel

Bars = npt.NDArray[np.int64]

SURE = 0.96  # of a card that lies open or is known to be in a hand: somebody may use it otherwise
OTHERS_SEE = 3.4  # cards that another player may choose from and nobody sees now
SELF_SEES = 1.6  # … that a player sees anew in a second turn of a round
OTHER_PLANS = 0.3  # how much plans count besides the best one
STEPS = 32  # of a chance, in the table below
MOST_SLOTS = 6
FAIR_KICKERS = (12, 9, 4)  # worths of kickers not known yet

# Ranks of a straight by its top card, from the five to the ace, which is also the lowest.
STRAIGHTS = np.array([(1 << 12) | 0b1111] + [0b11111 << low for low in range(NUM_RANKS - POKER_HAND + 1)], np.int64)

SCENE = np.dtype(
    [
        ("own", np.int64),  # cards that the observer holds
        ("open", np.int64),  # cards of the market, and those known to be in other hands
        ("pool", np.int64),  # cards that the observer sees nowhere
        ("pool_size", np.int64),
        ("players", np.int64),
        ("fill", np.int64),  # cards with which hands resolve
        ("predicted", np.int64),  # Category
        ("prediction", np.int64),  # Prediction
    ],
    align=True,
)


def _at_least() -> npt.NDArray[np.float64]:
    """The chance of at least so many successes, (trials, successes, chance of one in steps)."""
    table = np.zeros((MOST_SLOTS + 1, MOST_SLOTS + 1, STEPS + 1))
    for trials in range(MOST_SLOTS + 1):
        for step in range(STEPS + 1):
            chance = step / STEPS
            for needed in range(trials + 1):
                table[trials, needed, step] = sum(
                    math.comb(trials, number) * chance**number * (1 - chance) ** (trials - number)
                    for number in range(needed, trials + 1)
                )
    return table


AT_LEAST = _at_least()


@kernel
def draw_bars(table: Record, pool: npt.NDArray[np.int8], size: int, stream: Record, bars: Bars) -> None:
    """Fill `bars` with values, ascending, that the rat's hand may have once its face-down cards are turned up.

    They are drawn from the pool: (size,) the cards that nobody shows; its order changes.
    """
    if table["rat"] == Suit.NONE:  # characters are being chosen
        bars[:] = 0
        return
    shown = int(table["rat_up"]) | kings(table)
    hidden = min(int(table["rat_down"]), size)
    for number in range(len(bars)):
        cards = shown
        for place in range(hidden):
            other = place + below(stream, size - place)
            card = pool[other]
            pool[other] = pool[place]
            pool[place] = card
            cards |= 1 << int(card)
        bars[number] = hand_value(cards, 0)
    bars.sort()


@kernel
def beats(value: int, bars: Bars) -> float:
    """How often a hand of that value beats the rat's; `bars` ascend."""
    low, high = 0, len(bars)
    while low < high:
        middle = (low + high) >> 1
        if bars[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low / len(bars)


@kernel
def list_cards(cards: int, out: npt.NDArray[np.int8]) -> int:
    """Write the cards of a set into `out`, (NUM_CARDS,); returns how many there are."""
    size = 0
    for card in range(NUM_CARDS):
        if (cards >> card) & 1:
            out[size] = card
            size += 1
    return size


@kernel
def tries(scene: Record, slots: int) -> float:
    """How many unseen cards a player may choose from, on average over the slots to come."""
    others = min(slots, int(scene["players"]) - 1)
    return (others * OTHERS_SEE + (slots - others) * SELF_SEES) / slots


@kernel
def likelihood(scene: Record, wanted: int, need: int, slots: int) -> float:
    """The chance that at least `need` of the wanted cards come in the slots left."""
    if need <= 0:
        return 1.0
    if need > slots:
        return 0.0
    turns = slots // int(scene["players"])
    known = min(turns, count_cards(wanted & int(scene["own"]))) + count_cards(wanted & int(scene["open"]))
    if known >= need:
        return SURE
    outs = count_cards(wanted & int(scene["pool"]))
    left = slots - known
    chance = 1.0 - math.exp(-tries(scene, slots) * outs / int(scene["pool_size"]))
    return float(AT_LEAST[left, need - known, int(chance * STEPS + 0.5)])


@kernel
def of_rank(rank: int) -> int:
    """The four cards of a rank."""
    return ((1 << rank) | (1 << (NUM_RANKS + rank)) | (1 << (2 * NUM_RANKS + rank))) | (1 << (3 * NUM_RANKS + rank))


@kernel
def ranks_of(cards: int) -> int:
    """The ranks of a set of cards, as a set."""
    return suit_ranks(cards, 0) | suit_ranks(cards, 1) | suit_ranks(cards, 2) | suit_ranks(cards, 3)


@kernel
def straight_likelihood(scene: Record, missing: int, jokers: int, slots: int) -> float:
    """The chance that all ranks missing, but as many as there are jokers, come in the slots left."""
    need = int(COUNT[missing]) - jokers
    if need <= 0:
        return 1.0
    if need > slots:
        return 0.0
    turns = slots // int(scene["players"])
    shown = ranks_of(int(scene["open"])) & missing
    own = ranks_of(int(scene["own"])) & missing & ~shown
    known = int(COUNT[shown]) + min(turns, int(COUNT[own]))
    need -= known
    if need <= 0:
        return SURE
    rest = missing & ~shown & ~own
    outs = 0
    for suit in range(NUM_SUITS):
        outs += int(COUNT[suit_ranks(int(scene["pool"]), suit) & rest])
    among = max(1, int(COUNT[rest]))
    seen = tries(scene, slots) * outs / (among * int(scene["pool_size"]))
    chance = 1.0
    for left in range(need):
        chance *= 1.0 - math.exp(-seen * (left + 1))
    return chance


@kernel
def group_value(category: int, first: int, second: int) -> int:
    """A group's value by its ranks, with fair kickers; second -1 for none."""
    value = (category << CATEGORY) | ((first + 2) << FIRST_RANK)
    at = FIRST_RANK - RANK_BITS
    if second >= 0:
        return value | ((second + 2) << at) | (FAIR_KICKERS[0] << (at - RANK_BITS))
    for place in range(len(FAIR_KICKERS)):
        value |= FAIR_KICKERS[place] << (at - RANK_BITS * place)
    return value


@kernel
def held(cards: int, rank: int) -> int:
    """How many cards of a rank a set holds."""
    return count_cards(cards & of_rank(rank))


@kernel
def flush_outlook(cards: int, joker: int, off: int, slots: int, scene: Record, bars: Bars) -> tuple[float, float]:
    """The best flush: its chance to come and to beat the rat, and its chance to come. off: cards of no use already."""
    best, likely = 0.0, 0.0
    total = count_cards(cards)
    for suit in range(NUM_SUITS):
        ranks = suit_ranks(cards, suit)
        number = int(COUNT[ranks])
        if total - number + off + POKER_HAND <= int(scene["fill"]) and number + joker + slots >= POKER_HAND:
            need = POKER_HAND - number - joker
            chance = likelihood(scene, (ALL_RANKS << (NUM_RANKS * suit)) & ~cards, need, slots)
            reach = ranks
            if need > 0:
                reach |= suit_ranks(int(scene["open"]) | int(scene["own"]), suit) | (1 << 9)
            top = ACE_WORTH
            if not joker:
                top = int(HIGHEST[reach]) + 2
            likely = max(likely, chance)
            best = max(best, chance * beats((Category.FLUSH << CATEGORY) | (top << FIRST_RANK), bars))
    return best, likely


@kernel
def straight_outlook(cards: int, joker: int, off: int, slots: int, scene: Record, bars: Bars) -> tuple[float, float]:
    """The best straight: its chance to come and to beat the rat, and its chance to come."""
    best, likely = 0.0, 0.0
    total = count_cards(cards)
    once = ranks_of(cards)
    for place in range(len(STRAIGHTS)):
        ranks = int(STRAIGHTS[place])
        number = int(COUNT[once & ranks])
        if total - number + off + POKER_HAND <= int(scene["fill"]) and number + joker + slots >= POKER_HAND:
            chance = straight_likelihood(scene, ranks & ~once, joker, slots)
            likely = max(likely, chance)
            if chance > best:
                top = LOWEST_STRAIGHT + place
                best = max(best, chance * beats((Category.STRAIGHT << CATEGORY) | (top << FIRST_RANK), bars))
    return best, likely


@kernel
def better(best: float, base: float, chance: float, category: int, first: int, second: int, bars: Bars) -> float:
    """The better of `best` and a group that comes with that chance, where `base` is the chance to win without it."""
    if chance + (1.0 - chance) * base <= best:  # even if it beat everything
        return best
    return max(best, chance * beats(group_value(category, first, second), bars) + (1.0 - chance) * base)


@kernel
def group_outlook(
    cards: int, joker: int, off: int, slots: int, scene: Record, bars: Bars, base: float
) -> tuple[float, float]:
    """The best of groups of equal ranks: its chance to beat the rat, and the chance of the predicted group.

    base: the chance to win with what the hand is already.
    """
    best, likely = base, 0.0
    once = ranks_of(cards)
    for rank in range(NUM_RANKS):
        if (once >> rank) & 1:
            wanted = of_rank(rank) & ~cards
            number = held(cards, rank) + joker
            chance = likelihood(scene, wanted, 4 - number, slots)
            best = better(best, base, chance, Category.FOUR, rank, -1, bars)
            if scene["predicted"] == Category.FOUR:
                likely = max(likely, chance)
            if number < 3:
                chance = likelihood(scene, wanted, 3 - number, slots)
                best = better(best, base, chance, Category.THREE, rank, -1, bars)
            best, chance = two_rank_outlook(cards, joker, off, slots, scene, bars, base, best, rank)
            if scene["predicted"] == Category.FULL_HOUSE:
                likely = max(likely, chance)
    return best, likely


@kernel
def two_rank_outlook(
    cards: int, joker: int, off: int, slots: int, scene: Record, bars: Bars, base: float, best: float, rank: int
) -> tuple[float, float]:
    """The best of full houses of a rank, two pairs under it, and `best`; and the chance of the likeliest full house."""
    likely = 0.0
    wanted = of_rank(rank) & ~cards
    number = held(cards, rank) + joker
    need, need_two = max(0, 3 - number), max(0, 2 - number)
    ranks = ranks_of(cards | int(scene["open"]) | int(scene["own"]))
    total = count_cards(cards)
    for other in range(NUM_RANKS):
        if other == rank or not (ranks >> other) & 1:
            continue
        pair = held(cards, other)
        need_other = max(0, 2 - pair)
        also = of_rank(other) & ~cards
        spare = total - (number - joker + pair) + off + POKER_HAND
        if need + need_other <= slots and spare <= int(scene["fill"]):
            chance = likelihood(scene, wanted, need, slots - need_other)
            chance *= likelihood(scene, also, need_other, slots - need)
            best = better(best, base, chance, Category.FULL_HOUSE, rank, -1, bars)
            likely = max(likely, chance)
        if other < rank and 0 < need_two + need_other <= slots:
            chance = likelihood(scene, wanted, need_two, slots - need_other)
            chance *= likelihood(scene, also, need_other, slots - need_two)
            best = better(best, base, chance, Category.TWO_PAIR, rank, other, bars)
    return best, likely


@kernel
def outlook(cards: int, joker: int, unknown: int, slots: int, scene: Record, bars: Bars) -> tuple[float, float]:
    """The chances of a collective hand to beat the rat and to meet the prediction, with so many slots to fill.

    cards: those the observer knows; joker: 1 with one; unknown: 1 with a face-down card the observer doesn't know.
    """
    predicted = int(scene["predicted"])
    value = hand_value(cards, joker)
    base = beats(value, bars)
    if slots == 0:
        met = category_of(value) == predicted and count_cards(cards) + joker + unknown >= POKER_HAND
        if scene["prediction"] == Prediction.AT_LEAST_FORM:
            met = can_form(cards, joker, predicted)
        return base, 1.0 * int(met)
    flush, flush_likely = flush_outlook(cards, joker, unknown, slots, scene, bars)
    straight, straight_likely = straight_outlook(cards, joker, unknown, slots, scene, bars)
    group, likely = group_outlook(cards, joker, unknown, slots, scene, bars, base)
    if predicted == Category.FLUSH:
        likely = flush_likely
    elif predicted == Category.STRAIGHT:
        likely = straight_likely
    best = max(group, flush, straight)
    rest = 1.0 - (1.0 - (group - base)) * (1.0 - flush) * (1.0 - straight)
    return min(1.0, best + OTHER_PLANS * max(0.0, rest - best) * (1.0 - best)), likely
