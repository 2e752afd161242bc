"""The agent `lookahead`: the rule-based agent improved by rollouts, a few hundredths of a second per decision.

It tries each legal action in the same worlds, sampled from its view, and plays them on with the rule-based agent in
every seat (the rollout algorithm: Bertsekas, Tsitsiklis and Wu 1997; see `rollout`). Actions that are clearly worse
drop out early (racing: Maron and Moore 1994). It takes the rule-based action unless another one is better by more than
a standard error. It assumes that its own later actions are the rule-based ones, and samples each world once for all
actions.
"""

from __future__ import annotations

import functools
import math

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.deduction.posterior import PLAYING
from riverbed_env.games.riverbed_hunt.deduction.resample import resample
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.state import GAME
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import TRIED, draw, open_stream
from riverbed_env.players.agents import CompiledAgent

from ..kernels import kernel
from . import rollout

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]
Shares = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

DEFAULT_WORLDS = 500  # per action
MOST_WORLDS = 100_000
FIRST_CHECK = 8  # worlds before the first actions may drop out; each later check comes after twice as many
BEHIND = 2.0  # an action drops out if the best one leads it by more standard errors
AHEAD = 1.0  # the best action is taken if it leads the rule-based one by more standard errors

WORLDS, TURNS = DEFAULT_WORLDS, rollout.DEFAULT_TURNS  # of the template `choose_ahead`, replaced for each agent


@kernel
def try_choices(
    left: Flags,
    world: int,
    won: Shares,
    sampled: Records,
    buffers: rollout.RolloutBuffers,
    view: Record,
    params: Record,
    seed: int,
) -> None:
    """Sample a world and play it out for each remaining action.

    left: (NUM_ACTIONS,). won: (NUM_ACTIONS, worlds), 0 to 1; the results are written to this world's column. sampled:
    (1,) GAME, scratch.
    """
    open_stream(buffers.streams[0], seed, world, TRIED)
    resample(view, params, buffers.evidence[0], PLAYING, buffers.streams[0], sampled[0])
    for action in range(NUM_ACTIONS):
        if left[action]:
            buffers.games[0] = sampled[0]
            engine.step(buffers.games[0], params, action)
            rollout.play_on(buffers, params)
            won[action, world] = rollout.value_of(buffers, params, int(view["seat"]))


@kernel
def best_of(left: Flags, worlds: int, won: Shares) -> int:
    """The remaining action with the best sum over the first `worlds` worlds."""
    best = rollout.NOWHERE
    most = -1.0
    for action in range(NUM_ACTIONS):
        if left[action]:
            share = won[action, :worlds].sum()
            if share > most:
                most = share
                best = action
    return best


@kernel
def lead(won: Shares, worlds: int, action: int, other: int) -> float:
    """By how many standard errors an action leads another one on the first `worlds` worlds, which both have played.

    won: (NUM_ACTIONS, worlds or more), the results. Returns 0 for a single world, which has no standard error.
    """
    total = 0.0
    squares = 0.0
    for world in range(worlds):
        difference = float(won[action, world]) - float(won[other, world])
        total += difference
        squares += difference * difference
    if squares == 0.0 or worlds < 2:
        return 0.0
    return total / math.sqrt(squares)


@kernel
def drop_behind(left: Flags, worlds: int, won: Shares) -> None:
    """Remove the actions that are clearly worse than the best one."""
    best = best_of(left, worlds, won)
    for action in range(NUM_ACTIONS):
        if left[action] and action != best and lead(won, worlds, best, action) > BEHIND:
            left[action] = False


@kernel
def conclude(left: Flags, worlds: int, won: Shares, usual: int) -> int:
    """The best action if it leads the rule-based one by enough or the rule-based one dropped out; else the latter."""
    best = best_of(left, worlds, won)
    if left[usual] and lead(won, worlds, best, usual) <= AHEAD:
        return usual
    return best


@kernel
def race(
    buffers: rollout.RolloutBuffers, view: Record, params: Record, mask: Vector, usual: int, seed: int, worlds: int
) -> int:
    """The best action after at most `worlds` worlds for each action."""
    won = np.zeros((NUM_ACTIONS, worlds), np.float32)
    sampled = np.zeros(1, GAME)
    left = mask.astype(np.bool_)
    world = 0
    next_check = FIRST_CHECK
    while world < worlds and left.sum() > 1:
        try_choices(left, world, won, sampled, buffers, view, params, seed)
        world += 1
        if world == next_check:
            drop_behind(left, world, won)
            next_check *= 2
    action = conclude(left, world, won, usual)
    sampled[0]["number"] = 0  # Numba frees an array after its last use, even if records of it are in use
    return action


def choose_ahead(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The best action after at most WORLDS worlds, each played on for TURNS turns."""
    action = only_legal(mask)
    if action < 0:
        buffers = rollout.make_buffers()
        usual = rollout.choose_by_rule(buffers, view, params, mask, stream)
        if rollout.on_floor(view["table"]):
            return usual
        buffers.last_turn[0] = int(view["table"]["turn"]) + TURNS
        action = race(buffers, view, params, mask, usual, draw(stream), WORLDS)
    return action


@functools.cache
def lookahead_agent(worlds: int = DEFAULT_WORLDS, turns: int = rollout.DEFAULT_TURNS) -> CompiledAgent:
    """A lookahead agent that tries each action in at most `worlds` sampled worlds.

    turns: turns for which a world is played on, the current one included; 0 plays to the end of the game. Raises
    OptionError unless worlds is 1 to MOST_WORLDS and turns 0 to TO_THE_END.
    """
    if not 1 <= worlds <= MOST_WORLDS:
        raise OptionError(f"worlds must be from 1 to {MOST_WORLDS:,}, not {worlds}")
    played = rollout.turns_played(turns)
    name = f"lookahead_{worlds}_{turns}"
    linked = kernel.link(choose_ahead, f"choose_{name}", {"WORLDS": worlds, "TURNS": played})
    about = f"rule-based, improved by rollouts in {worlds} sampled worlds"
    return CompiledAgent.of(kernel, name, linked, about)
