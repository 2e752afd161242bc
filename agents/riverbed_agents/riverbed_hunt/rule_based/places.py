"""Where to place and move meeples: near tiles worth revealing, turning down or viewing, away from other meeples."""

import numpy as np

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_CARD_KINDS, NUM_SPACES
from riverbed_env.kernels.compile import Record, Vector

from ..kernels import kernel
from ..sight import is_face_down, is_known, is_occupied, pick, players, reached, space_of
from ..uses import SWIMS, Use, use_of
from .tiles import NEVER, best_burying
from .weights import BURY_IN_REACH, KNOWN_IN_REACH, NEIGHBOUR, UNKNOWN_IN_REACH


@kernel
def place_worth(view: Record, params: Record, outlook: Record, space: int, camp: int, buries: bool) -> float:
    """What standing on a space is worth: part of the best known tile within reach, plus something for unknown ones.

    Each other meeple nearby costs something, because it would look at and turn up the same tiles. buries: whether the
    observer holds a card that turns down a tile within reach; then the best such tile counts too. Call `count_others`
    first.
    """
    best = 0.0
    unknown = 0
    for side in range(-1, 2):
        place = reached(view, space, side)
        if place >= 0 and is_face_down(view, place):
            if is_known(view, place):
                best = max(best, outlook["worths"][place, camp])
            else:
                unknown += 1
    worth = KNOWN_IN_REACH * best + UNKNOWN_IN_REACH * unknown + NEIGHBOUR * outlook["others_near"][space]
    if buries:
        worth += BURY_IN_REACH * max(0.0, best_burying(view, params, camp, space))
    return float(worth)


@kernel
def count_others(view: Record, outlook: Record) -> None:
    """Count the other meeples on each space or next to it along the river."""
    on = outlook["others_on"]
    on[:] = 0
    for seat in range(1, players(view)):
        on[space_of(view, seat) + 1] += 1
    on[0] = 0  # where those stand who aren't placed
    for space in range(NUM_SPACES):
        outlook["others_near"][space] = on[space] + on[space + 1] + on[space + 2]


@kernel
def holds_burial(view: Record, params: Record) -> bool:
    """Whether the observer holds a card that turns down a tile."""
    for card in range(MAX_CARD_KINDS):
        if view["private"]["hand"][card] and (use_of(params, card) == Use.BURY or use_of(params, card) == Use.DELUDE):
            return True
    return False


@kernel
def best_place(
    view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, camp: int, sign: float
) -> int:
    """The allowed space worth most (sign 1) or least (sign -1) to a camp, ties at random; -1 if there is none."""
    scores = np.zeros(NUM_SPACES)
    buries = sign > 0 and holds_burial(view, params)
    count_others(view, outlook)
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            scores[space] = sign * place_worth(view, params, outlook, space, camp, buries)
    return pick(scores, mask, A.SPACE, 0.01, stream)


@kernel
def swim_gain(view: Record, params: Record, outlook: Record, here: int, camp: int) -> float:
    """What the best swim adds to the worth of the place; assumes the full board and considers ends with a tile."""
    best = NEVER
    buries = holds_burial(view, params)
    count_others(view, outlook)
    for space in range(NUM_SPACES):
        if SWIMS[here, space] and is_occupied(view, space):
            best = max(best, place_worth(view, params, outlook, space, camp, buries))
    return best - place_worth(view, params, outlook, here, camp, buries)
