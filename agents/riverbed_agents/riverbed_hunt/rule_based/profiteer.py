"""The profiteer: when it declares the Con and what it turns up in it.

The outcome of a Con is estimated over all pairs of a tile within reach and another tile anywhere. The Con is declared
if it wins at once or gains clearly more than a plain reveal.
"""

import numpy as np

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, Camp
from riverbed_env.kernels.compile import Record, Vector

from ..kernels import kernel
from ..sight import FIRST, in_reach, is_face_down, is_known, known_tile, left_after, left_to_go, pick, space_of
from .leader import power_margin
from .tiles import NEVER, WON, best_in_reach, chance, chance_after, chance_now
from .weights import CON_MARGIN

CAMP = int(Camp.PROFITEER)


@kernel
def pair_chance(view: Record, params: Record, outlook: Record, first: int, second: int) -> float:
    """RH-5.3: the profiteer's chance after both tiles; if one is unknown, the sum of their worths."""
    now = chance_now(view, params, CAMP)
    if not is_known(view, first) or not is_known(view, second):
        return float(min(WON, now + outlook["worths"][first, CAMP] + outlook["worths"][second, CAMP]))
    after_first = chance_after(view, params, CAMP, first, 1)
    if after_first >= WON or after_first <= 0.0:
        return after_first
    left = left_after(params, left_to_go(view, params), known_tile(view, first))
    number = known_tile(view, second)
    return chance(CAMP, int(params["features"][number, FIRST]), left_after(params, left, number))


@kernel
def best_pair_with(view: Record, params: Record, outlook: Record, first: int) -> float:
    """The chance after a tile and the best second tile anywhere."""
    best = NEVER
    for second in range(NUM_SPACES):
        if second != first and is_face_down(view, second):
            best = max(best, pair_chance(view, params, outlook, first, second))
    if best == NEVER:
        return float(chance_now(view, params, CAMP) + outlook["worths"][first, CAMP])
    return best


@kernel
def conning_pays(view: Record, params: Record, outlook: Record) -> bool:
    """Whether to declare the Con when asked: it wins, or gains more than a plain reveal by a margin."""
    here = space_of(view, 0)
    after = NEVER
    for first in range(NUM_SPACES):
        if is_face_down(view, first) and in_reach(view, here, first):
            after = max(after, best_pair_with(view, params, outlook, first))
    if after >= WON:
        return True
    plain = best_in_reach(view, params, outlook, CAMP, here)
    return after - chance_now(view, params, CAMP) - plain > power_margin(view, params, CAMP, CON_MARGIN)


@kernel
def first_conned(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record) -> int:
    """The first tile of a Con: the one with the best pair."""
    scores = np.zeros(NUM_SPACES)
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            scores[space] = best_pair_with(view, params, outlook, space)
    return A.SPACE + pick(scores, mask, A.SPACE, 0.01, stream)
