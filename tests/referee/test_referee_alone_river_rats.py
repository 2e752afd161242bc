"""The referee of River Rats alone, against the spec and the rulebook's examples."""

import dataclasses
import random
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import combinations, permutations

import numpy as np
import pytest
from referee.river_rats import (
    ACES,
    CARDS,
    JOKER,
    KINGS,
    MODES,
    PREDICTIONS,
    RANKS,
    SUITS,
    Action,
    Category,
    CollectiveCard,
    Deal,
    Options,
    RatCard,
    Referee,
    Strength,
    best_hand,
    can_form,
    matches,
    suit_of,
)

DRAW: Action = ("draw",)
USE_JOKER: Action = ("joker",)
NO: Action = ("no",)
ACT: Action = ("act",)
POWER: Action = ("power",)
HIDDEN: Action = ("hidden",)
ADD_DEBT: Action = ("debt",)


class RandomChance:
    """Chance in play from a generator of its own."""

    def __init__(self, generator: random.Random) -> None:
        self.generator = generator

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        assert cards
        return self.generator.sample(cards, len(cards))


class Reversed:
    """Chance that turns the discard pile over, so that what was discarded first is drawn first."""

    def __init__(self) -> None:
        self.shuffled: list[list[str]] = []

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        self.shuffled.append(cards)
        return cards[::-1]


def card(name: str) -> Action:
    return ("card", name)


def words(text: str) -> list[str]:
    return text.split()


def padded(wanted: Sequence[str], number: int, pool: list[str]) -> list[str]:
    """The cards wanted, and as many others as are missing."""
    return [*wanted, *(pool.pop() for _ in range(number - len(wanted)))]


