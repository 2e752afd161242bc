"""Drawn positions for the rule tests of River Rats.

A Scene lays a table out as drawn: who holds what, what the rat has, what lies in market, collective hand and debts, in
which order the deck lies. Cards are named by rank and suit letter, "KH" for the king of hearts, "TS" for the ten of
spades; several in one string with spaces. Suits are letters: H, S, C, D.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from drawn import DrawnTurns
from referee.adapters.river_rats import RiverRats

from riverbed_env.games.river_rats.content.pack import make_params
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules import engine, vocab
from riverbed_env.games.river_rats.rules import vocab as v
from riverbed_env.games.river_rats.rules.actions import ACTIONS

SUITS = "HSCD"
RANKS = "23456789TJQKA"


def number(name: str) -> int:
    """The card of a name."""
    return SUITS.index(name[1]) * v.NUM_RANKS + RANKS.index(name[0])


def numbers(names: str) -> list[int]:
    """The cards of several names."""
    return [number(name) for name in names.split()]


def name(card: int) -> str:
    """The name of a card."""
    return RANKS[card % v.NUM_RANKS] + SUITS[card // v.NUM_RANKS]


def as_set(cards: Iterable[int]) -> int:
    """Cards as the engine keeps a set of them."""
    return sum(1 << card for card in cards)


def cards(held: int) -> list[int]:
    """The cards of a set."""
    return [card for card in range(v.NUM_CARDS) if int(held) >> card & 1]


def names(held: int) -> set[str]:
    """The names of the cards of a set."""
    return {name(card) for card in cards(held)}


def lying(field: str) -> property:
    """A set of cards on the table, by name."""
    return property(lambda scene: names(scene.table[field]))


def in_order(field: str) -> property:
    """The cards of an array of the game, by name."""
    return property(lambda scene: [name(card) for card in scene.game[field].tolist() if card != v.NO_CARD])


def suit(letter: str | None) -> v.Suit:
    """The suit of a letter, NONE for None."""
    return v.Suit.NONE if letter is None else v.Suit(SUITS.index(letter))


class Scene(DrawnTurns):
    """A game of River Rats in a drawn position, with the active player's turn about to begin.

    characters: one suit letter a seat, "H S C". rat, waiting, defeated: suits of the River Rats; with a defeated one
    nobody waits. hands: seat -> cards. rat_up, rat_down: the rat's cards, the lowest face-down one first. collective:
    the collective hand's face-up cards; placed: seat -> the card it placed face-down there. pile: the round's debt,
    the first one first. rat_debt, debt: what each side owes, the players' top card last. jokers: (face-down, face-up,
    used for this collective hand). deck: its cards from the top.
    rest: where all cards go that aren't named: "deck" under those named, "discard", or "out" of the game (then leave
    enough for a new round to lay a debt, or rounds go on for ever).
    """

    kind = RIVER_RATS
    vocab = vocab
    adapter = RiverRats

    def __init__(
        self,
        characters: str = "H S C",
        *,
        rat: str = "H",
        waiting: str = "D",
        defeated: str | None = None,
        hands: Mapping[int, str] | None = None,
        market: str = "",
        rat_up: str = "",
        rat_down: str = "",
        collective: str = "",
        placed: Mapping[int, str] | None = None,
        pile: str = "",
        rat_debt: str = "",
        debt: str = "",
        jokers: tuple[int, int, int] = (2, 0, 0),
        deck: str = "",
        discard: str = "",
        rest: str = "deck",
        active: int = 0,
        mode: str = "standard",
        prediction: str = "exactly",
        auto_forced: str = "none",
        max_decisions: int = 1000,
    ) -> None:
        letters = characters.split()
        self.num_players = len(letters)
        self.options = {"mode": mode, "prediction": prediction}
        self.start(make_params(self.num_players, mode, prediction, auto_forced, max_decisions))
        self._choose(letters, rat, waiting, defeated, active)
        self._deal(dict(hands or {}), dict(placed or {}))
        for field, cards in (("market", market), ("rat_up", rat_up), ("collective", collective), ("discard", discard)):
            self.table[field] = as_set(numbers(cards))
        self._lay("face_down", "rat_down", rat_down)
        self._lay("pile", "pile_size", pile)
        self._lay("debt", "debt", debt)
        self.game["rat_debt"] = as_set(numbers(rat_debt))
        self.table["rat_debt"] = len(numbers(rat_debt))
        if pile:
            self.table["first_debt"] = numbers(pile)[0]
            self.table["prediction"] = v.PREDICTED[numbers(pile)[0] % v.NUM_RANKS]
        self.table["joker_down"], self.table["joker_up"], self.table["joker_used"] = jokers
        assert sum(jokers) <= v.NUM_JOKERS
        self._fill_deck(numbers(deck), rest)
        self.table["round"] = 1
        self.table["step"] = v.Step.BEGIN_TURN
        self.call_referee()
        engine.run(self.game, self.params)
        self.compare()

    @classmethod
    def dealt(cls, num_players: int, *, rats: str = "H D", deck: str = "", mode: str = "standard") -> Scene:
        """A game at its beginning, aces still to be chosen, with the cards named on top in this order.

        Aces that are chosen and River Rats are left out of the deck when it is made.
        """
        scene = cls("H S C D"[: 2 * num_players - 1], mode=mode)
        engine.reset(scene.game, scene.params, 1, 0)
        top = numbers(deck)
        order = [*top, *(card for card in range(v.NUM_CARDS) if card not in top)]
        scene.game["deck"][:] = order[::-1]
        scene.game["first_rat"], scene.game["second_rat"] = (suit(letter) for letter in rats.split())
        scene.call_referee()
        return scene

    # --- drawing the position -----------------------------------------------------------------------------------

    def _choose(self, letters: list[str], rat: str, waiting: str, defeated: str | None, active: int) -> None:
        for seat, letter in enumerate(letters):
            self.table["character"][seat] = suit(letter)
        self.table["rat"] = suit(rat)
        self.table["defeated"] = suit(defeated)
        self.game["first_rat"] = suit(rat if defeated is None else defeated)
        self.game["second_rat"] = suit(waiting if defeated is None else rat)
        assert self.game["first_rat"] != self.game["second_rat"], "the two River Rats are of one suit"
        self.table["active"] = active
        self.table["asked"] = v.NOBODY
        self.table["question"] = v.Question.NONE

    def _deal(self, hands: dict[int, str], placed: dict[int, str]) -> None:
        for seat, cards in hands.items():
            self.game["private"][seat]["hand"] = as_set(numbers(cards))
            self.table["hand_size"][seat] = len(numbers(cards))
        for seat, card in placed.items():
            self.game["private"][seat]["placed"] = number(card)
            self.table["placer"] = seat

    def _lay(self, field: str, size: str, cards: str) -> None:
        self.game[field][: len(numbers(cards))] = numbers(cards)
        self.table[size] = len(numbers(cards))

    def _fill_deck(self, top: list[int], rest: str) -> None:
        self.game["deck"][:] = v.NO_CARD
        named = {*top, *self._somewhere()}
        left = [card for card in range(v.NUM_CARDS) if card not in named]
        if rest == "discard":
            self.table["discard"] = int(self.table["discard"]) | as_set(left)
        order = [*top, *(left if rest == "deck" else [])][::-1]
        self.game["deck"][: len(order)] = order
        self.table["deck_size"] = len(order)

    def _somewhere(self) -> set[int]:
        """The cards that lie anywhere but in the deck; fails where one is drawn twice."""
        sets = [self.table[field] for field in ("market", "discard", "rat_up", "collective")]
        found = [card for held in (*sets, self.game["rat_debt"]) for card in cards(held)]
        found += [
            int(card) for field in ("face_down", "pile", "debt") for card in self.game[field] if card != v.NO_CARD
        ]
        for own in self.game["private"]:
            found += cards(int(own["hand"]))
            found += [int(own["placed"])] if own["placed"] != v.NO_CARD else []
        found += [int(held) * v.NUM_RANKS + v.ACE for held in self.table["character"] if held != v.Suit.NONE]
        found += [int(self.game[rat]) * v.NUM_RANKS + v.KING for rat in ("first_rat", "second_rat")]
        twice = {name(card) for card in found if found.count(card) > 1}
        assert not twice, f"drawn in two places: {twice}"
        return set(found)

    # --- names ----------------------------------------------------------------------------------------------------

    def action(self, words: str | int, seat: int | None = None) -> int:
        """The action id of a card's name, or of "DRAW", "JOKER", "NO", "ACT", "POWER", "HIDDEN", "DEBT", "WAIT"."""
        if isinstance(words, int):
            return words
        return ACTIONS.id(words) if words in ACTIONS.starts else ACTIONS.id("CARD", number(words))

    @staticmethod
    def words(action: int, seat: int | None = None) -> str:
        """The words of an action id."""
        block, argument = ACTIONS.split(action)
        return name(argument) if block == "CARD" else block

    # --- looking --------------------------------------------------------------------------------------------------

    market, discard, rat_up = lying("market"), lying("discard"), lying("rat_up")
    collective = lying("collective")  # the face-up cards, those an expert joker brought apart
    revealed = lying("revealed")  # what an expert joker brought
    rat_down = in_order("face_down")  # the lowest one first
    pile = in_order("pile")  # the round's debt, the first one first
    debt = in_order("debt")  # the players' debt, the top card last

    def hand(self, seat: int) -> set[str]:
        """A hand."""
        return names(self.game["private"][seat]["hand"])

    @property
    def rat_debt(self) -> set[str]:
        """The active rat's debt."""
        return names(self.game["rat_debt"])

    @property
    def deck(self) -> list[str]:
        """The deck from the top."""
        return [name(card) for card in self.game["deck"].tolist() if card != v.NO_CARD][::-1]

    @property
    def jokers(self) -> tuple[int, int, int]:
        """(face-down, face-up, used for this collective hand)."""
        return int(self.table["joker_down"]), int(self.table["joker_up"]), int(self.table["joker_used"])

    @property
    def predicted(self) -> v.Category:
        """What the first debt predicts."""
        return v.Category(int(self.table["prediction"]))

    @property
    def rat(self) -> v.Suit:
        """The active River Rat."""
        return v.Suit(int(self.table["rat"]))

    @property
    def defeated(self) -> v.Suit:
        """The defeated one, NONE before."""
        return v.Suit(int(self.table["defeated"]))

    @property
    def winner(self) -> v.Winner:
        """Who won."""
        return v.Winner(int(self.table["winner"]))

    def taken(self, seat: int) -> set[str]:
        """The cards that everybody saw go into a hand, and nobody saw leave it."""
        return names(self.table["taken"][seat])
