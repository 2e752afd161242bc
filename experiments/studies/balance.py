"""How fair Deep River is: search against itself, by who began and by side.

    python experiments/studies balance --games 2000 --depth 2

prints a table for one pack. The search draws between equally good actions, so the same deal can be played in several
ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import typer

from riverbed_agents.deep_river.search import search_agent
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.vocab import Camp
from riverbed_lab.playing.play import lineup, play
from riverbed_lab.statistics import Rate, rate

from .kit import Seed, print_table


@dataclass(frozen=True)
class Balance:
    """Results of games between equal agents: how many differ, turns a game, and rates by name.

    outcomes: rates of all games; decided: of the games that somebody won.
    """

    games: int
    different: int
    turns: float
    outcomes: dict[str, Rate]
    decided: dict[str, Rate]


def measure(games: int, depth: int, seed: int = 0, **options: Any) -> Balance:
    """Let search of a depth play games against itself; `options` are the game's (pack, tiles, faces, …)."""
    who = lineup(DEEP_RIVER, f"search {depth}", search_agent(depth))
    played = play(DEEP_RIVER, who, np.arange(games), seed=seed, **options).games
    columns = DEEP_RIVER.columns(played)
    won, first = columns["winner"] != Camp.NONE, columns["first_won"].astype(bool)
    by_bear = columns["by_bear"].astype(bool)
    outcomes = {
        "first player": first,
        "draw": columns["nobody_won"].astype(bool),
        "second player": won & ~first,
        "cut off": columns["truncated"].astype(bool),
    }
    decided = {
        "first player": first,
        "salmon": columns["winner"] == Camp.SALMON,
        "bear in a nest": by_bear,
        "current run out": ~by_bear,
    }
    return Balance(
        games,
        len({table.tobytes() for table in played["table"]}),
        float(columns["turns"].astype(np.float64).mean()),
        {name: rate(int(happened.sum()), games) for name, happened in outcomes.items()},
        {name: rate(int((happened & won).sum()), int(won.sum())) for name, happened in decided.items()},
    )


def main(
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 2000,
    depth: Annotated[int, typer.Option(min=1, help="Whole turns the search looks ahead.")] = 2,
    seed: Seed = 0,
    pack: Annotated[str, typer.Option(help="Content pack, by name or path.")] = "default",
) -> None:
    """Measure the balance of Deep River between equally strong searches."""
    result = measure(games, depth, seed, pack=pack)
    title = (
        f"Deep River, pack {pack}, depth {depth}: {games:,} games ({result.different:,} different), "
        f"{result.turns:.1f} turns a game; % and 95 % interval"
    )
    names = dict.fromkeys([*result.outcomes, *result.decided])
    rows = [(name, str(result.outcomes.get(name, "")), str(result.decided.get(name, ""))) for name in names]
    print_table(title, ("", "of all games", "of decided games"), rows)
