"""The agent `search`: tree search with a budget per decision, in sampled worlds or in milliseconds."""

from __future__ import annotations

import functools
import time
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import OWN_CHOICES, draw, open_stream
from riverbed_env.players.agents import CompiledAgent

from ..observation_reader import FOLDERS, kernel
from .rollout import DEFAULT_TURNS, choose_at_root, make_buffers, on_floor, turns_played
from .tree import best_choice, halve, make_tree

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]

DEFAULT_WORLDS = 5000  # about a quarter of a second per decision
MOST_WORLDS = 1_000_000
MOST_MILLISECONDS = 600_000
FIRST_ROUND = 64  # worlds before the first look at the clock; later rounds are longer
MOST_TIMED = 100_000  # the most worlds for one action under a time limit

BUDGET, TURNS = DEFAULT_WORLDS, DEFAULT_TURNS  # of the template `choose`, replaced for each agent


def choose(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The best action after BUDGET worlds, each played on for TURNS turns."""
    action = only_legal(mask)
    if action < 0:
        tree = make_tree(BUDGET)
        buffers = make_buffers()
        usual = choose_at_root(buffers, view, params, mask, stream)
        if on_floor(view["table"]):
            return usual
        seed = draw(stream)
        open_stream(buffers.streams[1], seed, 0, OWN_CHOICES)
        halve(tree, buffers, view, params, mask, usual, seed, BUDGET, TURNS)
        action = best_choice(tree, usual)
    return action


@dataclass(frozen=True)
class TimedSearch:
    """A search agent with a time limit per decision; it plays weaker on a slower machine.

    It plays step by step, not inside the batch. Its choices depend on the clock, so its games can't be reproduced.
    """

    milliseconds: int  # per decision
    turns: int = DEFAULT_TURNS
    memory_size: int = 0
    by_view: bool = True

    @property
    def name(self) -> str:
        """The name in tables."""
        return f"search_{self.milliseconds}_ms"

    @property
    def about(self) -> str:
        """A one-line description."""
        return f"Monte-Carlo tree search over sampled worlds, {self.milliseconds} ms a decision"

    def act(
        self,
        observations: npt.NDArray[np.int8],
        masks: npt.NDArray[np.int8],
        memory: npt.NDArray[np.int32],
        rng: Records,
        views: Records,
        params: Records,
    ) -> npt.NDArray[np.int64]:
        """A legal action for each game; see `CompiledAgent.act`."""
        return np.array(
            [self._search(views[index], params[0], masks[index], rng[index]) for index in range(len(views))], np.int64
        )

    def _search(self, view: Record, params: Record, mask: Vector, stream: Record) -> int:
        action = only_legal(mask)
        if action >= 0:
            return action
        tree, buffers = make_tree(MOST_TIMED), make_buffers()
        usual = choose_at_root(buffers, view, params, mask, stream)
        if on_floor(view["table"]):
            return usual
        seed = draw(stream)
        open_stream(buffers.streams[1], seed, 0, OWN_CHOICES)
        # Try one world for each action first, so that the time to compile doesn't count.
        halve(tree, buffers, view, params, mask, usual, seed, 0, self.turns)
        until = time.perf_counter() + self.milliseconds / 1000
        worlds = FIRST_ROUND
        while time.perf_counter() < until and tree.visits[0].max() < MOST_TIMED:
            halve(tree, buffers, view, params, mask, usual, seed, worlds, self.turns)
            worlds += worlds // 4
        return best_choice(tree, usual)


@functools.cache
def search_agent(
    worlds: int = DEFAULT_WORLDS, milliseconds: int = 0, turns: int = DEFAULT_TURNS
) -> CompiledAgent | TimedSearch:
    """A search agent with a budget per decision: `worlds` sampled worlds, or `milliseconds` if that isn't 0.

    turns: turns for which a world is played on, the current one included, before the value network evaluates it; 0
    plays to the end of the game. Raises OptionError unless worlds is 1 to MOST_WORLDS, milliseconds 0 to
    MOST_MILLISECONDS and turns 0 to TO_THE_END.
    """
    if not 0 <= milliseconds <= MOST_MILLISECONDS:
        raise OptionError(f"milliseconds must be from 0 (go by worlds) to {MOST_MILLISECONDS:,}, not {milliseconds}")
    if not 1 <= worlds <= MOST_WORLDS:
        raise OptionError(f"worlds must be from 1 to {MOST_WORLDS:,}, not {worlds}")
    played = turns_played(turns)
    if milliseconds:
        return TimedSearch(milliseconds, played)
    name = f"search_{worlds}_{turns}"
    linked = kernel.link(choose, f"choose_{name}", {"BUDGET": worlds, "TURNS": played})
    about = f"Monte-Carlo tree search over sampled worlds, {worlds} worlds a decision"
    return CompiledAgent(name, linked, folders=FOLDERS, about=about, by_view=True)
