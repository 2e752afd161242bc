"""River Rats on both sides.

The referee names cards ("10H") and keeps piles as lists; the engine numbers cards and keeps most piles as bit sets.
Facts are numbers and lists of numbers in the engine's codes. If the engine keeps the order of a pile, the order is
compared too, last = top.
"""

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, ClassVar

import numpy as np

from referee.chance import NotedChance
from referee.lockstep import Adapter, Facts
from referee.river_rats.cards import JOKER
from referee.river_rats.deal import Deal
from referee.river_rats.pieces import CollectiveCard, Options, RatCard
from referee.river_rats.referee import Action, Referee
from riverbed_agents.river_rats.simple import SIMPLE
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules.actions import NUM_ACTIONS, A
from riverbed_env.games.river_rats.rules.vocab import Event, Question, Step
from riverbed_env.kernels.vocab import MAX_EVENTS

SUITS = "HSCD"  # in the engine's order, like RANKS
RANKS = ("2", "3", "4", "5", "6", "7", "8", "9", "10", "J", "Q", "K", "A")
CARDS = [rank + suit for suit in SUITS for rank in RANKS]
NUMBER = {card: number for number, card in enumerate(CARDS)}
BIT = {card: 1 << number for card, number in NUMBER.items()}
QUESTIONS = {question.name.lower().replace("_", " "): int(question) for question in Question} | {"over": 0}
WORDS: dict[int, Action] = {
    A.WAIT: ("wait",),
    A.DRAW: ("draw",),
    A.JOKER: ("joker",),
    A.NO: ("no",),
    A.ACT: ("act",),
    A.POWER: ("power",),
    A.HIDDEN: ("hidden",),
    A.DEBT: ("debt",),
} | {A.CARD + number: ("card", card) for number, card in enumerate(CARDS)}
NONE = -1
SETS = {  # facts that are sets of cards, or rows of them
    *("table.discard", "table.market", "table.rat_up", "table.collective", "table.revealed", "rat_debt"),
    *("private.hand[seat]", "table.taken[seat]", "the face-down cards that each seat knows"),
}
PLACED = "the face-down card of the collective hand (who placed it, card)"
RESOLVED = [Event.COMPARE, Event.HAND_WON, Event.HAND_LOST, Event.PREDICTION, Event.RESHUFFLE]
PILES = {"the deck", "the rat's face-down cards", "the debt", "the players' debt"}


class RatsChance(NotedChance):
    """Counts reshuffles, and sorts cards by number before a shuffle, as the engine does."""

    def __init__(self) -> None:
        super().__init__()
        self.reshuffles = 0

    def shuffle_cards(self, cards: list[str]) -> list[str]:
        """A new deck, the top card last."""
        self.reshuffles += 1
        return super().shuffle_cards(sorted(cards, key=NUMBER.__getitem__))


