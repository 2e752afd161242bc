"""A game of each kind, played at random to its end."""

from __future__ import annotations

import time

import numpy as np

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import compiled
from riverbed_env.registry import find_game, game_ids

from .findings import Finding, wrong
from .kernels import is_warm

ADVICE = "this is a fault: please report it, with all that this command says"


def self_test(play: bool) -> list[Finding]:
    """Each game that is compiled, or all of them with `play`, which compiles."""
    return [_tried(find_game(game_id), play) for game_id in game_ids()]


def _tried(game: Game, play: bool) -> Finding:
    if not play and not is_warm(game):
        return Finding(f"{game.title}: not tried, since it isn't compiled; riverbed doctor --play compiles it")
    begun = time.perf_counter()
    try:
        decisions = play_one(game)
    except Exception as error:  # whatever it is, the others are tried too
        return wrong(f"{game.title}: {type(error).__name__}: {str(error).strip().partition(chr(10))[0]}", ADVICE)
    how = "" if compiled() else ", as plain Python"
    return Finding(f"{game.title}: a game of {decisions} decisions in {time.perf_counter() - begun:.1f} s{how}")


def play_one(game: Game) -> int:
    """Play a game at random; how many decisions it took. RuntimeError where it doesn't end.

    Actions are drawn here, so that nothing is compiled but what every batch plays with.
    """
    chance = np.random.default_rng(1)
    batch = Batch(game, 1, seed=1, auto_reset=False, num_players=game.default_players)
    for decisions in range(1, 100_000):
        batch.step([chance.choice(np.flatnonzero(batch.action_mask[0]))])
        if batch.done[0]:
            return decisions
    raise RuntimeError("the game doesn't end")
