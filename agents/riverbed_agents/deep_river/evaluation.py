"""The evaluation of a position for the salmon; of a mirrored one it is the negative."""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.deep_river.rules import vocab as v
from riverbed_env.games.deep_river.rules.state import shown_face
from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .weights import BEAR_STEPS, PHASE_ENDS, PHASES, Weight

Weights = npt.NDArray[np.int32]

WIN = 1_000_000  # minus the turn, so that sooner wins are worth more


@kernel
def worth(table: Record, params: Record, weights: Weights) -> int:
    """What a position is worth to the salmon: WIN minus the turn if they have won, the negative for the eels.

    A draw and a truncated game are worth 0, every other position less than a win.
    """
    if table["ending"] == v.Ending.PLAYING:
        return pawns_worth(table, weights) + bear_worth(table, weights) + move_worth(table, params, weights)
    winner = int(table["winner"])
    if winner == v.Camp.NONE:
        return 0
    return (1 - 2 * winner) * (WIN - int(table["turn"]))


@kernel
def pawns_worth(table: Record, weights: Weights) -> int:
    """The worth of the pawns on the river and of the double ones in the nests."""
    total = int(weights[Weight.NEST_DOUBLE]) * (int(table["nest"][0, 1]) - int(table["nest"][1, 1]))
    for slot in range(v.NUM_SLOTS):
        top = int(table["top"][slot])
        under = int(table["under"][slot])
        if under != 0:
            total += pawn_worth(weights, Weight.PILE_SINGLE, slot, top)
            total += pawn_worth(weights, Weight.COVERED_SINGLE, slot, under)
        elif top != 0:
            total += pawn_worth(weights, Weight.LONE_SINGLE, slot, top)
    return total


@kernel
def pawn_worth(weights: Weights, group: int, slot: int, pawn: int) -> int:
    """A pawn's weight, by its face and its tile from its own nest; the negative for eels. group: the single faces'."""
    tile = int(v.TILE_OF_SLOT[slot])
    if pawn > 0:
        return int(weights[group + (pawn - 1) * v.NUM_TILES + tile - 1])
    return -int(weights[group + (-pawn - 1) * v.NUM_TILES + v.EEL_NEST - tile - 1])


@kernel
def bear_worth(table: Record, weights: Weights) -> int:
    """The worth of the bear's steps from the middle, by the turns left and the side on turn."""
    beyond = int(table["bear"]) - v.DOUBLE_TILE
    if beyond == 0:
        return 0
    group = Weight.BEAR_WAITING
    if (beyond < 0) == (table["active"] == v.Camp.EEL):
        group = Weight.BEAR_MOVING
    step = int(weights[group + phase(turns_left(table)) * BEAR_STEPS + abs(beyond) - 1])
    return step if beyond > 0 else -step


@kernel
def turns_left(table: Record) -> int:
    """The fewest turns until two tokens are at the last tile."""
    total = 0
    most = 0
    for token in range(v.NUM_TOKENS):
        left = v.LAST_PROGRESS - int(table["progress"][token])
        total += left
        most = max(most, left)
    return total - most


@kernel
def phase(turns: int) -> int:
    """The phase of the game, from the turns left."""
    number = 0
    while number < PHASES - 1 and turns > PHASE_ENDS[number]:
        number += 1
    return number


@kernel
def move_worth(table: Record, params: Record, weights: Weights) -> int:
    """The worth of being on turn, and of each side's threats with the faces that are up."""
    active = int(table["active"])
    total = int(weights[Weight.MOVE])
    moving = gain(table, params, active, int(table["barred"]))
    waiting = gain(table, params, 1 - active, 0)
    if moving > 0:
        total += int(weights[Weight.GAIN_MOVING + moving - 1])
        total += int(weights[Weight.WIN_MOVING]) * int(moving >= steps_to_nest(table, active))
    if waiting > 0:
        total -= int(weights[Weight.GAIN_WAITING + waiting - 1])
        total -= int(weights[Weight.WIN_WAITING]) * int(waiting >= steps_to_nest(table, 1 - active))
    return total * (1 - 2 * active)


@kernel
def steps_to_nest(table: Record, seat: int) -> int:
    """The bear's steps to the rival nest of a seat."""
    bear = int(table["bear"])
    return v.EEL_NEST - bear if seat == v.Camp.SALMON else bear


@kernel
def gain(table: Record, params: Record, seat: int, barred: int) -> int:
    """How far a seat can move the bear with one fish and an available token, ignoring the tiles."""
    best = 0
    for token in range(v.NUM_TOKENS):
        if not (barred >> token) & 1:
            face = int(table["face"][token])
            steps = fish_to_nest(table, seat, int(params["steps"][token, face]))
            steps += int(params["kind"][token, face] == v.Face.BEAR)
            best = max(best, steps)
    return best


@kernel
def fish_to_nest(table: Record, seat: int, steps: int) -> int:
    """The most fish on a seat's pawn that reaches the rival nest within `steps`; 0 if none does."""
    most = 0
    for slot in range(v.NUM_SLOTS):
        fish = shown_face(table, seat, slot)
        if fish > most:
            tile = int(v.TILE_OF_SLOT[slot])
            ahead = v.EEL_NEST - tile if seat == v.Camp.SALMON else tile
            if ahead <= steps:
                most = fish
    return most
