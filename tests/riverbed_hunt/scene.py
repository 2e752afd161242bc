"""Drawn positions and scripted chance for the rule tests of Riverbed Hunt.

A Scene deals a real game and then lays it out as drawn: who has which role, where meeples stand, which tile lies on
which space, what hands and the draw pile hold. People's numbers are used: spaces 1 to 16, tiles 1 to 18, seats from 0.
"""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any

from drawn import DrawnTurns
from referee.adapters.riverbed_hunt import RiverbedHunt

from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules import vocab
from riverbed_env.games.riverbed_hunt.rules.actions import ACTIONS
from riverbed_env.games.riverbed_hunt.rules.knowledge import know_nothing
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NO_CARD, Camp, Ending, Question, Role, Stage, Verb
from riverbed_env.kernels.random import MAX_SEED

LETTERS = {"C": "chief", "M": "merchant", "L": "leader", "S": "separatist", "P": "profiteer"}


class Scene(DrawnTurns):
    """A game of Riverbed Hunt in a drawn position, with the active player about to choose a verb.

    roles: one letter a seat, "C M L S P" (chief, merchant, leader, separatist, profiteer).
    tiles: space -> tile number for those that matter; the other tiles in play fill the other spaces in order.
    at: space of each seat's meeple, or one space for all.
    hands: seat -> card names; the others' hands are empty.
    deck: the draw pile's card names from the top; the rest of the deck is left out of the game.
    up: spaces whose tiles lie face-up already, carried out without their texts.
    tracks: (kelp, log, coin) counted on top of what `up` brings, as if other tiles were up.
    options: of the game; with talk, the active player's floor is closed already. By default nothing is forced.
    """

    kind = RIVERBED_HUNT
    vocab = vocab
    adapter = RiverbedHunt

    def __init__(
        self,
        roles: str,
        *,
        tiles: Mapping[int, int] | None = None,
        at: int | Sequence[int] = 1,
        hands: Mapping[int, Sequence[str]] | None = None,
        deck: Sequence[str] = (),
        up: Sequence[int] = (),
        tracks: tuple[int, int, int] = (0, 0, 0),
        active: int = 0,
        seed: int = 1,
        **options: Any,
    ) -> None:
        names = [LETTERS[letter] for letter in roles.split()]
        self.num_players = len(names)
        self.options = {"pack": options.get("pack", "default")}
        self.start(make_params(self.num_players, roles=names, **{"auto_forced": "none", **options}), seed % MAX_SEED)
        self._lay_tiles(dict(tiles or {}))
        self._place(at, active)
        self._deal(hands or {}, deck)
        for space in up:
            self._turn_up(space)
        for track in range(3):
            self.table["tracks"][track] += tracks[track]
        self.call_referee()

    # --- drawing the position -----------------------------------------------------------------------------------

    def _lay_tiles(self, wanted: dict[int, int]) -> None:
        occupied = int(self.table["occupied"])
        spaces = [space for space in range(1, 17) if occupied >> (space - 1) & 1]
        assert set(wanted) <= set(spaces), "a tile is drawn on an empty space"
        in_play = [int(tile) for tile in self.params["tiles"][: self.params["num_tiles"]]]
        assert set(wanted.values()) <= set(in_play), "a drawn tile isn't in play with this many players"
        rest = [tile for tile in in_play if tile not in wanted.values()]
        for space in spaces:
            self.game["tile_at"][space - 1] = wanted[space] if space in wanted else rest.pop(0)
        for own in self.game["private"]:
            know_nothing(own, self.params, occupied)

    def _place(self, at: int | Sequence[int], active: int) -> None:
        places = [at] * self.num_players if isinstance(at, int) else list(at)
        self.table["position"][: self.num_players] = [space - 1 for space in places]
        self.table["stage"] = Stage.TURN
        self.table["active"] = active
        self.table["asked"] = active
        self.table["question"] = Question.TURN
        self.table["spaces"] = 0
        self.table["turn"] = 1
        for field in ("events", "event_count", "tally"):
            self.table[field] = 0

    def _deal(self, hands: Mapping[int, Sequence[str]], deck: Sequence[str]) -> None:
        self.game["private"]["hand"][:] = 0
        self.table["hand_size"][:] = 0
        for seat, cards in hands.items():
            for name in cards:
                self.game["private"][seat]["hand"][self.card(name)] += 1
            self.table["hand_size"][seat] = len(cards)
        self.game["deck"][:] = NO_CARD
        for place, name in enumerate(reversed(deck)):
            self.game["deck"][place] = self.card(name)
        self.table["draw_pile"] = len(deck)

    def _turn_up(self, space: int) -> None:
        tile = int(self.game["tile_at"][space - 1])
        self.table["tile"][space - 1] = tile
        self.table["face_down"] &= ~(1 << (space - 1))
        self.table["layers_done"][space - 1] = self.params["num_layers"][tile]
        self.table["tracks"][:] += self.params["features"][tile, :3]

    # --- names -------------------------------------------------------------------------------------------------

    @cached_property
    def card_names(self) -> list[str]:
        """The names of the pack's cards, by kind."""
        return [card.name for card in self.pack.cards]

    def card(self, name: str) -> int:
        """The card kind of a name."""
        return self.card_names.index(name)

    def action(self, words: str | int, seat: int) -> int:
        """The action id of words: "DIVE", "SWIM", "CO_OP", "UNCOVER", "END_TURN", "READY DIVE", "READY SWIM",
        "REVEAL", "HUNT", "CON", "SLIP_AWAY", "STOP", "WAIT", "space 7", "seat 3" (a seat's number at the table),
        a card's name, or the Verb of a claim: "OF_MERCHANTS", "BEARS_LOG"."""
        if isinstance(words, int):
            return words
        if words in ("READY DIVE", "READY SWIM"):
            return ACTIONS.id("READY", int(words == "READY SWIM"))
        if words.startswith("space "):
            return ACTIONS.id("SPACE", int(words.split()[1]) - 1)
        if words.startswith("seat "):
            return ACTIONS.id("SEAT", (int(words.split()[1]) - seat) % self.num_players)
        if words in self.card_names:
            return ACTIONS.id("CARD", self.card(words))
        if words in Verb.__members__:
            return ACTIONS.id("SILENT") + Verb[words]
        return ACTIONS.id(words)

    def words(self, action: int, seat: int) -> str:
        """The words of an action id."""
        name, argument = ACTIONS.split(action)
        if name == "READY":
            return f"READY {'SWIM' if argument else 'DIVE'}"
        if name == "SPACE":
            return f"space {argument + 1}"
        if name == "SEAT":
            return f"seat {(seat + argument) % self.num_players}"
        if name == "CARD":
            return self.card_names[argument]
        return Verb(action - ACTIONS.id("SILENT")).name if action >= ACTIONS.id("SILENT") else name

    # --- looking ------------------------------------------------------------------------------------------------

    @property
    def tracks(self) -> tuple[int, int, int]:
        """(kelp, log, coin)."""
        kelp, log, coin = (int(track) for track in self.table["tracks"])
        return kelp, log, coin

    @property
    def won_by(self) -> Camp | None:
        """The camp that won, None while nobody has."""
        return Camp(int(self.table["winner"])) if self.table["ending"] == Ending.WON else None

    def face_up(self) -> set[int]:
        """The spaces with a face-up tile."""
        bits = int(self.table["occupied"]) & ~int(self.table["face_down"])
        return {space for space in range(1, 17) if bits >> (space - 1) & 1}

    def hand(self, seat: int) -> list[str]:
        """The card names in a hand, sorted."""
        return self._names(self.game["private"][seat]["hand"])

    def pile(self, field: str = "discard_pile") -> list[str]:
        """The card names on the discard pile, or (`"used"`) used this turn, sorted."""
        return self._names(self.table[field])

    def _names(self, counts: Any) -> list[str]:
        return sorted(name for kind, name in enumerate(self.card_names) for _ in range(int(counts[kind])))

    def position(self, seat: int) -> int:
        """The space of a meeple."""
        return int(self.table["position"][seat]) + 1

    def ready(self, seat: int) -> tuple[bool, bool]:
        """Whether a seat's Dive and Swim are ready."""
        return bool(self.table["dive_ready"][seat]), bool(self.table["swim_ready"][seat])

    def possible(self, seat: int, tile: int) -> set[int]:
        """The spaces where the tile may lie as far as the seat (MAX_SEATS: everybody) knows."""
        bits = int(self.game["private"][seat]["possible"][tile - 1])
        return {space for space in range(1, 17) if bits >> (space - 1) & 1}

    def known(self, seat: int) -> dict[int, int]:
        """space -> tile that the seat (MAX_SEATS: everybody) knows exactly."""
        known = self.game["private"][seat]["known"]
        return {space + 1: int(tile) for space, tile in enumerate(known) if tile}

    def shown_role(self, seat: int) -> Role:
        """The revealed role of a seat, UNKNOWN where it isn't revealed."""
        return Role(int(self.table["role"][seat]))


PUBLIC = MAX_SEATS
