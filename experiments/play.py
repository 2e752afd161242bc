"""Whole games between agents: numbered beforehand, each played to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numba
import numpy as np
import numpy.typing as npt

from riverbed_env.core import loops
from riverbed_env.core.agents import Agent, CompiledAgent, identifier
from riverbed_env.core.batch import Batch, row_length
from riverbed_env.core.compile import KernelFamily, compiled, max_threads
from riverbed_env.core.errors import OptionError, RiverbedError
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_view

from .watching import watch

Records = npt.NDArray[np.void]

# Games between two looks at the clock and at an interruption: between compiled agents more if they are fast; else as
# many each time, so that agents whose sums depend on how many rows they are given see the same rows whenever they play.
FIRST_SLICE, LONGEST_SLICE = 512, 8192
SHORT = 0.5  # s; what takes less may be longer the next time
STEPWISE_SLICE = 2048


@dataclass(frozen=True)
class LineUp:
    """Which agent plays each role; `name` is what tables call it.

    `one` plays one seat whatever its role: the seat in focus, which goes round with the numbers of the games.
    """

    name: str
    by_role: Mapping[str, Agent]
    one: Agent | None = None

    @property
    def agents(self) -> list[Agent]:
        """The different agents."""
        seated = [*self.by_role.values(), *([] if self.one is None else [self.one])]
        return list({agent.name: agent for agent in seated}.values())


def focus(numbers: npt.NDArray[np.int64], num_players: int) -> npt.NDArray[np.int64]:
    """The seat in focus of each numbered game, (n,): each seat in turn, so that none is favoured."""
    return numbers % num_players


def line_up(game: Game, name: str, everybody: Agent, **by_camp: Agent) -> LineUp:
    """A line-up of one agent for everybody, and others for whole camps (`merchants=…`, `profiteer=…`)."""
    unknown = set(by_camp) - set(game.camps)
    if unknown:
        raise OptionError(f"there is no camp {unknown.pop()!r}; there are {', '.join(game.camps)}")
    return LineUp(name, {role: by_camp.get(game.camp_of_role[role], everybody) for role in game.roles})


@dataclass(frozen=True)
class Played:
    """Finished games, in the order of their numbers: their records (n,), the agents by seat, and the seconds taken."""

    games: Records
    agents: list[str]
    seats: npt.NDArray[np.int64]
    seconds: float


def play(
    game: Game,
    who: LineUp,
    numbers: npt.ArrayLike,
    seed: int,
    *,
    threads: int = 1,
    view: str = "history",
    pool: Sequence[Agent] = (),
    **options: Any,
) -> Played:
    """Play the games of these numbers under `seed`, each from the deal to its end.

    Line-ups go by role, so the deals are looked at first; the same numbers and seed give every line-up the same
    deals. `pool` are agents to compile for besides those of the line-up, so that line-ups of one pool share one loop.
    Raises RiverbedError where an agent takes an action the rules refuse.
    """
    wanted = np.array(numbers, np.int64)
    agents = sorted({agent.name: agent for agent in (*who.agents, *pool)}.values(), key=lambda agent: agent.name)
    number_of = {agent.name: number for number, agent in enumerate(agents)}
    by_role = np.array([number_of[who.by_role[role].name] for role in game.roles])
    seats = by_role[game.roles_of(deal(game, wanted, seed, **options))].astype(np.int64)
    if who.one is not None:
        seats[np.arange(len(wanted)), focus(wanted, seats.shape[1])] = number_of[who.one.name]
    return play_seated(game, agents, seats, wanted, seed, threads=threads, view=view, **options)


def deal(game: Game, numbers: npt.NDArray[np.int64], seed: int, **options: Any) -> Records:
    """The games of these numbers as they are dealt, before anybody chooses: records (n,)."""
    settings, _ = game.make_setting(**options)
    games = np.zeros(len(numbers), game.dtype)
    game.loop("deal_games")(games, settings, seed, numbers)
    return games


def play_seated(
    game: Game,
    agents: Sequence[Agent],
    seats: npt.NDArray[np.int64],
    numbers: npt.NDArray[np.int64],
    seed: int,
    *,
    threads: int = 1,
    view: str = "history",
    progress: Callable[[int], None] = lambda games: None,
    **options: Any,
) -> Played:
    """Play the games of these numbers under `seed` with a given agent in every seat.

    seats: (n, players), the number in `agents` of who sits there; numbers: (n,), which may repeat, so that one deal is
    played by several seatings. Compiled for all `agents` at once, seated or not. `progress` is told of games as they
    are done. A record is kept of each game, so a million are better played some thousands at a time.
    Raises RiverbedError where an agent takes an action the rules refuse.
    """
    names = [agent.name for agent in agents]
    if len(set(names)) < len(names):
        raise OptionError(f"agents at one table need different names, not {', '.join(names)}")
    settings, _ = game.make_setting(**options)
    length = check_view(game, view)
    numbers, seats = np.ascontiguousarray(numbers, np.int64), np.ascontiguousarray(seats, np.int64)
    compiled_agents = [agent for agent in agents if isinstance(agent, CompiledAgent)]
    all_compiled = len(compiled_agents) == len(agents)
    games = np.zeros(len(numbers), game.dtype)
    begun = time.perf_counter()
    first, size = 0, FIRST_SLICE if all_compiled else STEPWISE_SLICE
    while first < len(numbers):
        part = slice(first, first + size)
        since = time.perf_counter()
        if all_compiled:
            lanes = (games[part], settings, seed, numbers[part], seats[part])
            _play_compiled(game, compiled_agents, *lanes, threads, length)
        else:
            games[part] = _play_stepwise(game, agents, seed, numbers[part], seats[part], threads, view, options)
        progress(len(numbers[part]))
        first += size
        if all_compiled and time.perf_counter() - since < SHORT:
            size = min(2 * size, LONGEST_SLICE)
    return Played(games, names, seats, time.perf_counter() - begun)


def _play_compiled(
    game: Game,
    agents: Sequence[CompiledAgent],
    games: Records,
    settings: Records,
    seed: int,
    numbers: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    threads: int,
    size: int,
) -> None:
    """All agents are compiled: the games are played without returning to Python."""
    parallel = threads > 1 and compiled()
    loop = _playing_loop(game, tuple(agents), parallel)
    views = np.zeros(threads, game.view_dtype)
    rows = np.zeros((threads, row_length(game, size)), np.int8)
    memories = np.zeros((threads, seats.shape[1], max(1, *(agent.memory_size for agent in agents))), np.int32)
    refused = np.zeros(len(games), np.int64)
    before = numba.get_num_threads() if parallel else 1
    if parallel:
        numba.set_num_threads(min(threads, max_threads()))
    try:
        loop(games, settings, views, rows, memories, seed, numbers, seats, size, refused)
    finally:
        if parallel:
            numba.set_num_threads(before)
    if refused.any():
        lane = int(np.flatnonzero(refused)[0])
        raise RiverbedError(
            f"game {int(numbers[lane])} of seed {seed}: an agent of {', '.join(agent.name for agent in agents)} "
            f"took the illegal action {int(refused[lane]) - 1}"
        )


_LOOPS: dict[tuple[str, tuple[CompiledAgent, ...], bool], Any] = {}


def _playing_loop(game: Game, agents: tuple[CompiledAgent, ...], parallel: bool) -> Any:
    """`loops.play_games` linked to a chain of these agents, kept for the next time."""
    key = (game.id, agents, parallel)
    if key not in _LOOPS:
        folders = dict.fromkeys([*game.family.folders, *(folder for agent in agents for folder in agent.folders)])
        family = KernelFamily(f"{game.name}_play", *folders)
        tag = "end"
        choose = family.link(loops.no_choice, "no_choice", {})
        for agent in reversed(agents):
            tag = identifier(f"{identifier(agent.name)}_{tag}")
            template, choice = loops.choose_or_pass_on, "choose_action"
            if agent.by_view:
                template, choice = loops.choose_by_view_or_pass_on, "choose_by_view"
            choose = family.link(template, f"choose_{tag}", {choice: agent.choose, "choose_next": choose})
        name = f"{game.name}_play_{tag}{'_parallel' if parallel else ''}"
        helpers = {"write_row": game.loop("write_row"), "choose_as": choose, "NUM_ACTIONS": game.actions.size}
        _LOOPS[key] = family.link(loops.play_games, name, {**game.kernels.names(), **helpers}, parallel=parallel)
    return _LOOPS[key]


def _play_stepwise(
    game: Game,
    agents: Sequence[Agent],
    seed: int,
    numbers: npt.NDArray[np.int64],
    seats: npt.NDArray[np.int64],
    threads: int,
    view: str,
    options: Mapping[str, Any],
) -> Records:
    """Some agents are Python: all games go on in step, and each agent answers for all its seats at once."""
    batch = Batch(game, len(numbers), seed=seed, threads=threads, view=view, auto_reset=False, **options)
    for _ in watch(batch, agents, seats, numbers):
        pass
    return batch.games
