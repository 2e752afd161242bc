"""The agents that search, by budget: so many worlds a decision, or so many milliseconds."""

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
from .rollout import DEFAULT_TURNS, lay_desk, turns_played, usual_choice
from .tree import best_choice, halve, plant

Vector = npt.NDArray[np.int8]
Records = npt.NDArray[np.void]

DEFAULT_WORLDS = 5000  # about a quarter of a second
MOST_WORLDS = 1_000_000
MOST_MILLISECONDS = 600_000
FIRST_ROUND = 64  # worlds between two looks at the clock, more each time
MOST_TIMED = 100_000  # worlds that one choice meets in whatever time

BUDGET, TURNS = DEFAULT_WORLDS, DEFAULT_TURNS  # of the template `choose`, bound anew for each agent


@kernel
def search_by_worlds(view: Record, params: Record, mask: Vector, stream: Record, budget: int, turns: int) -> int:
    """The best choice after so many worlds, each played on for so many turns."""
    action = only_legal(mask)
    if action < 0:
        tree = plant(budget)
        desk = lay_desk()
        usual = usual_choice(desk, view, params, mask, stream)
        seed = draw(stream)
        open_stream(desk.streams[1], seed, 0, OWN_CHOICES)
        halve(tree, desk, view, params, mask, usual, seed, budget, turns)
        action = best_choice(tree, usual)
    return action


def choose(
    view: Record, params: Record, observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """The best choice after BUDGET worlds, each played on for TURNS turns."""
    return search_by_worlds(view, params, mask, stream, BUDGET, TURNS)


@dataclass(frozen=True)
class TimedSearch:
    """A search agent that tries worlds until its time is up; on a slower machine it plays weaker.

    It plays step by step, not inside the batch, and what it draws depends on the clock.
    """

    milliseconds: int  # a decision
    turns: int = DEFAULT_TURNS
    memory_size: int = 0
    by_view: bool = True

    @property
    def name(self) -> str:
        """What tables call it."""
        return f"search_{self.milliseconds}_ms"

    @property
    def about(self) -> str:
        """What it is."""
        return f"Monte-Carlo search over worlds it can't exclude, {self.milliseconds} ms a decision"

    def act(
        self,
        observations: npt.NDArray[np.int8],
        masks: npt.NDArray[np.int8],
        memory: npt.NDArray[np.int32],
        rng: Records,
        views: Records,
        params: Records,
    ) -> npt.NDArray[np.int64]:
        """One legal action for each game; see `CompiledAgent.act`."""
        return np.array(
            [self._search(views[index], params[0], masks[index], rng[index]) for index in range(len(views))], np.int64
        )

    def _search(self, view: Record, params: Record, mask: Vector, stream: Record) -> int:
        action = only_legal(mask)
        if action >= 0:
            return action
        tree, desk = plant(MOST_TIMED), lay_desk()
        usual = usual_choice(desk, view, params, mask, stream)
        seed = draw(stream)
        open_stream(desk.streams[1], seed, 0, OWN_CHOICES)
        halve(tree, desk, view, params, mask, usual, seed, 0, self.turns)  # one world each; compiling doesn't count
        until = time.perf_counter() + self.milliseconds / 1000
        worlds = FIRST_ROUND
        while time.perf_counter() < until and tree.visits[0].max() < MOST_TIMED:
            halve(tree, desk, view, params, mask, usual, seed, worlds, self.turns)
            worlds += worlds // 4
        return best_choice(tree, usual)


@functools.cache
def search_agent(
    worlds: int = DEFAULT_WORLDS, milliseconds: int = 0, turns: int = DEFAULT_TURNS
) -> CompiledAgent | TimedSearch:
    """An agent that tries so many worlds at each decision, or, where that isn't 0, as many as fit in the milliseconds.

    Worlds are played on for so many turns, this one counted, and then judged by the value network; with 0 turns to the
    end. Raises OptionError outside 1 to MOST_WORLDS worlds, 0 to MOST_MILLISECONDS and 0 to TO_THE_END turns.
    """
    if not 0 <= milliseconds <= MOST_MILLISECONDS:
        raise OptionError(f"milliseconds must be from 0 (go by worlds) to {MOST_MILLISECONDS:,}, not {milliseconds}")
    if not 1 <= worlds <= MOST_WORLDS:
        raise OptionError(f"worlds must be from 1 to {MOST_WORLDS:,}, not {worlds}")
    played = turns_played(turns)
    if milliseconds:
        return TimedSearch(milliseconds, played)
    name = f"search_{worlds}_{turns}"
    linked = kernel.link(choose, f"choose_{name}", {"BUDGET": worlds, "TURNS": played}, inline=True)
    about = f"Monte-Carlo search over worlds it can't exclude, {worlds} worlds a decision"
    return CompiledAgent(name, linked, folders=FOLDERS, about=about, by_view=True)
