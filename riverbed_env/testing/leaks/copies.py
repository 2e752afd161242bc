"""Copies of environments in mid-game, also of those whose `copy.deepcopy` starts a new game."""

from __future__ import annotations

import copy
from inspect import ismodule
from typing import Any

from gymnasium.utils import EzPickle
from pettingzoo import AECEnv

from .channels import Env

WAYS = ("__deepcopy__", "__reduce__", "__reduce_ex__", "__getstate__", "__setstate__")
UNCHANGING = ("pyspiel", "pygame")  # objects of these packages can't be copied and are shared


def copy_env(env: Env) -> Env:
    """An independent copy of an environment in its present state, with its random state.

    Most of PettingZoo's environments inherit Gymnasium's EzPickle, which copies the arguments of the constructor alone,
    so that `copy.deepcopy` returns a new environment that was never reset. So environments are copied attribute by
    attribute, unless their class defines how it is copied; attributes with a method `clone` are cloned, and modules are
    shared.
    """
    if any(has_own_way(layer) for layer in layers(env)):
        return copy.deepcopy(env)
    return _by_attributes(env, {})


def has_own_way(env: Env) -> bool:
    """Whether the environment's class defines how it is copied; EzPickle doesn't count."""
    classes = [base for base in type(env).__mro__ if base not in (object, EzPickle)]
    return any(name in vars(base) for base in classes for name in WAYS)


def layers(env: Env) -> list[Env]:
    """The environment and those that it wraps."""
    inside = [env]
    while isinstance(getattr(inside[-1], "env", None), AECEnv) and inside[-1].env not in inside:
        inside.append(inside[-1].env)
    return inside


def _by_attributes(env: Env, memo: dict[int, Any]) -> Env:
    other = object.__new__(type(env))
    memo[id(env)] = other
    for value in vars(env).values():
        memo |= {id(held): held for held in _held(value) if ismodule(held)}
        if isinstance(value, AECEnv) and id(value) not in memo:
            _by_attributes(value, memo)
        elif hasattr(value, "clone"):
            memo[id(value)] = value.clone()
        elif type(value).__module__.startswith(UNCHANGING):
            memo[id(value)] = value
    for name, value in vars(env).items():
        other.__dict__[name] = copy.deepcopy(value, memo)
    return other


def _held(value: Any) -> list[Any]:
    return list(vars(value).values()) if hasattr(value, "__dict__") else []
