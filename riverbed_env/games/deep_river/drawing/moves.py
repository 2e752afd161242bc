"""What a choice of Deep River leads to: where a fish comes to, where the bear goes, whether the turn ends the game."""

from __future__ import annotations

import numpy as np

from riverbed_env.core.frame import Table

from ..rules import vocab as v
from ..rules.fish import landing
from ..rules.state import clipped, direction, in_nest


def destination(table: Table, place: int) -> tuple[int, int]:
    """DR-2.2, DR-2.3: the station where the fish of a place would come to, and the one that its steps alone reach."""
    game = table.game["table"]
    seat = int(game["active"])
    home = v.SALMON_NEST if seat == v.Camp.SALMON else v.EEL_NEST
    origin = home if place < v.FIRST_SLOT else int(v.TILE_OF_SLOT[place - v.FIRST_SLOT])
    pile = place >= v.FIRST_SLOT and bool(game["under"][place - v.FIRST_SLOT])
    steps = int(game["steps"])
    reached = int(landing(game, table.params, seat, origin, steps, pile))
    return reached, int(clipped(origin + steps * direction(seat)))


def bear_moved(game: np.void, steps: int) -> str:
    """DR-2.4: where the bear comes to when the mover drives it, in words."""
    seat = int(game["active"])
    bear = int(clipped(int(game["bear"]) + steps * direction(seat)))
    if in_nest(bear):
        return f"into the nest of {v.Camp(1 - seat).words}: {v.Camp(seat).words} win"
    return f"to tile {bear}"


def last_turn(table: Table, number: int) -> str:
    """DR-4.1: what taking a token means for the end of the game, in words; "" if the game goes on after the turn."""
    game = table.game["table"]
    progress = game["progress"].tolist()
    progress[number] = min(v.LAST_PROGRESS, progress[number] + 1)
    if sum(progress[each] == v.LAST_PROGRESS for each in range(v.NUM_TOKENS)) < 2:
        return ""
    bear = int(game["bear"])
    nearer = (v.Camp.SALMON if bear > v.DOUBLE_TILE else v.Camp.EEL).words
    then = "it would be a draw" if bear == v.DOUBLE_TILE else f"{nearer} would win"
    return f" Two tokens are then at tile 1, so this turn ends the game; with the bear at tile {bear} {then}."
