"""What a cluster does in an hour: parts are played on Ray here and timed, and larger clusters are simulated with that.

    python experiments/studies cluster_size --pretend 64

plays an evaluation's parts on this machine's Ray with one core and with two, as `riverbed evaluate --ray` does, then
lets the same loop keep simulated clusters busy. `--pretend 64` also gives the real Ray that many cores whose parts wait
for as long as measured ones took, and return rows: Ray and the machine that writes then work as for such a cluster.
"""

from __future__ import annotations

import heapq
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import numpy as np
import typer

from riverbed_env.registry import find_game
from riverbed_lab.ray_calls import Calls, keep_busy, own_signals

from .kit import Players, Seed, print_table

if TYPE_CHECKING:
    from riverbed_lab.evaluation.run import Evaluation, Task

HOUR = 3600.0
SIZES = (1, 2, 4, 8, 16, 32, 64, 128, 256)
PARTS = 40  # of each core, in a simulation
IDLE_PARTS = 300  # that do nothing, to measure the time between parts


@dataclass(frozen=True)
class Timed:
    """What was measured of an evaluation on Ray.

    cores: that it had. parts, games: played and timed, the first AHEAD of each core left out. wall: seconds of all of
    them. play: processor seconds of parts, each process's first left out. gap: seconds from one part to a core's next,
    by parts that do nothing. writer: processor seconds of this machine for each part.
    """

    cores: int
    parts: int
    games: int
    wall: float
    play: Sequence[float]
    gap: float
    writer: float

    @property
    def rate(self) -> float:
        """Games per second."""
        return self.games / self.wall


