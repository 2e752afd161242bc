"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import events_are_sound, field_of, fields_fit
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

from . import kernel
from . import vocab as v
from .actions import NUM_ACTIONS
from .board import face_up
from .legality import write_mask
from .stack import count_bits
from .talk import claim_at, is_of_itself, is_of_spaces

SIGNS = sum(128 << (8 * place) for place in range(8)) - (1 << 64)  # the signs of eight bytes, as a signed word
SIGNS_OF_DEEDS = SIGNS & -(1 << (8 * v.Deed.DIVES))  # … of those that only grow


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the public events, counters or claims don't fit together"
    TILES = (
        3,
        "the tiles aren't those in play, shown as they lie, or the tracks don't equal their elements",
    )
    CARDS = 4, "the cards in hands and piles aren't the deck's"
    ROLES = 5, "the roles aren't those of this number of players"
    ASKED = 6, "what is asked doesn't fit where the game stands and the effects under way"
    MASK = 7, "the asked seat has no legal action"
    KNOWLEDGE = 8, "a seat's knowledge excludes the truth, or allows a tile where none lies"


LIMITS = v.EVENTS.limits()
assert v.NUM_DEEDS == v.NUM_CHOICES == 8


@kernel
def violation(game: Record, params: Record) -> int:
    """The first law that a state breaks, as a Violation; NONE if it breaks none. All fields must be in range."""
    table = game["table"]
    if not counters_fit(table) or not claims_fit(table):
        return Violation.EVENTS
    if not tiles_conserved(game, params) or not tracks_add_up(table, params):
        return Violation.TILES
    if not cards_conserved(game, params):
        return Violation.CARDS
    if not roles_dealt(game, params):
        return Violation.ROLES
    if not frames_fit(table) or not question_fits(table):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING:
        mask = np.zeros(NUM_ACTIONS, np.int8)
        write_mask(table, game["private"][int(table["asked"])], params, int(table["asked"]), mask)
        legal = 0
        for action in range(NUM_ACTIONS):  # `mask.any()` would import Numba's compiler at a start with a full cache
            legal += int(mask[action])
        if legal == 0:  # RH-3.1
            return Violation.MASK
    if not knowledge_true(game, params):
        return Violation.KNOWLEDGE
    return Violation.NONE


@kernel
def counters_fit(table: Record) -> bool:
    """RH-8.1: the events add up, and counters that only grow aren't negative."""
    for seat in range(v.MAX_SEATS):
        signs = SIGNS & (int(table["asks"][seat]) | int(table["choices"][seat]))
        if signs | (SIGNS_OF_DEEDS & int(table["deeds"][seat])) != 0:
            return False
    return events_are_sound(table, int(table["num_players"]), 2, LIMITS)


@kernel
def frames_fit(table: Record) -> bool:
    """Effects in use have a source; a tile's has a tile and a space, others a program; somebody is left to ask."""
    for place in range(int(table["depth"])):
        frame = table["frames"][place]
        chosen = int(frame["chosen"])
        if chosen & (chosen - 1) != 0 or chosen & ~int(table["occupied"]) != 0:  # of a swap, one tile is chosen first
            return False
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
    pile = int(table["draw_pile"])
    for place in range(v.MAX_DECK):
        if (place < pile) != (game["deck"][place] != v.NO_CARD):
            return False
    for seat in range(v.MAX_SEATS):
        size = 0
        for card in range(v.MAX_CARD_KINDS):
            size += int(game["private"][seat]["hand"][card])
        if size != int(table["hand_size"][seat]):
            return False
    for card in range(v.MAX_CARD_KINDS):
        total = int(table["discard_pile"][card]) + int(table["used"][card])
        for seat in range(v.MAX_SEATS):
            total += int(game["private"][seat]["hand"][card])
        for place in range(pile):
            total += int(game["deck"][place] == card)
        if total != int(params["copies"][card]):
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
def question_fits(table: Record) -> bool:
    """One seat is asked while the game is on, none afterwards; only questions of effects are asked during one.

    RH-1.7: a turn begins when all meeples are placed; RH-9.3: the floor is open while a claim is asked for; RH-9.4: a
    claim is about spaces or seats.
    """
    question = int(table["question"])
    stage = int(table["stage"])
    playing = table["ending"] == v.Ending.PLAYING
    idle = table["depth"] == 0
    talking = question >= v.Question.FLOOR
    asking = (table["asked"] != v.NOBODY) == playing and (question != v.Question.NONE) == playing
    if not asking or (table["floor"] > 0) != talking or (table["claims_left"] > 0) != talking:
        return False
    elif not playing:
        return bool(idle)
    elif (table["active"] == v.NOBODY) != (stage == v.Stage.PLACING):
        return False
    for seat in range(int(table["num_players"])):
        if table["position"][seat] == v.NO_SPACE and stage != v.Stage.PLACING:
            return False
    if question == v.Question.PLACE:
        return bool(idle and stage == v.Stage.PLACING)
    elif question == v.Question.TURN:
        return bool(idle and stage == v.Stage.TURN and table["asked"] == table["active"] and not table["optional"])
    elif question == v.Question.DISCARD:
        return bool(idle == (stage == v.Stage.DISCARDING))
    elif talking:
        verb = int(table["verb"])
        of_spaces = is_of_spaces(verb)
        of_seats = verb != v.Verb.SILENT and not of_spaces and not is_of_itself(verb)
        named = (question == v.Question.ABOUT) == (of_spaces or of_seats)
        fits = named and (table["spaces"] != 0) == of_spaces and (table["seats"] != 0) == of_seats
        return bool(idle and stage == v.Stage.TURN and fits and not table["optional"])
    turning_down = question == v.Question.FLIP_DOWN or question == v.Question.PENALTY
    if turning_down and int(table["spaces"]) & int(table["face_down"]) != 0:  # RH-6.3
        return False
    return bool(not idle and table["frames"][int(table["depth"]) - 1]["step"] < v.MAX_INSTRUCTIONS)


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
def claims_fit(table: Record) -> bool:
    """RH-9.7: the ring holds the last claims and nothing else, each with speaker, verb and object; no role is chief."""
    for seat in range(v.MAX_SEATS):
        role = int(table["own_words"][seat]) % v.PROMISE_UNIT - 1
        if role == v.Role.CHIEF or role >= v.NUM_ROLES:
            return False
    for age in range(MAX_EVENTS):
        word = claim_at(table, age)
        if age >= int(table["said_count"]):
            if word != 0:
                return False
        elif not fields_fit(word, field_of(word, 1, CLAIMS), CLAIMS) or word & 255 > int(table["num_players"]):
            return False
    return True
