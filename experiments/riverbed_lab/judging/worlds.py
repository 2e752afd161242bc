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

from riverbed_env.core.batch import Batch, row_length
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import KernelFamily, compiled
from riverbed_env.kernels.random import STREAM
from riverbed_env.kernels.threads import with_threads
from riverbed_env.players.agents import CompiledAgent
from riverbed_env.players.arena import folders_of, link_choice

from .kernels import loops
from .kernels.loops import Task, Worlds


def find_worlds(
    batch: Batch, agents: Sequence[CompiledAgent], task: Task, worlds: int, *, moves: int, seed: int, threads: int = 1
) -> Worlds:
    """Worlds for decisions of a game with a batch's options and these agents in the seats whose policy is known.

    agents: they and those that play open seats on; a task's lineup holds their numbers. moves: exchanges tried from one
    world to the next.
    """
    game, threads = batch.game, threads if compiled() else 1
    sizes = [agent.memory_size for agent in agents]
    memory = max(sizes) + 1 if any(sizes) else 1  # more than one number where a memory must be kept
    count, seats, decisions, size = len(task.until), len(task.lineup), len(task.actions), game.observation.size
    views = np.zeros(count, game.view_dtype)
    seen = views.view(np.uint8).reshape(count, -1)
    found = Worlds(
        games=np.zeros((count, worlds), game.dtype),
        memories=np.zeros((count, worlds, seats, memory), np.int32),
        accepted=np.zeros(count, np.int64),
        tried=np.zeros((count, 4), game.dtype),
        views=views,
        seen=seen,
        rows=np.zeros((count, row_length(game, size)), np.int8),
        kept=np.zeros((count, seats, memory), np.int32),
        noted=np.zeros((count, decisions, seen.shape[1]), np.uint8),
        who=np.zeros((count, decisions), np.int64),
        streams=np.zeros(count, STREAM),
    )
    loop = _link(game, tuple(agents), threads > 1)
    with_threads(threads, loop, batch.params, found, task, seed, moves, size)
    return found


@cache
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
