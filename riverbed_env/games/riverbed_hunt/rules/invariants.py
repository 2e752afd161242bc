"""Book-keeping invariants: what must hold of every state the rules can reach. Tests and `set_state` ask here."""

from enum import IntEnum

import numpy as np

from riverbed_env.kernels.common import between, byte_of, event_at, ring_is_sound, tally_is_sound
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import is_sound
from riverbed_env.kernels.vocab import MAX_EVENTS

from .actions import NUM_ACTIONS
from .kernels import kernel
from .legality import refusal
from .river import face_up
from .stack import count_bits, signed_byte_of
from .state import NUM_PROGRAMS
from .vocab import (
    ALL_SPACES,
    MAX_CARD_KINDS,
    MAX_FRAMES,
    MAX_INSTRUCTIONS,
    MAX_LAYERS,
    MAX_SEATS,
    NO_CARD,
    NO_PROGRAM,
    NO_TILE,
    NOBODY,
    NUM_CHOICES,
    NUM_DEEDS,
    NUM_EVENTS,
    NUM_QUESTIONS,
    NUM_ROLES,
    NUM_SOURCES,
    NUM_SPACES,
    NUM_TILES,
    NUM_TRACKS,
    Deed,
    Ending,
    Event,
    Question,
    Refusal,
    Role,
    Source,
    Stage,
)


class Violation(IntEnum):
    """Which invariant a state breaks."""

    NONE = 0
    RANGE = 1
    FRAMES = 2
    TILES = 3
    FACE_UP = 4
    TRACKS = 5
    CARDS = 6
    HANDS = 7
    ROLES = 8
    POSITIONS = 9
    ASKED = 10
    MASK = 11
    ENDING = 12
    KNOWLEDGE = 13


VIOLATION_WORDS = {
    Violation.NONE: "nothing is wrong",
    Violation.RANGE: "a field is outside its range",
    Violation.FRAMES: "the effects under way don't fit together",
    Violation.TILES: "the tiles on the board aren't those in play",
    Violation.FACE_UP: "the face-up tiles aren't those that lie there",
    Violation.TRACKS: "the tracks don't equal the face-up elements",
    Violation.CARDS: "the cards in hands and piles aren't the deck's",
    Violation.HANDS: "a hand's size doesn't equal its cards",
    Violation.ROLES: "the roles aren't those dealt with so many players",
    Violation.POSITIONS: "a meeple isn't on a space with a tile",
    Violation.ASKED: "not exactly one seat is asked",
    Violation.MASK: "the asked seat has no legal action",
    Violation.ENDING: "the end of the game and the tracks don't agree",
    Violation.KNOWLEDGE: "a seat's knowledge excludes the truth",
}


@kernel
def violation(game: Record, params: Record) -> int:
    """The first invariant the state breaks, as a Violation; NONE for every state the rules can reach."""
    table = game["table"]
    if not in_range(game, params) or not (is_sound(game["chance"]) and is_sound(game["agents"])):
        return Violation.RANGE
    if not frames_fit(table):
        return Violation.FRAMES
    if not tiles_conserved(game, params):
        return Violation.TILES
    if not face_up_true(game, params):
        return Violation.FACE_UP
    if not tracks_add_up(table, params):
        return Violation.TRACKS
    if not hands_add_up(game):
        return Violation.HANDS
    if not cards_conserved(game, params):
        return Violation.CARDS
    if not roles_dealt(game, params):
        return Violation.ROLES
    if not positions_legal(table):
        return Violation.POSITIONS
    if not one_seat_asked(table):
        return Violation.ASKED
    if not ending_agrees(table, params):
        return Violation.ENDING
    if table["ending"] == Ending.PLAYING and not can_answer(game, params):
        return Violation.MASK
    if not knowledge_true(game):
        return Violation.KNOWLEDGE
    return Violation.NONE


