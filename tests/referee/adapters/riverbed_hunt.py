"""Riverbed Hunt on both sides.

The referee uses the rule book's words (spaces 1 to 16, cards by name), the engine codes.
"""

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from typing import Any, ClassVar

import numpy as np

from referee.chance import NotedChance
from referee.lockstep import Adapter, Facts
from referee.riverbed_hunt.floor import CAMP_OF, ELEMENTS, TOPIC_OF, TOPICS, Record, Talk
from referee.riverbed_hunt.pack import read_pack
from referee.riverbed_hunt.referee import Action, Deal, Referee
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.core.packs import find_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules import actions
from riverbed_env.games.riverbed_hunt.rules.actions import ACTIONS, NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, MAX_SEATS, Event, Question, Stage

ROLES = ("chief", "merchant", "leader", "separatist", "profiteer")  # in the engine's order
TRACKS = ("kelp", "log", "coin")
NUM_SPACES = 16
NUM_TILES = 18
BITS = (0, *(1 << space for space in range(NUM_SPACES)))  # by number of a space
NOBODY = -1
NONE = -1
NOT_LOOKED = [NONE] * MAX_SEATS
READINESS = ("dive_ready", "swim_ready", "uncover_left", "marker_left")
COUNTED = ("private.hand[seat]", "table.discard_pile", "table.used")  # cards by kind
PUBLIC = MAX_SEATS  # the row of what everybody knows
CAMPS = ("merchants", "separatists", "profiteer")  # in the engine's order
SETTINGS = ("none", "claims", "text")  # of talk, likewise
VERBS = ((), *TOPIC_OF)  # by the engine's number of a verb
KNOWLEDGE = "where each tile may lie (as each seat knows, then the public)"


SAID = {"CAMP": CAMPS, "ROLE": tuple(CAMP_OF), "BEARS": (*ELEMENTS, "none"), "PROMISE": ELEMENTS}  # by action, argument


pack_of = cache(read_pack)


@cache
def vocabulary(cards: tuple[str, ...], seats: int) -> list[list[Action]]:
    """By seat, the referee's word for each action; empty if it has none."""
    return [[word_of(cards, seats, seat, action) for action in range(NUM_ACTIONS)] for seat in range(seats)]


def word_of(cards: tuple[str, ...], seats: int, seat: int, action: int) -> Action:
    """The referee's word for an action of a seat; empty if it has none."""
    name, argument = ACTIONS.split(action)
    if name == "SPACE":
        return ("space", argument + 1)
    elif name == "SEAT":
        return ("seat", (seat + argument) % seats) if argument < seats else ()
    elif name == "CARD":
        return ("card", cards[argument]) if argument < len(cards) else ()
    elif name == "READY":
        return ("ready", ("dive", "swim")[argument])
    elif name in SAID:
        return (name.lower(), SAID[name][argument])
    return {"WAIT": (), "CO_OP": ("co-op",)}.get(name, (name.lower().replace("_", " "),))


class HuntChance(NotedChance):
    """Shuffled cards and tiles, and blind draws from a hand."""

    def shuffle_tiles(self, tiles: list[int]) -> list[int]:
        """The tiles on the same spaces after a shuffle."""
        return self.stream.shuffled_upwards(tiles)

    def pick_card(self, hand: list[str]) -> str:
        """A card drawn blind."""
        return hand[self.stream.below(len(hand))]


