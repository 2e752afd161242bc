"""RH-9, what a state must fulfil of talk, so that it can be played to its end and told."""

from riverbed_env.kernels.common import field_of, fields_fit
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v
from .talk import claim_at, is_of_itself, is_of_spaces, seats_to_name, spaces_to_name, speaker

LIMITS = v.CLAIMS.limits()


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
        elif not fields_fit(word, field_of(word, 1, LIMITS), LIMITS) or word & 255 > int(table["num_players"]):
            return False
    return True
