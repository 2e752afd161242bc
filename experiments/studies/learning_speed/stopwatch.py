"""Splits a learner's time into phases by wrapping the calls of Stable-Baselines3, which costs less than a profiler."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Callable, Generator, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from sb3_contrib import MaskablePPO

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

    def begin(self, phase: str) -> None:
        """Enter a phase."""
        self._charge()
        self._running.append(phase)

    def end(self) -> None:
        """Leave the phase entered last."""
        self._charge()
        self._running.pop()

    def _charge(self) -> None:
        now = time.perf_counter()
        if self._running:
            part, phase = self._running[0], self._running[-1]
            self.seconds[part, REST[part] if part in REST and phase == part else phase] += now - self._since
        self._since = now

    def timed(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """The function, its calls counted as this phase."""

        def call(*arguments: Any, **more: Any) -> Any:
            self.begin(phase)
            try:
                return function(*arguments, **more)
            finally:
                self.end()

        return call

    def timed_items(self, phase: str, function: Callable[..., Iterator[Any]]) -> Callable[..., Generator[Any]]:
        """The iterator function, with the time to make each item counted as this phase."""

        def give(*arguments: Any, **more: Any) -> Generator[Any]:
            make = self.timed(phase, function(*arguments, **more).__next__)
            while True:
                try:
                    made = make()
                except StopIteration:
                    return
                yield made

        return give


@contextmanager
def split(model: MaskablePPO) -> Iterator[Stopwatch]:
    """A stopwatch of this model's work within the context, by PHASES."""
    watch = Stopwatch()
    algorithm: Any = import_module("sb3_contrib.ppo_mask.ppo_mask")
    masks_of = algorithm.get_action_masks
    calls = list(_calls(model))
    algorithm.get_action_masks = watch.timed(HANDING, masks_of)
    for holder, name, phase in calls:
        setattr(holder, name, watch.timed(phase, getattr(holder, name)))
    buffer = model.rollout_buffer
    buffer.get = watch.timed_items(MINIBATCHES, buffer.get)  # type: ignore[method-assign]
    try:
        yield watch
    finally:
        algorithm.get_action_masks = masks_of
        for holder, name, _ in (*calls, (buffer, "get", MINIBATCHES)):
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
    yield from _calls_of_policy(model.policy)


def _calls_of_policy(policy: Any) -> Iterator[tuple[Any, str, str]]:
    for name in ("forward", "evaluate_actions", "predict_values"):
        yield policy, name, DISTRIBUTION
    yield policy, "extract_features", CONVERSION
    children = list(policy.children())
    for module in policy.modules():
        if module is not policy and (any(module is child for child in children) or not list(module.children())):
            yield module, "forward", LAYERS
    yield policy.optimizer, "step", OPTIMIZER
