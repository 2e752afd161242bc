"""The value of an agent's decisions over random legal ones, by kind of question.

    python experiments/studies decision_value --agent rule_based --players 7 --games 200000

One agent plays all seats, but at each decision of one seat a random legal action is taken with a small, known
probability. So the value of the agent's choice over a random one follows from the winners without bias, for each kind
of question (Horvitz and Thompson 1952). It shows where there is something to learn: decisions that hardly matter can't
be learnt from who won.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.options import check_whole
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.players.agents import Agent
from riverbed_env.players.features import ADVICE, can_advise
from riverbed_env.players.specs import find_agent
from riverbed_lab.statistics import Mean, clustered_mean, in_points

from .kit import ALL_ROLES, GamesOfRole, Players, Roles, Seed, Threads, print_table

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]

NUM_ENVS = 2048
MOST_GAMES = 10**8
SHARE = 0.2  # of the watched seat's decisions: enough for an estimate, few enough that the rest is the agent's play


@dataclass(frozen=True)
class DecisionValue:
    """The value of one kind of question.

    asked: how often a game asks it with several legal actions, `legal` of them on average; gain: in the camp's win
    rate, by one choice of the agent over a random legal one; a_game: the same for all such decisions of a game.
    """

    question: str
    asked: float
    legal: float
    gain: Mean
    a_game: Mean


@dataclass(frozen=True)
class Answers:
    """The watched seat's decisions among several actions, (decisions,) each, and who won, (games,).

    game: its number; question; legal: how many actions were legal; weight: what the game's outcome counts for there.
    """

    game: Whole
    question: Whole
    legal: Whole
    weight: Numbers
    won: npt.NDArray[np.bool_]


def weights(advised: npt.NDArray[np.bool_], legal: Whole, share: float) -> Numbers:
    """The weight of a game's outcome at each decision, (n,): its mean product with who won is the gain.

    advised: whether the action taken is the agent's; share: of decisions at which it strays.
    """
    taken = (1 - share) * advised + share / legal
    weighed: Numbers = (advised - 1 / legal) / taken
    return weighed


def watch(agent: Agent, role: str, num_players: int, games: int, threads: int, seed: int) -> Answers:
    """Play games in which one seat of a role strays from the agent now and then.

    Raises OptionError for an agent with a memory, and for an invalid number of games.
    """
    if not can_advise(agent):
        raise OptionError(f"{agent.name} has a memory, so it can't be queried at single decisions")
    check_whole("games", games, 1, MOST_GAMES)
    batch = LearnerBatch(
        GAME, min(NUM_ENVS, games), role=role, opponents=agent, features=(f"{ADVICE}:{agent.name}",), view="now",
        seed=seed, num_players=num_players, threads=threads,
    )  # fmt: skip
    random, asked = np.random.default_rng(seed), GAME.observation.slices["question"]
    won, noted = np.zeros(games, np.bool_), []
    while (batch.game_number < games).any():
        number, legal = batch.game_number.copy(), batch.action_mask.sum(axis=1, dtype=np.int64)
        question = batch.observation[:, asked].argmax(axis=1)
        advice = batch.observation[:, batch.view_size :].argmax(axis=1)
        other = (random.random(batch.action_mask.shape) * batch.action_mask).argmax(axis=1)
        actions = np.where(random.random(batch.num_envs) < SHARE, other, advice)
        open_ = (legal > 1) & (number < games)
        weight = weights(actions == advice, legal, SHARE)
        noted.append(tuple(each[open_] for each in (number, question, legal, weight)))
        batch.step(actions)
        ended = np.flatnonzero((batch.reward > 0) & (batch.ended_game < games) & (batch.terminated | batch.truncated))
        won[batch.ended_game[ended]] = True
    number, question, legal, weight = (np.concatenate(column) for column in zip(*noted))
    return Answers(number, question, legal, weight, won)


def decision_values(answers: Answers) -> list[DecisionValue]:
    """The value of each kind of question, largest first; the last is all of them together."""
    numbers, place = np.unique(answers.game, return_inverse=True)  # games without the role ask nothing
    games, won = len(numbers), answers.won[numbers]
    scores = answers.weight * (won[place] - won.mean())  # subtracting the mean only reduces noise
    values = []
    for kind in np.unique(answers.question):
        here = answers.question == kind
        game = np.bincount(place[here], scores[here], games)
        values.append(
            DecisionValue(
                Question(kind).name.lower(),
                float(here.sum() / games),
                float(answers.legal[here].mean()),
                clustered_mean(scores[here], answers.game[here]),
                clustered_mean(game, np.arange(games)),
            )
        )
    values.sort(key=lambda value: -value.a_game.value)
    every = clustered_mean(np.bincount(place, scores, games), np.arange(games))
    asked, legal = len(scores) / games, float(answers.legal.mean())
    return [*values, DecisionValue("all", asked, legal, clustered_mean(scores, answers.game), every)]


def main(
    agent: Annotated[str, typer.Option(help="The agent in all seats.")] = "rule_based",
    players: Players = 7,
    roles: Roles = ALL_ROLES,
    games: GamesOfRole = 200_000,
    threads: Threads = 1,
    seed: Seed = 0,
) -> None:
    """Measure the value of an agent's decisions over random legal ones, role by role."""
    chosen = find_agent(agent, GAME.name)
    for role in roles.split(","):
        values = decision_values(watch(chosen, role, players, games, threads, seed))
        rows = [
            (value.question, f"{value.asked:.2f}", f"{value.legal:.1f}",
             *(in_points(mean.value, mean.low, mean.high) for mean in (value.gain, value.a_game)))
            for value in values
        ]  # fmt: skip
        title = f"{role}: one choice of {agent} over a random legal one, {players} players, points"
        print_table(title, ("question", "asked a game", "legal", "a choice", "a game"), rows)
