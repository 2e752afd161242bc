"""Compares the decisions of two agents: beside each of one agent's choices, what the other would have done.

    python experiments/studies agent_diff student --than rule_based --role profiteer --players 7 --games 4000

The agent plays one seat of a role on common deals. The second agent is queried on the same observations; its answers
are only recorded. So both answer the same questions, in the situations that the first agent's play leads to. The win
rate of each in that seat is printed above.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated, Any

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import Agent
from riverbed_env.players.features import can_advise
from riverbed_env.players.lineups import lineups
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import console
from riverbed_lab.training.evaluation import Evaluation, SeatGain, compare

from .kit import Players, Threads, print_table

Whole = npt.NDArray[np.int64]

MOST_GAMES = 10**7


@dataclass(frozen=True)
class AnswerPairs:
    """Both agents' decisions among several legal actions, (decisions,) each, of `games` games, and their win rates.

    question: the kind of decision; chosen: the agent's action; other: the second agent's.
    """

    question: Whole
    chosen: Whole
    other: Whole
    games: int
    gain: SeatGain


@dataclass(frozen=True)
class QuestionDiff:
    """How often a game asks a question, the share of equal answers, and how often a game each agent gives each answer.

    verbs: kind of action -> (the agent's, the other's), the most frequent first.
    """

    question: str
    asked: float
    alike: float
    verbs: dict[str, tuple[float, float]]


class Watched:
    """An agent that plays as `agent` does, and records the choice of `other` on the same view."""

    by_view = True

    def __init__(self, agent: Agent, other: Agent) -> None:
        self.agent, self.other = agent, other
        self.name = f"{agent.name} watched"
        self.memory_size = agent.memory_size
        self.noted: list[Whole] = []

    def act(
        self, observations: np.ndarray, masks: np.ndarray, memory: np.ndarray, rng: np.ndarray, **extra: Any
    ) -> np.ndarray:
        """The choices of `agent`. `other` draws from copies of the streams, so that it changes nothing."""
        others = self.other.act(observations, masks, np.zeros((len(masks), 0), memory.dtype), rng.copy(), **extra)
        choices = self.agent.act(observations, masks, memory, rng, **extra)
        question = observations[:, GAME.observation.slices["question"]].argmax(axis=1)
        several = masks.sum(axis=1, dtype=np.int64) > 1
        self.noted.append(np.stack((question, choices, others))[:, several].astype(np.int64))
        return choices


def watch(
    agent: Agent, other: Agent, role: str, num_players: int, games: int, *, among: Agent, threads: int = 1
) -> AnswerPairs:
    """Play common deals with the agent in one seat of the role and `among` in all others; record what `other` would do.

    Raises OptionError for an `other` with a memory, and for an invalid role or number.
    """
    if not can_advise(other):
        raise OptionError(f"{other.name} has a memory, so it can't be queried at every decision")
    check_choice("role", role, GAME.roles)
    check_whole("games", games, 1, MOST_GAMES)
    deals = Evaluation(
        GAME, lineups(GAME, [among]), other, role=role, games=games, num_players=num_players, threads=threads
    )
    watched = Watched(agent, other)
    won = deals.won(watched)
    question, chosen, others = np.concatenate(watched.noted, axis=1)
    return AnswerPairs(question, chosen, others, len(won), compare([(won, deals.won_by_reference)]))


def question_diffs(pairs: AnswerPairs) -> Iterator[QuestionDiff]:
    """The differences, question by question, the most frequent first."""
    for question, count in Counter(pairs.question.tolist()).most_common():
        here = pairs.question == question
        mine, others = (
            Counter(GAME.actions.split(action)[0] for action in each[here].tolist())
            for each in (pairs.chosen, pairs.other)
        )
        verbs = sorted(mine | others, key=lambda verb: -max(mine[verb], others[verb]))
        yield QuestionDiff(
            Question(question).name.lower(),
            count / pairs.games,
            float((pairs.chosen == pairs.other)[here].mean()),
            {verb.lower(): (mine[verb] / pairs.games, others[verb] / pairs.games) for verb in verbs},
        )


def main(
    agent: Annotated[str, typer.Argument(help="The agent that plays: a name or a policy's file.")],
    than: Annotated[str, typer.Option(help="The agent that is queried; without memory.")] = "rule_based",
    role: Annotated[str, typer.Option(help="The role of the seat.")] = "profiteer",
    players: Players = 7,
    games: Annotated[int, typer.Option(help="Common deals.")] = 4000,
    among: Annotated[str, typer.Option(help="The agent in the other seats.")] = "rule_based",
    threads: Threads = 1,
) -> None:
    """Compare the decisions of two agents in one seat."""
    mine, other, others = (find_agent(name, GAME.name) for name in (agent, than, among))
    pairs = watch(mine, other, role, players, games, among=others, threads=threads)
    rates = f"{agent} wins {100 * pairs.gain.learner.value:.1f} %, {than} wins {100 * pairs.gain.reference.value:.1f} %"
    console.print(f"{role}, {players} players, {pairs.games:,} deals among {among}: {rates}: {pairs.gain.gain} points")
    rows = [
        (*((diff.question, f"{diff.asked:.2f}", f"{100 * diff.alike:.0f} %") if number == 0 else ("", "", "")),
         verb, f"{often:.2f}", f"{other_often:.2f}")
        for diff in question_diffs(pairs)
        for number, (verb, (often, other_often)) in enumerate(diff.verbs.items())
    ]  # fmt: skip
    headings = ("question", "asked a game", "alike", "answer", "a game", f"{than} in its place")
    print_table("", headings, rows, left=(0, 3))
