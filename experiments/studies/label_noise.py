"""How much a label tells: the noise and the cost of labels by worlds and turns, and what their turns leave out.

    python experiments/studies label_noise --players 7 --games 400

Labels are differences: what another legal action is worth less the rule-based one, in games between rule-based agents.
Two sets of labels of many worlds, independent of each other, stand for what choices are really worth by a horizon:
their covariance is free of noise. The noise of other labels is their distance from the mean of the two. Then follows
what a chooser would gain who knew the worths by one horizon, as another horizon judges it: it takes the best action by
one set of labels, and the other set says what that is worth.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.agents import answers
from riverbed_env.playouts.judges import find_judge
from riverbed_env.playouts.labels import Labeller, PlayOuts
from riverbed_lab.playing.choices import choices

from .kit import Players, Seed, print_table

Numbers = npt.NDArray[np.float64]

HORIZONS = (1, 2, 4, 6, 0)  # turns; 0: to the end
MANY = 64  # worlds that stand for what choices are worth
WAYS = ((0, (1,)), (0, (1, 2)), (1, (1,)), (8, (1,)), (8, (1, 2)))  # worlds, 0: the true state; and turns
LABELLED = 3  # every so many choices of a game
MARGIN = 1.0  # points by which a chooser must lead the rule-based action


@dataclass(frozen=True)
class Found:
    """Labels of pairs of actions, less those of the rule-based one, in points.

    state: (pairs,), the number of each pair's choice; many: (2, pairs, horizons); by_way: of each of WAYS, (pairs,),
    the mean over its turns; seconds: of processor time a choice.
    """

    state: npt.NDArray[np.int64]
    many: Numbers
    by_way: list[Numbers]
    seconds: list[float]


def measure(num_players: int, games: int, seed: int) -> Found:
    """Label choices of rule-based games in each way."""
    learners = LearnerBatch(GAME, games, opponents=RULE_BASED, seed=seed, autoreset="off", num_players=num_players)
    batch = learners.tables.batch
    hows = [(MANY, HORIZONS), (MANY, HORIZONS), *WAYS]
    labellers = [
        Labeller(learners.tables, PlayOuts(turns, worlds, None, RULE_BASED, find_judge(GAME)), "now", ())
        for worlds, turns in hows
    ]
    learners.reset(seed, first_game=0)
    states, spent, count = [], np.zeros(len(hows)), 0
    found: list[list[npt.NDArray[np.float32]]] = [[] for _ in hows]
    for several, actions in choices(learners):
        no_memory = np.zeros((len(several), RULE_BASED.memory_size), np.int32)
        actions[several] = answers(RULE_BASED, batch, several, no_memory, batch.agent_streams())
        indices = several[several % LABELLED == count % LABELLED]
        rows = np.arange(len(indices))
        other = learners.action_mask[indices] == 1
        other[rows, actions[indices]] = False
        states.append(np.repeat(count + rows, other.sum(axis=1)))
        for number, labeller in enumerate(labellers):
            begun = time.process_time()
            worths = labeller.label(indices, None, seed + number, count * MANY)
            spent[number] += time.process_time() - begun
            found[number].append((worths - worths[rows, actions[indices]][:, None])[other])
        count += len(indices)
    labels = [np.concatenate(each).astype(np.float64) for each in found]
    return Found(
        np.concatenate(states),
        np.array(labels[:2]),
        [each.mean(axis=1) for each in labels[2:]],
        list(spent[2:] / count),
    )


def gain(found: Found, by: int, judged: int, choices: float) -> float:
    """What the best actions by one horizon are worth by another, in points a game of so many choices."""
    total = 0.0
    for choosing, judging in (found.many, found.many[::-1]):
        order = np.lexsort((-choosing[:, by], found.state))
        firsts = order[np.unique(found.state[order], return_index=True)[1]]
        led = choosing[firsts, by] > MARGIN
        total += float(judging[firsts[led], judged].sum() / len(firsts)) / 2
    return choices * total


def main(
    players: Players = 7,
    games: Annotated[int, typer.Option(min=LABELLED, help="Games whose choices are labelled.")] = 400,
    choices: Annotated[float, typer.Option(min=1, help="Choices a game, for gains.")] = 12.0,
    seed: Seed = 1,
) -> None:
    """Say how much labels tell, by worlds and turns."""
    found = measure(players, games, seed)
    truth = found.many.mean(axis=0)
    rows: list[tuple[str, ...]] = []
    for (worlds, turns), labels, seconds in zip(WAYS, found.by_way, found.seconds, strict=True):
        aims = truth[:, [HORIZONS.index(turn) for turn in turns]].mean(axis=1)
        noise = float(((labels - aims) ** 2).mean())
        cells = f"{1e6 * seconds:.0f}", f"{noise**0.5:.1f}", f"{1 / noise / seconds:.1f}"
        rows.append((f"{worlds or 'true state'}", ", ".join(map(str, turns)), *cells))
    title = f"labels of {len(found.state):,} actions besides the rule-based one, {players} players"
    print_table(title, ("worlds", "turns", "µs a choice", "noise, points", "1 / variance, a second"), rows)
    deviations = found.many - found.many.mean(axis=1, keepdims=True)
    products = deviations[0].T @ deviations[1] / len(truth)
    spread = np.sqrt(np.maximum(np.diag(products), 1e-9))
    related = (products + products.T) / 2 / np.outer(spread, spread)
    names = ["end" if turn == 0 else f"{turn}" for turn in HORIZONS]
    rows = [
        (
            name,
            f"{spread[by]:.1f}",
            *(f"{related[by, judged]:.2f}" for judged in range(len(HORIZONS))),
            *(f"{gain(found, by, judged, choices):+.1f}" for judged in range(len(HORIZONS))),
        )
        for by, name in enumerate(names)
    ]
    headings = ("turns", "spread", *(f"as {name}" for name in names), *(f"gain by {name}" for name in names))
    print_table("worths without noise: spread, correlation, and what choosing by them gains a game", headings, rows)
