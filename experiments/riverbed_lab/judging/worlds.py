"""Worlds in which recorded games could stand at a decision, each as likely as the true one.

A seat can't tell its true deal from any other in which it would have seen the same, and in which the agents whose
policies are known would have acted the same. The true deal is one draw from these, weighted as they should be. A chain
that begins there and exchanges hidden things of the deal, keeping each exchange after which a replay shows the open
seats the same and finds the known agents acting the same, keeps that distribution (Metropolis et al. 1953, with a
uniform target). So every world of the chain is as good a draw as the true one; more exchanges only make them less
alike.
"""

from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.batch import row_length
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import KernelFamily, compiled
from riverbed_env.kernels.random import STREAM
from riverbed_env.kernels.threads import with_threads
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.arena import folders_of, link_choice

from .kernels import loops
from .kernels.loops import Memory, Records, Scratch, Task, Whole

GAMES = 4  # of a thread's scratch


class WorldFinder:
    """Finds worlds for games of the same options, with these agents in the seats whose policy is known.

    agents: they and those that play open seats on; a task's lineups hold their numbers. params: (1,), the game's.
    moves: exchanges tried from one world to the next; 0 where the game exchanges nothing, so that only future chance
    differs.
    """

    def __init__(
        self, game: Game, agents: Sequence[CompiledAgent], params: Records, *, moves: int, seed: int, threads: int = 1
    ) -> None:
        self.game, self.params, self.seed = game, params, seed
        self.moves = moves if game.kernels.exchange is not None else 0
        self.threads = threads if compiled() else 1
        sizes = [agent.memory_size for agent in agents]
        self.memory = max(sizes) + 1 if any(sizes) else 1  # more than one number where a memory must be kept
        self._loop = _link(game, tuple(agents), self.threads > 1)

    def find(self, task: Task, worlds: int) -> tuple[Records, Memory, Whole]:
        """Worlds (n, worlds), the agents' memories there (n, worlds, seats, memory), and exchanges made, (n,).

        The first world is the true one but for future chance. The number of exchanges is NOT_AS_RECORDED where an agent
        of known policy did otherwise than recorded.
        """
        count, seats = task.lineups.shape
        found = np.zeros((count, worlds), self.game.dtype)
        kept = np.zeros((count, worlds, seats, self.memory), np.int32)
        accepted = np.zeros(count, np.int64)
        size = self.game.observation.size
        with_threads(
            *(self.threads, self._loop, self.params, self._scratch(task, size), task),
            *(self.seed, self.moves, found, kept, accepted, size),
        )
        return found, kept, accepted

    def _scratch(self, task: Task, size: int) -> Scratch:
        threads, seats, decisions = self.threads, task.lineups.shape[1], task.actions.shape[1]
        views = np.zeros(threads, self.game.view_dtype)
        seen = views.view(np.uint8).reshape(threads, -1)
        return Scratch(
            games=np.zeros((threads, GAMES), self.game.dtype),
            views=views,
            seen=seen,
            rows=np.zeros((threads, row_length(self.game, size)), np.int8),
            memories=np.zeros((threads, seats, self.memory), np.int32),
            noted=np.zeros((threads, decisions, seen.shape[1]), np.uint8),
            who=np.zeros((threads, decisions), np.int64),
            streams=np.zeros(threads, STREAM),
        )


@cache  # linked once per process
def _link(game: Game, agents: tuple[CompiledAgent, ...], parallel: bool) -> Any:
    """`loops.write_worlds` linked to a game and to these agents."""
    family = KernelFamily(f"{game.name}_judge", *folders_of(game, agents), Path(loops.__file__).parent)
    choose, tag = link_choice(family, agents)
    names = {
        "exchange": family.link(loops.exchange, "exchange_nothing", {}),
        **game.kernels.names(),
        "write_row": game.loops.write_row,
        "choose_as": choose,
        "NUM_ACTIONS": game.actions.size,
    }
    for part in (loops.same_view, loops.play_again, loops.move_on):
        names[part.__name__] = family.link(part, f"{part.__name__}_{game.name}_{tag}", names)
    name = f"write_worlds_{game.name}_{tag}{'_parallel' if parallel else ''}"
    return family.link(loops.write_worlds, name, names, parallel=parallel)
