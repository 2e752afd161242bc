"""Which games there are and where they live, without loading any of them.

A game is entered here once; the registries, the command line and the tests that go over all games find it from there.
"""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass
from typing import Any

import gymnasium
from pettingzoo.env_registry import register


@dataclass(frozen=True)
class Entry:
    """Where a game's parts live, as "module:name" or, for whole modules, as "module".

    game: the `Game`; env: the module of its entry points `env`, `raw_env` and, for games with simultaneous choices,
    `parallel_env`; view: the module whose `draw` draws its table; registry_id: its name in PettingZoo's registry.
    """

    game: str
    env: str
    view: str
    registry_id: str
    simultaneous: bool = False


ENTRIES: dict[str, Entry] = {}


def register_game(
    game_id: str, game: str, *, env: str, view: str, registry_id: str, simultaneous: bool = False
) -> None:
    """Enter a game under its versioned name, in PettingZoo's and Gymnasium's registries too.

    After this `make_batch`, `find_game`, the command line and the tests over all games know it. See `Entry` for what
    the arguments mean. Raises ValueError where the name is taken by another game.
    """
    entry = Entry(game, env, view, registry_id, simultaneous)
    if ENTRIES.get(game_id, entry) != entry:
        raise ValueError(f"{game_id!r} is taken by {ENTRIES[game_id].game}")
    if game_id in ENTRIES:
        return
    ENTRIES[game_id] = entry
    register("aec", registry_id, entry_point=f"{env}:env")
    gymnasium.register(
        registry_id,
        entry_point="riverbed_env.envs.learner_env:LearnerEnv",
        vector_entry_point="riverbed_env.envs.learner_vector:LearnerVectorEnv",
        kwargs={"game": game_id},
    )
    if simultaneous:
        register("parallel", registry_id, entry_point=f"{env}:parallel_env")


@functools.cache
def load_game(game_id: str) -> Any:
    """The `Game` that is entered under a versioned name; KeyError where none is."""
    module, _, name = ENTRIES[game_id].game.partition(":")
    return getattr(importlib.import_module(module), name)


def _register_ours(name: str, constant: str, registry_id: str, *, simultaneous: bool = False) -> None:
    """Enter a game of the library: its parts lie where the house puts them."""
    register_game(
        f"{name}_v0",
        f"riverbed_env.games.{name}.game:{constant}",
        env=f"riverbed_env.envs.{name}_v0",
        view=f"riverbed_env.games.{name}.words.view",
        registry_id=f"riverbed/{registry_id}-v0",
        simultaneous=simultaneous,
    )


_register_ours("riverbed_hunt", "RIVERBED_HUNT", "Hunt")
_register_ours("river_rats", "RIVER_RATS", "RiverRats")
_register_ours("deep_river", "DEEP_RIVER", "DeepRiver")
_register_ours("riverside", "RIVERSIDE", "Riverside", simultaneous=True)
