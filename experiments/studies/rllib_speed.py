"""How fast RLlib collects decisions: the batched runner beside RLlib's own, with the same modules on the same games.

    python experiments/studies rllib_speed --seconds 20

prints decisions per second of one runner, episodes and metrics included, without learning.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, Any

import typer

from riverbed_lab.cluster import LOCAL, connected

from .kit import Play, Seed, print_table, rate

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
            rows.append((name, *(f"{each:,.0f}" for each in rate(sampling(runner, 40), seconds))))
            runner.stop()
    print_table(
        f"{game}, {players} players, view {view}, networks {hidden}",
        ("runner", "decisions/s", "per second of processor time"),
        rows,
    )


def ppo(game: str, counts: Sequence[int], batched: bool, num_envs: int, layers: list[int], **options: Any) -> Any:
    """A config of PPO with a policy for each role."""
    from ray.rllib.algorithms.ppo import PPOConfig
    from ray.rllib.core.rl_module.default_model_config import DefaultModelConfig

    from riverbed_env.integrations.rllib import configure

    config = configure(PPOConfig(), game, num_players=counts, num_envs=num_envs, batched=batched, **options)
    return config.rl_module(model_config=DefaultModelConfig(fcnet_hiddens=layers))


def make_runner(
    game: str, counts: Sequence[int], batched: bool, num_envs: int, layers: list[int], **options: Any
) -> Any:
    """A runner of PPO in this process, with a policy for each role."""
    from ray.rllib.env.multi_agent_env_runner import MultiAgentEnvRunner

    from riverbed_env.integrations.rllib import BatchEnvRunner

    config = ppo(game, counts, batched, num_envs, layers, **options)
    return (BatchEnvRunner if batched else MultiAgentEnvRunner)(config, worker_index=1)


def sampling(runner: Any, steps: int) -> Play:
    """Samples so many decisions of each game, metrics included."""

    def play() -> int:
        episodes = runner.sample(num_timesteps=steps * runner.num_envs)
        runner.get_metrics()
        return sum(episode.agent_steps() for episode in episodes)

    return play
