"""Riverbed Hunt in plain English: actions, events, views, observations; from the same tables as the rules.

Everything said of a seat's knowledge is said from its view (RH-8): nothing here reads a game on a seat's behalf but
`look`.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import numpy.typing as npt

from riverbed_env.core.text import at_the_table, counted, describe_pieces, event_words, from_the_observer, view_of
from riverbed_env.kernels.common import byte_of

from ..content.pack import Pack
from ..rules.actions import ACTIONS
from ..rules.invariants import VIOLATION_WORDS, Violation
from ..rules.look import look
from ..rules.pieces import OBSERVATION, OBSERVATION_SIZE, STATE
from ..rules.state import VIEW
from ..rules.vocab import (
    MAX_SEATS,
    NO_TILE,
    NUM_SPACES,
    NUM_TILES,
    PUBLIC,
    REFUSAL_WORDS,
    Camp,
    Element,
    Ending,
    Event,
    Question,
    Refusal,
    Role,
    Source,
)

Vector = npt.NDArray[np.int8]

ROLE_WORDS = {
    Role.UNKNOWN: "unknown",
    Role.CHIEF: "chief merchant",
    Role.MERCHANT: "merchant",
    Role.LEADER: "separatist leader",
    Role.SEPARATIST: "separatist",
    Role.PROFITEER: "profiteer",
}
CAMP_WORDS = {
    Camp.NONE: "nobody",
    Camp.MERCHANTS: "the merchants",
    Camp.SEPARATISTS: "the separatists",
    Camp.PROFITEER: "the profiteer",
}
QUESTION_WORDS = {
    Question.NONE: "nothing",
    Question.PLACE: "a space for the meeple",
    Question.TURN: "what to do in the turn",
    Question.ANSWER: "how to answer the co-op",
    Question.SEAT: "a player",
    Question.VIEW: "a face-down tile to look at",
    Question.REVEAL: "a face-down tile to reveal",
    Question.FLIP_DOWN: "a face-up tile to turn down",
    Question.SWAP: "a face-down tile to swap",
    Question.MOVE: "a space to move to",
    Question.DISCARD: "a card to discard",
    Question.HUNT_ON: "another tile to reveal, or to stop the Hunt",
    Question.PENALTY: "a tile with a log to turn down",
    Question.REFRESH: "Dive or Swim to make ready",
}
SOURCE_WORDS = {
    Source.NONE: "",
    Source.DIVE: "a dive",
    Source.SWIM: "a swim",
    Source.CO_OP: "a co-op",
    Source.UNCOVER: "an uncover",
    Source.HUNT: "the Hunt",
    Source.CON: "the Con",
    Source.CARD: "a card",
    Source.TILE: "a tile's text",
}
_VERBS = {
    "WAIT": "wait",
    "DIVE": "dive: look at a face-down tile within reach",
    "SWIM": "swim: move, then draw a card",
    "CO_OP": "co-op: ask another player to reveal a tile",
    "UNCOVER": "uncover: discard a card and reveal a tile",
    "END_TURN": "end the turn",
    "REVEAL": "reveal a tile within reach",
    "HUNT": "declare the Hunt",
    "CON": "declare the Con",
    "SLIP_AWAY": "slip away: make the asker choose someone else",
    "STOP": "stop, or decline",
}
_SPACE_VERBS = {
    Question.PLACE: "place the meeple on space {}",
    Question.VIEW: "look at the tile on space {}",
    Question.REVEAL: "reveal the tile on space {}",
    Question.HUNT_ON: "hunt on: reveal the tile on space {}",
    Question.FLIP_DOWN: "turn the tile on space {} face-down",
    Question.PENALTY: "turn the tile on space {} face-down",
    Question.SWAP: "swap the tile on space {}",
    Question.MOVE: "move to space {}",
}


def describe_refusal(code: int) -> str:
    """Why the rules refuse an action."""
    return REFUSAL_WORDS[Refusal(code)]


def describe_violation(code: int) -> str:
    """Which book-keeping invariant a state breaks."""
    return VIOLATION_WORDS[Violation(code)]


def card_name(pack: Pack, card: int) -> str:
    """The name of a card kind; kinds the pack doesn't have are called by their place."""
    return pack.cards[card].name if card < len(pack.cards) else f"card {card}"


def describe_tile(pack: Pack, tile: int) -> str:
    """A tile by number: its layers from the top and its hunt icon."""
    layers = []
    for layer in pack.layers(tile):
        word = layer.element.name.lower()
        layers.append(f"text {layer.text.name}" if layer.text else f"{layer.amount} {word}")
    icon = ", hunt icon" if pack.tiles[tile].hunt else ""
    return f"tile {tile} ({' | '.join(layers)}{icon})"


