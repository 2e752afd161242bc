"""Playing an evaluation: cell by cell in chunks of deals, each written when it is finished."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.players.agents import Agent, CompiledAgent, plays_in_words
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..locks import locked
from ..playing.plan import Cell, Plan, cells, check
from ..playing.play import deal, play_seated
from ..playing.rows import table_of
from ..playing.seating import seat
from .folder import Folder, Identity, identify
from .outcomes import Outcomes

if TYPE_CHECKING:
    import pyarrow as pa


@dataclass(frozen=True)
class Task:
    """A chunk of a cell's deals."""

    number: int  # of the cell
    cell: Cell
    chunk: int
    first: int
    deals: int


class Watcher(Protocol):
    """Receives the progress of a run."""

    def __call__(self, cell: Cell, deals: float, games: int) -> None:
        """This many more deals and games of a cell are finished."""


Work = Callable[["Evaluation", Sequence[Task], Watcher], Iterable[tuple[Task, "pa.Table"]]]


def find_agents(game: Game, specs: Iterable[str]) -> list[Agent]:
    """The agents of these specs, such as a plan's `seated`."""
    return [find_agent(spec, game.name) for spec in specs]


class Evaluation:
    """An evaluation in its folder: the plan, the agents, and what is finished so far."""

    def __init__(self, folder: Folder, threads: int, agents: Sequence[Agent]) -> None:
        self.folder, self.threads, self.agents = folder, threads, agents
        self.plan: Plan = folder.identity.plan
        self.game = find_game(self.plan.environment)
        self.unrepaired = False  # whether outcomes leave out games in which chance chose for an agent from outside

    @classmethod
    def begin(cls, plan: Plan, path: Path, threads: int = 1, agents: Sequence[Agent] | None = None) -> Evaluation:
        """The evaluation of a plan in this folder, new or resumed.

        agents: those of the plan; by default they are found by their specs. Raises OptionError for a plan that can't be
        played, and for a folder that holds another evaluation.
        """
        game = find_game(plan.environment)
        check(game, plan)
        seated = find_agents(game, plan.seated) if agents is None else agents
        return cls(Folder(path, identify(game, plan, seated)), threads, seated)

    @cached_property
    def tasks(self) -> list[Task]:
        """All chunks: the first of every cell, then the second, so that finished cells always share their deals."""
        every = list(enumerate(cells(self.game, self.plan)))
        return [
            Task(number, cell, chunk, first, min(self.plan.chunk, self.plan.deals - first))
            for chunk, first in enumerate(range(0, self.plan.deals, self.plan.chunk))
            for number, cell in every
        ]

    @property
    def left(self) -> list[Task]:
        """The chunks that aren't finished yet."""
        finished = self.folder.finished()
        return [task for task in self.tasks if (task.number, task.chunk) not in finished]

    @property
    def outcomes(self) -> Outcomes:
        """The outcomes of the rows."""
        return Outcomes(self.game, self.plan, self.folder, unrepaired=self.unrepaired)

    def play(self, watch: Watcher = lambda cell, deals, games: None, work: Work | None = None) -> None:
        """Play what isn't finished yet and write it to the folder. The number of threads changes no row.

        work: plays the tasks it is given, in any order, and yields each with its rows; by default one after another
        here. Raises OptionError if another process plays there.
        """
        with locked(self.folder.path):
            for task, rows in (work or one_after_another)(self, self.left, watch):
                self.folder.write(task.number, task.chunk, rows)

    def warm_up(self) -> None:
        """Compile what the run needs, so that its clock measures play."""
        plan = self.plan
        compiled = _compiled(self.agents)
        options = plan.options_of(plan.setups[0])
        numbers = np.zeros(len(compiled), np.int64)
        seats = np.tile(np.arange(len(numbers))[:, None], options["num_players"])  # each agent against itself
        others = [agent for agent in self.agents if not (isinstance(agent, CompiledAgent) or plays_in_words(agent))]
        for table in (compiled, *([*compiled, other] for other in others[:1])):  # the second plays step by step
            play_seated(self.game, table, seats, numbers, plan.seed, threads=self.threads, **options)


def one_after_another(evaluation: Evaluation, tasks: Sequence[Task], watch: Watcher) -> Iterator[tuple[Task, pa.Table]]:
    """Play the tasks in this process: each with its rows."""
    for task in tasks:
        yield task, play_task(task, evaluation.folder.identity, evaluation.agents, evaluation.threads, watch)


def play_task(task: Task, identity: Identity, agents: Sequence[Agent], threads: int, watch: Watcher) -> pa.Table:
    """The rows of a task, which depend on the plan and the agents alone, except for the seconds they took.

    agents: those of the identity's plan.
    """
    plan, cell = identity.plan, task.cell
    game, options = find_game(plan.environment), plan.options_of(cell.setup)
    table = at_table(agents, cell)
    numbers = np.arange(task.first, task.first + task.deals)
    dealt = deal(game, numbers, plan.seed, **options)
    seating = seat(game, cell, [agent.name for agent in table], numbers, dealt, plan.seed)
    games = len(seating.numbers)
    played = play_seated(
        *(game, table, seating.seats, seating.numbers, plan.seed),
        threads=threads,
        progress=lambda done: watch(cell, task.deals * done / games, done),
        logged=not all(isinstance(agent, CompiledAgent) for agent in table),
        **options,
    )
    if games == 0:
        watch(cell, task.deals, 0)
    return table_of(game, identity.origin, cell, seating, played)


def at_table(agents: Sequence[Agent], cell: Cell) -> list[Agent]:
    """The agents that a cell's games are compiled for: all compiled agents of the plan, so that cells share one loop.

    If an agent of the cell isn't compiled: only the agents of the cell, which then play step by step.
    """
    seated = [agent for agent in agents if agent.name in cell.agents]
    return _compiled(agents) if all(isinstance(agent, CompiledAgent) for agent in seated) else seated


def _compiled(agents: Sequence[Agent]) -> list[Agent]:
    """The compiled agents by name: the same order everywhere finds the same compiled loop."""
    return sorted((agent for agent in agents if isinstance(agent, CompiledAgent)), key=lambda agent: agent.name)
