"""`make soak`: plays everything at full load for a time.

    python tests/tools/soak/run.py --minutes 60 --workers 2

Each worker process plays a round of every load in turn and reports its memory, open files and threads. The exit code is
1 if a round fails or any of them grows.
"""

from __future__ import annotations

import argparse
import gc
import json
import multiprocessing
import queue
import sys
import time
import traceback
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parents[2]))  # helpers are imported by their folder, as in pytest
sys.path.insert(0, str(Path(__file__).parents[1]))

import numpy as np
from soak.loads import KINDS, Load, loads
from soak.usage import FEWEST, WARM_UP, Usage, growth, usage
from verify import settle_worker

from riverbed_env.core.files import cannot_write
from riverbed_env.errors import RiverbedError
from riverbed_env.registry import game_ids
from riverbed_lab.cli.console import console, errors, plainly, use_threads
from riverbed_lab.cli.signals import goes_on
from riverbed_lab.locks import locked

LOG = "soak.jsonl"
SAID_EVERY = 60.0  # s
LONGEST_ROUND = 120.0  # s that a worker has to finish its round at the end
FIRST_ROUNDS = 3600.0  # s for the first worker to play every game once, which may compile it
MOST_ERRORS = 50  # the soak stops early after this many

Tell = Callable[[dict[str, Any]], None]
Kinds = Mapping[str, Callable[[], Load]]


def work(number: int, kinds: Kinds, begun: float, tell: Tell, over: Callable[[], bool]) -> None:
    """Play rounds until `over()`; `tell` gets a row for each round, and one of the usage after each cycle of all loads.

    begun: the wall-clock time at which the soak began. A load that raises is reported and restarted.
    """
    at_work: dict[str, Load] = {}
    while not over():
        for kind, begin in kinds.items():
            if over():
                return
            since = time.perf_counter()
            try:
                if kind not in at_work:
                    at_work[kind] = begin()
                row: dict[str, Any] = asdict(next(at_work[kind]))
            except Exception as error:  # a soak looks for any of them
                at_work.pop(kind, None)
                row = {"error": f"{type(error).__name__}: {error}", "trace": traceback.format_exc()}
            seconds = round(time.perf_counter() - since, 4)
            tell({"worker": number, "kind": kind, "at": round(time.time() - begun, 2), "seconds": seconds, **row})
        gc.collect()  # garbage isn't a leak
        tell({"worker": number, "kind": "usage", **asdict(usage(time.time() - begun))})


def start(number: int, seed: int, kinds: Sequence[str], folder: Path, begun: float, rows: Any, over: Any) -> None:
    """The main function of a worker process."""
    settle_worker()
    every = loads(np.random.default_rng([seed, number]), folder)
    try:
        work(number, {kind: every[kind] for kind in kinds}, begun, rows.put, over.is_set)
    finally:
        rows.close()
        rows.join_thread()


class Report:
    """The rows of a soak so far: what was played, errors, and usage by worker."""

    def __init__(self) -> None:
        self.played: dict[str, Counter[str]] = {}
        self.errors: Counter[str] = Counter()
        self.used: dict[int, list[Usage]] = {}

    def add(self, row: dict[str, Any]) -> None:
        if row["kind"] == "usage":
            fields = {name: row[name] for name in ("at", "memory", "files", "threads")}
            self.used.setdefault(row["worker"], []).append(Usage(**fields))
        elif "error" in row:
            self.errors[f"{row['kind']} of process {row['worker']}: {row['error']}"] += 1
        else:
            counts = {"rounds": 1, "games": row["games"], "decisions": row["decisions"]}
            self.played.setdefault(row["kind"], Counter()).update(counts)

    def lines(self) -> list[str]:
        """What was played by each load, and what each process used."""
        said = [f"{kind:<12}" + ", ".join(f"{n:,} {name}" for name, n in c.items()) for kind, c in self.played.items()]
        return said + [f"process {worker}: {growth(samples)}" for worker, samples in sorted(self.used.items())]

    def complaints(self) -> list[str]:
        """Everything that is wrong, in words; empty if nothing is."""
        wrong = [f"{words}{f' ({count} times)' if count > 1 else ''}" for words, count in self.errors.items()]
        for worker, samples in sorted(self.used.items()):
            wrong += [f"process {worker}: {words}" for words in growth(samples).complaints]
        return wrong


