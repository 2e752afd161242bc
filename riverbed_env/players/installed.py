"""Installed agents: entry points of the group "riverbed.agents", by name."""

from __future__ import annotations

from importlib.metadata import EntryPoint, entry_points
from typing import Any

from riverbed_env.entries import load_entry
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.registry import find_game

from .agents import UNIFORM
from .factories import is_agent, parameters_of


def _entries(game: str) -> dict[str, EntryPoint]:
    """The entry points of a game's agents, by name: those called "game.name", and "name" for agents of any game."""
    owner = find_game(game).name
    entries = {}
    for entry in entry_points(group="riverbed.agents"):
        game_name, _, name = entry.name.rpartition(".")
        if game_name in ("", owner):
            entries[name] = entry
    return entries


def agent_names(game: str) -> list[str]:
    """The names of a game's installed agents, sorted. game: its id ("riverbed_hunt_v0") or plain name."""
    return sorted({*_entries(game), UNIFORM.name})


def load_installed(name: str, game: str) -> Any:
    """The object an installed agent's name leads to: an agent or a factory. Raises OptionError for unknown names."""
    if name == UNIFORM.name:
        return UNIFORM
    installed = _entries(game)
    if name in installed:
        return load_entry(installed[name])
    names = agent_names(game)
    hint = did_you_mean(name, names)
    raise OptionError(
        f"{game} has no agent {name!r}{hint}; installed: {', '.join(names)}; "
        "name any other as package.module:attribute or path/file.py:attribute"
    )


def agent_parameters(name: str, game: str) -> dict[str, object]:
    """The parameters of an installed agent with their defaults; empty if it takes none."""
    target = load_installed(name, game)
    return {} if is_agent(target) else {name: given.default for name, given in parameters_of(target).items()}
