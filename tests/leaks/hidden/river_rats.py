"""RR-6.1: what a seat of River Rats may not know, redrawn.

Hidden are the others' hands, the rat's face-down cards, the waiting king, debts that lie face-down and the deck's
order. What once lay open counts as known: a card seen to go into a hand is in it until it is seen to leave it, or
lies face-down in the collective hand; a first debt is among the debts of the side it went to.

Before the deck is first filled again every card that was never seen is as likely in each place. After that everybody
who has watched knows which cards the deck was made of, so that only cards that have come from it since are exchanged.
"""

from collections.abc import Collection, Iterator

import numpy as np

from riverbed_env.core.game import copy_records
from riverbed_env.games.river_rats.rules import actions
from riverbed_env.games.river_rats.rules import vocab as v
from riverbed_env.games.river_rats.rules.setup import card_of
from riverbed_env.games.river_rats.words.text import EVENTS, members
from riverbed_env.testing.hidden import Disclosure, Games, Leak, Step, other_seats, redraw_future, streams

PARTS = ("chance", "deck", "face-down cards", "hands", "debts", "waiting king")
TOUCHES = streams("chance", "agents") | {
    "private.hand",
    "private.placed",
    "rat_debt",
    "deck",
    "face_down",
    "pile",
    "debt",
    "first_rat",
    "second_rat",
}
NEEDED = {"deck", "face_down", "second_rat", "chance.key", "agents.key", "seed"}
OWN_PIECES = ("own_hand", "own_face_down", "unseen")
PRIVATE = (
    *(f"observation{view} {piece}" for piece in OWN_PIECES for view in ("", " (now)")),
    "mask in observation",
    "mask in info",
)

KINGS = [card_of(suit, v.KING) for suit in range(v.NUM_SUITS)]
REVEALING = (v.Question.USE_JOKER, v.Question.REVEAL_MORE)
SIZES = ("hand_size", "deck_size", "rat_down", "pile_size", "rat_debt", "debt", "joker_up", "joker_down", "turn")


def twin(games: Games, params: Games, seat: int, rng: np.random.Generator, parts: Collection[str] = PARTS) -> Games:
    """The game with all that the seat may not know redrawn."""
    world = copy_records(games)
    game = world[0]
    if "chance" in parts:
        redraw_future(game, rng, "chance", "agents")
    if game["table"]["step"] == v.Step.ACES:
        deal_again(game, rng, parts)
    elif game["table"]["tally"][v.Event.RESHUFFLE] == 0:
        exchange_all(game, seat, rng, parts)
    else:
        exchange_since_the_reshuffle(game, rng, parts)
    return world


def deal_again(game: np.void, rng: np.random.Generator, parts: Collection[str]) -> None:
    """RR-1.1: before anything is shown, another order of all cards and two other River Rats."""
    if "deck" in parts:
        game["deck"] = rng.permutation(game["deck"])
    if "waiting king" in parts:
        game["first_rat"], game["second_rat"] = rng.permutation(v.NUM_SUITS)[:2]


def exchange_all(game: np.void, seat: int, rng: np.random.Generator, parts: Collection[str]) -> None:
    """Every card the seat has never seen may lie in every place it can't see into, kings alone in the waiting one's."""
    holders = [*piles(game, parts), *(hands(game, seat, rng) if "hands" in parts else ())]
    pool = [card for holder in holders for card in holder.unknown()]
    waits = "waiting king" in parts and game["table"]["defeated"] == v.Suit.NONE
    if waits:
        pool.append(card_of(int(game["second_rat"]), v.KING))
    pool = rng.permutation(pool).tolist()
    if waits:
        king = next(card for card in pool if card in KINGS)
        pool.remove(king)
        game["second_rat"] = king // v.NUM_RANKS
    for holder in holders:
        holder.take([pool.pop() for _ in holder.unknown()])
    assert not pool


def exchange_since_the_reshuffle(game: np.void, rng: np.random.Generator, parts: Collection[str]) -> None:
    """RR-3.5: the deck, and what has come from it unseen in this round if it wasn't filled again in this round."""
    table = game["table"]
    found = {**of_the_deck(game), "debts": stake(game)}
    if reshuffled_in_this_round(table):
        found = {"deck": found["deck"]}
    holders = [holder for name, holder in found.items() if name in parts]
    pool = rng.permutation([card for holder in holders for card in holder.unknown()]).tolist()
    for holder in holders:
        holder.take([pool.pop() for _ in holder.unknown()])