def describe_action(pack: Pack, game: np.void, action: int, seat: int) -> str:
    """An action as it would be meant by `seat` now; IndexError where there is no such action."""
    name, argument = ACTIONS.split(action)
    table = game["table"]
    question = Question(int(table["question"]))
    if name == "SPACE":
        return _SPACE_VERBS.get(question, "choose space {}").format(argument + 1)
    if name == "SEAT":
        num_players = int(table["num_players"])
        if argument >= num_players:
            return f"choose the player {argument} seats clockwise"
        return f"choose player_{(seat + argument) % num_players}"
    if name == "CARD":
        verb = "discard" if question == Question.DISCARD else "play"
        return f"{verb} {card_name(pack, argument)}"
    if name == "READY":
        return f"make {'Swim' if argument else 'Dive'} ready"
    if name == "STOP" and question == Question.HUNT_ON:
        return "stop the Hunt"
    if name == "STOP" and question == Question.REVEAL:
        return "decline to reveal"
    return _VERBS[name]


def _camp(thing: int) -> str:
    return CAMP_WORDS[Camp(thing)]


EVENT_WORDS = {
    Event.PLACE: "{actor} places the meeple on space {space}",
    Event.DIVE: "{actor} dives and looks at the tile on space {space}",
    Event.SWIM: "{actor} swims",
    Event.CO_OP: "{actor} asks {other} for a co-op",
    Event.UNCOVER: "{actor} takes the Uncover action",
    Event.PLAY: "{actor} plays {card}",
    Event.SLIP_AWAY: "{actor} plays {card} and slips away from the co-op of {other}",
    Event.HUNT: "{actor} declares the Hunt",
    Event.CON: "{actor} declares the Con",
    Event.STOP: "{actor} stops",
    Event.VIEW: "{actor} looks at the tile on space {space}",
    Event.SHOW: "{actor} and {other} look at the tile on space {space}",
    Event.REVEAL: "{actor} reveals {tile} on space {space}",
    Event.FLIP_DOWN: "{actor} turns {tile} on space {space} face-down",
    Event.SWAP: "{actor} swaps the tiles on spaces {space} and {second}",
    Event.SHUFFLE: "{actor} shuffles the face-down tiles around space {space}",
    Event.MOVE: "{actor} moves {whose} meeple to space {space}",
    Event.DRAW: "{actor} draws a card",
    Event.DISCARD: "{actor} discards {card}",
    Event.REFRESH: "{actor} makes {what} ready",
    Event.MARKER: "{actor} uses the refresh marker: {what} is ready",
    Event.LOOK_AT_ROLE: "{actor} looks at the role of {other}",
    Event.PENALTY: "the Hunt penalty is due: {actor} has to turn a tile down",
    Event.RESHUFFLE: "the discard pile is shuffled into a new draw pile",
    Event.END_TURN: "{actor} ends the turn",
    Event.WIN: "the game ends: {camp} won",
    Event.TRUNCATE: "the game is cut off at the cap on decisions",
}


def describe_event(
    pack: Pack,
    kind: int,
    actor: int,
    other: int,
    space: int,
    second: int,
    thing: int,
    name: Callable[[int], str] = at_the_table,
) -> str:
    """A public event; actor and other are seats that `name` names, space and second as people count them."""
    event = Event(kind)
    tile = describe_tile(pack, thing) if event in (Event.REVEAL, Event.FLIP_DOWN) else ""
    return EVENT_WORDS[event].format(
        actor=name(actor),
        other=name(other),
        whose="their" if other == actor else f"{name(other)}'s",
        space=space,
        second=second,
        card=card_name(pack, thing),
        tile=tile,
        what=("Dive and Swim", "Dive", "Swim")[thing] if event in (Event.REFRESH, Event.MARKER) else "",
        camp=_camp(thing) if event == Event.WIN else "",
    )


def unpack_event(word: int) -> tuple[int, int, int, int, int, int]:
    """(kind, actor, other, space, second, thing) of an event's word: seats from 0, spaces as people count them."""
    kind, actor, other, space, second, thing = (byte_of(word, place) for place in range(6))
    return kind, actor - 1, other - 1, space, second, thing


def recent_events(table: np.void) -> list[tuple[int, int, int, int, int, int]]:
    """The last public events, oldest first: (kind, actor, other, space, second, thing), spaces as people count."""
    return [unpack_event(word) for word in event_words(table)]


def describe_events(pack: Pack, game: np.void, since: int = 0) -> list[str]:
    """The last public events (at most 32), oldest first; the first `since` of the game are left out."""
    return [describe_event(pack, *unpack_event(word)) for word in event_words(game["table"], since)]


def seen_by(games: npt.NDArray[np.void], viewer: int | None) -> np.void:
    """A view: what the seat may know, or for None what everybody knows."""
    return view_of(look, VIEW, games, PUBLIC if viewer is None else viewer)