class RiverRats(Adapter):
    """See `Adapter`."""

    game: ClassVar[Game] = RIVER_RATS
    moods: ClassVar[int] = 9
    chance = RatsChance

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self.mode = str(batch.options.get("mode", "standard"))
        self.prediction = str(batch.options.get("prediction", "exactly"))
        self.placed_after_seen: list[tuple[int, str] | None] = [None] * batch.num_envs
        self.compared = np.zeros((batch.num_envs, 2), np.int64)

    def vocabulary(self) -> list[list[Action]]:
        """Every seat uses the same names of cards."""
        return [[WORDS[action] for action in range(NUM_ACTIONS)]] * self.seats

    def weights(self, mood: int) -> np.ndarray[Any, Any]:
        """Moods: uniform; one suit, for flushes (four); few ranks; neighbours; powers and jokers; collecting cards."""
        weights = np.ones(NUM_ACTIONS)
        cards = weights[A.CARD : A.DRAW].reshape(len(SUITS), len(RANKS))
        if mood > 0:
            weights[[A.JOKER, A.POWER]] = (20, 3)
        if 1 <= mood <= 4:
            cards[mood - 1] = 60
            weights[[A.ACT, A.POWER]] = (1, 1) if mood == 1 else (0.2, 0.2)
        elif mood == 5:
            cards[:, [3, 8, 10, 11]] = 40
            weights[A.DRAW] = 0.5
        elif mood == 6:
            cards[:, 4:9] = 40
            weights[[A.ACT, A.POWER]] = 0.3
        elif mood == 7:
            weights[[A.POWER, A.ACT, A.NO, A.HIDDEN]] = (60, 4, 0.3, 5)
        elif mood == 8:
            cards[[0, 2]] = 20
            cards[1] = 0.05
            weights[[A.ACT, A.POWER, A.DEBT, A.NO, A.DRAW]] = (30, 5, 20, 0.1, 20)
        return weights

    # --- carrying games over --------------------------------------------------------------------------------------

    def referee(self, index: int) -> Referee:
        """RR-1.1: a referee dealt what the engine dealt."""
        return self._dealt(index, cards_in(self.batch.games[index]["deck"]))

    def _dealt(self, index: int, order: Sequence[str]) -> Referee:
        """RR-1.1: a referee with the engine's River Rats and the other cards in this order, last = top."""
        game = self.batch.games[index]
        kings = ("K" + SUITS[int(game["first_rat"])], "K" + SUITS[int(game["second_rat"])])
        deck = tuple(card for card in order if card not in kings)
        options = Options(self.seats, self.mode, self.prediction)
        cap = int(self.batch.params["max_decisions"][0])
        return Referee(options, Deal(kings, deck), self.chances[index], cap=cap)

    def referee_in(self, index: int) -> Referee:
        """A referee in the position of the record: the active seat's turn begins, or aces are chosen."""
        game, table = self.batch.games[index], self.batch.games[index]["table"]
        if table["step"] == Step.ACES:
            return self.referee(index)
        referee = self._dealt(index, CARDS)
        self._lay_common_cards(referee, game)
        self._lay_rats_cards(referee, game)
        self._lay_debts(referee, game)
        for seat in range(self.seats):
            referee.characters[seat] = "A" + SUITS[int(table["character"][seat])]
            referee.hands[seat] = names(int(game["private"][seat]["hand"]))
            referee.seen_in_hand[seat] = set(names(int(table["taken"][seat])))
        referee.round, referee.turns, referee.turn_of = int(table["round"]), int(table["turn"]), int(table["active"])
        referee.go_on_from_turn()
        return referee

    def _lay_common_cards(self, referee: Referee, game: np.void) -> None:
        """Deck, discard, market, jokers and the collective hand."""
        table = game["table"]
        down, up, used = (int(table[field]) for field in ("joker_down", "joker_up", "joker_used"))
        gone = 2 - down - up - used
        referee.jokers = ["face-down"] * down + ["face-up"] * up + ["used"] * used + ["gone"] * gone
        referee.deck = cards_in(game["deck"])
        referee.discard = names(int(table["discard"]))
        referee.market = names(int(table["market"]))
        referee.collective = [CollectiveCard(card, True, None) for card in names(int(table["collective"]))]
        placed = [(seat, int(own["placed"])) for seat, own in enumerate(game["private"]) if own["placed"] != NONE]
        referee.collective += [CollectiveCard(CARDS[card], False, seat) for seat, card in placed]
        if used and self.mode in {"first_game", "standard"}:
            referee.collective.append(CollectiveCard(JOKER, True, None))

    def _lay_rats_cards(self, referee: Referee, game: np.void) -> None:
        """The River Rats, the bonus of the defeated one, and the rat's hand."""
        table, second = game["table"], "K" + SUITS[int(game["second_rat"])]
        referee.active_rat = "K" + SUITS[int(table["rat"])]
        if table["defeated"] == NONE:
            referee.waiting_rat = second
        else:
            referee.defeated_rat = "K" + SUITS[int(table["defeated"])]
            referee.bonuses = {SUITS[int(table["defeated"])]}
        referee.rat_cards = [RatCard(card, True) for card in names(int(table["rat_up"]))]
        referee.rat_cards += [RatCard(card, False) for card in cards_in(game["face_down"])]

    def _lay_debts(self, referee: Referee, game: np.void) -> None:
        """The round's debt and what both sides owe."""
        table, first = game["table"], int(game["table"]["first_debt"])
        referee.debt = cards_in(game["pile"])
        referee.prediction_card = None if first == NONE else CARDS[first]
        referee.rat_debt = names(int(game["rat_debt"]))
        referee.players_debt = cards_in(game["debt"])
        seen = names(int(table["rat_debt_seen"]) | int(table["debt_seen"]))
        referee.note_debt_seen([*seen, *([] if first == NONE else [CARDS[first]])])

    def play(self, referee: Referee, index: int, action: int) -> None:
        """Let the referee take the decision."""
        word, seat = WORDS[action], referee.asked
        self.answers[index].update({f"asked {referee.question}", f"{word[0]} at {referee.question}"})
        seen = seat is not None and word[-1] in referee.seen_in_hand[seat]
        referee.play(word)
        hidden = face_down_card(referee)
        if hidden is None:
            self.placed_after_seen[index] = None
        elif seat is not None and seen and hidden.card == word[-1]:
            self.placed_after_seen[index] = (seat, hidden.card)

    def tell(self, fact: str, value: Any, referee: Referee) -> str:
        """A fact in words."""
        if fact in SETS:
            return "; ".join(" ".join(names(held)) for held in (value if isinstance(value, list) else [value]))
        elif fact in PILES:
            return " ".join(CARDS[card] for card in value)
        return super().tell(fact, value, referee)

    def events(self, index: int) -> Mapping[str, int]:
        """The game's public events by kind, in capitals, and the questions and answers by their words."""
        tally = self.batch.games[index]["table"]["tally"]
        counts = {kind.name: int(tally[kind]) for kind in Event if tally[kind]}
        return {**counts, **self.answers[index]}

    def ending(self, referee: Referee) -> str:
        """How the game ended."""
        return "won" if referee.players_won else "lost"

    # --- the facts as the engine has them -------------------------------------------------------------------------

    def engine_facts(self) -> Facts:
        """See `Adapter`."""
        games, table = self.batch.games, self.batch.games["table"]
        return {
            "the active seat": np.where(table["round"], table["active"], 0),
            "the River Rats (active, waiting, defeated, bonuses)": self._engine_rats(),
            "the deck": self._engine_decks(),
            "the rat's face-down cards": piles(games["face_down"], table["rat_down"]),
            PLACED: stack(table["placer"], games["private"]["placed"][:, : self.seats].max(axis=1)),
            "a joker in the collective hand": table["joker_used"] * (self.mode in {"first_game", "standard"}),
            "the debt": piles(games["pile"], table["pile_size"]),
            "the prediction": np.where(table["first_debt"] != NONE, table["prediction"], NONE),
            "the players' debt": piles(games["debt"], table["debt"]),
            "hands resolved, won, lost, predictions met, reshuffles": table["tally"][:, RESOLVED],
            "the last hands compared (players, rats)": self._last_compared(),
            "the face-down cards that each seat knows": self._engine_known(),
        }

    def _engine_rats(self) -> np.ndarray[Any, Any]:
        """The active, the waiting and the defeated rat; all hidden while aces are chosen."""
        games, table = self.batch.games, self.batch.games["table"]
        waits = (table["round"] > 0) & (table["defeated"] == NONE)
        waiting = np.where(waits, games["second_rat"], NONE)
        return stack(table["rat"], waiting, table["defeated"], table["defeated"])

    def _engine_decks(self) -> list[list[int]]:
        """The decks, without the drawn kings and taken aces, which the engine leaves in while aces are chosen."""
        games, table = self.batch.games, self.batch.games["table"]
        decks = piles(games["deck"], table["deck_size"])
        for index in np.flatnonzero(table["step"] == Step.ACES).tolist():
            game = games[index]
            kings = {NUMBER["K" + SUITS[int(game[rat])]] for rat in ("first_rat", "second_rat")}
            aces = {NUMBER["A" + SUITS[held]] for held in game["table"]["character"].tolist() if held != NONE}
            decks[index] = [card for card in game["deck"].tolist() if card not in kings | aces]
        return decks

    def _last_compared(self) -> np.ndarray[Any, Any]:
        """The categories last compared, from the newest COMPARE event; kept here, since the ring forgets old events."""
        table = self.batch.games["table"]
        compares = (table["events"] & 255) == Event.COMPARE
        count = table["event_count"] % MAX_EVENTS
        ages = (np.arange(MAX_EVENTS) + count[:, None]) % MAX_EVENTS
        place = np.where(compares, ages, MAX_EVENTS).argmin(axis=1)
        indices = np.flatnonzero(compares.any(axis=1))
        words = table["events"][indices, place[indices]]
        self.compared[indices] = stack(words >> 32 & 255, words >> 40 & 255)
        return self.compared

    def _engine_known(self) -> np.ndarray[Any, Any]:
        """The face-down cards that a seat placed itself, and those that were face-up as first debts."""
        games, table = self.batch.games, self.batch.games["table"]
        placed = games["private"]["placed"][:, : self.seats].astype(np.int64)
        own = np.where(placed == NONE, 0, 1 << np.maximum(placed, 0))
        known: np.ndarray[Any, Any] = own | (table["rat_debt_seen"] | table["debt_seen"])[:, None]
        return known

    # --- the facts as the referee has them ------------------------------------------------------------------------

    def referee_facts(self, index: int, referee: Referee) -> Facts:
        """See `Adapter`."""
        open_hand = [placed.card for placed in referee.collective if placed.face_up and placed.card != JOKER]
        chance = self.chances[index]
        assert isinstance(chance, RatsChance)
        return {
            "table.question": QUESTIONS[referee.question],
            "table.decisions": referee.decisions,
            "table.turn": referee.turns,
            "table.round": referee.round,
            "the active seat": referee.turn_of,
            "table.character[seat]": [suit_number(ace) for ace in referee.characters],
            "the River Rats (active, waiting, defeated, bonuses)": rats(referee),
            "table.joker_down": referee.jokers.count("face-down"),
            "table.joker_up": referee.jokers.count("face-up"),
            "table.joker_used": referee.jokers.count("used"),
            "the deck": numbers(referee.deck),
            "table.discard": bits(referee.discard),
            "table.market": bits(referee.market),
            "private.hand[seat]": [bits(hand) for hand in referee.hands],
            "table.hand_size[seat]": [len(hand) for hand in referee.hands],
            "table.rat_up": bits(held.card for held in referee.rat_cards if held.face_up),
            "the rat's face-down cards": numbers(held.card for held in referee.rat_cards if not held.face_up),
            "table.collective": bits(card for card in open_hand if card not in referee.revealed),
            "table.revealed": bits(referee.revealed),
            PLACED: placed_by(face_down_card(referee)),
            "a joker in the collective hand": int(JOKER in referee.collective_cards()),
            "table.played": card_number(referee.just_played),
            "the debt": numbers(referee.debt),
            "table.first_debt": card_number(referee.prediction_card),
            "the prediction": NONE if referee.predicted is None else referee.predicted - 1,
            "rat_debt": bits(referee.rat_debt),
            "table.rat_debt": len(referee.rat_debt),
            "the players' debt": numbers(referee.players_debt),
            "hands resolved, won, lost, predictions met, reshuffles": [*resolved(referee), chance.reshuffles],
            "the last hands compared (players, rats)": last_compared(referee),
            "table.taken[seat]": self._seen(index, referee),
            "the face-down cards that each seat knows": [bits(referee.known_to(seat)) for seat in range(self.seats)],
        }

    def _seen(self, index: int, referee: Referee) -> list[int]:
        """The cards seen to go into each hand.

        If such a card is placed face-down, the referee forgets it at once, the engine once everybody sees that it has
        left the hand.
        """
        seen = [bits(cards) for cards in referee.seen_in_hand]
        placed = self.placed_after_seen[index]
        if placed is not None:
            seen[placed[0]] |= BIT[placed[1]]
        return seen


