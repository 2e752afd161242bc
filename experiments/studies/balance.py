"""How fair Deep River is: search against itself, by who began and by side.

    python experiments/studies balance --games 2000 --depth 2

prints a table for one pack. The search draws between equally good actions, so the same deal can be played in several
ways.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from riverbed_agents.deep_river.search import search_agent
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.vocab import Camp
from riverbed_lab.cli.console import plainly
from riverbed_lab.playing.play import lineup, play
from riverbed_lab.statistics import Rate, rate

Columns = dict[str, npt.NDArray[np.generic]]


@dataclass(frozen=True)
class Balance:
    """Results of a pack's games between equal agents.

    `outcomes` are shares of all games, `decided` those of the games somebody won, by name; `turns` is the mean.
    """

    games: int
    different: int  # how many of them are different games
    turns: float
    outcomes: dict[str, Rate]
    decided: dict[str, Rate]


def measure(games: int, depth: int, seed: int = 0, **options: Any) -> Balance:
    """Let search of a depth play games against itself; `options` are the game's (pack, tiles, faces, …)."""
    who = lineup(DEEP_RIVER, f"search {depth}", search_agent(depth))
    played = play(DEEP_RIVER, who, np.arange(games), seed=seed, **options)
    different = {table.tobytes() for table in played.games["table"]}
    return summarise(DEEP_RIVER.columns(played.games), len(different))


def summarise(columns: Columns, different: int) -> Balance:
    """Count who won and how the games ended."""
    games = len(columns["winner"])
    won = columns["winner"] != Camp.NONE
    first = columns["first_won"].astype(bool)
    by_bear = columns["by_bear"].astype(bool)

    def share(happened: npt.NDArray[np.bool_], among: npt.NDArray[np.bool_]) -> Rate:
        return rate(int((happened & among).sum()), int(among.sum()))

    everywhere = np.ones(games, np.bool_)
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
        different,
        float(columns["turns"].astype(np.float64).mean()),
        {name: share(happened, everywhere) for name, happened in outcomes.items()},
        {name: share(happened, won) for name, happened in decided.items()},
    )


def balance_table(title: str, balance: Balance) -> Table:
    """Shares in % with their 95 % intervals, of all games and of the decided ones."""
    table = Table(title=title, box=box.SIMPLE_HEAD, title_justify="left")
    table.add_column("")
    table.add_column("of all games", justify="right")
    table.add_column("of decided games", justify="right")
    for name in dict.fromkeys([*balance.outcomes, *balance.decided]):
        shares = (balance.outcomes.get(name), balance.decided.get(name))
        table.add_row(name, *("" if share is None else str(share) for share in shares))
    return table


def main(
    games: Annotated[int, typer.Option(min=1, help="Games to play.")] = 2000,
    depth: Annotated[int, typer.Option(min=1, help="Whole turns the search looks ahead.")] = 2,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the numbered games.")] = 0,
    pack: Annotated[str, typer.Option(help="Content pack, by name or path.")] = "default",
) -> None:
    """Balance of Deep River between equally strong searches."""
    balance = measure(games, depth, seed, pack=pack)
    title = (
        f"Deep River, pack {pack}, depth {depth}: {balance.games:,} games ({balance.different:,} different), "
        f"{balance.turns:.1f} turns a game; % and 95 % interval"
    )
    Console(width=120).print(balance_table(title, balance))


if __name__ == "__main__":
    plainly(lambda: typer.run(main))
