"""A worker process of a soak: it plays a round of each load in turn, and reports each round and its usage."""

from __future__ import annotations

import gc
import time
import traceback
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

import numpy as np
from soak.loads import Load, loads
from soak.usage import usage

Tell = Callable[[dict[str, Any]], None]


def work(
    number: int, seed: int, kinds: Sequence[str], folder: Path, begun: float, tell: Tell, over: Callable[[], bool]
) -> None:
    """Play until `over()`; passes `tell` a row for each round and, after each cycle of all loads, one of the usage.

    begun: the wall-clock time at which the soak began.
    """
    chance = np.random.default_rng([seed, number])
    every = loads(chance, folder)
    go_round(number, {kind: every[kind] for kind in kinds}, begun, tell, over)


def go_round(
    number: int, kinds: Mapping[str, Callable[[], Load]], begun: float, tell: Tell, over: Callable[[], bool]
) -> None:
    """Like `work`, with these loads. A load that raises is reported and restarted."""
    at_work: dict[str, Load] = {}
    while not over():
        for kind, begin in kinds.items():
            if over():
                return
            since = time.perf_counter()
            try:
                done = next(at_work[kind] if kind in at_work else at_work.setdefault(kind, begin()))
                row: dict[str, Any] = asdict(done)
            except Exception as error:  # a soak looks for any of them
                at_work.pop(kind, None)
                row = {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
            seconds = round(time.perf_counter() - since, 4)
            tell({"worker": number, "kind": kind, "at": round(time.time() - begun, 2), "seconds": seconds, **row})
        gc.collect()  # garbage isn't a leak
        tell({"worker": number, "kind": "usage", **asdict(usage(time.time() - begun))})
