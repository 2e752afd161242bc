"""What an evaluation plays: cells of games, each a rule of who sits where, all on the same deals of the same seed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Any

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_known, check_whole
from riverbed_env.core.schema import NOTHING_ELSE, Count
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.players.agents import UNIFORM

MIRROR, DEVIATION, CAMP_MATRIX, HELD_OUT = TABLES = ("mirror", "deviation", "camp_matrix", "held_out")
MOST_DEALS, MOST_CHUNK, MOST_PARTS, MOST_AGENTS = 10**9, 10**5, 10**6, 64  # of what memory holds


@dataclass(frozen=True)
class Cell:
    """The games of one rule of who sits where at one player count.

    `camps` says who plays the seats of each camp, or `pool` from whom every seat is drawn, deal by deal. With a `role`,
    `focus` sits in one seat of that role: in each of them in turn, so that a deal is played once for each such seat.
    """

    table: str
    num_players: int
    camps: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    role: str = ""
    focus: str = ""

    @property
    def name(self) -> str:
        """What rows and commands call it, different for different cells of a plan."""
        many = ",".join(dict.fromkeys(self.camps)) if self.table != CAMP_MATRIX else ",".join(self.camps)
        who = f"{self.focus} as {self.role} among {many or 'held-out'}" if self.role else many
        return f"{self.table} {self.num_players}: {who}"

    @property
    def agents(self) -> tuple[str, ...]:
        """The different agents that sit in its games."""
        return tuple(dict.fromkeys([*self.camps, *self.pool, *([self.focus] if self.focus else [])]))


@dataclass(frozen=True)
class Plan:
    """An evaluation: agents by their specs, what is asked of them, on which deals.

    Deals 0 … deals - 1 of `seed` are played in every cell of every player count. `rule_based` are the agents whose best
    rate stands beside each figure; `chunk` deals of a cell are written down at a time. Roles are read from the first
    `inference_games` deals of each player count. `one_way` leaves out the games in which an agent that is compared sits
    in all seats or in all but one, for agents too slow for them.
    """

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    agents: tuple[str, ...]
    reference: str
    players: tuple[Count, ...]
    deals: Count
    roles: tuple[str, ...]
    tables: tuple[str, ...] = TABLES
    held_out: tuple[str, ...] = ()
    rule_based: tuple[str, ...] = ()
    seed: Count = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    chunk: Count = 4000
    inference_games: int = 500
    one_way: bool = False

    @property
    def compared(self) -> tuple[str, ...]:
        """The agents and the reference."""
        return tuple(dict.fromkeys([*self.agents, self.reference]))

    @property
    def mirrored(self) -> tuple[str, ...]:
        """Whoever is played against itself: random play first, the base of everything."""
        compared = (self.reference,) if self.one_way else self.compared
        return tuple(dict.fromkeys([UNIFORM.name, *self.rule_based, *compared]))

    @property
    def deviations(self) -> tuple[tuple[str, str], ...]:
        """Who sits in one seat among whom: each agent among references and, unless one way, the other way."""
        pairs = [(agent, self.reference) for agent in self.agents if agent != self.reference]
        return tuple(way for one, among in pairs for way in ((one, among), (among, one))[: 1 if self.one_way else 2])

    @property
    def seated(self) -> tuple[str, ...]:
        """All agents that sit in any of its games."""
        drawn = self.held_out if HELD_OUT in self.tables else ()
        return tuple(dict.fromkeys([*self.mirrored, *self.compared, *drawn]))


def usual_tables(strangers: bool, one_way: bool) -> tuple[str, ...]:
    """The tables that are made unless some are chosen: all but those that want strangers, or agents in whole camps."""
    left_out = {*(() if strangers else (HELD_OUT,)), *((CAMP_MATRIX,) if one_way else ())}
    return tuple(table for table in TABLES if table not in left_out)


def check(game: Game, plan: Plan) -> None:
    """OptionError for what can't be played."""
    if len(game.camps) < 2:
        raise OptionError(
            f"{game.id} has one camp, and evaluations compare camps: use 'riverbed benchmark --game {game.id}'"
        )
    if plan.deals < 1:
        raise OptionError(f"games must be at least 1, not {plan.deals}")
    if plan.inference_games < 0:
        raise OptionError(f"inference games must be 0 (none) or more, not {plan.inference_games}")
    check_whole("games", plan.deals, 1, MOST_DEALS)
    check_whole("inference games", plan.inference_games, 0, MOST_DEALS)
    check_whole("chunk", plan.chunk, 1, MOST_CHUNK)
    check_seed(plan.seed)
    if len(plan.seated) > MOST_AGENTS:
        raise OptionError(f"agents must be {MOST_AGENTS} at most, not {len(plan.seated)}")
    for table in plan.tables:
        check_choice("tables", table, TABLES)
    for role in plan.roles:
        check_choice("roles", role, game.roles)
    various: dict[str, Sequence[object]] = {
        "agents": plan.agents, "tables": plan.tables, "roles": plan.roles, "players": plan.players
    }  # fmt: skip
    for what, given in various.items():
        if not given or len(set(given)) < len(given):
            raise OptionError(f"{what} must be one or more different ones, not {', '.join(map(str, given)) or 'none'}")
    for count in plan.players:
        if not game.min_players <= count <= game.max_players:
            raise OptionError(f"players must be from {game.min_players} to {game.max_players}, not {count}")
    if DEVIATION in plan.tables and set(plan.agents) == {plan.reference}:
        raise OptionError(f"{plan.reference} can't deviate from itself: name another --reference, or --tables mirror")
    if CAMP_MATRIX in plan.tables and plan.one_way:
        raise OptionError("camp_matrix seats the agents in whole camps, which --one-way leaves out: choose --tables")
    if HELD_OUT in plan.tables and not plan.held_out:
        raise OptionError("the table held_out needs agents to draw from: --held-out NAME,NAME")
    check_known(game, plan.options)
    parts = len(cells(game, plan)) * -(-plan.deals // plan.chunk)
    if parts > MOST_PARTS:
        raise OptionError(f"that would be {parts:,} parts, {MOST_PARTS:,} at most can be played: fewer games or agents")


def cells(game: Game, plan: Plan) -> list[Cell]:
    """All cells of a plan, player count by player count; the mirror first, since the others are measured against it."""
    return [cell for count in plan.players for cell in _cells_of(game, plan, count)]


def _cells_of(game: Game, plan: Plan, count: int) -> list[Cell]:
    found = [mirror(game, count, agent) for agent in plan.mirrored]
    if DEVIATION in plan.tables:
        found += [deviation(game, count, role, *pair) for role, pair in product(plan.roles, plan.deviations)]
    if CAMP_MATRIX in plan.tables:
        lineups = product(plan.compared, repeat=len(game.camps))
        found += [Cell(CAMP_MATRIX, count, camps) for camps in lineups if len(set(camps)) > 1]  # else a mirror
    if HELD_OUT in plan.tables:
        found += [held_out(count, role, agent, plan.held_out) for role, agent in product(plan.roles, plan.compared)]
    return found


def mirror(game: Game, count: int, agent: str) -> Cell:
    """Every seat the same agent."""
    return Cell(MIRROR, count, (agent,) * len(game.camps))


def deviation(game: Game, count: int, role: str, agent: str, among: str) -> Cell:
    """One agent in one seat of a role, everybody else another."""
    return Cell(DEVIATION, count, (among,) * len(game.camps), role=role, focus=agent)


def held_out(count: int, role: str, agent: str, pool: Sequence[str]) -> Cell:
    """One agent in one seat of a role, the others drawn from a pool."""
    return Cell(HELD_OUT, count, pool=tuple(pool), role=role, focus=agent)
