"""Ford, the toy game: what the others' stones are, and what its players' chance will bring."""

from collections.abc import Collection

import numpy as np
from toy_game.rules import highest

from riverbed_env.core.game import copy_records
from riverbed_env.testing.hidden import Disclosure, Games, Step, other_seats, redraw_future, streams

STONES = range(1, 7)
PARTS = ("stones", "chance")
TOUCHES = frozenset({"stones", *streams("agents")})


def twin(games: Games, params: Games, seat: int, rng: np.random.Generator, parts: Collection[str] = PARTS) -> Games:
    """The game with other stones in the others' hands: any with which the water could be raised so high."""
    world = copy_records(games)
    game = world[0]
    if "stones" in parts:
        count, height = int(game["table"]["num_players"]), int(game["table"]["height"])
        possible = [stone for stone in STONES if stone != game["stones"][seat] and highest(count, stone) >= height]
        others = other_seats(game, seat)
        if len(possible) >= len(others):
            game["stones"][others] = rng.choice(possible, len(others), replace=False)
    if "chance" in parts:
        redraw_future(game, rng, "agents")
    return world


def told(one: Step, two: Step, agent: str) -> Disclosure:
    """A call shows the sum of the stones, and who has won the round by it."""
    here, there = (step.env._games[0]["table"] for step in (one, two))
    return Disclosure.NOTHING if here.tobytes() == there.tobytes() else Disclosure.OPENLY
