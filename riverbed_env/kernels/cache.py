"""Where compiled kernels are kept, and how they are found again: also where they can be read and not written.

Numba's own cache checks one file only and would run outdated rules after an edit elsewhere; it finds nothing in a
folder that can't be written, or whose sources have other times or lie elsewhere. So a family's folder is keyed on the
contents of all its sources, and nothing else counts: what one user has warmed serves any user, on any path.
"""

import contextlib
import functools
import hashlib
import os
import shutil
import tempfile
import warnings
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numba
import platformdirs

PLAIN_NUMBA = os.environ.get("RIVERBED_PLAIN_NUMBA", "") not in ("", "0")  # kernels are compiled by `njit` alone

DIGITS = 16  # of a hash of sources
KEPT_CACHES = 6
CACHES = "__pycache__"  # beside the sources
SOURCES = (".py", ".toml", ".npz")  # what kernels are made of: code, packs, weights


@functools.cache
def _text_digest(path: Path) -> bytes:
    return hashlib.sha256(path.read_bytes()).digest()


def sources(folder: Path) -> list[Path]:
    """The sources in a folder and its subfolders, sorted. Caches aren't read: other processes may be deleting them."""
    found = []
    for where, folders, names in os.walk(folder):
        folders[:] = [name for name in folders if name != CACHES]
        found += [Path(where, name) for name in names if name.endswith(SOURCES)]
    return sorted(found)


def digest(folders: Iterable[Path]) -> str:
    """A short hash of all sources and data in the folders and of how they are compiled."""
    config: Any = numba.config
    total = hashlib.sha256(f"{config.BOUNDSCHECK} {config.OPT} {PLAIN_NUMBA}".encode())
    for folder in folders:
        for path in sources(folder):
            total.update(str(path.relative_to(folder)).encode())
            total.update(_text_digest(path))
    return total.hexdigest()[:DIGITS]


def _writable(folder: Path) -> bool:
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            return True
    except OSError:
        return False


def forget_old_sources(folder: Path, name: str) -> None:
    """Delete the family's caches of older sources, except the latest few, which other processes may still use."""
    caches = [path for path in folder.glob(f"{name}-*") if len(path.name) == len(name) + 1 + DIGITS]
    with contextlib.suppress(FileNotFoundError):  # another process is deleting them too
        for path in sorted(caches, key=lambda path: path.stat().st_mtime)[:-KEPT_CACHES]:
            shutil.rmtree(path, ignore_errors=True)


class CacheFolders:
    """The folders of one family's compiled kernels, keyed on its sources: `read` are looked in, `saved` is written.

    Beside the sources is the first choice, or RIVERBED_CACHE_DIR where that is set. Where the first can't be written it
    is read all the same, and the user's own cache folder is read and written too; `saved` is None if that can't be done
    either. home: the folder beside which the family's kernels are kept. folders: all of its sources.
    """

    def __init__(self, name: str, home: Path, folders: Iterable[Path]) -> None:
        chosen = os.environ.get("RIVERBED_CACHE_DIR")
        first = Path(chosen or home / CACHES) / f"{name}-{digest(folders)}"
        second = Path(platformdirs.user_cache_dir("riverbed")) / first.name  # relative if the user has no home
        self.read, self.warning = [first], ""
        self.saved: Path | None = first
        if _writable(first):
            forget_old_sources(first.parent, name)
            return
        # All families give the same text, so the warning is shown once.
        where = f"RIVERBED_CACHE_DIR ({chosen})" if chosen else "the folders of the sources"
        if second.is_absolute() and _writable(second):
            self.read, self.saved = [first, second], second
            forget_old_sources(second.parent, name)
            self.warning = f"{where} can't be written: compiled kernels are saved in {second.parent}"
        else:
            self.saved = None
            self.warning = (
                f"neither {where} nor {second.parent} can be written: kernels that aren't there are compiled again at "
                "each start; set RIVERBED_CACHE_DIR to a folder that you can write"
            )


@functools.cache
def warn_once(text: str) -> None:
    """Warn with this text unless that was done."""
    warnings.warn(text, stacklevel=3)