def reshuffled_in_this_round(table: np.void) -> bool:
    """Whether the deck was filled again since hands were last compared, or may have been."""
    for kind, *_ in reversed(EVENTS.happened(table)):
        if kind in (v.Event.HAND_WON, v.Event.HAND_LOST):
            return False
        if kind == v.Event.RESHUFFLE:
            return True
    return True


# --- places that hold cards the seat can't see ------------------------------------------------------------------------


class Pile:
    """Places of an array, from `start` to `end`, but those of cards that were seen."""

    def __init__(self, cards: np.ndarray, start: int, end: int, seen: int = 0) -> None:
        self.cards = cards
        self.places = [place for place in range(start, end) if not seen >> int(cards[place]) & 1]

    def unknown(self) -> list[int]:
        """The cards of which the seat doesn't know that they are here."""
        return self.cards[self.places].tolist()

    def take(self, cards: list[int]) -> None:
        """Hold these instead."""
        self.cards[self.places] = cards


class Heap:
    """A set of cards without an order, but for those that were seen."""

    def __init__(self, record: np.void, field: str, seen: int) -> None:
        self.record, self.field, self.seen = record, field, seen

    def unknown(self) -> list[int]:
        """The cards of which the seat doesn't know that they are here."""
        return members(int(self.record[self.field]) & ~self.seen)

    def take(self, cards: list[int]) -> None:
        """Hold these instead."""
        self.record[self.field] = (int(self.record[self.field]) & self.seen) | set_of(cards)


class Placer(Heap):
    """A hand whose owner has placed a card face-down, which may be one of those seen to be taken before."""

    def __init__(self, own: np.void, taken: int, before: list[int], rng: np.random.Generator) -> None:
        self.own = own
        together = int(own["hand"]) | 1 << int(own["placed"])
        room = len(members(int(own["hand"]))) >= len(members(taken))  # for all cards seen to be taken
        choices = [*before, *([v.NO_CARD] if room else [])]
        self.placed = int(rng.choice(choices))  # v.NO_CARD: one that nobody saw
        self.known = taken & ~(set_of([self.placed]) if self.placed != v.NO_CARD else 0)
        self.strange = members(together & ~taken)

    def unknown(self) -> list[int]:
        """The cards of hand and place together that nobody saw."""
        return self.strange

    def take(self, cards: list[int]) -> None:
        """Hold these instead, one of them face-down unless that is a card that was seen."""
        rest = list(cards)
        self.own["placed"] = self.placed if self.placed != v.NO_CARD else rest.pop()
        self.own["hand"] = self.known | set_of(rest)


def of_the_deck(game: np.void) -> dict[str, Pile]:
    """The deck and the rat's face-down cards."""
    table = game["table"]
    return {
        "deck": Pile(game["deck"], 0, int(table["deck_size"])),
        "face-down cards": Pile(game["face_down"], 0, int(table["rat_down"])),
    }


def stake(game: np.void) -> Pile:
    """The debt of the round; its first card lies open."""
    return Pile(game["pile"], 1, int(game["table"]["pile_size"]))


def piles(game: np.void, parts: Collection[str]) -> Iterator[Pile | Heap]:
    """Deck, face-down cards and debts, as far as they are among the parts."""
    table = game["table"]
    yield from (pile for name, pile in of_the_deck(game).items() if name in parts)
    if "debts" in parts:
        yield stake(game)
        yield Pile(game["debt"], 0, int(table["debt"]), int(table["debt_seen"]))
        yield Heap(game, "rat_debt", int(table["rat_debt_seen"]))


def hands(game: np.void, seat: int, rng: np.random.Generator) -> Iterator[Heap]:
    """The others' hands, with what one of them placed face-down."""
    table = game["table"]
    for other in other_seats(game, seat):
        own, taken = game["private"][other], int(table["taken"][other])
        if table["placer"] == other:
            yield Placer(own, taken, placeable(table, own, other, taken), rng)
        else:
            yield Heap(own, "hand", taken)


