"""Draws content packs of Riverbed Hunt, balances them and writes the table of those accepted.

    python experiments/studies generated_packs --out runs/packs

For each draw and player count the endpoints are moved, one at a time, until `rule_based` in all seats wins with each
camp about as often as with the default pack. Fresh deals then decide: a draw is accepted if every camp's rate lies
within LIMIT of the default pack's and Hunt and Con come up. The folder keeps each finished block of draws, so the same
command resumes. Its `generated.npz` goes to `riverbed_env/packs/riverbed_hunt`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

import numpy as np
import typer

from riverbed_env.core.files import Arrays, read_arrays, write_arrays
from riverbed_env.core.generated import PREFIX
from riverbed_env.errors import PackError
from riverbed_env.games.riverbed_hunt.content.generator import draw_content
from riverbed_env.games.riverbed_hunt.content.pack import Pack, load_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.kernels.compile import Floats, Records, Whole
from riverbed_env.players.arena import Arena
from riverbed_env.players.specs import find_agent
from riverbed_lab.files import writable_folder

from .kit import print_table, say

Rates = Floats  # (pairs, figures)

AGENTS = "rule_based", "random"
COUNTS = range(GAME.min_players, GAME.max_players + 1)
# Shares of games, the profiteer's and the Con's of those with a profiteer; last, the mean length.
FIGURES = (*GAME.camps, "hunt", "con", "truncated", "decisions")
NUM_CAMPS = len(GAME.camps)
POWERS, CON, TRUNCATED = slice(NUM_CAMPS, NUM_CAMPS + 2), NUM_CAMPS + 1, NUM_CAMPS + 2

SEED = 53
BLOCK = 32  # draws that are balanced at a time
SEARCH_GAMES, CHECK_GAMES, DEFAULT_GAMES = 256, 500, 20_000  # of a player count
CHECK_FROM, DEFAULT_FROM = 10**6, 2 * 10**6  # the first of their deals
ROUNDS = 10  # moves of endpoints for a player count
SEARCHED, LIMIT = 0.10, 0.15  # how far a camp's rate may lie from the default pack's, in the search and on fresh deals
LEAST = 0.05  # share of games with a Hunt, and with a Con
LOWEST = 2  # endpoint
SLOTS = 6144  # games at a time

REASONS = (
    *("accepted", "an element is too scarce", "no endpoints balance it", "it isn't balanced on fresh deals"),
    *("Hunt or Con don't come up", "games don't end"),
)
ACCEPTED, SCARCE, UNBALANCED, UNSTEADY, POWERLESS, ENDLESS = range(len(REASONS))


class Table:
    """Plays games of several params with one agent in all seats and counts how they end."""

    def __init__(self) -> None:
        agents = [find_agent(name, GAME.name) for name in AGENTS]
        self.arena = Arena(GAME, agents, SLOTS, seed=SEED, view="now", num_players=GAME.max_players)

    def rates(self, params: Sequence[Records], first: int, games: int, agent: int = 0) -> Rates:
        """How often each figure came up on deals `first` and on, (params, figures). params: (1,) each."""
        if not params:
            return np.zeros((0, len(FIGURES)))
        which, numbers = np.repeat(np.arange(len(params)), games), np.tile(first + np.arange(games), len(params))
        batch = self.arena.batch
        batch.params = np.concatenate(params)
        counted: list[Floats] = []
        for start in range(0, len(which), SLOTS):
            part = slice(start, start + SLOTS)
            indices = np.arange(len(which[part]))
            batch.which[indices] = which[part]
            batch.players[indices] = batch.params["num_players"][which[part]]
            self.arena.deal(indices, numbers[part])
            self.arena.seat_agents(indices, np.full((len(indices), GAME.max_players), agent))
            self.arena.play_on(indices)
            counted.append(_figures(GAME.columns(batch.games[indices])))
        played = np.concatenate(counted).reshape(len(params), games, len(FIGURES))
        rates: Rates = np.nanmean(played, axis=1)
        return rates


def _figures(columns: dict[str, Any]) -> Rates:
    """Each figure of each game, 0 or 1; NaN where a profiteer is wanted and there is none. (games, FIGURES)."""
    won = columns["winner"][:, None] == np.arange(NUM_CAMPS)
    powers = columns["hunts"] > 0, columns["cons"] > 0
    every = np.column_stack([won, *powers, columns["truncated"], columns["decisions"]]).astype(np.float64)
    every[np.ix_(~columns["has_profiteer"], [NUM_CAMPS - 1, CON])] = np.nan
    return every


@dataclass(frozen=True)
class Goal:
    """What a player count aims at: the default pack's rates (figures,), and its endpoints as shares of its tiles."""

    rates: Rates
    shares: Rates

    def is_near(self, rates: Rates, limit: float) -> bool:
        """Whether each camp's rate lies within the limit."""
        return bool((np.abs(rates - self.rates)[:NUM_CAMPS] <= limit).all())


