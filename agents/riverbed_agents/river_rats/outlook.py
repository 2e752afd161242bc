"""The chances that an unfinished collective hand beats the rat and meets the prediction.

Each plan (a flush of a suit, a straight up to a rank, groups of equal ranks) lacks some cards. The chance of a plan
counts cards that lie open or are known to be in a hand, and cards that may be drawn. The chance that a complete plan
wins is the share of sampled hands of the rat that it beats.
"""

import math

import numpy as np

from riverbed_env.games.river_rats.rules import hands
from riverbed_env.games.river_rats.rules import vocab as v
from riverbed_env.games.river_rats.rules.resolution import kings
from riverbed_env.kernels.compile import Floats, Record, Vector, Whole
from riverbed_env.kernels.random import below

from .kernels import kernel

RatHands = Whole

SURE = 0.96  # chance to get cards that lie open or are known to be in a hand; a player may use them for something else
OTHERS_SEE = 3.4  # unseen cards that another player may choose from
SELF_SEES = 1.6  # … that a player newly sees in a second turn of a round
OTHER_PLANS = 0.3  # weight of the plans besides the best one
STEPS = 32  # of a probability in the table below
MOST_SLOTS = 6
IN_EVERY_SUIT = sum(1 << v.NUM_RANKS * suit for suit in range(v.NUM_SUITS))  # the lowest rank
FAIR_KICKERS = (12, 9, 4)  # typical kickers, used while the real ones aren't known

# The ranks of each straight, by its top card from five to ace; the ace is also the lowest rank.
STRAIGHTS = np.array([(1 << 12) | 0b1111] + [0b11111 << low for low in range(v.NUM_RANKS - v.POKER_HAND + 1)], np.int64)

SCENE = np.dtype(
    [
        ("own", np.int64),  # cards in the observer's hand, as a set
        ("open", np.int64),  # cards of the market or known to be in other hands, as a set
        ("pool", np.int64),  # cards that the observer can't see, as a set
        ("pool_size", np.int64),
        ("players", np.int64),
        ("fill", np.int64),  # cards of a complete collective hand
        ("predicted", np.int64),  # Category
        ("prediction", np.int64),  # Prediction
    ],
    align=True,
)


def _at_least() -> Floats:
    """Binomial tail: the chance of at least `successes`, (trials, successes, chance of one success in STEPS)."""
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
def draw_rat_hands(table: Record, pool: Vector, size: int, stream: Record, rat_hands: RatHands) -> None:
    """Fill `rat_hands` with values of the rat's hand for random face-down cards, in ascending order.

    pool: (size,) the cards that the face-down cards are drawn from; its order changes.
    """
    if table["rat"] == v.Suit.NONE:  # characters are being chosen
        rat_hands[:] = 0
        return
    shown = int(table["rat_up"]) | kings(table)
    hidden = min(int(table["rat_down"]), size)
    for number in range(len(rat_hands)):
        cards = shown
        for place in range(hidden):
            other = place + below(stream, size - place)
            card = pool[other]
            pool[other] = pool[place]
            pool[place] = card
            cards |= 1 << int(card)
        rat_hands[number] = hands.hand_value(cards, 0)
    rat_hands.sort()


@kernel
def beats(value: int, rat_hands: RatHands) -> float:
    """The share of the rat's hands that a value beats. rat_hands: in ascending order."""
    low, high = 0, len(rat_hands)
    while low < high:
        middle = (low + high) >> 1
        if rat_hands[middle] < value:
            low = middle + 1
        else:
            high = middle
    return low / len(rat_hands)


@kernel
def list_cards(cards: int, out: Vector) -> int:
    """Write the cards of a set into `out` (NUM_CARDS,); return their number."""
    size = 0
    for card in range(v.NUM_CARDS):
        if (cards >> card) & 1:
            out[size] = card
            size += 1
    return size


@kernel
def tries(scene: Record, slots: int) -> float:
    """The mean number of unseen cards that a player may choose from, over the slots to come."""
    others = min(slots, int(scene["players"]) - 1)
    return (others * OTHERS_SEE + (slots - others) * SELF_SEES) / slots


@kernel
def likelihood(scene: Record, wanted: int, need: int, slots: int) -> float:
    """The chance to get at least `need` of the wanted cards in the slots left."""
    if need <= 0:
        return 1.0
    if need > slots:
        return 0.0
    turns = slots // int(scene["players"])
    known = min(turns, hands.count_cards(wanted & int(scene["own"]))) + hands.count_cards(wanted & int(scene["open"]))
    if known >= need:
        return SURE
    outs = hands.count_cards(wanted & int(scene["pool"]))
    left = slots - known
    chance = 1.0 - math.exp(-tries(scene, slots) * outs / int(scene["pool_size"]))
    return float(AT_LEAST[left, need - known, int(chance * STEPS + 0.5)])


