"""What an agent reads of its view. Seats are counted clockwise from the observer, as actions count them."""

import numpy as np

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.stack import count_bits, signed_byte_of
from riverbed_env.games.riverbed_hunt.rules.vocab import CAMP_OF, MAX_CARD_KINDS, NO_TILE, NUM_SPACES, Question, Source
from riverbed_env.kernels.common import clockwise
from riverbed_env.kernels.compile import Floats, Record, Vector
from riverbed_env.kernels.random import uniform

from .kernels import kernel

Left = tuple[int, int, int]  # what the tracks have to go: kelp, log, coin

ICON, TEXT, LAYERS, FIRST = 3, 4, 5, 6  # features of a tile besides its elements
CAMPS = np.array(CAMP_OF, np.int8)
NO_SOURCE = int(Source.NONE)
LOWEST = -1e9  # below every score


@kernel
def pick(scores: Floats, mask: Vector, start: int, noise: float, stream: Record) -> int:
    """The allowed place with the highest score, plus up to `noise`, so ties at random; -1 if there is none.

    start: the action that stands for place 0.
    """
    best = -1
    most = LOWEST
    for place in range(len(scores)):
        if mask[start + place]:
            score = scores[place] + noise * uniform(stream)
            if score > most:
                best = place
                most = score
    return best


@kernel
def or_stop(space: int) -> int:
    """The action that chooses a space; STOP for -1."""
    return A.STOP if space < 0 else A.SPACE + space


@kernel
def may_play_a_card(mask: Vector) -> bool:
    """Whether a card can be played, or discarded."""
    return bool(mask[A.CARD : A.CARD + MAX_CARD_KINDS].any())


@kernel
def seat_at(view: Record, place: int) -> int:
    """The number of the seat that sits so many seats clockwise from the observer."""
    seat = int(view["seat"]) + place
    return seat - players(view) if seat >= players(view) else seat


@kernel
def place_of(view: Record, seat: int) -> int:
    """How many seats clockwise from the observer a seat sits."""
    return clockwise(seat, int(view["seat"]), players(view))


@kernel
def players(view: Record) -> int:
    """The number of players."""
    return int(view["table"]["num_players"])


@kernel
def own_camp(view: Record) -> int:
    """The observer's camp; a camp has the same number as its track."""
    return int(CAMPS[int(view["private"]["role"])])


@kernel
def is_known(view: Record, space: int) -> bool:
    """Whether the observer knows the tile on a space."""
    return bool(view["private"]["known"][space] != NO_TILE)


@kernel
def feature(view: Record, params: Record, space: int, which: int) -> int:
    """A feature of the tile on a space; 0 if the observer doesn't know the tile."""
    return int(params["features"][int(view["private"]["known"][space]), which])


@kernel
def to_go(view: Record, params: Record, track: int) -> int:
    """How many elements a track has to go."""
    return max(0, int(params["endpoints"][track]) - int(view["table"]["tracks"][track]))


@kernel
def left_to_go(view: Record, params: Record) -> Left:
    """What each track has to go."""
    return to_go(view, params, 0), to_go(view, params, 1), to_go(view, params, 2)


@kernel
def left_after(params: Record, left: Left, number: int, sign: int = 1) -> Left:
    """What each track has to go after the tile of this number is turned up (sign 1) or down (sign -1)."""
    adds = params["features"][number]
    return left[0] - sign * int(adds[0]), left[1] - sign * int(adds[1]), left[2] - sign * int(adds[2])


@kernel
def ended_by(first: int, left: Left) -> int:
    """RH-6.2: the track that has ended with this much to go; -1 if none has.

    first: 1 + the tile's top element, which ends its track before the others; 0 for none.
    """
    kelp, log, coin = left
    if (first == 1 and kelp <= 0) or (first == 2 and log <= 0) or (first == 3 and coin <= 0):
        return first - 1
    if kelp <= 0:
        return 0
    elif log <= 0:
        return 1
    elif coin <= 0:
        return 2
    return -1


@kernel
def known_tile(view: Record, space: int) -> int:
    """The number of the tile on a space, 0 if the observer doesn't know it; that one has no features."""
    return int(view["private"]["known"][space])


