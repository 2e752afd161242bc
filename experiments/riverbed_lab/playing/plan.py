"""What an evaluation plays: cells, each a rule of who sits where, all on the same deals of one seed."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import permutations, product
from typing import Any, NamedTuple

from riverbed_env.core.batch import options_by_deal
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice, check_known, check_whole
from riverbed_env.core.schema import NOTHING_ELSE, Count, Seed
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.players.agents import UNIFORM

MIRROR, DEVIATION, MATRIX, HELD_OUT = TABLES = ("mirror", "deviation", "matrix", "held_out")
CROSS_PLAY = "cross_play"  # played only if asked for: deviations of every agent among every other
MOST_DEALS, MOST_CHUNK, MOST_PARTS, MOST_AGENTS = 10**9, 10**5, 10**6, 64  # limits that fit in memory


class Setup(NamedTuple):
    """A player count and a variant of the game ("" for none): results are compared within one setup only."""

    num_players: int
    variant: str = ""

    def __str__(self) -> str:
        players = f"{self.num_players} player{'s' * (self.num_players > 1)}"
        return f"{players}, {self.variant}" if self.variant else players


@dataclass(frozen=True)
class Cell:
    """The games of one rule of who sits where, in one setup.

    `camps` names the agent of each camp; or every seat is drawn from `pool`, deal by deal. With a `role`, `focus` takes
    one seat of that role: each of them in turn, so that a deal is played once for each such seat. In games of one camp
    a deal is played once, and the seat in focus goes round with the deals.
    """

    table: str
    num_players: int
    camps: tuple[str, ...] = ()
    pool: tuple[str, ...] = ()
    role: str = ""
    focus: str = ""
    variant: str = ""

    @property
    def name(self) -> str:
        """Its name in rows and commands, unique within a plan."""
        many = ",".join(dict.fromkeys(self.camps)) if self.table != MATRIX else ",".join(self.camps)
        who = f"{self.focus} as {self.role} among {many or 'held-out'}" if self.role else many
        variant = f" ({self.variant})" if self.variant else ""
        return f"{self.table} {self.num_players}{variant}: {who}"

    @property
    def setup(self) -> Setup:
        """The player count and variant it is played with."""
        return Setup(self.num_players, self.variant)

    @property
    def agents(self) -> tuple[str, ...]:
        """The different agents that sit in its games."""
        return tuple(dict.fromkeys([*self.camps, *self.pool, *([self.focus] if self.focus else [])]))


@dataclass(frozen=True)
class Plan:
    """An evaluation: which agents (by their specs) are compared in which tables, on which deals.

    Deals 0 … deals - 1 of `seed` are played in every cell of every setup. `variants` are game options on top of
    `options`, each of them a setup per player count. `chunk` deals of a cell are written at a time. `one_way`
    leaves out the games in which a compared agent takes all seats or all but one, for slow agents. `labels` are names
    for tables and figures, by spec; rows keep the specs.
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
    seed: Seed = 0
    options: Mapping[str, Any] = field(default_factory=dict)
    chunk: Count = 4000
    one_way: bool = False
    variants: tuple[Mapping[str, Any], ...] = ({},)
    labels: Mapping[str, str] = field(default_factory=dict)

    @property
    def setups(self) -> tuple[Setup, ...]:
        """Every player count in every variant."""
        return tuple(Setup(count, name_variant(variant)) for variant in self.variants for count in self.players)

    def options_of(self, setup: Setup) -> dict[str, Any]:
        """The options of the game in a setup."""
        variant = next(variant for variant in self.variants if name_variant(variant) == setup.variant)
        return {**self.options, **variant, "num_players": setup.num_players}

    @property
    def compared(self) -> tuple[str, ...]:
        """The agents and the reference."""
        return tuple(dict.fromkeys([*self.agents, self.reference]))

    @property
    def mirrored(self) -> tuple[str, ...]:
        """The agents that are played against themselves: random play first, the base of everything."""
        compared = (self.reference,) if self.one_way else self.compared
        return tuple(dict.fromkeys([UNIFORM.name, *compared]))

    @property
    def deviations(self) -> tuple[tuple[str, str], ...]:
        """Who takes one seat among whom: each agent among references and, unless `one_way`, the reverse.

        In cross-play each among each.
        """
        if self.cross_play:
            return tuple(permutations(self.compared, 2))
        pairs = [(agent, self.reference) for agent in self.agents if agent != self.reference]
        return tuple(way for one, among in pairs for way in ((one, among), (among, one))[: 1 if self.one_way else 2])

    @property
    def cross_play(self) -> bool:
        """Whether every agent takes a seat among every other."""
        return CROSS_PLAY in self.tables

    @property
    def seated(self) -> tuple[str, ...]:
        """All agents that sit in any of its games."""
        drawn = self.held_out if HELD_OUT in self.tables else ()
        return tuple(dict.fromkeys([*self.mirrored, *self.compared, *drawn]))


def name_variant(variant: Mapping[str, Any]) -> str:
    """The options of a variant in words; "" for none."""
    return ", ".join(f"{name} {value}" for name, value in variant.items())


