"""The speed of well-known peers under uniformly random legal play.

Every peer is driven the way its own documentation drives it: for each decision the acting seat's observation is made,
its legal actions are asked for, and one of them is drawn uniformly. What is ours in the loop is kept as cheap as it
gets, so that the figures err in the peer's favour: the draw takes a `random.Random`, which is quicker for one number
than a NumPy generator (about 0.05 microseconds against 0.3), and the clock is read once a game, not once a decision.

Figures compare only within one run on one machine. The PettingZoo and OpenSpiel peers use one core; the JAX peers use
as many as they are allowed, so pin the process to one core (`taskset`) before setting them beside the others.

The peers themselves are the optional extra `peers`: they are imported when measured, and a peer that is not installed
measures as None. Of two rows for one OpenSpiel game, the faster is the one to be compared with.
"""

from __future__ import annotations

import os
import random
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib import import_module
from importlib.util import find_spec
from time import perf_counter
from typing import Any, TypeAlias

WARM_UP_PLAYS = 2

BATCH = 4096  # games side by side in the JAX peers
STEPS = 64  # decisions of each of those games in one compiled scan

Play: TypeAlias = Callable[[], tuple[int, int]]
"""Plays one game, or one batch for a while, and returns the decisions made and the games completed."""

KNOWN_NOISE: tuple[tuple[str, type[Warning]], ...] = (
    ("The old environment creation API", DeprecationWarning),  # PettingZoo 1.27, importing any environment's module
    (r".*Box (low|high)'s precision lowered", UserWarning),  # Gymnasium, building no-limit hold'em's spaces
    (r".*pkg_resources", Warning),  # pygame under a recent setuptools
)
"""How the warnings begin that peers give while they are imported and built, and their categories."""


@dataclass(frozen=True)
class Measurement:
    """What one peer managed in one run: decisions and complete games, and the seconds they took."""

    name: str
    """The peer, as 'PettingZoo texas_holdem_v4'."""
    call: str
    """How it was driven, as 'AEC, default wrappers'."""
    decisions: int
    """Actions chosen by players; neither chance nor the last call of a finished agent is one."""
    games: int
    """Games played to their end."""
    seconds: float
    """Wall-clock time, warm-up excluded."""

    @property
    def decisions_per_second(self) -> float:
        """Decisions of one second."""
        return self.decisions / self.seconds

    @property
    def games_per_second(self) -> float:
        """Complete games of one second."""
        return self.games / self.seconds


@dataclass(frozen=True)
class Peer:
    """One peer and one way of driving it: a row of the comparison table."""

    name: str
    """The peer, as 'PettingZoo texas_holdem_v4'."""
    call: str
    """How it is driven, as 'AEC, default wrappers'."""
    requirement: str
    """What to install for it, as `pip` would be told."""
    modules: tuple[str, ...]
    """Top-level modules it cannot do without."""
    prepare: Callable[[int], Play]
    """Builds the peer, given a seed, and returns what plays it. Called only when it is installed."""

    @property
    def installed(self) -> bool:
        """Whether every module it needs can be found; none is imported to know."""
        return all(find_spec(module) is not None for module in self.modules)


def peers() -> list[Peer]:
    """Every peer this project is compared with, installed or not.

    OpenSpiel's bridge is measured with the cards played out: by default it stops after the auction and calls a
    double-dummy solver, and the solver would be all that is measured (fewer than 100 decisions a second).
    """
    bridge = "bridge(use_double_dummy_result=false)"
    return [
        _pettingzoo("texas_holdem_v4", "rlcard"),
        _pettingzoo("texas_holdem_v4", "rlcard", wrapped=False),
        _pettingzoo("texas_holdem_no_limit_v6", "rlcard"),
        _pettingzoo("leduc_holdem_v4", "rlcard"),
        _pettingzoo("hanabi_v5", "shimmy", "pyspiel"),
        _pettingzoo("connect_four_v3", "pygame"),
        _pettingzoo("connect_four_v3", "pygame", wrapped=False),
        _pettingzoo("tictactoe_v3", "pygame"),
        _openspiel("hanabi"),
        _openspiel("hanabi", in_place=True),
        _openspiel(bridge),
        _openspiel(bridge, in_place=True),
        _openspiel("gin_rummy"),
        _openspiel("gin_rummy", in_place=True),
        _openspiel("leduc_poker"),
        _openspiel("leduc_poker", in_place=True),
        _pgx("leduc_holdem"),
        _pgx("connect_four"),
        _jaxmarl_hanabi(),
    ]