def describe_known(pack: Pack, own: np.void, space: int) -> str:
    """What a seat's private part says of the tile on a space (0 …)."""
    known = int(own["known"][space])
    if known != NO_TILE:
        return describe_tile(pack, known)
    could = [tile + 1 for tile in range(NUM_TILES) if int(own["possible"][tile]) >> space & 1]
    return f"one of tiles {', '.join(map(str, could))}"


def describe_view(pack: Pack, view: np.void, endpoints: npt.NDArray[np.int16]) -> str:
    """What a seat knows of the game, in sentences."""
    table, own, seat = view["table"], view["private"], int(view["seat"])
    lines = [_headline(table, endpoints)]
    for player in range(int(table["num_players"])):
        lines.append(_describe_player(pack, view, player))
    for space in range(NUM_SPACES):
        if int(table["occupied"]) >> space & 1:
            up = not int(table["face_down"]) >> space & 1
            side = "face-up" if up else "face-down"
            lines.append(f"Space {space + 1}: {side}, {describe_known(pack, own, space)}.")
    lines.append(f"Draw pile {int(table['draw_pile'])}; discard pile {_cards(pack, table['discard_pile'])}.")
    if seat < MAX_SEATS:
        lines.append(f"Own hand: {_cards(pack, own['hand'])}.")
    if table["ending"] == Ending.PLAYING:
        question = QUESTION_WORDS[Question(int(table["question"]))]
        lines.append(f"player_{int(table['asked'])} is asked for {question}.")
    return "\n".join(lines)


def _headline(table: np.void, endpoints: npt.NDArray[np.int16]) -> str:
    tracks = ", ".join(
        f"{Element(track).name.lower()} {int(table['tracks'][track])} of {int(endpoints[track])}" for track in range(3)
    )
    if table["ending"] == Ending.WON:
        return f"Over: {_camp(int(table['winner']))} reached the end. Tracks: {tracks}."
    if table["ending"] == Ending.TRUNCATED:
        return f"Cut off at the cap on decisions. Tracks: {tracks}."
    return f"Turn {int(table['turn'])}. Tracks: {tracks}."


def _describe_player(pack: Pack, view: np.void, player: int) -> str:
    table, own = view["table"], view["private"]
    role = Role(int(table["role"][player]))
    how = "revealed"
    if role == Role.UNKNOWN and player == int(view["seat"]):
        role, how = Role(int(own["role"])), "hidden from the others"
    elif role == Role.UNKNOWN and own["looked"][player] != Role.UNKNOWN:
        role, how = Role(int(own["looked"][player])), "looked at"
    known = "role unknown" if role == Role.UNKNOWN else f"{ROLE_WORDS[role]} ({how})"
    space = int(table["position"][player])
    place = f"on space {space + 1}" if space >= 0 else "not placed yet"
    cards = [
        word
        for word, field in (
            ("Dive", "dive_ready"),
            ("Swim", "swim_ready"),
            ("Uncover", "uncover_left"),
            ("refresh marker", "marker_left"),
        )
        if table[field][player]
    ]
    ready = f"ready: {', '.join(cards)}" if cards else "nothing ready but Co-op"
    return f"player_{player}: {known}, {place}, {counted(int(table['hand_size'][player]), 'card')}, {ready}."


def _cards(pack: Pack, counts: npt.NDArray[np.int8]) -> str:
    held = [
        card_name(pack, card) + (f" x{int(count)}" if count > 1 else "") for card, count in enumerate(counts) if count
    ]
    return ", ".join(held) or "empty"


def describe_state(pack: Pack, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None) -> str:
    """The game in sentences: what a seat knows, or (None) everything."""
    view = seen_by(games, viewer)
    words = describe_view(pack, view, params[0]["endpoints"])
    if viewer is not None:
        return words
    game = games[0]
    lines = [words, "Hidden:"]
    for seat in range(int(game["table"]["num_players"])):
        own = game["private"][seat]
        lines.append(f"player_{seat}: {ROLE_WORDS[Role(int(own['role']))]}, hand {_cards(pack, own['hand'])}.")
    for space in range(NUM_SPACES):
        if int(game["table"]["face_down"]) >> space & 1:
            lines.append(f"Space {space + 1}: {describe_tile(pack, int(game['tile_at'][space]))}.")
    return "\n".join(lines)


def describe_observation(pack: Pack, vector: Vector) -> str:
    """An observation, or the part of it that view "now" has, piece by piece; zeros are left out."""
    return describe_pieces(
        vector,
        OBSERVATION,
        (OBSERVATION.start("seen"), OBSERVATION_SIZE),
        STATE,
        {"events": lambda events: _relative_events(pack, events)},
    )


def _relative_events(pack: Pack, events: Vector) -> list[str]:
    """Events of an observation, newest first; player_k is k seats clockwise from the observer."""
    said = []
    for kind, actor, other, space, second, thing, *_ in events.tolist():
        if kind:
            said.append(
                "event: " + describe_event(pack, kind, actor - 1, other - 1, space, second, thing, from_the_observer)
            )
    return said
