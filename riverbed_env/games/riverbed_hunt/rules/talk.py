"""RH-9, talk: the floor at the beginning of each turn, what a seat may claim there, and what stands of it.

What stands is kept in small codes, as vocab's constants say: `tile_words` what a speaker says of a tile, `seat_words`
what it says of a seat, `own_words` what it says of itself. Everything here reads the public table alone.
"""

import numpy as np

from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v
from .actions import A
from .stack import ask

CAMP_OF_ROLE = np.array(v.CAMP_OF, np.int8)


@kernel
def open_floor(table: Record, params: Record) -> None:
    """RH-9.2: at the beginning of a turn every seat may speak, or only the active one."""
    if params["talk"] == v.Talk.NONE:
        return
    table["floor"] = 1 if params["talk_active_only"] else int(table["num_players"])
    table["claims_left"] = params["talk_budget"]


@kernel
def speaker(table: Record) -> int:
    """RH-9.2: who has the floor: clockwise from the seat after the active one, which speaks last."""
    num_players = int(table["num_players"])
    return (int(table["active"]) + 1 + num_players - int(table["floor"])) % num_players


@kernel
def pass_floor(table: Record, params: Record) -> None:
    """RH-9.2, RH-9.3: the next seat may speak, or the floor closes."""
    table["floor"] = int(table["floor"]) - 1
    table["claims_left"] = params["talk_budget"]
    if table["floor"] == 0:
        table["claims_left"] = 0


@kernel
def is_of_spaces(verb: int) -> bool:
    """RH-9.4: whether a claim is about a tile."""
    return v.Verb.BEARS_KELP <= verb <= v.Verb.BEARS_NONE or verb == v.Verb.TURN_UP or verb == v.Verb.LEAVE


@kernel
def is_of_itself(verb: int) -> bool:
    """RH-9.4: whether a claim is about the speaker alone, so that its verb says all: a role or a promise."""
    return v.Verb.MERCHANT <= verb <= v.Verb.PROFITEER or v.Verb.PROMISE_KELP <= verb <= v.Verb.PROMISE_COIN


@kernel
def spaces_to_name(table: Record, seat: int, verb: int) -> int:
    """RH-9.4, RH-9.6: bits of the face-down tiles of which the seat doesn't say this already."""
    spaces = 0
    for space in range(v.NUM_SPACES):
        word = int(table["tile_words"][seat, space])
        if verb == v.Verb.TURN_UP or verb == v.Verb.LEAVE:
            said = word // v.URGE_UNIT == verb - v.Verb.TURN_UP + 1
        else:
            said = word % v.URGE_UNIT == verb - v.Verb.BEARS_KELP + 1
        if not said:
            spaces |= 1 << space
    return spaces & int(table["face_down"])


@kernel
def seats_to_name(table: Record, seat: int, verb: int) -> int:
    """RH-9.4, RH-9.6: bits of the seats of which the seat doesn't say this already.

    Ruling: a public role ends claims of its camp; such a seat can still be asked for, believed and doubted.
    """
    seats = 0
    for other in range(int(table["num_players"])):
        word = int(table["seat_words"][seat, other])
        if verb < v.Verb.MERCHANT:
            allowed = word % v.ASK_UNIT != verb and table["role"][other] == v.Role.UNKNOWN
        elif verb < v.Verb.BELIEVE:
            allowed = word // v.ASK_UNIT % (v.JUDGE_UNIT // v.ASK_UNIT) != verb - v.Verb.ASK + 1
        else:
            allowed = word // v.JUDGE_UNIT != verb - v.Verb.BELIEVE + 1 and other != seat
        if allowed:
            seats |= 1 << other
    return seats


@kernel
def claim_refusal(table: Record, seat: int, verb: int) -> int:
    """RH-9.6: why the seat that has the floor can't begin with this verb; silence is always allowed."""
    own = int(table["own_words"][seat])
    if verb == v.Verb.SILENT:
        return v.Refusal.OK
    if v.Verb.MERCHANT <= verb <= v.Verb.PROFITEER:
        if table["role"][seat] != v.Role.UNKNOWN:
            return v.Refusal.ROLE_PUBLIC
        said = own % v.PROMISE_UNIT == 1 + role_claimed(verb)
    elif is_of_itself(verb):
        said = own // v.PROMISE_UNIT == verb - v.Verb.PROMISE_KELP + 1
    elif is_of_spaces(verb):
        said = spaces_to_name(table, seat, verb) == 0
    else:
        said = seats_to_name(table, seat, verb) == 0
    return v.Refusal.CLAIMED_ALREADY if said else v.Refusal.OK


@kernel
def role_claimed(verb: int) -> int:
    """RH-9.4: the Role that a verb claims; the chief, who is public, is none of them."""
    return verb - v.Verb.MERCHANT + v.Role.MERCHANT


