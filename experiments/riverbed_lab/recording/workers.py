"""Parts played by several processes, each of which writes its own; any number of them gives the same files."""

from __future__ import annotations

import multiprocessing
import signal
from collections.abc import Iterator, Sequence
from multiprocessing.connection import Connection, wait
from multiprocessing.process import BaseProcess
from pathlib import Path

from riverbed_env.corpus.manifest import Manifest
from riverbed_env.errors import RiverbedError

from .run import Done, Recording


def several(recording: Recording, parts: Sequence[int], workers: int) -> Iterator[Done]:
    """Play parts in this many processes; yields each when it is written.

    Raises what a worker raises, and RiverbedError if one is killed; only the parts under way are then lost.
    """
    left = list(reversed(parts))
    running: dict[Connection, BaseProcess] = {}
    wanted = 1  # until the first part is there: its worker compiles what isn't compiled yet, once for all
    try:
        while left or running:
            while left and len(running) < wanted:
                connection, process = _start(recording)
                running[connection] = process
                connection.send(left.pop())
            answered = wait(list(running))
            for connection in [each for each in running if each in answered]:
                done = _answer(connection, running[connection])
                if left:
                    connection.send(left.pop())
                else:
                    _end(connection, running.pop(connection))
                wanted = workers
                yield done
    finally:
        for connection, process in running.items():
            _end(connection, process)


def _start(recording: Recording) -> tuple[Connection, BaseProcess]:
    """A worker, and this end of the pipe to it."""
    context = multiprocessing.get_context("spawn")  # a fork would copy the threads of compiled code
    ours, theirs = context.Pipe()
    process = context.Process(target=serve, args=(theirs, recording.manifest, recording.folder), daemon=True)
    process.start()
    theirs.close()  # so that reading from ours fails when the worker ends
    return ours, process


def _end(connection: Connection, process: BaseProcess) -> None:
    """End a worker, which waits for another part or plays one that nobody waits for."""
    connection.close()
    process.terminate()
    process.join()


def _answer(connection: Connection, process: BaseProcess) -> Done:
    """What a worker sends. Raises what it has raised."""
    try:
        answer = connection.recv()
    except (EOFError, ConnectionError):
        process.join()
        raise RiverbedError(f"a worker was killed (exit code {process.exitcode})") from None
    if isinstance(answer, Exception):
        raise answer
    part, games = answer
    return part, games


def serve(connection: Connection, manifest: Manifest, folder: Path) -> None:
    """Play the parts whose numbers come through the connection, until it is closed."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the process that started this one decides what happens
    try:
        recording = Recording.of(manifest, folder)
        if recording.manifest.sources != manifest.sources:
            raise RiverbedError("rules or agents have changed while they were recorded")
        while True:
            connection.send(recording.play(connection.recv()))
    except (EOFError, ConnectionError):  # the process that started this one is gone
        return
    except Exception as error:
        connection.send(error if isinstance(error, RiverbedError) else RiverbedError(repr(error)))
