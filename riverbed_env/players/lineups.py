"""Opponents of a learner: one agent, pools of agents by role, or several lineups, one of which each game draws."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from riverbed_env.core.game import NO_ROLE, Game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Flags, Floats, Vector, Whole
from riverbed_env.kernels.random import SEATING, write_uniforms

from .agents import Agent
from .specs import find_agent

NOBODY = -1  # in place of a seat
EVERYBODY = "everybody"  # who isn't named by role or camp


def holders(game: Game, roles: Vector, role: str | None) -> Flags:
    """Which seats have a role, (n, seats); all that aren't empty if `role` is None."""
    held: Flags = roles != NO_ROLE if role is None else roles == game.roles.index(role)
    return held


def nth_of(held: Flags, nth: Whole) -> Whole:
    """The `nth` held seat of each game, from 0; NOBODY if none is held. held: (n, seats)."""
    seats = (held.cumsum(axis=1) > nth[:, None]).argmax(axis=1)
    return np.where(held.any(axis=1), seats, NOBODY)


def drawn_holders(game: Game, roles: Vector, role: str | None, uniforms: Floats) -> Whole:
    """One seat of each game that has a role, drawn by a number in [0, 1); NOBODY if none has it. uniforms: (n,)."""
    held = holders(game, roles, role)
    return nth_of(held, (uniforms * held.sum(axis=1)).astype(np.int64))


@dataclass(frozen=True)
class Lineups:
    """Lineups, one of which each game draws, all as likely; each seat then draws from its role's pool in that lineup.

    Args:
        agents: all agents, each once.
        pools: for each lineup and role (in the game's order) the numbers of its agents.
    """

    agents: tuple[Agent, ...]
    pools: tuple[tuple[tuple[int, ...], ...], ...]

    def draw(self, roles: Vector, uniforms: Floats) -> Whole:
        """The agent in each seat, by number.

        Args:
            roles: (n, seats) int8, each seat's number in the game's roles.
            uniforms: (n, 1 + seats) float64 in [0, 1): the first draws the lineup, the others each seat's agent.

        Returns:
            The agents' numbers, (n, seats) int64.
        """
        sizes, table = self._tables
        lineup = (uniforms[:, :1] * len(sizes)).astype(np.int64)
        picked = (uniforms[:, 1:] * sizes[lineup, roles]).astype(np.int64)
        drawn: Whole = table[lineup, roles, picked]
        return drawn

    @cached_property
    def _tables(self) -> tuple[Whole, Whole]:
        """The size of each pool, (lineups, roles), and its agents, padded."""
        sizes = np.array([[len(pool) for pool in lineup] for lineup in self.pools], np.int64)
        table = np.zeros((*sizes.shape, sizes.max()), np.int64)
        for place in np.ndindex(sizes.shape):
            table[place][: sizes[place]] = self.pools[place[0]][place[1]]
        return sizes, table


def lineups(game: Game, opponents: Any) -> Lineups:
    """Read lineups as users write them.

    Args:
        game: the game, whose roles and camps lineups name.
        opponents: an agent or its spec, for every seat; or a mapping of roles, camps or "everybody" (the rest) to an
            agent, a spec or a pool (a list of these); or a list of such lineups, one of which each game draws.
            `Lineups` are returned as they are.

    Returns:
        The lineups.

    Raises:
        OptionError: a role or an agent isn't known, a role has nobody named for it, a pool is empty, no lineup is
            given, or two different agents have one name.
    """
    if isinstance(opponents, Lineups):
        return opponents
    several = list(opponents) if _is_list(opponents) else [opponents]
    if not several:
        raise OptionError("opponents: no lineup is given")
    agents: dict[str, Agent] = {}
    pools = tuple(_pools(game, each, agents) for each in several)
    numbers = {name: number for number, name in enumerate(agents)}
    numbered = tuple(tuple(tuple(numbers[name] for name in pool) for pool in lineup) for lineup in pools)
    return Lineups(tuple(agents.values()), numbered)


def _is_list(given: object) -> bool:
    """Whether several things are given: a list, a tuple or another sequence, like Hydra's."""
    return isinstance(given, Sequence) and not isinstance(given, str | bytes)


def _pools(game: Game, opponents: Any, agents: dict[str, Agent]) -> tuple[tuple[str, ...], ...]:
    """The agents' names in each role's pool; adds the agents to `agents`."""
    if not isinstance(opponents, Mapping):
        opponents = {EVERYBODY: opponents}
    known = {*game.roles, *game.camps, EVERYBODY}
    for name, given in opponents.items():
        if name not in known:
            raise OptionError(
                f"opponents: there is no role or camp {name!r}; roles are {', '.join(game.roles)}; "
                f"camps are {', '.join(game.camps)}; {EVERYBODY} is the rest"
            )
        if _is_list(given) and not given:
            raise OptionError(f"opponents: the pool of {name!r} is empty")
    named = [named_for(game, role, opponents) for role in game.roles]
    if None in named:
        without = ", ".join(role for role, name in zip(game.roles, named, strict=True) if name is None)
        raise OptionError(f"opponents: nobody is named for {without}; name an agent for them, or for {EVERYBODY}")
    return tuple(_pool(game, opponents[name], agents) for name in named)


def named_for(game: Game, role: str, opponents: Mapping[str, Any]) -> str | None:
    """What a lineup seats a role by: the role itself, else its camp, else "everybody"; None if by nothing."""
    return next((name for name in (role, game.camp_of_role[role], EVERYBODY) if name in opponents), None)


def _pool(game: Game, given: Any, agents: dict[str, Agent]) -> tuple[str, ...]:
    """The names of a pool's agents, which are added to `agents`; a spec named before gives the same agent."""
    several: Iterable[Any] = given if _is_list(given) else [given]
    pool = [each if not isinstance(each, str) else agents.get(each) or find_agent(each, game.name) for each in several]
    for agent in pool:
        if not isinstance(agent, Agent):
            raise OptionError(f"opponents: {agent!r} is neither an agent nor the name of one")
        if agents.setdefault(agent.name, agent) != agent:
            raise OptionError(f"opponents: two different agents are called {agent.name!r}")
    return tuple(agent.name for agent in pool)


def seating_uniforms(seed: int, numbers: Whole, num_players: int) -> Floats:
    """The uniform numbers that decide who sits where, (n, 2 + seats): learner, lineup, then each seat."""
    out = np.zeros((len(numbers), 2 + num_players), np.float64)
    write_uniforms(seed, np.ascontiguousarray(numbers, np.int64), SEATING, out)
    return out
