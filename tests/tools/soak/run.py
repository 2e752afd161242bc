"""`make soak`, `make memory`: play everything at full load for a time; memory, open files and threads mustn't grow.

    python tests/tools/soak/run.py --minutes 60 --workers 2
    python tests/tools/soak/run.py --minutes 4 --workers 1 --only random interfaces

Each worker process plays a round of every load in turn and notes its usage after each cycle, in a log of its own. The
second line is `make memory`: those two loads keep nothing at all, so the bounds are tight. The exit code is 1 if a
round fails or a worker's usage grows.
"""

from __future__ import annotations

import argparse
import gc
import itertools
import json
import multiprocessing
import statistics
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
import psutil
import toy_game  # noqa: F401  # registers its game
from soak.loads import KINDS, STEADY, Load, loads, seatings
from verify import settle_worker

from riverbed_env.registry import game_ids
from riverbed_lab.cli.console import console, errors, plainly, use_threads
from riverbed_lab.cli.signals import set_resume_words
from riverbed_lab.locks import locked

MEBIBYTE = 1 << 20
CYCLES = 24  # at least, after the first ones, which compile and fill caches
WARM_UP = 0.25  # the share of the samples that is left out besides
MOST_ERRORS = 50  # a worker stops early after this many
LONGEST = 3600.0  # s for compiling and the last round

# What may come between the first and the last third of the samples, by their medians. Fragmentation alone takes some
# 20 MiB in training; random play and visits keep next to nothing.
BOUNDS = {"memory": 20.0, "files": 2, "threads": 2}
TIGHT = {"memory": 2.0, "blocks": 50, "files": 0, "threads": 0}

Row = dict[str, Any]
Kinds = Mapping[str, Callable[[], Load]]


def usage() -> Row:
    """This process's resident memory in MiB, blocks of Python objects, open files and threads, without garbage."""
    gc.collect()
    # Names of attributes that were looked up, up to four thousand; a pickle's are new strings each time.
    getattr(sys, "_clear_internal_caches", sys._clear_type_cache)()
    blocks, process = sys.getallocatedblocks(), psutil.Process()
    memory = process.memory_info().rss / MEBIBYTE
    return {"memory": memory, "blocks": blocks, "files": process.num_fds(), "threads": process.num_threads()}


def work(kinds: Kinds, note: Callable[[Row], object], over: Callable[[int], bool]) -> None:
    """Play a round of every load until `over(cycles)`, and note a row for each round, and the usage after each cycle.

    A load that raises is noted and restarted.
    """
    running: dict[str, Load] = {}
    for cycle in itertools.count():
        if over(cycle):
            return
        for kind, begin in kinds.items():
            since = time.perf_counter()
            try:
                if kind not in running:
                    running[kind] = begin()
                row = next(running[kind])._asdict()
            except Exception as error:  # a soak looks for any of them
                running.pop(kind, None)
                row = {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
            note({"kind": kind, "seconds": round(time.perf_counter() - since, 4), **row})
        note({"kind": "usage", "cycle": cycle, **usage()})


def start(number: int, chosen: argparse.Namespace, compiled: Any) -> None:
    """The main function of a worker process. Those after the first wait until it has compiled everything."""
    settle_worker()
    if number:
        compiled.wait()
    every = loads(np.random.default_rng([chosen.seed, number]), chosen.out, chosen.game)
    first = len(seatings(chosen.game))
    begun, failed = time.monotonic(), 0
    with (chosen.out / f"soak-{number}.jsonl").open("w", encoding="utf-8", buffering=1) as log:

        def note(row: Row) -> None:
            nonlocal failed
            failed += "error" in row
            if row["kind"] != "usage" or row["cycle"] >= first:
                log.write(json.dumps(row) + "\n")

        def over(cycle: int) -> bool:
            nonlocal begun
            if cycle == first:
                begun = time.monotonic()
                compiled.set()
            enough = cycle >= first + CYCLES and time.monotonic() - begun >= 60 * chosen.minutes
            return enough or failed >= MOST_ERRORS

        work({kind: every[kind] for kind in chosen.only}, note, over)
    compiled.set()


def report(rows: Iterable[Row], bounds: Mapping[str, float]) -> tuple[list[str], list[str]]:
    """What a worker played and used, in lines, and everything that is wrong: errors, and usage that grew."""
    played: dict[str, Counter[str]] = {}
    failed: Counter[str] = Counter()
    samples: list[Row] = []
    for row in rows:
        if row["kind"] == "usage":
            samples.append(row)
        elif "error" in row:
            failed[f"{row['kind']}: {row['error']}"] += 1
        else:
            counts = {"rounds": 1, "games": row["games"], "decisions": row["decisions"]}
            played.setdefault(row["kind"], Counter()).update(counts)
    wrong = [f"{words} ({count} times)" for words, count in failed.items()]
    lines = [f"{kind:<12}" + ", ".join(f"{n:,} {name}" for name, n in c.items()) for kind, c in played.items()]
    warm = samples[int(len(samples) * WARM_UP) :]
    third = max(1, len(warm) // 3)
    for name in ("memory", "blocks", "files", "threads") if warm else ():
        early, late = (statistics.median(row[name] for row in part) for part in (warm[:third], warm[-third:]))
        lines.append(f"{name:<12}{early:,.2f} to {late:,.2f}, {len(warm)} samples")
        if late - early > bounds.get(name, np.inf):
            wrong.append(f"{name} grew from {early:,.2f} to {late:,.2f}, by more than {bounds[name]}")
    return lines, wrong


def main() -> None:
    """Soak, and print what was played, what was used and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="without compiling (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0 is one per core (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS, help="which loads (default: all)")
    parser.add_argument("--game", nargs="+", choices=game_ids(), default=list(game_ids()), help="(default: all)")
    parser.add_argument("--seed", type=int, default=0, help="of the random draws (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("results/soak"), help="folder of the logs")
    chosen = parser.parse_args()
    set_resume_words(lambda: f"the logs so far are in {chosen.out}")
    with locked(chosen.out):
        codes = run(chosen, use_threads(chosen.workers))
    wrong = [f"process {number} ended with {code}" for number, code in enumerate(codes) if code != 0]
    for number in range(len(codes)):
        log = (chosen.out / f"soak-{number}.jsonl").read_text(encoding="utf-8")
        lines, grew = report(map(json.loads, log.splitlines()), TIGHT if set(chosen.only) <= STEADY else BOUNDS)
        console.print("\n".join([f"process {number}", *lines]), soft_wrap=True)
        wrong += [f"process {number}: {words}" for words in grew]
    for words in wrong:
        errors.print(words, style="red", soft_wrap=True)
    sys.exit(1 if wrong else 0)


def run(chosen: argparse.Namespace, workers: int) -> list[int | None]:
    """Start the workers and wait for them; their exit codes, negative for one that died or was ended for being late."""
    context = multiprocessing.get_context("spawn")
    compiled = context.Event()
    processes = [context.Process(target=start, args=(number, chosen, compiled)) for number in range(workers)]
    deadline = time.monotonic() + 60 * chosen.minutes + LONGEST
    try:
        for process in processes:
            process.start()
        for process in processes:
            process.join(max(0.0, deadline - time.monotonic()))
            compiled.set()  # if the first has died, the others are not to wait for it
    finally:
        for process in processes:
            process.terminate()
            process.join()
    return [process.exitcode for process in processes]


if __name__ == "__main__":
    plainly(main)
