"""Write observations, from views alone, and full states for central critics."""

import numpy as np

from riverbed_env.kernels.common import byte_of, clockwise, newest_event
from riverbed_env.kernels.compile import Record, Vector, Whole
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.vocab import MAX_EVENTS

from . import kernel
from . import vocab as v
from .pieces import AT, COUNTED, NOW_SIZE, OBSERVATION, STATE_AT
from .state import look
from .talk import claim_at, is_of_spaces

Words = Whole  # the same memory as words of eight numbers

WORD = 8


@kernel
def write_observation(view: Record, params: Record, out: Vector) -> None:
    """Write the view's observation. out: (OBSERVATION_SIZE,) int8 for view "history", (NOW_SIZE,) for "now"."""
    observer = int(view["seat"]) % v.MAX_SEATS  # the public's view counts from seat 0
    write_pieces(view["table"], view["private"], params, observer, out)


@kernel
def write_pieces(table: Record, own: Record, params: Record, observer: int, out: Vector) -> None:
    """Write all pieces from the public table and the observer's private part."""
    out[:] = 0
    words = viewed(out, np.int64)
    write_question(table, params, observer, out)
    write_seats(table, observer, out)
    write_river(table, params, out, words)
    write_own(table, own, params, observer, out, words)
    if len(out) > NOW_SIZE:
        write_tallies(table, observer, out, words)
        write_events(table, observer, words)
    if table["said_count"] > 0:
        write_standing(table, observer, out)
        if len(out) > NOW_SIZE:
            write_said(table, observer, out)


@kernel
def write_seat(seat: int, observer: int, num_players: int, start: int, out: Vector) -> None:
    """Write a seat one-hot, relative to the observer; nothing for NOBODY."""
    if seat >= 0:
        out[start + clockwise(seat, observer, num_players)] = 1


@kernel
def spread(bits: int) -> int:
    """Eight bits as eight numbers 0 or 1 in one word, the lowest bit first in memory (little-endian).

    The multiplication copies the seven low bits to the lowest bit of seven bytes; the eighth is added
    separately, since its copies would overlap the others.
    """
    return (((bits & 127) * 0x0002040810204081) & 0x0001010101010101) | (((bits >> 7) & 1) << 56)


@kernel
def write_bits(bits: int, start: int, words: Words) -> None:
    """Write the bit of each space as a number, from word `start` on."""
    words[start] = spread(bits & 255)
    words[start + 1] = spread(bits >> 8)


@kernel
def write_question(table: Record, params: Record, observer: int, out: Vector) -> None:
    """Write the options of talk, the stage, the question, the seat asked and the effect that asks."""
    num_players = int(table["num_players"])
    out[AT.num_players + num_players - v.MIN_PLAYERS] = 1
    out[AT.stage + int(table["stage"])] = 1
    out[AT.question + int(table["question"])] = 1
    write_seat(int(table["asked"]), observer, num_players, AT.asked, out)
    write_seat(int(table["active"]), observer, num_players, AT.active, out)
    out[AT.claim_verb + int(table["verb"])] = 1
    out[AT.talk + int(params["talk"])] = 1
    if params["talk"] != v.Talk.NONE:
        out[AT.talk + 3] = params["talk_active_only"]
        out[AT.talk + 4] = params["talk_budget"]
        out[AT.talk + 5] = table["claims_left"]
        out[AT.talk + 6] = table["floor"]
    depth = write_effect(table, AT.flags, AT.source, AT.source_card, out)
    if depth == 0:
        return
    frame = table["frames"][depth - 1]
    write_seat(int(frame["carrier"]), observer, num_players, AT.carrier, out)
    write_seat(int(frame["seat"]), observer, num_players, AT.chosen_seat, out)
    chosen = int(frame["chosen"]) | int(frame["before"]) | int(frame["swapped"])
    for space in range(v.NUM_SPACES):
        out[AT.chosen_spaces + space] = (chosen >> space) & 1