@kernel
def in_range(game: Record, params: Record) -> bool:
    """Every field that is used as an index or a code is within its range."""
    table = game["table"]
    num_players = int(params["num_players"])
    fine = table["num_players"] == num_players
    fine = fine and between(int(table["layout"]), 0, int(params["num_layouts"]) - 1)
    fine = fine and between(int(table["stage"]), 0, Stage.DISCARDING)
    fine = fine and between(int(table["ending"]), 0, Ending.TRUNCATED)
    fine = fine and between(int(table["winner"]), -1, NUM_TRACKS - 1)
    fine = fine and between(int(table["active"]), NOBODY, num_players - 1)
    fine = fine and between(int(table["asked"]), NOBODY, num_players - 1)
    fine = fine and between(int(table["question"]), 0, NUM_QUESTIONS - 1)
    fine = fine and between(int(table["depth"]), 0, MAX_FRAMES)
    fine = fine and between(int(table["draw_pile"]), 0, len(game["deck"]))
    fine = fine and between(int(table["decisions"]), 0, int(params["max_decisions"]))
    fine = fine and game["seed"] >= 0 and game["number"] >= 0
    fine = fine and between(int(table["turn"]), 0, 1 + int(table["decisions"]))
    fine = fine and between(int(game["spare_role"]), Role.UNKNOWN, NUM_ROLES - 1)
    fine = fine and flags_in_range(table) and int(table["spaces"]) & ~int(table["occupied"]) == 0
    everybody = (1 << num_players) - 1
    fine = fine and int(table["seats"]) & ~everybody == 0 and int(table["slipped"]) & ~everybody == 0
    fine = fine and count_bits(int(table["slipped"])) < num_players - 1  # RH-7, Slip Away: another one is left
    return bool(fine and seats_in_range(game, num_players) and board_in_range(game))


@kernel
def flags_in_range(table: Record) -> bool:
    """Flags are 0 or 1."""
    fine = between(int(table["optional"]), 0, 1) and between(int(table["action_done"]), 0, 1)
    fine = fine and between(int(table["card_played"]), 0, 1) and between(int(table["hunting"]), 0, 1)
    for seat in range(MAX_SEATS):
        fine = fine and between(int(table["dive_ready"][seat]), 0, 1) and between(int(table["swim_ready"][seat]), 0, 1)
        fine = fine and between(int(table["uncover_left"][seat]), 0, 1)
        fine = fine and between(int(table["marker_left"][seat]), 0, 1)
    return bool(fine)


@kernel
def seats_in_range(game: Record, num_players: int) -> bool:
    """Roles, positions, hands and knowledge of each seat are within their ranges."""
    table = game["table"]
    fine = True
    for seat in range(MAX_SEATS):
        fine = fine and between(int(table["role"][seat]), Role.UNKNOWN, NUM_ROLES - 1)
        fine = fine and between(int(table["position"][seat]), -1, NUM_SPACES - 1)
        fine = fine and table["hand_size"][seat] >= 0
        fine = fine and int(table["seen"][seat]) & ~ALL_SPACES == 0
        for place in range(MAX_SEATS - 1):
            fine = fine and signed_byte_of(int(table["asks"][seat]), place) >= 0
        for deed in range(Deed.DIVES, NUM_DEEDS):
            fine = fine and signed_byte_of(int(table["deeds"][seat]), deed) >= 0
        for choice in range(NUM_CHOICES):
            fine = fine and signed_byte_of(int(table["choices"][seat]), choice) >= 0
    for seat in range(MAX_SEATS + 1):
        own = game["private"][seat]
        fine = fine and between(int(own["role"]), Role.UNKNOWN, NUM_ROLES - 1)
        for other in range(MAX_SEATS):
            fine = fine and between(int(own["looked"][other]), Role.UNKNOWN, NUM_ROLES - 1)
        for card in range(MAX_CARD_KINDS):
            fine = fine and own["hand"][card] >= 0
        for space in range(NUM_SPACES):
            fine = fine and between(int(own["known"][space]), NO_TILE, NUM_TILES)
    for seat in range(num_players):
        fine = fine and game["private"][seat]["role"] != Role.UNKNOWN
    return bool(fine)


@kernel
def board_in_range(game: Record) -> bool:
    """Tiles, cards, frames and events are within their ranges."""
    table = game["table"]
    fine = True
    for space in range(NUM_SPACES):
        fine = fine and between(int(game["tile_at"][space]), NO_TILE, NUM_TILES)
        fine = fine and between(int(table["tile"][space]), NO_TILE, NUM_TILES)
        fine = fine and between(int(table["layers_done"][space]), 0, MAX_LAYERS)
    for place in range(len(game["deck"])):
        fine = fine and between(int(game["deck"][place]), NO_CARD, MAX_CARD_KINDS - 1)
    for card in range(MAX_CARD_KINDS):
        fine = fine and table["discard_pile"][card] >= 0 and table["used"][card] >= 0
    return bool(fine and events_in_range(table))


@kernel
def events_in_range(table: Record) -> bool:
    """RH-8.1: the ring holds the last events and nothing else, and the tally counts them all."""
    fine = ring_is_sound(table) and tally_is_sound(table)
    for age in range(min(MAX_EVENTS, int(table["event_count"]))):
        event = event_at(table, age)
        fine = fine and between(byte_of(event, 0), 1, NUM_EVENTS - 1) and thing_fits(event)
        fine = fine and between(byte_of(event, 1), 0, int(table["num_players"]))
        fine = fine and between(byte_of(event, 2), 0, int(table["num_players"]))
        fine = fine and between(byte_of(event, 3), 0, NUM_SPACES) and between(byte_of(event, 4), 0, NUM_SPACES)
        fine = fine and byte_of(event, 6) <= 127 and between(byte_of(event, 7), 0, NUM_SOURCES - 1)
    return bool(fine)


