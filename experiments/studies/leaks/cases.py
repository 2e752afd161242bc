"""One environment to be searched for leaks: its constructor, an agent's permitted knowledge, and its twins."""

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
    """One environment. Its packages aren't imported before `make` is called.

    packages: the distributions it needs, each with a module to look for. make: builds it. knows: everything an agent
    may know by the rules. twin: another world with the same knowledge, or None; `how` describes it. varied: the
    differences between two worlds. channels: everything that reaches an agent. explained: known leaks, by time ("in
    turn", "out of turn") and the beginning of the channel's name, with the place in the package that causes them.
    make_drawn: builds it with pictures. secrets: hidden facts with their exact posterior under uniformly random play.
    moments: the share of decisions at which worlds are compared.
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
