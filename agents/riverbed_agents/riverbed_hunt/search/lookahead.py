"""The agent `lookahead`: the rule-based agent improved by rollouts, a few hundredths of a second per decision.

It tries each legal action in the same worlds, sampled from its view (the rollout algorithm: Bertsekas, Tsitsiklis and
Wu 1997). All seats, its own included, follow the rule-based agent (policy rollouts: Tesauro and Galperin 1997), either
to the end of the game or for some turns, after which the value network gives the winning chance (`values`). Actions
that are clearly worse drop out early (racing: Maron and Moore 1994). It takes the rule-based
action unless another one is better by more than a standard error. It assumes that its own later actions are the
rule-based ones, and samples each world once for all actions.
"""

import functools
import math
from typing import NamedTuple

import numpy as np

from riverbed_env.core.options import check_whole
from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE
from riverbed_env.games.riverbed_hunt.deduction.posterior import PLAYING
from riverbed_env.games.riverbed_hunt.deduction.resample import resample
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.state import GAME, VIEW, look
from riverbed_env.games.riverbed_hunt.rules.vocab import Ending
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import Numbers, Record, Records, Vector
from riverbed_env.kernels.random import STREAM, TRIED, draw, end_decision, open_stream
from riverbed_env.players.agents import CompiledAgent, Memory

from ..kernels import kernel
from ..rule_based.agent import decide
from ..rule_based.talking import Manner
from ..sight import is_on_floor, own_camp
from .values import winning_chance

DEFAULT_WORLDS = 500  # per action
MOST_WORLDS = 100_000
TO_THE_END = 1000  # turns: more than any game has
DEFAULT_TURNS = 6  # with the current one; most of the gain is late in the game, where six turns reach its end
FIRST_CHECK = 8  # worlds before the first actions may drop out; each later check comes after twice as many
BEHIND = 2.0  # an action drops out if the best one leads it by more standard errors
AHEAD = 1.0  # the best action is taken if it leads the rule-based one by more standard errors

WORLDS, TURNS = DEFAULT_WORLDS, DEFAULT_TURNS  # of the template `choose_ahead`, replaced for each agent


class RolloutBuffers(NamedTuple):
    """Scratch arrays of rollouts, which stop when the turn `last_turn` begins.

    games: (2,) GAME, the one played on and the world it began from. views, evidence, streams: (1,) VIEW, EVIDENCE and
    STREAM. mask: of the seat to act.
    """

    games: Records
    views: Records
    evidence: Records
    streams: Records
    mask: Vector
    last_turn: int


@kernel
def make_buffers(view: Record, turns: int) -> RolloutBuffers:
    """Buffers for rollouts of so many turns, the current one included."""
    games, views, evidence = np.zeros(2, GAME), np.zeros(1, VIEW), np.zeros(1, EVIDENCE)
    last_turn = int(view["table"]["turn"]) + turns
    return RolloutBuffers(games, views, evidence, np.zeros(1, STREAM), np.zeros(NUM_ACTIONS, np.int8), last_turn)


@kernel
def play_on(buffers: RolloutBuffers, params: Record) -> None:
    """Play the first game on until the last turn begins or the game is over."""
    game = buffers.games[0]
    seat = int(game["table"]["asked"])
    while seat >= 0 and int(game["table"]["turn"]) < buffers.last_turn:
        look(game, seat, buffers.views[0])
        engine.write_mask(game, params, seat, buffers.mask)
        stream = game["agents"]
        begun = int(stream["drawn"])
        action = decide(buffers.views[0], params, buffers.mask, stream, Manner.SHREWD, True)
        end_decision(stream, begun)
        if engine.step(game, params, action) != 0:
            return
        seat = int(game["table"]["asked"])


