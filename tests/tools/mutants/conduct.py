"""Runs the tests on altered rules: pytest collects them once, then each mutant gets a process of its own, by fork.

First the tests run once on the unaltered rules, where each statement of a rule notes its line. A mutant's process
alters one rule in its own memory and runs the tests that execute the altered line until one fails. So nothing is
imported or collected twice and no file is altered. It needs an operating system that forks.
"""

import gc
import json
import os
import signal
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import Any

import pytest
from places import Mutant
from scope import GameScope, rules

# The processor time that a test may take on an altered rule: an endless loop counts as caught.
SECONDS_MORE, TIMES_MORE = 2.0, 5.0
LAST_RESORT = 1800.0  # seconds after which a child that only waits is ended

# Tests run in order of their time, which counts as this many times less if they are likely to fail: recorded games, and
# tests that caught a mutant of the same function.
RECORDED, LIKELY = "tests/golden/", 20.0
CAUGHT, BROKEN = 1, 2  # exit codes of a child
REACH, UNDER_WAY = "reach.json", "under_way.txt"  # what a child leaves in its folder: the tests' reach, its last test

Job = Callable[[Path], None]  # work for a child, in a folder of its own


@dataclass(frozen=True)
class Reach:
    """A test's run on the unaltered rules: its processor time, the lines of rules it executed, whether it passed."""

    seconds: float
    lines: frozenset[str]
    passed: bool


@dataclass(frozen=True)
class Verdict:
    """The outcome of a mutant."""

    mutant: Mutant
    outcome: str  # "killed", "timeout" or "survived"
    tests: int  # how many reach it


class Conductor:
    """A pytest plugin that runs the collected tests once on the unaltered rules, then on each mutant."""

    def __init__(
        self, game: GameScope, mutants: Sequence[Mutant], workers: int, report: Callable[[Verdict], None]
    ) -> None:
        self.game = game
        self.mutants = mutants
        self.workers = workers
        self.report = report
        self.reach: dict[str, Reach] = {}
        self.failing: list[str] = []
        self.kills: Counter[tuple[str, str, str]] = Counter()  # by file, function and test
        self.on_failure: Callable[[str], object] = lambda name: None

    def pytest_configure(self) -> None:
        """Failing examples aren't shrunk."""
        from hypothesis import Phase, settings

        settings.register_profile("mutants", phases=(Phase.explicit, Phase.reuse, Phase.generate))
        settings.load_profile("mutants")

    @pytest.hookimpl(tryfirst=True)
    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        """Run the tests in this plugin's way."""
        if session.testsfailed:
            raise pytest.UsageError("the tests couldn't be collected")
        gc.collect()
        gc.freeze()
        signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))  # so that no child is left behind
        with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
            self._run_unaltered(session.items, Path(folder))
            self.failing = sorted(name for name, reach in self.reach.items() if not reach.passed)
            self._run_mutants([item for item in session.items if item.nodeid not in self.failing], Path(folder))
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Pass the name of a test that failed to what the child wants to do then."""
        if report.failed:
            self.on_failure(report.nodeid)

    # --- unaltered rules ---------------------------------------------------------------------------------------------

    def _run_unaltered(self, items: Sequence[pytest.Item], folder: Path) -> None:
        """Note each test's time and the lines it executes, the tests split among the workers."""
        shares = [partial(self._write_reach, items[number :: self.workers]) for number in range(self.workers)]
        for number, _ in forked(shares, self.workers, folder / "unaltered"):
            written = (folder / "unaltered" / str(number) / REACH).read_text(encoding="utf-8")
            for name, (seconds, lines, passed) in json.loads(written).items():
                self.reach[name] = Reach(seconds, frozenset(lines), passed)

    def _write_reach(self, items: Sequence[pytest.Item], folder: Path) -> None:
        executed: set[str] = set()
        failed: set[str] = set()
        for rule in rules(self.game):
            rule.note_lines(executed.add)
        self.on_failure = failed.add
        reach: dict[str, tuple[float, list[str], bool]] = {}
        filling: dict[Any, set[str]] = defaultdict(set)  # cached function -> lines executed by tests that called it
        for item, following in with_next(items):
            executed.clear()
            begin, before = time.process_time(), misses(item)
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            reach[item.nodeid] = (time.process_time() - begin, sorted(executed), item.nodeid not in failed)
            for function, number in misses(item).items():
                if number > before[function]:
                    filling[function] |= executed
        for item in items:  # which may have read what was cached
            for function in misses(item):
                reach[item.nodeid][1].extend(filling[function])
        (folder / REACH).write_text(json.dumps(reach), encoding="utf-8")

    # --- mutants -----------------------------------------------------------------------------------------------------

    def _run_mutants(self, items: Sequence[pytest.Item], folder: Path) -> None:
        """Try all mutants, as many at a time as there are workers."""
        tests: list[int] = []

        def jobs() -> Iterator[Job]:
            for mutant in self.mutants:
                chosen = self.tests_for(mutant, items)
                tests.append(len(chosen))
                yield partial(self._try, mutant, chosen)

        for number, status in forked(jobs(), self.workers, folder):
            mutant, outcome = self.mutants[number], outcome_of(status)
            if outcome == "broken":
                raise RuntimeError(f"couldn't be altered: {mutant.key}")
            under_way = folder / str(number) / UNDER_WAY
            by = under_way.read_text(encoding="utf-8") if outcome != "survived" else ""
            self.kills[mutant.file, mutant.function, by] += 1
            self.report(Verdict(mutant, outcome, tests[number]))

    def tests_for(self, mutant: Mutant, items: Iterable[pytest.Item]) -> list[pytest.Item]:
        """The tests that execute its line, the likeliest and shortest to catch it first."""

        def order(item: pytest.Item) -> float:
            likely = item.nodeid.startswith(RECORDED) or self.kills[mutant.file, mutant.function, item.nodeid] > 0
            return self.reach[item.nodeid].seconds / (LIKELY if likely else 1.0)

        return sorted((item for item in items if mutant.seen_from in self.reach[item.nodeid].lines), key=order)

    def _try(self, mutant: Mutant, items: Sequence[pytest.Item], folder: Path) -> None:
        """In a child: alter the rule and run the tests; the first failure ends the process."""
        self.on_failure = lambda name: os._exit(CAUGHT)
        try:
            mutant.apply()
        except Exception:
            os._exit(BROKEN)
        for item, following in with_next(items):
            (folder / UNDER_WAY).write_text(item.nodeid, encoding="utf-8")
            signal.setitimer(signal.ITIMER_PROF, SECONDS_MORE + TIMES_MORE * self.reach[item.nodeid].seconds)
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)


