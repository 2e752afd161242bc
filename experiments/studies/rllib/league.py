"""A league with RLlib: a policy a role learns against the others and their past selves, at tables of 4 to 9 seats.

    python experiments/studies rllib.league --iterations 50 --every 10 --runners 2 --out results/rllib_league

prints, after each iteration, what every main policy's seats earned in a game. `--kill-at 20` kills a runner with
SIGKILL after that iteration: RLlib restarts it, and training goes on meanwhile.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import Annotated, Any

import typer

from riverbed_env.registry import find_game
from riverbed_lab.cluster import LOCAL, connected

from ..kit import say


def league_config(
    game: str, runners: int, every: int, most: int, *, batch: int, hidden: Sequence[int], **options: Any
) -> Any:
    """PPO for a policy a role, their past selves, and runners that are restarted when they die.

    options: of `riverbed_env.integrations.rllib.configure`.
    """
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

    from riverbed_env.integrations.rllib import configure
    from riverbed_env.integrations.rllib.league import Matchmaker, RoleLeague

    config = configure(PPOConfig(), game, mapping=Matchmaker(), **options)
    config.callbacks(partial(RoleLeague, every=every, most=most))
    config.rl_module(model_config=DefaultModelConfig(fcnet_hiddens=list(hidden)))
    config.training(
        train_batch_size_per_learner=batch, minibatch_size=min(2048, batch), num_epochs=2, lr=5e-4, entropy_coeff=0.01
    )
    config.env_runners(num_env_runners=runners)
    config.fault_tolerance(restart_failed_env_runners=True)
    return config


def train(algorithm: Any, iterations: int, kill_at: int = 0) -> Iterator[dict[str, Any]]:
    """Train so many iterations; yields RLlib's results. kill_at: after which to kill the first runner; 0 for none."""
    for iteration in range(1, iterations + 1):
        yield algorithm.train()
        if iteration == kill_at:
            processes = algorithm.env_runner_group.foreach_env_runner(lambda _: os.getpid(), local_env_runner=False)
            os.kill(processes[0], signal.SIGKILL)


def report(result: dict[str, Any], roles: Sequence[str], algorithm: Any) -> str:
    """A line on an iteration: decisions and games so far, what each role's main policy earned, and past selves."""
    played = result["env_runners"]
    earned = played.get("module_episode_returns_mean", {})
    past = sum(map(len, algorithm.config.policy_mapping_fn.past.values()))
    restarts = algorithm.env_runner_group.num_remote_worker_restarts()
    words = [
        f"iteration {result['training_iteration']}: {played['num_env_steps_sampled_lifetime']:,.0f} decisions",
        *(f"{role} {earned.get(role, 0.0):+.2f}" for role in roles),
        f"{past} past selves",
        *([f"{restarts} runners restarted"] if restarts else []),
    ]
    return ", ".join(words)


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "riverbed_hunt_v1",
    players: Annotated[str, typer.Option(help="Player counts, mixed.")] = "4,5,6,7,8,9",
    iterations: Annotated[int, typer.Option(min=1, help="Iterations of learning.")] = 50,
    every: Annotated[int, typer.Option(min=1, help="Iterations between past selves.")] = 10,
    most: Annotated[int, typer.Option(min=1, help="Past selves kept of each role.")] = 5,
    runners: Annotated[int, typer.Option(min=0, help="Runners; 0 plays in this process.")] = 2,
    envs: Annotated[int, typer.Option(min=1, help="Games of each runner.")] = 256,
    batch: Annotated[int, typer.Option(min=1, help="Decisions of each iteration.")] = 20_000,
    hidden: Annotated[str, typer.Option(help="Widths of the networks' layers.")] = "256,256",
    kill_at: Annotated[int, typer.Option(min=0, help="Kill a runner after this iteration; 0 for never.")] = 0,
    ray: Annotated[str, typer.Option(help="A Ray cluster: auto, HOST:PORT, ray://HOST:PORT or local.")] = LOCAL,
    out: Annotated[Path | None, typer.Option(help="Folder for RLlib's checkpoint.")] = None,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games.")] = 0,
) -> None:
    """Train a league."""
    known = find_game(game)
    counts, layers = ([int(word) for word in text.split(",")] for text in (players, hidden))
    config = league_config(
        known.id, runners, every, most, batch=batch, hidden=layers, num_players=counts, num_envs=envs, seed=seed
    )
    with connected(ray):
        algorithm = config.build_algo()
        try:
            for result in train(algorithm, iterations, kill_at):
                say(report(result, known.roles, algorithm))
            if out is not None:
                algorithm.save_to_path(str(out.resolve()))
        finally:
            algorithm.stop()
