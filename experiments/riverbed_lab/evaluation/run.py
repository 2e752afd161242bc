"""Playing an evaluation: cell by cell in chunks of deals, each written down when it is finished."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.players.specs import find_agent

from ..locks import locked
from ..playing.plan import Cell, Plan, cells
from ..playing.play import Records, deal, play_seated
from ..playing.rows import table_of
from ..playing.seating import seat
from .folder import Folder


@dataclass(frozen=True)
class Task:
    """A chunk of a cell: which deals."""

    number: int  # of the cell
    cell: Cell
    chunk: int
    first: int
    deals: int


class Watcher(Protocol):
    """Is told how far a run is."""

    def __call__(self, cell: Cell, deals: float, games: int) -> None:
        """So many more deals and games of a cell are played."""


def find_agents(game: Game, plan: Plan) -> list[Agent]:
    """The agents of a plan."""
    return [find_agent(spec, game.name) for spec in plan.seated]


def tasks(game: Game, plan: Plan) -> list[Task]:
    """All chunks: the first of every cell, then the second, so that what is finished is of common deals at any time."""
    every = list(enumerate(cells(game, plan)))
    return [
        Task(number, cell, chunk, first, min(plan.chunk, plan.deals - first))
        for chunk, first in enumerate(range(0, plan.deals, plan.chunk))
        for number, cell in every
    ]


def left(game: Game, plan: Plan, folder: Folder) -> list[Task]:
    """The chunks that aren't finished yet."""
    finished = folder.finished()
    return [task for task in tasks(game, plan) if (task.number, task.chunk) not in finished]


def run(game: Game, plan: Plan, agents: Sequence[Agent], folder: Folder, threads: int, watch: Watcher) -> None:
    """Play what isn't finished yet and write it to the folder. The same rows come of it whatever the threads.

    OptionError where another process plays there.
    """
    with locked(folder.path):
        for task, dealt in _with_deals(game, plan, left(game, plan, folder)):
            _play(game, plan, agents, folder, threads, task, dealt, watch)


def warm_up(game: Game, plan: Plan, agents: Sequence[Agent], threads: int) -> None:
    """Compile what the run needs, so that its clock measures play."""
    seated = _compiled(agents)
    count = plan.players[0]
    numbers = np.zeros(len(seated), np.int64)
    seats = np.tile(np.arange(len(numbers))[:, None], count)  # each of them plays a game against itself
    others = [agent for agent in agents if not isinstance(agent, CompiledAgent)]
    for table in (seated, *([*seated, other] for other in others[:1])):  # with another at the table, step by step
        play_seated(game, table, seats, numbers, plan.seed, threads=threads, num_players=count, **plan.options)


def _with_deals(game: Game, plan: Plan, wanted: Sequence[Task]) -> Iterator[tuple[Task, Records]]:
    """Each task with its dealt games; cells of one player count and chunk share them."""
    last: tuple[int, int] | None = None
    dealt = np.zeros(0, game.dtype)
    for task in wanted:
        if last != (task.cell.num_players, task.first):
            last = (task.cell.num_players, task.first)
            numbers = np.arange(task.first, task.first + task.deals)
            dealt = deal(game, numbers, plan.seed, num_players=task.cell.num_players, **plan.options)
        yield task, dealt


def _play(
    game: Game,
    plan: Plan,
    agents: Sequence[Agent],
    folder: Folder,
    threads: int,
    task: Task,
    dealt: Records,
    watch: Watcher,
) -> None:
    cell = task.cell
    table = at_table(agents, cell)
    numbers = np.arange(task.first, task.first + task.deals)
    seating = seat(game, cell, [agent.name for agent in table], numbers, dealt, plan.seed)
    games = len(seating.numbers)
    played = play_seated(
        *(game, table, seating.seats, seating.numbers, plan.seed),
        threads=threads,
        progress=lambda done: watch(cell, task.deals * done / games, done),
        num_players=cell.num_players,
        **plan.options,
    )
    folder.write(task.number, task.chunk, table_of(game, folder.identity.origin, cell, seating, played))
    if games == 0:
        watch(cell, task.deals, 0)


def at_table(agents: Sequence[Agent], cell: Cell) -> list[Agent]:
    """Whom a cell's games are compiled for: every compiled agent of the plan, so that all cells share one loop.

    Where an agent of the cell isn't compiled, the agents of the cell alone, which then play step by step.
    """
    own = [agent for agent in agents if agent.name in cell.agents]
    if all(isinstance(agent, CompiledAgent) for agent in own):
        return _compiled(agents)
    return own


def _compiled(agents: Sequence[Agent]) -> list[Agent]:
    """The compiled ones by name, as other lineups have them, so that their loop may be compiled already."""
    return sorted((agent for agent in agents if isinstance(agent, CompiledAgent)), key=lambda agent: agent.name)