# --- cards of both sides ------------------------------------------------------------------------------------------


def bits(cards: Iterable[str]) -> int:
    """Cards as the engine's bit set; a card that the referee has twice makes it differ."""
    return sum(map(BIT.__getitem__, cards))


def numbers(cards: Iterable[str]) -> list[int]:
    """Cards as the engine's numbers, in their order."""
    return [NUMBER[card] for card in cards]


def names(held: int) -> list[str]:
    """The cards of an engine bit set, by name."""
    return [card for number, card in enumerate(CARDS) if held >> number & 1]


def cards_in(numbers: Iterable[int]) -> list[str]:
    """The cards of an engine array, in order; entries of -1 are skipped."""
    return [CARDS[number] for number in numbers if number != NONE]


def card_number(card: str | None) -> int:
    """A card's number, -1 for none."""
    return NONE if card is None else NUMBER[card]


def suit_number(card: str | None) -> int:
    """The number of a card's suit, -1 for no card."""
    return NONE if card is None else SUITS.index(card[-1])


def stack(*columns: Any) -> np.ndarray[Any, Any]:
    """Columns side by side, as whole numbers."""
    return np.stack([np.asarray(column).astype(np.int64) for column in columns], axis=1)


def piles(rows: np.ndarray[Any, Any], sizes: np.ndarray[Any, Any]) -> list[list[int]]:
    """The cards of every environment's pile, cut to its size."""
    return [row[:size] for row, size in zip(rows.tolist(), sizes.tolist(), strict=True)]