@kernel
def ending_track(view: Record, params: Record, space: int) -> int:
    """The track that the tile on a space would end if it were turned up; -1 if none or if it isn't known."""
    number = known_tile(view, space)
    return ended_by(int(params["features"][number, FIRST]), left_after(params, left_to_go(view, params), number))


@kernel
def is_occupied(view: Record, space: int) -> bool:
    """Whether a tile lies on a space."""
    return bool((int(view["table"]["occupied"]) >> space) & 1)


@kernel
def is_face_down(view: Record, space: int) -> bool:
    """Whether a face-down tile lies on a space."""
    return bool((int(view["table"]["face_down"]) >> space) & 1)


@kernel
def space_of(view: Record, place: int) -> int:
    """The space of a seat's meeple; -1 before it is placed."""
    return int(view["table"]["position"][seat_at(view, place)])


@kernel
def reached(view: Record, space: int, side: int) -> int:
    """RH-2.4: the space within reach before (side -1), at (0) or after (1) a space; -1 if there is no tile."""
    place = space + side
    while 0 <= place < NUM_SPACES:
        if is_occupied(view, place):
            return place
        if side == 0:
            return -1
        place += side
    return -1


@kernel
def in_reach(view: Record, space: int, place: int) -> bool:
    """RH-2.4: whether the tile on `place` is within reach of a meeple on `space`."""
    side = 0
    if place != space:
        side = 1 if place > space else -1
    return reached(view, space, side) == place


@kernel
def unknown_in_reach(view: Record, here: int) -> int:
    """The number of face-down tiles within reach of a space that the observer doesn't know."""
    total = 0
    for side in range(-1, 2):
        space = reached(view, here, side)
        if space >= 0 and is_face_down(view, space) and not is_known(view, space):
            total += 1
    return total


@kernel
def shown_role(view: Record, place: int) -> int:
    """A seat's public role, else -1."""
    return int(view["table"]["role"][seat_at(view, place)])


@kernel
def known_role(view: Record, place: int) -> int:
    """A seat's role if the observer knows it, its own apart; else -1."""
    seat = seat_at(view, place)
    return max(int(view["table"]["role"][seat]), int(view["private"]["looked"][seat]))


@kernel
def has_seen(view: Record, place: int, space: int) -> int:
    """1 if the seat has looked at the tile that lies on the space, else 0."""
    return (int(view["table"]["seen"][seat_at(view, place)]) >> space) & 1


@kernel
def tiles_seen(view: Record, place: int) -> int:
    """The number of face-down tiles that the seat has looked at."""
    return count_bits(int(view["table"]["seen"][seat_at(view, place)]) & int(view["table"]["face_down"]))


@kernel
def may_lie(view: Record, tile: int, space: int) -> int:
    """RH-8.3: 1 if the tile with number `tile + 1` may lie on the space, else 0."""
    return (int(view["private"]["possible"][tile]) >> space) & 1


@kernel
def times_asked(view: Record, place: int) -> int:
    """In how many co-ops the observer has asked the seat."""
    return signed_byte_of(int(view["table"]["asks"][int(view["seat"])]), place - 1)


@kernel
def is_on_floor(view: Record) -> bool:
    """RH-9.2: whether a claim is asked, its verb or what it is about."""
    question = int(view["table"]["question"])
    return question == Question.FLOOR or question == Question.ABOUT


@kernel
def source_of(view: Record) -> int:
    """The Source of the effect under way."""
    depth = int(view["table"]["depth"])
    return int(view["table"]["frames"][depth - 1]["source"]) if depth > 0 else NO_SOURCE


@kernel
def card_under_way(view: Record) -> int:
    """The kind of the card under way, -1 for none."""
    if source_of(view) != Source.CARD:
        return -1
    return int(view["table"]["frames"][int(view["table"]["depth"]) - 1]["thing"])


@kernel
def some_chosen(view: Record) -> bool:
    """Whether a space was chosen for the effect under way."""
    depth = int(view["table"]["depth"])
    if depth == 0:
        return False
    frame = view["table"]["frames"][depth - 1]
    return bool(int(frame["chosen"]) | int(frame["before"]) | int(frame["swapped"]))
