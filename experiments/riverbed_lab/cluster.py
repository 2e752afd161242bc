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
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.files import write_whole
from riverbed_env.errors import OptionError, RiverbedError
from riverbed_env.players.agents import Agent
from riverbed_env.registry import find_game

from .evaluation.folder import Identity, identify
from .evaluation.run import Evaluation, Task, Watcher, find_agents, play_task
from .league.worker import Job

if TYPE_CHECKING:
    import pyarrow as pa

    from .league.learner import Outcome

RETRIES = 10  # of a block or a round whose node died
AHEAD = 2  # tasks that wait for each core, so that none is idle while this machine writes
LOCAL = "local"  # an address: a Ray of our own on this machine's cores, for this command
STORE = 512 * 2**20  # bytes of its object store


@contextlib.contextmanager
def connected(address: str) -> Iterator[None]:
    """A connection to the cluster at an address, as `ray.init` takes it: "auto", HOST:PORT or ray://HOST:PORT.

    "local" starts a Ray on this machine for the time. Raises OptionError if there is no cluster.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    import ray

    own = {"include_dashboard": False, "object_store_memory": STORE} if address == LOCAL else {}
    try:
        ray.init(address=address, log_to_driver=False, logging_level="ERROR", **own)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise OptionError(f"no Ray cluster answers at {address!r}: {str(error).partition(chr(10))[0]}") from error
    try:
        yield
    finally:
        ray.shutdown()


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


def on_cluster(
    function: Callable[..., Any], work: Iterable[tuple[Any, Sequence[Any]]], cores: int
) -> Iterator[tuple[Any, Any]]:
    """Call a function on the cluster with each tuple of arguments; yields keys and results as they are done.

    cores: that each call uses. A call that dies with its node is made again elsewhere, up to RETRIES times. Raises
    OptionError if no node has as many cores, and RiverbedError for what the function raises and for a call that dies
    time and again.
    """
    import ray

    _check_cores(cores)
    remote = ray.remote(num_cpus=cores, max_retries=RETRIES)(function)
    waiting = iter(work)
    running: dict[Any, Any] = {}
    try:
        while True:
            most = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 0)) // cores)
            for key, arguments in islice(waiting, max(0, most - len(running))):
                running[remote.remote(*arguments)] = key
            if not running:
                return
            done, _ = ray.wait(list(running), num_returns=1)
            yield running.pop(done[0]), _result(done[0])
    finally:
        for reference in running:
            ray.cancel(reference)


def _check_cores(cores: int) -> None:
    import ray

    most = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    if cores > most:
        raise OptionError(f"no node of the cluster has {cores} cores; the largest has {most}: choose fewer --threads")


def _result(reference: Any) -> Any:
    import ray
    from ray.exceptions import RayError, RayTaskError

    try:
        return ray.get(reference)
    except RayTaskError as error:
        cause = error.cause
        raise (cause if isinstance(cause, RiverbedError) else RiverbedError(f"on the cluster: {cause!r}")) from error
    except RayError as error:
        raise RiverbedError(f"a part was lost {RETRIES + 1} times with its node: {error!s:.200}") from error


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
