"""RH-9, what holds of talk in every state that the rules can reach."""

from riverbed_env.kernels.common import between, byte_of
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS

from .kernels import kernel
from .talk import CAMP_OF_ROLE, claim_at, is_of_itself, is_of_spaces, seats_to_name, spaces_to_name, speaker
from .vocab import (
    ASK_UNIT,
    JUDGE_UNIT,
    MAX_SEATS,
    NUM_ROLES,
    NUM_SPACES,
    NUM_TILE_CLAIMS,
    NUM_VERBS,
    PROMISE_UNIT,
    TILE_CLAIM_CODES,
    URGE_UNIT,
    Question,
    Role,
    Stage,
    Talk,
    Verb,
)


@kernel
def talk_fits(table: Record, params: Record) -> bool:
    """RH-9: the floor fits the question, what stands fits the board, and the ring holds the last claims."""
    if not floor_fits(table, params) or not claims_fit(table):
        return False
    for seat in range(MAX_SEATS):
        if not own_words_fit(table, seat):
            return False
        for space in range(NUM_SPACES):
            if not tile_word_fits(table, seat, space):
                return False
        for other in range(MAX_SEATS):
            if not seat_word_fits(table, seat, other):
                return False
    return True


@kernel
def floor_fits(table: Record, params: Record) -> bool:
    """RH-9.2, RH-9.3: the floor is open before the turn's own question, to the seat that is asked, and nowhere else."""
    if params["talk"] == Talk.NONE and table["spoken"] > 0:
        return False
    if table["question"] < Question.FLOOR:
        return bool(table["floor"] == 0 and table["claims_left"] == 0 and table["verb"] == Verb.SILENT)
    if params["talk"] == Talk.NONE or table["stage"] != Stage.TURN or table["depth"] > 0:
        return False
    if table["action_done"] or table["card_played"] or table["claims_left"] == 0 or table["floor"] == 0:
        return False
    if (params["talk_active_only"] and table["floor"] > 1) or table["asked"] != speaker(table):
        return False
    return bool(table["optional"] == 0 and object_fits(table))


@kernel
def object_fits(table: Record) -> bool:
    """RH-9.4: what a claim may be about is what its verb allows."""
    verb = int(table["verb"])
    spaces = 0
    seats = 0
    if (table["question"] == Question.ABOUT) != (verb != Verb.SILENT) or is_of_itself(verb):
        return False
    if is_of_spaces(verb):
        spaces = spaces_to_name(table, int(table["asked"]), verb)
    elif verb != Verb.SILENT:
        seats = seats_to_name(table, int(table["asked"]), verb)
    return bool(table["spaces"] == spaces and table["seats"] == seats and (verb == Verb.SILENT or spaces | seats != 0))


@kernel
def own_words_fit(table: Record, seat: int) -> bool:
    """RH-9.4: what a seat says of itself: a role that isn't the chief's and its camp, a promise."""
    word = int(table["own_words"][seat])
    role = word % PROMISE_UNIT - 1
    if seat >= int(table["num_players"]) or table["said_count"] == 0:
        return word == 0
    if role < 0:
        return True
    if role == Role.CHIEF or role >= NUM_ROLES:
        return False
    return int(table["seat_words"][seat, seat]) % ASK_UNIT == 1 + int(CAMP_OF_ROLE[role])


@kernel
def tile_word_fits(table: Record, seat: int, space: int) -> bool:
    """RH-9.7: claims that stand and urges are about face-down tiles; past claims about tiles."""
    word = int(table["tile_words"][seat, space])
    if word == 0:
        return True
    if seat >= int(table["num_players"]) or table["said_count"] == 0 or word % URGE_UNIT >= TILE_CLAIM_CODES:
        return False
    stands = word >= URGE_UNIT or word <= NUM_TILE_CLAIMS
    if stands:
        return (int(table["face_down"]) >> space) & 1 == 1
    return (int(table["occupied"]) >> space) & 1 == 1


@kernel
def seat_word_fits(table: Record, seat: int, other: int) -> bool:
    """RH-9.4: what a seat says of another; it doesn't judge itself."""
    word = int(table["seat_words"][seat, other])
    if word == 0:
        return True
    if max(seat, other) >= int(table["num_players"]) or table["said_count"] == 0:
        return False
    return word // ASK_UNIT % (JUDGE_UNIT // ASK_UNIT) < 3 and not (seat == other and word >= JUDGE_UNIT)


@kernel
def claims_fit(table: Record) -> bool:
    """RH-9.7: the ring holds the last claims and nothing else, in the order of events and turns."""
    said_count = int(table["said_count"])
    if said_count > int(table["spoken"]):
        return False
    events = int(table["event_count"])
    turn = int(table["turn"])
    for age in range(MAX_EVENTS):
        word = claim_at(table, age)
        if age >= said_count:
            if word != 0:
                return False
        elif not claim_fits(table, word) or not between(word >> 32, 0, events) or byte_of(word, 3) > turn:
            return False
        else:
            events = word >> 32
            turn = byte_of(word, 3)
    return True


@kernel
def claim_fits(table: Record, word: int) -> bool:
    """RH-9.4: a claim has a speaker, a verb and the object that the verb needs."""
    verb = byte_of(word, 1)
    about = byte_of(word, 2)
    if not between(byte_of(word, 0), 1, int(table["num_players"])) or not between(verb, 1, NUM_VERBS - 1):
        return False
    if not between(byte_of(word, 3), 1, 127):
        return False
    if is_of_itself(verb):
        return about == 0
    if is_of_spaces(verb):
        return between(about, 1, NUM_SPACES) and (int(table["occupied"]) >> (about - 1)) & 1 == 1
    return between(about, 1, int(table["num_players"]))
