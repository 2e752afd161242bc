"""Whether worlds drawn from a view value choices as true states do, by kind of question.

    python experiments/studies drawn_worlds --players 7 --games 3000

Agents decide in worlds that `riverbed_env.deduction` draws from a seat's view. If those worlds are right, the mean gain
of a choice over another one is the same in them as in the true states. The study plays games between rule-based agents.
At each decision it plays every legal action on for some turns, from the true state and from drawn ones, and evaluates
the result for the seat's camp with the value network. It reports the mean of the actions other than the chosen one,
less the chosen one, and its difference between drawn worlds and true states: the gap. Worlds in which only the roles,
the tiles or the cards are drawn show which of them is wrong; in worlds "alike" the tiles are drawn as if looks carried
no information. All worlds of a state share their future chance. Then follow log loss and calibration of the roles.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer
from rich import box
from rich.console import Console
from rich.table import Table

from riverbed_agents.riverbed_hunt.kernels import FOLDERS
from riverbed_agents.riverbed_hunt.rule_based.agent import RULE_BASED
from riverbed_agents.riverbed_hunt.search.rollout import (
    RolloutBuffers,
    make_buffers,
    play_on,
    turns_played,
    worth,
)
from riverbed_env.core.batch import Batch
from riverbed_env.core.game import take_records
from riverbed_env.core.options import check_choice
from riverbed_env.deduction.evidence import gather
from riverbed_env.deduction.posterior import PLAYING, UNIFORM_CHOICE
from riverbed_env.deduction.resample import give_cards, give_knowledge, give_roles, give_tiles, note_looks
from riverbed_env.deduction.service import Deduction
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.state import GAME as STATE
from riverbed_env.games.riverbed_hunt.rules.vocab import Question
from riverbed_env.kernels.compile import KernelFamily, Record
from riverbed_env.kernels.random import AGENTS, CHANCE, RESAMPLED, TRIED, open_stream
from riverbed_env.players.agents import answers
from riverbed_lab.evaluation.inference import score
from riverbed_lab.statistics import Mean, clustered_mean

Vector = npt.NDArray[np.int8]
Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Records = npt.NDArray[np.void]

ROLES, TILES, CARDS, ALIKE = 1, 2, 4, 8  # parts of a world that are drawn; ALIKE: without evidence from looks
MIXES = {
    "true": 0,
    "drawn": ROLES | TILES | CARDS,
    "alike": ROLES | TILES | CARDS | ALIKE,
    "roles": ROLES,
    "tiles": TILES,
    "cards": CARDS,
}
NUM_ENVS = 500  # games played side by side

kernel = KernelFamily("riverbed_hunt_drawn_worlds", *FOLDERS)


@dataclass(frozen=True)
class Decisions:
    """Decisions between several actions: states (n,), legal actions (n, NUM_ACTIONS), choice, question and game."""

    states: Records
    legal: Vector
    chosen: Whole
    question: Whole
    game: Whole


@dataclass(frozen=True)
class Gap:
    """What other actions gain over the chosen one for one kind of question, by mix, in points.

    gains: the mean by mix; gaps: the mean difference to the true state by mix.
    """

    question: str
    gains: dict[str, Mean]
    gaps: dict[str, Mean]


@kernel
def draw_parts(
    view: Record, params: Record, buffers: RolloutBuffers, parts: int, seed: int, world: int, game: Record
) -> None:
    """Redraw some parts of a true state from a seat's view, and its future chance in any case.

    The streams depend on seed and world only, so that worlds of different parts share what they can.
    """
    open_stream(buffers.streams[0], seed, world, RESAMPLED)
    gather(view, params, buffers.evidence[0])
    if parts & ROLES:
        give_roles(view, buffers.evidence[0], PLAYING, buffers.streams[0], game)
        note_looks(game)
    open_stream(buffers.streams[0], seed, world, TRIED)
    if parts & TILES:
        model = UNIFORM_CHOICE if parts & ALIKE else PLAYING
        give_tiles(view, params, buffers.evidence[0], model, buffers.streams[0], game)
    if parts & CARDS:
        give_cards(view, params, buffers.streams[0], game)
        game["private"][int(view["seat"])] = view["private"]
    if parts & TILES:
        give_knowledge(view, params, game)
    open_stream(game["chance"], seed, world, CHANCE)
    open_stream(game["agents"], seed, world, AGENTS)


@kernel
def value_others(
    states: Records,
    views: Records,
    params: Records,
    legal: Vector,
    chosen: Whole,
    mixes: Whole,
    worlds: int,
    turns: int,
    seed: int,
    gains: Numbers,
) -> None:
    """Write the mean gain of the other actions over the chosen one in each state and mix. gains: (n, mixes)."""
    buffers = make_buffers()
    drawn = np.zeros(1, STATE)
    for index in range(len(states)):
        view = views[index]
        buffers.last_turn[0] = int(view["table"]["turn"]) + turns
        others = legal[index].sum() - 1
        for mix in range(len(mixes)):
            for world in range(worlds):
                drawn[0] = states[index]
                draw_parts(view, params[0], buffers, int(mixes[mix]), seed, index * worlds + world, drawn[0])
                for action in range(NUM_ACTIONS):
                    if legal[index, action]:
                        buffers.games[0] = drawn[0]
                        engine.step(buffers.games[0], params[0], action)
                        play_on(buffers, params[0])
                        won = worth(buffers, params[0], int(view["seat"])) / worlds
                        if action == chosen[index]:
                            gains[index, mix] -= won
                        else:
                            gains[index, mix] += won / others
    drawn[0]["number"] = 0  # Numba frees an array after its last use, even if records of it are in use


def decisions_of(batch: Batch, first: int, most: int, rng: np.random.Generator) -> Decisions:
    """Decisions of games between rule-based agents, numbered from `first`: about `most` of each kind of question."""
    batch.deal(first + np.arange(batch.num_envs))
    none = np.zeros((batch.num_envs, 0), np.int32)
    parts: list[tuple[Records, Vector, Whole, Whole, Whole]] = []
    while batch.acting.any():
        indices, actions = np.flatnonzero(batch.acting), np.zeros(batch.num_envs, np.int64)
        streams = batch.agent_streams()
        actions[indices] = answers(RULE_BASED, batch, indices, none[indices], streams)
        batch.put_agent_streams(streams)
        kept = indices[batch.action_mask[indices].sum(axis=1) > 1]
        question = batch.games["table"]["question"][kept].astype(np.int64)
        number = batch.game_number[kept].copy()
        parts.append((take_records(batch.games, kept), batch.action_mask[kept], actions[kept], question, number))
        batch.step(actions)
    states, legal, chosen, question, game = (np.concatenate(column) for column in zip(*parts, strict=True))
    order = rng.permutation(len(states))
    rank = np.zeros(len(states), np.int64)  # among the decisions of its kind
    for kind in np.unique(question):
        there = order[question[order] == kind]
        rank[there] = np.arange(len(there))
    kept = np.flatnonzero(rank < most)
    return Decisions(take_records(states, kept), legal[kept], chosen[kept], question[kept], game[kept])


@dataclass(frozen=True)
class Measured:
    """Decisions with their gains by mix (n, mixes), and the role posteriors there, (n, seats, roles)."""

    decisions: Decisions
    mixes: tuple[str, ...]
    gains: Numbers
    posteriors: Numbers
    truth: Whole
    hidden: npt.NDArray[np.bool_]  # (n, seats): seats whose role the posterior leaves open


def measure(
    num_players: int, games: int, most: int, worlds: int, turns: int, seed: int, mixes: tuple[str, ...] = tuple(MIXES)
) -> Measured:
    """Play games and value the decisions, at most `most` of each kind of question for every NUM_ENVS games."""
    batch = Batch(GAME, min(games, NUM_ENVS), seed=seed, num_players=num_players, auto_reset=False)
    rng, deduction = np.random.default_rng(seed), Deduction.of(batch.params)
    parts, batches = np.array([MIXES[mix] for mix in mixes]), []
    for first in range(0, games, batch.num_envs):
        decisions = decisions_of(batch, first, most, rng)
        states = Batch(GAME, len(decisions.states), seed=0, num_players=num_players, auto_reset=False)
        states.set_state(decisions.states)
        views = states.look(states.seat)
        gains = np.zeros((len(views), len(mixes)))
        value_others(
            *(decisions.states, views, batch.params, decisions.legal, decisions.chosen),
            *(parts, worlds, turns, seed + first, gains),
        )
        posteriors = deduction.roles(views)
        truth = decisions.states["private"]["role"][:, :num_players].astype(np.int64)
        batches.append((decisions, gains, posteriors, truth, posteriors.max(axis=2) < 1))
    columns = list(zip(*batches, strict=True))
    names = Decisions.__dataclass_fields__
    decisions = Decisions(*(np.concatenate([getattr(part, name) for part in columns[0]]) for name in names))
    return Measured(decisions, mixes, *(np.concatenate(column) for column in columns[1:]))


def gaps_of(measured: Measured) -> list[Gap]:
    """Gains and gaps for each kind of question, with intervals over games, in points."""
    gaps, true = [], measured.mixes.index("true")
    for kind in np.unique(measured.decisions.question):
        here = measured.decisions.question == kind
        game, gains = measured.decisions.game[here], 100 * measured.gains[here]
        gaps.append(
            Gap(
                Question(kind).name,
                {mix: clustered_mean(gains[:, place], game) for place, mix in enumerate(measured.mixes)},
                {
                    mix: clustered_mean(gains[:, place] - gains[:, true], game)
                    for place, mix in enumerate(measured.mixes)
                    if place != true
                },
            )
        )
    return gaps


def show_gaps(console: Console, measured: Measured, num_players: int) -> None:
    """Print the gains and gaps of each kind of question."""
    table = Table(title=f"other actions less the chosen one, {num_players} players, points", box=box.SIMPLE)
    drawn = [mix for mix in measured.mixes if mix != "true"]
    for heading in ("question", "states", "true", *(f"{mix} - true" for mix in drawn)):
        table.add_column(heading, justify="left" if heading == "question" else "right")
    for gap in gaps_of(measured):
        halves = (f"{mean.value:+.2f} ±{(mean.high - mean.low) / 2:.2f}" for mean in gap.gaps.values())
        table.add_row(gap.question, f"{gap.gains['true'].count:,}", f"{gap.gains['true'].value:+.2f}", *halves)
    console.print(table)


def show_roles(console: Console, measured: Measured) -> None:
    """Print the log loss of the roles at each kind of question, and how often claims of each size are true."""
    asked, games = measured.decisions.question, measured.decisions.game
    scores = score(measured.posteriors, measured.truth, measured.hidden, asked, games, GAME.roles)
    losses = (f"{Question(kind).name} {group.own.log_loss.value:.3f}" for kind, group in scores.by_group.items())
    console.print(f"log loss of a seat's role: all {scores.overall.own.log_loss.value:.3f}, {', '.join(losses)}")
    bins = (f"{100 * each.predicted:.0f} {100 * each.observed.value:.1f}" for each in scores.overall.own.bins)
    console.print(f"claimed and true, % of the roles claimed: {', '.join(bins)}")


def main(
    players: Annotated[int, typer.Option(help="Number of players.")] = 7,
    games: Annotated[int, typer.Option(min=1, help="Number of games.")] = 3000,
    most: Annotated[int, typer.Option(min=1, help="States of each question, from every 500 games.")] = 5000,
    worlds: Annotated[int, typer.Option(min=1, help="Worlds of each state and mix.")] = 1,
    turns: Annotated[int, typer.Option(help="Turns to play on, the current one included; 0 plays to the end.")] = 2,
    mixes: Annotated[str, typer.Option(help="What is drawn; true comes first.")] = ",".join(MIXES),
    seed: Annotated[int, typer.Option()] = 100,
) -> None:
    """Measure how drawn worlds value choices, and print the gaps."""
    wanted = tuple(mixes.split(","))
    for mix in wanted:
        check_choice("mixes", mix, tuple(MIXES))
    console = Console(width=130)
    measured = measure(players, games, most, worlds, turns_played(turns), seed, wanted)
    show_gaps(console, measured, players)
    show_roles(console, measured)
