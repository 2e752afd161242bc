"""The cache of compiled kernels: where it is, whether it can be written, how much is in it."""

from __future__ import annotations

import os
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import platformdirs

from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import DIGITS, compiled
from riverbed_env.registry import find_game, game_ids

from .findings import Finding, note, wrong
from .machine import disk

FOLDER = re.compile(rf"(?P<family>\w+)-[0-9a-f]{{{DIGITS}}}")
LOOPS = ("reset_games", "step_games")  # those that every batch plays with
PACKAGES = ("riverbed_env", "agents", "experiments")


def cache() -> list[Finding]:
    """Where kernels are kept, what is there, and which games are compiled."""
    if not compiled():
        return [note("nothing is compiled or kept: NUMBA_DISABLE_JIT is set", "unset NUMBA_DISABLE_JIT")]
    return [*_place(), *_contents(), *(_game(game_id) for game_id in game_ids())]


def _place() -> list[Finding]:
    """The folder that is written to: the chosen one, else beside the sources, else the user's."""
    chosen = os.environ.get("RIVERBED_CACHE_DIR")
    first = Path(chosen) if chosen else Path(__file__).parents[2] / "riverbed_env"
    second = Path(platformdirs.user_cache_dir("riverbed"))
    where = f"{first} (RIVERBED_CACHE_DIR)" if chosen else f"beside the sources in {first}"
    if _can_write(first):
        return [Finding(f"kept {where}"), disk(_existing(first))]
    if _can_write(second):
        return [note(f"{where} can't be written: kept in {second}", "set RIVERBED_CACHE_DIR to a folder you can write")]
    return [
        wrong(
            f"neither {first} nor {second} can be written: every start compiles for minutes",
            "set RIVERBED_CACHE_DIR to a folder you can write",
        )
    ]


def _existing(folder: Path) -> Path:
    """The folder, or the nearest one above it that exists."""
    return next(path for path in (folder, *folder.absolute().parents) if path.exists())


def _can_write(folder: Path) -> bool:
    """Whether the folder, made if need be, could be written."""
    there = _existing(folder)
    return there.is_dir() and os.access(there, os.W_OK | os.X_OK)


def kept() -> dict[str, list[Path]]:
    """The folders of compiled kernels in all places they may be, by family, the latest first."""
    root = Path(__file__).parents[2]
    homes = [home for name in PACKAGES for home in (root / name).rglob("__pycache__")]
    homes += [Path(platformdirs.user_cache_dir("riverbed"))]
    homes += [Path(os.environ["RIVERBED_CACHE_DIR"])] if os.environ.get("RIVERBED_CACHE_DIR") else []
    found: dict[str, list[Path]] = defaultdict(list)
    for home in homes:
        for path in home.iterdir() if home.is_dir() else ():
            match = FOLDER.fullmatch(path.name)
            if match and path.is_dir():
                found[match["family"]].append(path)
    return {name: sorted(paths, key=lambda path: path.stat().st_mtime, reverse=True) for name, paths in found.items()}


def _contents() -> list[Finding]:
    """How many kernels are kept, and how much of it is of older sources."""
    found = kept()
    latest = [files for paths in found.values() for files in _sizes(paths[:1])]
    older = [files for paths in found.values() for files in _sizes(paths[1:])]
    said = [Finding(f"{len(latest):,} kernels compiled, {sum(latest) / 1e6:,.0f} MB")]
    if older:
        folders = sum(len(paths) - 1 for paths in found.values())
        words = (
            f"{len(older):,} more in {folders} folders of older sources or other settings, {sum(older) / 1e6:,.0f} MB"
        )
        said.append(Finding(f"{words}; the latest few are kept, and all may be deleted"))
    return said


def _sizes(folders: list[Path]) -> list[int]:
    return [path.stat().st_size for folder in folders for path in folder.rglob("*.nbc")]


def _game(game_id: str) -> Finding:
    game = find_game(game_id)
    return Finding(f"{game.title}: {_state(game)}")


def _state(game: Game) -> str:
    if is_warm(game):
        return "compiled"
    if not game.family.cold:
        return "compiled in part; the rest takes up to half a minute when it is needed; riverbed warm compiles ahead"
    return "not compiled yet: the first game takes about half a minute; riverbed warm compiles ahead"


def is_warm(game: Game) -> bool:
    """Whether the loops that a batch plays with are kept as they are now; nothing is compiled to find out."""
    return not compiled() or (not game.family.cold and all(_is_kept(game.loop(name)) for name in LOOPS))


def _is_kept(loop: Any) -> bool:
    """Whether Numba has a loop in its cache and would take it: it reads the index, which is of one source and version.

    Numba has no public way to ask; where a release has other names inside, the answer is no.
    """
    try:
        return bool(loop._cache._cache_file._load_index())
    except (AttributeError, OSError, ValueError, EOFError):
        return False