def measure(peer: Peer, seconds: float, seed: int = 0) -> Measurement | None:
    """Measure `peer` for about `seconds`, or return None when it is not installed.

    The clock starts after a warm-up and is read between games, so the last game is played out and at least one is
    complete. `seed` fixes the random player's draws, and the peer's chance as far as the peer lets it.
    """
    if not peer.installed:
        return None
    play = peer.prepare(seed)
    for _ in range(WARM_UP_PLAYS):
        play()
    decisions, games, elapsed = _play_for(seconds, play)
    return Measurement(peer.name, peer.call, decisions, games, elapsed)


def _play_for(seconds: float, play: Play) -> tuple[int, int, float]:
    """Decisions, games and seconds of playing until `seconds` have passed and a game is complete."""
    decisions = games = 0
    elapsed = 0.0
    started = perf_counter()
    while elapsed < seconds or games == 0:
        more_decisions, more_games = play()
        decisions += more_decisions
        games += more_games
        elapsed = perf_counter() - started
    return decisions, games, elapsed


@contextmanager
def known_noise_silenced() -> Iterator[None]:
    """While peers are imported and built: without the warnings and greetings that they are known to give."""
    os.environ.setdefault("PYGAME_HIDE_SUPPORT_PROMPT", "1")  # pygame greets on standard output
    with warnings.catch_warnings():
        for message, category in KNOWN_NOISE:
            warnings.filterwarnings("ignore", message=message, category=category)
        yield


# PettingZoo


def _pettingzoo(environment: str, *needs: str, wrapped: bool = True) -> Peer:
    """A classic PettingZoo environment, with its default wrappers or without any; `needs` are its own modules."""

    def prepare(seed: int) -> Play:
        with known_noise_silenced():
            module = import_module(f"pettingzoo.classic.{environment}")
            built = module.env() if wrapped else module.raw_env()
            built.reset(seed=seed)
        draw = random.Random(seed).random
        return lambda: (_play_aec_game(built, draw), 1)

    return Peer(
        name=f"PettingZoo {environment}",
        call="AEC, default wrappers" if wrapped else "AEC, raw_env",
        requirement="pettingzoo[classic]",
        modules=("pettingzoo", *needs),
        prepare=prepare,
    )


def _play_aec_game(environment: Any, draw: Callable[[], float]) -> int:
    """Play one game through the usual loop; return its decisions."""
    decisions = 0
    environment.reset()
    for _ in environment.agent_iter():
        observation, _, terminated, truncated, _ = environment.last()
        if terminated or truncated:
            environment.step(None)
            continue
        # The sampler, this and the next line, costs about 0.8 microseconds of the 50 to 300 a decision takes.
        legal = observation["action_mask"].nonzero()[0]
        environment.step(legal.item(int(draw() * legal.size)))
        decisions += 1
    return decisions


# OpenSpiel


def _openspiel(game: str, in_place: bool = False) -> Peer:
    """An OpenSpiel game, its observation made as a new list or written into the same array each time."""

    def prepare(seed: int) -> Play:
        loaded = import_module("pyspiel").load_game(game)
        observe = _observe_in_place(loaded) if in_place else import_module("pyspiel").State.observation_tensor
        draw = random.Random(seed).random
        return lambda: (_play_openspiel_game(loaded, observe, draw), 1)

    return Peer(
        name=f"OpenSpiel {game}",
        call="State, observer in place" if in_place else "State, observation tensor",
        requirement="open_spiel",
        modules=("pyspiel", "open_spiel"),
        prepare=prepare,
    )


def _observe_in_place(game: Any) -> Callable[[Any], object]:
    """What writes the acting player's observation tensor into one array, the same each time."""
    observer = import_module("open_spiel.python.observation").make_observation(game)
    return lambda state: observer.set_from(state, state.current_player())


def _play_openspiel_game(game: Any, observe: Callable[[Any], object], draw: Callable[[], float]) -> int:
    """Play one game; return its decisions, chance not counted among them."""
    decisions = 0
    state = game.new_initial_state()
    while not state.is_terminal():
        if state.is_chance_node():
            state.apply_action(_chance_action(state.chance_outcomes(), draw()))
            continue
        observe(state)
        # The sampler, once the legal actions are there, costs about 0.2 microseconds.
        legal = state.legal_actions()
        state.apply_action(legal[int(draw() * len(legal))])
        decisions += 1
    return decisions


