"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import events_are_sound, field_of, fields_fit
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

from . import kernel
from . import vocab as v
from .actions import NUM_ACTIONS
from .board import face_up
from .legality import refusal
from .stack import count_bits
from .talk import claim_at, is_of_itself, is_of_spaces, seats_to_name, spaces_to_name, speaker

SIGNS = sum(128 << (8 * place) for place in range(8)) - (1 << 64)  # the signs of eight bytes, as a signed word
SIGNS_OF_DEEDS = SIGNS & -(1 << (8 * v.Deed.DIVES))  # … of those that only grow


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the public events or counters don't fit together"
    FRAMES = 3, "the effects under way don't fit together"
    TILES = 4, "the tiles on the board aren't those in play, or those shown aren't those that lie there"
    TRACKS = 5, "the tracks don't equal the face-up elements"
    CARDS = 6, "the cards in hands and piles aren't the deck's"
    ROLES = 7, "the roles aren't those of this number of players"
    POSITIONS = 8, "a meeple isn't on a space with a tile"
    ASKED = 9, "what is asked doesn't fit where the game stands"
    MASK = 10, "the asked seat has no legal action"
    KNOWLEDGE = 11, "a seat's knowledge excludes the truth, or allows a tile where none lies"
    TALK = 12, "the record of talk doesn't fit the floor or itself"


LIMITS = v.EVENTS.limits()
assert v.NUM_DEEDS == v.NUM_CHOICES == 8


@kernel
def violation(game: Record, params: Record) -> int:
    """The first law that a state breaks, as a Violation; NONE if it breaks none. All fields must be in range."""
    table = game["table"]
    if not counters_fit(table):
        return Violation.EVENTS
    if not frames_fit(table):
        return Violation.FRAMES
    if not tiles_conserved(game, params):
        return Violation.TILES
    if not tracks_add_up(table, params):
        return Violation.TRACKS
    if not cards_conserved(game, params):
        return Violation.CARDS
    if not roles_dealt(game, params):
        return Violation.ROLES
    if not positions_legal(table):
        return Violation.POSITIONS
    if not question_fits(table):
        return Violation.ASKED
    if not talk_fits(table, params):
        return Violation.TALK
    if table["ending"] == v.Ending.PLAYING and not can_answer(game, params):
        return Violation.MASK
    if not knowledge_true(game, params):
        return Violation.KNOWLEDGE
    return Violation.NONE


@kernel
def counters_fit(table: Record) -> bool:
    """RH-8.1: the events add up, and counters that only grow aren't negative."""
    for seat in range(v.MAX_SEATS):
        if (int(table["asks"][seat]) | int(table["choices"][seat])) & SIGNS != 0:
            return False
        if int(table["deeds"][seat]) & SIGNS_OF_DEEDS != 0:
            return False
    return events_are_sound(table, int(table["num_players"]), 2, LIMITS)


@kernel
def frames_fit(table: Record) -> bool:
    """Effects in use have a source; a tile's has a tile and a space, others a program; somebody is left to ask."""
    for place in range(int(table["depth"])):
        frame = table["frames"][place]
        if frame["source"] == v.Source.TILE:
            if not 1 <= int(frame["thing"]) <= v.NUM_TILES or frame["space"] < 0:
                return False
        elif frame["source"] == v.Source.NONE or frame["program"] == v.NO_PROGRAM:
            return False
    return count_bits(int(table["slipped"])) < int(table["num_players"]) - 1  # RH-7, Slip Away


@kernel
def tiles_conserved(game: Record, params: Record) -> bool:
    """RH-1.4: each tile in play lies on one space of the layout; RH-8.1: a face-up one is shown, no other is."""
    table = game["table"]
    occupied = int(table["occupied"])
    if occupied != int(params["layout_spaces"][int(table["layout"])]):
        return False
    if (int(table["face_down"]) | int(table["spaces"])) & ~occupied != 0:
        return False
    laid = 0
    for space in range(v.NUM_SPACES):
        tile = int(game["tile_at"][space])
        shown = tile * ((face_up(table) >> space) & 1)
        if (occupied >> space) & 1 != int(tile != v.NO_TILE) or int(table["tile"][space]) != shown:
            return False
        if int(table["layers_done"][space]) > int(params["num_layers"][shown]):
            return False
        laid |= 1 << tile
    for place in range(int(params["num_tiles"])):
        if not (laid >> int(params["tiles"][place])) & 1:
            return False
    return True


