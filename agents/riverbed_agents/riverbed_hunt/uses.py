"""What a pack's cards are good for, and what its tiles' texts offer."""

from enum import IntEnum

import numpy as np

from riverbed_env.games.riverbed_hunt.rules.board import swim_ends
from riverbed_env.games.riverbed_hunt.rules.state import CARD_PROGRAM
from riverbed_env.games.riverbed_hunt.rules.vocab import NUM_SPACES, Effect, Element, Scope, Who
from riverbed_env.kernels.compile import Record

from .kernels import kernel


class Use(IntEnum):
    """What a card is good for, in the order in which the agents consider cards for play."""

    NOTHING = 0
    LOOK_AT_ROLE = 1
    STEAL = 2
    RALLY = 3
    DELUDE = 4
    BURY = 5
    SHARE = 6
    VIEW_ANY = 7
    VIEW_NEAR = 8
    SWAP = 9
    REFRESH = 10
    MOVE_ANYONE = 11
    MOVE_AND_DRAW = 12
    SLIP = 13
    SHUFFLE = 14


NUM_USES = 15
NOTHING, SLIP, VIEW_ANY, VIEW_NEAR = int(Use.NOTHING), int(Use.SLIP), int(Use.VIEW_ANY), int(Use.VIEW_NEAR)

# The uses of cards with one effect, and of those with two in this order; a card that redirects slips away.
SINGLE = np.zeros(max(Effect) + 1, np.int64)
DOUBLE = np.zeros((max(Effect) + 1, max(Effect) + 1), np.int64)
for _effect, _use in {
    Effect.VIEW: Use.SHARE,
    Effect.REVEAL: Use.RALLY,
    Effect.FLIP_DOWN: Use.BURY,
    Effect.SHUFFLE: Use.SHUFFLE,
    Effect.MOVE: Use.MOVE_ANYONE,
    Effect.LOOK_AT_ROLE: Use.LOOK_AT_ROLE,
    Effect.REFRESH: Use.REFRESH,
}.items():
    SINGLE[_effect] = _use
for _pair, _use in {
    (Effect.FLIP_DOWN, Effect.REVEAL): Use.DELUDE,
    (Effect.SWAP, Effect.VIEW): Use.SWAP,
    (Effect.MOVE, Effect.DRAW): Use.MOVE_AND_DRAW,
    (Effect.REFRESH, Effect.DRAW): Use.REFRESH,
    (Effect.DISCARD, Effect.DRAW): Use.STEAL,
}.items():
    DOUBLE[_pair] = _use

SWIMS = np.zeros((NUM_SPACES, NUM_SPACES), np.bool_)  # of the full board
for _space in range(NUM_SPACES):
    SWIMS[_space, list(swim_ends(_space, frozenset()))] = True


@kernel
def use_of(params: Record, card: int) -> int:
    """The Use of a card kind."""
    if card == int(params["redirect_card"]):
        return SLIP
    program = params["programs"][CARD_PROGRAM + card]
    first, second = int(program[0]["effect"]), int(program[1]["effect"])
    if program[2]["effect"] != Effect.NOTHING:
        return NOTHING
    elif second != Effect.NOTHING:
        return int(DOUBLE[first, second])
    elif first == Effect.VIEW and program[0]["who"] == Who.SELF:
        return VIEW_ANY if program[0]["scope"] == Scope.ANY else VIEW_NEAR
    return int(SINGLE[first])


@kernel
def offered_by(params: Record, tile: int, space: int) -> int:
    """RH-6.1: bits of the spaces of which a tile's text may let one be turned up, if it lies on the space."""
    spaces = 0
    for layer in range(int(params["num_layers"][tile])):
        if params["layer_kind"][tile, layer] == Element.TEXT:
            effect = params["programs"][int(params["layer_amount"][tile, layer]), 0]
            if effect["effect"] == Effect.REVEAL and effect["scope"] == Scope.ORTHOGONAL:
                spaces = int(params["orthogonal"][space])
            elif effect["effect"] == Effect.REVEAL and effect["scope"] == Scope.DIAGONAL:
                spaces = int(params["diagonal"][space])
    return spaces
