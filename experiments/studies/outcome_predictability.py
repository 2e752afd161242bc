"""How predictable the winner is at each of a seat's decisions.

    python experiments/studies outcome_predictability --agent rule_based --players 7 --games 400

One agent plays all seats. From the true state at a decision the game is played to its end many times, with the same
chance events and fresh random numbers for the players. The variance of the states' win rates, less the noise of few
replays, as a share of the variance of winning, is predictable at that decision. It bounds the explained variance of any
critic; a critic with partial information explains less.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from riverbed_env.core.batch import Batch
from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.kernels.compile import max_threads
from riverbed_env.kernels.random import AGENTS, open_stream
from riverbed_env.players.agents import Agent
from riverbed_env.players.arena import Arena
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import plainly
from riverbed_lab.playing.play import finish, watch
from riverbed_lab.statistics import Mean, clustered_mean

from .seat_advantage import seats_of

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Records = npt.NDArray[np.void]

NUM_ENVS = 2048  # games played on at once
MOST = 10**6
PARTS = 5  # of a game, by its seat's decisions


@dataclass(frozen=True)
class Decisions:
    """A seat's decisions among several actions: game (n,), how far on of 0 to 1 (n,), and the states (n,)."""

    game: Whole
    progress: Numbers
    states: Records


def decisions_of(agent: Agent, role: str, num_players: int, games: int, seed: int) -> Decisions:
    """The decisions of a role's first seat in games that an agent plays alone."""
    numbers, focus = seats_of(role, games, num_players, seed)
    batch = Batch(GAME, len(numbers), seed=seed, num_players=num_players, auto_reset=False)
    found: list[tuple[Whole, Records]] = []
    for _ in watch(batch, [agent], np.zeros((batch.num_envs, num_players), np.int64), numbers):
        asked = np.flatnonzero(batch.acting & (batch.seat == focus) & (batch.action_mask.sum(axis=1) > 1))
        found.append((asked, batch.games[asked]))
    game, states = (np.concatenate(column) for column in zip(*found, strict=True))
    order = np.argsort(game, kind="stable")
    game, states = game[order], states[order]
    counts = np.bincount(game, minlength=len(numbers))
    first = np.cumsum(counts) - counts
    return Decisions(numbers[game], (np.arange(len(game)) - first[game]) / np.maximum(counts[game] - 1, 1), states)


def win_rates(states: Records, agent: Agent, camp: int, num_players: int, replays: int, seed: int) -> Numbers:
    """A camp's win rate from each state, (n,), over `replays` games with random numbers of their own."""
    at_once = max(1, NUM_ENVS // replays)
    desk = Arena(GAME, [agent], at_once * replays, num_players=num_players, threads=max_threads())
    found = np.zeros(len(states))
    for begin in range(0, len(states), at_once):
        some = states[begin : begin + at_once]
        filled = np.concatenate([some, np.repeat(some[:1], at_once - len(some))])
        copies = np.repeat(filled, replays)
        for index in range(desk.num_envs):
            open_stream(copies["agents"][index], seed, begin * replays + index, AGENTS)
        won = (finish(desk, copies) == camp).reshape(at_once, replays).mean(axis=1)
        found[begin : begin + len(some)] = won[: len(some)]
    return found


def predictability(rates: Numbers, replays: int, game: Whole, among: npt.NDArray[np.bool_] | None = None) -> Mean:
    """The share of the variance of winning that the states explain, with an interval over games.

    rates: (n,), each of `replays` games; among: the decisions that count, None for all.
    """
    overall = rates.mean()
    noise = rates * (1 - rates) / (replays - 1)
    shares = ((rates - overall) ** 2 - noise) / (overall * (1 - overall))
    kept = np.ones(len(rates), np.bool_) if among is None else among
    return clustered_mean(shares[kept], game[kept])


def percent(mean: Mean) -> str:
    """A share and its interval."""
    return f"{100 * mean.value:.0f} ({100 * mean.low:.0f} to {100 * mean.high:.0f})"


def main(
    agent: Annotated[str, typer.Option(help="Who plays all seats; without memory.")] = "rule_based",
    players: Annotated[int, typer.Option(help="How many play.")] = 7,
    roles: Annotated[str, typer.Option(help="Roles, like chief,leader; all of them.")] = ",".join(GAME.roles),
    games: Annotated[int, typer.Option(help="Games of each role.")] = 400,
    replays: Annotated[int, typer.Option(help="How often each state is played on.")] = 64,
    seed: Annotated[int, typer.Option()] = 0,
) -> None:
    """Play and print, role by role."""
    chosen, console = find_agent(agent, GAME.name), Console(width=120)
    if chosen.memory_size:
        raise OptionError(f"{chosen.name} keeps a memory, so that it can't play on from the middle of a game")
    check_whole("games", games, 1, MOST)
    check_whole("replays", replays, 2, NUM_ENVS)
    table = Table(
        title=f"% of the winner's variance explained at a decision: {agent}, {players} players", box=box.SIMPLE
    )
    for heading in ("role", "decisions", *(f"fifth {part + 1}" for part in range(PARTS)), "all"):
        table.add_column(heading, justify="right")
    for role in roles.split(","):
        found = decisions_of(chosen, role, players, games, seed)
        camp = GAME.camps.index(GAME.camp_of_role[role])
        rates = win_rates(found.states, chosen, camp, players, replays, seed)
        part = np.minimum((PARTS * found.progress).astype(np.int64), PARTS - 1)
        shares = [predictability(rates, replays, found.game, part == each) for each in range(PARTS)]
        every = predictability(rates, replays, found.game)
        table.add_row(role, f"{len(rates):,}", *map(percent, shares), percent(every))
        console.print(f"{role}: done", style="dim")
    console.print(table)


if __name__ == "__main__":
    plainly(lambda: typer.run(main))
