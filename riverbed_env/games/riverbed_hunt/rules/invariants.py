"""What a state must fulfil beyond the ranges of its fields, so that it can be played to its end."""

import numpy as np

from riverbed_env.kernels.common import events_are_sound, field_of, fields_fit
from riverbed_env.kernels.compile import Record, Records
from riverbed_env.kernels.records import Bools, bits, filled
from riverbed_env.kernels.vocab import MAX_EVENTS, Worded

from . import kernel
from . import vocab as v
from .actions import NUM_ACTIONS
from .legality import write_mask
from .talk import claim_at, is_of_itself, is_of_spaces


class Violation(Worded):
    """Which law a state breaks."""

    NONE = 0, "nothing is wrong"
    RANGE = 1, "a field is outside its range"
    EVENTS = 2, "the public events, counters or claims don't fit together"
    TILES = 3, "the tiles aren't those in play, shown as they lie, or the tracks don't equal their elements"
    CARDS = 4, "the cards in hands and piles aren't the deck's"
    ROLES = 5, "the roles aren't those of this number of players"
    ASKED = 6, "what is asked doesn't fit where the game stands and the effects under way"
    MASK = 7, "the asked seat has no legal action"
    KNOWLEDGE = 8, "a seat's knowledge excludes the truth, or allows a tile where none lies"


LIMITS = v.EVENTS.limits()
SPACES, TILES, LAYERS = np.arange(v.NUM_SPACES), np.arange(1, v.NUM_TILES + 1), np.arange(v.MAX_LAYERS)


def counters_grow(games: Records, params: Records) -> Bools:
    """Counters that only grow aren't negative; each is a byte of a word."""
    words = (np.ascontiguousarray(games["table"][name]).view(np.int8) for name in ("asks", "choices", "deeds"))
    asks, choices, deeds = (word.reshape(len(games), -1, 8) for word in words)
    return np.asarray(
        ((asks >= 0) & (choices >= 0)).all(axis=(1, 2)) & (deeds[..., v.Deed.DIVES :] >= 0).all(axis=(1, 2))
    )


def tiles_conserved(games: Records, params: Records) -> Bools:
    """RH-1.4: each tile in play lies on one space of the layout; RH-8.1: a face-up one is shown, no other is."""
    table, tile_at = games["table"], games["tile_at"]
    occupied, face_down = table["occupied"], table["face_down"]
    shown = np.where(bits(occupied & ~face_down, v.NUM_SPACES), tile_at, v.NO_TILE)
    in_play = params["tiles"][0, : int(params["num_tiles"][0])]
    return np.asarray(
        (occupied == params["layout_spaces"][0, table["layout"]])
        & ((face_down | table["spaces"]) & ~occupied == 0)
        & (bits(occupied, v.NUM_SPACES) == (tile_at != v.NO_TILE)).all(axis=1)
        & (table["tile"] == shown).all(axis=1)
        & (tile_at[:, :, None] == in_play).any(axis=1).all(axis=1)
    )


def tracks_add_up(games: Records, params: Records) -> Bools:
    """RH-6.3: the tracks equal the elements carried out of the face-up tiles; RH-6.2: one that is full has won."""
    table, tracks = games["table"], np.arange(v.NUM_TRACKS)
    done = table["layers_done"][..., None] > LAYERS
    kind, amount = (params[name][0, table["tile"]] for name in ("layer_kind", "layer_amount"))
    carried = np.stack([(amount * (done & (kind == track))).sum(axis=(1, 2)) for track in tracks], axis=1)
    won = (table["ending"] == v.Ending.WON)[:, None]
    full = (carried >= params["endpoints"]) == (won & (table["winner"][:, None] == tracks))
    decided = won == (table["winner"] != v.Camp.NONE)[:, None]
    return np.asarray(((carried == table["tracks"]) & full & decided).all(axis=1))


def cards_conserved(games: Records, params: Records) -> Bools:
    """RH-1.5: hands, draw pile, discard pile and the cards used this turn make up the deck; RH-8.1: sizes are true."""
    table, hands, deck = games["table"], games["private"]["hand"].astype(np.int64), games["deck"]
    drawn = (deck[:, :, None] == np.arange(v.MAX_CARD_KINDS)).sum(axis=1)
    total = hands[:, : v.MAX_SEATS].sum(axis=1) + drawn + table["discard_pile"] + table["used"]
    sizes = hands[:, : v.MAX_SEATS].sum(axis=2) == table["hand_size"]
    whole = (total == params["copies"]).all(axis=1) & sizes.all(axis=1)
    return np.asarray(whole & filled(deck, table["draw_pile"], v.NO_CARD))


