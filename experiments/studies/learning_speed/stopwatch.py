"""Splits a learner's time into phases by wrapping the calls of Stable-Baselines3, which costs less than a profiler."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from sb3_contrib import MaskablePPO

from riverbed_env.envs.sb3_policies import MlpPolicy
from riverbed_env.envs.sb3_ppo import DirectPPO

COLLECTION, LEARNING = "collection", "learning"
GAMES = "games played"  # the others' turns, observations and masks written
HANDING = "handed over"  # observations, masks and infos, to Stable-Baselines3
CONVERSION = "to 32-bit numbers"
LAYERS = "layers"
DISTRIBUTION = "distribution"  # masks, checks of arguments, sampling, log-probabilities, entropy
BUFFER = "rollout buffer"
MINIBATCHES = "minibatches made"
OPTIMIZER = "optimiser"
REST = {COLLECTION: "loop, infos, callbacks", LEARNING: "loss and gradient"}

PHASES = (
    *((COLLECTION, phase) for phase in (GAMES, HANDING, CONVERSION, LAYERS, DISTRIBUTION, BUFFER, REST[COLLECTION])),
    *((LEARNING, phase) for phase in (MINIBATCHES, CONVERSION, LAYERS, DISTRIBUTION, REST[LEARNING], OPTIMIZER)),
)
"""The phases, in the order of a rollout."""


class Stopwatch:
    """Seconds by part and phase; an inner phase stops the outer ones. The outermost is the part."""

    def __init__(self) -> None:
        self.seconds: defaultdict[tuple[str, str], float] = defaultdict(float)
        self._running: list[str] = []
        self._since = 0.0

    def timed(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """Wrap a function so that its time counts as this phase."""

        def call(*arguments: Any, **more: Any) -> Any:
            self._charge()
            self._running.append(phase)
            try:
                return function(*arguments, **more)
            finally:
                self._charge()
                self._running.pop()

        return call

    def timed_items(self, phase: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Generator[Any]]:
        """Wrap a function that returns an iterator so that the time to produce each item counts as this phase."""

        def iterate(*arguments: Any, **more: Any) -> Generator[Any]:
            end, items = object(), function(*arguments, **more)
            following = self.timed(phase, lambda: next(items, end))
            while (item := following()) is not end:
                yield item

        return iterate

    def _charge(self) -> None:
        now = time.perf_counter()
        if self._running:
            part, phase = self._running[0], self._running[-1]
            self.seconds[part, REST[part] if phase == part else phase] += now - self._since
        self._since = now


@contextmanager
def split(model: MaskablePPO, *, whole: bool = False) -> Iterator[Stopwatch]:
    """A context that times the model's work by PHASES. whole: time only collection, as one phase."""
    watch = Stopwatch()
    algorithm: Any = import_module("sb3_contrib.ppo_mask.ppo_mask")
    masks_of = algorithm.get_action_masks
    calls = [(model, "collect_rollouts", COLLECTION)] if whole else list(_calls(model))
    for holder, name, phase in calls:
        timed = watch.timed_items if phase == MINIBATCHES else watch.timed
        setattr(holder, name, timed(phase, getattr(holder, name)))
    if not whole:
        algorithm.get_action_masks = watch.timed(HANDING, masks_of)
    try:
        yield watch
    finally:
        algorithm.get_action_masks = masks_of
        for holder, name, _ in calls:
            delattr(holder, name)  # uncovers the method of its class


def _calls(model: MaskablePPO) -> Iterator[tuple[Any, str, str]]:
    """The timed methods: object, name, phase."""
    yield model, "collect_rollouts", COLLECTION
    yield model, "train", LEARNING
    parts = getattr(model.env, "parts", None)
    yield model.env, "step_wait", GAMES if parts is None else HANDING
    for part in parts or ():
        yield part, "check", GAMES
        yield part, "step", GAMES
    for name in ("reset", "add", "compute_returns_and_advantage"):
        yield model.rollout_buffer, name, BUFFER
    yield model.rollout_buffer, "get", MINIBATCHES
    policy: Any = model.policy
    for name in ("forward", "evaluate_actions", "predict_values"):
        yield policy, name, DISTRIBUTION
    if isinstance(model, DirectPPO):
        yield model, "_differentiate", DISTRIBUTION
        yield model, "_masks", HANDING
    if isinstance(policy, MlpPolicy):
        yield policy, "begin", LAYERS
    yield policy, "extract_features", CONVERSION
    children = list(policy.children())
    for module in policy.modules():
        if module is not policy and (any(module is child for child in children) or not list(module.children())):
            yield module, "forward", LAYERS
    yield policy.optimizer, "step", OPTIMIZER