def placeable(table: np.void, own: np.void, seat: int, taken: int) -> list[int]:
    """The cards seen to be taken that the seat may have placed face-down: those it had by then."""
    later: list[int] = []
    for kind, actor, card, *_ in reversed(EVENTS.happened(table)):
        if (kind, actor) == (v.Event.PLAY_FACE_DOWN, seat):
            return [card for card in members(taken) if card not in later]
        if kind in (v.Event.TAKE, v.Event.SWAP) and actor == seat:
            later.append(card)
    placed = int(own["placed"])  # too long ago to be told from the events: as it is
    return [placed] if taken >> placed & 1 else []


def set_of(cards: list[int]) -> int:
    """Cards as a set."""
    return sum(1 << int(card) for card in cards)


# --- what a step shows ------------------------------------------------------------------------------------------------


def told(one: Step, two: Step, agent: str) -> Disclosure:
    """RR-6.1: whether the step laid another card open, or gave the seat another card of its own.

    Leak where the table comes apart in more than the cards that lie open, though no hand was compared or revealed.
    """
    seat = one.env.possible_agents.index(agent)
    if cards_shown(one) != cards_shown(two):
        check_parting(one, two, agent)
        return Disclosure.OPENLY
    return Disclosure.NOTHING if own_cards(one, seat) == own_cards(two, seat) else Disclosure.ALONE


def cards_shown(step: Step) -> list[object]:
    """The cards that lie open after the step, and those that lay open in passing."""
    before, after = step.noted, step.env._games[0]
    table = after["table"]
    shown: list[object] = [int(table[pile]) for pile in ("market", "discard", "rat_up", "collective", "revealed")]
    shown += [int(table[card]) for card in ("first_debt", "rat", "defeated")]
    if is_resolved(step):
        shown += [set(before["face_down"].tolist()), placed_card(before)]
    if table["defeated"] != before["table"]["defeated"]:
        shown += [set(members(int(before["rat_debt"])) + before["pile"].tolist()), top_debt(before)]
    if step.action == actions.A.HIDDEN:
        shown.append(int(before["face_down"][0]))
    if is_reveal(step):
        shown.append(revealed_card(before))
    return shown


def is_resolved(step: Step) -> bool:
    """RR-3: whether hands were compared; a game that is only cut off turns nothing up."""
    before, after = step.noted["table"], step.env._games[0]["table"]
    return bool(before["round"] != after["round"] or after["ending"] == v.Ending.OVER)


def is_reveal(step: Step) -> bool:
    """RR-5.2: whether a card was revealed from the deck."""
    return step.noted["table"]["question"] in REVEALING and step.action != actions.A.NO


def revealed_card(before: np.void) -> tuple[int, int]:
    """RR-5.2: the top card of the deck, or the chance by which it will be filled again."""
    size = int(before["table"]["deck_size"])
    return (int(before["deck"][size - 1]), 0) if size else (v.NO_CARD, int(before["chance"]["key"]))


def placed_card(game: np.void) -> int:
    """The card that lies face-down in the collective hand, or v.NO_CARD."""
    placer = int(game["table"]["placer"])
    return v.NO_CARD if placer == v.NOBODY else int(game["private"][placer]["placed"])


def top_debt(game: np.void) -> int:
    """RR-4.1: the players' debt that the hearts bonus would take away, or v.NO_CARD."""
    size = int(game["table"]["debt"])
    return int(game["debt"][size - 1]) if size and game["table"]["rat"] == v.Suit.HEARTS else v.NO_CARD


def own_cards(step: Step, seat: int) -> tuple[int, int]:
    """The seat's hand and what it placed face-down."""
    own = step.env._games[0]["private"][seat]
    return int(own["hand"]), int(own["placed"])


def check_parting(one: Step, two: Step, agent: str) -> None:
    """Another card that comes to lie open changes nothing else at once, unless hands resolve or it is revealed."""
    if any(is_resolved(step) or is_reveal(step) for step in (one, two)):
        return
    tables = [step.env._games[0]["table"] for step in (one, two)]
    for field in (*SIZES, "asked", "question", "event_count", "decisions"):
        if not np.array_equal(tables[0][field], tables[1][field]):
            raise Leak(f"{agent} can tell by {field}, which another open card doesn't change", [f"table {field}"])
