"""Threads: how many take a call, and what is left of them after a fork."""

from __future__ import annotations

import pickle
from types import SimpleNamespace

import pytest
import toy_game  # noqa: F401  # registers its game in processes that are spawned
from learner.learner_kit import TOY

from riverbed_env import make_batch
from riverbed_env.errors import ForkError
from riverbed_env.kernels import threads
from riverbed_env.kernels.compile import max_threads

IDLE = {1: 1.0, 2: 0.5}  # what a call takes beside no other work, by threads; in thousandths of a second
BUSY = {1: 2.0, 2: 200.0}  # and beside other work, where the threads wait for each other


class Machine:
    """A clock that goes on with each call, by what a call takes on as many threads."""

    def __init__(self) -> None:
        self.now = 0.0
        self.takes = IDLE
        self.team = threads.Team(2, clock=lambda: self.now)
        self.loop()

    def loop(self) -> None:
        self.team.run("loop", lambda parallel: self._call_on_two if parallel else self._call)

    def _call(self) -> None:
        self.now += self.takes[1] / 1000

    def _call_on_two(self) -> None:
        self.now += self.takes[2] / 1000

    def for_seconds(self, seconds: float) -> int:
        """How many calls are made in this time."""
        calls, until = 0, self.now + seconds
        while self.now < until:
            self.loop()
            calls += 1
        return calls


needs_two = pytest.mark.skipif(max_threads() < 2, reason="one core")


@needs_two
@pytest.mark.compiled
@pytest.mark.parametrize(("takes", "best"), [(IDLE, 0.5), (BUSY, 2.0)])
def test_calls_take_as_many_threads_as_is_quickest(takes: dict[int, float], best: float) -> None:
    machine = Machine()
    machine.takes = takes
    machine.for_seconds(2.0)
    assert machine.for_seconds(20.0) * best / 1000 == pytest.approx(20.0, rel=0.2 if takes is BUSY else 0.02)


@needs_two
@pytest.mark.compiled
def test_a_machine_that_gets_busy_or_idle_is_noticed_within_seconds() -> None:
    machine = Machine()
    for takes, best in [(IDLE, 0.5), (BUSY, 2.0), (IDLE, 0.5)]:
        machine.takes = takes
        machine.for_seconds(3.0)
        assert machine.for_seconds(3.0) * best / 1000 > 2.3


def test_the_threads_of_a_batch_are_pickled_by_their_number() -> None:
    team = threads.Team(2)
    assert pickle.loads(pickle.dumps(team)).threads == 2


@needs_two
@pytest.mark.compiled
def test_games_are_the_same_whatever_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    played = []
    for number in (1, 2):
        fixed = SimpleNamespace(threads=number, note=lambda seconds: None)
        monkeypatch.setattr(threads, "Pace", lambda most, pace=fixed: pace)
        batch = make_batch(TOY, 8, seed=3, threads=2)
        for _ in range(30):
            batch.step(batch.random_actions())
        played.append(batch.get_state().tobytes())
    assert played[0] == played[1]


# --- after a fork -----------------------------------------------------------------------------------------------------


def test_threads_after_a_fork_are_refused_in_words(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(threads, "_lost_by_fork", ["omp"])
    with pytest.raises(ForkError, match="forkserver"):
        threads.with_threads(2, lambda: None)
    threads.with_threads(1, lambda: None)
    monkeypatch.setattr(threads, "_lost_by_fork", ["tbb"])  # its threads survive
    threads.with_threads(2, lambda: None)
