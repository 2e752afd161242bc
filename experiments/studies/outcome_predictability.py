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

from riverbed_env.core.batch import Batch
from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.kernels.compile import max_threads
from riverbed_env.kernels.random import AGENTS, open_stream
from riverbed_env.players.agents import Agent
from riverbed_env.players.arena import Arena
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import console
from riverbed_lab.playing.play import finish, watch
from riverbed_lab.statistics import Mean, clustered_mean

from .kit import ALL_ROLES, GamesOfRole, Players, Roles, Seed, print_table
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
    noted: list[tuple[Whole, Records]] = []
    for _ in watch(batch, [agent], np.zeros((batch.num_envs, num_players), np.int64), numbers):
        asked = np.flatnonzero(batch.acting & (batch.seat == focus) & (batch.action_mask.sum(axis=1) > 1))
        noted.append((asked, batch.games[asked]))
    game, states = (np.concatenate(column) for column in zip(*noted, strict=True))
    order = np.argsort(game, kind="stable")
    game, states = game[order], states[order]
    counts = np.bincount(game, minlength=len(numbers))
    first = np.cumsum(counts) - counts
    return Decisions(numbers[game], (np.arange(len(game)) - first[game]) / np.maximum(counts[game] - 1, 1), states)


def win_rates(states: Records, agent: Agent, camp: int, num_players: int, replays: int, seed: int) -> Numbers:
    """A camp's win rate from each state, (n,), over `replays` games with independent random numbers."""
    at_once = max(1, NUM_ENVS // replays)
    arena = Arena(GAME, [agent], at_once * replays, num_players=num_players, threads=max_threads())
    rates = np.zeros(len(states))
    for begin in range(0, len(states), at_once):
        some = states[begin : begin + at_once]
        filled = np.concatenate([some, np.repeat(some[:1], at_once - len(some))])
        copies = np.repeat(filled, replays)
        for index in range(arena.num_envs):
            open_stream(copies["agents"][index], seed, begin * replays + index, AGENTS)
        won = (finish(arena, copies) == camp).reshape(at_once, replays).mean(axis=1)
        rates[begin : begin + len(some)] = won[: len(some)]
    return rates


def predictability(rates: Numbers, replays: int, game: Whole, among: npt.NDArray[np.bool_] | None = None) -> Mean:
    """The share of the variance of winning that the states explain, with an interval over games.

    rates: (n,), each of `replays` games; among: the decisions that count, None for all.
    """
    overall = rates.mean()
    noise = rates * (1 - rates) / (replays - 1)
    shares = ((rates - overall) ** 2 - noise) / (overall * (1 - overall))
    kept = np.ones(len(rates), np.bool_) if among is None else among
    return clustered_mean(shares[kept], game[kept])


def main(
    agent: Annotated[str, typer.Option(help="The agent in all seats; without memory.")] = "rule_based",
    players: Players = 7,
    roles: Roles = ALL_ROLES,
    games: GamesOfRole = 400,
    replays: Annotated[int, typer.Option(help="Games played on from each state.")] = 64,
    seed: Seed = 0,
) -> None:
    """Measure how predictable the winner is at each decision of a role's seat."""
    chosen = find_agent(agent, GAME.name)
    if chosen.memory_size:
        raise OptionError(f"{chosen.name} keeps a memory, so it can't play on from the middle of a game")
    check_whole("games", games, 1, MOST)
    check_whole("replays", replays, 2, NUM_ENVS)
    rows = []
    for role in roles.split(","):
        decisions = decisions_of(chosen, role, players, games, seed)
        camp = GAME.camps.index(GAME.camp_of_role[role])
        rates = win_rates(decisions.states, chosen, camp, players, replays, seed)
        part = np.minimum((PARTS * decisions.progress).astype(np.int64), PARTS - 1)
        shares = [predictability(rates, replays, decisions.game, part == each) for each in range(PARTS)]
        shares.append(predictability(rates, replays, decisions.game))
        cells = (f"{100 * mean.value:.0f} ({100 * mean.low:.0f} to {100 * mean.high:.0f})" for mean in shares)
        rows.append((role, f"{len(rates):,}", *cells))
        console.print(f"{role}: done", style="dim")
    print_table(
        f"% of the winner's variance explained at a decision: {agent}, {players} players",
        ("role", "decisions", *(f"fifth {part + 1}" for part in range(PARTS)), "all"),
        rows,
    )
