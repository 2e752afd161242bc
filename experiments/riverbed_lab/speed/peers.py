"""The speed of well-known peers under uniformly random legal play.

The loop follows each peer's documentation: for each decision it makes the acting seat's observation, asks for the legal
actions, and draws one of them uniformly. Our part of the loop is as cheap as possible, so that the figures err in the
peer's favour: a `random.Random` draws a number faster than a NumPy generator (about 0.05 microseconds against 0.3), and
the clock is read once a game, not once a decision.

Figures compare only within one run on one machine. All peers use one core. They are the optional extra `peers`: a peer
that isn't installed is left out. Where an OpenSpiel game has two rows, compare with the faster one.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

from .rows import Play, Row

# The beginnings and categories of the warnings that peers give during import and construction.
KNOWN_NOISE: tuple[tuple[str, type[Warning]], ...] = (
    ("The old environment creation API", DeprecationWarning),  # PettingZoo 1.27, importing any environment's module
    (r".*pkg_resources", Warning),  # pygame under a recent setuptools
)


def peers() -> list[Row]:
    """Every peer that this project is compared with, installed or not."""
    return [
        *(_pettingzoo("texas_holdem_v4", "rlcard", wrapped=wrapped) for wrapped in (True, False)),
        *(_openspiel("hanabi", in_place=in_place) for in_place in (False, True)),
    ]


@contextmanager
def known_noise_silenced() -> Iterator[None]:
    """Silence the known warnings and greetings of peers while they are imported and built."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on standard output
    with warnings.catch_warnings():
        for message, category in KNOWN_NOISE:
            warnings.filterwarnings("ignore", message=message, category=category)
        yield


# PettingZoo


def _pettingzoo(environment: str, *needs: str, wrapped: bool = True) -> Row:
    """A classic PettingZoo environment, with its default wrappers or none; `needs` are the modules it imports."""

    def prepare(seed: int) -> Play:
        with known_noise_silenced():
            module = import_module(f"pettingzoo.classic.{environment}")
            built = module.env() if wrapped else module.raw_env()
            built.reset(seed=seed)
        draw = random.Random(seed).random
        return lambda: (_play_aec_game(built, draw), 1)

    call = "AEC, default wrappers" if wrapped else "AEC, raw_env"
    return Row(f"PettingZoo {environment}", call, prepare, ("pettingzoo", *needs))


def _play_aec_game(environment: Any, draw: Callable[[], float]) -> int:
    """Play one game through the usual loop; return the number of decisions."""
    decisions = 0
    environment.reset()
    for _ in environment.agent_iter():
        observation, _, terminated, truncated, _ = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        # This line and the next, the sampler, cost about 0.8 microseconds of the 50 to 300 a decision takes.
        legal = observation["action_mask"].nonzero()[0]
        environment.step(legal.item(int(draw() * legal.size)))
        decisions += 1
    return decisions


# OpenSpiel


def _openspiel(game: str, in_place: bool = False) -> Row:
    """An OpenSpiel game, its observation made as a new list or written into the same array each time."""

    def prepare(seed: int) -> Play:
        loaded = import_module("pyspiel").load_game(game)
        observe = _observe_in_place(loaded) if in_place else import_module("pyspiel").State.observation_tensor
        draw = random.Random(seed).random
        return lambda: (_play_openspiel_game(loaded, observe, draw), 1)

    call = "State, observer in place" if in_place else "State, observation tensor"
    return Row(f"OpenSpiel {game}", call, prepare, ("pyspiel", "open_spiel"))


def _observe_in_place(game: Any) -> Callable[[Any], object]:
    """A function that writes the acting player's observation tensor into the same array each time."""
    observer = import_module("open_spiel.python.observation").make_observation(game)
    return lambda state: observer.set_from(state, state.current_player())


def _play_openspiel_game(game: Any, observe: Callable[[Any], object], draw: Callable[[], float]) -> int:
    """Play one game; return the number of decisions, without chance events."""
    decisions = 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_chance_action(state.chance_outcomes(), draw()))
            continue
        observe(state)
        # Drawing from the legal actions costs about 0.2 microseconds.
        legal = state.legal_actions()
        state.apply_action(legal[int(draw() * len(legal))])
        decisions += 1
    return decisions


def _chance_action(outcomes: list[tuple[int, float]], drawn: float) -> int:
    """The outcome for `drawn`, from 0 to 1, by inverse sampling; the last one if rounding leaves a gap."""
    for action, probability in outcomes:
        drawn -= probability
        if drawn < 0:
            return action
    return outcomes[-1][0]
