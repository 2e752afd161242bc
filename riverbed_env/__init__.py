"""Riverbed: river games as multi-agent reinforcement-learning environments."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import entries as _entries  # enters the games in PettingZoo's registries
from .version import __version__

if TYPE_CHECKING:
    from .core.batch import Batch
    from .core.game import Game
    from .core.picture import Picture, picture
    from .corpus.recorded import RecordedGame
    from .envs import deep_river_v0, river_rats_v0, riverbed_hunt_v1, riverside_v0
    from .envs.learner import LearnerBatch, make_learner
    from .players.installed import list_agents
    from .players.specs import find_agent
    from .registry import find_game, game_ids, make, make_batch, register_game

__all__ = [
    "Batch",
    "Game",
    "LearnerBatch",
    "Picture",
    "RecordedGame",
    "__version__",
    "deep_river_v0",
    "find_agent",
    "find_game",
    "game_ids",
    "list_agents",
    "make",
    "make_batch",
    "make_learner",
    "picture",
    "register_game",
    "river_rats_v0",
    "riverbed_hunt_v1",
    "riverside_v0",
]

# Loaded when first used, so that importing the package stays light: the names of each module.
_LATER = {
    "core.batch": ("Batch",),
    "core.game": ("Game",),
    "core.picture": ("Picture", "picture"),
    "corpus.recorded": ("RecordedGame",),
    "envs.learner": ("LearnerBatch", "make_learner"),
    "players.installed": ("list_agents",),
    "players.specs": ("find_agent",),
    "registry": ("find_game", "game_ids", "make", "make_batch", "register_game"),
}


def __getattr__(name: str) -> Any:
    if name in _entries.ENTRIES:
        return import_module(_entries.ENTRIES[name].env)
    for module, names in _LATER.items():
        if name in names:
            return getattr(import_module(f".{module}", __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted(__all__)
