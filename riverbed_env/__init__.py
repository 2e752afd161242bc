"""Riverbed: river games as multi-agent reinforcement-learning environments."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from . import entries as _entries  # enters the games in PettingZoo's registries
from .version import __version__

if TYPE_CHECKING:
    from .core.batch import Batch
    from .corpus.recorded import RecordedGame
    from .envs import deep_river_v0, river_rats_v0, riverbed_hunt_v1, riverside_v0
    from .registry import make_batch, register_game

__all__ = [
    "Batch",
    "RecordedGame",
    "__version__",
    "deep_river_v0",
    "make_batch",
    "register_game",
    "river_rats_v0",
    "riverbed_hunt_v1",
    "riverside_v0",
]

# Loaded when first used, so that importing the package stays light.
_LATER = {
    "Batch": ("riverbed_env.core.batch", "Batch"),
    "RecordedGame": ("riverbed_env.corpus.recorded", "RecordedGame"),
    "make_batch": ("riverbed_env.registry", "make_batch"),
    "register_game": ("riverbed_env.registry", "register_game"),
}


def __getattr__(name: str) -> Any:
    if name in _entries.ENTRIES:
        return import_module(_entries.ENTRIES[name].env)
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LATER[name]
    return getattr(import_module(module), attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
