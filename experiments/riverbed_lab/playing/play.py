"""Whole games between agents: numbered in advance, each played to its end, at once or step by step."""

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch, options_by_deal
from riverbed_env.core.game import Game, take_records
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Records, Whole
from riverbed_env.players.agents import Agent, CompiledAgent, answers_of
from riverbed_env.players.arena import Arena

# Games between two checks of the clock and of interrupts. Compiled agents get more if they are fast. Others always get
# the same number: sums of neural networks depend on the number of rows.
FIRST_SLICE, LONGEST_SLICE = 512, 8192
SHORT = 0.5  # s; a slice that takes less doubles the next one
STEPWISE_SLICE = 2048


@dataclass(frozen=True)
class Lineup:
    """Which agent plays each role.

    Args:
        name: its name in tables.
        by_role: the agent of each role, by the role's name.
    """

    name: str
    by_role: Mapping[str, Agent]

    @property
    def agents(self) -> list[Agent]:
        """The different agents."""
        return list({agent.name: agent for agent in self.by_role.values()}.values())


def lineup(game: Game, name: str, everybody: Agent, **by_camp: Agent) -> Lineup:
    """A lineup of one agent for everybody, and others for whole camps.

    Args:
        game: the game.
        name: the lineup's name in tables.
        everybody: who plays the roles of camps that aren't named.
        by_camp: the agents of whole camps (`merchants=…`, `profiteer=…`).

    Returns:
        The lineup.

    Raises:
        OptionError: there is no such camp.
    """
    unknown = set(by_camp) - set(game.camps)
    if unknown:
        raise OptionError(f"there is no camp {unknown.pop()!r}; there are {', '.join(game.camps)}")
    return Lineup(name, {role: by_camp.get(game.camp_of_role[role], everybody) for role in game.roles})


@dataclass(frozen=True)
class Played:
    """Finished games, in the order of their numbers as given.

    Args:
        games: the records, (n,).
        agents: the agents' names.
        seats: (n, players) int64, the number in `agents` of the agent in each seat.
        seconds: the time taken, in s.
        actions: if they were logged, the actions of all games, one game after the other, uint16.
        lengths: if they were logged, how many actions each game has, (n,) int64.
        figures: what agents from outside have counted, (n, seats) int64 by name; empty if none of them sat there.
    """

    games: Records
    agents: list[str]
    seats: npt.NDArray[np.int64]
    seconds: float
    actions: npt.NDArray[np.uint16] = field(default_factory=lambda: np.zeros(0, np.uint16))
    lengths: Whole = field(default_factory=lambda: np.zeros(0, np.int64))
    figures: Mapping[str, Whole] = field(default_factory=dict)


def play(
    game: Game,
    who: Lineup,
    numbers: npt.ArrayLike,
    seed: int,
    *,
    threads: int = 1,
    view: str = "history",
    pool: Sequence[Agent] = (),
    **options: Any,
) -> Played:
    """Play the games of these numbers under `seed`, each from the deal to its end.

    The same numbers and seed give every lineup the same deals.

    Args:
        game: the game.
        who: the lineup.
        numbers: the numbers of the games, (n,) integers.
        seed: of the numbered games.
        threads: that play.
        view: the view of the agents' observations.
        pool: agents that are compiled too, so that lineups of one pool share one loop.
        options: of the game.

    Returns:
        The games.

    Raises:
        RiverbedError: an agent takes an illegal action.
        OptionError: an option isn't known or allowed.
        PackError: a content pack can't be read or breaks a rule.
    """
    wanted = np.array(numbers, np.int64)
    agents = sorted({agent.name: agent for agent in (*who.agents, *pool)}.values(), key=lambda agent: agent.name)
    number_of = {agent.name: number for number, agent in enumerate(agents)}
    by_role = np.array([number_of[who.by_role[role].name] for role in game.roles])
    seats = by_role[game.roles_of(deal(game, wanted, seed, **options))].astype(np.int64)
    return play_seated(game, agents, seats, wanted, seed, threads=threads, view=view, **options)


