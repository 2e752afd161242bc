"""Which games there are and where they live, without loading any of them.

The library's own games are registered here. Other packages bring games by an entry point of the group "riverbed.games":
its name is the game's versioned name, its value a module whose import calls `register_game`. Such a module is imported
when its game is asked for, or when all games are listed.
"""

import functools
import importlib
import sys
from dataclasses import dataclass
from importlib.metadata import EntryPoint, entry_points
from typing import Any

import gymnasium

from .errors import OptionError, did_you_mean

GROUP = "riverbed.games"


@dataclass(frozen=True)
class Entry:
    """Where a game's parts live, as "module:name" or, for whole modules, as "module".

    game: the `Game`; env: the module of its entry points `env`, `raw_env` and, for games with simultaneous choices,
    `parallel_env`; registry_id: its name in PettingZoo's registry.
    """

    game: str
    env: str
    registry_id: str
    simultaneous: bool = False


ENTRIES: dict[str, Entry] = {}


def register_game(game_id: str, game: str, *, env: str, registry_id: str, simultaneous: bool = False) -> None:
    """Register a game under its versioned name, in PettingZoo's and Gymnasium's registries too.

    A second call with the same arguments does nothing.

    Args:
        game_id: The versioned name, like "riverbed_hunt_v1".
        game: Where the `Game` is, as "module:name".
        env: The module of the game's entry points `env`, `raw_env` and, for simultaneous choices, `parallel_env`.
        registry_id: The game's name in those registries, like "riverbed/Hunt-v1".
        simultaneous: Whether seats choose at the same time; the game then has a `parallel_env`.

    Raises:
        ValueError: Another game has the name.
    """
    entry = Entry(game, env, registry_id, simultaneous)
    if ENTRIES.get(game_id, entry) != entry:
        raise ValueError(f"{game_id!r} is taken by {ENTRIES[game_id].game}")
    if game_id in ENTRIES:
        return
    ENTRIES[game_id] = entry
    _register_with_pettingzoo("aec", registry_id, f"{env}:env")
    gymnasium.register(
        registry_id,
        entry_point="riverbed_env.envs.learner_env:LearnerEnv",
        vector_entry_point="riverbed_env.envs.learner_vector:LearnerVectorEnv",
        kwargs={"game": game_id},
    )
    if simultaneous:
        _register_with_pettingzoo("parallel", registry_id, f"{env}:parallel_env")


def _register_with_pettingzoo(api: str, registry_id: str, entry_point: str) -> None:
    """Enter a game in PettingZoo's registry; versions before 1.27 have none, and their users import the module."""
    try:
        from pettingzoo.env_registry import register
    except ModuleNotFoundError as error:
        if error.name != "pettingzoo.env_registry":
            raise
    else:
        register(api, registry_id, entry_point=entry_point)


def installed(group: str) -> tuple[EntryPoint, ...]:
    """The entry points of a group in the packages that can be imported; read once, since each package has a file."""
    return _read_entries(group, tuple(sys.path))


@functools.cache
def _read_entries(group: str, path: tuple[str, ...]) -> tuple[EntryPoint, ...]:
    return tuple(entry_points(group=group))


def installed_games() -> list[str]:
    """The versioned names of the games that installed packages bring and that aren't registered yet."""
    return [entry.name for entry in installed(GROUP) if entry.name not in ENTRIES]


def full_name(game_id: str) -> str:
    """The versioned name of a registered or installed game, given with or without its version.

    Raises OptionError if there is no such game.
    """
    if game_id in ENTRIES:  # other packages' entry points take a while to read
        return game_id
    names = [*ENTRIES, *installed_games()]
    for name in names:
        if game_id in (name, name.rpartition("_v")[0]):
            return name
    hint = did_you_mean(str(game_id), names, cutoff=0.4)
    raise OptionError(f"there is no game {game_id!r}{hint}; there are {', '.join(names)}")


@functools.cache
def load_game(game_id: str) -> Any:
    """The `Game` of a versioned name. Raises OptionError if there is none or it can't be loaded."""
    known = full_name(game_id)
    register_installed(known)
    where = ENTRIES[known].game
    module, _, name = where.partition(":")
    game = getattr(importlib.import_module(module), name)
    if game.id != known:
        raise OptionError(f"{known} is registered for {where}, which calls itself {game.id}")
    return game


def register_installed(game_id: str) -> None:
    """Import the package that brings a game, unless it is registered already.

    Raises OptionError, naming the game and its package, if the import fails or doesn't register the game.
    """
    if game_id in ENTRIES:
        return
    for entry in installed(GROUP):
        if entry.name == game_id:
            load_entry(entry)
            if game_id not in ENTRIES:
                raise OptionError(
                    f"{_named(entry)}: importing {entry.value} doesn't call register_game({game_id!r}, ...)"
                )


def load_entry(entry: EntryPoint) -> Any:
    """The object of an entry point. Raises OptionError, naming the entry and its package, if it can't be loaded."""
    try:
        return entry.load()
    except Exception as error:  # a stranger's package may raise anything when it is imported
        raise OptionError(
            f"{_named(entry)} can't be loaded from {entry.value}: {type(error).__name__}: {error}"
        ) from error


def _named(entry: EntryPoint) -> str:
    return f"{entry.name} of package {entry.dist.name}" if entry.dist is not None else entry.name


def _register_ours(name: str, constant: str, registry_id: str, *, version: int = 0, simultaneous: bool = False) -> None:
    """Register a game of the library: its parts lie where the house puts them."""
    register_game(
        f"{name}_v{version}",
        f"riverbed_env.games.{name}.game:{constant}",
        env=f"riverbed_env.envs.{name}_v{version}",
        registry_id=f"riverbed/{registry_id}-v{version}",
        simultaneous=simultaneous,
    )


_register_ours("riverbed_hunt", "RIVERBED_HUNT", "Hunt", version=1)
_register_ours("river_rats", "RIVER_RATS", "RiverRats")
_register_ours("deep_river", "DEEP_RIVER", "DeepRiver")
_register_ours("riverside", "RIVERSIDE", "Riverside", simultaneous=True)
