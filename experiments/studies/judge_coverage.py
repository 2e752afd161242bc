"""How often the judge's 95 % intervals hold a gain that is known: 0, of an agent that only has other luck.

    python experiments/studies judge_coverage --games 10000 --comparisons 1000 --each 100

An agent plays one seat with random words of its own, its like all others. It chooses otherwise wherever the agent draws
by lot, and gains exactly nothing by that. Each comparison takes games of its own, or some at random if there are fewer
games than that. Beside its coverage stands how much sharper it is than winners of the same deals.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.kernels.random import AGENTS, MASK
from riverbed_env.players.agents import Agent
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import console, progress_bar
from riverbed_lab.judging.judge import Judge, less_luck
from riverbed_lab.judging.recording import record_games
from riverbed_lab.statistics import clustered_mean, rate

from .kit import Moves, Players, Seed, Threads, Worlds

Numbers = npt.NDArray[np.float64]

AT_ONCE = 500  # games
OTHER_WORDS = 0x5DEECE66


class OtherLuck:
    """Plays as another agent does, with random words of its own."""

    def __init__(self, agent: Agent) -> None:
        self.agent, self.memory_size = agent, agent.memory_size
        self.by_view = getattr(agent, "by_view", False)
        self.name = f"{agent.name} with other luck"

    def act(
        self, observations: np.ndarray, masks: np.ndarray, memory: np.ndarray, rng: np.ndarray, **extra: Any
    ) -> np.ndarray:
        """The choices of the agent under another key."""
        others = rng.copy()
        others["key"] = (others["key"] + OTHER_WORDS + AGENTS) & MASK
        return self.agent.act(observations, masks, memory, others, **extra)


@dataclass(frozen=True)
class OneSeat:
    """Games with an agent in one seat, judged: gains and luck, (judges, games); gains by winners; choices a game."""

    gains: Numbers
    luck: Numbers
    winners: Numbers
    choices: float


def judged_games(judges: Sequence[Judge], agent: Any, num_players: int, games: int, seed: int) -> OneSeat:
    """Judge games of an agent in one seat, each seat in turn, among the judges' reference; and play them without it."""
    agents: list[Any] = [judges[0].reference, agent]
    gains, luck = np.zeros((2, len(judges), games))
    by_winners, choices = np.zeros(games), 0
    with progress_bar() as bar:
        for first in bar.track(range(0, games, AT_ONCE), description=f"{games:,} games"):
            numbers = np.arange(first, min(games, first + AT_ONCE))
            seats, focus, won = np.zeros((len(numbers), num_players), np.int64), numbers % num_players, []
            batch = Batch(GAME, len(numbers), seed=seed, num_players=num_players, auto_reset=False)
            for number in (0, 1):
                seats[np.arange(len(numbers)), focus] = number
                recorded = record_games(batch, agents, seats, numbers)
                won.append(GAME.returns(batch.games, num_players)[np.arange(len(numbers)), focus] > 0)
            by_winners[numbers] = won[1].astype(np.float64) - won[0]
            for place, judge in enumerate(judges):
                judged = judge.judge(recorded, [[seat] for seat in focus.tolist()])
                gains[place, numbers], luck[place, numbers] = (sums.sum(axis=1) for sums in judged.sums())
            choices += len(judged.choices)
    return OneSeat(gains, luck, by_winners, choices / games)


def covered(gains: Numbers, luck: Numbers, comparisons: int, each: int, seed: int) -> int:
    """In how many comparisons the interval holds 0; each is of games of its own, or of games drawn if these are few."""
    rng, held, block = np.random.default_rng(seed), 0, np.arange(each)
    for number in range(comparisons):
        if len(gains) >= comparisons * each:
            some = number * each + block
        else:
            some = rng.choice(len(gains), each, replace=False)
        mean = clustered_mean(less_luck(gains[some], luck[some], block), block)
        held += int(mean.low <= 0 <= mean.high)
    return held


def main(
    agent: Annotated[str, typer.Option(help="The agent in all seats.")] = "rule_based",
    players: Players = 7,
    games: Annotated[int, typer.Option(min=2, help="Games that the judge judges.")] = 10_000,
    comparisons: Annotated[int, typer.Option(min=1, help="Comparisons of games drawn from these.")] = 1000,
    each: Annotated[int, typer.Option(min=2, help="Games of a comparison.")] = 100,
    worlds: Worlds = 16,
    moves: Moves = 8,
    seed: Seed = 0,
    threads: Threads = 1,
) -> None:
    """Measure the coverage of the judge's intervals."""
    known = find_agent(agent, GAME.name)
    begun = time.process_time()
    judge = Judge(known, worlds=worlds, moves=moves, seed=seed, threads=threads)
    found = judged_games([judge], OtherLuck(known), players, games, seed)
    spent = time.process_time() - begun
    console.print(f"{games:,} games, {found.choices:.2f} choices a game judged, {1000 * spent / games:.0f} ms a game")
    for name, values, noise in (
        ("judge", found.gains[0], found.luck[0]),
        ("judge, luck left in", found.gains[0], np.zeros(games)),
        ("winners", found.winners, np.zeros(games)),
    ):
        sharper = less_luck(values, noise, np.arange(games))
        mean, held = clustered_mean(sharper, np.arange(games)), covered(values, noise, comparisons, each, seed)
        share = rate(held, comparisons)
        console.print(
            f"{name}: gain {100 * mean.value:+.2f} ({100 * mean.low:+.2f} to {100 * mean.high:+.2f}), "
            f"deviation of a game {100 * sharper.std():.1f}; {comparisons:,} comparisons of {each} games: "
            f"{100 * share.value:.1f} % hold 0 ({100 * share.low:.1f} to {100 * share.high:.1f})"
        )
