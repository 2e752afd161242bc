"""Frames of worlds that look equal to a seat, compared byte for byte at random positions of all games and seats.

    python tests/tools/frames/run.py --positions 1000000 --workers 2

At every stop of random games each seat gets a twin, in which all that it may not know is drawn again (the leak tests'
`HiddenWorlds`). A position is a seat at such a stop: its frames of both worlds must be the same; so must the public's,
of one twin a stop. Every game gets as many positions as every other. The exit code is 1 at the first difference.
"""

from __future__ import annotations

import argparse
import itertools
import json
import marshal
import sys
import time
from collections import Counter
from collections.abc import Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, NamedTuple

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[2] / "leaks"))

import numpy as np
import toy_game  # noqa: F401  # registers its game
from hidden import HIDDEN

from riverbed_env.core.frame import PUBLIC, Frame, Viewer, frame
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.hidden import HiddenWorlds, random_moments

DRAWN = {name: worlds for name, worlds in HIDDEN.items() if worlds.game.drawing is not None}
CHUNK = 2_000  # positions that a worker looks at before it reports


class Position(NamedTuple):
    """A seat at a stop of a game, and for whom its twin has another frame."""

    game: str
    num_players: int
    seed: int
    stop: int
    seat: int
    differs: tuple[Viewer, ...]


def same_bytes(one: Frame, two: Frame) -> bool:
    """Whether two frames are the same as JSON.

    Pieces that a drawing kept and gave to both needn't be written. `marshal` writes the others: where it writes the
    same, types and order too, JSON does so.
    """
    if marshal.dumps(_apart(one, two), 2) == marshal.dumps(_apart(two, one), 2):
        return True
    return as_json(one) == as_json(two)


def _apart(shown: Frame, other: Frame) -> list[Any]:
    """A frame without the shapes that are the very same objects as the other's."""
    parts: list[Any] = [{key: value for key, value in shown.items() if key != "scene"}]
    for panel, twin in itertools.zip_longest(shown["scene"]["panels"], other["scene"]["panels"]):
        if panel is None or twin is None:
            parts.append(panel)
        elif panel is not twin:
            parts.append({key: value for key, value in panel.items() if key != "shapes"})
            shapes = itertools.zip_longest(panel["shapes"], twin["shapes"])
            parts += [None if shape is beside else shape for shape, beside in shapes]
    return parts


def as_json(shown: Frame) -> str:
    """A frame as it is sent."""
    return json.dumps(shown, sort_keys=True, ensure_ascii=False)


def positions(worlds: HiddenWorlds, num_players: int, seed: int) -> Iterator[Position]:
    """Each seat at each stop of a random game."""
    game, rng = worlds.game, np.random.default_rng(seed)
    env = TurnEnv(game, num_players=num_players, **game.variants[seed % len(game.variants)])
    env.reset(seed=seed)

    def seen(games: Any, viewer: Viewer) -> Frame:
        return frame(game, env.pack, games, env._params, viewer)

    for stop in random_moments(env, rng, policy=worlds.policy, moments=0.3):
        public, chosen = seen(env._games, PUBLIC), int(rng.integers(num_players))
        for seat in range(num_players):
            twin = worlds.twin(env._games, env._params, seat, rng, worlds.parts)
            differs: tuple[Viewer, ...] = ()
            if not same_bytes(seen(env._games, seat), seen(twin, seat)):
                differs = (seat,)
            if seat == chosen and not same_bytes(public, seen(twin, PUBLIC)):
                differs = (*differs, PUBLIC)
            yield Position(game.id, num_players, seed, stop, seat, differs)


def chunk(number: int, wanted: int) -> tuple[Counter[str], Position | None]:
    """How many positions of each game were the same, and the first that wasn't. Each number has games of its own."""
    counts = Counter(dict.fromkeys(DRAWN, 0))
    for seed in itertools.count(1000 * number):
        name = min(DRAWN, key=lambda each: counts[each])
        worlds = DRAWN[name]
        count = worlds.game.min_players + seed % (worlds.game.max_players - worlds.game.min_players + 1)
        for position in positions(worlds, count, seed):
            if position.differs:
                return counts, position
            counts[name] += 1
            if counts.total() >= wanted:
                return counts, None
    raise AssertionError("seeds don't end")


def search(wanted: int, workers: int, first: int = 0) -> tuple[Counter[str], Position | None]:
    """As `chunk`, by several processes, with a line now and then. first: the number of the first chunk."""
    sizes = [min(CHUNK, wanted - begun) for begun in range(0, wanted, CHUNK)]
    counts: Counter[str] = Counter()
    began, said = time.monotonic(), 0.0
    with ProcessPoolExecutor(workers, get_context("spawn")) as pool:
        for same, other in pool.map(chunk, itertools.count(first), sizes):
            counts += same
            if other is not None:
                pool.shutdown(cancel_futures=True)
                return counts, other
            if time.monotonic() - said > 60:
                said = time.monotonic()
                print(f"{counts.total():,} positions, {counts.total() / (said - began):.0f} a second", flush=True)
    return counts, None


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--positions", type=int, default=1_000_000)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--first", type=int, default=0, help=f"number of the first chunk of {CHUNK:,}: other games")
    options = parser.parse_args()
    counts, other = search(options.positions, options.workers, options.first)
    told = ", ".join(f"{name} {count:,}" for name, count in sorted(counts.items()))
    print(f"{counts.total():,} of {options.positions:,} positions: equal frames, byte for byte ({told})")
    if other is not None:
        print(f"another frame: {other}")
    sys.exit(int(other is not None))
