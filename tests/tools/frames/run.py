"""Frames of worlds that look equal to a seat, compared byte for byte at random positions of all games and seats.

    python tests/tools/frames/run.py --positions 1000000

At every stop of random games each seat gets a twin, in which all that it may not know is drawn again (the leak tests'
`HiddenWorlds`). Its frame and the public's must be the same. The exit code is 1 at the first difference.
"""

from __future__ import annotations

import argparse
import itertools
import json
import sys
from collections.abc import Iterator
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[2] / "leaks"))

import numpy as np
import toy_game  # noqa: F401  # registers its game
from hidden import HIDDEN

from riverbed_env.core.frame import PUBLIC, frame
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.hidden import HiddenWorlds
from riverbed_env.testing.leaks import random_moments


def positions(worlds: HiddenWorlds, num_players: int, seed: int) -> Iterator[bool]:
    """For each seat at each stop of a random game, whether its frames of both worlds are the same."""
    game, rng = worlds.game, np.random.default_rng(seed)
    env = TurnEnv(game, num_players=num_players, **game.variants[seed % len(game.variants)])
    env.reset(seed=seed)
    for _ in random_moments(env, rng, policy=worlds.policy, moments=0.3):
        for seat in range(num_players):
            twin = worlds.twin(env._games, env._params, seat, rng, worlds.parts)
            yield all(
                json.dumps(frame(game, env.pack, env._games, env._params, viewer), sort_keys=True)
                == json.dumps(frame(game, env.pack, twin, env._params, viewer), sort_keys=True)
                for viewer in (seat, PUBLIC)
            )


def search(wanted: int) -> int:
    """How many positions were the same before the first difference, or all that were wanted."""
    done = 0
    for seed in itertools.count():
        for worlds in HIDDEN.values():
            count = worlds.game.min_players + seed % (worlds.game.max_players - worlds.game.min_players + 1)
            for same in positions(worlds, count, seed):
                if not same:
                    return done
                done += 1
                if done >= wanted:
                    return done
    raise AssertionError("seeds don't end")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1_000_000)
    wanted = parser.parse_args().positions
    same = search(wanted)
    print(f"{same} of {wanted} positions: the frames of both worlds are the same, byte for byte")
    sys.exit(int(same < wanted))