@kernel
def tracks_add_up(table: Record, params: Record) -> bool:
    """RH-6.3: the tracks equal the elements carried out of the face-up tiles; RH-6.2: one that is full has won."""
    for track in range(v.NUM_TRACKS):
        total = 0
        for space in range(v.NUM_SPACES):
            for layer in range(int(table["layers_done"][space])):
                if params["layer_kind"][int(table["tile"][space]), layer] == track:
                    total += int(params["layer_amount"][int(table["tile"][space]), layer])
        won = table["ending"] == v.Ending.WON and table["winner"] == track
        if total != int(table["tracks"][track]) or (total >= int(params["endpoints"][track])) != won:
            return False
    return bool((table["ending"] == v.Ending.WON) == (table["winner"] != v.Camp.NONE))


@kernel
def cards_conserved(game: Record, params: Record) -> bool:
    """RH-1.5: hands, draw pile, discard pile and the cards used this turn make up the deck; RH-8.1: sizes are true."""
    table = game["table"]
    counts = np.zeros(v.MAX_CARD_KINDS, np.int64)
    for place in range(len(game["deck"])):
        card = int(game["deck"][place])
        if (place < int(table["draw_pile"])) != (card != v.NO_CARD):
            return False
        if card != v.NO_CARD:
            counts[card] += 1
    for seat in range(v.MAX_SEATS):
        size = 0
        for card in range(v.MAX_CARD_KINDS):
            size += int(game["private"][seat]["hand"][card])
            counts[card] += int(game["private"][seat]["hand"][card])
        if size != int(table["hand_size"][seat]):
            return False
    for card in range(v.MAX_CARD_KINDS):
        counts[card] += int(table["discard_pile"][card]) + int(table["used"][card])
        if counts[card] != int(params["copies"][card]):
            return False
    return True


@kernel
def roles_dealt(game: Record, params: Record) -> bool:
    """RH-1.2, RH-1.3: the roles are those of the player count; shown roles are true, and the chief's is shown."""
    num_players = int(params["num_players"])
    left = np.zeros(v.NUM_ROLES + 1, np.int64)  # the last, which UNKNOWN reaches, isn't counted
    for choice in range(2):
        left[int(params["role_choice"][choice])] += 1
    left[int(game["spare_role"])] -= 1
    for seat in range(num_players):
        role = int(game["private"][seat]["role"])
        shown = int(game["table"]["role"][seat])
        left[int(params["role_cards"][seat])] += 1
        left[role] -= 1
        if role == v.Role.UNKNOWN or (shown != role and (shown != v.Role.UNKNOWN or role == v.Role.CHIEF)):
            return False
    for role in range(v.NUM_ROLES):
        if left[role] != 0:
            return False
    return True


@kernel
def positions_legal(table: Record) -> bool:
    """RH-1.7, RH-2.6: every meeple stands on a space with a tile, or isn't placed yet."""
    for seat in range(int(table["num_players"])):
        space = int(table["position"][seat])
        if space < 0 and table["stage"] != v.Stage.PLACING:
            return False
        if space >= 0 and not (int(table["occupied"]) >> space) & 1:
            return False
    return True


@kernel
def question_fits(table: Record) -> bool:
    """One seat is asked while the game is on, none afterwards; only questions of effects are asked during one."""
    question = int(table["question"])
    stage = int(table["stage"])
    playing = table["ending"] == v.Ending.PLAYING
    if (table["asked"] != v.NOBODY) != playing or (question != v.Question.NONE) != playing:
        return False
    idle = table["depth"] == 0
    if not playing:
        return bool(idle)
    elif (table["active"] == v.NOBODY) != (stage == v.Stage.PLACING):
        return False
    elif question == v.Question.PLACE:
        return bool(idle and stage == v.Stage.PLACING)
    elif question == v.Question.TURN:
        return bool(idle and stage == v.Stage.TURN and table["asked"] == table["active"] and not table["optional"])
    elif question == v.Question.DISCARD:
        return bool(idle == (stage == v.Stage.DISCARDING))
    elif question >= v.Question.FLOOR:
        return bool(idle and stage == v.Stage.TURN)
    return bool(not idle and table["frames"][int(table["depth"]) - 1]["step"] < v.MAX_INSTRUCTIONS)


