"""Past one machine: blocks of an evaluation and rounds of a league as tasks of Ray, and folders in a bucket.

A block or a learner's round is a function of what it is given, so Ray may play it on any node and, if the node dies,
again on another; this machine alone writes what they return, the same rows and files as on one machine.
"""

from __future__ import annotations

import contextlib
import getpass
import hashlib
import os
import platform
import signal
import socket
import tempfile
import threading
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.core.files import PART, write_whole
from riverbed_env.errors import OptionError, RiverbedError, WriteError

from .extras import need

if TYPE_CHECKING:
    import pyarrow as pa

    from riverbed_env.players.agents import Agent

    from .evaluation.folder import Identity
    from .evaluation.run import Evaluation, Task, Watcher
    from .league.learner import Outcome
    from .league.worker import Job

LOCAL, CLIENT = "local", "ray://"  # addresses: a Ray of our own on this machine's cores; a Ray's client server
PATIENCE = 5.0  # seconds for a connection: Ray itself tries for minutes, then ends the process
RETRIES = 10  # of a call whose node died
AHEAD = 2  # calls for each core, one that runs and one that waits, so that none is idle while this machine writes
STORE = 512 * 2**20  # bytes of the object store of a Ray of our own
RUNNING = ".running"  # begins the names of locks


# --- the cluster ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def connected(address: str) -> Iterator[None]:
    """A connection to the cluster at an address: "auto", HOST:PORT, ray://HOST:PORT, or "local" for one of our own.

    Raises OptionError if there is no cluster.
    """
    os.environ.setdefault("RAY_USAGE_STATS_ENABLED", "0")
    check_address(address)
    import ray

    own = {"include_dashboard": False, "object_store_memory": STORE} if address == LOCAL else {}
    try:
        with own_signals():
            ray.init(address=address, log_to_driver=False, logging_level="ERROR", **own)
    except (ConnectionError, ValueError, RuntimeError) as error:
        raise OptionError(f"no Ray cluster answers at {address!r}: {str(error).partition(chr(10))[0]}") from error
    try:
        yield
    finally:
        ray.shutdown()


def check_address(address: str) -> None:
    """Raise OptionError for what is no address, and if nobody listens at a HOST:PORT."""
    if address == "auto":
        address = os.environ.get("RAY_ADDRESS") or address  # where Ray would look first
    if address in (LOCAL, "auto"):
        return
    host, colon, port = address.removeprefix(CLIENT).rpartition(":")
    if not (colon and host and port.isdecimal() and 0 < int(port) < 2**16) or "/" in host:
        raise OptionError(f"--ray must be auto, HOST:PORT, ray://HOST:PORT or local, not {address!r}")
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=PATIENCE).close()
    except OSError as error:
        raise OptionError(f"no Ray cluster answers at {address!r}: {error.strerror or error}") from error


@contextlib.contextmanager
def own_signals() -> Iterator[None]:
    """A context that Ray starts in: the handler of SIGTERM stays the process's own, where Ray would exit at once."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        signal.signal(signal.SIGTERM, before)


def on_cluster(
    function: Callable[..., Any], work: Iterable[tuple[Any, Sequence[Any]]], cores: int
) -> Iterator[tuple[Any, Any]]:
    """Call a function on the cluster with each tuple of arguments; yields keys and results as they are done.

    cores: that each call uses. A call that dies with its node is made again elsewhere, up to RETRIES times. Raises
    OptionError if no node has as many cores, and RiverbedError for what the function raises and for a call that dies
    time and again.
    """
    import ray

    most = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    if cores > most:
        raise OptionError(f"no node of the cluster has {cores} cores; the largest has {most}: choose fewer --threads")
    remote = ray.remote(num_cpus=cores, max_retries=RETRIES)(function)
    waiting, running = iter(work), dict[Any, Any]()
    try:
        while True:
            at_once = AHEAD * max(1, int(ray.cluster_resources().get("CPU", 0)) // cores)
            for key, arguments in islice(waiting, max(0, at_once - len(running))):
                running[remote.remote(*arguments)] = key
            if not running:
                return
            done = ray.wait(list(running), num_returns=1)[0][0]
            yield running.pop(done), _result(done)
    finally:
        for reference in running:
            ray.cancel(reference)


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


# --- what is played there ---------------------------------------------------------------------------------------------


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
        folder = Path(tempfile.gettempdir()) / f"riverbed-{getpass.getuser()}-{self.digest}"
        for path, content in self.files.items():
            (folder / path).parent.mkdir(parents=True, exist_ok=True)
            write_bytes(folder / path, content)
        with contextlib.chdir(folder):
            yield

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


def blocks(evaluation: Evaluation, tasks: Sequence[Task], watch: Watcher) -> Iterator[tuple[Task, pa.Table]]:
    """Play an evaluation's tasks on the cluster that this process is connected to; see `Evaluation.play`."""
    import ray

    shared = ray.put((evaluation.folder.identity, Parcel.of(evaluation.plan.seated), evaluation.threads))
    for task, rows in on_cluster(play_block, ((task, (shared, task)) for task in tasks), evaluation.threads):
        watch(task.cell, task.deals, rows.num_rows)
        yield task, rows


def play_block(shared: tuple[Identity, Parcel, int], task: Task) -> pa.Table:
    """The rows of a task, on a node. Raises OptionError if the node's rules or agents differ."""
    from .evaluation.run import play_task

    identity, parcel, threads = shared
    with parcel.opened():
        agents = _agents(identity, parcel.digest)
        return play_task(task, identity, agents, threads, lambda cell, deals, games: None)


_KNOWN: dict[str, list[Agent]] = {}  # of the last evaluation in this process, by its sources and files


