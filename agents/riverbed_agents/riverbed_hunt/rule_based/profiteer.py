"""The profiteer: when it declares the Con and what it turns up in it.

The outcome of a Con is estimated over all pairs of a tile within reach and another tile anywhere. The Con is declared
if it wins at once or gains clearly more than a plain reveal.
"""

from __future__ import annotations

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, Camp
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..observation_reader import FIRST, Vector, feature, in_reach, is_face_down, is_known, kernel, own_space
from .leader import power_margin
from .tiles import NEVER, WON, best_in_reach, chance, chance_after, chance_now, to_go
from .weights import CON_MARGIN

CAMP = int(Camp.PROFITEER)


@kernel
def pair_chance(observation: Vector, outlook: Record, first: int, second: int) -> float:
    """RH-5.3: the profiteer's chance after both tiles; if one is unknown, the sum of their worths."""
    now = chance_now(observation, CAMP)
    if not is_known(observation, first) or not is_known(observation, second):
        return float(min(WON, now + outlook["worths"][first, CAMP] + outlook["worths"][second, CAMP]))
    after_first = chance_after(observation, CAMP, first, 1)
    if after_first >= WON or after_first <= 0.0:
        return after_first
    return chance(
        CAMP,
        feature(observation, second, FIRST),
        to_go(observation, 0) - feature(observation, first, 0) - feature(observation, second, 0),
        to_go(observation, 1) - feature(observation, first, 1) - feature(observation, second, 1),
        to_go(observation, 2) - feature(observation, first, 2) - feature(observation, second, 2),
    )


@kernel
def best_pair_with(observation: Vector, outlook: Record, first: int) -> float:
    """The chance after a tile and the best second tile anywhere."""
    best = NEVER
    for second in range(NUM_SPACES):
        if second != first and is_face_down(observation, second):
            best = max(best, pair_chance(observation, outlook, first, second))
    if best == NEVER:
        return float(chance_now(observation, CAMP) + outlook["worths"][first, CAMP])
    return best


@kernel
def conning_pays(observation: Vector, outlook: Record) -> bool:
    """Whether to declare the Con when asked: it wins, or gains more than a plain reveal by a margin."""
    here = own_space(observation)
    after = NEVER
    for first in range(NUM_SPACES):
        if is_face_down(observation, first) and in_reach(observation, here, first):
            after = max(after, best_pair_with(observation, outlook, first))
    if after >= WON:
        return True
    plain = best_in_reach(observation, outlook, CAMP, here)
    return after - chance_now(observation, CAMP) - plain > power_margin(observation, CAMP, CON_MARGIN)


@kernel
def first_conned(observation: Vector, mask: Vector, outlook: Record, stream: Record) -> int:
    """The first tile of a Con: the one with the best pair."""
    best = -1
    best_score = 2 * NEVER
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            score = best_pair_with(observation, outlook, space) + 0.01 * uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return A.SPACE + best
