"""How much one seat can gain over a baseline agent: another agent takes it, and each differing choice is judged.

    python experiments/studies seat_advantage --agent search --over rule_based --players 7 --games 200

All other seats are played by the baseline agent. The gain of the seat's camp is what the judge says (see
`riverbed_lab.judging`), which is unbiased and needs fewer games than counting winners. The difference of winners, on
common deals with the baseline agent in the seat, stands beside it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.batch import Batch
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import progress_bar
from riverbed_lab.judging.judge import DEFAULT_MOVES, DEFAULT_WORLDS, Judge
from riverbed_lab.judging.recording import record_games
from riverbed_lab.playing.play import deal
from riverbed_lab.statistics import Difference, Mean, in_points, paired_difference

from .kit import ALL_ROLES, GamesOfRole, Moves, Players, Roles, Seed, Threads, Worlds, print_table

Whole = npt.NDArray[np.int64]

DEALS_FOR_EACH = 4  # examined for each game wanted: with 4 players not every deal has a profiteer


@dataclass(frozen=True)
class Advantage:
    """The gain of a role's camp with the agent in one of its seats, as a share of games."""

    role: str
    games: int
    wins: float  # with the baseline agent there too
    changes: float  # differing choices, a game
    by_choices: Mean
    by_winners: Difference


def seats_of(role: str, games: int, num_players: int, seed: int) -> tuple[Whole, Whole]:
    """The numbers of the first deals with the role, and its first seat in each. Raises OptionError if none has it."""
    numbers = np.arange(DEALS_FOR_EACH * games)
    held = GAME.roles_of(deal(GAME, numbers, seed, num_players=num_players)) == GAME.roles.index(role)
    there = np.flatnonzero(held.any(axis=1))[:games]
    if not len(there):
        raise OptionError(f"no game of {num_players} players has the role {role}")
    return there, held[there].argmax(axis=1)


def measure(agent: Agent, role: str, num_players: int, games: int, judge: Judge) -> Advantage:
    """What a role's camp gains by the agent in its first seat, everybody else being the judge's reference."""
    usual = judge.reference
    numbers, focus = seats_of(role, games, num_players, judge.seed)
    batch = Batch(GAME, len(numbers), seed=judge.seed, num_players=num_players, auto_reset=False)
    camp = GAME.camps.index(GAME.camp_of_role[role])
    seats = np.zeros((len(numbers), num_players), np.int64)
    record_games(batch, [usual], seats, numbers)
    before = GAME.columns(batch.games)["winner"] == camp
    seats[np.arange(len(numbers)), focus] = 1
    recorded = record_games(batch, [usual, agent], seats, numbers)
    won = GAME.columns(batch.games)["winner"] == camp
    judged = judge.judge(recorded, [[seat] for seat in focus.tolist()])
    return Advantage(
        *(role, len(numbers), float(before.mean()), float(judged.choices.differ.sum()) / len(numbers)),
        by_choices=judged.gain(),
        by_winners=paired_difference(won, numbers, before, numbers, judge.seed),
    )


def main(
    agent: Annotated[str, typer.Option(help="The agent in the one seat.")] = "lookahead",
    over: Annotated[str, typer.Option(help="The baseline agent, in all other seats.")] = "rule_based",
    players: Players = 7,
    roles: Roles = ALL_ROLES,
    games: GamesOfRole = 200,
    worlds: Worlds = DEFAULT_WORLDS,
    moves: Moves = DEFAULT_MOVES,
    seed: Seed = 0,
    threads: Threads = 1,
) -> None:
    """Measure how much a role's camp gains by another agent in one of its seats."""
    chosen, usual = find_agent(agent, GAME.name), find_agent(over, GAME.name)
    judge, rows = Judge(usual, worlds=worlds, moves=moves, seed=seed, threads=threads), []
    with progress_bar() as bar:
        for role in bar.track(roles.split(","), description=f"{games} games of each role, and what choices were worth"):
            advantage = measure(chosen, role, players, games, judge)
            gain = advantage.by_choices
            gains = in_points(gain.value, gain.low, gain.high), str(advantage.by_winners)
            rows.append((role, str(advantage.games), f"{100 * advantage.wins:.1f}", f"{advantage.changes:.2f}", *gains))
    print_table(
        f"one {agent} among {over}, {players} players, points with 95 % intervals",
        ("role", "games", "wins %", "choices changed a game", "gain by the judge", "gain by winners"),
        rows,
    )