def make_deal(
    num_players: int,
    *,
    mode: str = "standard",
    kings: Sequence[str] = ("KH", "KD"),
    aces: Sequence[str] = ACES,
    hands: Sequence[str] = (),
    market: str = "",
    rat: str = "",
    hidden: str = "",
    debt: str = "",
    then: str = "",
) -> Deal:
    """A deal with some things where a test wants them; `then`: what is drawn after the first round's setup."""
    chosen = list(aces[:num_players])
    wanted_hands = [words(hand) for hand in hands] + [[] for _ in range(num_players - len(hands))]
    wanted = [
        *(name for hand in wanted_hands for name in hand),
        *(name for text in (market, rat, hidden, debt, then) for name in words(text)),
    ]
    pool = [name for name in CARDS if name not in {*kings, *chosen, *wanted}]
    random.Random(7).shuffle(pool)
    face_down = {"first_game": 2, "standard": 2, "advanced": 3, "expert": 4}[mode]
    if kings[0] == "KC" and mode != "first_game":
        face_down += 2
    order: list[str] = []
    for hand in wanted_hands:
        order += padded(hand, 2, pool)
    order += padded(words(market), 3, pool)
    order += padded(words(rat), 5, pool)
    order += padded(words(hidden), face_down, pool)
    order += padded(words(debt), 1, pool)
    order += [*words(then), *pool]
    for ace in chosen:
        order.insert(len(order) // 2, ace)  # wherever it lies, it is taken out
    return Deal((kings[0], kings[1]), tuple(reversed(order)))


def begin(
    num_players: int = 2,
    *,
    mode: str = "standard",
    prediction: str = "exactly",
    aces: Sequence[str] = ACES,
    cap: int = 1000,
    **wanted,
) -> Referee:
    """A game with its aces chosen, in the first round's first turn."""
    deal = make_deal(num_players, mode=mode, aces=aces, **wanted)
    referee = Referee(Options(num_players, mode, prediction), deal, Reversed(), cap=cap)
    for ace in aces[:num_players]:
        play(referee, card(ace))
    return referee


def play(referee: Referee, *actions: Action) -> None:
    for action in actions:
        assert action in referee.legal(), f"{referee.question}: {action} not among {sorted(referee.legal())}"
        referee.play(action)


def named(referee: Referee) -> set[str]:
    """The cards named by the legal answers."""
    return {action[1] for action in referee.legal() if len(action) == 2}


def exchange(referee: Referee, one: str, other: str) -> None:
    """Two cards change places, wherever they lie, also in the answers of the question that is asked."""
    renamed = {one: other, other: one}
    piles = [referee.deck, referee.discard, referee.market, *referee.hands]
    for pile in [*piles, referee.debt, referee.rat_debt, referee.players_debt]:
        pile[:] = [renamed.get(name, name) for name in pile]
    for lying in [*referee.collective, *referee.rat_cards]:
        lying.card = renamed.get(lying.card, lying.card)
    for seen in referee.seen_in_hand:
        seen.difference_update(renamed)
    assert referee.prediction_card not in renamed
    question = referee._question
    assert question is not None
    answers = frozenset((action[0], *(renamed.get(name, name) for name in action[1:])) for action in question.answers)
    referee._question = dataclasses.replace(question, answers=answers)  # type: ignore[arg-type]


def hold(referee: Referee, seat: int, cards: str) -> None:
    """Have these cards in a hand of as many."""
    for place, name in enumerate(words(cards)):
        if referee.hands[seat][place] != name:
            exchange(referee, referee.hands[seat][place], name)


def draw_all(referee: Referee) -> None:
    """Draw up to three from the deck, from the market once the deck is out."""
    while referee.question == "draw":
        play(referee, DRAW if DRAW in referee.legal() else min(referee.legal() - {USE_JOKER}))


def play_card_and_stop(referee: Referee, name: str) -> None:
    """Draw from the deck and play this card, wherever it was; the question of its action stays."""
    draw_all(referee)
    assert referee.asked is not None
    hand = referee.hands[referee.asked]
    if name not in hand:
        exchange(referee, hand[0], name)
    play(referee, card(name))


def play_card(referee: Referee, name: str, *actions: Action) -> None:
    """Play a card, and act, or don't."""
    play_card_and_stop(referee, name)
    if referee.question == "action":
        play(referee, *(actions or [NO]))


def play_hand(referee: Referee, cards: str) -> None:
    """A whole collective hand (or the end of one), no actions."""
    for name in words(cards):
        play_card(referee, name)


def into_deck(referee: Referee, name: str) -> None:
    """Whatever lies at the deck's bottom takes this card's place, if it isn't in the deck."""
    if name not in referee.deck:
        exchange(referee, name, referee.deck[0])


def stack(referee: Referee, cards: str) -> None:
    """These cards on top of the deck, the first to be drawn first."""
    for name in reversed(words(cards)):
        into_deck(referee, name)
        referee.deck.remove(name)
        referee.deck.append(name)


def move_to(referee: Referee, pile: list[str], cards: str) -> None:
    """Cards onto a pile."""
    for name in words(cards):
        into_deck(referee, name)
        referee.deck.remove(name)
        pile.append(name)


def all_cards(referee: Referee) -> list[str]:
    """Every card on the table; before the River Rats are drawn two are missing."""
    piles: list[Iterable[str | None]] = [
        referee.characters,
        [referee.active_rat, referee.waiting_rat, referee.defeated_rat],
        referee.deck,
        referee.discard,
        referee.market,
        *referee.hands,
        referee.collective_cards(),
        [held.card for held in referee.rat_cards],
        referee.debt,
        referee.rat_debt,
        referee.players_debt,
    ]
    return [name for pile in piles for name in pile if name not in {None, JOKER}]  # type: ignore[misc]


WEAK_RAT = {"rat": "2S 4D 7C 9H JS", "hidden": "3D 8C"}  # with KH: a king high
STRONG_RAT = {"rat": "10S JS QS KS 9S", "hidden": "3D 8C"}  # a straight flush
FLUSH = "2C 3C 5C JC QC"
STRAIGHT = "5S 6H 7D 8H 9C"
FULL_HOUSE = "QS QD QH 5C 5S"
NOTHING = "2C 3C 5D 6D 10C"


# RR-3.2, RR-3.3: the worth of a hand

STANDARD_COUNTS = {
    Category.STRAIGHT_FLUSH: 40,
    Category.FOUR_OF_A_KIND: 624,
    Category.FULL_HOUSE: 3_744,
    Category.FLUSH: 5_108,
    Category.STRAIGHT: 10_200,
    Category.THREE_OF_A_KIND: 54_912,
    Category.TWO_PAIR: 123_552,
    Category.ONE_PAIR: 1_098_240,
    Category.HIGHEST_CARD: 1_302_540,
}

# Hands of four cards and a joker that is any card; 13 of the fours of a kind are five of a rank.
JOKER_COUNTS = {
    Category.STRAIGHT_FLUSH: 164,
    Category.FOUR_OF_A_KIND: 2_496 + 13,
    Category.FULL_HOUSE: 2_808,
    Category.FLUSH: 2_696,
    Category.STRAIGHT: 10_332,
    Category.THREE_OF_A_KIND: 82_368,
    Category.ONE_PAIR: 169_848,
}

ORDERED_HANDS = [
    # from the lowest to the highest; within a line, all tie
    ["7S 5H 4C 3D 2S", "7D 5S 4S 3S 2H"],
    ["8S 5H 4C 3D 2S"],
    ["8S 6H 4C 3D 2S"],
    ["KS QH JC 10D 8S"],
    ["AS 5H 4C 3D 7S"],
    ["AS KH QC JD 9S"],
    ["2S 2H 5C 4D 3S"],
    ["2S 2H AC KD QS", "2C 2D AH KS QH"],
    ["8S 8H 6C 3D 2S"],
    ["8S 8H 6C 4D 2S"],
    ["8S 8H 6C 4D 3S"],
    ["8S 8H 7C 4D 3S"],
    ["AS AH KC QD JS"],
    ["3S 3H 2C 2D 4S"],
    ["3S 3H 2C 2D AS"],
    ["10S 10C 4D 4H 3S", "10H 10D 4S 4C 3H"],
    ["10S 10C 4D 4H 5S"],
    ["10S 10C 5D 5H 2S"],
    ["JS JC 2D 2H 3S"],
    ["2S 2H 2C 4D 3S"],
    ["8S 8H 8C 4D 2S"],
    ["8S 8H 8C 4D 3S"],
    ["AS AH AC KD QS"],
    ["AS 2H 3C 4D 5S", "AH 2H 3C 4D 5D"],
    ["2S 3H 4C 5D 6S"],
    ["4D 5S 6C 7S 8H", "4S 5D 6D 7C 8D"],
    ["10S JH QC KD AS"],
    ["7S 5S 4S 3S 2S", "7H 6H 5H 4H 2H"],  # the top card alone
    ["AH 7H 5H 3H 2H", "AS KS QS JS 9S"],  # the top card alone
    ["2S 2H 2C AS AH", "2S 2H 2C 3S 3H"],  # the three alone
    ["QS QD QH 5C 5S", "QS QD QH 2C 2S"],
    ["AS AH AC KS KH"],
    ["2S 2H 2C 2D 3S"],
    ["2S 2H 2C 2D AS"],
    ["9S 9D 9C 9H 2S"],
    ["9S 9D 9C 9H AS"],
    ["AS 2S 3S 4S 5S"],
    ["5D 6D 7D 8D 9D", "5H 6H 7H 8H 9H"],
    ["10C JC QC KC AC"],
]


def test_rr_3_3_order_of_hands_and_house_ties() -> None:
    strengths = []
    for line in ORDERED_HANDS:
        worth = {best_hand(words(hand)) for hand in line}
        assert len(worth) == 1, line
        strengths += list(worth)
    assert strengths == sorted(strengths)
    assert len(set(strengths)) == len(strengths)


@pytest.mark.parametrize(
    ("hand", "category"),
    [
        ("5D 6D 7D 8D 9D", Category.STRAIGHT_FLUSH),
        ("9S 9D 9C 9H 2C", Category.FOUR_OF_A_KIND),
        ("QS QD QH 5C 5S", Category.FULL_HOUSE),
        ("AH 7H 5H 3H 2H", Category.FLUSH),
        ("4D 5S 6C 7S 8H", Category.STRAIGHT),
        ("8S 8H 8C 2C 3C", Category.THREE_OF_A_KIND),
        ("10S 10C 4D 4H 2C", Category.TWO_PAIR),
        ("KS KC 2C 3C 4D", Category.ONE_PAIR),
        ("AS KC 2C 3C 4D", Category.HIGHEST_CARD),
    ],
)
def test_rr_3_3_the_books_examples(hand: str, category: Category) -> None:
    assert best_hand(words(hand)).category == category


@pytest.mark.parametrize(
    ("hand", "strength"),
    [
        ("AS 2H 3C 4D 5S", Strength(Category.STRAIGHT, (5,))),
        ("10S JH QC KD AS", Strength(Category.STRAIGHT, (14,))),
        ("QS KH AC 2D 3S", Strength(Category.HIGHEST_CARD, (14, 13, 12, 3, 2))),  # no going round the corner
        ("AS 2S 3S 4S 5S", Strength(Category.STRAIGHT_FLUSH, (5,))),
        ("KH 7H 5H 3H 2H", Strength(Category.FLUSH, (13,))),
        ("AH AS AD 5H 5S", Strength(Category.FULL_HOUSE, (14,))),
        ("8H 8S KD 5H 3S", Strength(Category.ONE_PAIR, (8, 13, 5, 3))),
        ("8H 8S 3D 5H 3S", Strength(Category.TWO_PAIR, (8, 3, 5))),
        ("8H 8S 8D 5H 3S", Strength(Category.THREE_OF_A_KIND, (8, 5, 3))),
        ("8H 8S 8D 8C 3S", Strength(Category.FOUR_OF_A_KIND, (8, 3))),
    ],
)
def test_rr_3_3_what_breaks_ties(hand: str, strength: Strength) -> None:
    for order in permutations(words(hand)):
        assert best_hand(order) == strength


@pytest.mark.parametrize(
    ("hand", "strength"),
    [
        ("8H 8S 8D 3C 3S 3H", Strength(Category.FULL_HOUSE, (8,))),
        ("8H 8S 6D 6C 3S 3H", Strength(Category.TWO_PAIR, (8, 6, 3))),
        ("8H 8S 6D 6C 3S 3H KC", Strength(Category.TWO_PAIR, (8, 6, 13))),
        ("2H 3H 4H 5H 6C 9H", Strength(Category.FLUSH, (9,))),
        ("2H 3H 4H 5H 6H 9H", Strength(Category.STRAIGHT_FLUSH, (6,))),
        ("2H 3H 4H 5H 6H 7C", Strength(Category.STRAIGHT_FLUSH, (6,))),  # better than the straight to 7
        ("AH 2C 3H 4H 5H 6C 7S", Strength(Category.STRAIGHT, (7,))),
        ("AH AC AS AD KH KC KS KD QH QC QS QD JS", Strength(Category.FOUR_OF_A_KIND, (14, 13))),
        ("AH KC QS 9D 8H 6C 5S 4D", Strength(Category.HIGHEST_CARD, (14, 13, 12, 9, 8))),
        ("AH AC QS 9D 8H 6C 5S 3D 2H", Strength(Category.ONE_PAIR, (14, 12, 9, 8))),
        ("KH KD 2S 4D 7C 9H JS 3D 8C", Strength(Category.ONE_PAIR, (13, 11, 9, 8))),
    ],
)
def test_rr_3_2_best_five_of_more(hand: str, strength: Strength) -> None:
    assert best_hand(words(hand)) == strength


@pytest.mark.parametrize(
    ("hand", "strength"),
    [
        ("JOKER 5D 6D 7D 8D", Strength(Category.STRAIGHT_FLUSH, (9,))),
        ("JOKER 5D 6D 8D 9D", Strength(Category.STRAIGHT_FLUSH, (9,))),
        ("JOKER JD QD KD AD", Strength(Category.STRAIGHT_FLUSH, (14,))),
        ("JOKER 2D 3D 4D AD", Strength(Category.STRAIGHT_FLUSH, (5,))),
        ("JOKER 9D 9S 9H 9C", Strength(Category.FOUR_OF_A_KIND, (9, 14))),  # an ace, rather than a fifth nine
        ("JOKER AD AS AH AC", Strength(Category.FOUR_OF_A_KIND, (14, 14))),  # five of a rank
        ("JOKER 9D 9S 9H 2C", Strength(Category.FOUR_OF_A_KIND, (9, 2))),
        ("JOKER 9D 9S 4H 4C", Strength(Category.FULL_HOUSE, (9,))),
        ("JOKER 9D KD 4D 2D", Strength(Category.FLUSH, (14,))),
        ("JOKER AD KD 4D 2D", Strength(Category.FLUSH, (14,))),
        ("JOKER 9D 10S JH QC", Strength(Category.STRAIGHT, (13,))),
        ("JOKER 9D 9S JH QC", Strength(Category.THREE_OF_A_KIND, (9, 12, 11))),
        ("JOKER 9D 7S JH QC", Strength(Category.ONE_PAIR, (12, 11, 9, 7))),
        ("JOKER 9D 7S JH QC 9C", Strength(Category.THREE_OF_A_KIND, (9, 12, 11))),
        ("JOKER 9D 7D JD QC 2D", Strength(Category.FLUSH, (14,))),
        ("JOKER 9D 9S 4H 4C 4S", Strength(Category.FOUR_OF_A_KIND, (4, 9))),
    ],
)
def test_rr_3_2_a_joker_is_the_card_that_gives_the_best_hand(hand: str, strength: Strength) -> None:
    assert best_hand(words(hand)) == strength


@pytest.mark.parametrize(
    ("hand", "strength"),
    [
        ("", Strength(Category.HIGHEST_CARD, ())),
        ("2H", Strength(Category.HIGHEST_CARD, (2,))),
        ("2H 5H 9H KH", Strength(Category.HIGHEST_CARD, (13, 9, 5, 2))),  # no flush of four
        ("2H 3H 4H 5H", Strength(Category.HIGHEST_CARD, (5, 4, 3, 2))),  # no straight of four
        ("2H 2D", Strength(Category.ONE_PAIR, (2,))),
        ("2H 2D 3S", Strength(Category.ONE_PAIR, (2, 3))),
        ("2H 2D 3S 3C", Strength(Category.TWO_PAIR, (3, 2))),
        ("2H 2D 2S 3C", Strength(Category.THREE_OF_A_KIND, (2, 3))),
        ("2H 2D 2S 2C", Strength(Category.FOUR_OF_A_KIND, (2,))),
        ("JOKER", Strength(Category.HIGHEST_CARD, (14,))),
        ("JOKER 2H 3H 4H", Strength(Category.ONE_PAIR, (4, 3, 2))),
        ("JOKER 2H 2D 4H", Strength(Category.THREE_OF_A_KIND, (2, 4))),
    ],
)
def test_rr_3_7_fewer_than_five_make_groups_only(hand: str, strength: Strength) -> None:
    assert best_hand(words(hand)) == strength


def test_rr_3_7_a_short_hand_against_a_whole_one() -> None:
    assert best_hand(words("2H 2D")) > best_hand(words("AS KH QC JD 9S"))
    assert best_hand(words("AH AD")) < best_hand(words("2S 3H 4C 5D 6S"))
    assert best_hand(words("2H 2D")) < best_hand(words("2S 2C 3H 4D 5D"))


BY_RANK = [name for rank in RANKS for name in CARDS if name[:-1] == rank]


def hands_but_for_suits(size: int) -> Iterator[tuple[tuple[str, ...], int]]:
    """Hands of so many cards of which no two differ in the suits' names alone, and how many hands each stands for.

    A hand is four sets of ranks, one a suit; which suit has which doesn't matter.
    """
    cards = np.array(list(combinations(range(len(BY_RANK)), size)), np.int64)
    ranks, suits = np.divmod(cards, len(SUITS))
    sets = [(2**ranks * (suits == suit)).sum(axis=1) for suit in range(len(SUITS))]
    key = np.zeros(len(cards), np.int64)
    for each in np.sort(np.array(sets), axis=0):
        key = key * 2 ** len(RANKS) + each
    _, first, counts = np.unique(key, return_index=True, return_counts=True)
    for hand, count in zip(cards[first].tolist(), counts.tolist(), strict=True):
        yield tuple(BY_RANK[number] for number in hand), count


def categories(size: int, *more: str) -> Counter[Category]:
    """How many hands of so many cards, with more beside them, are of each category."""
    found: Counter[Category] = Counter()
    for hand, count in hands_but_for_suits(size):
        found[best_hand([*hand, *more]).category] += count
    return found


def test_suits_have_no_rank() -> None:
    generator = random.Random(3)
    for _ in range(2000):
        five = generator.sample(CARDS, 5)
        renaming = dict(zip(SUITS, generator.sample(SUITS, len(SUITS)), strict=True))
        other = [name[:-1] + renaming[name[-1]] for name in five]
        assert best_hand(other).category == best_hand(five).category


@pytest.mark.slow
def test_rr_3_3_counts_over_all_hands_of_five() -> None:
    assert categories(5) == STANDARD_COUNTS


@pytest.mark.slow
def test_rr_3_2_counts_over_all_hands_of_four_and_a_joker() -> None:
    assert categories(4, JOKER) == JOKER_COUNTS


def test_rr_3_3_all_hands_of_a_few_ranks() -> None:
    """All hands of five from 20 cards (10 to ace): counted by hand."""
    few = [name for name in CARDS if name[:-1] in {"10", "J", "Q", "K", "A"}]
    counts = Counter(best_hand(five).category for five in combinations(few, 5))
    assert counts == {
        Category.STRAIGHT_FLUSH: 4,
        Category.FOUR_OF_A_KIND: 5 * 16,
        Category.FULL_HOUSE: 5 * 4 * 4 * 6,
        Category.STRAIGHT: 4**5 - 4,
        Category.THREE_OF_A_KIND: 5 * 4 * 6 * 16,
        Category.TWO_PAIR: 10 * 36 * 12,
        Category.ONE_PAIR: 5 * 6 * 4 * 64,
    }


def natural_key(five: Sequence[str]) -> tuple[int, list[int]]:
    """A second opinion, written another way: standard poker with every kicker."""
    order = "23456789TJQKA"
    letters = [name[:-1].replace("10", "T") for name in five]
    values = sorted((order.index(letter) for letter in letters), reverse=True)
    pairs = sorted(((letters.count(letter), order.index(letter)) for letter in letters), reverse=True)
    ranks = [value for _, value in pairs]
    alike = sum(letters.count(letter) for letter in letters)
    straight = values in [[top - step for step in range(5)] for top in range(4, 13)]
    if values == [12, 3, 2, 1, 0]:
        straight, ranks = True, [3, 2, 1, 0, -1]
    flush = all(name[-1] == five[0][-1] for name in five)
    if straight and flush:
        return 9, ranks
    if alike in {17, 13}:
        return (8 if alike == 17 else 7), ranks
    if flush or straight:
        return (6 if flush else 5), ranks
    return {11: 4, 9: 3, 7: 2, 5: 1}[alike], ranks


def with_house_ties(key: tuple[int, list[int]]) -> tuple[int, list[int]]:
    """RR-3.3: straights, flushes and full houses compare one value alone."""
    return (key[0], key[1][:1]) if key[0] in {5, 6, 7, 9} else key


def test_rr_3_3_a_second_opinion_on_random_hands() -> None:
    generator = random.Random(1)
    cards = list(CARDS)
    for _ in range(4_000):
        few = generator.random() < 0.5
        pool = [name for name in cards if name[:-1] in {"A", "2", "3", "4", "5"}] if few else cards
        drawn = generator.sample(pool, 14)
        mine, theirs = drawn[: generator.randint(5, 7)], drawn[7 : 7 + generator.randint(5, 7)]
        keys = [with_house_ties(max(map(natural_key, combinations(hand, 5)))) for hand in (mine, theirs)]
        worth = [best_hand(hand) for hand in (mine, theirs)]
        assert [strength.category for strength in worth] == [category for category, _ in keys]
        assert (worth[0] > worth[1]) == (keys[0] > keys[1])
        assert (worth[0] == worth[1]) == (keys[0] == keys[1])


# RR-3.1: predictions


def test_rr_3_1_what_each_rank_predicts() -> None:
    assert PREDICTIONS["A"] == Category.STRAIGHT_FLUSH
    assert PREDICTIONS["K"] == Category.FOUR_OF_A_KIND
    assert {PREDICTIONS[rank] for rank in ("Q", "J", "10")} == {Category.FULL_HOUSE}
    assert {PREDICTIONS[rank] for rank in ("9", "8", "7", "6")} == {Category.FLUSH}
    assert {PREDICTIONS[rank] for rank in ("5", "4", "3", "2")} == {Category.STRAIGHT}
    assert set(PREDICTIONS) == set(RANKS)


@pytest.mark.parametrize(
    ("hand", "category", "exactly", "at_least_form"),
    [
        (FLUSH, Category.FLUSH, True, True),
        (STRAIGHT, Category.STRAIGHT, True, True),
        (FULL_HOUSE, Category.FULL_HOUSE, True, True),
        ("5D 6D 7D 8D 9D", Category.STRAIGHT_FLUSH, True, True),
        ("5D 6D 7D 8D 9D", Category.FLUSH, False, True),
        ("5D 6D 7D 8D 9D", Category.STRAIGHT, False, True),
        ("5D 6D 7D 8D 9D", Category.FOUR_OF_A_KIND, False, False),
        ("9S 9D 9C 9H 2C", Category.FOUR_OF_A_KIND, True, True),
        ("9S 9D 9C 9H 2C", Category.FULL_HOUSE, False, False),
        ("9S 9D 9C 9H 2C 2D", Category.FULL_HOUSE, False, True),
        ("9S 9D 9C 2C JOKER", Category.FOUR_OF_A_KIND, True, True),
        ("9S 9D 9C 2C JOKER", Category.FULL_HOUSE, False, True),
        ("9S 9D 9C 9H JOKER", Category.FULL_HOUSE, False, False),
        ("9S 9D 9C 9H JOKER", Category.FOUR_OF_A_KIND, True, True),
        ("5D 6S 7D 8D 9D 2D", Category.FLUSH, True, True),
        ("5D 6S 7D 8D 9D 2D", Category.STRAIGHT, False, True),
        ("5D 6D 7D 8D JOKER", Category.STRAIGHT, False, True),
        (FLUSH, Category.STRAIGHT, False, False),
        (FULL_HOUSE, Category.STRAIGHT, False, False),
        ("9S 9D 9C 9H", Category.FOUR_OF_A_KIND, False, False),  # RR-3.7
    ],
)
def test_rr_3_1_matches(hand: str, category: Category, exactly: bool, at_least_form: bool) -> None:
    assert matches(words(hand), category, "exactly") == exactly
    assert matches(words(hand), category, "at_least_form") == at_least_form


def test_rr_3_1_whatever_matches_exactly_can_form_it() -> None:
    generator = random.Random(3)
    for _ in range(300):
        hand = generator.sample(CARDS, generator.randint(5, 6))
        if generator.random() < 0.3:
            hand[0] = JOKER
        category = best_hand(hand).category
        for predicted in set(PREDICTIONS.values()):
            if predicted == category:
                assert can_form(hand, predicted)
            if predicted > category:
                assert not can_form(hand, predicted)


def test_rr_3_1_no_first_debt_no_prediction() -> None:
    assert not matches(words(FLUSH), None, "exactly")
    assert not matches(words(FLUSH), None, "at_least_form")


# RR-1: setup


@pytest.mark.parametrize(("num_players", "deck"), [(1, 49), (2, 48), (3, 47), (4, 46)])
def test_rr_1_1_sizes(num_players: int, deck: int) -> None:
    referee = begin(num_players, mode="first_game")
    assert referee.characters == list(ACES[:num_players])
    assert (referee.active_rat, referee.waiting_rat, referee.defeated_rat) == ("KH", "KD", None)
    assert [len(hand) for hand in referee.hands] == [2] * num_players
    assert len(referee.market) == 3
    assert len(referee.deck) == deck - 2 * num_players - 3 - 5 - 2 - 1
    assert sorted(all_cards(referee)) == sorted(CARDS)
    assert referee.jokers == ["face-down", "face-down"]
    assert (referee.asked, referee.turn_of, referee.round, referee.turns) == (0, 0, 1, 1)


def test_rr_1_1_aces_are_chosen_in_seat_order_before_the_rats_are_seen() -> None:
    referee = Referee(Options(4), make_deal(4), Reversed())
    assert (referee.active_rat, referee.market, referee.hands) == (None, [], [[], [], [], []])
    for seat, ace in enumerate(["AC", "AS", "AD", "AH"]):
        assert (referee.asked, referee.question) == (seat, "ace")
        assert named(referee) == {"AC", "AS", "AD", "AH"} - set(referee.characters[:seat])
        play(referee, card(ace))
    assert referee.characters == ["AC", "AS", "AD", "AH"]
    assert not set(ACES) & {name for name in all_cards(referee) if name not in referee.characters}


def test_rr_1_1_left_over_aces_and_kings_are_in_the_deck() -> None:
    referee = begin(1, aces=["AD"])
    rest = {*all_cards(referee)} - {"AD", "KH", "KD"}
    assert {"AS", "AH", "AC", "KS", "KC"} <= rest


def test_rr_1_2_order_of_the_deal() -> None:
    order = [name for name in CARDS if name not in {"KD", "KS", "AS", "AH"}]
    deal = Deal(("KD", "KS"), tuple(reversed([order[0], "AS", *order[1:20], "AH", *order[20:]])))
    referee = Referee(Options(2), deal, Reversed())
    play(referee, card("AH"), card("AS"))
    assert referee.hands == [order[0:2], order[2:4]]
    assert referee.market == order[4:7]
    assert referee.rat_cards == [
        *(RatCard(name, True) for name in order[7:12]),
        *(RatCard(name, False) for name in order[12:14]),
    ]
    assert referee.debt == [order[14]]
    assert referee.prediction_card == order[14]
    assert referee.collective == [CollectiveCard(order[15], True, None)]  # the diamonds rat
    assert referee.deck == order[:15:-1]


def test_rr_1_1_a_deal_that_cannot_be_is_refused() -> None:
    good = make_deal(2)
    with pytest.raises(ValueError, match=r"RR-1\.1"):
        Referee(Options(2), Deal(("KH", "KH"), good.deck), Reversed())
    with pytest.raises(ValueError, match=r"RR-1\.1"):
        Referee(Options(2), Deal(("KH", "QD"), good.deck), Reversed())
    with pytest.raises(ValueError, match=r"RR-1\.1"):
        Referee(Options(2), Deal(good.kings, good.deck[1:]), Reversed())
    with pytest.raises(ValueError, match=r"RR-1\.1"):
        Referee(Options(2), Deal(good.kings, (*good.deck[1:], good.deck[1])), Reversed())


def test_rr_1_1_rr_5_1_rr_3_1_options_that_cannot_be_are_refused() -> None:
    with pytest.raises(ValueError, match=r"RR-1\.1"):
        Options(5)
    with pytest.raises(ValueError, match=r"RR-5\.1"):
        Options(2, "hard")
    with pytest.raises(ValueError, match=r"RR-3\.1"):
        Options(2, "standard", "roughly")


# RR-2: turns


def test_rr_2_1_draws_up_to_three_from_market_or_deck() -> None:
    referee = begin(2, hands=["2C 3C"], market="5D 6D 7D", then="8D 9D")
    assert (referee.question, referee.legal()) == ("draw", {card("5D"), card("6D"), card("7D"), DRAW})
    play(referee, card("6D"))
    assert referee.market == ["5D", "7D", "8D"]
    assert (referee.question, referee.legal()) == ("play", {card("2C"), card("3C"), card("6D")})
    play(referee, card("2C"), NO)
    assert referee.collective == [CollectiveCard("2C", True, 0)]
    assert (referee.asked, referee.turn_of, referee.turns) == (1, 1, 2)
    play(referee, DRAW)
    assert "9D" in referee.hands[1]
    assert referee.market == ["5D", "7D", "8D"]


def test_rr_2_1_more_than_one_card_is_drawn_one_at_a_time() -> None:
    referee = begin(1, hands=["2C 3S"], then="5C 8D 9D 10D", market="5D 6D 7D")
    play(referee, DRAW, card("3S"), ACT, card("2C"))  # discards one: one card left
    assert referee.hands[0] == ["5C"]
    play(referee, card("5D"))
    assert referee.market == ["6D", "7D", "8D"]
    assert referee.legal() == {card("6D"), card("7D"), card("8D"), DRAW}  # the refilled card too
    play(referee, card("8D"))
    assert referee.hands[0] == ["5C", "5D", "8D"]
    assert referee.question == "play"


def test_rr_2_1_joker_instead_of_drawing_and_playing() -> None:
    referee = begin(2, hands=["2C 3C", "5C 6C"])
    play_card(referee, "2C")
    referee.jokers = ["face-up", "face-up"]
    play(referee, DRAW)
    assert USE_JOKER not in referee.legal()  # asked before the test turned the jokers up, and drawn already
    play(referee, card("5C"), NO)
    assert USE_JOKER in referee.legal()
    play(referee, USE_JOKER)
    assert referee.hands[0][0] == "3C"
    assert len(referee.hands[0]) == 2
    assert referee.collective[-1] == CollectiveCard(JOKER, True, 0)
    assert referee.jokers == ["used", "face-up"]
    assert (referee.asked, referee.question) == (1, "draw")
    assert USE_JOKER not in referee.legal()  # one joker per collective hand


def test_rr_2_1_no_joker_once_a_card_is_drawn() -> None:
    referee = begin(2, hands=["2S 3S", "5C 6C"])
    referee.jokers = ["face-up", "face-down"]
    play_card(referee, "2S", ACT, card("3S"))
    play_card(referee, "5C")
    assert USE_JOKER in referee.legal()
    play(referee, DRAW)
    assert referee.question == "draw"
    assert USE_JOKER not in referee.legal()
    play(referee, DRAW)
    assert referee.question == "play"
    assert USE_JOKER not in referee.legal()


def test_rr_2_1_joker_where_nothing_can_be_drawn() -> None:
    referee = begin(2, hands=["2C 3C", "5C 6C"])
    referee.jokers = ["face-up", "face-down"]
    referee.market, referee.deck = [], ["9S"]
    play_card(referee, "2C")
    assert (referee.asked, referee.question) == (1, "play")
    assert referee.legal() == {card("5C"), card("6C"), USE_JOKER}


def test_rr_2_2_a_take_refills_only_below_three() -> None:
    referee = begin(2, aces=["AH", "AC"], hands=["2C 3C", "4C 6C"], market="5D 6D 7D", then="8D 9D 10D JD")
    play(referee, DRAW, card("2C"), ACT, card("3C"))
    assert sorted(referee.market) == ["3C", "5D", "6D", "7D"]
    play(referee, card("5D"))
    assert sorted(referee.market) == ["3C", "6D", "7D"]


def test_rr_2_2_a_market_left_short_stays_short_until_the_next_take() -> None:
    referee = begin(2, hands=["2C 3C", "4C 6C"], market="5D 6D 7D")
    stack(referee, "9D 10D")
    rest, referee.deck = referee.deck[:-1], []
    play(referee, card("5D"), card("2C"))
    assert referee.market == ["6D", "7D"]
    referee.deck = rest
    play(referee, NO, DRAW, card("4C"), NO)
    assert referee.market == ["6D", "7D"]
    play(referee, card("6D"))
    assert len(referee.market) == 3


def test_rr_2_2_to_four_with_the_spades_bonus() -> None:
    referee = begin(2, mode="first_game", hands=["2C 3C", "4C 6C"], market="5D 6D 7D", then="8D 9D 10D JD")
    referee.bonuses = {"S"}
    play(referee, card("5D"))
    assert referee.market == ["6D", "7D", "8D", "9D"]
    play(referee, card("2C"), ACT, card("3C"))
    assert len(referee.market) == 5
    play(referee, card("6D"))
    assert sorted(referee.market) == ["3C", "7D", "8D", "9D"]


def test_rr_2_3_hearts_adds_debt_face_down() -> None:
    referee = begin(2, aces=["AC", "AS"], hands=["2H 3C"], then="8D 9D")
    first = referee.debt[0]
    play(referee, DRAW, card("2H"))
    assert referee.legal() == {NO, ACT}
    play(referee, ACT)
    assert referee.debt == [first, "9D"]
    assert referee.prediction_card == first
    assert referee.known_to(0) == referee.known_to(1) == set()


def test_rr_2_3_spades_discards_from_hand_or_market() -> None:
    referee = begin(2, aces=["AC", "AD"], hands=["2S 3C", "4S 5C"], market="5D 6D 7D", then="8D 9D 10D")
    play(referee, DRAW, card("2S"), ACT)
    assert (referee.question, named(referee)) == ("discard", {"3C", "8D", "5D", "6D", "7D"})
    play(referee, card("3C"))
    assert referee.discard == ["3C"]
    assert referee.hands[0] == ["8D"]
    assert referee.market == ["5D", "6D", "7D"]
    play(referee, DRAW, card("4S"), ACT, card("6D"))
    assert referee.discard == ["3C", "6D"]
    assert referee.market == ["5D", "7D", "10D"]


def test_rr_2_2_a_discard_from_the_hand_refills_a_short_market_too() -> None:
    referee = begin(2, aces=["AC", "AD"], hands=["2S 3C", "4S 5C"], market="5D 6D 7D")
    referee.deck = ["8D"]
    play(referee, card("5D"))
    play(referee, card("2S"))
    referee.market.remove("8D")
    referee.discard = []
    play(referee, ACT)
    play(referee, card("3C"))
    assert referee.market == ["6D", "7D", "3C"]  # the only card that is left, just discarded
    assert referee.deck == referee.discard == []


def test_rr_2_3_clubs_adds_a_card_from_the_hand_to_the_market() -> None:
    referee = begin(2, aces=["AS", "AD"], hands=["2C 3C"], market="5D 6D 7D", then="8D 9D")
    play(referee, DRAW, card("2C"))
    assert referee.legal() == {NO, ACT}
    play(referee, ACT)
    assert (referee.question, referee.legal()) == ("to market", {card("3C"), card("8D")})
    play(referee, card("8D"))
    assert referee.market == ["5D", "6D", "7D", "8D"]
    assert referee.hands[0] == ["3C"]
    assert referee.asked == 1


def test_rr_2_2_the_market_holds_six_at_most() -> None:
    referee = begin(2, aces=["AC", "AD"], hands=["2C 3C"], market="5D 6D 7D")
    move_to(referee, referee.market, "9S 10S JS")
    play(referee, DRAW, card("2C"))
    assert referee.legal() == {NO}


def test_rr_2_3_solo_clubs_adds_from_the_deck() -> None:
    referee = begin(1, aces=["AS"], hands=["2C 3C"], market="5D 6D 7D", then="8D 9D 10D")
    play(referee, DRAW, card("2C"), ACT)
    assert referee.market == ["5D", "6D", "7D", "9D"]
    assert referee.hands[0] == ["3C", "8D"]
    assert referee.question == "draw"


def test_rr_2_6_solo_clubs_needs_a_card_in_the_deck_and_none_in_the_hand() -> None:
    referee = begin(1, aces=["AS"], hands=["2C 3C"])
    play(referee, DRAW)
    referee.deck, deck = [], referee.deck
    play(referee, card("2C"))
    assert referee.legal() == {NO}
    referee = begin(1, aces=["AS"], hands=["2C 3C"])
    play(referee, DRAW)
    referee.deck = [*deck, *(name for name in referee.hands[0] if name != "2C")]
    referee.hands[0][:] = ["2C"]
    play(referee, card("2C"))
    assert referee.legal() == {NO, ACT}


def test_rr_2_3_diamonds_swaps_another_collective_card_with_one_from_the_hand() -> None:
    referee = begin(2, aces=["AS", "AC"], hands=["2C 3C", "4D 5H"], then="8D 9D 10D")
    play(referee, DRAW, card("2C"), NO, DRAW, card("4D"), ACT)
    assert (referee.question, referee.legal()) == ("swap out", {card("2C")})  # not the one just played
    play(referee, card("2C"))
    assert (referee.question, referee.legal()) == ("swap in", {card("5H"), card("9D")})
    play(referee, card("5H"))
    assert referee.collective == [CollectiveCard("5H", True, 1), CollectiveCard("4D", True, 1)]
    assert referee.hands[1] == ["9D", "2C"]
    assert referee.seen_in_hand == [set(), {"2C"}]
    assert referee.question == "draw"  # the 5H triggered nothing
    assert referee.debt == [referee.prediction_card]
    assert referee.swappable() == ["5H", "4D"]


def test_rr_2_3_no_swap_of_a_lone_card_or_of_a_joker() -> None:
    referee = begin(2, hands=["4D 5H", "6D 7D"])
    play(referee, DRAW, card("4D"))
    assert referee.legal() == {NO}
    play(referee, NO)
    referee.collective = [CollectiveCard(JOKER, True, 0)]
    play(referee, DRAW, card("6D"))
    assert referee.legal() == {NO}


def test_rr_2_4_hearts_power_turns_a_card_up_then_debt_or_not() -> None:
    referee = begin(2, aces=["AH", "AS"], hands=["2H 3H"], rat="2C 4C 6C 8C 10C", hidden="5S 6S", then="8D 9D")
    play(referee, DRAW, card("2H"))
    assert referee.legal() == {NO, ACT, POWER}
    play(referee, POWER)
    assert [held.card for held in referee.rat_cards if not held.face_up] == ["6S"]
    assert (referee.question, referee.legal()) == ("add debt", {NO, ADD_DEBT})
    play(referee, ADD_DEBT)
    assert referee.debt[1:] == ["9D"]
    play_card(referee, "7D")
    play(referee, DRAW, card("3H"), POWER, NO)
    assert not [held for held in referee.rat_cards if not held.face_up]
    assert len(referee.debt) == 2
    play_card(referee, "7S")
    play_card_and_stop(referee, "JH")
    assert referee.legal() == {NO, ACT}  # no face-down card is left


def test_rr_2_4_hearts_power_without_a_deck_adds_no_debt() -> None:
    referee = begin(2, aces=["AH", "AS"], hands=["2H 3H"])
    play(referee, DRAW)
    referee.deck = []
    play(referee, card("2H"))
    assert referee.legal() == {NO, POWER}  # RR-2.6: nothing to add to the debt
    play(referee, POWER)
    assert (referee.question, referee.legal()) == ("add debt", {NO})


def test_rr_2_4_spades_power_discards_any_number_from_one_zone() -> None:
    referee = begin(2, aces=["AS", "AC"], hands=["2S 3C"], market="5D 6D 7D", then="8D 9D 10D JD")
    play(referee, DRAW, card("2S"))
    assert referee.legal() == {NO, ACT, POWER}
    play(referee, POWER)
    assert named(referee) == {"3C", "8D", "5D", "6D", "7D"}
    assert NO not in referee.legal()  # at least one
    play(referee, card("5D"))
    assert (referee.question, referee.legal()) == ("discard more", {card("6D"), card("7D"), NO})  # not yet refilled
    assert referee.market == ["6D", "7D"]
    play(referee, card("7D"), NO)
    assert referee.market == ["6D", "9D", "10D"]
    assert referee.discard == ["5D", "7D"]


def test_rr_2_4_spades_power_on_a_whole_zone_stops_by_itself() -> None:
    referee = begin(2, aces=["AS", "AC"], hands=["2S 3C", "4C 5C"], market="5D 6D 7D", then="8D 9D 10D JD")
    play(referee, DRAW, card("2S"), POWER, card("3C"), card("8D"))
    assert referee.hands[0] == []
    assert (referee.asked, referee.question) == (1, "draw")
    assert referee.market == ["5D", "6D", "7D"]
    referee = begin(2, aces=["AS", "AC"], hands=["2S 3C", "4C 5C"], market="5D 6D 7D", then="8D 9D 10D JD")
    play(referee, DRAW, card("2S"), POWER, card("5D"), card("6D"), card("7D"))
    assert referee.market == ["9D", "10D", "JD"]
    assert referee.asked == 1


def test_rr_2_4_clubs_power_adds_up_to_two_one_at_a_time() -> None:
    referee = begin(2, aces=["AC", "AS"], hands=["2C 3C", "4H 5H"], market="5D 6D 7D", then="8D")
    play(referee, DRAW, card("2C"), POWER)
    assert referee.legal() == {card("3C"), card("8D")}
    play(referee, card("8D"))
    assert (referee.question, referee.legal()) == ("more to market", {card("3C"), NO})
    play(referee, card("3C"))
    assert referee.market == ["5D", "6D", "7D", "8D", "3C"]
    assert referee.hands[0] == []
    assert referee.asked == 1


def test_rr_2_4_clubs_power_stops_at_six() -> None:
    referee = begin(2, aces=["AC", "AS"], hands=["2C 3C", "4H 5H"], market="5D 6D 7D", then="8D")
    move_to(referee, referee.market, "9S 10S")
    play(referee, DRAW, card("2C"), POWER, card("3C"))
    assert len(referee.market) == 6
    assert referee.asked == 1


def test_rr_2_4_clubs_power_solo() -> None:
    for answer, market in ((NO, ["5D", "6D", "7D", "9D"]), (DRAW, ["5D", "6D", "7D", "9D", "10D"])):
        referee = begin(1, aces=["AC"], hands=["2C 3C"], market="5D 6D 7D", then="8D 9D 10D")
        play(referee, DRAW, card("2C"), POWER)
        assert (referee.question, referee.legal()) == ("more to market", {DRAW, NO})
        play(referee, answer)
        assert referee.market == market
        assert referee.hands[0] == ["3C", "8D"]


def test_rr_2_4_diamonds_power_swaps_with_the_market() -> None:
    referee = begin(2, aces=["AS", "AD"], hands=["2C 3C", "4D 5H"], market="5D 6H 7D", then="8D 9D 10D")
    play(referee, DRAW, card("2C"), NO, DRAW, card("4D"))
    assert referee.legal() == {NO, ACT, POWER}
    play(referee, POWER, card("2C"))
    assert named(referee) == {"5D", "6H", "7D"}
    play(referee, card("6H"))
    assert referee.collective[0] == CollectiveCard("6H", True, 1)
    assert referee.market == ["5D", "2C", "7D"]
    assert referee.hands[1] == ["5H", "9D"]
    assert referee.asked == 0
    assert referee.question == "draw"


def test_rr_2_6_diamonds_power_without_a_hand_diamonds_action_without_a_market() -> None:
    referee = begin(2, aces=["AS", "AD"], hands=["2C 3C", "4D 5H"])
    play(referee, DRAW, card("2C"), NO, DRAW)
    hand = referee.hands[1]
    kept = [name for name in hand if name != "4D"]
    for name in kept:
        hand.remove(name)
    referee.deck += kept
    play(referee, card("4D"))
    assert referee.legal() == {NO, POWER}
    referee = begin(2, aces=["AS", "AD"], hands=["2C 3C", "4D 5H"])
    play(referee, DRAW, card("2C"), NO, DRAW)
    referee.deck = [*referee.market, *referee.deck]
    referee.market = []
    play(referee, card("4D"))
    assert referee.legal() == {NO, ACT}


def test_rr_2_6_hearts_needs_a_card_to_add() -> None:
    referee = begin(2, aces=["AS", "AC"], hands=["2H 3H"])
    play(referee, DRAW)
    referee.deck = []
    play(referee, card("2H"))
    assert referee.legal() == {NO}


def test_rr_2_4_powers_only_of_the_own_suit() -> None:
    referee = begin(2, aces=["AS", "AC"], hands=["2C 3C", "4C 5H"])
    play(referee, DRAW, card("2C"))
    assert POWER not in referee.legal()
    play(referee, NO, DRAW, card("4C"))
    assert POWER in referee.legal()


def test_rr_2_5_the_last_cards_action_comes_before_the_resolution() -> None:
    referee = begin(2, aces=["AC", "AS"], **WEAK_RAT)
    play_hand(referee, "2C 3C 5C JC")
    play_card(referee, "6H", ACT)
    assert len(referee.players_debt) == 2 + 1  # the hearts rat won with a king high: one more


def test_rr_2_5_turn_order_goes_on_across_rounds() -> None:
    referee = begin(3, debt="9D")
    play_hand(referee, NOTHING)
    assert referee.round == 2
    assert (referee.turns, referee.asked, referee.turn_of) == (6, 2, 2)


# RR-3: resolution


def test_rr_3_4_players_win_and_the_debt_goes_to_the_rat() -> None:
    referee = begin(2, debt="9S", **WEAK_RAT)
    play_hand(referee, STRAIGHT)
    assert referee.rat_debt == ["9S"]
    assert referee.players_debt == []
    [resolution] = referee.resolutions
    assert resolution.collective == Strength(Category.STRAIGHT, (9,))
    assert resolution.rat == Strength(Category.HIGHEST_CARD, (13, 11, 9, 8, 7))
    assert resolution.players_win
    assert not resolution.prediction_met


def test_rr_3_4_the_rat_wins_and_the_players_take_the_debt() -> None:
    referee = begin(2, kings=("KS", "KD"), mode="first_game", debt="9S", rat="10H JH QH KH 9H", hidden="3D 8C")
    play_hand(referee, STRAIGHT)
    assert referee.players_debt == ["9S"]
    assert referee.rat_debt == []


def test_rr_3_3_a_tie_goes_to_the_rat() -> None:
    referee = begin(2, mode="first_game", kings=("KS", "KD"), debt="9S", rat="9D 6S 7C 8S 5H", hidden="3D 2H")
    play_hand(referee, "5S 6H 7D 8H 9C")
    [resolution] = referee.resolutions
    assert resolution.collective == resolution.rat == Strength(Category.STRAIGHT, (9,))
    assert not resolution.players_win
    assert referee.players_debt == ["9S"]


def test_rr_3_2_the_rivers_rat_belongs_to_its_hand() -> None:
    referee = begin(2, mode="first_game", kings=("KS", "KD"), rat="KH KC 7C 8S 5H", hidden="3D 2H")
    play_hand(referee, NOTHING)
    assert referee.resolutions[0].rat == Strength(Category.THREE_OF_A_KIND, (13, 8, 7))


def test_rr_3_1_prediction_met_win_or_lose_turns_a_joker_up() -> None:
    referee = begin(2, debt="7S", **WEAK_RAT)
    play_hand(referee, FLUSH)
    assert referee.jokers == ["face-up", "face-down"]
    assert referee.resolutions[0].prediction_met
    referee = begin(2, debt="7S", kings=("KH", "KD"), **STRONG_RAT)
    play_hand(referee, FLUSH)
    assert referee.jokers == ["face-up", "face-down"]
    assert not referee.resolutions[0].players_win


def test_rr_3_1_no_joker_left_nothing_happens() -> None:
    referee = begin(2, debt="7S", **WEAK_RAT)
    referee.jokers = ["face-up", "gone"]
    play_hand(referee, FLUSH)
    assert referee.resolutions[0].prediction_met
    assert referee.jokers == ["face-up", "gone"]


def test_rr_3_1_more_than_predicted_counts_only_by_option() -> None:
    for prediction, jokers in (("exactly", "face-down"), ("at_least_form", "face-up")):
        referee = begin(2, debt="7S", prediction=prediction, **WEAK_RAT)
        play_hand(referee, "5D 6D 7D 8D 9D")
        assert referee.jokers[0] == jokers


def test_rr_3_5_clean_up() -> None:
    referee = begin(2, aces=["AC", "AS"], market="7D 8D 9D", debt="9S", **WEAK_RAT)
    referee.jokers = ["face-up", "face-up"]
    play_card(referee, "6C")
    play(referee, USE_JOKER)
    play_hand(referee, "10C QC")
    draw_all(referee)
    hands = [list(hand) for hand in referee.hands]
    last = hands[0][1]
    play_card(referee, last)
    assert referee.round == 2
    assert referee.jokers == ["gone", "face-up"]
    assert referee.hands == [[name for name in hands[0] if name != last], hands[1]]
    assert referee.market == ["7D", "8D", "9D"]
    assert referee.discard == ["6C", "10C", "QC", last, *words("2S 4D 7C 9H JS 3D 8C")]
    assert "KH" not in referee.discard
    assert referee.collective == []
    assert len(referee.rat_cards) == 7
    assert len(referee.debt) == 1


def test_rr_3_5_ordinary_kings_go() -> None:
    referee = begin(2, rat="KS KC 7C 9H JS")
    play_hand(referee, NOTHING)
    assert {"KS", "KC"} <= set(referee.discard)


def test_rr_3_5_an_empty_deck_is_refilled_when_a_card_is_needed() -> None:
    chance = Reversed()
    referee = begin(2, hands=["2C 3C"])
    referee._chance = chance
    referee.discard = referee.deck[1:]
    referee.deck = referee.deck[:1]
    before = list(referee.discard)
    play(referee, DRAW)
    assert referee.deck == []  # not yet
    assert chance.shuffled == []
    play(referee, card("2C"), NO, DRAW)
    assert chance.shuffled == [before]
    assert referee.hands[1][-1] == before[0]
    assert referee.deck == before[:0:-1]
    assert referee.discard == []


def test_rr_3_5_a_shuffle_of_other_cards_is_refused() -> None:
    class Cheat:
        def shuffle_cards(self, cards: list[str]) -> list[str]:
            return cards[1:]

    referee = begin(2, hands=["2C 3C"])
    referee._chance = Cheat()
    referee.deck, referee.discard = [], referee.deck
    with pytest.raises(ValueError, match=r"RR-3\.5"):
        play(referee, DRAW)


def test_rr_3_4_five_debts_lose_at_once() -> None:
    referee = begin(2, kings=("KS", "KD"), mode="first_game", rat="10H JH QH KH 9H", hidden="3D 8C", debt="9S")
    move_to(referee, referee.players_debt, "4S 4H 4C 4D")
    play_hand(referee, NOTHING)
    assert referee.ended
    assert not referee.truncated
    assert referee.players_won is False
    assert referee.winners == set()
    assert (referee.asked, referee.question, referee.legal()) == (None, "over", set())
    assert len(referee.players_debt) == 5
    assert referee.round == 1
    with pytest.raises(ValueError, match="not legal"):
        referee.play(DRAW)


def test_rr_3_4_four_debts_do_not_lose() -> None:
    referee = begin(2, kings=("KS", "KD"), mode="first_game", rat="10H JH QH KH 9H", hidden="3D 8C", debt="9S")
    move_to(referee, referee.players_debt, "4S 4H 4C")
    play_hand(referee, NOTHING)
    assert not referee.ended
    assert len(referee.players_debt) == 4


# RR-3.6, RR-4.1: defeat and bonuses


def defeat(kings: Sequence[str], *, mode: str = "standard", players_debt: str = "", num_players: int = 2) -> Referee:
    """A game in which the first rat is defeated in the first round."""
    extra = {"advanced": " 10H", "expert": " 10H 6C"}.get(mode, "")
    hidden = "3D 8C" + extra + (" 2H QD" if kings[0] == "KC" else "")
    referee = begin(num_players, mode=mode, kings=kings, rat="2S 4D 7C 9H JS", hidden=hidden, debt="QC")
    move_to(referee, referee.rat_debt, "4S 4H 6S 7S")
    move_to(referee, referee.players_debt, players_debt)
    winning = "5C 5H 5S 5D 3C" if num_players == 4 else "AD 2D 5D 6D 7D"
    play_hand(referee, winning)
    assert referee.round == 2
    return referee


def test_rr_3_6_a_defeated_rat_stays_in_the_second_rats_hand() -> None:
    referee = defeat(("KH", "KD"), mode="first_game")
    assert (referee.defeated_rat, referee.active_rat, referee.waiting_rat) == ("KH", "KD", None)
    assert referee.bonuses == {"H"}
    assert referee.rat_debt == []
    assert {"4S", "4H", "6S", "7S", "QC"} <= set(referee.discard)
    assert referee.rat_hand()[:2] == ["KD", "KH"]
    play_hand(referee, "JH QS 10C 3H 9C")
    assert referee.resolutions[1].rat >= Strength(Category.ONE_PAIR, (13,))


def test_rr_3_6_both_defeated_the_players_win_at_once() -> None:
    referee = defeat(("KC", "KH"), mode="first_game")
    referee.debt += [referee.deck.pop() for _ in range(4)]
    for held in referee.rat_cards:
        referee.discard.append(held.card)
    referee.rat_cards = [RatCard("2S", True)]
    play_hand(referee, "5C 5D 8S 8H 8D")
    assert referee.ended
    assert referee.players_won is True
    assert referee.winners == {0, 1}
    assert len(referee.rat_debt) == 5
    assert referee.round == 2


def test_rr_3_4_five_or_more_in_one_pile_defeat() -> None:
    referee = begin(2, aces=["AC", "AS"], mode="first_game", **WEAK_RAT)
    referee.debt += [referee.deck.pop() for _ in range(6)]
    play_hand(referee, STRAIGHT)
    assert referee.defeated_rat == "KH"
    assert referee.rat_debt == []
    assert referee.round == 2


def test_rr_4_1_hearts_ability_one_more_debt_when_the_rat_wins() -> None:
    referee = begin(2, debt="6S", **STRONG_RAT)
    play_hand(referee, "2C 3C 5D 6D")
    draw_all(referee)
    top = referee.deck[-1]
    play_card(referee, referee.hands[0][0])
    assert referee.players_debt == ["6S", top]  # the extra card laid last
    referee = begin(2, debt="6S", mode="first_game", **STRONG_RAT)
    play_hand(referee, NOTHING)
    assert referee.players_debt == ["6S"]  # no abilities in first_game


def test_rr_4_1_hearts_ability_only_of_the_active_rat() -> None:
    referee = defeat(("KH", "KS"), players_debt="JH")
    referee.rat_cards = [RatCard(name, True) for name in ("KD", "KC")]
    play_hand(referee, NOTHING)
    assert len(referee.players_debt) == 1


def test_rr_4_1_hearts_bonus_removes_the_top_of_the_players_debt() -> None:
    referee = defeat(("KH", "KD"), mode="first_game", players_debt="JH QH")
    assert referee.players_debt == ["JH"]
    assert referee.discard[-1] == "QH"
    referee = defeat(("KH", "KD"), mode="first_game")
    assert referee.players_debt == []


def test_rr_4_1_spades_ability_the_first_card_lies_face_down() -> None:
    referee = begin(3, kings=("KS", "KD"), aces=["AH", "AD", "AC"], hands=["2H 3C", "4D 5H", "6D 7D"], then="8D 9D 10D")
    referee.jokers = ["face-up", "face-down"]
    assert USE_JOKER not in referee.legal()
    play(referee, DRAW, card("2H"))
    assert referee.asked == 1  # nothing was offered
    assert referee.collective == [CollectiveCard("2H", False, 0)]
    assert [referee.known_to(seat) for seat in range(3)] == [{"2H"}, set(), set()]
    assert USE_JOKER in referee.legal()
    play(referee, DRAW, card("4D"))
    assert referee.legal() == {NO}  # the face-down card can't be swapped
    play(referee, NO, DRAW, card("6D"))
    assert referee.legal() == {NO, ACT}
    play(referee, ACT)
    assert named(referee) == {"4D"}


def test_rr_4_1_the_question_asked_before_the_joker_was_earned() -> None:
    referee = begin(2, kings=("KS", "KD"))
    referee.jokers = ["face-up", "face-down"]
    play_hand(referee, NOTHING)
    assert USE_JOKER not in referee.legal()  # the first card of the second round
    play_card(referee, "9C")
    assert USE_JOKER in referee.legal()


def test_rr_4_1_spades_no_ability_in_first_game() -> None:
    referee = begin(2, mode="first_game", kings=("KS", "KD"), hands=["2H 3C"])
    referee.jokers = ["face-up", "face-down"]
    play(referee, DRAW, card("2H"))
    assert referee.legal() == {NO, ACT}
    assert referee.collective[0].face_up


def test_rr_3_1_the_face_down_card_counts_for_the_prediction() -> None:
    referee = begin(2, kings=("KS", "KD"), debt="7S", **WEAK_RAT)
    play_hand(referee, FLUSH)
    assert referee.resolutions[0].prediction_met


def test_rr_4_1_spades_bonus_a_market_of_four_at_once() -> None:
    referee = defeat(("KS", "KC"), mode="first_game")
    assert len(referee.market) == 4


def test_rr_4_1_clubs_ability_two_more_face_down() -> None:
    for mode, number in (("first_game", 2), ("standard", 4), ("advanced", 5), ("expert", 6)):
        referee = begin(2, mode=mode, kings=("KC", "KD"))
        assert [held.face_up for held in referee.rat_cards] == [True] * 5 + [False] * number


def test_rr_4_1_clubs_bonus_one_fewer_face_down_in_every_later_hand() -> None:
    for mode, number in (("first_game", 1), ("standard", 1), ("advanced", 2), ("expert", 3)):
        referee = defeat(("KC", "KS"), mode=mode)
        assert [held.face_up for held in referee.rat_cards] == [True] * 5 + [False] * number
        play_hand(referee, NOTHING)
        if not referee.ended:
            assert referee.round == 3
            assert len(referee.rat_cards) == 5 + number


def test_rr_4_1_clubs_as_the_second_rat() -> None:
    referee = defeat(("KS", "KC"))
    assert len(referee.rat_cards) == 9


def test_rr_4_1_diamonds_ability_the_deck_deals_the_first_card() -> None:
    referee = begin(2, kings=("KD", "KS"), aces=["AC", "AS"], hands=["4D 3C"], then="9H 8S")
    assert referee.collective == [CollectiveCard("9H", True, None)]
    assert len(referee.debt) == 1  # it triggered nothing
    play(referee, DRAW, card("4D"))
    assert referee.legal() == {NO, ACT}
    play(referee, ACT, card("9H"), card("3C"))
    assert referee.collective[0] == CollectiveCard("3C", True, 0)
    assert referee.hands[0] == ["8S", "9H"]
    assert begin(2, mode="first_game", kings=("KD", "KS")).collective == []


def test_rr_4_1_diamonds_bonus_six_cards() -> None:
    referee = defeat(("KD", "KS"), mode="first_game")
    assert referee.collective_size() == 6
    play_hand(referee, "QS QH JC JH 10C")
    assert referee.round == 2
    play_card(referee, "10H")
    assert referee.round == 3
    assert referee.resolutions[1].collective == Strength(Category.TWO_PAIR, (12, 11, 10))


def test_rr_4_1_a_joker_among_six() -> None:
    referee = defeat(("KD", "KS"), mode="first_game")
    referee.jokers = ["face-up", "face-down"]
    play_hand(referee, "QS")
    play(referee, USE_JOKER)
    play_hand(referee, "QH JC JH 10C")
    assert referee.resolutions[1].collective == Strength(Category.FULL_HOUSE, (12,))
    assert referee.jokers == ["gone", "face-down"]


# RR-5.1: advanced


def test_rr_5_1_first_game_has_no_powers() -> None:
    referee = begin(1, mode="first_game", aces=["AC"], hands=["2C 3C"])
    play(referee, DRAW, card("2C"))
    assert referee.legal() == {NO, ACT}


@pytest.mark.parametrize(("mode", "number"), [("first_game", 2), ("standard", 2), ("advanced", 3), ("expert", 4)])
def test_rr_5_1_face_down_cards_of_the_modes(mode: str, number: int) -> None:
    assert len(begin(2, mode=mode).rat_cards) == 5 + number


def test_rr_5_1_an_advanced_joker_replaces_a_rat_card() -> None:
    referee = begin(
        3,
        mode="advanced",
        aces=["AH", "AC", "AS"],
        rat="2S 4D 7C 9H JS",
        hidden="3D 8C 10D",
        hands=["2C 3C"],
        then="5H 6H 6S",
    )
    referee.jokers = ["face-up", "face-up"]
    play(referee, DRAW, card("2C"), NO)
    before = [list(hand) for hand in referee.hands]
    play(referee, USE_JOKER)
    assert (referee.asked, referee.turn_of, referee.question) == (2, 1, "remove")  # RR-7.1: the next player
    assert referee.legal() == {card(name) for name in words("2S 4D 7C 9H JS")} | {HIDDEN}
    play(referee, card("7C"))
    assert referee.discard == ["7C"]
    assert [held.card for held in referee.rat_cards] == words("2S 4D 9H JS 3D 8C 10D 6H 6S")
    assert [held.face_up for held in referee.rat_cards] == [True] * 4 + [False] * 5
    assert referee.jokers == ["used", "face-up"]
    assert len(referee.collective) == 1
    assert referee.hands == before
    assert (referee.asked, referee.turn_of, referee.question) == (2, 2, "draw")
    assert USE_JOKER not in referee.legal()
    play_hand(referee, "3C 5C JC QC")
    assert referee.round == 2
    assert referee.jokers == ["gone", "face-up"]
    assert USE_JOKER in referee.legal()


def test_rr_5_1_an_advanced_joker_removes_a_face_down_card() -> None:
    referee = begin(1, mode="advanced", rat="2S 4D 7C 9H JS", hidden="3D 8C 10D", then="6H 6S")
    referee.jokers = ["face-up", "face-down"]
    play_card(referee, "2C")
    play(referee, USE_JOKER)
    assert referee.asked == 0
    play(referee, HIDDEN)
    assert referee.discard == ["3D"]  # the lowest slot
    assert [held.card for held in referee.rat_cards if not held.face_up][:2] == ["8C", "10D"]
    assert len(referee.rat_cards) == 9


def test_rr_5_1_no_advanced_joker_before_the_spades_rats_first_card() -> None:
    referee = begin(2, mode="advanced", kings=("KS", "KD"))
    referee.jokers = ["face-up", "face-down"]
    play_hand(referee, NOTHING)
    assert USE_JOKER not in referee.legal()
    play_card(referee, "9C")
    assert USE_JOKER in referee.legal()


def test_rr_5_1_no_hidden_answer_without_a_face_down_card() -> None:
    referee = begin(2, mode="advanced")
    referee.jokers = ["face-up", "face-down"]
    play_card(referee, "2C")
    for held in referee.rat_cards:
        held.face_up = True
    play(referee, USE_JOKER)
    assert HIDDEN not in referee.legal()
    assert len(referee.legal()) == 8


# RR-5.2: expert


def expert_resolution(kings: Sequence[str] = ("KH", "KD"), *, debt: str = "7S", cards: str = NOTHING) -> Referee:
    """An expert game at the question whether to use a joker."""
    referee = begin(3, mode="expert", kings=kings, rat="2S 4D 7C 9H JS", hidden="3D 8C 10D JD", debt=debt)
    referee.jokers = ["face-up", "face-down"]
    assert USE_JOKER not in referee.legal()  # not in a turn
    play_hand(referee, cards)
    assert (referee.asked, referee.question, referee.legal()) == (2, "use joker", {NO, USE_JOKER})
    return referee


def test_rr_5_2_an_expert_joker_may_be_kept() -> None:
    referee = expert_resolution()
    play(referee, NO)
    assert referee.round == 2
    assert referee.jokers == ["face-up", "face-down"]


def test_rr_5_2_revealed_cards_join_the_collective_hand() -> None:
    referee = expert_resolution(cards="2C 3C 5C 6D 10H")
    stack(referee, "JC QC QS")
    play(referee, USE_JOKER)
    assert referee.collective[-1] == CollectiveCard("JC", True, None)
    assert (referee.asked, referee.question, referee.legal()) == (2, "reveal more", {NO, DRAW})
    play(referee, DRAW)
    assert referee.revealed == ["JC", "QC"]
    assert len(referee.collective) == 7
    play(referee, NO)
    [resolution] = referee.resolutions
    assert resolution.collective == Strength(Category.FLUSH, (12,))
    assert resolution.prediction_met  # the added cards count
    assert resolution.players_win
    assert referee.jokers == ["gone", "face-up"]  # the one earned now serves from the next hand
    assert referee.revealed == []
    assert {"JC", "QC"} <= set(referee.discard)
    assert (referee.asked, referee.question, referee.round) == (2, "draw", 2)


def test_rr_5_2_a_bust_discards_all_revealed_and_costs_a_debt() -> None:
    referee = expert_resolution()
    stack(referee, "JC QH QS")
    play(referee, USE_JOKER, DRAW)
    assert referee.players_debt[0] == "QS"
    assert referee.discard[:2] == ["JC", "QH"]
    [resolution] = referee.resolutions
    assert resolution.collective == best_hand(words(NOTHING))
    assert referee.jokers == ["gone", "face-down"]
    assert referee.known_to(0) == {"7S"}


def test_rr_5_2_a_bust_with_the_first_card() -> None:
    referee = expert_resolution()
    stack(referee, "QH QS")
    play(referee, USE_JOKER)
    assert referee.players_debt[0] == "QS"
    assert referee.round == 2


def test_rr_5_2_only_the_active_rats_suit_busts() -> None:
    referee = defeat(("KH", "KS"), mode="expert")
    referee.jokers = ["face-up", "face-down"]
    play_hand(referee, NOTHING)
    stack(referee, "QH QS 9D")
    play(referee, USE_JOKER)
    assert referee.revealed == ["QH"]
    play(referee, DRAW)
    assert "9D" in referee.players_debt


def test_rr_5_2_a_fifth_debt_by_bust_loses_before_the_comparison() -> None:
    referee = expert_resolution()
    move_to(referee, referee.players_debt, "4S 4H 4C 9D")
    stack(referee, "QH QS")
    play(referee, USE_JOKER)
    assert referee.ended
    assert referee.players_won is False
    assert referee.resolutions == []
    assert referee.players_debt[-1] == "QS"
    assert referee.debt == ["7S"]


def test_rr_5_2_a_bust_may_shuffle_what_it_discarded() -> None:
    referee = expert_resolution()
    referee.deck = ["QH", "JC"]
    referee.discard = []
    play(referee, USE_JOKER, DRAW)
    assert referee.players_debt[0] == "JC"  # the discard pile turned over


def test_rr_5_2_revealing_ends_when_no_card_is_left() -> None:
    referee = expert_resolution()
    referee.deck, referee.discard = ["JC"], []
    play(referee, USE_JOKER)
    assert len(referee.resolutions) == 1


def test_rr_5_2_no_joker_without_a_card_to_reveal() -> None:
    referee = begin(2, mode="expert", hands=["2C 3C", "5D 6D"])
    referee.jokers = ["face-up", "face-down"]
    play_hand(referee, "2C 3C 5D 6D")
    draw_all(referee)
    referee.deck, referee.discard = [], []
    play_card(referee, referee.hands[0][0])
    assert len(referee.resolutions) == 1
    assert referee.jokers[0] == "face-up"


# RR-3.7: starvation


def starve(referee: Referee, *, hands: Sequence[str]) -> None:
    """Nothing to draw, and these hands; the question asked stays. Four cards more to the rat, for a next round."""
    referee.rat_cards += [RatCard(name, True) for name in referee.deck[:4]]
    referee.deck, referee.discard, referee.market = [], [], []
    for seat, hand in enumerate(hands):
        referee.hands[seat][:] = words(hand)


def test_rr_3_7_a_seat_with_nothing_is_skipped() -> None:
    referee = begin(3, aces=["AC", "AH", "AS"], hands=["2D 3D"])
    play(referee, DRAW)
    starve(referee, hands=["2D 3D", "", "5S"])
    play(referee, card("2D"), NO)
    assert (referee.asked, referee.question, referee.turns) == (2, "play", 3)  # a skipped turn counts as taken
    assert referee.legal() == {card("5S")}


def test_rr_3_7_all_skipped_the_hands_resolve_as_they_lie() -> None:
    referee = begin(3, mode="first_game", kings=("KS", "KD"), hands=["2D 3H"], debt="5S", **WEAK_RAT)
    play(referee, DRAW)
    starve(referee, hands=["2D 3H", "", ""])
    play(referee, card("2D"), NO)
    assert (referee.asked, referee.question) == (0, "play")
    play(referee, card("3H"), NO)  # then 1, 2, 0 are skipped
    [resolution] = referee.resolutions
    assert resolution.collective == Strength(Category.HIGHEST_CARD, (3, 2))
    assert not resolution.prediction_met
    assert referee.players_debt == ["5S"]
    assert (referee.round, referee.turns, referee.turn_of) == (2, 8, 1)


def test_rr_3_7_solo_a_skip_resolves() -> None:
    referee = begin(1, mode="first_game", hands=["2D 3D"])
    play(referee, DRAW)
    starve(referee, hands=["2D"])
    play(referee, card("2D"), NO)
    assert len(referee.resolutions) == 1


def test_rr_3_7_a_usable_joker_is_compulsory_as_the_only_choice() -> None:
    for mode in ("standard", "advanced"):
        referee = begin(2, mode=mode, hands=["2D 3D"])
        play(referee, DRAW)
        starve(referee, hands=["2D", ""])
        referee.jokers = ["face-up", "face-down"]
        play(referee, card("2D"), NO)
        assert (referee.asked, referee.question, referee.legal()) == (1, "play", {USE_JOKER})
        play(referee, USE_JOKER)
        assert referee.question == ("remove" if mode == "advanced" else "draw")
        if mode == "standard":
            # Both were skipped then; hands resolved; the cards discarded serve the next round.
            assert referee.resolutions[0].collective == Strength(Category.ONE_PAIR, (2,))
        else:
            assert referee.asked == 0
            removed = referee.rat_cards[0].card
            play(referee, card(removed))
            assert isinstance(referee._chance, Reversed)
            assert referee._chance.shuffled[0] == [removed]  # the only card to draw
            assert referee.resolutions[0].collective == Strength(Category.HIGHEST_CARD, (2,))


def test_rr_3_7_an_expert_joker_does_not_feed_a_turn() -> None:
    referee = begin(2, mode="expert", hands=["2D 3D"])
    play(referee, DRAW)
    starve(referee, hands=["2D", ""])
    referee.jokers = ["face-up", "face-down"]
    play(referee, card("2D"), NO)
    assert len(referee.resolutions) == 1


def test_rr_3_7_a_hand_short_of_three_plays_what_it_has() -> None:
    referee = begin(2, mode="first_game", hands=["2D 3D", "5S 6S"])
    play(referee, DRAW)
    starve(referee, hands=["2D 3D 4D", "5S 6S"])
    referee.deck = ["9S"]
    play(referee, card("2D"), NO, DRAW)
    assert referee.legal() == {card("5S"), card("6S"), card("9S")}
    play(referee, card("5S"), NO)
    assert (referee.asked, referee.legal()) == (0, {card("3D"), card("4D")})


def test_rr_3_5_a_round_short_of_cards_has_no_debt_and_no_prediction() -> None:
    referee = begin(1, mode="first_game", aces=["AS"], debt="5C", **WEAK_RAT)
    play_hand(referee, "2C 3C 5D 6D")
    draw_all(referee)
    hold(referee, 0, "9D 10H JC")
    starve(referee, hands=["9D 10H JC"])
    referee.rat_cards = referee.rat_cards[:2]
    play_card(referee, "JC")
    # Seven cards were discarded, and all went to the rat's hand.
    assert len(referee.rat_cards) == 7
    assert (referee.round, referee.debt, referee.predicted) == (2, [], None)
    play(referee, card("10H"))
    assert referee.legal() == {NO}
    play(referee, NO, card("9D"))
    assert referee.legal() == {NO}
    assert referee.players_debt == ["5C"]
    play(referee, NO)  # starved: a round without debt
    assert referee.resolutions[1].collective == Strength(Category.HIGHEST_CARD, (10, 9))
    assert referee.resolutions[1].predicted is None
    assert (referee.round, referee.players_debt, len(referee.debt)) == (3, ["5C"], 1)


# RR-6.1: knowledge


def test_rr_6_1_assigned_debt_is_face_down_and_the_first_was_seen() -> None:
    referee = begin(2, aces=["AC", "AS"], hands=["2H 3C"], then="8D 9S", debt="6S", **WEAK_RAT)
    assert referee.known_to(0) == set()
    play(referee, DRAW, card("2H"), ACT)
    play_hand(referee, "3H 5H 7H JH")
    assert referee.rat_debt == ["6S", "9S"]
    assert referee.known_to(0) == referee.known_to(1) == {"6S"}


def test_rr_6_1_debt_that_was_discarded_is_forgotten() -> None:
    referee = begin(2, aces=["AC", "AS"], mode="first_game", debt="6S", **WEAK_RAT)
    referee.debt += [referee.deck.pop() for _ in range(6)]
    play_hand(referee, STRAIGHT)
    assert "6S" in referee.discard
    referee.discard.remove("6S")
    referee.players_debt.append("6S")
    assert referee.known_to(0) == set()


def test_rr_6_1_cards_seen_going_into_a_hand() -> None:
    referee = begin(2, aces=["AH", "AS"], hands=["2C 3C", "4S 5S"], market="5D 6D 7D")
    play(referee, card("5D"))
    assert referee.seen_in_hand == [{"5D"}, set()]
    play(referee, card("2C"), ACT, card("5D"))
    assert referee.seen_in_hand == [set(), set()]
    play(referee, card("5D"))
    assert referee.seen_in_hand == [set(), {"5D"}]
    play(referee, card("4S"), ACT, card("5D"))
    assert referee.seen_in_hand == [set(), set()]


def test_the_cap_truncates() -> None:
    referee = begin(2, cap=5)
    play(referee, DRAW, card(referee.hands[0][0]))
    assert not referee.ended
    play(referee, min(referee.legal()))
    assert referee.truncated
    assert referee.ended
    assert referee.players_won is None
    assert (referee.asked, referee.legal(), referee.decisions) == (None, set(), 5)


# Whole games


def check_invariants(referee: Referee) -> None:
    """What is true at every question."""
    here = all_cards(referee)
    if referee.question == "ace":
        assert len(here) == 50
    else:
        assert sorted(here) == sorted(CARDS)
    assert all(len(hand) <= 3 for hand in referee.hands)
    assert len(referee.market) <= 6
    assert len(referee.rat_cards) <= 11
    assert len(referee.collective) <= referee.collective_size() + len(referee.revealed)
    assert [placed.card for placed in referee.collective if placed.card == JOKER].count(JOKER) <= 1
    assert referee.jokers.count("used") <= 1
    assert len(referee.rat_debt) < 5 or referee.ended
    assert len(referee.players_debt) < 5 or referee.ended
    assert set(referee.debt[:1]) <= {referee.prediction_card}
    assert sum(not placed.face_up for placed in referee.collective) <= 1
    assert len(referee.bonuses) == (referee.defeated_rat is not None)
    assert referee.round <= 15
    for seat, seen in enumerate(referee.seen_in_hand):
        assert seen <= set(referee.hands[seat])
    assert bool(referee.legal()) != referee.ended


def sensible(referee: Referee, generator: random.Random) -> Action:
    """Random, leaning towards groups and one suit, so that rats are defeated now and then."""
    legal = sorted(referee.legal())
    if generator.random() < 0.1 or referee.question in {"ace", "discard", "discard more", "to market"}:
        return generator.choice(legal)
    if USE_JOKER in legal and referee.question != "use joker":
        return USE_JOKER
    if referee.question in {"draw", "play", "swap in"}:
        cards = [action for action in legal if len(action) == 2]
        if cards:
            return max(cards, key=lambda action: (fit(referee, action[1]), generator.random()))
    return generator.choice(legal)


def fit(referee: Referee, name: str) -> int:
    """How many collective cards are of this rank or, when all are of one suit, of this suit."""
    lying = [other for other in referee.collective_cards() if other != JOKER]
    alike = sum(other[:-1] == name[:-1] for other in lying)
    if referee.question != "play":
        lying = [*lying, *(referee.hands[referee.turn_of])]
    return 3 * alike + (sum(suit_of(other) == suit_of(name) for other in lying))


def game(
    options: Options,
    seed: int,
    *,
    random_share: float,
    jokers: str = "face-down",
    met: Counter[str] | None = None,
    check: bool = True,
) -> Referee:
    generator = random.Random(seed)
    kings = generator.sample(KINGS, 2)
    deck = generator.sample([name for name in CARDS if name not in kings], 50)
    referee = Referee(options, Deal((kings[0], kings[1]), tuple(deck)), RandomChance(generator))
    referee.jokers = [jokers, jokers]
    while not referee.ended:
        if met is not None:
            met[referee.question] += 1
        if check:
            check_invariants(referee)
        if generator.random() < random_share:
            referee.play(generator.choice(sorted(referee.legal())))
        else:
            referee.play(sensible(referee, generator))
    check_invariants(referee)
    assert not referee.truncated
    assert referee.players_won is not None
    return referee


@pytest.mark.parametrize("num_players", [1, 2, 3, 4])
@pytest.mark.parametrize("mode", MODES)
def test_random_games_keep_the_invariants(mode: str, num_players: int) -> None:
    for seed in range(12):
        prediction = ("exactly", "at_least_form")[seed % 2]
        referee = game(Options(num_players, mode, prediction), seed, random_share=1.0 if seed % 3 == 0 else 0.1)
        assert len(referee.resolutions) in {referee.round, referee.round - 1}


QUESTIONS = {"ace", "draw", "play", "action", "discard", "to market", "swap out", "swap in"}
POWER_QUESTIONS = {"discard more", "more to market", "add debt"}
JOKER_QUESTIONS = {"advanced": {"remove"}, "expert": {"use joker", "reveal more"}}


@pytest.mark.parametrize("mode", MODES)
def test_random_games_with_both_jokers_to_begin_with(mode: str) -> None:
    met: Counter[str] = Counter()
    for seed in range(32):
        game(Options(seed % 4 + 1, mode), seed, random_share=0.2, jokers="face-up", met=met)
    powers = set() if mode == "first_game" else POWER_QUESTIONS
    assert set(met) == QUESTIONS | powers | JOKER_QUESTIONS.get(mode, set())


def test_games_repeat_themselves() -> None:
    for mode in MODES:
        games = [game(Options(2, mode), 5, random_share=0.5, check=False) for _ in range(2)]
        assert games[0].resolutions == games[1].resolutions
        assert games[0].discard == games[1].discard