# --- the referee's table in the engine's codes --------------------------------------------------------------------


def rats(referee: Referee) -> list[int]:
    """The active, the waiting and the defeated rat, and the bonuses that have begun."""
    three = (referee.active_rat, referee.waiting_rat, referee.defeated_rat)
    bonuses = [SUITS.index(suit) for suit in sorted(referee.bonuses)]
    return [*map(suit_number, three), *(bonuses or [NONE])]


def face_down_card(referee: Referee) -> CollectiveCard | None:
    """The collective hand's face-down card."""
    return next((placed for placed in referee.collective if not placed.face_up), None)


def placed_by(placed: CollectiveCard | None) -> list[int]:
    """Who placed the face-down card, and which one it is."""
    if placed is None or placed.placed_by is None:
        return [NONE, NONE]
    return [placed.placed_by, NUMBER[placed.card]]


def resolved(referee: Referee) -> list[int]:
    """The numbers of hands resolved, won and lost by the players, and of predictions met."""
    won = sum(resolution.players_win for resolution in referee.resolutions)
    met = sum(resolution.prediction_met for resolution in referee.resolutions)
    return [len(referee.resolutions), won, len(referee.resolutions) - won, met]


def last_compared(referee: Referee) -> list[int]:
    """The categories of the last two hands compared, from 1; zeros before."""
    if not referee.resolutions:
        return [0, 0]
    last = referee.resolutions[-1]
    return [int(last.collective.category), int(last.rat.category)]


class Stacked(RiverRats):
    """Games with a deck in runs of a suit, of a rank or of neighbours, so that good hands are frequent."""

    def referee(self, index: int) -> Referee:
        """Stack the engine's deck before the referee is dealt the same."""
        deck = self.batch.games[index]["deck"]
        draw = Random(f"stacked {index}")
        turn, noise = draw.randrange(52), draw.choice((0, 2, 8))
        keys = (lambda card: card, lambda card: card % 13 * 4 + card // 13, lambda card: card % 13 + card // 13 * 5)
        key = keys[index % 3]
        order = sorted(range(52), key=lambda card: (key(card) + turn) % 52 + draw.uniform(0, noise))
        deck[:] = order
        return super().referee(index)


class Skilled(RiverRats):
    """Games of rule-based agents, which win; random players never do."""

    agent = SIMPLE
