"""The observation that a seat of Riverbed Hunt must get, derived from the referee and the game's card alone.

`expected_pieces` follows the sentences of docs/games/riverbed_hunt.md, piece by piece. Most pieces come from the
referee's public attributes. What is under way (whose effect asks, and what for) is in its unfinished generators;
`steps` reads it there.
"""

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, ClassVar

import numpy as np
from numpy.typing import NDArray

from referee.adapters.riverbed_hunt import (
    NUM_SPACES,
    NUM_TILES,
    ROLES,
    TRACKS,
    VERBS,
    RiverbedHunt,
    own_words,
    seat_words,
    tile_words,
)
from referee.lockstep import Facts
from referee.riverbed_hunt.floor import LATELY, OF_TILES, TOPIC_OF
from referee.riverbed_hunt.pack import Tile
from referee.riverbed_hunt.referee import STOP, Referee, Run
from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.rules.vocab import Question

Piece = NDArray[np.int8]
Step = tuple[str, Mapping[str, Any]]

MAX_SEATS = 9
MIN_SEATS = 4
NUM_CARDS = 28
NUM_FEATURES = 8
FIRST = {"kelp": 1, "log": 2, "coin": 3}

STAGES = ("placing", "turn", "discarding")
SOURCES = ("none", "dive", "swim", "co-op", "uncover", "hunt", "con", "card", "tile")
QUESTIONS = tuple(question.name.lower().replace("_", " ") for question in Question)

# By the referee's word for a question, where it is another. Many steps ask for a space, told apart by QUESTION_OF_STEP.
QUESTION_OF_WORD = {"over": "none", "card": "discard", "ready": "refresh"}
QUESTION_OF_STEP = {
    "_dive": "view",
    "_swim": "move",
    "_choose_and_reveal": "reveal",
    "_hunt": "hunt on",
    "_hunt_penalty": "penalty",
    **{f"_do_{word.replace(' ', '_')}": word for word in ("view", "reveal", "flip down", "swap", "move")},
}
SOURCE_OF_STEP = {f"_{source.replace('-', '_')}": source for source in SOURCES[1:7]}

NOT_DERIVED = {
    "chosen_spaces": "the referee keeps what an effect chose only as long as a rule of the next one needs it",
    "seen": "the referee keeps what a look tells, not that there was one",
    **dict.fromkeys(("events", "asks", "deeds", "choices"), "the referee keeps no history"),
    "counts": "the referee keeps no history but the number of turns, which is compared as `turns`",
}


PIECES = tuple(piece.name for piece in RiverbedHunt.game.observation.pieces if piece.name not in NOT_DERIVED)
SHAPES = {piece.name: piece.shape for piece in RiverbedHunt.game.observation.pieces} | {"turns": (1,)}


def expected_pieces(referee: Referee, seat: int) -> dict[str, Piece]:
    """The expected observation of this seat, by piece; `turns` is the first entry of `counts`."""
    return {
        **_tiles(referee, seat),
        **_river(referee),
        **_table(referee),
        **_seats(referee, seat),
        **_under_way(referee, seat),
        **_own(referee, seat),
        **_said(referee, seat),
    }


def shown_pieces(vector: Piece) -> dict[str, Piece]:
    """The same pieces of an observation, without those that its view lacks."""
    named = RiverbedHunt.game.observation.named(vector)
    shown = {name: piece for name, piece in named.items() if name not in NOT_DERIVED}
    return {**shown, "turns": named["counts"][:1]} if "counts" in named else shown


# --- what the card says of each piece ---------------------------------------------------------------------------------


def _tiles(referee: Referee, seat: int) -> dict[str, Piece]:
    """Where each tile may lie as far as the observer knows, and the features of tiles whose place is known."""
    possible, known = zeros(NUM_TILES, NUM_SPACES), zeros(NUM_SPACES, NUM_FEATURES)
    for tile, spaces in referee.possible(seat).items():
        for space in spaces:
            possible[tile - 1, space - 1] = 1
        if len(spaces) == 1:
            known[min(spaces) - 1] = features(referee.pack.tiles[tile])
    return {"possible": possible, "known_tiles": known}


