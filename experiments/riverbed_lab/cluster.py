"""Blocks of an evaluation and learners of a league on a Ray cluster; this machine alone writes what they return.

A block or a learner's round is a function of what it is given, so Ray may play it on any node and, if the node dies,
again on another: the rows and files are those that one machine makes. A node needs the library in the same version, and
nothing else: policies and Python files that specs name by relative paths travel along.
"""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import os
import platform
import tempfile
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from riverbed_env.core.files import write_whole
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game

from .evaluation.folder import Identity, identify
from .evaluation.run import Evaluation, Task, Watcher, find_agents, play_task
from .league.worker import Job
from .ray_calls import on_cluster

if TYPE_CHECKING:
    import pyarrow as pa

    from .league.learner import Outcome


@dataclass(frozen=True)
class Parcel:
    """Files that specs name by relative paths, with their contents."""

    files: Mapping[str, bytes]

    @classmethod
    def of(cls, specs: Iterable[str]) -> Parcel:
        """The files that these specs of agents name; those by absolute paths must be on every node."""
        paths = {Path(spec.partition(":")[0]) for spec in specs}
        return cls(
            {str(path): path.read_bytes() for path in sorted(paths) if not path.is_absolute() and path.is_file()}
        )

    @contextlib.contextmanager
    def opened(self) -> Iterator[None]:
        """Work in a folder that holds the files, the same folder for the same files."""
        if not self.files:
            yield
            return
        folder, before = Path(tempfile.gettempdir()) / f"riverbed-{getpass.getuser()}-{self.digest}", Path.cwd()
        for path, content in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_bytes(folder / path, content)
        os.chdir(folder)
        try:
            yield
        finally:
            os.chdir(before)

    @property
    def digest(self) -> str:
        """A hash of the files' names and contents."""
        total = hashlib.sha256()
        for name, content in self.files.items():
            total.update(name.encode() + b"\0" + content + b"\0")
        return total.hexdigest()[:16]


def write_bytes(path: Path, content: bytes) -> None:
    """Write a file, whole or not at all."""
    write_whole(path, lambda partial: partial.write_bytes(content))


@dataclass(frozen=True)
class Plans:
    """What all blocks of an evaluation need: its identity, files of agents, and cores for each block."""

    identity: Identity
    parcel: Parcel
    threads: int


def blocks(evaluation: Evaluation, tasks: Sequence[Task], watch: Watcher) -> Iterator[tuple[Task, pa.Table]]:
    """Play an evaluation's tasks on the cluster that this process is connected to; see `Evaluation.play`."""
    import ray

    plans = Plans(evaluation.folder.identity, Parcel.of(evaluation.plan.seated), evaluation.threads)
    shared = ray.put(plans)
    for task, rows in on_cluster(play_block, ((task, (shared, task)) for task in tasks), evaluation.threads):
        watch(task.cell, task.deals, rows.num_rows)
        yield task, rows


def play_block(plans: Plans, task: Task) -> pa.Table:
    """The rows of a task, on a node. Raises OptionError if the node's rules or agents differ."""
    with plans.parcel.opened():
        agents = _agents(plans.identity, plans.parcel.digest)
        return play_task(task, plans.identity, agents, plans.threads, lambda cell, deals, games: None)


_KNOWN: dict[str, list[Agent]] = {}  # of the last evaluation in this process, by its sources and files


def _agents(identity: Identity, files: str) -> list[Agent]:
    """The agents of an evaluation, made once in a process."""
    key = f"{identity}{files}"
    if key not in _KNOWN:
        game = find_game(identity.plan.environment)
        agents = find_agents(game, identity.plan)
        here = identify(game, identity.plan, agents)
        if (here.pack, here.sources) != (identity.pack, identity.sources):
            raise OptionError(
                f"node {platform.node()} has other rules, agents or content (code {here.code}) than this machine "
                f"({identity.code}): install the same version there"
            )
        _KNOWN.clear()
        _KNOWN[key] = agents
    return _KNOWN[key]


@dataclass(frozen=True)
class Round:
    """A learner's round to be played elsewhere: the job, and the contents of the files it reads."""

    job: Job
    parcel: Parcel
    start: bytes | None
    policies: Mapping[str, bytes]


def learners(jobs: Sequence[Job], watch: Callable[[str, int], None]) -> Iterator[tuple[str, Outcome]]:
    """Play the rounds of a league's learners on the cluster that this process is connected to; see `League`."""
    by_name = {job.learner: job for job in jobs}
    cores = max((job.config.threads for job in jobs), default=1)
    for name, (outcome, checkpoint, policy) in on_cluster(
        play_away, ((job.learner, (pack(job),)) for job in jobs), cores
    ):
        job = by_name[name]
        write_bytes(job.checkpoint, checkpoint)
        write_bytes(job.policy, policy)
        watch(name, job.steps)
        yield name, outcome


def pack(job: Job) -> Round:
    """A job with the contents of its files."""
    policies = {name: path.read_bytes() for name, path in job.policies.items()}
    return Round(job, Parcel.of(job.installed), job.start.read_bytes() if job.start else None, policies)


def play_away(given: Round) -> tuple[Outcome, bytes, bytes]:
    """Play a learner's round on a node: its outcome, and the contents of its checkpoint and policy."""
    from .league.learner import play_round

    with tempfile.TemporaryDirectory() as name, given.parcel.opened():
        folder = Path(name)
        read = {member: folder / f"policy_{number}.npz" for number, member in enumerate(given.policies)}
        for member, path in read.items():
            path.write_bytes(given.policies[member])
        start, checkpoint, policy = (folder / f"{what}.npz" for what in ("start", "checkpoint", "policy"))
        if given.start is not None:
            start.write_bytes(given.start)
        begin = None if given.start is None else start
        here = replace(given.job, start=begin, policies=read, checkpoint=checkpoint, policy=policy)
        outcome = play_round(here)
        return outcome, checkpoint.read_bytes(), policy.read_bytes()