@kernel
def write_effect(table: Record, flags: int, source: int, card: int, out: Vector) -> int:
    """Write what is done of the turn, and the source and the card of the effect under way. Returns the table's depth.

    flags, source, card: where in `out`.
    """
    out[flags] = table["action_done"]
    out[flags + 1] = table["card_played"]
    out[flags + 2] = table["hunting"]
    out[flags + 3] = table["optional"]
    depth = int(table["depth"])
    if depth == 0:
        out[source] = 1
        return depth
    frame = table["frames"][depth - 1]
    out[source + int(frame["source"])] = 1
    if frame["source"] == v.Source.CARD:
        out[card + int(frame["thing"])] = 1
    return depth


@kernel
def write_seats(table: Record, observer: int, out: Vector) -> None:
    """Write the public facts about each player."""
    num_players = int(table["num_players"])
    slipped = int(table["slipped"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        out[AT.slipped + place] = (slipped >> seat) & 1
        role = int(table["role"][seat])
        if role >= 0:
            out[AT.roles_shown + place * v.NUM_ROLES + role] = 1
        space = int(table["position"][seat])
        if space >= 0:
            out[AT.positions + place * v.NUM_SPACES + space] = 1
        start = AT.readiness + place * 5
        out[start] = 1
        out[start + 1] = table["dive_ready"][seat]
        out[start + 2] = table["swim_ready"][seat]
        out[start + 3] = table["uncover_left"][seat]
        out[start + 4] = table["marker_left"][seat]
        out[AT.hand_sizes + place] = table["hand_size"][seat]


@kernel
def write_river(table: Record, params: Record, out: Vector, words: Words) -> None:
    """Write the tracks, the public facts about tiles, and the piles."""
    for track in range(v.NUM_TRACKS):
        reached = min(127, int(table["tracks"][track]))
        endpoint = int(params["endpoints"][track])
        out[AT.tracks + track] = reached
        out[AT.endpoints + track] = endpoint
        out[AT.to_go + track] = max(0, endpoint - reached)
    write_bits(int(table["occupied"]), AT.occupied // WORD, words)
    write_bits(int(table["occupied"]) & ~int(table["face_down"]), AT.face_up // WORD, words)
    write_bits(int(table["hunted"]), AT.hunted // WORD, words)
    out[AT.draw_pile] = table["draw_pile"]
    for card in range(v.MAX_CARD_KINDS):
        out[AT.discard_pile + card] = table["discard_pile"][card]
        out[AT.used_cards + card] = table["used"][card]


@kernel
def write_own(table: Record, own: Record, params: Record, observer: int, out: Vector, words: Words) -> None:
    """Write the observer's private knowledge: role, hand, roles looked at, tiles."""
    num_players = int(table["num_players"])
    if own["role"] >= 0:
        out[AT.own_role + int(own["role"])] = 1
    for card in range(v.MAX_CARD_KINDS):
        out[AT.own_hand + card] = own["hand"][card]
    for seat in range(num_players):
        role = int(own["looked"][seat])
        if role >= 0:
            out[AT.roles_looked_at + clockwise(seat, observer, num_players) * v.NUM_ROLES + role] = 1
    for space in range(v.NUM_SPACES):
        words[AT.known_tiles // WORD + space] = params["feature_words"][int(own["known"][space])]
    for tile in range(v.NUM_TILES):
        write_bits(int(own["possible"][tile]), AT.possible // WORD + tile * 2, words)


@kernel
def write_tallies(table: Record, observer: int, out: Vector, words: Words) -> None:
    """Write the public tallies: tiles seen, asks, deeds, choices and events counted."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        write_bits(int(table["seen"][seat]), AT.seen // WORD + place * 2, words)
        words[AT.asks // WORD + place] = table["asks"][seat]
        words[AT.deeds // WORD + place] = table["deeds"][seat]
        words[AT.choices // WORD + place] = table["choices"][seat]
    out[AT.counts] = min(127, int(table["turn"]))
    for place in range(len(COUNTED)):
        out[AT.counts + 1 + place] = min(127, int(table["tally"][COUNTED[place]]))


@kernel
def write_events(table: Record, observer: int, words: Words) -> None:
    """Write the last public events, newest first, one word each; actor and other are relative to the observer."""
    newest = newest_event(int(table["event_count"]))
    start = AT.events // WORD
    turned = MAX_EVENTS - newest  # how many of them lie in the ring from the newest to its end
    write_run(table, observer, newest, words[start : start + turned])
    write_run(table, observer, 0, words[start + turned : start + MAX_EVENTS])


@kernel
def write_run(table: Record, observer: int, first: int, words: Words) -> None:
    """Write events that lie side by side in the ring, from place `first` on; without branches, so that it is fast.

    Actor and other are bytes of 1 + seat, 0 for none. Both change at once: add num_players - observer, subtract
    num_players if the sum s exceeds it (then bit 6 of s + 63 - num_players is set), and keep 0 as it is.
    """
    num_players = int(table["num_players"])
    both = 0x010100
    shift = (num_players - observer) * both
    events = table["events"]
    for place in range(len(words)):
        event = events[first + place]
        seats = event & 0xFFFF00
        shifted = seats + shift
        wrapped = ((shifted + (63 - num_players) * both) >> 6) & both
        shifted -= wrapped * num_players
        present = ((seats + 63 * both) >> 6) & both
        words[place] = (event & ~0xFFFF00) | (shifted & (present * 255))


@kernel
def write_standing(table: Record, observer: int, out: Vector) -> None:
    """Write what each seat says of tiles, of the others and of itself; RH-9.7."""
    num_players = int(table["num_players"])
    for seat in range(num_players):
        place = clockwise(seat, observer, num_players)
        out[AT.own_words + place] = table["own_words"][seat]
        start = AT.tile_words + place * v.NUM_SPACES
        for space in range(v.NUM_SPACES):
            out[start + space] = table["tile_words"][seat, space]
        start = AT.seat_words + place * v.MAX_SEATS
        for other in range(num_players):
            out[start + clockwise(other, observer, num_players)] = table["seat_words"][seat, other]


@kernel
def write_said(table: Record, observer: int, out: Vector) -> None:
    """Write the last claims, newest first; speaker and seats are relative to the observer."""
    num_players = int(table["num_players"])
    for age in range(min(MAX_EVENTS, int(table["said_count"]))):
        word = claim_at(table, age)
        verb = byte_of(word, 1)
        about = byte_of(word, 2)
        if about > 0 and not is_of_spaces(verb):
            about = 1 + clockwise(about - 1, observer, num_players)
        start = AT.said + age * v.SAID_FIELDS
        out[start] = 1 + clockwise(byte_of(word, 0) - 1, observer, num_players)
        out[start + 1] = verb
        out[start + 2] = about
        out[start + 3] = byte_of(word, 3)


@kernel
def observe(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """Write the observation of any seat at any time. view: scratch."""
    look(game, seat, view)
    write_observation(view, params, out)


@kernel
def show(game: Record, params: Record, seat: int, view: Record, out: Vector) -> None:
    """Write what `observe` writes, but no view: a seat's record is as long as its observation and takes as long."""
    write_pieces(game["table"], game["private"][seat], params, seat, out)


PUBLIC_PLACES = OBSERVATION.public_places()


@kernel
def write_state(game: Record, params: Record, view: Record, scratch: Vector, out: Vector) -> None:
    """Write the full state. out: (STATE.size,) int8; scratch: (OBSERVATION_SIZE,) int8."""
    look(game, 0, view)
    write_observation(view, params, scratch)
    out[:] = 0
    for place in range(STATE_AT.roles):
        out[place] = scratch[PUBLIC_PLACES[place]]
    for seat in range(int(game["table"]["num_players"])):
        out[STATE_AT.roles + seat * v.NUM_ROLES + int(game["private"][seat]["role"])] = 1
        for card in range(v.MAX_CARD_KINDS):
            out[STATE_AT.hands + seat * v.MAX_CARD_KINDS + card] = game["private"][seat]["hand"][card]
    for space in range(v.NUM_SPACES):
        if game["tile_at"][space] != v.NO_TILE:
            out[STATE_AT.tiles + space * v.NUM_TILES + int(game["tile_at"][space]) - 1] = 1
    size = int(game["table"]["draw_pile"])
    for place in range(min(size, v.MAX_DECK)):
        out[STATE_AT.deck + place] = int(game["deck"][size - 1 - place]) + 1