def features(tile: Tile) -> list[int]:
    """Kelp, log, coin, hunt icon, text, number of layers, first element from the top, 1."""
    amounts = [sum(layer.amount for layer in tile.layers if layer.element == track) for track in TRACKS]
    elements = [layer.element for layer in tile.layers if layer.element]
    has_text = any(layer.text for layer in tile.layers)
    return [*amounts, tile.hunt, has_text, len(tile.layers), FIRST[elements[0]] if elements else 0, 1]


def _river(referee: Referee) -> dict[str, Piece]:
    """The board: entry 0 is space 1."""
    hunted = set() if referee.ended else referee.hunted or set()
    return {
        "occupied": marked(NUM_SPACES, (space - 1 for space in referee.tile_at)),
        "face_up": marked(NUM_SPACES, (space - 1 for space in referee.face_up)),
        "hunted": marked(NUM_SPACES, (space - 1 for space in referee.face_up if referee.tile_at[space] in hunted)),
    }


def _table(referee: Referee) -> dict[str, Piece]:
    """What is public and belongs to no seat."""
    tracks = [referee.tracks[track] for track in TRACKS]
    endpoints = [referee.pack.players[len(referee.roles)].endpoints[track] for track in TRACKS]
    return {
        "num_players": marked(6, [len(referee.roles) - MIN_SEATS]),
        "tracks": np.array(tracks, np.int8),
        "endpoints": np.array(endpoints, np.int8),
        "to_go": np.array([max(0, end - track) for end, track in zip(endpoints, tracks)], np.int8),
        "draw_pile": np.array([len(referee.draw_pile)], np.int8),
        "discard_pile": counted(referee, referee.discard_pile),
        "used_cards": counted(referee, referee.used),
        "turns": np.array([min(referee.turns, 127)], np.int8),
    }


def _seats(referee: Referee, seat: int) -> dict[str, Piece]:
    """What everybody sees of each seat, the observer first, then clockwise."""
    positions, readiness = zeros(MAX_SEATS, NUM_SPACES), zeros(MAX_SEATS, 5)
    roles, hands = zeros(MAX_SEATS, len(ROLES)), zeros(MAX_SEATS)
    for other in range(len(referee.roles)):
        place = clockwise(referee, seat, other)
        space = referee.position[other]
        if space is not None:
            positions[place, space - 1] = 1
        if referee.revealed[other]:
            roles[place, ROLES.index(referee.roles[other])] = 1
        cards = (referee.dive_ready, referee.swim_ready, referee.uncover_left, referee.marker_left)
        readiness[place] = [1, *(card[other] for card in cards)]
        hands[place] = len(referee.hands[other])
    return {"positions": positions, "readiness": readiness, "roles_shown": roles, "hand_sizes": hands}


def _under_way(referee: Referee, seat: int) -> dict[str, Piece]:
    """The question, the seat asked, and the effect that asks."""
    begun = [] if referee.ended else list(steps(referee))
    source = source_of(begun)
    slipped: set[int] = next((names["slipped"] for name, names in begun if name == "_co_op"), set())
    flags = (
        referee.acted,
        referee.card_played,
        referee.hunted is not None and not referee.ended,
        STOP in referee.legal(),
    )
    return {
        "stage": marked(3, [STAGES.index(stage_of(referee))]),
        "question": marked(len(QUESTIONS), [QUESTIONS.index(question_of(referee, begun))]),
        "asked": marked(MAX_SEATS, seats(referee, seat, [referee.asked])),
        "active": marked(MAX_SEATS, seats(referee, seat, [referee.active])),
        "flags": np.array(flags, np.int8),
        "source": marked(9, [SOURCES.index(source)]),
        "source_card": counted(referee, [card_of(begun)] if source == "card" else []),
        "carrier": marked(MAX_SEATS, seats(referee, seat, [carrier_of(begun)])),
        "chosen_seat": marked(MAX_SEATS, seats(referee, seat, [chosen_seat_of(begun)])),
        "slipped": marked(MAX_SEATS, seats(referee, seat, slipped)),
    }


