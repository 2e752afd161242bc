"""Where the judge's noise comes from: from games that differ, or from the worlds in which a choice is valued.

    python experiments/studies judge_variance --agent silent --games 300 --worlds 32 --moves 8

The same games are judged twice, with worlds of two seeds. What both say of a game in common (their covariance) is
between games: choices that differ in worth, and what worlds keep of the true deal. The rest is Monte Carlo.
"""

from __future__ import annotations

import time
from dataclasses import replace
from typing import Annotated, Any

import numpy as np
import typer

from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import console
from riverbed_lab.judging.judge import Judge, less_luck
from riverbed_lab.statistics import clustered_mean, in_points

from .judge_coverage import Numbers, OtherLuck, judged_games
from .kit import Moves, Players, Seed, Threads, Worlds, print_table

SAME = "same"  # in place of an agent: the reference with other luck
WITHIN = 0.03  # as a share of a win


def parts_of(values: Numbers) -> tuple[float, float, float]:
    """The variance of a game's value, between games and Monte Carlo, in squared points. values: (2, games)."""
    covariance = 1e4 * np.cov(values)
    total, between = float(np.trace(covariance) / 2), float(covariance[0, 1])
    return total, between, total - between


def main(
    agent: Annotated[str, typer.Option(help=f"The agent in one seat; {SAME}: the reference with other luck.")] = SAME,
    reference: Annotated[str, typer.Option(help="The agent in all other seats.")] = "rule_based",
    players: Players = 7,
    games: Annotated[int, typer.Option(min=3, help="Games that are judged.")] = 300,
    worlds: Worlds = 32,
    moves: Moves = 8,
    seed: Seed = 0,
    threads: Threads = 1,
) -> None:
    """Say where the judge's noise comes from."""
    known = find_agent(reference, GAME.name)
    chosen: Any = OtherLuck(known) if agent == SAME else find_agent(agent, GAME.name)
    judge = Judge(known, worlds=worlds, moves=moves, threads=threads)
    begun = time.process_time()
    found = judged_games([judge, replace(judge, seed=1)], chosen, players, games, seed)
    spent, block = time.process_time() - begun, np.arange(games)
    sharper = np.array([less_luck(*each, block) for each in zip(found.gains, found.luck)])
    rows = []
    for name, values in (("as chosen and drawn", found.gains), ("with less luck of the reference", sharper)):
        needed = games * float(clustered_mean(values[0], block).high - values[0].mean()) ** 2 / WITHIN**2
        mean = clustered_mean(values.mean(axis=0), block)
        rows.append(
            (
                name,
                in_points(mean.value, mean.low, mean.high),
                *(f"{part:.0f}" for part in parts_of(values)),
                f"{needed:.0f}",
            )
        )
    winners = clustered_mean(found.winners, block)
    needed = games * (winners.high - winners.value) ** 2 / WITHIN**2
    words = in_points(winners.value, winners.low, winners.high)
    rows.append(("winners", words, f"{1e4 * found.winners.var():.0f}", "", "", f"{needed:.0f}"))
    headings = ("", "gain of both", "variance", "between games", "Monte Carlo", "games for ±3, one of them")
    print_table(f"{agent} among {reference}, {players} players, {games} games", headings, rows)
    console.print(f"{found.choices:.2f} choices a game; {1000 * spent / games / 2:.0f} ms a game")