@kernel
def can_answer(game: Record, params: Record) -> bool:
    """RH-3.1: the asked seat has a legal action."""
    seat = int(game["table"]["asked"])
    for action in range(NUM_ACTIONS):
        if refusal(game["table"], game["private"][seat], params, seat, action) == v.Refusal.OK:
            return True
    return False


@kernel
def knowledge_true(game: Record, params: Record) -> bool:
    """RH-8.3: no seat excludes the true space of a tile, or knows what isn't so; a tile may lie where tiles lie."""
    for seat in range(v.MAX_SEATS + 1):
        private = game["private"][seat]
        for tile in range(1, v.NUM_TILES + 1):
            true = 0
            for space in range(v.NUM_SPACES):
                true |= int(game["tile_at"][space] == tile) << space
            row = int(private["possible"][tile - 1])
            if row & true != true or row & ~int(game["table"]["occupied"]) != 0 or (true == 0 and row != 0):
                return False
        for space in range(v.NUM_SPACES):
            if private["known"][space] != v.NO_TILE and private["known"][space] != game["tile_at"][space]:
                return False
    return True


CLAIMS = v.CLAIMS.limits()


@kernel
def talk_fits(table: Record, params: Record) -> bool:
    """RH-9: the floor fits the question, and what is said has a meaning."""
    if not floor_fits(table, params) or not claims_fit(table):
        return False
    for seat in range(v.MAX_SEATS):
        role = int(table["own_words"][seat]) % v.PROMISE_UNIT - 1
        if role == v.Role.CHIEF or role >= v.NUM_ROLES:
            return False
        for space in range(v.NUM_SPACES):
            if int(table["tile_words"][seat, space]) % v.URGE_UNIT >= v.TILE_CLAIM_CODES:
                return False
        for other in range(v.MAX_SEATS):
            if int(table["seat_words"][seat, other]) // v.ASK_UNIT % (v.JUDGE_UNIT // v.ASK_UNIT) > 2:
                return False
    return True


@kernel
def floor_fits(table: Record, params: Record) -> bool:
    """RH-9.2, RH-9.3: the floor is open to the seat that is asked for a claim, and nowhere else; RH-9.1: if at all."""
    open_now = table["question"] >= v.Question.FLOOR
    verb = int(table["verb"])
    if (table["floor"] > 0) != open_now or (table["claims_left"] > 0) != open_now:
        return False
    if params["talk"] == v.Talk.NONE and (open_now or table["spoken"] > 0 or table["said_count"] > 0):
        return False
    if (verb != v.Verb.SILENT) != (table["question"] == v.Question.ABOUT):
        return False
    if not open_now:
        return True
    seat = int(table["asked"])
    spaces = 0
    seats = 0
    if is_of_spaces(verb):
        spaces = spaces_to_name(table, seat, verb)
    elif verb != v.Verb.SILENT:
        seats = seats_to_name(table, seat, verb)
    named = table["spaces"] == spaces and table["seats"] == seats and not is_of_itself(verb)
    return bool(named and seat == speaker(table) and not table["optional"])


@kernel
def claims_fit(table: Record) -> bool:
    """RH-9.7: the ring holds the last claims and nothing else, and each has a speaker, a verb and its object."""
    said_count = int(table["said_count"])
    if said_count > int(table["spoken"]):
        return False
    for age in range(MAX_EVENTS):
        word = claim_at(table, age)
        if age >= said_count:
            if word != 0:
                return False
        elif not fields_fit(word, field_of(word, 1, CLAIMS), CLAIMS) or word & 255 > int(table["num_players"]):
            return False
    return True