def _own(referee: Referee, seat: int) -> dict[str, Piece]:
    """What only the observer may know, besides tiles."""
    looked_at = zeros(MAX_SEATS, len(ROLES))
    for other, role in referee.looked[seat].items():
        looked_at[clockwise(referee, seat, other), ROLES.index(role)] = 1
    return {
        "own_role": marked(len(ROLES), [ROLES.index(referee.roles[seat])]),
        "own_hand": counted(referee, referee.hands[seat]),
        "roles_looked_at": looked_at,
    }


def _said(referee: Referee, seat: int) -> dict[str, Piece]:
    """RH-9.7: what stands, who has the floor, and what was said lately, seats counted from the observer."""
    count, talk = len(referee.roles), referee.talk
    setting = marked(3, [("none", "claims", "text").index(talk.talk)])
    floor = [talk.speakers == "active", talk.budget, referee.claims_left, referee.to_speak]
    floor = [0] * len(floor) if talk.talk == "none" else floor
    seats_about = np.roll(seat_words(referee.record)[:count, :count], (-seat, -seat), axis=(0, 1))
    lately = zeros(LATELY, 4)
    for place, (speaker, verb, about, turn) in enumerate(referee.record.lately):
        thing = 0 if about is None else about if TOPIC_OF[verb] in OF_TILES else 1 + clockwise(referee, seat, about)
        lately[place] = [1 + clockwise(referee, seat, speaker), VERBS.index(verb), thing, min(turn, 127)]
    return {
        "tile_words": padded(np.roll(tile_words(referee.record)[:count], -seat, axis=0), MAX_SEATS, NUM_SPACES),
        "seat_words": padded(seats_about, MAX_SEATS, MAX_SEATS),
        "own_words": padded(np.roll(own_words(referee.record)[:count], -seat), MAX_SEATS),
        "claim_verb": marked(len(VERBS), [VERBS.index(referee.verb or ())]),
        "talk": np.array([*setting, *floor], np.int8),
        "said": lately,
    }


# --- what is under way ------------------------------------------------------------------------------------------------


def steps(referee: Referee) -> Iterator[Step]:
    """The referee's unfinished generators, outermost first: each one's name and local variables."""
    step: Any = referee.story
    while step is not None and step.gi_frame is not None:
        yield step.gi_code.co_name, step.gi_frame.f_locals
        step = step.gi_yieldfrom


def stage_of(referee: Referee) -> str:
    """Placing meeples, a turn, or discarding at its end; a truncated game keeps its stage."""
    if referee.active is None:
        return "placing"
    return "discarding" if any(name == "_end_turn" for name, _ in steps(referee)) else "turn"


def question_of(referee: Referee, begun: list[Step]) -> str:
    """The question, as one of QUESTIONS."""
    if referee.question != "space":
        return QUESTION_OF_WORD.get(referee.question, referee.question)
    return next(QUESTION_OF_STEP[name] for name, _ in reversed(begun) if name in QUESTION_OF_STEP)


def innermost(begun: list[Step]) -> Step | None:
    """The step whose effect asks: an action, a power, or the text of a card or tile."""
    return next((step for step in reversed(begun) if step[0] in SOURCE_OF_STEP or step[0] == "_carry_out"), None)


def source_of(begun: list[Step]) -> str:
    """The source of the effect that asks, as one of SOURCES."""
    step = innermost(begun)
    if step is None:
        return "none"
    name, names = step
    if name == "_carry_out":
        return "card" if names["run"].tile_space is None else "tile"
    return SOURCE_OF_STEP[name]


def card_of(begun: list[Step]) -> str:
    """The card being carried out."""
    return next(str(names["name"]) for name, names in begun if name == "_play_card")


def carrier_of(begun: list[Step]) -> int | None:
    """Who carries out the effect that asks."""
    step = innermost(begun)
    if step is None:
        return None
    name, names = step
    if name == "_carry_out":
        run: Run = names["run"]
        return run.carrier
    owner = {"_co_op": "asker", "_hunt": "leader", "_con": "profiteer"}.get(name, "seat")
    return int(names[owner])