@kernel
def thing_fits(event: int) -> bool:
    """RH-8.1: the thing of an event is one that its kind has: a card, a tile, Dive or Swim, a camp, or none."""
    kind, thing = byte_of(event, 0), byte_of(event, 5)
    if kind == Event.REVEAL or kind == Event.FLIP_DOWN:
        return between(thing, 1, NUM_TILES)
    if kind == Event.PLAY or kind == Event.SLIP_AWAY or kind == Event.DISCARD:
        return between(thing, 0, MAX_CARD_KINDS - 1)
    if kind == Event.REFRESH or kind == Event.MARKER:
        return between(thing, int(kind == Event.MARKER), 2)
    if kind == Event.WIN:
        return between(thing, 0, NUM_TRACKS - 1)
    return thing == 0


@kernel
def frames_fit(table: Record) -> bool:
    """Frames in use have a source, a carrier and a program; a tile's frame has a tile on the board."""
    fine = True
    for place in range(int(table["depth"])):
        frame = table["frames"][place]
        fine = fine and between(int(frame["source"]), 1, NUM_SOURCES - 1)
        fine = fine and between(int(frame["carrier"]), 0, int(table["num_players"]) - 1)
        fine = fine and between(int(frame["program"]), NO_PROGRAM, NUM_PROGRAMS - 1)
        fine = fine and between(int(frame["seat"]), NOBODY, int(table["num_players"]) - 1)
        fine = fine and count_bits(int(frame["chosen"])) <= 1 and count_bits(int(frame["before"])) <= 2
        fine = fine and (frame["swapped"] == 0 or count_bits(int(frame["swapped"])) == 2)
        fine = fine and between(int(frame["revealed"]), NO_TILE, NUM_TILES)
        fine = fine and between(int(frame["step"]), 0, MAX_INSTRUCTIONS) and between(int(frame["layer"]), 0, MAX_LAYERS)
        if frame["source"] == Source.TILE:
            fine = (
                fine and between(int(frame["thing"]), 1, NUM_TILES) and between(int(frame["space"]), 0, NUM_SPACES - 1)
            )
        else:
            fine = fine and between(int(frame["thing"]), 0, MAX_CARD_KINDS - 1) and frame["program"] != NO_PROGRAM
    return bool(fine)


@kernel
def tiles_conserved(game: Record, params: Record) -> bool:
    """RH-1.4: each tile in play lies on one space of the layout, and nothing else does."""
    table = game["table"]
    if int(table["occupied"]) != int(params["layout_spaces"][int(table["layout"])]):
        return False
    laid = 0
    for space in range(NUM_SPACES):
        tile = int(game["tile_at"][space])
        if ((int(table["occupied"]) >> space) & 1) != int(tile != NO_TILE):
            return False
        laid |= 1 << tile
    for place in range(int(params["num_tiles"])):
        if not (laid >> int(params["tiles"][place])) & 1:
            return False
    return True


@kernel
def face_up_true(game: Record, params: Record) -> bool:
    """RH-8.1: a face-up tile is the one that lies there; a face-down one isn't shown."""
    table = game["table"]
    if int(table["face_down"]) & ~int(table["occupied"]) != 0:
        return False
    up = face_up(table)
    for space in range(NUM_SPACES):
        shown = int(table["tile"][space])
        if (up >> space) & 1:
            done = int(table["layers_done"][space])
            if shown != int(game["tile_at"][space]) or done > int(params["num_layers"][shown]):
                return False
        elif shown != NO_TILE or table["layers_done"][space] != 0:
            return False
    return True


@kernel
def tracks_add_up(table: Record, params: Record) -> bool:
    """RH-6.3: the tracks equal the elements of the layers carried out of the face-up tiles."""
    for track in range(NUM_TRACKS):
        total = 0
        for space in range(NUM_SPACES):
            for layer in range(int(table["layers_done"][space])):
                if params["layer_kind"][int(table["tile"][space]), layer] == track:
                    total += int(params["layer_amount"][int(table["tile"][space]), layer])
        if total != int(table["tracks"][track]):
            return False
    return True


@kernel
def hands_add_up(game: Record) -> bool:
    """RH-8.1: the public size of each hand is the number of its cards."""
    for seat in range(MAX_SEATS):
        total = 0
        for card in range(MAX_CARD_KINDS):
            total += int(game["private"][seat]["hand"][card])
        if total != int(game["table"]["hand_size"][seat]):
            return False
    return True


