"""What a seat would gain against a lineup if it saw every card: an upper check of a best response.

    python experiments/studies cheating_responder --lineup student --players 7 --games 4000

`riverbed exploit` trains a best response that sees what a seat may see, so what it gains is a lower bound. This
responder cheats: it tries each legal action in the true state, where the lineup's agent plays on in every seat,
and takes what stands best after some turns. It is compared with the lineup's own agent in the same seats of the same
deals, by winners.
"""

from __future__ import annotations

from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.options import check_whole
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.players.agents import CompiledAgent, answers
from riverbed_env.players.specs import find_agent
from riverbed_env.playouts.judges import find_judge
from riverbed_env.playouts.labels import MOST_TURNS, Labeller, PlayOuts
from riverbed_lab.playing.choices import choices
from riverbed_lab.statistics import Mean, clustered_mean, in_points

from .kit import ALL_ROLES, GamesOfRole, Players, Roles, Seed, Threads, print_table

MOST_GAMES = 10**6

Won = npt.NDArray[np.bool_]


def responder(name: str) -> CompiledAgent:
    """The lineup's agent. Raises OptionError if it can't play on from the middle of a game."""
    agent = find_agent(name, GAME.name)
    if not isinstance(agent, CompiledAgent) or agent.memory_size:
        raise OptionError(f"{name} can't play on from the middle of a game: it isn't compiled, or has a memory")
    return agent


def games_won(
    agent: CompiledAgent, role: str, num_players: int, games: int, threads: int, seed: int, turns: int | None
) -> Won:
    """Which games a seat of the role wins, (games,).

    turns: the seat cheats, and looks so many turns ahead, 0 to the end; None: the agent has the seat.
    """
    learners = LearnerBatch(
        GAME, games, role=role, opponents=agent, seed=seed, view="now", autoreset="off", num_players=num_players,
        threads=threads,
    )  # fmt: skip
    tables = learners.tables
    how = PlayOuts((0 if turns is None else turns,), 0, None, agent, find_judge(GAME))
    labeller = Labeller(tables, how, "now", ())
    for several, actions in choices(learners):
        if turns is None:
            no_memory = np.zeros((len(several), 0), np.int32)
            actions[several] = answers(agent, tables.batch, several, no_memory, tables.batch.agent_streams())
        else:
            actions[several] = np.nanargmax(labeller.label(several, None, seed, 0)[:, :, 0], axis=1)
    won: Won = tables.returns[np.arange(games), learners.seat] > 0
    return won


def main(
    lineup: Annotated[str, typer.Option(help="The agent in all other seats, compared with.")] = "student",
    players: Players = 7,
    roles: Roles = ALL_ROLES,
    games: GamesOfRole = 4000,
    turns: Annotated[int, typer.Option(min=0, max=MOST_TURNS, help="Turns that it looks ahead; 0: to the end.")] = 2,
    threads: Threads = 1,
    seed: Seed = 1,
) -> None:
    """Say what a seat would gain against a lineup if it saw every card."""
    check_whole("games", games, 2, MOST_GAMES)
    agent, rows = responder(lineup), []
    for role in roles.split(","):
        own, cheating = (games_won(agent, role, players, games, threads, seed, each) for each in (None, turns))
        gain: Mean = clustered_mean(cheating.astype(np.float64) - own, np.arange(games))
        shares = (f"{100 * each.mean():.1f}" for each in (own, cheating))
        rows.append((role, *shares, in_points(gain.value, gain.low, gain.high)))
    title = f"a seat that sees every card among {lineup}, {players} players, {games:,} deals a role, {turns} turns"
    print_table(title, ("role", f"{lineup} wins, %", "it wins, %", "gain"), rows)