@kernel
def of_rank(rank: int) -> int:
    """The four cards of a rank."""
    return IN_EVERY_SUIT << rank


@kernel
def ranks_of(cards: int) -> int:
    """The ranks of a set of cards, as a set."""
    ranks = 0
    for suit in range(v.NUM_SUITS):
        ranks |= hands.suit_ranks(cards, suit)
    return ranks


@kernel
def straight_likelihood(scene: Record, missing: int, jokers: int, slots: int) -> float:
    """The chance to get all missing ranks, less one for each joker, in the slots left."""
    need = int(hands.COUNT[missing]) - jokers
    if need <= 0:
        return 1.0
    if need > slots:
        return 0.0
    turns = slots // int(scene["players"])
    open_ranks = ranks_of(int(scene["open"])) & missing
    own_ranks = ranks_of(int(scene["own"])) & missing & ~open_ranks
    known = int(hands.COUNT[open_ranks]) + min(turns, int(hands.COUNT[own_ranks]))
    need -= known
    if need <= 0:
        return SURE
    rest = missing & ~open_ranks & ~own_ranks
    outs = 0
    for suit in range(v.NUM_SUITS):
        outs += int(hands.COUNT[hands.suit_ranks(int(scene["pool"]), suit) & rest])
    among = max(1, int(hands.COUNT[rest]))
    seen = tries(scene, slots) * outs / (among * int(scene["pool_size"]))
    chance = 1.0
    for left in range(need):
        chance *= 1.0 - math.exp(-seen * (left + 1))
    return chance


@kernel
def group_value(category: int, first: int, second: int) -> int:
    """The value of a group of equal ranks, with FAIR_KICKERS. second: its second rank, -1 for none."""
    value = (category << hands.CATEGORY) | ((first + 2) << hands.FIRST_RANK)
    shift = hands.FIRST_RANK - hands.RANK_BITS
    if second >= 0:
        return value | ((second + 2) << shift) | (FAIR_KICKERS[0] << (shift - hands.RANK_BITS))
    for place in range(len(FAIR_KICKERS)):
        value |= FAIR_KICKERS[place] << (shift - hands.RANK_BITS * place)
    return value


@kernel
def flush_outlook(
    cards: int, joker: int, off: int, slots: int, scene: Record, rat_hands: RatHands
) -> tuple[float, float]:
    """The best flush: the chance to complete it and win, and to complete it. off: useless cards of the hand."""
    best, likely = 0.0, 0.0
    total = hands.count_cards(cards)
    for suit in range(v.NUM_SUITS):
        ranks = hands.suit_ranks(cards, suit)
        number = int(hands.COUNT[ranks])
        if total - number + off + v.POKER_HAND <= int(scene["fill"]) and number + joker + slots >= v.POKER_HAND:
            need = v.POKER_HAND - number - joker
            chance = likelihood(scene, (hands.ALL_RANKS << (v.NUM_RANKS * suit)) & ~cards, need, slots)
            reach = ranks
            if need > 0:
                reach |= hands.suit_ranks(int(scene["open"]) | int(scene["own"]), suit) | (1 << 9)
            top = hands.ACE_WORTH
            if not joker:
                top = int(hands.HIGHEST[reach]) + 2
            likely = max(likely, chance)
            value = (v.Category.FLUSH << hands.CATEGORY) | (top << hands.FIRST_RANK)
            best = max(best, chance * beats(value, rat_hands))
    return best, likely


@kernel
def straight_outlook(
    cards: int, joker: int, off: int, slots: int, scene: Record, rat_hands: RatHands
) -> tuple[float, float]:
    """The best straight: the chance to complete it and win, and to complete it."""
    best, likely = 0.0, 0.0
    total = hands.count_cards(cards)
    once = ranks_of(cards)
    for place in range(len(STRAIGHTS)):
        ranks = int(STRAIGHTS[place])
        number = int(hands.COUNT[once & ranks])
        if total - number + off + v.POKER_HAND <= int(scene["fill"]) and number + joker + slots >= v.POKER_HAND:
            chance = straight_likelihood(scene, ranks & ~once, joker, slots)
            likely = max(likely, chance)
            if chance > best:
                top = hands.LOWEST_STRAIGHT + place
                value = (v.Category.STRAIGHT << hands.CATEGORY) | (top << hands.FIRST_RANK)
                best = max(best, chance * beats(value, rat_hands))
    return best, likely


