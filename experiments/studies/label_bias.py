"""Whether labels are right: what the judge of a turn's end says that choices are worth, and what they are by who wins.

    python experiments/studies label_bias --role merchant --games 1000

The student plays one seat among rule-based agents. At each of its choices every legal action is played on in the same
worlds: to the turn's end, where the judge values the state, as labels of `riverbed distil` are made; and to the end of
the game, with the student in its seat all along. Either says what an action is worth less the rule-based one, and the
difference is the bias of the labels. Rows are kinds of action tried in place of the rule-based one where a turn begins,
then all actions, then those that the student takes. With --worlds 0 the state is the true one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_agents.riverbed_hunt.student.agent import student_policy
from riverbed_env.core.options import check_choice
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import answers
from riverbed_env.playouts.judges import find_judge
from riverbed_env.playouts.labels import MOST_WORLDS, Labeller, PlayOuts
from riverbed_env.playouts.networks import packed
from riverbed_lab.playing.choices import choices
from riverbed_lab.statistics import Mean, clustered_mean

from .kit import Players, Seed, Threads, print_table

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

TURNS = (1, 0)  # labels are judged at the turn's end, the other worths at the game's
QUESTION = GAME.observation.slices["question"]
VERBS = np.array([GAME.actions.split(action)[0].lower() for action in range(NUM_ACTIONS)])
SELDOM = 100  # kinds of action that were tried less often have no row


@dataclass(frozen=True)
class Tried:
    """Actions other than the rule-based one, (n,) each.

    question: asked; usual, action: the rule-based action, and the one tried; taken: whether the student takes it;
    game: its number; by_judge, by_winner: its worth less the rule-based one's, in points.
    """

    question: Whole
    usual: Whole
    action: Whole
    taken: npt.NDArray[np.bool_]
    game: Whole
    by_judge: Numbers
    by_winner: Numbers


def measure(policy: str, role: str, num_players: int, games: int, worlds: int, threads: int, seed: int) -> Tried:
    """Play games with a student in a seat of the role, and value what it might have done."""
    student = student_policy(policy)
    network, features, view = packed(student), student.features, student.config.view
    learners = LearnerBatch(
        GAME, games, role=role, opponents=RULE_BASED, seed=seed, view=view, autoreset="off", num_players=num_players,
        features=tuple(feature.name for feature in features), threads=threads,
    )  # fmt: skip
    tables = learners.tables
    by_judge, by_winner = (
        Labeller(tables, PlayOuts((turns,), worlds, None, RULE_BASED, find_judge(GAME)), view, features)
        for turns in TURNS
    )
    learners.reset(seed, first_game=0)
    parts, count = [], 0
    for several, actions in choices(learners):
        asked, masks = tables.observation[several][:, QUESTION].argmax(axis=1), learners.action_mask[several]
        no_memory = np.zeros((len(several), RULE_BASED.memory_size), np.int32)
        usual = answers(RULE_BASED, tables.batch, several, no_memory, tables.batch.agent_streams())
        actions[several] = chosen = by_judge.choose(several, network)
        worths = [
            labeller.label(several, own, seed, count)[:, :, 0].astype(np.float64)
            for labeller, own in ((by_judge, None), (by_winner, network))
        ]
        count += len(several)
        rows = np.arange(len(several))
        masks[rows, usual] = 0
        place, action = np.nonzero(masks)
        judged, won = (each[place, action] - each[place, usual[place]] for each in worths)
        parts.append((asked[place], usual[place], action, chosen[place] == action, several[place], judged, won))
    return Tried(*(np.concatenate(column) for column in zip(*parts)))


@dataclass(frozen=True)
class Bias:
    """Mean worths of some tried actions by the judge and by winners, and the difference, in points."""

    what: str
    instead: str
    by_judge: Mean
    by_winner: Mean
    bias: Mean


def biases(tried: Tried) -> Iterator[Bias]:
    """By kinds of action where a turn begins, the most frequent first; then over all, and over those taken."""
    at_turn = tried.question == Question.TURN
    kinds, often = np.unique(
        np.stack([VERBS[tried.action], VERBS[tried.usual]])[:, at_turn], axis=1, return_counts=True
    )
    for kind in np.argsort(-often):
        verb, instead = kinds[:, kind]
        if often[kind] >= SELDOM:
            those = at_turn & (VERBS[tried.action] == verb) & (VERBS[tried.usual] == instead)
            yield _bias(tried, those, str(verb), str(instead))
    yield _bias(tried, np.ones_like(tried.taken), "all actions", "")
    yield _bias(tried, tried.taken, "the student's", "")


def _bias(tried: Tried, those: npt.NDArray[np.bool_], what: str, instead: str) -> Bias:
    """The bias over some actions; intervals over games."""
    judged, won, game = tried.by_judge[those], tried.by_winner[those], tried.game[those]
    return Bias(what, instead, *(clustered_mean(each, game) for each in (judged, won, judged - won)))


def main(
    role: Annotated[str, typer.Option(help="The role of the student's seat.")] = "merchant",
    policy: Annotated[str, typer.Option(help="A student's file; without one the published student.")] = "",
    players: Players = 7,
    games: Annotated[int, typer.Option(min=2, help="Games.")] = 1000,
    worlds: Annotated[int, typer.Option(min=0, max=MOST_WORLDS, help="Of a choice; 0: the true state.")] = 8,
    threads: Threads = 1,
    seed: Seed = 2,
) -> None:
    """Measure the bias of labels."""
    check_choice("role", role, GAME.roles)
    tried = measure(policy, role, players, games, worlds, threads, seed)
    rows = [
        (each.what, each.instead, f"{each.bias.count:,}", f"{each.by_judge.value:+.2f}", f"{each.by_winner.value:+.2f}",
         f"{each.bias.value:+.2f} ±{(each.bias.high - each.bias.low) / 2:.2f}")
        for each in biases(tried)
    ]  # fmt: skip
    judged, won = (f"{each[tried.taken].sum() / games:+.2f}" for each in (tried.by_judge, tried.by_winner))
    rows.append(("the student's, summed over a game", "", "", judged, won, ""))
    title = f"worth of other actions than the rule-based one, points: a {role}, {players} players, {games:,} games"
    headings = ("action", "in place of", "tried", "by labels", "by who wins", "labels less winners")
    print_table(title, headings, rows, left=(0, 1))