@kernel
def speak(table: Record, params: Record, seat: int, question: int, action: int) -> None:
    """RH-9.3: the seat that has the floor is silent, chooses a verb, or names what the verb is about."""
    if question == v.Question.ABOUT:
        verb = int(table["verb"])
        table["verb"] = v.Verb.SILENT
        about = action - A.SPACE
        if action >= A.SEAT:
            about = (seat + action - A.SEAT) % int(table["num_players"])
        claim(table, params, seat, verb, about)
        return
    verb = action - A.SILENT
    if verb == v.Verb.SILENT:
        pass_floor(table, params)
    elif is_of_itself(verb):
        claim(table, params, seat, verb, v.NOBODY)
    else:
        table["verb"] = verb
        if is_of_spaces(verb):
            ask(table, seat, v.Question.ABOUT, spaces_to_name(table, seat, verb), 0, 0)
        else:
            ask(table, seat, v.Question.ABOUT, 0, seats_to_name(table, seat, verb), 0)


@kernel
def claim(table: Record, params: Record, seat: int, verb: int, about: int) -> None:
    """RH-9.3, RH-9.5, RH-9.7: make a claim, true or not; it replaces what the seat said of the same thing before."""
    if is_of_itself(verb):
        say_of_oneself(table, seat, verb)
    elif is_of_spaces(verb):
        word = int(table["tile_words"][seat, about])  # RH-9.4: what a tile bears, or whether to turn it up
        if verb >= v.Verb.TURN_UP:
            word = word % v.URGE_UNIT + (verb - v.Verb.TURN_UP + 1) * v.URGE_UNIT
        else:
            word = word - word % v.URGE_UNIT + verb - v.Verb.BEARS_KELP + 1
        table["tile_words"][seat, about] = word
    else:
        say_of_seat(table, seat, verb, about)
    # RH-9.7: one word, a byte each: 1 + speaker, verb, 1 + seat or space, turn (at most 127); then the events.
    count = int(table["said_count"]) + 1
    word = (seat + 1) | (verb << 8) | ((about + 1) << 16) | (min(127, int(table["turn"])) << 24)
    table["said"][newest_event(count)] = word | (int(table["event_count"]) << 32)
    table["said_count"] = count
    table["claims_left"] = int(table["claims_left"]) - 1
    if table["claims_left"] == 0:
        pass_floor(table, params)


@kernel
def say_of_oneself(table: Record, seat: int, verb: int) -> None:
    """RH-9.4: a role, which claims its camp too, or a promise."""
    role = int(table["own_words"][seat]) % v.PROMISE_UNIT
    promise = int(table["own_words"][seat]) // v.PROMISE_UNIT
    if verb >= v.Verb.PROMISE_KELP:
        promise = verb - v.Verb.PROMISE_KELP + 1
    else:
        role = 1 + role_claimed(verb)
        camp = int(CAMP_OF_ROLE[role_claimed(verb)])
        word = int(table["seat_words"][seat, seat])
        table["seat_words"][seat, seat] = word - word % v.ASK_UNIT + 1 + camp
    table["own_words"][seat] = role + promise * v.PROMISE_UNIT


@kernel
def say_of_seat(table: Record, seat: int, verb: int, other: int) -> None:
    """RH-9.4: a camp, whether to ask the seat, or whether to believe it.

    RH-9.7: another camp of oneself ends the role claimed before, whose own camp can't be claimed again.
    """
    word = int(table["seat_words"][seat, other])
    camp = word % v.ASK_UNIT
    urged = word // v.ASK_UNIT % (v.JUDGE_UNIT // v.ASK_UNIT)
    judged = word // v.JUDGE_UNIT
    if verb <= v.NUM_CAMPS:
        camp = verb
        if other == seat:
            own = int(table["own_words"][seat])
            table["own_words"][seat] = own - own % v.PROMISE_UNIT
    elif verb < v.Verb.BELIEVE:
        urged = verb - v.Verb.ASK + 1
    else:
        judged = verb - v.Verb.BELIEVE + 1
    table["seat_words"][seat, other] = camp + urged * v.ASK_UNIT + judged * v.JUDGE_UNIT


@kernel
def claim_at(table: Record, age: int) -> int:
    """The claim of this age in the ring, as one word; the newest has age 0."""
    return int(table["said"][(newest_event(int(table["said_count"])) + age) % MAX_EVENTS])


@kernel
def end_claims_on(table: Record, space: int) -> None:
    """RH-9.7: a tile is turned up: claims on it become past ones, and nobody urges anything about it any longer."""
    for seat in range(int(table["num_players"])):
        code = int(table["tile_words"][seat, space]) % v.URGE_UNIT
        if 0 < code <= v.NUM_TILE_CLAIMS:
            code += v.NUM_TILE_CLAIMS
        table["tile_words"][seat, space] = code


@kernel
def swap_claims(table: Record, first: int, second: int) -> None:
    """RH-9.7: what was said of two tiles moves with them."""
    for seat in range(int(table["num_players"])):
        words = table["tile_words"][seat]
        words[first], words[second] = words[second], words[first]


@kernel
def shuffle_claims(table: Record, shuffled: int) -> None:
    """RH-9.7: what was said of shuffled tiles ends; the ring keeps it."""
    for space in range(v.NUM_SPACES):
        if (shuffled >> space) & 1:
            for seat in range(int(table["num_players"])):
                table["tile_words"][seat, space] = 0


assert v.TILE_CLAIM_CODES <= v.URGE_UNIT
