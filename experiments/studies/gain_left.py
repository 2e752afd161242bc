"""Where agents gain over the rule-based one, and where more is left: by the question that is asked.

    python experiments/studies gain_left --agents student --players 7 --games 400
    python experiments/studies gain_left --agents student --agents student_lookahead --turns 6

In games that the first agent plays itself, in one seat among rule-based agents, every legal action is played on for
some turns in many worlds drawn from the seat's view, twice. What an agent's choices are worth less the rule-based ones
is its gain; the others are asked in the same situations. The best action by one set of worlds, valued by the other,
says what somebody would gain who knew these worths exactly. All are sums over a game's choices, so they promise more
than is won: an opportunity that is left open is counted at each choice.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.core.batch import Batch
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import Agent, answers
from riverbed_env.players.specs import find_agent
from riverbed_env.playouts.judges import find_judge
from riverbed_env.playouts.labels import MOST_TURNS, Labeller, PlayOuts
from riverbed_lab.playing.choices import choices
from riverbed_lab.statistics import clustered_mean, in_points

from .kit import Players, Seed, print_table, say

Numbers = npt.NDArray[np.float64]

MANY = 64  # worlds of a set
POINTS = 100.0  # of a win
QUESTION = GAME.observation.slices["question"]


@dataclass(frozen=True)
class Gains:
    """By choice: what was asked, in which game, and the gains in points of each agent's action and of the best one."""

    asked: npt.NDArray[np.int64]
    game: npt.NDArray[np.int64]
    agents: Numbers  # (agents, choices)
    best: Numbers


def measure(names: Sequence[str], num_players: int, games: int, seed: int, turns: int = 1) -> Gains:
    """Let the first agent play the games, and value its choices and those that the others would make."""
    agents = [find_agent(name, GAME.name) for name in names]
    learners = LearnerBatch(GAME, games, opponents=RULE_BASED, seed=seed, autoreset="off", num_players=num_players)
    batch = learners.tables.batch
    memories = [np.zeros((games, agent.memory_size), np.int32) for agent in agents]
    labeller = Labeller(learners.tables, PlayOuts((turns,), MANY, None, RULE_BASED, find_judge(GAME)), "now", ())
    learners.reset(seed, first_game=0)
    asked, found, count = [], [], 0
    of_agents: list[Numbers] = []
    of_best: list[Numbers] = []
    for several, actions in choices(learners):
        no_memory = np.zeros((len(several), RULE_BASED.memory_size), np.int32)
        usual = answers(RULE_BASED, batch, several, no_memory, batch.agent_streams())
        chosen = [_choices(agent, batch, several, memory) for agent, memory in zip(agents, memories)]
        actions[several] = chosen[0]
        sets = [_gains(labeller, several, usual, seed + number, count) for number in range(2)]
        count += len(several)
        rows = np.arange(len(several))
        asked.append(batch.observation[several][:, QUESTION].argmax(axis=1))
        found.append(several)
        of_agents.append((sets[0] + sets[1])[rows, np.array(chosen)] / 2)
        best = [sets[1 - by][rows, np.nanargmax(sets[by], axis=1)] for by in range(2)]
        of_best.append((best[0] + best[1]) / 2)
    return Gains(
        np.concatenate(asked), np.concatenate(found), np.concatenate(of_agents, axis=1), np.concatenate(of_best)
    )


def _choices(
    agent: Agent, batch: Batch, indices: npt.NDArray[np.int64], memories: npt.NDArray[np.int32]
) -> npt.NDArray[np.int64]:
    """An agent's actions in these games, by its memories of all games, which are kept up."""
    memory = memories[indices]
    actions = answers(agent, batch, indices, memory, batch.agent_streams())
    memories[indices] = memory
    return actions


def _gains(
    labeller: Labeller, indices: npt.NDArray[np.int64], usual: npt.NDArray[np.int64], seed: int, first: int
) -> Numbers:
    """What each action is worth less the usual one, (indices, actions); NaN if illegal."""
    worths = labeller.label(indices, None, seed, first)[:, :, 0].astype(np.float64)
    return worths - worths[np.arange(len(indices)), usual][:, None]


def main(
    agents: Annotated[list[str], typer.Option(help="Agents, the one that plays first; repeatable.")],
    players: Players = 7,
    games: Annotated[int, typer.Option(min=2, help="Games that the first agent plays.")] = 400,
    turns: Annotated[int, typer.Option(min=1, max=MOST_TURNS, help="Turns of the play-outs.")] = 1,
    seed: Seed = 1,
) -> None:
    """Say where agents gain, and where more is left."""
    gains = measure(agents, players, games, seed, turns)
    rows = []
    for question in (*Question, None):
        mine = gains.asked == question if question is not None else np.ones(len(gains.asked), np.bool_)
        if mine.any():
            sums = [each[mine].sum() / games for each in (*gains.agents, gains.best)]
            name = "all" if question is None else question.name.lower()
            rows.append((name, f"{mine.sum() / games:.2f}", *(f"{each:+.2f}" for each in sums)))
    headings = ("question", "choices a game", *(f"{agent} gains" for agent in agents), "the best would gain")
    title = f"points a game over the rule-based choices, {players} players, {games:,} games, {turns}-turn play-outs"
    print_table(title, headings, rows)
    for name, each in zip(agents[1:], gains.agents[1:]):
        by_game = np.bincount(gains.game, each - gains.agents[0], games) / POINTS
        mean = clustered_mean(by_game, np.arange(games))
        say(f"{name} less {agents[0]}: {in_points(mean.value, mean.low, mean.high)}")
