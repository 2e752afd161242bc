"""Where an agent gains over the rule-based one, and where more is left: by the question that is asked.

    python experiments/studies gain_left --agent student --players 7 --games 400

In games that the agent plays itself, in one seat among rule-based agents, every legal action is played on to the turn's
end in many worlds drawn from the seat's view, twice. What the agent's choices are worth less the rule-based ones is its
gain; the best action by one set of worlds, valued by the other, says what somebody would gain who knew these worths
exactly. Both are sums over a game's choices, so they promise more than is won: an opportunity that is left open is
counted at each choice.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import answers
from riverbed_env.players.specs import find_agent
from riverbed_env.playouts.judges import find_judge
from riverbed_env.playouts.labels import Labeller, PlayOuts
from riverbed_lab.playing.choices import choices

from .kit import Players, Seed, print_table

Numbers = npt.NDArray[np.float64]

MANY = 64  # worlds of a set
QUESTION = GAME.observation.slices["question"]


@dataclass(frozen=True)
class Gains:
    """By choice, in points: what was asked, and the gains of the agent's action and of the best one."""

    asked: npt.NDArray[np.int64]
    agent: Numbers
    best: Numbers


def measure(agent_name: str, num_players: int, games: int, seed: int) -> Gains:
    """Play the games and value their choices."""
    agent = find_agent(agent_name, GAME.name)
    learners = LearnerBatch(GAME, games, opponents=RULE_BASED, seed=seed, autoreset="off", num_players=num_players)
    batch, memories = learners.tables.batch, np.zeros((games, agent.memory_size), np.int32)
    labeller = Labeller(learners.tables, PlayOuts((1,), MANY, None, RULE_BASED, find_judge(GAME)), "now", ())
    learners.reset(seed, first_game=0)
    asked, of_agent, of_best, count = [], [], [], 0
    for several, actions in choices(learners):
        no_memory = np.zeros((len(several), RULE_BASED.memory_size), np.int32)
        usual = answers(RULE_BASED, batch, several, no_memory, batch.agent_streams())
        memory = memories[several]
        actions[several] = answers(agent, batch, several, memory, batch.agent_streams())
        memories[several] = memory
        sets = [_gains(labeller, several, usual, seed + number, count) for number in range(2)]
        count += len(several)
        rows = np.arange(len(several))
        asked.append(batch.observation[several][:, QUESTION].argmax(axis=1))
        of_agent.append(sum(each[rows, actions[several]] for each in sets) / 2)
        of_best.append(sum(sets[1 - by][rows, np.nanargmax(sets[by], axis=1)] for by in range(2)) / 2)
    return Gains(np.concatenate(asked), np.concatenate(of_agent), np.concatenate(of_best))


def _gains(
    labeller: Labeller, indices: npt.NDArray[np.int64], usual: npt.NDArray[np.int64], seed: int, first: int
) -> Numbers:
    """What each action is worth less the usual one, (indices, actions); NaN if illegal."""
    worths = labeller.label(indices, None, seed, first)[:, :, 0].astype(np.float64)
    return worths - worths[np.arange(len(indices)), usual][:, None]


def main(
    agent: Annotated[str, typer.Option(help="The agent.")] = "student",
    players: Players = 7,
    games: Annotated[int, typer.Option(min=1, help="Games that it plays.")] = 400,
    seed: Seed = 1,
) -> None:
    """Say where an agent gains, and where more is left."""
    gains = measure(agent, players, games, seed)
    rows = []
    for question in (*Question, None):
        mine = gains.asked == question if question is not None else np.ones(len(gains.asked), np.bool_)
        if mine.any():
            sums = mine.sum() / games, gains.agent[mine].sum() / games, gains.best[mine].sum() / games
            name = "all" if question is None else question.name.lower()
            rows.append((name, f"{sums[0]:.2f}", f"{sums[1]:+.2f}", f"{sums[2]:+.2f}"))
    headings = ("question", "choices a game", f"{agent} gains", "the best would gain")
    print_table(f"points a game over the rule-based choices, {players} players, {games:,} games", headings, rows)
