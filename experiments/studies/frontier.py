"""Strength against time: what agents gain in one seat by winners of common deals, and their time a choice.

    python experiments/studies frontier --agents student:policy=policy.npz --agents lookahead --games 20000

Every agent takes the same seat of each role in the same deals among `--among`, which is also what gains are measured
against. The time is that of a decision with several legal actions in these games, on one thread.
"""

import time
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import typer

from riverbed_env.core.options import check_whole
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.agents import Agent, answers
from riverbed_env.players.lineups import lineups
from riverbed_env.players.specs import find_agent
from riverbed_lab.playing.choices import choices
from riverbed_lab.training.evaluation import Evaluation, SeatGain, compare

from .kit import ALL_ROLES, GamesOfRole, Players, Roles, Seed, Threads, print_table

MOST_GAMES = 10**7
TIMED = 256  # games in which an agent is timed


@dataclass(frozen=True)
class Point:
    """An agent of the frontier: its gain in each role, and microseconds a choice among several actions."""

    agent: str
    gains: dict[str, SeatGain]
    microseconds: float


def microseconds(agent: Agent, among: str, num_players: int, seed: int) -> float:
    """The time of a choice among several actions, in games that the agent plays itself in one seat."""
    learners = LearnerBatch(
        GAME, TIMED, opponents=among, view="now", autoreset="off", seed=seed, num_players=num_players
    )
    batch, memories = learners.tables.batch, np.zeros((TIMED, agent.memory_size), np.int32)
    spent, asked, warm = 0.0, 0, False
    for several, actions in choices(learners):
        streams, memory = batch.agent_streams(), memories[several]
        if not warm:  # compiles
            answers(agent, batch, several[:1], memory[:1].copy(), streams.copy())
            warm = True
        begun = time.perf_counter()
        actions[several] = answers(agent, batch, several, memory, streams)
        spent += time.perf_counter() - begun
        asked += len(several)
        memories[several] = memory
    return 1e6 * spent / max(1, asked)


def frontier(
    agents: list[str], among: str, roles: list[str], num_players: int, games: int, threads: int, seed: int
) -> list[Point]:
    """What each agent gains in each role, on `games` deals, and its time."""
    opponents, reference = lineups(GAME, among), find_agent(among, GAME.name)
    deals = {
        role: Evaluation(
            GAME, opponents, reference, role=role, games=games, threads=threads, seed=seed, num_players=num_players
        )
        for role in roles
    }
    points = []
    for name in agents:
        agent = find_agent(name, GAME.name)
        gains = {role: compare([(each.won(agent), each.won_by_reference)]) for role, each in deals.items()}
        points.append(Point(name, gains, microseconds(agent, among, num_players, seed)))
    return points


def main(
    agents: Annotated[list[str], typer.Option(help="An agent; repeatable.")],
    among: Annotated[str, typer.Option(help="The agent in the other seats, compared with.")] = "rule_based",
    players: Players = 7,
    roles: Roles = ALL_ROLES,
    games: GamesOfRole = 20_000,
    threads: Threads = 1,
    seed: Seed = 900_001,
) -> None:
    """Measure what agents gain in one seat by winners, and how long they take."""
    check_whole("games", games, 1, MOST_GAMES)
    chosen = roles.split(",")
    rows = []
    for point in frontier(agents, among, chosen, players, games, threads, seed):
        shown = [str(point.gains[role].gain) for role in chosen]
        rows.append((point.agent, *shown, f"{point.microseconds:,.0f}"))
    title = f"gain over {among} in one seat, points, by winners of {games:,} deals a role, {players} players"
    print_table(title, ("agent", *chosen, "µs a choice"), rows)
