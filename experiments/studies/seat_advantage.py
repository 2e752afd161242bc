"""How much one seat can gain over a baseline agent: another agent takes it, and each differing choice is valued.

    python experiments/studies seat_advantage --agent search --over rule_based --players 7 --games 200

All other seats are played by the baseline agent. The gain of the seat's camp is the sum over a game of what each
decision that differs gains (the performance difference: Kakade and Langford 2002). Both choices are played on by the
baseline in many worlds drawn from what the seat knows, with common random numbers, which has far less variance than
counting winners. The estimate is as good as the deduction that draws the worlds; the win rates beside it, on common
deals with the agent itself in the seat, need no such assumption.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.batch import Batch
from riverbed_env.deduction.service import Deduction
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.kernels.compile import max_threads
from riverbed_env.players.agents import Agent, answers
from riverbed_env.players.arena import Arena
from riverbed_env.players.specs import find_agent
from riverbed_lab.cli.console import progress_bar
from riverbed_lab.playing.play import deal, finish, watch
from riverbed_lab.statistics import Difference, clustered_mean, paired_difference

from .kit import ALL_ROLES, GamesOfRole, Players, Roles, Seed, print_table

Whole = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Records = npt.NDArray[np.void]

NUM_ENVS = 8192  # games played on at once
DEALS_FOR_EACH = 4  # examined for each game wanted: with 4 players not every deal has a profiteer


@dataclass(frozen=True)
class Change:
    """A decision the agent makes differently: its game, the seat's view (1,), the choice and the baseline's choice."""

    game: int
    view: Records
    chosen: int
    usual: int


@dataclass(frozen=True)
class Advantage:
    """The gain of a role's camp with the agent in one of its seats, as a share of games."""

    role: str
    games: int
    wins: float  # with the baseline agent there too
    changes: float  # differing choices, a game
    by_choices: Difference
    by_winners: Difference


def seats_of(role: str, games: int, num_players: int, seed: int) -> tuple[Whole, Whole]:
    """The numbers of the first deals with the role, and its first seat in each. Raises OptionError if none has it."""
    numbers = np.arange(DEALS_FOR_EACH * games)
    held = GAME.roles_of(deal(GAME, numbers, seed, num_players=num_players)) == GAME.roles.index(role)
    there = np.flatnonzero(held.any(axis=1))[:games]
    if not len(there):
        raise OptionError(f"no game of {num_players} players has the role {role}")
    return there, held[there].argmax(axis=1)


def play_otherwise(batch: Batch, agent: Agent, usual: Agent, numbers: Whole, focus: Whole) -> Iterator[Change]:
    """Play the games of these numbers with an agent in the seats in focus; yield its differing decisions."""
    batch.deal(numbers)
    memory = np.zeros((len(numbers), agent.memory_size), np.int32)
    none = np.zeros((len(numbers), 0), np.int32)
    while batch.acting.any():
        indices, actions = np.flatnonzero(batch.acting), np.zeros(batch.num_envs, np.int64)
        streams, the_same = batch.agent_streams(), batch.agent_streams()
        actions[indices] = answers(usual, batch, indices, none[indices], streams)
        focused = indices[batch.seat[indices] == focus[indices]]
        if len(focused):
            kept = memory[focused]
            chosen = answers(agent, batch, focused, kept, the_same)
            memory[focused], streams[focused] = kept, the_same[focused]
            changed = chosen != actions[focused]
            if changed.any():
                views = batch.look(np.maximum(batch.seat, 0))
                for index, choice in zip(focused[changed].tolist(), chosen[changed].tolist()):
                    yield Change(index, views[index : index + 1], choice, int(actions[index]))
            actions[focused] = chosen
        batch.put_agent_streams(streams)
        batch.step(actions)


def gains_of(
    changes: Sequence[Change], worlds: int, usual: Agent, camp: int, num_players: int, deduction: Deduction, seed: int
) -> Numbers:
    """The gain in a camp's win rate by each choice over the baseline's, (n,), in worlds drawn from the views."""
    at_once = max(1, min(len(changes), NUM_ENVS // (2 * worlds)))
    arena = Arena(GAME, [usual], at_once * 2 * worlds, num_players=num_players, threads=max_threads())
    gains = np.zeros(len(changes))
    for begin in range(0, len(changes), at_once):
        places = np.minimum(np.arange(begin, begin + at_once), len(changes) - 1)  # the last one fills up
        drawn = [deduction.resample(np.repeat(changes[place].view, worlds), seed + place) for place in places.tolist()]
        states = np.concatenate([np.tile(some, 2) for some in drawn])
        taken = np.array([[changes[place].chosen, changes[place].usual] for place in places])
        won = (finish(arena, states, np.repeat(taken.reshape(-1), worlds)) == camp).reshape(-1, 2, worlds).mean(axis=2)
        gains[places] = won[:, 0] - won[:, 1]
    return gains


def measure(agent: Agent, usual: Agent, role: str, num_players: int, games: int, worlds: int, seed: int) -> Advantage:
    """What a role's camp gains by the agent in its first seat. Raises OptionError for a baseline with a memory."""
    if usual.memory_size:
        raise OptionError(f"{usual.name} keeps a memory, so it can't play on from the middle of a game")
    numbers, focus = seats_of(role, games, num_players, seed)
    batch = Batch(GAME, len(numbers), seed=seed, num_players=num_players, auto_reset=False)
    deduction = Deduction.of(batch.params)
    camp = GAME.camps.index(GAME.camp_of_role[role])
    changes = list(play_otherwise(batch, agent, usual, numbers, focus))
    won = GAME.columns(batch.games)["winner"] == camp
    for _ in watch(batch, [usual], np.zeros((batch.num_envs, num_players), np.int64), numbers):
        pass
    before = GAME.columns(batch.games)["winner"] == camp
    of_each = gains_of(changes, worlds, usual, camp, num_players, deduction, seed)
    gains = np.bincount([change.game for change in changes], of_each, len(numbers))
    mean = clustered_mean(gains, numbers)
    return Advantage(
        role, len(numbers), float(before.mean()), len(changes) / len(numbers),
        Difference(mean.value, mean.low, mean.high, mean.count, mean.blocks),
        paired_difference(won, numbers, before, numbers, seed),
    )  # fmt: skip


def main(
    agent: Annotated[str, typer.Option(help="The agent in the one seat.")] = "search",
    over: Annotated[str, typer.Option(help="The baseline agent, in all other seats; without memory.")] = "rule_based",
    players: Players = 7,
    roles: Roles = ALL_ROLES,
    games: GamesOfRole = 200,
    worlds: Annotated[int, typer.Option(help="Worlds in which a differing choice is valued.")] = 200,
    seed: Seed = 0,
) -> None:
    """Measure how much a role's camp gains by another agent in one of its seats."""
    chosen, usual = find_agent(agent, GAME.name), find_agent(over, GAME.name)
    rows = []
    with progress_bar() as bar:
        for role in bar.track(roles.split(","), description=f"{games} games of each role, and what choices were worth"):
            advantage = measure(chosen, usual, role, players, games, worlds, seed)
            gains = str(advantage.by_choices), str(advantage.by_winners)
            rows.append((role, str(advantage.games), f"{100 * advantage.wins:.1f}", f"{advantage.changes:.2f}", *gains))
    print_table(
        f"one {agent} among {over}, {players} players, points with 95 % intervals",
        ("role", "games", "wins %", "choices changed a game", "gain by choices", "gain by winners"),
        rows,
    )
