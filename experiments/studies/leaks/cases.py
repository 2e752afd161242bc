"""An environment to search for leaks: its constructor, what an agent may know, and its twins."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np

from riverbed_env.testing.leaks import Channels, Secret, aec_channels

Env: TypeAlias = Any
Rng: TypeAlias = np.random.Generator
Twin: TypeAlias = Callable[[Env, str, Rng], Env | None]
Knows: TypeAlias = Callable[[Env, str], Any]
Secrets: TypeAlias = Callable[[Env, str], Mapping[str, Secret]]


@dataclass(frozen=True)
class Case:
    """An environment. Nothing imports its packages before `make` is called.

    packages: the distributions it needs, each with a module to look for. make: builds it. knows: everything that an
    agent may know by the rules. twin: builds another world with the same knowledge, or returns None; `how` describes
    it. varied: the differences between two worlds. channels: everything that an agent receives. explained: known
    leaks, by time ("in turn", "out of turn") and the beginning of the channel's name, with the line of code that causes
    them. make_drawn: builds it with rendering. secrets: hidden facts with their exact posterior under uniformly random
    play. moments: the share of decisions at which worlds are compared.
    """

    name: str
    packages: Mapping[str, str]
    make: Callable[[], Env]
    knows: Knows
    twin: Twin
    how: str
    varied: Callable[[Env, Env], list[str]]
    channels: Callable[[], Channels] = aec_channels
    explained: Mapping[tuple[str, str], str] = field(default_factory=dict)
    make_drawn: Callable[[], Env] | None = None
    secrets: Secrets | None = None
    moments: float = 0.3
    remark: str = ""
