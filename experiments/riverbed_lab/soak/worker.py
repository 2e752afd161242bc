"""A process of a soak: it plays a round of each kind of load in turn, and tells of each and of what it uses."""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np

from .loads import Load, loads
from .usage import usage

Tell = Callable[[dict[str, Any]], None]


def work(
    number: int, seed: int, kinds: Sequence[str], folder: Path, begun: float, tell: Tell, over: Callable[[], bool]
) -> None:
    """Play until it is `over`; `tell` is told a row for each round and, after each turn of all kinds, of the usage.

    begun: when the soak began, by the clock on the wall.
    """
    chance = np.random.default_rng([seed, number])
    every = loads(chance, folder)
    go_round(number, {kind: every[kind] for kind in kinds}, begun, tell, over)


def go_round(
    number: int, kinds: Mapping[str, Callable[[], Load]], begun: float, tell: Tell, over: Callable[[], bool]
) -> None:
    """The same with loads that are given. A load in which something goes wrong is told of and begun anew."""
    at_work: dict[str, Load] = {}
    while not over():
        for kind, begin in kinds.items():
            if over():
                return
            since = time.perf_counter()
            try:
                done = next(at_work[kind] if kind in at_work else at_work.setdefault(kind, begin()))
                row: dict[str, Any] = asdict(done)
            except Exception as error:  # whatever goes wrong is what a soak looks for
                at_work.pop(kind, None)
                row = {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
            seconds = round(time.perf_counter() - since, 4)
            tell({"worker": number, "kind": kind, "at": round(time.time() - begun, 2), "seconds": seconds, **row})
        gc.collect()  # what only waits to be collected isn't a leak
        tell({"worker": number, "kind": "usage", **asdict(usage(time.time() - begun))})