def forked(jobs: Iterable[Job], workers: int, folder: Path) -> Iterator[tuple[int, int]]:
    """Run each job in a forked process, `workers` at a time; yields its number and exit status as it ends.

    The folder of job 3 is `folder/3`.
    """
    waiting = enumerate(jobs)
    running: dict[int, int] = {}
    try:
        while True:
            for number, job in islice(waiting, workers - len(running)):
                child = os.fork()
                if child == 0:
                    _work(job, folder / str(number))
                running[child] = number
            if not running:
                return
            child, status = os.wait()
            yield running.pop(child), status
    finally:
        for child in running:
            os.kill(child, signal.SIGKILL)


def _work(job: Job, folder: Path) -> None:
    """In a child: do the job silently and end the process, with exit code 0 if all of it was done."""
    code = CAUGHT
    try:
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in range(3):
            os.dup2(nowhere, stream)
        folder.mkdir(parents=True)
        os.environ["PYTEST_DEBUG_TEMPROOT"] = str(folder)
        for sign in (signal.SIGPROF, signal.SIGALRM, signal.SIGTERM):
            signal.signal(sign, signal.SIG_DFL)
        signal.setitimer(signal.ITIMER_REAL, LAST_RESORT)
        job(folder)
        code = 0
    finally:
        os._exit(code)


def misses(item: pytest.Item) -> dict[Any, int]:
    """How often each caching function that a test's module knows has computed a value."""
    known = vars(item.module).values() if isinstance(item, pytest.Function) else ()
    return {each: each.cache_info().misses for each in known if hasattr(each, "cache_info")}


def outcome_of(status: int) -> str:
    """The outcome by a child's exit status; a crash counts as caught."""
    if status == 0:
        return "survived"
    if os.WIFSIGNALED(status) and os.WTERMSIG(status) in (signal.SIGPROF, signal.SIGALRM):
        return "timeout"
    return "broken" if os.WIFEXITED(status) and os.WEXITSTATUS(status) == BROKEN else "killed"


def with_next(items: Sequence[pytest.Item]) -> Iterable[tuple[pytest.Item, Any]]:
    """Pairs of each test and the next one, which pytest needs for fixtures."""
    return zip_longest(items, items[1:])