@kernel
def better(
    best: float, base: float, chance: float, category: int, first: int, second: int, rat_hands: RatHands
) -> float:
    """The better of `best` and the chance to win with a group completed with `chance`. base: the chance without it."""
    if chance + (1.0 - chance) * base <= best:  # not even if the completed group beat every hand
        return best
    return max(best, chance * beats(group_value(category, first, second), rat_hands) + (1.0 - chance) * base)


@kernel
def group_outlook(
    cards: int, joker: int, off: int, slots: int, scene: Record, rat_hands: RatHands, base: float
) -> tuple[float, float]:
    """The best group of equal ranks: its chance to win, and the chance to complete the predicted group.

    base: the chance to win with the hand as it is.
    """
    best, likely = base, 0.0
    once = ranks_of(cards)
    for rank in range(v.NUM_RANKS):
        if (once >> rank) & 1:
            wanted = of_rank(rank) & ~cards
            number = hands.count_cards(cards & of_rank(rank)) + joker
            chance = likelihood(scene, wanted, 4 - number, slots)
            best = better(best, base, chance, v.Category.FOUR, rank, -1, rat_hands)
            if scene["predicted"] == v.Category.FOUR:
                likely = max(likely, chance)
            if number < 3:
                chance = likelihood(scene, wanted, 3 - number, slots)
                best = better(best, base, chance, v.Category.THREE, rank, -1, rat_hands)
            best, chance = two_rank_outlook(cards, joker, off, slots, scene, rat_hands, base, best, rank)
            if scene["predicted"] == v.Category.FULL_HOUSE:
                likely = max(likely, chance)
    return best, likely


@kernel
def two_rank_outlook(
    cards: int,
    joker: int,
    off: int,
    slots: int,
    scene: Record,
    rat_hands: RatHands,
    base: float,
    best: float,
    rank: int,
) -> tuple[float, float]:
    """The best of `best`, full houses of a rank and two pairs below it; and the chance of the likeliest full house."""
    likely = 0.0
    wanted = of_rank(rank) & ~cards
    number = hands.count_cards(cards & of_rank(rank)) + joker
    need, need_two = max(0, 3 - number), max(0, 2 - number)
    ranks = ranks_of(cards | int(scene["open"]) | int(scene["own"]))
    total = hands.count_cards(cards)
    for other in range(v.NUM_RANKS):
        if other == rank or not (ranks >> other) & 1:
            continue
        pair = hands.count_cards(cards & of_rank(other))
        need_other = max(0, 2 - pair)
        wanted_other = of_rank(other) & ~cards
        spare = total - (number - joker + pair) + off + v.POKER_HAND
        if need + need_other <= slots and spare <= int(scene["fill"]):
            chance = likelihood(scene, wanted, need, slots - need_other)
            chance *= likelihood(scene, wanted_other, need_other, slots - need)
            best = better(best, base, chance, v.Category.FULL_HOUSE, rank, -1, rat_hands)
            likely = max(likely, chance)
        if other < rank and 0 < need_two + need_other <= slots:
            chance = likelihood(scene, wanted, need_two, slots - need_other)
            chance *= likelihood(scene, wanted_other, need_other, slots - need_two)
            best = better(best, base, chance, v.Category.TWO_PAIR, rank, other, rat_hands)
    return best, likely


@kernel
def outlook(
    cards: int, joker: int, unknown: int, slots: int, scene: Record, rat_hands: RatHands
) -> tuple[float, float]:
    """The chances that a collective hand beats the rat and meets the prediction, with `slots` cards to come.

    cards: the known cards, as a set; joker: 1 if it has one; unknown: 1 if it has a face-down card that the observer
    doesn't know.
    """
    predicted = int(scene["predicted"])
    value = hands.hand_value(cards, joker)
    base = beats(value, rat_hands)
    if slots == 0:
        met = hands.category_of(value) == predicted and hands.count_cards(cards) + joker + unknown >= v.POKER_HAND
        if scene["prediction"] == v.Prediction.AT_LEAST_FORM:
            met = hands.can_form(cards, joker, predicted)
        return base, 1.0 * int(met)
    flush, flush_likely = flush_outlook(cards, joker, unknown, slots, scene, rat_hands)
    straight, straight_likely = straight_outlook(cards, joker, unknown, slots, scene, rat_hands)
    group, likely = group_outlook(cards, joker, unknown, slots, scene, rat_hands, base)
    if predicted == v.Category.FLUSH:
        likely = flush_likely
    elif predicted == v.Category.STRAIGHT:
        likely = straight_likely
    best = max(group, flush, straight)
    rest = 1.0 - (1.0 - (group - base)) * (1.0 - flush) * (1.0 - straight)
    return min(1.0, best + OTHER_PLANS * max(0.0, rest - best) * (1.0 - best)), likely
