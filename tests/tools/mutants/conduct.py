"""Runs the tests on altered rules: pytest collects them once, then each mutant gets a process of its own, by fork.

A child alters one rule in its own memory and runs the tests that reach it until one fails. So nothing is imported or
collected twice and no file is altered. It needs an operating system that forks.
"""

from __future__ import annotations

import gc
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from pathlib import Path
from typing import Any, NoReturn

import pytest
from places import Mutant
from scope import GameScope, rules

# The processor time that a test may take on an altered rule: an endless loop counts as caught.
SECONDS_MORE, TIMES_MORE = 5.0, 10.0
LAST_RESORT = 1800.0  # seconds after which a child that only waits is ended

RECORDED = "tests/golden/"
CAUGHT, BROKEN = 1, 2  # exit codes of a child
UNDER_WAY = "under_way.txt"  # where a child notes the test it runs


@dataclass(frozen=True)
class Reach:
    """What a test's run on the unaltered rules showed: its time, and the rules it called."""

    seconds: float
    rules: frozenset[str]
    passed: bool


@dataclass(frozen=True)
class Verdict:
    """The outcome of a mutant."""

    mutant: Mutant
    outcome: str  # "killed", "timeout" or "survived"
    by: str  # the test that caught it
    seconds: float
    tests: int  # how many reach it


class Conductor:
    """A pytest plugin that runs the collected tests once on the unaltered rules, then on each mutant."""

    def __init__(
        self, game: GameScope, mutants: Sequence[Mutant], workers: int, tell: Callable[[Verdict], None]
    ) -> None:
        self.game = game
        self.mutants = mutants
        self.workers = workers
        self.tell = tell
        self.reach: dict[str, Reach] = {}
        self.failing: list[str] = []
        self.children: set[int] = set()
        self._report_to: Callable[[pytest.TestReport], None] | None = None

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
            try:
                self._run_as_they_are(session.items, Path(folder))
                self.failing = sorted(name for name, reach in self.reach.items() if not reach.passed)
                self._run_mutants([item for item in session.items if item.nodeid not in self.failing], Path(folder))
            finally:
                for child in self.children:
                    os.kill(child, signal.SIGKILL)
        return True

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        """Pass each test's report to what the child wants to know."""
        if self._report_to is not None:
            self._report_to(report)

    # --- the rules as they are ---------------------------------------------------------------------------------------

    def _run_as_they_are(self, items: Sequence[pytest.Item], folder: Path) -> None:
        """Note each test's time and the rules it reaches, the tests split among the workers."""
        files = []
        for share in range(self.workers):
            files.append(folder / f"reach-{share}.json")
            self._fork(folder, partial(self._write_reach, items[share :: self.workers], files[share]))
        for _ in files:
            self.children.remove(os.wait()[0])
        for file in files:
            for name, (seconds, reached, passed) in json.loads(file.read_text(encoding="utf-8")).items():
                self.reach[name] = Reach(seconds, frozenset(reached), passed)

    def _write_reach(self, items: Sequence[pytest.Item], file: Path) -> None:
        reached: set[str] = set()
        failed: set[str] = set()
        for rule in rules(self.game):
            rule.note_calls(reached)

        def report(report: pytest.TestReport) -> None:
            if report.failed:
                failed.add(report.nodeid)

        self._report_to = report
        found = {}
        for item, following in with_next(items):
            forget_kept(item)
            reached.clear()
            begin = time.process_time()
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)
            found[item.nodeid] = (time.process_time() - begin, sorted(reached), item.nodeid not in failed)
        file.write_text(json.dumps(found), encoding="utf-8")

    # --- mutants -----------------------------------------------------------------------------------------------------

    def _run_mutants(self, items: Sequence[pytest.Item], folder: Path) -> None:
        """Try all mutants, as many at a time as there are workers."""
        waiting = list(reversed(self.mutants))
        running: dict[int, tuple[Mutant, float, int]] = {}
        while waiting or running:
            while waiting and len(running) < self.workers:
                mutant = waiting.pop()
                chosen = self.tests_for(mutant, items)
                child = self._fork(folder, partial(self._try, mutant, chosen, folder))
                running[child] = mutant, time.monotonic(), len(chosen)
            child, status = os.wait()
            self.children.remove(child)
            mutant, begin, tests = running.pop(child)
            outcome = outcome_of(status)
            if outcome == "broken":
                raise RuntimeError(f"couldn't be altered: {mutant.key}")
            under_way = folder / str(child) / UNDER_WAY
            by = under_way.read_text(encoding="utf-8") if outcome != "survived" else ""
            self.tell(Verdict(mutant, outcome, by, time.monotonic() - begin, tests))

    def tests_for(self, mutant: Mutant, items: Iterable[pytest.Item]) -> list[pytest.Item]:
        """The tests that reach its rule: the game's own first, recorded games late, short ones first."""
        rule = mutant.place.rule.reached_as
        starts = (f"tests/{self.game.name}/", "tests/referee/", RECORDED)

        def order(item: pytest.Item) -> tuple[int, float]:
            rank = next((rank for rank, start in enumerate(starts) if item.nodeid.startswith(start)), len(starts))
            return rank, self.reach[item.nodeid].seconds

        return sorted((item for item in items if rule in self.reach[item.nodeid].rules), key=order)

    def _try(self, mutant: Mutant, items: Sequence[pytest.Item], folder: Path) -> None:
        """In a child: alter the rule and run the tests; the first failure ends the process."""

        def report(report: pytest.TestReport) -> None:
            if report.failed:
                os._exit(CAUGHT)

        self._report_to = report
        try:
            mutant.apply()
        except Exception:
            os._exit(BROKEN)
        under_way = folder / str(os.getpid()) / UNDER_WAY
        for item, following in with_next(items):
            under_way.write_text(item.nodeid, encoding="utf-8")
            signal.setitimer(signal.ITIMER_PROF, SECONDS_MORE + TIMES_MORE * self.reach[item.nodeid].seconds)
            item.ihook.pytest_runtest_protocol(item=item, nextitem=following)

    def _fork(self, folder: Path, work: Callable[[], None]) -> int:
        """Start a child that does the work."""
        child = os.fork()
        if child == 0:
            self._in_child(folder, work)
        self.children.add(child)
        return child

    def _in_child(self, folder: Path, work: Callable[[], None]) -> NoReturn:
        """Do the work silently and end the process, with exit code 0 if all of it was done."""
        code = CAUGHT
        try:
            nowhere = os.open(os.devnull, os.O_RDWR)
            for stream in range(3):
                os.dup2(nowhere, stream)
            own = folder / str(os.getpid())
            own.mkdir()
            os.environ["PYTEST_DEBUG_TEMPROOT"] = str(own)
            for sign in (signal.SIGPROF, signal.SIGALRM, signal.SIGTERM):
                signal.signal(sign, signal.SIG_DFL)
            signal.setitimer(signal.ITIMER_REAL, LAST_RESORT)
            work()
            code = 0
        finally:
            os._exit(code)


def forget_kept(item: pytest.Item) -> None:
    """Clear the caches of the functions in a test's module, so that the test calls the rules itself."""
    module = getattr(item, "module", None)
    for value in list(vars(module).values()) if module is not None else ():
        if hasattr(value, "cache_clear") and value.__module__ == module.__name__:
            value.cache_clear()


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
