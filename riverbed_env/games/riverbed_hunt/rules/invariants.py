"""Invariants beyond the ranges of fields: they hold in every state that the rules can reach."""

import numpy as np

from riverbed_env.kernels.common import between, byte_of, event_at, ring_is_sound, tally_is_sound
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

from .actions import NUM_ACTIONS
from .kernels import kernel
from .legality import refusal
from .river import face_up
from .stack import count_bits, signed_byte_of
from .state import NUM_PROGRAMS
from .talk_invariants import talk_fits
from .vocab import (
    MAX_CARD_KINDS,
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


class Violation(Worded):
    """Which invariant a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    FRAMES = 2, "the effects under way don't fit together"
    TILES = 3, "the tiles on the board aren't those in play"
    FACE_UP = 4, "the face-up tiles aren't those that lie there"
    TRACKS = 5, "the tracks don't equal the face-up elements"
    CARDS = 6, "the cards in hands and piles aren't the deck's"
    HANDS = 7, "a hand's size doesn't equal its cards"
    ROLES = 8, "the roles aren't those of this number of players"
    POSITIONS = 9, "a meeple isn't on a space with a tile"
    ASKED = 10, "not exactly one seat is asked"
    MASK = 11, "the asked seat has no legal action"
    ENDING = 12, "the end of the game and the tracks don't agree"
    KNOWLEDGE = 13, "a seat's knowledge excludes the truth"
    TALK = 14, "the record of talk doesn't fit the floor, the board or itself"


@kernel
def violation(game: Record, params: Record) -> int:
    """The first invariant that a state breaks, as a Violation; NONE if it breaks none. All fields must be in range."""
    table = game["table"]
    if not fields_agree(game):
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
    if not talk_fits(table, params):
        return Violation.TALK
    return Violation.NONE


@kernel
def fields_agree(game: Record) -> bool:
    """Whether the fields whose range depends on another field are in range."""
    table = game["table"]
    num_players = int(table["num_players"])
    if int(table["turn"]) > 1 + int(table["decisions"]):
        return False
    if int(table["spaces"]) & ~int(table["occupied"]) != 0:
        return False
    if count_bits(int(table["slipped"])) >= num_players - 1:  # RH-7, Slip Away: somebody else is left to ask
        return False
    for seat in range(num_players):
        if game["private"][seat]["role"] == Role.UNKNOWN:
            return False
    return counters_rise(table) and events_in_range(table)


@kernel
def counters_rise(table: Record) -> bool:
    """RH-8.1: counters that only grow aren't negative."""
    for seat in range(MAX_SEATS):
        for place in range(MAX_SEATS - 1):
            if signed_byte_of(int(table["asks"][seat]), place) < 0:
                return False
        for deed in range(Deed.DIVES, NUM_DEEDS):
            if signed_byte_of(int(table["deeds"][seat]), deed) < 0:
                return False
        for choice in range(NUM_CHOICES):
            if signed_byte_of(int(table["choices"][seat]), choice) < 0:
                return False
    return True


@kernel
def events_in_range(table: Record) -> bool:
    """RH-8.1: the ring holds the last events and nothing else, and the tally counts them all."""
    if not ring_is_sound(table) or not tally_is_sound(table):
        return False
    for age in range(min(MAX_EVENTS, int(table["event_count"]))):
        if not event_in_range(event_at(table, age), int(table["num_players"])):
            return False
    return True


@kernel
def event_in_range(event: int, num_players: int) -> bool:
    """RH-8.1: the fields of an event are within their ranges."""
    if not between(byte_of(event, 0), 1, NUM_EVENTS - 1) or not thing_fits(event):
        return False
    if byte_of(event, 1) > num_players or byte_of(event, 2) > num_players:
        return False
    if byte_of(event, 3) > NUM_SPACES or byte_of(event, 4) > NUM_SPACES:
        return False
    return byte_of(event, 6) <= 127 and byte_of(event, 7) < NUM_SOURCES


@kernel
def thing_fits(event: int) -> bool:
    """RH-8.1: the thing of an event fits its kind: a card, a tile, Dive or Swim, a camp, or none."""
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
    for place in range(int(table["depth"])):
        frame = table["frames"][place]
        if not frame_in_range(frame, int(table["num_players"])) or not frame_fits(frame):
            return False
    return True


@kernel
def frame_in_range(frame: Record, num_players: int) -> bool:
    """The numbers of a frame in use are within their ranges."""
    if not between(int(frame["source"]), 1, NUM_SOURCES - 1):
        return False
    if not between(int(frame["carrier"]), 0, num_players - 1) or not between(
        int(frame["seat"]), NOBODY, num_players - 1
    ):
        return False
    if not between(int(frame["program"]), NO_PROGRAM, NUM_PROGRAMS - 1):
        return False
    if not between(int(frame["step"]), 0, MAX_INSTRUCTIONS) or not between(int(frame["layer"]), 0, MAX_LAYERS):
        return False
    return between(int(frame["revealed"]), NO_TILE, NUM_TILES)


@kernel
def frame_fits(frame: Record) -> bool:
    """A frame has chosen no more spaces than an instruction asks for, and its thing fits its source."""
    if count_bits(int(frame["chosen"])) > 1 or count_bits(int(frame["before"])) > 2:
        return False
    if frame["swapped"] != 0 and count_bits(int(frame["swapped"])) != 2:
        return False
    if frame["source"] == Source.TILE:
        return between(int(frame["thing"]), 1, NUM_TILES) and between(int(frame["space"]), 0, NUM_SPACES - 1)
    return between(int(frame["thing"]), 0, MAX_CARD_KINDS - 1) and bool(frame["program"] != NO_PROGRAM)


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
    """RH-6.3: the tracks equal the elements on the layers carried out of the face-up tiles."""
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
    """RH-1.2, RH-1.3: the roles are those of the player count; shown roles are true, and the chief's is shown."""
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
    """Exactly one seat is asked a question while the game is on; none afterwards."""
    asked = table["asked"] != NOBODY and table["question"] != Question.NONE
    if table["ending"] == Ending.PLAYING:
        return bool(asked and question_fits(table))
    return bool(table["asked"] == NOBODY and table["question"] == Question.NONE)


@kernel
def question_fits(table: Record) -> bool:
    """The question fits the stage: placing, a turn and its last discard need an empty stack, all else an effect."""
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
    elif question >= Question.FLOOR:
        return bool(idle and stage == Stage.TURN)
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
    """RH-8.3: no seat excludes the true space of a tile, and certain knowledge is true."""
    for seat in range(MAX_SEATS + 1):
        private = game["private"][seat]
        for space in range(NUM_SPACES):
            tile = int(game["tile_at"][space])
            known = int(private["known"][space])
            if known != NO_TILE and known != tile:
                return False
            if tile != NO_TILE and not (int(private["possible"][tile - 1]) >> space) & 1:
                return False
    return True
