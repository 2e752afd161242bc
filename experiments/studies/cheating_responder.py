"""What one seat would gain if it saw everything: an upper check of best responses.

    python experiments/studies cheating_responder --agents rule_based --agents selfplay

The responder tries each action in the true state. The agents play the turn to its end, and the value network says who
wins. The responder takes the best action. Its wins are compared with the agent's own on the same deals. It looks one
turn ahead, so an optimal responder that sees everything may gain more.
"""

from collections.abc import Callable
from typing import Annotated

import numpy as np
import numpy.typing as npt
import typer

from riverbed_env.core.options import check_whole
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT as GAME
from riverbed_env.kernels.compile import Whole
from riverbed_env.players.agents import CompiledAgent, answers
from riverbed_env.players.specs import find_agent
from riverbed_env.rollouts.action_values import ActionValues, Rollouts
from riverbed_env.rollouts.hooks import find_hooks
from riverbed_lab.playing.choices import choices
from riverbed_lab.statistics import Difference
from riverbed_lab.training.evaluation import lead

from .kit import ALL_ROLES, GamesOfRole, Players, Roles, Seed, print_table

MOST_GAMES = 10**5  # memory holds all games at once
Choose = Callable[[Whole], Whole]  # actions of these games


def won(learners: LearnerBatch, choose: Choose) -> npt.NDArray[np.bool_]:
    """Which of the games are won, which are dealt again."""
    learners.reset(first_game=0)
    for several, actions in choices(learners):
        actions[several] = choose(several)
    returns = learners.tables.batch.returns
    return np.asarray(returns[np.arange(len(returns)), learners.seat] > 0)


def gain(agent: CompiledAgent, role: str, num_players: int, games: int, seed: int) -> Difference:
    """What the responder gains in a seat of this role where the agent plays all others."""
    learners = LearnerBatch(
        GAME, games, role=role, opponents=agent.name, view="now", autoreset="off", seed=seed, num_players=num_players
    )
    values = ActionValues(learners.tables, Rollouts((1,), 0, None, agent, find_hooks(GAME)), "now", learners.features)
    batch = learners.tables.batch

    def by_truth(several: Whole) -> Whole:
        return np.asarray(np.nanargmax(values.estimate(several, None, seed, 0)[:, :, 0], axis=1))

    def by_agent(several: Whole) -> Whole:
        return answers(agent, batch, several, np.zeros((len(several), 0), np.int32), batch.agent_streams())

    return lead(won(learners, by_truth), won(learners, by_agent))


def main(
    agents: Annotated[list[str], typer.Option(help="An agent in all other seats, without a memory; repeatable.")],
    players: Players = 7,
    roles: Roles = ALL_ROLES,
    games: GamesOfRole = 1000,
    seed: Seed = 900_001,
) -> None:
    """Measure what a responder gains that sees the full state."""
    check_whole("games", games, 1, MOST_GAMES)
    chosen, rows = roles.split(","), []
    for name in agents:
        agent = find_agent(name, GAME.name)
        if not isinstance(agent, CompiledAgent):
            raise typer.BadParameter(f"{name} isn't compiled, so it can't play on")
        rows.append((name, *(str(gain(agent, role, players, games, seed)) for role in chosen)))
    print_table(f"gain of a responder that sees everything, points, {players} players", ("agent", *chosen), rows)
