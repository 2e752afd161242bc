"""A turn: play a useful card, then take the best action, then end the turn."""

from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES
from riverbed_env.kernels.compile import Record, Vector

from ..kernels import kernel
from ..sight import is_face_down, is_known, may_play_a_card, space_of, unknown_in_reach
from .cards import card_to_play
from .places import swim_gain
from .tiles import best_in_reach, chance_after, chance_now
from .trust import best_asking_worth
from .weights import CO_OP_WORTH, DIVE_WORTH, LOOK_UNTIL, LOOKING_WORTH, MARKER_BELOW, SWIM_WORTH, UNCOVER_WORTH


@kernel
def take_turn(view: Record, params: Record, mask: Vector, outlook: Record, stream: Record, role: int, camp: int) -> int:
    """The action of the own turn. Looking comes first unless an end is near or a good enough tile is known."""
    card = card_to_play(view, params, mask, outlook, role, camp)
    if card >= 0:
        return card
    if view["table"]["action_done"]:
        return A.END_TURN
    here = space_of(view, 0)
    end_is_near = highest_chance(view, params) > LOOK_UNTIL
    looks = best_known(view, params, outlook, camp) < LOOKING_WORTH[role] and not end_is_near
    if looks and unknown_in_reach(view, here) > 0:
        if mask[A.DIVE]:
            return A.DIVE
        if mask[A.READY]:
            return A.READY
    return best_action(view, params, mask, outlook, role, camp, here)


@kernel
def just_looks(view: Record, params: Record, mask: Vector, role: int, camp: int) -> bool:
    """Whether to dive without a survey: no card can be played and no known tile is good enough."""
    if not mask[A.DIVE] or may_play_a_card(mask):
        return False
    if unknown_in_reach(view, space_of(view, 0)) == 0 or highest_chance(view, params) > LOOK_UNTIL:
        return False
    now = chance_now(view, params, camp)
    for space in range(NUM_SPACES):
        if is_face_down(view, space) and is_known(view, space):
            if chance_after(view, params, camp, space, 1) - now >= LOOKING_WORTH[role]:
                return False
    return True


@kernel
def highest_chance(view: Record, params: Record) -> float:
    """The winning chance of the likeliest camp, 0 to 100."""
    return max(chance_now(view, params, 0), chance_now(view, params, 1), chance_now(view, params, 2))


@kernel
def best_known(view: Record, params: Record, outlook: Record, camp: int) -> float:
    """The worth to a camp of the best face-down tile that the observer knows anywhere; at least 0."""
    best = 0.0
    for space in range(NUM_SPACES):
        if is_face_down(view, space) and is_known(view, space):
            best = max(best, outlook["worths"][space, camp])
    return best


@kernel
def best_action(view: Record, params: Record, mask: Vector, outlook: Record, role: int, camp: int, here: int) -> int:
    """The action worth most; if none is worth enough, the refresh marker first."""
    if not (mask[A.UNCOVER] or mask[A.DIVE] or mask[A.SWIM] or mask[A.READY] or mask[A.READY + 1]):
        return A.CO_OP
    best = A.CO_OP
    best_score = best_asking_worth(view, params, outlook, camp, True) + CO_OP_WORTH[role]
    if mask[A.UNCOVER]:
        score = best_in_reach(view, params, outlook, camp, here) + UNCOVER_WORTH[role]
        if score > best_score:
            best, best_score = A.UNCOVER, score
    if mask[A.DIVE] and unknown_in_reach(view, here) > 0:
        if DIVE_WORTH[role] > best_score:
            best, best_score = A.DIVE, DIVE_WORTH[role]
    if mask[A.SWIM]:
        score = SWIM_WORTH[role] + swim_gain(view, params, outlook, here, camp)
        if score > best_score:
            best, best_score = A.SWIM, score
    if best_score < MARKER_BELOW[role]:
        marked = marker_action(view, params, mask, here)
        if marked >= 0:
            return marked
    return best


@kernel
def marker_action(view: Record, params: Record, mask: Vector, here: int) -> int:
    """RH-5.5: ready Dive if there is something to look at, else Swim; -1 if the marker can't be used."""
    if mask[A.READY] and unknown_in_reach(view, here) > 0:
        return A.READY
    if mask[A.READY + 1]:
        return A.READY + 1
    return -1
