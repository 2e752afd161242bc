"""Calls of functions on a Ray cluster: the connection, and a loop that keeps all its cores busy."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Callable, Generator, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

from riverbed_env.errors import OptionError, RiverbedError

from .ray_address import LOCAL, check_address

RETRIES = 10  # of a call whose node died
AHEAD = 2  # calls for each core, one that runs and one that waits, so that none is idle while this machine writes
STORE = 512 * 2**20  # bytes of the object store of a Ray of our own


@contextlib.contextmanager
def connected(address: str) -> Iterator[None]:
    """A connection to the cluster at an address, as `ray.init` takes it: "auto", HOST:PORT or ray://HOST:PORT.

    "local" starts a Ray on this machine for the time. Raises OptionError if there is no cluster, within seconds.
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

    _check_cores(cores)
    remote = ray.remote(num_cpus=cores, max_retries=RETRIES)(function)
    calls = Calls(
        start=remote.remote,
        wait=lambda running: ray.wait(running, num_returns=1)[0][0],
        at_once=lambda: int(ray.cluster_resources().get("CPU", 0)) // cores,
        cancel=ray.cancel,
    )
    with contextlib.closing(keep_busy(work, calls)) as done:
        for key, reference in done:
            yield key, _result(reference)


@dataclass(frozen=True)
class Calls:
    """What keeps a cluster busy, Ray's or a simulated one.

    start: start a call with these arguments; returns a reference. wait: the reference of a call that is done, of these.
    at_once: how many calls the cluster can run now. cancel: give a call up.
    """

    start: Callable[..., Any]
    wait: Callable[[list[Any]], Any]
    at_once: Callable[[], int]
    cancel: Callable[[Any], None]


def keep_busy(work: Iterable[tuple[Any, Sequence[Any]]], calls: Calls) -> Generator[tuple[Any, Any]]:
    """Start each call of the work, AHEAD for each that can run; yields keys and references as they are done."""
    waiting = iter(work)
    running: dict[Any, Any] = {}
    try:
        while True:
            most = AHEAD * max(1, calls.at_once())
            for key, arguments in islice(waiting, max(0, most - len(running))):
                running[calls.start(*arguments)] = key
            if not running:
                return
            done = calls.wait(list(running))
            yield running.pop(done), done
    finally:
        for reference in running:
            calls.cancel(reference)


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
