"""Past one machine: blocks of an evaluation as tasks of Ray.

A block is a function of what it is given, so Ray may play it on any node and, if the node dies, again on another; this
machine alone writes the rows, the same as on one machine.
"""

from __future__ import annotations

import contextlib
import os
import platform
import signal
import socket
import tempfile
from collections.abc import Callable, Iterable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from riverbed_env.errors import OptionError, RiverbedError

from .extras import need

if TYPE_CHECKING:
    import pyarrow as pa

    from .evaluation.folder import Identity
    from .evaluation.run import Evaluation, Task, Watcher

LOCAL, CLIENT = "local", "ray://"  # addresses: a Ray of our own on this machine's cores; a Ray's client server
PATIENCE = 5.0  # seconds for a connection: Ray itself tries for minutes, then ends the process
RETRIES = 10  # of a call whose node died
STORE = 512 * 2**20  # bytes of the object store of a Ray of our own

Files = dict[str, bytes]  # by relative path


# --- the cluster ------------------------------------------------------------------------------------------------------


@contextlib.contextmanager
def connected(address: str | None) -> Iterator[None]:
    """A connection to the cluster at an address: "auto", HOST:PORT, ray://HOST:PORT, or "local" for one of our own.

    None: this process alone. Raises OptionError if there is no cluster.
    """
    if address is None:
        yield
        return
    need("ray")
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
    before = signal.getsignal(signal.SIGTERM)
    try:
        yield
    finally:
        with contextlib.suppress(ValueError):  # outside the main thread Ray sets none, and we can't
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
    from ray.exceptions import RayError, RayTaskError

    most = max((int(node["Resources"].get("CPU", 0)) for node in ray.nodes() if node["Alive"]), default=0)
    if cores > most:
        raise OptionError(f"no node of the cluster has {cores} cores; the largest has {most}: choose fewer --threads")
    remote = ray.remote(num_cpus=cores, max_retries=RETRIES)(function)
    running = {remote.remote(*arguments): key for key, arguments in work}
    try:
        while running:
            (done,), _ = ray.wait(list(running), num_returns=1)
            yield running.pop(done), ray.get(done)
    except RayTaskError as error:
        cause = error.cause
        raise (cause if isinstance(cause, RiverbedError) else RiverbedError(f"on the cluster: {cause!r}")) from error
    except RayError as error:
        raise RiverbedError(f"a part was lost {RETRIES + 1} times with its node: {error!s:.200}") from error
    finally:
        for reference in running:
            ray.cancel(reference)


# --- what is played there ---------------------------------------------------------------------------------------------


def files_of(specs: Iterable[str]) -> Files:
    """The files that specs of agents name by relative paths; those by absolute paths must be on every node."""
    paths = {Path(spec.partition(":")[0]) for spec in specs}
    return {str(path): path.read_bytes() for path in sorted(paths) if not path.is_absolute() and path.is_file()}


@contextlib.contextmanager
def working_with(files: Files) -> Iterator[None]:
    """Work in a folder that holds these files."""
    with tempfile.TemporaryDirectory() as folder, contextlib.chdir(folder):
        for name, content in files.items():
            Path(name).parent.mkdir(parents=True, exist_ok=True)
            Path(name).write_bytes(content)
        yield


def blocks(evaluation: Evaluation, tasks: Sequence[Task], watch: Watcher) -> Iterator[tuple[Task, pa.Table]]:
    """Play an evaluation's tasks on the cluster that this process is connected to; see `Evaluation.play`."""
    import ray

    shared = ray.put((evaluation.folder.identity, files_of(evaluation.plan.seated), evaluation.threads))
    for task, rows in on_cluster(play_block, ((task, (shared, task)) for task in tasks), evaluation.threads):
        watch(task.cell, task.deals, rows.num_rows)
        yield task, rows


def play_block(shared: tuple[Identity, Files, int], task: Task) -> pa.Table:
    """The rows of a task, on a node. Raises OptionError if the node's rules or agents differ."""
    from riverbed_env.registry import find_game

    from .evaluation.folder import identify
    from .evaluation.run import find_agents, play_task

    identity, files, threads = shared
    with working_with(files):
        if _KNOWN.get("identity") != (identity, files):
            game = find_game(identity.plan.environment)
            agents = find_agents(game, identity.plan.seated)
            here = identify(game, identity.plan, agents)
            if (here.pack, here.sources) != (identity.pack, identity.sources):
                raise OptionError(
                    f"node {platform.node()} has other rules, agents or content (code {here.code}) than this machine "
                    f"({identity.code}): install the same version there"
                )
            _KNOWN.update(identity=(identity, files), agents=agents)
        return play_task(task, identity, _KNOWN["agents"], threads, lambda cell, deals, games: None)


_KNOWN: dict[str, Any] = {}  # the agents of the last evaluation in this process, and which one that was