def _agents(identity: Identity, files: str) -> list[Agent]:
    """The agents of an evaluation, made once in a process."""
    from riverbed_env.registry import find_game

    from .evaluation.folder import identify
    from .evaluation.run import find_agents

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


def learners(jobs: Sequence[Job], watch: Callable[[str, int], None]) -> Iterator[tuple[str, Outcome]]:
    """Play the rounds of a league's learners on the cluster that this process is connected to; see `League`."""
    by_name = {job.learner: job for job in jobs}
    cores = max((job.config.threads for job in jobs), default=1)
    work = ((job.learner, (job, Parcel.of(job.installed), *_contents(job))) for job in jobs)
    for name, (outcome, checkpoint, policy) in on_cluster(play_away, work, cores):
        job = by_name[name]
        write_bytes(job.checkpoint, checkpoint)
        write_bytes(job.policy, policy)
        watch(name, job.steps)
        yield name, outcome


def _contents(job: Job) -> tuple[bytes | None, dict[str, bytes]]:
    """The contents of the files that a job reads: its checkpoint and the policies."""
    start = job.start.read_bytes() if job.start else None
    return start, {name: path.read_bytes() for name, path in job.policies.items()}


def play_away(
    job: Job, parcel: Parcel, start: bytes | None, policies: Mapping[str, bytes]
) -> tuple[Outcome, bytes, bytes]:
    """Play a learner's round on a node: its outcome, and the contents of its checkpoint and policy."""
    from .league.learner import play_round

    with tempfile.TemporaryDirectory() as name, parcel.opened():
        folder = Path(name)
        read = {member: folder / f"policy_{number}.npz" for number, member in enumerate(policies)}
        begin, checkpoint, policy = (folder / f"{what}.npz" for what in ("start", "checkpoint", "policy"))
        for path, content in [*((read[member], policies[member]) for member in policies), (begin, start)]:
            if content is not None:
                path.write_bytes(content)
        begun = None if start is None else begin
        outcome = play_round(replace(job, start=begun, policies=read, checkpoint=checkpoint, policy=policy))
        return outcome, checkpoint.read_bytes(), policy.read_bytes()


# --- folders in a bucket ----------------------------------------------------------------------------------------------


def in_bucket(out: str) -> bool:
    """Whether a place is a URL; otherwise it is a folder's path."""
    return "://" in out


@contextlib.contextmanager
def folder_of(out: str) -> Iterator[tuple[Path, Callable[[], None]]]:
    """The folder to work in, and what to call after each finished part: nothing for a folder.

    For a bucket, whatever `fsspec` reaches, the folder is a copy. The call uploads what has changed since, oldest
    first: files here are written before those that name them, so a bucket can be resumed from at every moment. Raises
    OptionError if the bucket can't be read or another process works there, and WriteError if an upload fails.
    """
    if not in_bucket(out):
        yield Path(out), lambda: None
        return
    need("ray")
    from fsspec.core import url_to_fs

    with _plainly(out, "can't be reached", OptionError):
        disk = out.startswith(("file://", "local://"))  # the one that needs its folders made
        system, root = url_to_fs(out.rstrip("/"), **({"auto_mkdir": True} if disk else {}))
        root = str(root).rstrip("/")
        lock = f"{root}/{RUNNING}-{socket.gethostname()}-{os.getpid()}.lock"
        system.pipe_file(lock, b"{}\n")
    try:
        with tempfile.TemporaryDirectory(prefix="riverbed-bucket-") as name:
            folder = Path(name)
            with _plainly(out, "can't be read", OptionError):
                _fetch(system, root, lock, folder, out)
            known = _files(folder)

            def keep() -> None:
                with _plainly(out, "couldn't be written", WriteError):
                    _upload(system, root, folder, known)

            yield folder, keep
            keep()
    finally:
        with contextlib.suppress(Exception):  # the bucket may be out of reach by now
            system.rm_file(lock)


def _fetch(system: Any, root: str, lock: str, folder: Path, url: str) -> None:
    """Download every file. Raises OptionError if there is another process's lock."""
    for path in system.find(root):
        inner = str(path).removeprefix(f"{root}/")
        if inner.startswith(RUNNING) and path != lock:
            raise OptionError(f"another process is working in {url}; if it no longer runs, delete {inner} there")
        if path != lock:
            (folder / inner).parent.mkdir(parents=True, exist_ok=True)
            system.get_file(path, str(folder / inner))


def _upload(system: Any, root: str, folder: Path, known: dict[str, tuple[int, int]]) -> None:
    """Upload what has changed since `known`, in the order in which it was written; then delete what is gone."""
    there = _files(folder)
    for name, now in sorted(there.items(), key=lambda each: each[1]):
        if known.get(name) != now:
            system.pipe_file(f"{root}/{name}", (folder / name).read_bytes())
            known[name] = now
    for name in known.keys() - there.keys():
        system.rm_file(f"{root}/{name}")
        del known[name]


def _files(folder: Path) -> dict[str, tuple[int, int]]:
    """Time and size of a folder's files; locks and half-written ones are left out."""
    found = {}
    for path in folder.rglob("*"):
        if path.is_file() and not path.name.startswith(RUNNING) and path.suffix != PART:
            status = path.stat()
            found[path.relative_to(folder).as_posix()] = (status.st_mtime_ns, status.st_size)
    return found


@contextlib.contextmanager
def _plainly(url: str, what: str, kind: type[Exception]) -> Iterator[None]:
    """Turn the errors of a file system into one line."""
    try:
        yield
    except RiverbedError:
        raise
    except Exception as error:  # file systems raise their services' errors
        raise kind(f"{url} {what}: {str(error) or type(error).__name__}") from error
