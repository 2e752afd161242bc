"""Parts played by several processes, each of which writes its own; any number of them gives the same files."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from functools import partial
from pathlib import Path

from riverbed_env.corpus.manifest import Manifest
from riverbed_env.errors import RiverbedError

from .run import Done, Recording


def several(recording: Recording, parts: Sequence[int], workers: int) -> Iterator[Done]:
    """Play parts in this many processes; yields each when it is written.

    Raises what a worker raises, and RiverbedError if one is killed; only the parts under way are then lost.
    """
    others = multiprocessing.active_children()
    spawned = multiprocessing.get_context("spawn")  # a fork would copy the threads of compiled code
    pool = ProcessPoolExecutor(workers, spawned, begin)
    play = partial(play_part, recording.manifest, recording.folder)
    try:
        yield pool.submit(play, parts[0]).result()  # compiles what isn't compiled yet, once for all
        for done in as_completed([pool.submit(play, part) for part in parts[1:]]):
            yield done.result()
    except BrokenProcessPool as error:
        raise RiverbedError("a worker was killed") from error
    finally:
        for process in {*multiprocessing.active_children()}.difference(others):  # nobody waits for parts under way
            process.terminate()
        pool.shutdown(cancel_futures=True)


_recordings: list[Recording] = []  # that of this worker


def begin() -> None:
    """Begin a worker: the process that started it decides what happens at Ctrl-C, and the worker ends with it."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)


def play_part(manifest: Manifest, folder: Path, part: int) -> Done:
    """Play a part in a worker."""
    if not _recordings:
        _recordings.append(Recording.of(manifest, folder))
    if _recordings[0].manifest.sources != manifest.sources:
        raise RiverbedError("rules or agents have changed while they were recorded")
    return _recordings[0].play(part)
