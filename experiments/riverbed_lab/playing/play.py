"""Whole games between agents: numbered beforehand, each played to its end."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game, take_records
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent, CompiledAgent
from riverbed_env.players.arena import Arena

Records = npt.NDArray[np.void]

# Games between two looks at the clock and at an interruption: between compiled agents more if they are fast; else as
# many each time, so that agents whose sums depend on how many rows they are given see the same rows whenever they play.
FIRST_SLICE, LONGEST_SLICE = 512, 8192
SHORT = 0.5  # s; what takes less may be longer the next time
STEPWISE_SLICE = 2048


@dataclass(frozen=True)
class Lineup:
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


def lineup(game: Game, name: str, everybody: Agent, **by_camp: Agent) -> Lineup:
    """A lineup of one agent for everybody, and others for whole camps (`merchants=…`, `profiteer=…`)."""
    unknown = set(by_camp) - set(game.camps)
    if unknown:
        raise OptionError(f"there is no camp {unknown.pop()!r}; there are {', '.join(game.camps)}")
    return Lineup(name, {role: by_camp.get(game.camp_of_role[role], everybody) for role in game.roles})


@dataclass(frozen=True)
class Played:
    """Finished games, in the order of their numbers: their records (n,), the agents by seat, and the seconds taken."""

    games: Records
    agents: list[str]
    seats: npt.NDArray[np.int64]
    seconds: float


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

    Lineups go by role, so the deals are looked at first; the same numbers and seed give every lineup the same
    deals. `pool` are agents to compile for besides those of the lineup, so that lineups of one pool share one loop.
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
    settings, _ = game.make_params(**options)
    games = np.zeros(len(numbers), game.dtype)
    game.loop("deal_games")(games, settings, seed, numbers, np.arange(len(numbers)))
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
    numbers, seats = np.ascontiguousarray(numbers, np.int64), np.ascontiguousarray(seats, np.int64)
    all_compiled = all(isinstance(agent, CompiledAgent) for agent in agents)
    most = max(1, min(len(numbers), LONGEST_SLICE if all_compiled else STEPWISE_SLICE))
    tables = Arena(game, agents, most, seed=seed, threads=threads, view=view, **options)
    games = np.zeros(len(numbers), game.dtype)
    begun = time.perf_counter()
    first, size = 0, FIRST_SLICE if all_compiled else STEPWISE_SLICE
    while first < len(numbers):
        part = slice(first, first + min(size, most))
        since = time.perf_counter()
        indices = np.arange(len(numbers[part]))
        tables.deal(indices, numbers[part])
        tables.seat_agents(indices, seats[part])
        tables.play_on(indices)
        games[part] = take_records(tables.games, indices)
        first += len(indices)
        progress(len(indices))
        if all_compiled and time.perf_counter() - since < SHORT:
            size = min(size * 2, LONGEST_SLICE)
    return Played(games, [agent.name for agent in agents], seats, time.perf_counter() - begun)


def finish(tables: Arena, states: Records, actions: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int64]:
    """Play games on from these states, (n,), everybody by the tables' first agent; which camp won each, (n,).

    actions: (n,), what is done first by whoever is asked. The agent remembers nothing of before.
    """
    everywhere = np.arange(tables.num_envs)
    tables.seat_agents(everywhere, np.zeros((tables.num_envs, tables.num_players), np.int64))
    tables.batch.set_state(states)
    tables.play_on(everywhere, actions)
    return tables.game.columns(tables.games)["winner"].astype(np.int64)
