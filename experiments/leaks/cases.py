"""One environment to be searched for leaks: how it is made, what an agent may know of it, how its twin is made."""

from __future__ import annotations

import copy
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from inspect import ismodule
from typing import Any, TypeAlias

import numpy as np
from pettingzoo import AECEnv

from riverbed_env.testing.leaks import Secret, Senses, aec_senses

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
    """One environment. Nothing of its packages is imported before `make` is called.

    name: as in the table. packages: the distributions it needs, each with a module that shows whether it is there.
    make: gives the environment; None where there is nothing to drive, as `remark` then says. knows: all that an agent
    may know by the rules. twin: another world with the same of that, or None; `how` says in words how it is made.
    varied: what differs between two worlds. senses: what reaches an agent. explained: differences that were looked
    into and are leaks, by when they show ("in turn", "out of turn") and how the sense's name begins, with the place in
    the package that causes them. make_drawn: gives it
    with pictures. secrets: hidden facts with their exact
    posterior under uniformly random play. moments: the share of decisions at which worlds are compared.
    """

    name: str
    packages: Mapping[str, str]
    make: Callable[[], Env] | None = None
    knows: Knows | None = None
    twin: Twin | None = None
    how: str = ""
    varied: Callable[[Env, Env], list[str]] | None = None
    senses: Callable[[], Senses] = field(default=aec_senses)
    explained: Mapping[tuple[str, str], str] = field(default_factory=dict)
    make_drawn: Callable[[], Env] | None = None
    secrets: Secrets | None = None
    moments: float = 0.3
    remark: str = ""


def copied(env: Env) -> Env:
    """A copy of an environment as it stands, with its random state.

    `copy.deepcopy` won't do: most of PettingZoo's environments and Shimmy's inherit Gymnasium's EzPickle, which copies
    the arguments of the constructor alone, so that the copy is a new environment that was never reset.
    """
    return _copied(env, {})


def _copied(env: Env, memo: dict[int, Any]) -> Env:
    other = object.__new__(type(env))
    memo[id(env)] = other
    for value in vars(env).values():
        memo |= {id(held): held for held in _held(value) if ismodule(held)}  # which RLCard's gin rummy holds
        if isinstance(value, AECEnv) and id(value) not in memo:
            _copied(value, memo)
        elif hasattr(value, "clone"):  # a state of OpenSpiel
            memo[id(value)] = value.clone()
        elif type(value).__module__.startswith(("pyspiel", "pygame")):  # games, which don't change; pictures
            memo[id(value)] = value
    for name, value in vars(env).items():
        other.__dict__[name] = copy.deepcopy(value, memo)
    return other


def _held(value: Any) -> list[Any]:
    return list(vars(value).values()) if hasattr(value, "__dict__") else []


def in_turn(senses: Senses) -> Senses:
    """The same senses, but of agents that aren't asked nothing: what reaches those who look only in their turn."""
    return Senses({name: _only_asked(sense) for name, sense in senses.functions.items()}, senses.decoders)


def _only_asked(sense: Callable[[Env, str], Any]) -> Callable[[Env, str], Any]:
    return lambda env, agent: sense(env, agent) if env.agent_selection == agent else None


@contextmanager
def quiet() -> Iterator[None]:
    """Without the warnings that these packages are known to give."""
    with warnings.catch_warnings():
        for message, category in KNOWN_NOISE:
            warnings.filterwarnings("ignore", message, category)
        yield