class Search:
    """Moves the endpoints of one draw and player count until its camps win often enough.

    place: of the draw in its block; params: (1,), whose endpoints it moves.
    """

    def __init__(self, place: int, params: Records, goal: Goal) -> None:
        self.place, self.params, self.goal = place, params, goal
        self.at = place, COUNTS.index(int(params[0]["num_players"]))
        self.count, self.found = int(params[0]["num_players"]), False
        self.most = borne(params[0])
        self.endpoints = np.clip(np.rint(goal.shares * self.most).astype(np.int64), LOWEST, self.most)
        self.tried = set[tuple[int, ...]]()
        self._set(self.endpoints)

    def _set(self, endpoints: Whole) -> None:
        self.endpoints = endpoints
        self.params["endpoints"] = endpoints
        self.tried.add(tuple(endpoints.tolist()))

    def move(self, rates: Rates) -> bool:
        """Move one endpoint against the camp that is off the most, and say whether any was left to try."""
        off = (rates - self.goal.rates)[:NUM_CAMPS]
        for camp in np.argsort(-np.abs(off)):
            moved = self.endpoints.copy()
            moved[camp] += 1 if off[camp] > 0 else -1
            if LOWEST <= moved[camp] <= self.most[camp] and tuple(moved.tolist()) not in self.tried:
                self._set(moved)
                return True
        return False


def borne(params: np.void) -> Whole:
    """How much of each element the tiles in play bear, (tracks,)."""
    tiles = params["tiles"][: int(params["num_tiles"])]
    total: Whole = params["features"][tiles, :NUM_CAMPS].sum(axis=0, dtype=np.int64)
    return total


class Block:
    """Some draws that are balanced and checked together; what became of each doesn't depend on the others.

    draw: (draws,) their numbers; reason: (draws,), of REASONS; players: (draws,) the player count that a rejected one
    failed with, 0 if none; endpoints: (draws, counts, tracks); rule_based, random: (draws, counts, figures), of the
    accepted ones.
    """

    def __init__(self, first: int, draws: int, goals: Sequence[Goal]) -> None:
        shape = draws, len(COUNTS)
        self.draw = first + np.arange(draws)
        self.reason, self.players = np.zeros(draws, np.int64), np.zeros(draws, np.int64)
        self.endpoints = np.zeros((*shape, NUM_CAMPS), np.int64)
        self.rule_based, self.random = (np.zeros((*shape, len(FIGURES))) for _ in range(2))
        self.searches: list[list[Search]] = []
        for place, number in enumerate(self.draw.tolist()):
            try:
                pack = named_pack(f"draw {number}", number, [[LOWEST] * NUM_CAMPS] * len(COUNTS))
            except PackError:  # an element doesn't reach the lowest endpoint
                self.reason[place] = SCARCE
                self.searches.append([])
                continue
            params = [GAME.make_params(num_players=count, pack=pack)[0] for count in COUNTS]
            self.searches.append([Search(place, one, goal) for one, goal in zip(params, goals)])

    def reject(self, search: Search, reason: int) -> None:
        """Reject a draw."""
        self.reason[search.place], self.players[search.place] = reason, search.count

    def left(self) -> list[Search]:
        """The searches of the draws that aren't rejected."""
        return [search for place in np.flatnonzero(self.reason == ACCEPTED) for search in self.searches[place]]

    def balance(self, table: Table) -> None:
        """Find endpoints on the same deals again and again; reject the draws that have none."""
        moving = self.left()
        for _ in range(ROUNDS):
            rates = table.rates([search.params for search in moving], 0, SEARCH_GAMES)
            for search, rate in zip(moving, rates):
                if search.goal.is_near(rate, SEARCHED):
                    search.found = True
                elif not search.move(rate):
                    self.reject(search, UNBALANCED)
            moving = [search for search in self.left() if not search.found]
            if not moving:
                return
        for search in moving:
            self.reject(search, UNBALANCED)

    def check(self, table: Table) -> None:
        """Play fresh deals with the endpoints found; reject the draws that are off, or where powers don't come up."""
        for count in reversed(COUNTS):  # powers are rarest with many players, and a draw rejected isn't played on
            searches = [search for search in self.left() if search.count == count]
            rates = table.rates([search.params for search in searches], CHECK_FROM, CHECK_GAMES)
            for search, rate in zip(searches, rates):
                self.endpoints[search.at], self.rule_based[search.at] = search.endpoints, rate
                if not search.goal.is_near(rate, LIMIT):
                    self.reject(search, UNSTEADY)
                elif rate[POWERS].min() < LEAST:
                    self.reject(search, POWERLESS)
                elif rate[TRUNCATED]:
                    self.reject(search, ENDLESS)
        searches = self.left()
        for search, rate in zip(searches, table.rates([one.params for one in searches], CHECK_FROM, CHECK_GAMES, 1)):
            self.random[search.at] = rate

    def arrays(self) -> Arrays:
        """The arrays by name."""
        return {name: value for name, value in vars(self).items() if isinstance(value, np.ndarray)}


