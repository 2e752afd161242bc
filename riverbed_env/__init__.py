"""Riverbed: river games as multi-agent reinforcement-learning environments."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from pettingzoo.env_registry import register

from .version import __version__

if TYPE_CHECKING:
    from .core.batch import Batch
    from .envs import riverbed_hunt_v0
    from .registry import make_batch

__all__ = ["Batch", "__version__", "make_batch", "riverbed_hunt_v0"]

register("aec", "riverbed/Hunt-v0", entry_point="riverbed_env.envs.riverbed_hunt_v0:env")

# Loaded when first used, so that importing the package stays light.
_LATER = {
    "Batch": ("riverbed_env.core.batch", "Batch"),
    "make_batch": ("riverbed_env.registry", "make_batch"),
    "riverbed_hunt_v0": ("riverbed_env.envs.riverbed_hunt_v0", None),
}


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    module, attribute = _LATER[name]
    loaded = import_module(module)
    return loaded if attribute is None else getattr(loaded, attribute)


def __dir__() -> list[str]:
    return sorted(__all__)