def usual_tables(game: Game, strangers: bool, one_way: bool) -> tuple[str, ...]:
    """The default tables: all that can be made of these camps, with or without strangers and agents in whole camps."""
    without_matrix = one_way or len(game.camps) == 1
    left_out = {*(() if strangers else (HELD_OUT,)), *((MATRIX,) if without_matrix else ())}
    return tuple(table for table in TABLES if table not in left_out)


def check(game: Game, plan: Plan) -> None:
    """Raises OptionError for a plan that can't be played."""
    _check_numbers(plan)
    _check_names(game, plan)
    _check_tables(game, plan)
    for variant in plan.variants:
        check_known(game, {**plan.options, **variant})
    for setup in plan.setups:
        game.make_params(**options_by_deal(game, plan.options_of(setup))[0])
    parts = len(cells(game, plan)) * -(-plan.deals // plan.chunk)
    if parts > MOST_PARTS:
        raise OptionError(f"that makes {parts:,} parts; at most {MOST_PARTS:,} can be played: ask for fewer games")


def _check_numbers(plan: Plan) -> None:
    check_whole("games", plan.deals, 1, MOST_DEALS)
    check_whole("chunk", plan.chunk, 1, MOST_CHUNK)
    check_seed(plan.seed)


def _check_names(game: Game, plan: Plan) -> None:
    if len(plan.seated) > MOST_AGENTS:
        raise OptionError(f"there must be at most {MOST_AGENTS} agents, not {len(plan.seated)}")
    for table in plan.tables:
        check_choice("tables", table, (*TABLES, CROSS_PLAY))
    for role in plan.roles:
        check_choice("roles", role, game.roles)
    different: dict[str, Sequence[object]] = {
        "agents": plan.agents, "tables": plan.tables, "roles": plan.roles, "players": plan.players,
        "variants": [name_variant(variant) for variant in plan.variants],
    }  # fmt: skip
    for what, given in different.items():
        if not given or len(set(given)) < len(given):
            raise OptionError(f"{what} must be one or more different ones, not {', '.join(map(str, given)) or 'none'}")
    names = [plan.labels.get(agent, agent) for agent in plan.seated]
    if len(set(names)) < len(names):
        raise OptionError(f"labels must tell the agents apart; the names would be {', '.join(names)}")


def _check_tables(game: Game, plan: Plan) -> None:
    if {DEVIATION, CROSS_PLAY} & {*plan.tables} and set(plan.agents) == {plan.reference}:
        raise OptionError(f"{plan.reference} can't deviate from itself: name another --reference, or --tables mirror")
    if MATRIX in plan.tables and len(game.camps) == 1:
        raise OptionError(f"{game.id} has one camp, and matrix needs two or more: choose other --tables")
    for table in {MATRIX, CROSS_PLAY} & {*plan.tables} if plan.one_way else ():
        raise OptionError(f"{table} seats the agents in whole camps, which --one-way leaves out: choose other --tables")
    if HELD_OUT in plan.tables and not plan.held_out:
        raise OptionError("the table held_out needs agents to draw from: --held-out NAME,NAME")


def cells(game: Game, plan: Plan) -> list[Cell]:
    """All cells of a plan, setup by setup; the mirrors first, since the others are measured against them."""
    return [cell for setup in plan.setups for cell in _cells_of(game, plan, setup)]


def _cells_of(game: Game, plan: Plan, setup: Setup) -> list[Cell]:
    planned = [mirror(game, setup, agent) for agent in plan.mirrored]
    if DEVIATION in plan.tables or plan.cross_play:
        planned += [deviation(game, setup, role, *pair) for role, pair in product(plan.roles, plan.deviations)]
    if MATRIX in plan.tables:
        planned += [cell for cell in matrix(game, setup, plan.compared) if cell.table == MATRIX]
    if HELD_OUT in plan.tables:
        planned += [held_out(setup, role, agent, plan.held_out) for role, agent in product(plan.roles, plan.compared)]
    return planned


def mirror(game: Game, setup: Setup | int, agent: str) -> Cell:
    """The same agent in every seat. setup: of the cell, or a player count."""
    count, variant = _whole(setup)
    return Cell(MIRROR, count, (agent,) * len(game.camps), variant=variant)


def deviation(game: Game, setup: Setup | int, role: str, agent: str, among: str) -> Cell:
    """One agent in one seat of a role, another in all other seats."""
    count, variant = _whole(setup)
    return Cell(DEVIATION, count, (among,) * len(game.camps), role=role, focus=agent, variant=variant)


def matrix(game: Game, setup: Setup | int, agents: Sequence[str]) -> list[Cell]:
    """Each camp played by one agent, all combinations, row by row; those of a single agent are mirrors."""
    count, variant = _whole(setup)
    return [
        mirror(game, setup, camps[0]) if len(set(camps)) == 1 else Cell(MATRIX, count, camps, variant=variant)
        for camps in product(agents, repeat=len(game.camps))
    ]


def held_out(setup: Setup | int, role: str, agent: str, pool: Sequence[str]) -> Cell:
    """One agent in one seat of a role, the others drawn from a pool."""
    count, variant = _whole(setup)
    return Cell(HELD_OUT, count, pool=tuple(pool), role=role, focus=agent, variant=variant)


def _whole(setup: Setup | int) -> Setup:
    return Setup(setup) if isinstance(setup, int) else setup