@kernel
def try_choices(
    left: Vector, world: int, won: Numbers, buffers: RolloutBuffers, view: Record, params: Record, seed: int
) -> None:
    """Sample a world and play it out for each remaining action.

    left: (NUM_ACTIONS,). won: (NUM_ACTIONS, worlds), 0 to 1, the results of the observer's camp or, where the game
    isn't over, its winning chances; they are written to this world's column.
    """
    open_stream(buffers.streams[0], seed, world, TRIED)
    resample(view, params, buffers.evidence[0], PLAYING, buffers.streams[0], buffers.games[1])
    table = buffers.games[0]["table"]
    for action in range(NUM_ACTIONS):
        if left[action]:
            buffers.games[0] = buffers.games[1]
            engine.step(buffers.games[0], params, action)
            play_on(buffers, params)
            if table["ending"] != Ending.PLAYING:
                won[action, world] = table["winner"] == own_camp(view)
            else:
                won[action, world] = winning_chance(buffers.games[0], params, int(view["seat"]))


@kernel
def best_of(left: Vector, worlds: int, won: Numbers) -> int:
    """The remaining action with the best sum over the first `worlds` worlds."""
    best = -1
    most = -1.0
    for action in range(NUM_ACTIONS):
        if left[action]:
            share = won[action, :worlds].sum()
            if share > most:
                most = share
                best = action
    return best


@kernel
def lead(won: Numbers, worlds: int, action: int, other: int) -> float:
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
def drop_behind(left: Vector, worlds: int, won: Numbers) -> None:
    """Remove the actions that are clearly worse than the best one."""
    best = best_of(left, worlds, won)
    for action in range(NUM_ACTIONS):
        if left[action] and action != best and lead(won, worlds, best, action) > BEHIND:
            left[action] = 0


@kernel
def conclude(left: Vector, worlds: int, won: Numbers, usual: int) -> int:
    """The best action if it leads the rule-based one by enough or the rule-based one dropped out; else the latter."""
    best = best_of(left, worlds, won)
    if left[usual] and lead(won, worlds, best, usual) <= AHEAD:
        return usual
    return best


@kernel
def race(
    buffers: RolloutBuffers, view: Record, params: Record, mask: Vector, usual: int, seed: int, worlds: int
) -> int:
    """The best action after at most `worlds` worlds for each action."""
    won = np.zeros((NUM_ACTIONS, worlds), np.float32)
    left = mask.copy()
    world = 0
    next_check = FIRST_CHECK
    while world < worlds and left.sum() > 1:
        try_choices(left, world, won, buffers, view, params, seed)
        world += 1
        if world == next_check:
            drop_behind(left, world, won)
            next_check *= 2
    return conclude(left, world, won, usual)


def choose_ahead(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record
) -> int:
    """The best action after at most WORLDS worlds, each played on for TURNS turns."""
    action = only_legal(mask)
    if action < 0:
        action = decide(view, params, mask, stream, Manner.SHREWD, True)
        if not is_on_floor(view):  # RH-9.2: it talks by rule, as its worlds do, and looks ahead only in deeds
            action = race(make_buffers(view, TURNS), view, params, mask, action, draw(stream), WORLDS)
    return action


@functools.cache
def lookahead_agent(worlds: int = DEFAULT_WORLDS, turns: int = DEFAULT_TURNS) -> CompiledAgent:
    """A lookahead agent that tries each action in at most `worlds` sampled worlds.

    turns: turns for which a world is played on, the current one included; 0 plays to the end of the game. Raises
    OptionError unless worlds is 1 to MOST_WORLDS and turns 0 to TO_THE_END.
    """
    check_whole("worlds", worlds, 1, MOST_WORLDS)
    check_whole("turns", turns, 0, TO_THE_END)
    name = f"lookahead_{worlds}_{turns}"
    linked = kernel.link(choose_ahead, f"choose_{name}", {"WORLDS": worlds, "TURNS": turns or TO_THE_END})
    about = f"rule-based, improved by rollouts in {worlds} sampled worlds"
    return CompiledAgent.of(kernel, name, linked, about)