@dataclass
class Simulated:
    """A cluster in simulated time, for `keep_busy`: parts wait for the core that is free first, in their order.

    cores: how many; play: seconds of a part, one after another; gap: seconds of a core between two parts. `clock` is
    the time of the machine that writes, which works on what it is given one by one.
    """

    cores: int
    play: Iterator[float]
    gap: float
    clock: float = 0.0
    started: int = 0
    free: list[float] = field(default_factory=list)
    ends: list[tuple[float, int]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.free = [0.0] * self.cores

    def calls(self) -> Calls:
        """What `keep_busy` calls."""
        return Calls(start=self.start, wait=self.wait, at_once=lambda: self.cores, cancel=lambda reference: None)

    def start(self, *_: Any) -> int:
        """Hand a part to the core that is free first."""
        begun = max(self.clock, heapq.heappop(self.free))
        end = begun + self.gap + next(self.play)
        heapq.heappush(self.free, end)
        self.started += 1
        heapq.heappush(self.ends, (end, self.started))
        return self.started

    def wait(self, running: Sequence[int]) -> int:
        """The part that is done first; the clock moves on to its end, if it isn't later already."""
        end, reference = heapq.heappop(self.ends)
        self.clock = max(self.clock, end)
        return reference


def simulate(cores: int, measured: Timed, seed: int = 0) -> float:
    """Parts per second of a cluster with so many cores whose parts take what was measured."""
    rng, parts = np.random.default_rng(seed), PARTS * cores
    durations = iter(rng.choice(measured.play, parts))
    cluster = Simulated(cores, durations, measured.gap)
    for _ in keep_busy(((part, ()) for part in range(parts)), cluster.calls()):
        cluster.clock += measured.writer
    return parts / cluster.clock


def measure(evaluation: Evaluation, tasks: Sequence[Task], cores: int) -> Timed:
    """Play the tasks on a Ray with so many cores on this machine, writing each part."""
    import ray

    from riverbed_lab.cluster import Parcel, Plans, play_block

    def timed(plans: Plans, task: Task) -> tuple[Any, float, int]:  # inside, as workers can't import this file
        import os

        begun = time.process_time()
        return play_block(plans, task), time.process_time() - begun, os.getpid()

    plans = Plans(evaluation.folder.identity, Parcel.of(evaluation.plan.seated), evaluation.threads)
    with own_ray(cores):
        shared = ray.put(plans)
        return _timed(evaluation, [(task, (shared, task)) for task in tasks], timed, cores)


def _timed(evaluation: Evaluation, work: Sequence[tuple[Task, Any]], play: Callable[..., Any], cores: int) -> Timed:
    """Play parts on the connected Ray and write them; the first parts, which compile, aren't timed."""
    from riverbed_lab.ray_calls import AHEAD, on_cluster

    warm, spent, games = set[int](), [], 0
    begun, worked = 0.0, 0.0
    for number, (task, (rows, seconds, process)) in enumerate(on_cluster(play, work, 1)):
        evaluation.folder.write(task.number, task.chunk, rows)
        if number < AHEAD * cores:
            begun, worked = time.perf_counter(), time.process_time()
        else:
            games += rows.num_rows
            spent += [seconds] if process in warm else []
        warm.add(process)
    wall, writer = time.perf_counter() - begun, time.process_time() - worked
    parts = len(work) - AHEAD * cores
    return Timed(cores, parts, games, wall, spent, _between(), writer / parts)


def _between() -> float:
    """The median of the seconds from one part that does nothing to the next, on a core of the connected Ray."""
    from riverbed_lab.ray_calls import on_cluster

    times = [time.perf_counter() for _ in on_cluster(lambda: None, ((part, ()) for part in range(IDLE_PARTS)), 1)]
    return float(np.median(np.diff(times)))


def pretend(evaluation: Evaluation, tasks: Sequence[Task], cores: int, measured: Timed) -> Timed:
    """The same with so many cores that wait as long as parts took, and return the rows of a part that was played."""
    import ray

    from riverbed_lab.evaluation.run import one_after_another

    ((_, rows),) = one_after_another(evaluation, tasks[:1], lambda cell, deals, games: None)
    play = [float(seconds) for seconds in measured.play]

    def waiting(rows: Any, number: int) -> tuple[Any, float, int]:
        import os

        seconds = play[number % len(play)]
        time.sleep(seconds)
        return rows.slice(0), seconds, os.getpid()

    with own_ray(cores):
        shared = ray.put(rows)
        return _timed(evaluation, [(task, (shared, number)) for number, task in enumerate(tasks)], waiting, cores)


@contextmanager
def own_ray(cores: int) -> Iterator[None]:
    """A Ray of our own on this machine that believes it has so many cores."""
    import ray

    with own_signals():
        ray.init(address="local", num_cpus=cores, include_dashboard=False, log_to_driver=False, logging_level="ERROR")
    try:
        yield
    finally:
        ray.shutdown()


@contextmanager
def evaluated(
    game: str, agent: str, players: int, chunk: int, parts: int, seed: int
) -> Iterator[tuple[Evaluation, list[Task]]]:
    """An evaluation in a folder of its own, and its parts in which the agent plays every seat."""
    from riverbed_lab.evaluation.run import Evaluation
    from riverbed_lab.playing.plan import Plan

    known = find_game(game)
    plan = Plan(
        known.id, (agent,), agent, (players,), chunk * parts, known.roles,
        tables=("mirror",), seed=seed, chunk=chunk, inference_games=0,
    )  # fmt: skip
    with tempfile.TemporaryDirectory() as name:
        evaluation = Evaluation.begin(plan, Path(name))
        yield evaluation, [task for task in evaluation.tasks if evaluation.agents[-1].name in task.cell.agents]


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "riverbed_hunt_v1",
    agent: Annotated[str, typer.Option(help="The agent in every seat.")] = "rule_based",
    players: Players = 7,
    chunk: Annotated[int, typer.Option(min=1, help="Deals of each part; `riverbed evaluate` takes 4000.")] = 4000,
    parts: Annotated[int, typer.Option(min=8, help="Parts of each measurement.")] = 60,
    pretend_cores: Annotated[int, typer.Option("--pretend", min=0, help="Cores that only wait; 0 for none.")] = 0,
    seed: Seed = 0,
) -> None:
    """Measure, simulate, and print both."""
    with evaluated(game, agent, players, chunk, parts, seed) as (evaluation, tasks):
        one, two = (measure(evaluation, tasks, cores) for cores in (1, 2))
    rows = [("measured", one), ("measured", two)]
    if pretend_cores:
        with evaluated(game, agent, players, chunk, PARTS * pretend_cores, seed) as (evaluation, tasks):
            rows.append(("parts that wait", pretend(evaluation, tasks, pretend_cores, one)))
    print_measured(f"{game}, {players} players, {agent}, parts of {chunk:,} deals", rows)
    print_simulated(one, one.games / one.parts)


def print_measured(title: str, rows: Iterable[tuple[str, Timed]]) -> None:
    """Print what was measured."""
    columns = ("", "cores", "games/s", "per second of processor time", "a part, s", "between, s", "writer, s a part")
    print_table(
        title,
        columns,
        [
            (
                name, str(each.cores), f"{each.rate:,.0f}", f"{each.games / each.parts / np.mean(each.play):,.0f}",
                f"{np.mean(each.play):.3f}", f"{each.gap:.4f}", f"{each.writer:.4f}",
            )
            for name, each in rows
        ],
    )  # fmt: skip


def print_simulated(measured: Timed, games: float) -> None:
    """Print what larger clusters do. games: of a part."""
    base = simulate(1, measured)
    rows = []
    for cores in SIZES:
        rate = simulate(cores, measured)
        share, writer = rate / (base * cores), min(1.0, rate * measured.writer)
        rows.append(
            (str(cores), f"{rate * games:,.0f}", f"{share:.0%}", f"{writer:.0%}", f"{rate * games * HOUR:,.0f}")
        )
    print_table("simulated", ("cores", "games/s", "of linear", "writer busy", "games in an hour"), rows)
