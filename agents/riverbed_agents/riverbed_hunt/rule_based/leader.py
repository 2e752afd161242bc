"""The separatist leader: when it declares the Hunt, and how it continues it.

The outcome of a Hunt is estimated in three steps: the best known tile with the Hunt icon within reach, then every other
known icon tile that gains, then an unknown tile if that gains on average. The Hunt is declared if it wins at once or
gains clearly more than a plain reveal.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, NUM_TRACKS, Camp
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..kernels import kernel
from ..sight import (
    FIRST,
    ICON,
    Vector,
    feature,
    in_reach,
    is_face_down,
    is_known,
    pick,
    space_of,
    to_go,
    unknown_in_reach,
)
from .tiles import NEVER, WON, best_in_reach, chance, chance_now
from .weights import GAMBLE_MARGIN, HUNT_MARGIN, LATE, LATE_MARGIN

Left = npt.NDArray[np.int64]  # (NUM_TRACKS,): what each track has to go

CAMP = int(Camp.SEPARATISTS)


@kernel
def own_chance(left: Left, first: int) -> float:
    """The separatists' winning chance with this much to go."""
    return chance(CAMP, first, left[0], left[1], left[2])


@kernel
def chance_with(view: Record, params: Record, left: Left, space: int) -> float:
    """The separatists' winning chance after the known tile on a space is turned up."""
    return chance(
        CAMP,
        feature(view, params, space, FIRST),
        left[0] - feature(view, params, space, 0),
        left[1] - feature(view, params, space, 1),
        left[2] - feature(view, params, space, 2),
    )


@kernel
def known_icon(view: Record, params: Record, space: int) -> bool:
    """Whether the tile on the space is face-down and known to have the Hunt icon."""
    return is_face_down(view, space) and feature(view, params, space, ICON) > 0


@kernel
def hunt_chance(view: Record, params: Record, outlook: Record) -> float:
    """RH-5.1: the separatists' chance after a Hunt from here, from a known icon tile or else from an unknown one."""
    left = left_to_go(view, params)
    used = np.zeros(NUM_SPACES, np.bool_)
    here = space_of(view, 0)
    if best_next(view, params, left, used, True) != NEVER:
        return rest_of_hunt(view, params, outlook, left, used)
    if unknown_in_reach(view, here) == 0:
        return NEVER
    size = int(outlook["size"])
    total = 0.0
    for place in range(size):
        number = outlook["unplaced"][place] + 1
        after = drawn_chance(params, left, number, 0)
        if params["features"][number, ICON] and after < WON:
            drawn = left_after(params, left, number)
            used[:] = False
            after = max(after, rest_of_hunt(view, params, outlook, drawn, used))
        total += after
    return float(total / max(1, size))


@kernel
def left_to_go(view: Record, params: Record) -> Left:
    """What each track has to go."""
    left = np.empty(NUM_TRACKS, np.int64)
    for track in range(NUM_TRACKS):
        left[track] = to_go(view, params, track)
    return left


@kernel
def left_after(params: Record, left: Left, number: int) -> Left:
    """What each track has to go after the tile of this number."""
    after = np.empty(NUM_TRACKS, np.int64)
    for track in range(NUM_TRACKS):
        after[track] = left[track] - params["features"][number, track]
    return after


@kernel
def rest_of_hunt(view: Record, params: Record, outlook: Record, left: Left, used: npt.NDArray[np.bool_]) -> float:
    """The chance after all further known icon tiles that gain, and after a gamble if that gains. Changes `left`."""
    while True:
        now = own_chance(left, 0)
        if now >= WON or now <= 0.0:
            return now
        if best_next(view, params, left, used, False) <= now:
            break
    logs = 0
    for space in range(NUM_SPACES):
        if used[space]:
            logs = max(logs, feature(view, params, space, Camp.SEPARATISTS))
    return max(now, gamble_chance(params, outlook, left, logs))


@kernel
def best_next(view: Record, params: Record, left: Left, used: npt.NDArray[np.bool_], near: bool) -> float:
    """Find the known icon tile that gains most, and return the chance after it; NEVER if there is none.

    If it gains, mark it in `used` and subtract it from `left`. near: only consider tiles within reach, and take the
    best one even if it doesn't gain.
    """
    best = -1
    best_chance = NEVER
    here = space_of(view, 0)
    for space in range(NUM_SPACES):
        if known_icon(view, params, space) and not used[space] and (not near or in_reach(view, here, space)):
            after = chance_with(view, params, left, space)
            if after > best_chance:
                best = space
                best_chance = after
    if best >= 0 and (near or best_chance > own_chance(left, 0)):
        used[best] = True
        for track in range(NUM_TRACKS):
            left[track] -= feature(view, params, best, track)
    return best_chance


