"""Small kernels that games share.

They expect a record `table` with what everybody sees (`ending`, the ring `events` with its `event_count`, `tally`)
and the streams `agents` for what players draw and `chance` for chance in play.
"""

from .actions import WAIT
from .compile import Numbers, Record, Records, Vector, Whole, kernel
from .vocab import MAX_EVENTS, Refusal

Limits = Whole

UNDECIDED = -1  # no common reason to refuse: the game's own rules decide
BYTE = 8  # bits
LAST_BYTE = 255


@kernel
def keep(array: Records) -> None:
    """Keep an array until here: Numba frees it after its last use, even while records of it are in use."""


@kernel
def only_legal(mask: Vector) -> int:
    """The only action whose mask is 1; -1 if there are none or several."""
    only = -1
    for action in range(len(mask)):
        if mask[action]:
            if only >= 0:
                return -1
            only = action
    return only


@kernel
def ending(game: Record) -> int:
    """0 playing, 1 over by the rules, 2 truncated."""
    return int(game["table"]["ending"])


@kernel
def current_seat(game: Record) -> int:
    """The seat that has to choose, -1 at the end."""
    return int(game["table"]["asked"])


@kernel
def agent_stream(game: Record) -> Record:
    """The game's random stream for what its players draw."""
    stream: Record = game["agents"]
    return stream


@kernel
def chance_stream(game: Record) -> Record:
    """The game's random stream for chance in play."""
    stream: Record = game["chance"]
    return stream


@kernel
def pay(winners: int, num_players: int, zero_sum: int, out: Numbers) -> None:
    """Write each seat's return: +1 to winners, -1 to losers; `zero_sum`: each side shares 1, 0 without another side.

    winners: bits of seats.
    """
    count = 0
    for seat in range(num_players):
        count += (winners >> seat) & 1
    for seat in range(num_players):
        won = (winners >> seat) & 1
        if not zero_sum:
            out[seat] = 1 if won else -1
        elif 0 < count < num_players:
            out[seat] = 1 / count if won else -1 / (num_players - count)


@kernel
def common_refusal(num_actions: int, asked: int, playing: int, action: int) -> int:
    """Why any game refuses the action, as a Refusal; UNDECIDED if the game's own rules have to decide.

    asked: 1 for the current seat; playing: 1 until the game is over.
    """
    if action < 0 or action >= num_actions:
        return Refusal.NO_SUCH_ACTION
    elif not asked and action == WAIT:
        return Refusal.OK
    elif not playing:
        return Refusal.GAME_OVER
    elif not asked:
        return Refusal.NOT_ASKED
    elif action == WAIT:
        return Refusal.MUST_ANSWER
    return UNDECIDED


@kernel
def newest_event(count: int) -> int:
    """The newest event's place in the ring after `count` events; older events follow it and wrap round at the end."""
    return (MAX_EVENTS - count % MAX_EVENTS) % MAX_EVENTS


@kernel
def append_event(table: Record, word: int) -> None:
    """Append a public event, as one word, to the ring."""
    count = int(table["event_count"]) + 1
    table["events"][newest_event(count)] = word
    table["event_count"] = count


@kernel
def event_at(table: Record, age: int) -> int:
    """The event of this age in the ring, as one word; the newest has age 0."""
    return int(table["events"][(newest_event(int(table["event_count"])) + age) % MAX_EVENTS])


@kernel
def byte_of(word: int, place: int) -> int:
    """Byte `place` of an event's word, the lowest first, from 0 to 255."""
    return (word >> (BYTE * place)) & LAST_BYTE


@kernel
def events_are_sound(table: Record, num_players: int, seats: int, limits: Limits) -> bool:
    """Whether the ring holds the last events and nothing else, and the tally counts them.

    seats: how many fields after the first, the kind, hold 1 + a seat. limits: see `EventSpec.limits`.
    """
    total = 0
    for kind in range(len(table["tally"])):
        if table["tally"][kind] < 0:
            return False
        total += int(table["tally"][kind])
    return bool(total == int(table["event_count"]) and ring_is_sound(table, num_players, seats, limits))


@kernel
def ring_is_sound(table: Record, num_players: int, seats: int, limits: Limits) -> bool:
    """Whether the ring holds the last events with their fields in range, and 0 where there is none."""
    for age in range(MAX_EVENTS):
        event = event_at(table, age)
        if age >= int(table["event_count"]):
            if event != 0:
                return False
        elif not fields_fit(event, field_of(event, 0, limits), limits):
            return False
        for place in range(1, 1 + seats):
            if field_of(event, place, limits) > num_players:
                return False
    return bool(table["event_count"] >= 0)


@kernel
def field_of(word: int, field: int, limits: Limits) -> int:
    """A field of an event's word, by its place in the event's table. limits: see `EventSpec.limits`."""
    return (word >> int(limits[0, 0, field])) & int(limits[1, 0, field])


@kernel
def fields_fit(word: int, kind: int, limits: Limits) -> bool:
    """Whether the fields of a word are in the ranges of its kind. limits: see `EventSpec.limits`."""
    if word < 0 or not 1 <= kind < limits.shape[1]:
        return False
    for field in range(limits.shape[2]):
        if not limits[2, kind, field] <= field_of(word, field, limits) <= limits[3, kind, field]:
            return False
    return True


@kernel
def clockwise(seat: int, observer: int, num_players: int) -> int:
    """How many seats a seat sits clockwise from the observer."""
    place = seat - observer
    if place < 0:
        place += num_players
    return place
