"""One run per folder: a process that works in a folder holds a lock there, which the system lets go if it dies."""

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from filelock import FileLock, Timeout

from riverbed_env.core.files import cannot_write
from riverbed_env.errors import OptionError

from .files import writable_folder

LOCK = ".running.lock"  # the file's name


@contextmanager
def locked(folder: Path) -> Iterator[None]:
    """Hold the folder for this process, which may nest. Raises OptionError if another process holds it."""
    path = writable_folder(folder).resolve() / LOCK
    lock = FileLock(path, timeout=0, is_singleton=True)
    try:
        lock.acquire()
    except Timeout as error:
        raise OptionError(
            f"another process is working in {folder}; wait until it is done, or choose another folder with --out"
        ) from error
    except OSError as error:
        raise cannot_write(path, error) from error
    try:
        yield
    finally:
        if lock.lock_counter == 1:
            with suppress(OSError):  # where open files can't be deleted it stays, which does no harm
                path.unlink()
        lock.release()