@kernel
def drawn_chance(params: Record, left: Left, number: int, logs: int) -> float:
    """RH-5.2: the chance after turning up the tile of this number, penalty included if it lacks the icon.

    logs: the most logs on a tile that the Hunt turned up before; the penalty removes the tile with most logs.
    """
    first = params["features"][number, FIRST]
    kelp, log, coin = (
        left[0] - params["features"][number, 0],
        left[1] - params["features"][number, 1],
        left[2] - params["features"][number, 2],
    )
    after = chance(CAMP, first, kelp, log, coin)
    if not params["features"][number, ICON] and 0.0 < after < WON:
        after = chance(CAMP, first, kelp, log + max(logs, params["features"][number, 1]), coin)
    return after


@kernel
def gamble_once(params: Record, outlook: Record, left: Left, logs: int) -> float:
    """The mean chance after one unknown tile; `logs` as in `drawn_chance`."""
    size = int(outlook["size"])
    total = 0.0
    for place in range(size):
        total += drawn_chance(params, left, outlook["unplaced"][place] + 1, logs)
    return float(total / max(1, size))


@kernel
def gamble_chance(params: Record, outlook: Record, left: Left, logs: int) -> float:
    """The mean chance after one unknown tile, and after a second one if the first has the icon and a second gains."""
    size = int(outlook["size"])
    total = 0.0
    for place in range(size):
        number = outlook["unplaced"][place] + 1
        after = drawn_chance(params, left, number, logs)
        if params["features"][number, ICON] and 0.0 < after < WON:
            most = max(logs, params["features"][number, Camp.SEPARATISTS])
            after = max(after, gamble_once(params, outlook, left_after(params, left, number), most))
        total += after
    return float(total / max(1, size))


@kernel
def hunting_pays(view: Record, params: Record, outlook: Record) -> bool:
    """Whether to declare the Hunt when asked: it wins, or gains more than a plain reveal by a margin."""
    after = hunt_chance(view, params, outlook)
    if after >= WON:
        return True
    now = chance_now(view, params, CAMP)
    plain = best_in_reach(view, params, outlook, CAMP, space_of(view, 0))
    return after - now - plain > power_margin(view, params, CAMP, HUNT_MARGIN)


@kernel
def power_margin(view: Record, params: Record, camp: int, margin: float) -> float:
    """By how much a power must beat a plain reveal; LATE_MARGIN once another camp is close to its end."""
    for track in range(NUM_TRACKS):
        if track != camp and to_go(view, params, track) <= LATE:
            return LATE_MARGIN
    return margin


@kernel
def first_hunted(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record) -> int:
    """The first tile of a Hunt: a known one with the icon, else the one worth most."""
    scores = np.zeros(NUM_SPACES)
    for space in range(NUM_SPACES):
        scores[space] = outlook["worths"][space, CAMP] + 200.0 * known_icon(view, params, space)
    return A.SPACE + pick(scores, mask, A.SPACE, 0.01, stream)


@kernel
def hunt_on(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record) -> int:
    """RH-5.1: continue with a known tile that wins, or has the icon and gains; else with an unknown one if it pays."""
    now = chance_now(view, params, CAMP)
    best = -1
    best_score = 0.0
    unknown = -1
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space]:
            worth = outlook["worths"][space, CAMP]
            if not is_known(view, space):
                unknown = space
            elif worth > best_score and (known_icon(view, params, space) or now + worth >= WON):
                best = space
                best_score = worth
    if best >= 0:
        return A.SPACE + best
    if unknown >= 0 and gamble_now(view, params, outlook) > now + GAMBLE_MARGIN:
        return A.SPACE + unknown_space(view, params, mask, stream)
    return A.STOP


@kernel
def gamble_now(view: Record, params: Record, outlook: Record) -> float:
    """`gamble_chance` in the current Hunt."""
    left = left_to_go(view, params)
    logs = 0
    for space in range(NUM_SPACES):
        if (int(view["table"]["hunted"]) >> space) & 1 and not is_face_down(view, space):
            logs = max(logs, feature(view, params, space, Camp.SEPARATISTS))
    return gamble_chance(params, outlook, left, logs)


@kernel
def unknown_space(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """A random allowed space with an unknown tile."""
    best = -1
    best_score = -1.0
    for space in range(NUM_SPACES):
        if mask[A.SPACE + space] and not is_known(view, space):
            score = uniform(stream)
            if score > best_score:
                best_score = score
                best = space
    return best
