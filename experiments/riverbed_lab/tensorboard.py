"""Writes figures for TensorBoard from the calling thread.

PyTorch's writer uses a separate thread. On a full disk that thread dies with a traceback while the run continues
without an error, and a run that doesn't close the writer leaks a thread and an open file.
"""

import itertools
import os
import socket
import time
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from tensorboard.compat.proto.event_pb2 import Event
from tensorboard.compat.proto.summary_pb2 import Summary
from tensorboard.summary.writer.record_writer import RecordWriter

from riverbed_env.core.files import cannot_write

from .files import writable_folder

_numbers = itertools.count()  # distinguishes files created in the same second


class EventWriter:
    """A new event file in a folder; TensorBoard shows it beside those of earlier runs there.

    Every method raises WriteError if the file can't be written.
    """

    def __init__(self, folder: Path) -> None:
        now = time.time()
        name = f"events.out.tfevents.{int(now):010}.{socket.gethostname()}.{os.getpid()}.{next(_numbers)}"
        self.path = writable_folder(folder) / name
        try:
            self._file = self.path.open("xb")
        except OSError as error:
            raise cannot_write(self.path, error) from error
        self._records = RecordWriter(self._file)
        self._put(Event(wall_time=now, file_version="brain.Event:2"))

    def scalars(self, rows: Iterable[tuple[str, float]], step: int) -> None:
        """Write one figure for each name."""
        values = [Summary.Value(tag=name, simple_value=value) for name, value in rows]
        self._put(Event(wall_time=time.time(), step=step, summary=Summary(value=values)))

    def close(self) -> None:
        """Close the file. Everything was flushed before, so an error here loses nothing."""
        with suppress(OSError):
            self._file.close()

    def _put(self, event: Event) -> None:
        try:
            self._records.write(event.SerializeToString())
            self._records.flush()
        except OSError as error:
            raise cannot_write(self.path, error) from error
