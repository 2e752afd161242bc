"""A soak: worker processes under full load for a time, a log of their rows, and a verdict at the end."""

from __future__ import annotations

import json
import multiprocessing
import queue
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from soak.usage import FEWEST, WARM_UP, Growth, Usage, growth
from soak.worker import work
from verify import settle_worker

from riverbed_env.core.files import cannot_write
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.registry import game_ids

LOG = "soak.jsonl"
KINDS = ("games", "learners", "turns", "training", "evaluation")
MINUTE = 60.0
LONGEST_ROUND = 120.0  # s that a worker has to finish its round at the end
FIRST_ROUNDS = 3600.0  # s for the first worker to play every game once, which may compile it
MOST_ERRORS = 50  # the soak stops early after this many


@dataclass
class SoakReport:
    """The rows of a soak so far: rounds played, errors, and resource usage by worker."""

    rounds: list[dict[str, Any]] = field(default_factory=list)
    errors: list[dict[str, Any]] = field(default_factory=list)
    used: dict[int, list[Usage]] = field(default_factory=dict)

    def add(self, row: dict[str, Any]) -> None:
        """Sort in a row."""
        if row["kind"] == "usage":
            fields = {name: row[name] for name in ("at", "memory", "files", "threads")}
            self.used.setdefault(row["worker"], []).append(Usage(**fields))
        elif "error" in row:
            self.errors.append(row)
        else:
            kept = ("kind", "at", "seconds", "games", "decisions")
            self.rounds.append({name: row[name] for name in kept})

    def growths(self) -> dict[int, Growth]:
        """The usage of each worker, and whether it grew."""
        return {worker: growth(samples) for worker, samples in sorted(self.used.items())}

    def complaints(self) -> list[str]:
        """Everything that is wrong, in words; empty if nothing is."""
        same = Counter(f"{row['kind']} of process {row['worker']}: {row['error']}" for row in self.errors)
        wrong = [f"{words}{f' ({count} times)' if count > 1 else ''}" for words, count in same.items()]
        for worker, found in self.growths().items():
            wrong += [f"process {worker}: {words}" for words in found.complaints]
        return wrong


class Soak:
    """Workers and their log in a folder. Raises OptionError for impossible settings."""

    def __init__(self, folder: Path, minutes: float, workers: int, seed: int, kinds: Sequence[str] = KINDS) -> None:
        if not 0 < minutes < float("inf"):
            raise OptionError(f"minutes must be more than 0, not {minutes}")
        unknown = [kind for kind in kinds if kind not in KINDS]
        if unknown or not kinds:
            raise OptionError(f"--only takes some of {', '.join(KINDS)}, not {', '.join(unknown) or 'none'}")
        self.folder, self.seconds, self.workers, self.seed, self.kinds = folder, minutes * MINUTE, workers, seed, kinds
        self.report = SoakReport()

    def run(self, watch: Callable[[float, SoakReport], None] = lambda seconds, report: None) -> SoakReport:
        """Soak to the end. `watch` is called with the elapsed seconds and the report so far.

        The first worker plays every game before the others start and before time counts, since it may compile them.
        Raises RiverbedError if a worker dies.
        """
        context = multiprocessing.get_context("spawn")
        over, rows = context.Event(), context.Queue()
        begun = time.time()
        processes = []
        try:
            with (self.folder / LOG).open("w", encoding="utf-8") as log:
                for number in range(self.workers):
                    arguments = (number, self.seed, self.kinds, self.folder, begun, rows, over)
                    process = context.Process(target=_begin, args=arguments, name=f"soak-{number}")
                    process.start()
                    processes.append(process)
                    if number == 0:
                        self._listen(rows, log, processes, self._is_compiled, FIRST_ROUNDS)
                        self.report = SoakReport(errors=self.report.errors)
                since = time.monotonic()
                self._listen(
                    *(rows, log, processes),
                    lambda: self._is_over(time.monotonic() - since),
                    self.seconds + FIRST_ROUNDS,
                    lambda: watch(min(time.monotonic() - since, self.seconds), self.report),
                )
                over.set()
                self._listen(rows, log, [], lambda: rows.empty() and not any(map(_alive, processes)), LONGEST_ROUND)
        except OSError as error:
            raise cannot_write(self.folder / LOG, error) from error
        finally:
            over.set()
            for process in processes:
                process.terminate()
                process.join()
        return self.report

    def _is_compiled(self) -> bool:
        return len(self.report.used.get(0, ())) >= len(game_ids())

    def _is_over(self, seconds: float) -> bool:
        """Whether time is up and every worker has reported often enough for a verdict, or there are too many errors."""
        moments = [len(self.report.used.get(number, ())) for number in range(self.workers)]
        enough = seconds >= self.seconds and min(moments) >= FEWEST / (1.0 - WARM_UP) + 1
        return enough or len(self.report.errors) >= MOST_ERRORS

    def _listen(
        self,
        rows: Any,
        log: Any,
        processes: Sequence[Any],
        enough: Callable[[], bool],
        seconds: float,
        watch: Callable[[], None] = lambda: None,
    ) -> None:
        """Log the rows of the workers until `enough()`."""
        deadline = time.monotonic() + seconds
        while not enough():
            if time.monotonic() > deadline:
                raise RiverbedError(f"the workers didn't finish a round in {seconds:.0f} s")
            try:
                row = rows.get(timeout=0.2)
                self.report.add(row)
                log.write(json.dumps(row) + "\n")
                log.flush()
            except queue.Empty:
                ended = [each.name for each in processes if not each.is_alive()]
                if ended:
                    raise RiverbedError(f"{', '.join(ended)} died, perhaps for lack of memory") from None
            watch()


def _alive(process: Any) -> bool:
    return bool(process.is_alive())


def _begin(number: int, seed: int, kinds: Sequence[str], folder: Path, begun: float, rows: Any, over: Any) -> None:
    """The main function of a worker process."""
    settle_worker()
    try:
        work(number, seed, kinds, folder, begun, rows.put, over.is_set)
    finally:
        rows.close()
        rows.join_thread()