class RiverbedHunt(Adapter):
    """See `Adapter`."""

    game: ClassVar[Game] = RIVERBED_HUNT
    moods: ClassVar[int] = 4
    chance = HuntChance

    def __init__(self, batch: Batch) -> None:
        self.pack = pack_of(find_pack("riverbed_hunt", batch.options.get("pack", "default")))
        self.cards = list(self.pack.cards)
        self.kind_of = {name: kind for kind, name in enumerate(self.cards)}
        super().__init__(batch)

    def vocabulary(self) -> list[list[Action]]:
        """A seat is named by its number, a card by its name."""
        return vocabulary(tuple(self.cards), self.seats)

    def weights(self, mood: int) -> np.ndarray[Any, Any]:
        """Moods: uniform; use powers, say little; save cards and move, talk about tiles; play cards and rarely stop."""
        weights = np.ones(NUM_ACTIONS)
        silent, bears, turn_up = actions.A.SILENT, actions.A.BEARS, actions.A.TURN_UP
        if mood == 1:
            weights[[actions.A.HUNT, actions.A.CON, actions.A.SLIP_AWAY, actions.A.UNCOVER]] = 6
            weights[silent] = 60
        elif mood == 2:
            weights[actions.A.CARD : silent] = 0.15
            weights[[actions.A.STOP, actions.A.SWIM]] = 3
            weights[[*range(bears, bears + 4), turn_up, silent]] = 8
        elif mood == 3:
            weights[actions.A.CARD : silent] = 4
            weights[silent] = 20
            weights[actions.A.STOP] = 0.3
        return weights

    # --- carrying games over --------------------------------------------------------------------------------------

    def referee(self, index: int) -> Referee:
        """RH-1: a referee dealt what the engine dealt."""
        game = self.batch.games[index]
        hands = tuple(self._names(own["hand"].tolist()) for own in game["private"][: self.seats])
        return self._dealt(index, hands, self._draw_pile(game))

    def _dealt(self, index: int, hands: tuple[tuple[str, ...], ...], draw_pile: tuple[str, ...]) -> Referee:
        """RH-1: a referee dealt the engine's roles and tiles, and these cards."""
        game = self.batch.games[index]
        spaces = [space + 1 for space in range(NUM_SPACES) if int(game["table"]["occupied"]) >> space & 1]
        layouts = [
            entry.name for entry in self.pack.layouts if {*entry.empty} == {*range(1, NUM_SPACES + 1)} - {*spaces}
        ]
        spare = int(game["spare_role"])
        deal = Deal(
            roles=tuple(ROLES[role] for role in game["private"]["role"][: self.seats].tolist()),
            spare_role=ROLES[spare] if spare >= 0 else None,
            layout=layouts[0],
            tiles={space: int(game["tile_at"][space - 1]) for space in spaces},
            hands=hands,
            draw_pile=draw_pile,
        )
        params = self.batch.params[0]
        cap = int(params["max_decisions"])
        speakers = "active" if params["talk_active_only"] else "table"
        talk = Talk(SETTINGS[int(params["talk"])], speakers, int(params["talk_budget"]))
        return Referee(self.pack, self.seats, deal, self.chances[index], max_decisions=cap, talk=talk)

    def referee_in(self, index: int) -> Referee:
        """A referee in the position of the record; while meeples are placed, one with the engine's deal."""
        if self.batch.games[index]["table"]["stage"] == Stage.PLACING:
            return self.referee(index)
        deck = self.pack.deck(self.seats)
        referee = self._dealt(index, tuple((card,) for card in deck[: self.seats]), tuple(deck[self.seats :]))
        self.lay(referee, index)
        return referee

    def lay(self, referee: Referee, index: int) -> None:
        """Set the referee's table to the record. Effects under way continue; a turn's question is asked again."""
        game, table = self.batch.games[index], self.batch.games[index]["table"]
        referee.decisions, referee.turns = int(table["decisions"]), int(table["turn"])
        self._lay_board(referee, game)
        self._lay_cards(referee, game)
        self._lay_seats(referee, game)
        referee.acted, referee.card_played = bool(table["action_done"]), bool(table["card_played"])
        if table["question"] == Question.TURN:
            referee.go_on_from_turn(int(table["active"]))

    def _lay_board(self, referee: Referee, game: np.void) -> None:
        """Tiles, tracks, and each seat's and the public's knowledge."""
        table = game["table"]
        referee.tile_at.update({space: int(game["tile_at"][space - 1]) for space in referee.tile_at})
        for space in referee.tile_at.keys() - referee.face_up:
            if not int(table["face_down"]) >> (space - 1) & 1:
                referee.lay_face_up(space)
        referee.tracks.update(zip(TRACKS, table["tracks"].tolist(), strict=True))
        for seat in (*range(self.seats), None):
            rows = game["private"][PUBLIC if seat is None else seat]["possible"].tolist()
            referee.know(seat, {tile: spaces_of(rows[tile - 1]) for tile in referee.tile_at.values()})

    def _lay_cards(self, referee: Referee, game: np.void) -> None:
        """Hands and piles."""
        referee.hands = [[*self._names(own["hand"].tolist())] for own in game["private"][: self.seats]]
        referee.draw_pile = [*self._draw_pile(game)]
        referee.discard_pile = [*self._names(game["table"]["discard_pile"].tolist())]
        referee.used = [*self._names(game["table"]["used"].tolist())]

    def _lay_seats(self, referee: Referee, game: np.void) -> None:
        """Each seat's meeple, readiness and revealed role, and the roles it has looked at."""
        table, private = game["table"], game["private"][: self.seats]
        referee.position = [None if space < 0 else space + 1 for space in table["position"][: self.seats].tolist()]
        for name in READINESS:
            setattr(referee, name, [bool(left) for left in table[name][: self.seats].tolist()])
        referee.revealed = [role >= 0 for role in table["role"][: self.seats].tolist()]
        referee.looked = [
            {seat: ROLES[role] for seat, role in enumerate(own["looked"].tolist()) if role >= 0} for own in private
        ]

    def _draw_pile(self, game: np.void) -> tuple[str, ...]:
        return tuple(self.cards[card] for card in game["deck"][: int(game["table"]["draw_pile"])].tolist())

    def _tell_knowledge(self, rows: bytes) -> Iterator[str]:
        """Where each tile may lie, tile by tile, for each seat and the public."""
        tables = np.frombuffer(rows, np.uint16).reshape(-1, NUM_TILES).tolist()
        for knower, table in zip((*map(str, range(self.seats)), "public"), tables, strict=True):
            yield f"{knower}: " + ", ".join(f"{tile} on {sorted(spaces_of(row))}" for tile, row in enumerate(table, 1))

    def _names(self, counts: Sequence[int]) -> tuple[str, ...]:
        """Card names from counts by kind; a kind that the pack lacks is named by its number."""
        names = [*self.cards, *map(str, range(len(self.cards), MAX_CARD_KINDS))]
        return tuple(name for name, count in zip(names, counts, strict=True) for _ in range(count))

    def tell(self, fact: str, value: Any, referee: Referee) -> str:
        """A fact in words."""
        if fact == KNOWLEDGE:
            return "; ".join(self._tell_knowledge(value))
        if fact in COUNTED:
            hands = value if fact.endswith("[seat]") else [value]
            return "; ".join(", ".join(self._names(counts)) or "none" for counts in hands)
        return super().tell(fact, value, referee)

    def events(self, index: int) -> dict[str, int]:
        """The public events of the game, by kind."""
        tally = self.batch.games[index]["table"]["tally"]
        return {kind.name.lower().replace("_", " "): int(tally[kind]) for kind in Event if tally[kind]}

    def ending(self, referee: Referee) -> str:
        """How the game ended."""
        return str(referee.winning_track)

    # --- the facts, as both sides have them -----------------------------------------------------------------------

    def engine_facts(self) -> Facts:
        """See `Adapter`."""
        games, table = self.batch.games, self.batch.games["table"]
        return {
            "the spaces whose tiles are face-up": table["occupied"] & ~table["face_down"],
            "the draw pile": [row.rstrip(b"\0") for row in rows(games["deck"] + 1)],
        }

    def referee_facts(self, index: int, referee: Referee) -> Facts:
        """See `Adapter`."""
        record = referee.record
        shown = [role if open_ else None for role, open_ in zip(referee.roles, referee.revealed, strict=True)]
        return {
            "table.decisions": referee.decisions,
            "table.turn": referee.turns,
            "table.active": NOBODY if referee.active is None else referee.active,
            "table.spoken": referee.uncounted,
            "table.floor": referee.to_speak,
            "table.claims_left": referee.claims_left,
            "table.verb": VERBS.index(referee.verb or ()),
            "table.tile_words": tile_words(record).tolist(),
            "table.seat_words": seat_words(record).tolist(),
            "table.own_words": own_words(record).tolist(),
            "table.said_count": record.claims_made,
            "table.tracks": [referee.tracks[track] for track in TRACKS],
            "tile_at": [referee.tile_at.get(space, 0) for space in range(1, NUM_SPACES + 1)],
            "the spaces whose tiles are face-up": sum(1 << (space - 1) for space in referee.face_up),
            "private.hand[seat]": [self._counts(hand) for hand in referee.hands],
            "the draw pile": bytes(self.kind_of[card] + 1 for card in referee.draw_pile),
            "table.discard_pile": self._counts(referee.discard_pile),
            "table.used": self._counts(referee.used),
            "table.position[seat]": [NONE if space is None else space - 1 for space in referee.position],
            **{f"table.{field}[seat]": list(map(int, getattr(referee, field))) for field in READINESS},
            "private.role[seat]": list(map(role_number, referee.roles)),
            "table.role[seat]": list(map(role_number, shown)),
            "private.looked[seat]": [
                [role_number(looked.get(seat)) for seat in range(MAX_SEATS)] if looked else NOT_LOOKED
                for looked in referee.looked
            ],
        }

    def _counts(self, cards: Iterable[str]) -> list[int]:
        counts = [0] * MAX_CARD_KINDS
        for card in cards:
            counts[self.kind_of[card]] += 1
        return counts

    def engine_slow_facts(self) -> Facts:
        """Where each tile may lie as each seat knows, then the public: two bytes per tile."""
        return {KNOWLEDGE: rows(self.batch.games["private"]["possible"][:, [*range(self.seats), -1]])}

    def referee_slow_facts(self, referee: Referee) -> Facts:
        """See `Adapter`."""
        tables = [referee.possible(seat) for seat in (*range(self.seats), None)]
        words = [
            sum(map(BITS.__getitem__, table.get(tile, ()))) for table in tables for tile in range(1, NUM_TILES + 1)
        ]
        return {KNOWLEDGE: np.array(words, np.uint16).tobytes()}


