"""Calibrates a content pack of Riverbed Hunt: what the camps win under other endpoints, and whether the powers matter.

    python experiments/studies calibration --players 4-9 --around 1 --games 4000

plays every seat by one agent under the endpoints of the pack and those around them, on common deals, and prints how
often each camp wins, best first: the pack is right where merchants and separatists are within 6 points, the profiteer
wins 12 to 28 % of its games, and a Hunt happens in at least 10 %, a Con in at least 15 % of the games that have the
role. With `--powers` it plays the pack as it is, once more without the leader's Hunt and once without the Con: what
their camps lose is what the powers are worth.
"""

from __future__ import annotations

import itertools
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.packs import find_pack
from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import console, player_counts
from riverbed_lab.playing.play import Lineup, lineup, play
from riverbed_lab.statistics import Difference, Rate, paired_difference, rate

from .kit import Seed, Threads, print_table

Endpoints = tuple[int, int, int]

CLOSE = 0.06  # merchants and separatists
PROFITEER = (0.12, 0.28)
HUNTS, CONS = 0.10, 0.15
MERCHANTS, SEPARATISTS, ALONE = range(3)


@dataclass(frozen=True)
class Measured:
    """Results under some endpoints: wins by camp, Hunts and Cons, among games that have the camp or role."""

    endpoints: Endpoints
    wins: tuple[Rate, Rate, Rate]
    hunts: Rate
    cons: Rate
    decisions: float

    @property
    def off(self) -> float:
        """The distance from the targets, in shares of games; 0 if all are met."""
        merchants, separatists, profiteer = (win.value for win in self.wins)
        low, high = PROFITEER
        return (
            max(0.0, abs(merchants - separatists) - CLOSE)
            + max(0.0, low - profiteer, profiteer - high)
            + max(0.0, HUNTS - self.hunts.value)
            + max(0.0, CONS - self.cons.value)
        )


def with_endpoints(text: str, num_players: int, endpoints: Endpoints) -> str:
    """The text of a pack with other endpoints for one player count."""
    before, header, section = text.partition(f"[[players]]\ncount = {num_players}\n")
    lines = section.split("\n")
    place = next(number for number, line in enumerate(lines) if line.startswith("endpoints = "))
    kelp, log, coin = endpoints
    lines[place] = f"endpoints = {{ kelp = {kelp}, log = {log}, coin = {coin} }}"
    return before + header + "\n".join(lines)


def around(endpoints: Endpoints, steps: int) -> Iterator[Endpoints]:
    """The endpoints themselves, and all within `steps` of them on each track."""
    for change in itertools.product(range(-steps, steps + 1), repeat=3):
        kelp, log, coin = (max(1, end + step) for end, step in zip(endpoints, change))
        yield kelp, log, coin


def measure(
    agent: Agent, num_players: int, endpoints: Endpoints, games: int, pack: Path, seed: int, threads: int
) -> Measured:
    """Play games with the agent in every seat, under the pack with these endpoints."""
    with tempfile.TemporaryDirectory() as folder:
        other = Path(folder) / "calibrated.toml"
        other.write_text(with_endpoints(pack.read_text(), num_players, endpoints))
        everybody = lineup(RIVERBED_HUNT, "everybody", agent)
        played = play(
            RIVERBED_HUNT, everybody, np.arange(games), seed, threads=threads, num_players=num_players, pack=other
        )
    columns = RIVERBED_HUNT.columns(played.games)
    present = RIVERBED_HUNT.camps_present(played.games)
    wins = [
        rate(int((columns["winner"] == camp)[present[:, camp]].sum()), int(present[:, camp].sum())) for camp in range(3)
    ]
    there = columns["has_profiteer"].astype(np.bool_)
    return Measured(
        endpoints,
        (wins[MERCHANTS], wins[SEPARATISTS], wins[ALONE]),
        rate(int((columns["hunts"].astype(int) > 0).sum()), games),
        rate(int((columns["cons"].astype(int)[there] > 0).sum()), int(there.sum())),
        float(columns["decisions"].astype(float).mean()),
    )


def worth_of_powers(
    agent: Agent, without: Agent, num_players: int, games: int, pack: Path, seed: int, threads: int
) -> dict[str, Difference]:
    """What the separatists win by the Hunt and the profiteer by the Con: on common deals, with it and without it."""
    worth = {}
    for role, camp in (("leader", SEPARATISTS), ("profiteer", ALONE)):
        won: list[npt.NDArray[np.bool_]] = []
        for who in (agent, without):
            seated = Lineup("x", {other: who if other == role else agent for other in RIVERBED_HUNT.roles})
            played = play(
                RIVERBED_HUNT, seated, np.arange(games), seed,
                threads=threads, pool=(agent, without), num_players=num_players, pack=pack,
            )  # fmt: skip
            there = RIVERBED_HUNT.camps_present(played.games)[:, camp]
            won.append((RIVERBED_HUNT.columns(played.games)["winner"] == camp)[there])
        blocks = np.arange(len(won[0]))
        worth[role] = paired_difference(won[0], blocks, won[1], blocks, seed)
    return worth


def main(
    agent: Annotated[str, typer.Option(help="The agent in every seat.")] = "rule_based",
    players: Annotated[str, typer.Option(help="Numbers of players: 7, 5,7,9 or 4-9.")] = "4-9",
    steps: Annotated[int, typer.Option("--around", help="Steps to try on each track, up and down.")] = 1,
    games: Annotated[int, typer.Option(help="Games of each.")] = 4000,
    pack: Annotated[str, typer.Option(help="The pack, by name or path.")] = "default",
    without: Annotated[
        str, typer.Option("--powers", help="An agent without powers: measure what they are worth.")
    ] = "",
    seed: Seed = 0,
    threads: Threads = 1,
) -> None:
    """Measure what the camps win under other endpoints, and what the powers are worth."""
    chosen, path = find_agent(agent, "riverbed_hunt"), find_pack("riverbed_hunt", pack)
    for count in player_counts(players, RIVERBED_HUNT.min_players, RIVERBED_HUNT.max_players):
        ends = load_pack(path).players(count).endpoints
        now = (ends.kelp, ends.log, ends.coin)
        measured = [measure(chosen, count, each, games, path, seed, threads) for each in around(now, steps)]
        rows = [
            ("/".join(map(str, each.endpoints)) + (" now" if each.endpoints == now else ""),
             *map(str, (*each.wins, each.hunts, each.cons)), f"{each.decisions:.0f}", f"{100 * each.off:.1f}")
            for each in sorted(measured, key=lambda each: each.off)[:8]
        ]  # fmt: skip
        headings = ("endpoints", "merchants", "separatists", "profiteer", "Hunt", "Con", "decisions", "off")
        print_table(f"{count} players, {games:,} games each", headings, rows, left=())
        if without:
            worth = worth_of_powers(chosen, find_agent(without, "riverbed_hunt"), count, games, path, seed, threads)
            for role, gain in worth.items():
                console.print(f"  the {role}'s power is worth {gain} points to its camp")
