"""Looking ahead over the rules: each role's agent where it may think for some hundredths of a second.

All that the seat may do is tried in the same worlds, drawn from its view, and everybody plays on by the rules (the
rollout algorithm: Bertsekas, Tsitsiklis and Wu 1997) for some turns, after which a value network judges (`desk`).
Choices that others leave clearly behind drop out early (a race: Maron and Moore 1994). What the rules would do is done
unless another choice did better by more than a standard error. Unlike `search` it takes its own later choices to be
the rules', and draws each world once for all choices.
"""

from __future__ import annotations

import functools

import numpy as np
import numpy.typing as npt

from riverbed_env.deduction.posterior import PLAYING
from riverbed_env.deduction.resample import resample
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.state import GAME
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import TRIED, draw, open_stream
from riverbed_env.players.agents import CompiledAgent

from ..observation_reader import CAMPS, FOLDERS, kernel
from .rollout import DEFAULT_TURNS, NOWHERE, Desk, lay_desk, play_on, turns_played, usual_choice, worth
from .tree import lead

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]
Shares = npt.NDArray[np.float32]
Flags = npt.NDArray[np.bool_]

DEFAULT_WORLDS = 500  # a choice
MOST_WORLDS = 100_000
FIRST_LOOK = 8  # worlds after which the first choices drop out; then after twice as many each time
BEHIND = 2.0  # standard errors by which the best must lead a choice for that to drop out
AHEAD = 1.0  # standard errors by which the best must lead the usual choice to be taken

WORLDS, TURNS = DEFAULT_WORLDS, DEFAULT_TURNS  # of the template `choose_ahead`, bound anew for each agent


@kernel
def try_choices(
    left: Flags, world: int, won: Shares, drawn: Records, desk: Desk, view: Record, params: Record, seed: int
) -> None:
    """Note how far each choice left wins a world.

    left: (NUM_ACTIONS,); won: (NUM_ACTIONS, worlds), 0 to 1, written in this world's column; drawn: (1,) GAME, scratch.
    """
    camp = int(CAMPS[int(view["private"]["role"])])
    open_stream(desk.streams[0], seed, world, TRIED)
    resample(view, params, desk.evidence[0], PLAYING, desk.streams[0], drawn[0])
    for action in range(NUM_ACTIONS):
        if left[action]:
            desk.games[0] = drawn[0]
            engine.step(desk.games[0], params, action)
            play_on(desk, params, NOWHERE)
            won[action, world] = worth(desk, params, camp)


@kernel
def best_of(left: Flags, worlds: int, won: Shares) -> int:
    """Of the choices left the one that did best in the first worlds."""
    best = NOWHERE
    most = -1.0
    for action in range(NUM_ACTIONS):
        if left[action]:
            share = won[action, :worlds].sum()
            if share > most:
                most = share
                best = action
    return best


@kernel
def drop_behind(left: Flags, worlds: int, won: Shares) -> None:
    """Take out the choices that the best one clearly leads."""
    best = best_of(left, worlds, won)
    for action in range(NUM_ACTIONS):
        if left[action] and action != best and lead(won, worlds, best, action) > BEHIND:
            left[action] = False


@kernel
def conclude(left: Flags, worlds: int, won: Shares, usual: int) -> int:
    """The best choice, if the usual one dropped out or is led by enough; else the usual one."""
    best = best_of(left, worlds, won)
    if left[usual] and lead(won, worlds, best, usual) <= AHEAD:
        return usual
    return best


@kernel
def race(desk: Desk, view: Record, params: Record, mask: Vector, usual: int, seed: int, worlds: int) -> int:
    """The best choice after at most so many worlds each."""
    won = np.zeros((NUM_ACTIONS, worlds), np.float32)
    drawn = np.zeros(1, GAME)
    left = mask.astype(np.bool_)
    world = 0
    look = FIRST_LOOK
    while world < worlds and left.sum() > 1:
        try_choices(left, world, won, drawn, desk, view, params, seed)
        world += 1
        if world == look:
            drop_behind(left, world, won)
            look *= 2
    action = conclude(left, world, won, usual)
    drawn[0]["number"] = 0  # Numba frees an array after its last use, records of it or not
    return action


def choose_ahead(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The best choice after WORLDS worlds, each played on for TURNS turns."""
    action = only_legal(mask)
    if action < 0:
        desk = lay_desk()
        usual = usual_choice(desk, view, params, mask, stream)
        desk.last_turn[0] = int(view["table"]["turn"]) + TURNS
        action = race(desk, view, params, mask, usual, draw(stream), WORLDS)
    return action


@functools.cache
def lookahead_agent(worlds: int = DEFAULT_WORLDS, turns: int = DEFAULT_TURNS) -> CompiledAgent:
    """An agent that tries each choice in at most so many worlds, each played on for so many turns, this one counted.

    With 0 turns worlds are played to the end. Raises OptionError outside 1 to MOST_WORLDS worlds and 0 to TO_THE_END
    turns.
    """
    if not 1 <= worlds <= MOST_WORLDS:
        raise OptionError(f"worlds must be from 1 to {MOST_WORLDS:,}, not {worlds}")
    played = turns_played(turns)
    name = f"lookahead_{worlds}_{turns}"
    linked = kernel.link(choose_ahead, f"choose_{name}", {"WORLDS": worlds, "TURNS": played}, inline=True)
    about = f"the rules, with a look ahead in {worlds} worlds they can't exclude"
    return CompiledAgent(name, linked, folders=FOLDERS, about=about, by_view=True)
