"""A folder that lies in a bucket: a local copy to work in, kept up to date there file by file.

Whatever `fsspec` reaches will do: s3://, gs://, az://, sftp://. The copy is fetched first; `keep` then uploads what has
changed since, oldest first, and deletes last. Files here are written whole and before those that name them, so a bucket
holds at every moment what a folder would after a kill: the same command resumes from it, on any machine.
"""

from __future__ import annotations

import contextlib
import os
import socket
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from riverbed_env.core.files import PART
from riverbed_env.errors import OptionError, WriteError

from .extras import need

RUNNING = ".running-"
MARK = "://"


def in_bucket(out: str) -> bool:
    """Whether a place is a URL; otherwise it is a folder's path."""
    return MARK in out


@contextlib.contextmanager
def folder_of(out: str) -> Iterator[tuple[Path, Callable[[], None]]]:
    """The folder to work in, and what to call after each finished part: nothing for a folder, `keep` for a bucket.

    Raises OptionError if the bucket can't be reached or another process works there, and WriteError if an upload fails.
    """
    if not in_bucket(out):
        yield Path(out), lambda: None
        return
    need("ray")
    bucket = _reached(out)
    with bucket.held(), tempfile.TemporaryDirectory(prefix="riverbed-bucket-") as name:
        copy = Copy(bucket, Path(name))
        copy.fetch()
        yield copy.folder, copy.keep
        copy.keep()


@dataclass(frozen=True)
class Bucket:
    """A place in a file system of `fsspec`. url: as it was given, for messages."""

    url: str
    system: Any
    root: str

    def names(self) -> list[str]:
        """The files below the place, by their paths in it."""
        if not self.system.exists(self.root):
            return []
        return [str(PurePosixPath(found).relative_to(self.root)) for found in self.system.find(self.root)]

    def path(self, name: str) -> str:
        """A file's path in the file system."""
        return f"{self.root}/{name}"

    @contextlib.contextmanager
    def held(self) -> Iterator[None]:
        """Hold the bucket for this process by a lock file. Raises OptionError if another process's is there."""
        mine = f"{RUNNING}{socket.gethostname()}-{os.getpid()}.lock"
        with _plainly(self.url, "can't be written", OptionError):
            self.system.pipe_file(self.path(mine), b"{}\n")
        try:
            others = [name for name in self.names() if name.startswith(RUNNING) and name != mine]
            if others:
                raise OptionError(
                    f"another process is working in {self.url}; wait until it is done, choose another place with "
                    f"--out, or, if it no longer runs, delete {others[0]} there"
                )
            yield
        finally:
            with contextlib.suppress(Exception):  # the bucket may be out of reach by now
                self.system.rm_file(self.path(mine))


@dataclass
class Copy:
    """A local copy of a bucket. known: size and time of each file as it is in the bucket."""

    bucket: Bucket
    folder: Path
    known: dict[str, tuple[int, int]] = field(default_factory=dict)

    def fetch(self) -> None:
        """Download every file."""
        with _plainly(self.bucket.url, "can't be read", OptionError):
            for name in self.bucket.names():
                if not name.startswith(RUNNING):
                    (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
                    self.bucket.system.get_file(self.bucket.path(name), str(self.folder / name))
        self.known = self._there()

    def keep(self) -> None:
        """Upload what has changed, in the order in which it was written; then delete what is gone."""
        there = self._there()
        changed = sorted((now[1], name) for name, now in there.items() if self.known.get(name) != now)
        with _plainly(self.bucket.url, "couldn't be written", WriteError):
            for _, name in changed:
                self.bucket.system.pipe_file(self.bucket.path(name), (self.folder / name).read_bytes())
                self.known[name] = there[name]
            for name in self.known.keys() - there.keys():
                self.bucket.system.rm_file(self.bucket.path(name))
                del self.known[name]

    def _there(self) -> dict[str, tuple[int, int]]:
        """Size and time of the local files; locks and half-written ones are left out."""
        found = {}
        for path in self.folder.rglob("*"):
            if path.is_file() and not path.name.startswith(RUNNING) and path.suffix != PART:
                status = path.stat()
                found[path.relative_to(self.folder).as_posix()] = (status.st_size, status.st_mtime_ns)
        return found


def _reached(url: str) -> Bucket:
    from fsspec.core import url_to_fs

    with _plainly(url, "can't be reached", OptionError):
        disk = url.startswith(("file://", "local://"))  # the one that needs its folders made
        system, root = url_to_fs(url.rstrip("/"), **({"auto_mkdir": True} if disk else {}))
    return Bucket(url, system, str(root).rstrip("/"))


@contextlib.contextmanager
def _plainly(url: str, what: str, kind: type[Exception]) -> Iterator[None]:
    """Turn the errors of a file system into one line."""
    try:
        yield
    except Exception as error:  # file systems raise their services' errors
        raise kind(f"{url} {what}: {str(error) or type(error).__name__}") from error