def named_pack(name: str, draw: int, endpoints: Any) -> Pack:
    """The pack of a draw, with endpoints (counts, tracks). Raises PackError if its tiles don't reach them."""
    return load_pack.check(Path(name), draw_content(int(draw), name, np.asarray(endpoints).tolist()))


def default_rates(path: Path, table: Table) -> Arrays:
    """What the default pack sets as goals, kept in a file: rates of the agents, endpoints as shares of its tiles."""
    if not path.exists():
        params = [GAME.make_params(num_players=count)[0] for count in COUNTS]
        by_rule, by_chance = (table.rates(params, DEFAULT_FROM, DEFAULT_GAMES, agent) for agent in range(2))
        shares = np.array([one[0]["endpoints"] / borne(one[0]) for one in params])
        write_arrays(path, {"rule_based": by_rule, "random": by_chance, "shares": shares})
    return read_arrays(path, "rates")


def table_of(blocks: Sequence[Arrays], default: Arrays, splits: Mapping[str, int]) -> Arrays:
    """The table of the packs accepted, in the order of their draws; see `riverbed_env.core.generated`.

    splits: how many packs each gets. `rejected` (n, 3) has the draw, the place in `reasons` and the number of players
    of those before the last one accepted.
    """
    every = {name: np.concatenate([block[name] for block in blocks]) for name in blocks[0]}
    chosen = np.flatnonzero(every["reason"] == ACCEPTED)[: sum(splits.values())]
    refused = np.flatnonzero(every["reason"][: chosen[-1]])
    rates = {name: every[name][chosen] for name in AGENTS} | {f"default_{name}": default[name] for name in AGENTS}
    packs = [
        named_pack(f"{PREFIX}:{number}", draw, endpoints)
        for number, (draw, endpoints) in enumerate(zip(every["draw"][chosen], every["endpoints"][chosen]), 1)
    ]
    return {
        "splits": np.array(list(splits)),
        "sizes": np.array(list(splits.values())),
        "draw": every["draw"][chosen].astype(np.int32),
        "endpoints": every["endpoints"][chosen].astype(np.uint8),
        "hash": np.array([pack.hash for pack in packs]),
        "players": np.array(COUNTS),
        "figures": np.array(FIGURES),
        "games": np.array(CHECK_GAMES),
        **{name: rate.round(3).astype(np.float32) for name, rate in rates.items()},
        "reasons": np.array(REASONS),
        "rejected": np.column_stack([every[name][refused] for name in ("draw", "reason", "players")]).astype(np.int32),
    }


def main(
    out: Annotated[Path, typer.Option(help="The folder of the blocks, where the same command resumes.")],
    test: Annotated[int, typer.Option(min=1, help="Packs of hunt-test.")] = 200,
    valid: Annotated[int, typer.Option(min=1, help="Packs of hunt-valid.")] = 100,
    train: Annotated[int, typer.Option(min=1, help="Packs of hunt-train.")] = 1000,
) -> None:
    """Draw packs until enough are accepted, and write the table generated.npz."""
    splits = {"hunt-test": test, "hunt-valid": valid, "hunt-train": train}  # so that the last one can grow
    folder = writable_folder(out)
    table = Table()
    default = default_rates(folder / "default.npz", table)
    goals = [Goal(*each) for each in zip(default["rule_based"], default["shares"])]
    blocks: list[Arrays] = []
    accepted = 0
    while accepted < sum(splits.values()):
        first = len(blocks) * BLOCK
        path = folder / f"{first:06}.npz"
        if not path.exists():
            block = Block(first, BLOCK, goals)
            block.balance(table)
            block.check(table)
            write_arrays(path, block.arrays())
        blocks.append(read_arrays(path, "block"))
        accepted += int((blocks[-1]["reason"] == ACCEPTED).sum())
        say(f"{first + BLOCK:,} draws, {accepted:,} accepted")
    made = table_of(blocks, default, splits)
    write_arrays(folder / "generated.npz", made, compressed=True)
    counts = np.bincount(made["rejected"][:, 1], minlength=len(REASONS))
    counts[ACCEPTED] = len(made["draw"])
    print_table("draws", ("what became of them", "draws"), zip(REASONS, map(str, counts)))