def chosen_seat_of(begun: list[Step]) -> int | None:
    """The seat chosen for the effect that asks; None before the choice."""
    step = innermost(begun)
    if step is None or begun[-2][0] in ("_ask_seat", "_chosen_seat"):
        return None
    name, names = step
    if name == "_co_op":
        return int(names["asked"])
    if name == "_carry_out" and names["effect"].who != "self":
        return next(int(inner["seat"]) for do, inner in reversed(begun) if do.startswith("_do_"))
    return None


# --- arrays -----------------------------------------------------------------------------------------------------------


def zeros(*shape: int) -> Piece:
    """An empty piece."""
    return np.zeros(shape, np.int8)


def marked(size: int, entries: Iterable[int]) -> Piece:
    """A piece with a 1 at each of these entries."""
    piece = zeros(size)
    piece[list(entries)] = 1
    return piece


def padded(part: Piece, *shape: int) -> Piece:
    """A piece of this shape that begins with `part`, 0 elsewhere."""
    whole = zeros(*shape)
    whole[tuple(slice(0, size) for size in part.shape)] = part
    return whole


def counted(referee: Referee, cards: Iterable[str]) -> Piece:
    """The number of cards of each kind, in the pack's order."""
    piece = zeros(NUM_CARDS)
    kinds = list(referee.pack.cards)
    for card in cards:
        piece[kinds.index(card)] += 1
    return piece


def clockwise(referee: Referee, seat: int, other: int) -> int:
    """How many seats clockwise from a seat another one sits."""
    return (other - seat) % len(referee.roles)


def seats(referee: Referee, seat: int, others: Iterable[int | None]) -> list[int]:
    """These seats as the observer counts them, without None."""
    return [clockwise(referee, seat, other) for other in others if other is not None]


# --- in lock-step -----------------------------------------------------------------------------------------------------


class Sight(RiverbedHunt):
    """The games of `RiverbedHunt`, compared by every seat's observation, piece by piece."""

    pieces: ClassVar[tuple[str, ...]] = (*PIECES, "turns")

    def __init__(self, batch: Batch) -> None:
        super().__init__(batch)
        self.in_view = [piece for piece in self.pieces if piece in shown_pieces(batch.observation[0])]

    def engine_facts(self) -> Facts:
        """The observation of every seat."""
        vectors = [self.batch.observe(seat)[0] for seat in range(self.seats)]
        shown = [[shown_pieces(row) for row in vector] for vector in vectors]
        return {
            shown_to(seat, piece): [sight[piece].tobytes() for sight in shown[seat]]
            for seat in range(self.seats)
            for piece in self.in_view
        }

    def referee_facts(self, index: int, referee: Referee) -> Facts:
        """The expected observation of every seat."""
        expected = [expected_pieces(referee, seat) for seat in range(self.seats)]
        return {
            shown_to(seat, piece): sight[piece].tobytes()
            for seat, sight in enumerate(expected)
            for piece in self.in_view
        }

    def engine_slow_facts(self) -> Facts:
        """None: the observations include where tiles may lie."""
        return {}

    def referee_slow_facts(self, referee: Referee) -> Facts:
        """None; see `engine_slow_facts`."""
        return {}

    def tell(self, fact: str, value: Any, referee: Referee) -> str:
        """The entries of a piece that aren't 0."""
        if not isinstance(value, bytes):
            return super().tell(fact, value, referee)
        piece = np.frombuffer(value, np.int8).reshape(SHAPES[fact.split(maxsplit=1)[0]])
        entries = [(", ".join(map(str, place)), int(piece[tuple(place)])) for place in np.argwhere(piece)]
        return "; ".join(f"({place}): {entry}" for place, entry in entries) or "all 0"


def shown_to(seat: int, piece: str) -> str:
    """The name of the fact that compares a piece of a seat's observation."""
    return f"{piece} shown to seat {seat}"