def role_number(role: str | None) -> int:
    """A role in the engine's code, NONE for no role."""
    return NONE if role is None else ROLES.index(role)


def spaces_of(bits: int) -> set[int]:
    """The spaces in an engine bit set."""
    return {space + 1 for space in range(NUM_SPACES) if bits >> space & 1}


def rows(columns: np.ndarray[Any, Any]) -> list[bytes]:
    """The row of every environment, as bytes."""
    whole = np.ascontiguousarray(columns).tobytes()
    width = len(whole) // len(columns)
    return [whole[start : start + width] for start in range(0, len(whole), width)]


def numbered(record: Record, topic: str, first: int, step: int, words: np.ndarray[Any, Any]) -> None:
    """Add `step` times each standing claim's place in its topic to `words` (speaker, seat or space from `first` on)."""
    for (speaker, on, about), verb in record.standing.items():
        if on == topic:
            words[speaker, about - first] += step * (1 + TOPICS[topic].index(verb))


def tile_words(record: Record) -> np.ndarray[Any, Any]:
    """RH-9.7: by speaker and space, in the engine's code."""
    words = np.zeros((MAX_SEATS, NUM_SPACES), np.int8)
    numbered(record, "tile", 1, 1, words)
    numbered(record, "urge tile", 1, 16, words)
    for (speaker, space), verb in record.past.items():
        words[speaker, space - 1] += 5 + TOPICS["tile"].index(verb)
    return words


def seat_words(record: Record) -> np.ndarray[Any, Any]:
    """RH-9.7: by speaker and seat, in the engine's code."""
    words = np.zeros((MAX_SEATS, MAX_SEATS), np.int8)
    for topic, step in (("camp", 1), ("urge seat", 4), ("judge", 16)):
        numbered(record, topic, 0, step, words)
    return words


def own_words(record: Record) -> np.ndarray[Any, Any]:
    """RH-9.7: by speaker, in the engine's code."""
    words = np.zeros(MAX_SEATS, np.int8)
    for (speaker, topic, _), verb in record.standing.items():
        if topic == "role":
            words[speaker] += 1 + ROLES.index(str(verb[1]))
        elif topic == "promise":
            words[speaker] += 8 * (1 + ELEMENTS.index(verb[1]))
    return words