class Soak:
    """Workers, their log in a folder, and the report."""

    def __init__(self, folder: Path, minutes: float, workers: int) -> None:
        self.folder, self.seconds, self.workers = folder, 60.0 * minutes, workers
        self.report = Report()

    def run(self, seed: int, kinds: Sequence[str]) -> Report:
        """Soak to the end. The first worker plays every game before the others start, since it may compile them.

        Raises RiverbedError if a worker dies.
        """
        context = multiprocessing.get_context("spawn")
        over, rows = context.Event(), context.Queue()
        begun = time.time()
        processes: list[Any] = []
        try:
            with (self.folder / LOG).open("w", encoding="utf-8") as log:
                for number in range(self.workers):
                    arguments = (number, seed, kinds, self.folder, begun, rows, over)
                    processes.append(context.Process(target=start, args=arguments, name=f"soak-{number}"))
                    processes[-1].start()
                    if number == 0:
                        self.listen(rows, log, processes, self.is_compiled, FIRST_ROUNDS)
                        self.report.used.clear()
                since = time.monotonic()
                limit = self.seconds + FIRST_ROUNDS
                self.listen(rows, log, processes, lambda: self.is_over(time.monotonic() - since), limit)
                over.set()
                ended = lambda: rows.empty() and not any(each.is_alive() for each in processes)  # noqa: E731
                self.listen(rows, log, [], ended, LONGEST_ROUND)
        except OSError as error:
            raise cannot_write(self.folder / LOG, error) from error
        finally:
            over.set()
            for process in processes:
                process.terminate()
                process.join()
        return self.report

    def is_compiled(self) -> bool:
        return len(self.report.used.get(0, ())) >= len(game_ids())

    def is_over(self, seconds: float) -> bool:
        """Whether time is up and every worker has reported often enough for a verdict, or there are too many errors."""
        samples = [len(self.report.used.get(number, ())) for number in range(self.workers)]
        enough = seconds >= self.seconds and min(samples) >= FEWEST / (1.0 - WARM_UP) + 1
        return enough or self.report.errors.total() >= MOST_ERRORS

    def listen(self, rows: Any, log: Any, processes: Sequence[Any], enough: Callable[[], bool], seconds: float) -> None:
        """Log the rows of the workers until `enough()`."""
        deadline = time.monotonic() + seconds
        said = time.monotonic()
        while not enough():
            if time.monotonic() > deadline:
                raise RiverbedError(f"the workers didn't finish a round in {seconds:.0f} s")
            if time.monotonic() > said + SAID_EVERY:
                said = time.monotonic()
                console.print("; ".join(self.report.lines()[: len(self.report.played)]), highlight=False)
            try:
                row = rows.get(timeout=0.2)
                self.report.add(row)
                log.write(json.dumps(row) + "\n")
                log.flush()
            except queue.Empty:
                ended = [each.name for each in processes if not each.is_alive()]
                if ended:
                    raise RiverbedError(f"{', '.join(ended)} died, perhaps for lack of memory") from None


def main() -> None:
    """Soak and print what was played, what was used and what is wrong."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=60.0, help="without compiling (default: %(default)s)")
    parser.add_argument("--workers", type=int, default=0, help="processes; 0 is one per core (default: %(default)s)")
    parser.add_argument("--only", nargs="+", choices=KINDS, default=KINDS, help="which loads (default: all)")
    parser.add_argument("--seed", type=int, default=0, help="of the random draws (default: %(default)s)")
    parser.add_argument("--out", type=Path, default=Path("results/soak"), help="folder of the log")
    chosen = parser.parse_args()
    soak = Soak(chosen.out, chosen.minutes, use_threads(chosen.workers))
    goes_on(lambda: f"the log so far is in {chosen.out / LOG}")
    with locked(chosen.out):
        report = soak.run(chosen.seed, chosen.only)
    console.print("\n".join([*report.lines(), f"wrote {chosen.out / LOG}"]), highlight=False, soft_wrap=True)
    complaints = report.complaints()
    for words in complaints:
        errors.print(words, style="red", markup=False, highlight=False, soft_wrap=True)
    sys.exit(1 if complaints else 0)


if __name__ == "__main__":
    plainly(main)
