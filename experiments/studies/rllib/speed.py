"""How fast RLlib collects decisions: the batched runner beside RLlib's own, with the same modules on the same games.

    python experiments/studies rllib.speed --seconds 20

prints decisions per second of one runner, episodes and metrics included, without learning.
"""

from __future__ import annotations

import time
from typing import Annotated, Any

import typer

from riverbed_lab.ray_address import LOCAL
from riverbed_lab.ray_calls import connected

from ..kit import Seed, print_table

WAYS = {
    "RLlib's runner, one game": (False, 1),
    "RLlib's runner, 16 games": (False, 16),
    "batched, 512 games": (True, 512),
}


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "riverbed_hunt_v1",
    players: Annotated[str, typer.Option(help="Player counts, mixed.")] = "4,5,6,7,8,9",
    view: Annotated[str, typer.Option(help="What observations show: history or now.")] = "history",
    hidden: Annotated[str, typer.Option(help="Widths of the networks' layers.")] = "256,256",
    seconds: Annotated[float, typer.Option(help="Seconds of each way.")] = 20.0,
    seed: Seed = 0,
) -> None:
    """Measure both ways and print a table."""
    counts, layers = ([int(word) for word in text.split(",")] for text in (players, hidden))
    with connected(LOCAL):
        rows = []
        for name, (batched, num_envs) in WAYS.items():
            runner = make_runner(game, counts, batched, num_envs, layers, view=view, seed=seed)
            rows.append((name, *(f"{each:,.0f}" for each in speed(runner, seconds))))
            runner.stop()
    print_table(
        f"{game}, {players} players, view {view}, networks {hidden}",
        ("runner", "decisions/s", "per second of processor time"),
        rows,
    )


def make_runner(game: str, counts: list[int], batched: bool, num_envs: int, layers: list[int], **options: Any) -> Any:
    """A runner of PPO in this process, with a policy for each role."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

    from riverbed_env.integrations.rllib import BatchEnvRunner, configure

    config = configure(PPOConfig(), game, num_players=counts, num_envs=num_envs, batched=batched, **options)
    config.rl_module(model_config=DefaultModelConfig(fcnet_hiddens=layers))
    return (BatchEnvRunner if batched else MultiAgentEnvRunner)(config, worker_index=1)


def speed(runner: Any, seconds: float) -> tuple[float, float]:
    """Decisions per second, and per second of processor time, over so many seconds after a first call that compiles."""
    size = max(200, 40 * runner.num_envs)
    runner.sample(num_timesteps=size)
    begun, worked, decisions = time.perf_counter(), time.process_time(), 0
    while time.perf_counter() - begun < seconds:
        decisions += sum(episode.agent_steps() for episode in runner.sample(num_timesteps=size))
        runner.get_metrics()
    return decisions / (time.perf_counter() - begun), decisions / (time.process_time() - worked)
