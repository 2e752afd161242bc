"""Compares the decisions of two agents: beside each of one agent's choices, what the other would have done.

    python experiments/studies agent_diff trained --than rule_based --role profiteer --players 7 --games 4000

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
from rich import box
from rich.console import Console
from rich.table import Table

from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import Agent
from riverbed_env.players.features import can_advise
from riverbed_env.players.lineups import lineups
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import plainly
from riverbed_lab.statistics import in_points
from riverbed_lab.training.evaluation import SEED, Evaluation, SeatGain, compare

Whole = npt.NDArray[np.int64]

MOST_GAMES = 10**7


@dataclass(frozen=True)
class AnswerPairs:
    """Decisions among several legal actions, (decisions,) each, of `games` games, and both agents' win rates.

    question: what was asked; chosen: the agent's action; other: what the other would have done there.
    """

    question: Whole
    chosen: Whole
    other: Whole
    games: int
    found: SeatGain


@dataclass(frozen=True)
class QuestionDiff:
    """How often a game asks a question, how often both answer alike, and what each answers how often in a game.

    verbs: kind of action -> (the agent's, the other's), the most frequent first.
    """

    question: str
    asked: float
    alike: float
    verbs: dict[str, tuple[float, float]]


class Watched:
    """An agent that plays as `agent` does, and records the choice of `other` on the same observation."""

    def __init__(self, agent: Agent, other: Agent) -> None:
        self.agent, self.other = agent, other
        self.name = f"{agent.name} watched"
        self.memory_size = agent.memory_size
        self.by_view = getattr(agent, "by_view", False)
        self.noted: list[Whole] = []

    def act(
        self, observations: np.ndarray, masks: np.ndarray, memory: np.ndarray, rng: np.ndarray, **extra: Any
    ) -> np.ndarray:
        """The choices of `agent`. `other` draws from copies of the streams, so that it changes nothing."""
        others = self.other.act(observations, masks, np.zeros((len(masks), 0), memory.dtype), rng.copy())
        choices = self.agent.act(observations, masks, memory, rng, **extra)
        question = observations[:, GAME.observation.slices["question"]].argmax(axis=1)
        several = masks.sum(axis=1, dtype=np.int64) > 1
        self.noted.append(np.stack((question, choices, others))[:, several].astype(np.int64))
        return choices


def watch(
    agent: Agent,
    other: Agent,
    role: str,
    num_players: int,
    games: int,
    *,
    among: Agent,
    threads: int = 1,
    seed: int = SEED,
) -> AnswerPairs:
    """Play common deals with the agent in one seat of the role, and all others `among`, noting what `other` would do.

    Raises OptionError for an `other` that one observation isn't enough for, an unknown role, and a number of games or
    players that can't be.
    """
    if not can_advise(other):
        raise OptionError(f"{other.name} needs more than one observation, so that it can't be asked beside")
    check_choice("role", role, GAME.roles)
    check_whole("games", games, 1, MOST_GAMES)
    deals = Evaluation(
        GAME, lineups(GAME, [among]), other, role=role, games=games, num_players=num_players, threads=threads,
        seed=seed,
    )  # fmt: skip
    watched = Watched(agent, other)
    won = deals.won(watched)
    question, chosen, others = np.concatenate(watched.noted, axis=1)
    return AnswerPairs(question, chosen, others, len(won), compare([(won, deals.won_by_reference)]))


def question_diffs(choices: AnswerPairs) -> Iterator[QuestionDiff]:
    """What differs, question by question, the most frequent first."""
    for question, count in Counter(choices.question.tolist()).most_common():
        here = choices.question == question
        mine, others = (_verbs(each[here]) for each in (choices.chosen, choices.other))
        verbs = sorted(mine | others, key=lambda verb: -max(mine[verb], others[verb]))
        yield QuestionDiff(
            Question(question).name.lower(),
            count / choices.games,
            float((choices.chosen == choices.other)[here].mean()),
            {verb.lower(): (mine[verb] / choices.games, others[verb] / choices.games) for verb in verbs},
        )


def _verbs(actions: Whole) -> Counter[str]:
    """How often each kind of action is among them."""
    numbers, counts = np.unique(actions, return_counts=True)
    found: Counter[str] = Counter()
    for number, count in zip(numbers.tolist(), counts.tolist(), strict=True):
        found[GAME.actions.split(number)[0]] += count
    return found


def main(
    agent: Annotated[str, typer.Argument(help="Whose choices, by name or a policy's file.")],
    than: Annotated[str, typer.Option(help="Who is asked beside; without memory.")] = "rule_based",
    role: Annotated[str, typer.Option(help="The role of the seat.")] = "profiteer",
    players: Annotated[int, typer.Option(help="How many play.")] = 7,
    games: Annotated[int, typer.Option(help="Common deals.")] = 4000,
    among: Annotated[str, typer.Option(help="Who plays the other seats.")] = "rule_based",
    threads: Annotated[int, typer.Option(help="Threads to play on.")] = 1,
) -> None:
    """Play and print."""
    mine, other, others = (find_agent(name, GAME.name) for name in (agent, than, among))
    noted, console = watch(mine, other, role, players, games, among=others, threads=threads), Console(width=110)
    found = noted.found
    rates = [
        f"{name} wins {100 * rate.value:.1f} %" for name, rate in ((agent, found.learner), (than, found.reference))
    ]
    gain = in_points(found.gain.value, found.gain.low, found.gain.high)
    console.print(f"{role}, {players} players, {noted.games:,} deals among {among}: {', '.join(rates)}: {gain} points")
    table = Table(box=box.SIMPLE)
    for heading in ("question", "asked a game", "alike", "answer", "a game", f"{than} in its place"):
        table.add_column(heading, justify="left" if heading in ("question", "answer") else "right")
    for diff in question_diffs(noted):
        head = (diff.question, f"{diff.asked:.2f}", f"{100 * diff.alike:.0f} %")
        for verb, (often, other_often) in diff.verbs.items():
            table.add_row(*head, verb, f"{often:.2f}", f"{other_often:.2f}")
            head = ("", "", "")
    console.print(table)


if __name__ == "__main__":
    plainly(lambda: typer.run(main))