def roles_dealt(games: Records, params: Records) -> Bools:
    """RH-1.2, RH-1.3: the roles are those of the player count; shown roles are true, and the chief's is shown."""
    players, each = int(params["num_players"][0]), np.arange(v.NUM_ROLES)
    roles, shown = games["private"]["role"][:, :players], games["table"]["role"][:, :players]
    held = np.column_stack([roles, games["spare_role"]])
    dealt = np.concatenate([params["role_cards"][0, :players], params["role_choice"][0]])
    right = ((held[:, :, None] == each).sum(axis=1) == (dealt[:, None] == each).sum(axis=0)).all(axis=1)
    hidden = (shown == v.Role.UNKNOWN) & (roles != v.Role.CHIEF)
    return np.asarray(right & ((roles != v.Role.UNKNOWN) & ((shown == roles) | hidden)).all(axis=1))


def knowledge_true(games: Records, params: Records) -> Bools:
    """RH-8.3: no seat excludes the true space of a tile, or knows what isn't so; a tile may lie where tiles lie."""
    private, tile_at = games["private"], games["tile_at"][:, None]
    true = ((tile_at == TILES[:, None]) << SPACES).sum(axis=2)[:, None]
    possible, occupied = private["possible"].astype(np.int64), games["table"]["occupied"][:, None, None]
    right = (possible & true == true) & (possible & ~occupied == 0) & ((true != 0) | (possible == 0))
    known = (private["known"] == v.NO_TILE) | (private["known"] == tile_at)
    return np.asarray(right.all(axis=(1, 2)) & known.all(axis=(1, 2)))


def frames_fit(games: Records, params: Records) -> Bools:
    """Effects in use have a source; a tile's has a tile and a space, others a program; somebody is left to ask."""
    table, frames = games["table"], games["table"]["frames"]
    source, thing, chosen = frames["source"], frames["thing"], frames["chosen"].astype(np.int64)
    of_tile = (thing >= 1) & (thing <= v.NUM_TILES) & (frames["space"] >= 0)
    of_program = (source != v.Source.NONE) & (frames["program"] != v.NO_PROGRAM)
    right = np.where(source == v.Source.TILE, of_tile, of_program)
    right &= (chosen & (chosen - 1) == 0) & (chosen & ~table["occupied"][:, None] == 0)  # of a swap, one comes first
    unused = np.arange(v.MAX_FRAMES) >= table["depth"][:, None]
    slipped = bits(table["slipped"], v.MAX_SEATS).sum(axis=1)
    return np.asarray((right | unused).all(axis=1) & (slipped < table["num_players"] - 1))  # RH-7, Slip Away


LAWS = (
    (Violation.EVENTS, counters_grow),
    (Violation.TILES, tiles_conserved),
    (Violation.TILES, tracks_add_up),
    (Violation.CARDS, cards_conserved),
    (Violation.ROLES, roles_dealt),
    (Violation.ASKED, frames_fit),
    (Violation.KNOWLEDGE, knowledge_true),
)


@kernel
def violation(game: Record, params: Record) -> int:
    """What else a state breaks, as a Violation; NONE if it breaks nothing. It keeps all LAWS."""
    table = game["table"]
    if not events_are_sound(table, int(table["num_players"]), 2, LIMITS) or not claims_fit(table):  # RH-8.1
        return Violation.EVENTS
    if not question_fits(table):
        return Violation.ASKED
    if table["ending"] == v.Ending.PLAYING:
        mask = np.zeros(NUM_ACTIONS, np.int8)
        write_mask(table, game["private"][int(table["asked"])], params, int(table["asked"]), mask)
        legal = 0
        for action in range(NUM_ACTIONS):  # `mask.any()` would import Numba's compiler at a start with a full cache
            legal += int(mask[action])
        if legal == 0:  # RH-3.1
            return Violation.MASK
    return Violation.NONE


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