@kernel
def cards_conserved(game: Record, params: Record) -> bool:
    """RH-1.5: hands, draw pile, discard pile and the cards used this turn make up the deck."""
    table = game["table"]
    size = int(table["draw_pile"])
    counts = np.zeros(MAX_CARD_KINDS, np.int64)
    for place in range(len(game["deck"])):
        if (place < size) != (game["deck"][place] != NO_CARD):
            return False
        if place < size:
            counts[int(game["deck"][place])] += 1
    for card in range(MAX_CARD_KINDS):
        total = counts[card] + int(table["discard_pile"][card]) + int(table["used"][card])
        for seat in range(MAX_SEATS):
            total += int(game["private"][seat]["hand"][card])
        if total != int(params["copies"][card]):
            return False
    return True


@kernel
def roles_dealt(game: Record, params: Record) -> bool:
    """RH-1.2, RH-1.3: the roles are those of the player count; what is shown is true, the chief always."""
    num_players = int(params["num_players"])
    left = np.zeros(NUM_ROLES, np.int64)
    for place in range(num_players):
        if params["role_cards"][place] != Role.UNKNOWN:
            left[int(params["role_cards"][place])] += 1
    for choice in range(2):
        if params["role_choice"][choice] != Role.UNKNOWN:
            left[int(params["role_choice"][choice])] += 1
    if game["spare_role"] != Role.UNKNOWN:
        left[int(game["spare_role"])] -= 1
    for seat in range(num_players):
        role = int(game["private"][seat]["role"])
        shown = int(game["table"]["role"][seat])
        left[role] -= 1
        if (shown != Role.UNKNOWN and shown != role) or (role == Role.CHIEF and shown != role):
            return False
    for role in range(NUM_ROLES):
        if left[role] != 0:
            return False
    return True


@kernel
def positions_legal(table: Record) -> bool:
    """RH-1.7, RH-2.6: every meeple stands on a space with a tile, or isn't placed yet."""
    for seat in range(int(table["num_players"])):
        space = int(table["position"][seat])
        if space < 0:
            if table["stage"] != Stage.PLACING:
                return False
        elif not (int(table["occupied"]) >> space) & 1:
            return False
    return True


@kernel
def one_seat_asked(table: Record) -> bool:
    """While the game is on exactly one seat is asked something; afterwards none."""
    asked = table["asked"] != NOBODY and table["question"] != Question.NONE
    if table["ending"] == Ending.PLAYING:
        return bool(asked and question_fits(table))
    return bool(table["asked"] == NOBODY and table["question"] == Question.NONE)


@kernel
def question_fits(table: Record) -> bool:
    """What is asked fits where the game stands: verbs of the active player's turn, all else for an effect under way."""
    question = int(table["question"])
    stage = int(table["stage"])
    idle = table["depth"] == 0
    if (table["active"] == NOBODY) != (stage == Stage.PLACING):
        return False
    if question == Question.PLACE:
        return bool(idle and stage == Stage.PLACING)
    elif question == Question.TURN:
        return bool(idle and stage == Stage.TURN and table["asked"] == table["active"] and not table["optional"])
    elif question == Question.DISCARD:
        return bool(idle == (stage == Stage.DISCARDING))
    return not idle


@kernel
def ending_agrees(table: Record, params: Record) -> bool:
    """RH-6.2: the game is won if and only if the winner's track has reached its endpoint, and no other has."""
    for track in range(NUM_TRACKS):
        reached = int(table["tracks"][track]) >= int(params["endpoints"][track])
        won = table["ending"] == Ending.WON and table["winner"] == track
        if reached != won:
            return False
    return bool((table["ending"] == Ending.WON) == (table["winner"] >= 0))


@kernel
def can_answer(game: Record, params: Record) -> bool:
    """RH-3.1: the asked seat has a legal action."""
    table = game["table"]
    seat = int(table["asked"])
    for action in range(NUM_ACTIONS):
        if refusal(table, game["private"][seat], params, seat, action) == Refusal.OK:
            return True
    return False


@kernel
def knowledge_true(game: Record) -> bool:
    """RH-8.3: nobody excludes what is so, and what is known for certain is so."""
    for seat in range(MAX_SEATS + 1):
        own = game["private"][seat]
        for space in range(NUM_SPACES):
            tile = int(game["tile_at"][space])
            known = int(own["known"][space])
            if known != NO_TILE and known != tile:
                return False
            if tile != NO_TILE and not (int(own["possible"][tile - 1]) >> space) & 1:
                return False
    return True