def _chance_action(outcomes: list[tuple[int, float]], drawn: float) -> int:
    """The outcome in whose share of the unit interval `drawn` falls; the last one when rounding leaves a gap."""
    for action, probability in outcomes:
        drawn -= probability
        if drawn < 0:
            return action
    return outcomes[-1][0]


# Pgx and JaxMARL: written against their published sources, not yet run on a machine that has them


def _pgx(environment: str) -> Peer:
    """A Pgx game without chance after the deal, as one compiled scan over a batch."""

    def prepare(seed: int) -> Play:
        jax: Any = import_module("jax")
        game = import_module("pgx").make(environment)
        begin, step = jax.vmap(game.init), jax.vmap(game.step)

        def advance(states: Any, key: Any) -> tuple[Any, Any]:
            deal_key, action_key = jax.random.split(key)
            states = step(states, _random_legal(jax, action_key, states.legal_action_mask))
            ended = states.terminated | states.truncated
            return _replace_where(jax, ended, begin(jax.random.split(deal_key, BATCH)), states), ended.sum()

        return _compiled_play(jax, begin, advance, seed)

    return Peer(
        name=f"Pgx {environment}",
        call=f"batch of {BATCH:,}, compiled scan",
        requirement="pgx",
        modules=("jax", "pgx"),
        prepare=prepare,
    )


def _jaxmarl_hanabi() -> Peer:
    """JaxMARL's Hanabi for two, as one compiled scan over a batch; it deals again by itself."""

    def prepare(seed: int) -> Play:
        jax: Any = import_module("jax")
        game = import_module("jaxmarl").make("hanabi")
        legal_moves, step = jax.vmap(game.get_legal_moves), jax.vmap(game.step)

        def begin(keys: Any) -> Any:
            return jax.vmap(game.reset)(keys)

        def advance(seen: Any, key: Any) -> tuple[Any, Any]:
            _, states = seen
            action_key, *step_keys = jax.random.split(key, BATCH + 1)
            actions = {
                agent: _random_legal(jax, jax.random.fold_in(action_key, seat), legal)
                for seat, (agent, legal) in enumerate(legal_moves(states).items())
            }
            observations, states, _, done, _ = step(jax.numpy.stack(step_keys), states, actions)
            return (observations, states), done["__all__"].sum()

        return _compiled_play(jax, begin, advance, seed)

    return Peer(
        name="JaxMARL hanabi",
        call=f"batch of {BATCH:,}, compiled scan",
        requirement="jaxmarl",
        modules=("jax", "jaxmarl"),
        prepare=prepare,
    )


def _random_legal(jax: Any, key: Any, legal: Any) -> Any:
    """One action a game, drawn uniformly where `legal`, of shape (BATCH, actions), is not zero."""
    return jax.random.categorical(key, jax.numpy.where(legal != 0, 0.0, -jax.numpy.inf))


def _replace_where(jax: Any, chosen: Any, replacement: Any, states: Any) -> Any:
    """`states` with those `chosen`, of shape (BATCH,), taken from `replacement`."""

    def replaced(new: Any, old: Any) -> Any:
        return jax.numpy.where(chosen.reshape((BATCH,) + (1,) * (old.ndim - 1)), new, old)

    return jax.tree_util.tree_map(replaced, replacement, states)


def _compiled_play(jax: Any, begin: Any, advance: Any, seed: int) -> Play:
    """What plays STEPS decisions of each of BATCH games a call.

    `begin` takes BATCH keys and gives states; `advance` takes states and a key and gives states and how many games
    ended. The states, observations among them, are carried from call to call, so that none can be optimised away.
    """
    scan = jax.jit(lambda states, key: jax.lax.scan(advance, states, jax.random.split(key, STEPS)))
    key, deal_key = jax.random.split(jax.random.PRNGKey(seed))
    states = jax.jit(begin)(jax.random.split(deal_key, BATCH))

    def play() -> tuple[int, int]:
        nonlocal states, key
        key, scan_key = jax.random.split(key)
        states, ended = scan(states, scan_key)
        return BATCH * STEPS, int(ended.sum())

    return play
