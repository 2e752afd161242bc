"""One environment to be searched for leaks: its constructor, an agent's permitted knowledge, and its twins."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from riverbed_env.testing.leaks import Channels, Secret, aec_channels

Env: TypeAlias = Any
Rng: TypeAlias = np.random.Generator
Twin: TypeAlias = Callable[[Env, str, Rng], Env | None]
Knows: TypeAlias = Callable[[Env, str], Any]
Secrets: TypeAlias = Callable[[Env, str], Mapping[str, Secret]]

KNOWN_NOISE: tuple[tuple[str, type[Warning]], ...] = (
    ("The old environment creation API", DeprecationWarning),  # PettingZoo 1.27, importing any environment's module
    (r".*Box (low|high)'s precision lowered", UserWarning),  # Gymnasium, building no-limit hold'em's spaces
    (r".*pkg_resources", Warning),  # pygame under a recent setuptools
)


@dataclass(frozen=True)
class Case:
    """One environment. Its packages aren't imported before `make` is called.

    name: as in the table. packages: the distributions it needs, each with a module to look for. make: builds it; None
    if there is nothing to search (see `remark`). knows: everything an agent may know by the rules. twin:
    another world with the same knowledge, or None; `how` describes it. varied: the differences between two worlds.
    channels: everything that reaches an agent. explained: known leaks, by time ("in turn", "out of turn") and the
    beginning of the channel's name, with the place in the package that causes them. make_drawn: builds it with
    pictures. secrets: hidden facts with their exact posterior under uniformly random play. moments: the share of
    decisions at which worlds are compared.
    """

    name: str
    packages: Mapping[str, str]
    make: Callable[[], Env] | None = None
    knows: Knows | None = None
    twin: Twin | None = None
    how: str = ""
    varied: Callable[[Env, Env], list[str]] | None = None
    channels: Callable[[], Channels] = field(default=aec_channels)
    explained: Mapping[tuple[str, str], str] = field(default_factory=dict)
    make_drawn: Callable[[], Env] | None = None
    secrets: Secrets | None = None
    moments: float = 0.3
    remark: str = ""


def in_turn(channels: Channels) -> Channels:
    """The same channels, which give an agent nothing outside its turn."""
    return Channels({name: _only_asked(channel) for name, channel in channels.functions.items()}, channels.decoders)


def _only_asked(channel: Callable[[Env, str], Any]) -> Callable[[Env, str], Any]:
    return lambda env, agent: channel(env, agent) if env.agent_selection == agent else None


@contextmanager
def quiet() -> Iterator[None]:
    """Ignore the warnings that these packages are known to give."""
    with warnings.catch_warnings():
        for message, category in KNOWN_NOISE:
            warnings.filterwarnings("ignore", message, category)
        yield
