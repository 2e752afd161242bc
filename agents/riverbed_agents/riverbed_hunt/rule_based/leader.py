"""The separatist leader: when it declares the Hunt, and how it continues it.

The outcome of a Hunt is estimated in three steps: the best known tile with the Hunt icon within reach, then every other
known icon tile that gains, then an unknown tile if that gains on average. The Hunt is declared if it wins at once or
gains clearly more than a plain reveal.
"""

import numpy as np

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, NUM_TRACKS, Camp
from riverbed_env.kernels.compile import Flags, Record, Vector

from .. import sight
from ..kernels import kernel
from ..sight import FIRST, ICON, Left, feature, is_face_down, is_known, left_after, left_to_go, pick
from .tiles import NEVER, WON, best_in_reach, chance, chance_now
from .weights import GAMBLE_MARGIN, HUNT_MARGIN, LATE, LATE_MARGIN

CAMP = int(Camp.SEPARATISTS)
GAMBLED = 2  # unknown tiles that a Hunt is thought on for


@kernel
def known_icon(view: Record, params: Record, space: int) -> bool:
    """Whether the tile on the space is face-down and known to have the Hunt icon."""
    return is_face_down(view, space) and feature(view, params, space, ICON) > 0


@kernel
def hunt_chance(view: Record, params: Record, outlook: Record) -> float:
    """RH-5.1: the separatists' chance after a Hunt from here, from a known icon tile or else from an unknown one."""
    left = left_to_go(view, params)
    used = np.zeros(NUM_SPACES, np.bool_)
    first, _ = best_next(view, params, left, used, True)
    if first >= 0:
        used[first] = True
        return rest_of_hunt(view, params, outlook, left_after(params, left, sight.known_tile(view, first)), used)
    if sight.unknown_in_reach(view, sight.space_of(view, 0)) == 0:
        return NEVER
    size = int(outlook["size"])
    total = 0.0
    for place in range(size):
        number = int(outlook["unplaced"][place]) + 1
        after = drawn_chance(params, left, number, 0)
        if params["features"][number, ICON] and after < WON:
            used[:] = False
            after = max(after, rest_of_hunt(view, params, outlook, left_after(params, left, number), used))
        total += after
    return float(total / max(1, size))


@kernel
def rest_of_hunt(view: Record, params: Record, outlook: Record, left: Left, used: Flags) -> float:
    """The chance after all further known icon tiles that gain, and after a gamble if that gains. Changes `used`."""
    while True:
        now = chance(CAMP, 0, left)
        if now >= WON or now <= 0.0:
            return now
        following, after = best_next(view, params, left, used, False)
        if after <= now:
            break
        used[following] = True
        left = left_after(params, left, sight.known_tile(view, following))
    logs = 0
    for space in range(NUM_SPACES):
        if used[space]:
            logs = max(logs, feature(view, params, space, CAMP))
    return max(now, gamble_chance(params, outlook, left, logs, GAMBLED))


@kernel
def best_next(view: Record, params: Record, left: Left, used: Flags, near: bool) -> tuple[int, float]:
    """The space of the known icon tile that gains most, and the chance after it; -1 and NEVER if there is none.

    near: only consider tiles within reach.
    """
    best, best_chance = -1, NEVER
    here = sight.space_of(view, 0)
    for space in range(NUM_SPACES):
        if known_icon(view, params, space) and not used[space] and (not near or sight.in_reach(view, here, space)):
            number = sight.known_tile(view, space)
            after = chance(CAMP, int(params["features"][number, FIRST]), left_after(params, left, number))
            if after > best_chance:
                best, best_chance = space, after
    return best, best_chance


@kernel
def drawn_chance(params: Record, left: Left, number: int, logs: int) -> float:
    """RH-5.2: the chance after turning up the tile of this number, penalty included if it lacks the icon.

    logs: the most logs on a tile that the Hunt turned up before; the penalty removes the tile with most logs.
    """
    features = params["features"][number]
    kelp, log, coin = left_after(params, left, number)
    after = chance(CAMP, int(features[FIRST]), (kelp, log, coin))
    if not features[ICON] and 0.0 < after < WON:
        after = chance(CAMP, int(features[FIRST]), (kelp, log + max(logs, int(features[CAMP])), coin))
    return after


@kernel
def gamble_chance(params: Record, outlook: Record, left: Left, logs: int, tiles: int) -> float:
    """The mean chance after one unknown tile, and after another of so many if it has the icon and another gains.

    logs: as in `drawn_chance`.
    """
    size = int(outlook["size"])
    if tiles == 0:
        return NEVER
    total = 0.0
    for place in range(size):
        number = int(outlook["unplaced"][place]) + 1
        after = drawn_chance(params, left, number, logs)
        if params["features"][number, ICON] and 0.0 < after < WON:
            most = max(logs, int(params["features"][number, CAMP]))
            after = max(after, gamble_chance(params, outlook, left_after(params, left, number), most, tiles - 1))
        total += after
    return total / max(1, size)


@kernel
def hunting_pays(view: Record, params: Record, outlook: Record) -> bool:
    """Whether to declare the Hunt when asked: it wins, or gains more than a plain reveal by a margin."""
    after = hunt_chance(view, params, outlook)
    if after >= WON:
        return True
    now = chance_now(view, params, CAMP)
    plain = best_in_reach(view, params, outlook, CAMP, sight.space_of(view, 0))
    return after - now - plain > power_margin(view, params, CAMP, HUNT_MARGIN)


@kernel
def power_margin(view: Record, params: Record, camp: int, margin: float) -> float:
    """By how much a power must beat a plain reveal; LATE_MARGIN once another camp is close to its end."""
    for track in range(NUM_TRACKS):
        if track != camp and sight.to_go(view, params, track) <= LATE:
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
    if unknown < 0:
        return A.STOP
    logs = 0
    for space in range(NUM_SPACES):
        if (int(view["table"]["hunted"]) >> space) & 1 and not is_face_down(view, space):
            logs = max(logs, feature(view, params, space, CAMP))
    if gamble_chance(params, outlook, left_to_go(view, params), logs, GAMBLED) > now + GAMBLE_MARGIN:
        return A.SPACE + unknown_space(view, params, mask, stream)
    return A.STOP


@kernel
def unknown_space(view: Record, params: Record, mask: Vector, stream: Record) -> int:
    """A random allowed space with an unknown tile."""
    unknown = mask.copy()
    for space in range(NUM_SPACES):
        if is_known(view, space):
            unknown[A.SPACE + space] = 0
    return pick(np.zeros(NUM_SPACES), unknown, A.SPACE, 1.0, stream)
