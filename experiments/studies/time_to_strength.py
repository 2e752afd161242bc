"""How much processor time MaskablePPO's usual way and `riverbed train` take to the same strength.

    python experiments/studies time_to_strength
    python experiments/studies time_to_strength --game deep_river --steps 400000

trains MaskablePPO with Stable-Baselines3's defaults in a seat of a game among random players, then `riverbed train`'s
learner with its own defaults until it has gained as much over random play at two evaluations in a row, on the same
deals. In Riverbed Hunt the seat is that of a separatist of 7.
"""

import time
from collections.abc import Callable
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Annotated

import typer

from riverbed_env.core.card import table
from riverbed_env.envs.sb3 import LearnerVecEnv, agent_of
from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import lineups
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import errors
from riverbed_lab.ppo import Learner
from riverbed_lab.speed.ours import HUNT
from riverbed_lab.statistics import Difference
from riverbed_lab.training.build import build_training
from riverbed_lab.training.config import TrainingConfig
from riverbed_lab.training.evaluation import Evaluation, lead
from riverbed_lab.training.process import prepare_process

from .kit import say
from .learning_speed import PLAYERS, ROLE, USUAL_OF_EIGHT, quiet_ppo

RANDOM, GAMES, EVERY, ROWS = "random", 10_000, 2**16, ["learner", "decisions", "processor seconds", "gain, points"]
Row = tuple[str, str, str, str]
Gain = Callable[[Agent], Difference]  # over random play


def main(
    steps: Annotated[int, typer.Option(min=1, help="Decisions of MaskablePPO.")] = 1_000_000,
    precision: Annotated[str, typer.Option(help="Of riverbed train: float32 or bfloat16.")] = "bfloat16",
    game: Annotated[str, typer.Option(help="The game's id.")] = HUNT,
) -> None:
    """Measure the time to a strength."""
    prepare_process(1)
    chosen = find_game(game)
    role, players = (ROLE, PLAYERS) if chosen.id == HUNT else (None, chosen.default_players)
    seat = {"role": role, "opponents": RANDOM, "view": "now"}
    others, reference = lineups(chosen, RANDOM), find_agent(RANDOM, chosen.name)
    deals = Evaluation(chosen, others, reference, role=role, games=GAMES, threads=1, num_players=players)

    def gain(agent: Agent) -> Difference:
        return lead(deals.won(agent), deals.won_by_reference)

    with errors.status("training MaskablePPO …"):
        env = LearnerVecEnv(chosen.id, USUAL_OF_EIGHT.envs, seed=0, num_players=players, **seat)
        usual, row = usual_way(env, steps, gain)
    with errors.status("training riverbed train's learner …"):
        given = {"game": chosen.id, "players": [players], "precision": precision, "steps": steps, "threads": 1, **seat}
        say(table(ROWS, [row, ours(build_training(given, "the usual training"), usual.value, gain)]))


def usual_way(env: LearnerVecEnv, steps: int, gain: Gain) -> tuple[Difference, Row]:
    """What MaskablePPO gains with the usual settings."""
    model = quiet_ppo(env, USUAL_OF_EIGHT)
    begun = time.process_time()
    model.learn(steps)
    seconds, found = time.process_time() - begun, gain(agent_of(model, env))
    return found, told("MaskablePPO", model.num_timesteps, seconds, found)


def ours(config: TrainingConfig, wanted: float, gain: Gain) -> Row:
    """What `riverbed train` gains when it has gained as much as is wanted twice in a row, or after all steps."""
    learner, seconds, reached = Learner(config), 0.0, 0
    with TemporaryDirectory() as folder:
        while True:
            until, begun = learner.steps + EVERY, time.process_time()
            while learner.steps < until:
                learner.learn(config.rollout_steps, config.learning_rate)
            seconds += time.process_time() - begun
            learner.save_policy(path := Path(folder) / "policy.npz")
            found = gain(load_policy(path, config.known_game(), name="learner"))
            reached = reached + 1 if found.value >= wanted else 0
            if reached == 2 or learner.steps >= config.steps:
                return told(f"riverbed train, {config.precision}", learner.steps, seconds, found)


def told(name: str, decisions: int, seconds: float, found: Difference) -> Row:
    """A row of the table."""
    low, value, high = (f"{100 * each:+.1f}" for each in (found.low, found.value, found.high))
    return name, f"{decisions:,}", f"{seconds:,.0f}", f"{value} ({low} to {high})"