def deal(game: Game, numbers: npt.NDArray[np.int64], seed: int, **options: Any) -> Records:
    """The games of these numbers as dealt, before the first decision.

    Args:
        game: the game.
        numbers: the numbers of the games, (n,) int64.
        seed: of the numbered games.
        options: of the game, as `make_params` takes them.

    Returns:
        Game records, (n,).

    Raises:
        OptionError: an option isn't allowed.
        PackError: a content pack can't be read or breaks a rule.
    """
    params = np.concatenate([game.make_params(**each)[0] for each in options_by_deal(game, options)])
    games = np.zeros(len(numbers), game.dtype)
    game.loops.deal_games(games, params, numbers % len(params), seed, numbers, np.arange(len(numbers)))
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
    logged: bool = False,
    **options: Any,
) -> Played:
    """Play the games of these numbers under `seed` with a given agent in every seat.

    All records stay in memory, so play a million games some thousands at a time.

    Args:
        game: the game.
        agents: the agents, with different names. The loop is compiled for all of them, seated or not.
        seats: (n, players) int64, the number in `agents` of the agent in each seat.
        numbers: (n,) int64, with repeats where several seatings play one deal.
        seed: of the numbered games.
        threads: that play.
        view: the view of the agents' observations.
        progress: gets the number of games finished since its last call.
        logged: whether all actions are kept.
        options: of the game.

    Returns:
        The games.

    Raises:
        RiverbedError: an agent takes an illegal action.
        OptionError: two agents have the same name, or an option isn't known or allowed.
        PackError: a content pack can't be read or breaks a rule.
    """
    numbers, seats = np.ascontiguousarray(numbers, np.int64), np.ascontiguousarray(seats, np.int64)
    compiled = all(isinstance(agent, CompiledAgent) for agent in agents)
    most = max(1, min(len(numbers), LONGEST_SLICE if compiled else STEPWISE_SLICE))
    most = max(most, len(options_by_deal(game, options)))  # so that each pack of a split has its params
    tables = Arena(game, agents, most, logged=logged, seed=seed, threads=threads, view=view, **options)
    games = np.zeros(len(numbers), game.dtype)
    logs = []
    figures: dict[str, Whole] = {}
    begun = time.perf_counter()
    for part in _slices(len(numbers), compiled):
        indices = np.arange(len(numbers[part]))
        tables.batch.which[indices] = numbers[part] % len(tables.batch.params)
        tables.deal(indices, numbers[part])
        tables.seat_agents(indices, seats[part])
        tables.play_on(indices)
        games[part] = take_records(tables.batch.games, indices)
        logs.append(tables.log_of(indices))
        for name, counted in tables.figures(indices).items():
            figures.setdefault(name, np.zeros(seats.shape, np.int64))[part] = counted
        progress(len(indices))
    names, seconds = [agent.name for agent in agents], time.perf_counter() - begun
    actions, lengths = (np.concatenate(parts) for parts in zip(*logs)) if logs else tables.log_of(numbers)
    return Played(games, names, seats, seconds, actions, lengths, figures)


def _slices(count: int, compiled: bool) -> Iterator[slice]:
    """Consecutive slices of this many games; they grow while compiled agents play them quickly."""
    first, size = 0, FIRST_SLICE if compiled else STEPWISE_SLICE
    while first < count:
        since = time.perf_counter()
        yield slice(first, first + size)
        first += size
        if compiled and time.perf_counter() - since < SHORT:
            size = min(size * 2, LONGEST_SLICE)


def watch(batch: Batch, agents: Sequence[Agent], seats: Whole, numbers: npt.ArrayLike) -> Iterator[Whole]:
    """Deal the games of these numbers and play them to the end, step by step.

    Each agent answers for all its seats at once.

    Args:
        batch: without auto_reset; a finished game stays as it ended.
        agents: the agents.
        seats: (n, players) int64, the number in `agents` of the agent in each seat.
        numbers: the numbers of the games, (n,) integers.

    Yields:
        The actions of each step before it is taken, (n,) int64; 0 for games that are over.

    Raises:
        IllegalActionError: an agent takes an illegal action.
        OptionError: the numbers aren't those of games.
    """
    batch.deal(numbers)
    by_number = dict(enumerate(agents))
    memories = {number: np.zeros((*seats.shape, agent.memory_size), np.int32) for number, agent in by_number.items()}
    while batch.acting.any():
        actions = np.zeros(batch.num_envs, np.int64)
        streams = batch.agent_streams()
        for _, indices, given in answers_of(by_number, batch, seats, np.flatnonzero(batch.acting), memories, streams):
            actions[indices] = given
        yield actions
        batch.put_agent_streams(streams)
        batch.step(actions)
