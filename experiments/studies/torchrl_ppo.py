"""PPO with TorchRL: one policy for all seats of a game learns by self-play, and is compared with random play.

    python experiments/studies torchrl_ppo --game deep_river_v0 --decisions 300000

prints the average return of a seat that the policy plays among random ones, and a random seat's on the same deals.
"""

from __future__ import annotations

from typing import Annotated

import torch
import typer
from tensordict import TensorDictBase
from tensordict.nn import TensorDictModule
from torch import Tensor, nn
from torchrl.collectors import Collector
from torchrl.modules import MaskedCategorical, ProbabilisticActor, ValueOperator
from torchrl.objectives import ClipPPOLoss
from torchrl.objectives.value import GAE

from riverbed_env.integrations.torchrl import RiverbedEnv, own_turns
from riverbed_lab.cli.console import console


class Layers(nn.Module):
    """A multilayer perceptron over an int8 observation."""

    def __init__(self, inputs: int, outputs: int, width: int = 128) -> None:
        super().__init__()
        self.layers = nn.Sequential(
            nn.Linear(inputs, width), nn.Tanh(), nn.Linear(width, width), nn.Tanh(), nn.Linear(width, outputs)
        )

    def forward(self, observation: Tensor) -> Tensor:
        """The outputs, (*, outputs)."""
        outputs: Tensor = self.layers(observation.float())
        return outputs


def networks(env: RiverbedEnv) -> tuple[ProbabilisticActor, ValueOperator]:
    """A masked policy and a critic for the environment's turns."""
    inputs, actions = env.observation_spec["observation"].shape[-1], env.action_spec.space.n
    policy = ProbabilisticActor(
        TensorDictModule(Layers(inputs, actions), in_keys=["observation"], out_keys=["logits"]),
        in_keys={"logits": "logits", "mask": "action_mask"},
        distribution_class=MaskedCategorical,
        return_log_prob=True,
    )
    return policy, ValueOperator(Layers(inputs, 1), in_keys=["observation"])


class Learner:
    """PPO over each agent's own turns."""

    def __init__(self, env: RiverbedEnv, epochs: int = 4, minibatch: int = 2048) -> None:
        self.policy, critic = networks(env)
        self.advantage = GAE(gamma=1.0, lmbda=0.95, value_network=critic)
        self.loss = ClipPPOLoss(self.policy, critic, entropy_coeff=0.005, normalize_advantage=True)
        self.optimizer = torch.optim.Adam(self.loss.parameters(), 1e-3)
        self.epochs, self.minibatch = epochs, minibatch

    def learn(self, turns: TensorDictBase) -> None:
        """Some epochs over agents' own turns."""
        with torch.no_grad():
            self.advantage(turns)
        for _ in range(self.epochs):
            for rows in torch.split(torch.randperm(len(turns)), self.minibatch):
                self._improve(turns[rows])

    def _improve(self, turns: TensorDictBase) -> None:
        losses = self.loss(turns)
        total = losses["loss_objective"] + losses["loss_critic"] + losses["loss_entropy"]
        self.optimizer.zero_grad()
        total.backward()
        nn.utils.clip_grad_norm_(self.loss.parameters(), 0.5)
        self.optimizer.step()


@torch.no_grad()
def wins(env: RiverbedEnv, policy: ProbabilisticActor | None, seed: int = 10**6) -> float:
    """How much a seat gets on average that the policy plays among random ones; each lane's seat is its own.

    policy: None for random play in this seat too.
    """
    env.set_seed(seed)
    now = env.reset()
    mine = torch.arange(len(now)) % env.batch.num_players
    paid, over = torch.zeros(len(now)), torch.zeros(len(now), dtype=torch.bool)
    while not over.all():
        actions = env.rand_action(now)["action"].clone()
        if policy is not None:
            actions = torch.where(now["seat"][:, 0] == mine, policy(now.clone())["action"], actions)
        now = env.step(now.set("action", actions))["next"]
        paid += now["returns"][torch.arange(len(mine)), mine]
        over = now["done"][:, 0]
    return float(paid.mean())


def train(env: RiverbedEnv, decisions: int, turns: int = 64) -> Learner:
    """A learner after this many decisions of self-play, gathered `turns` of each game at a time."""
    learner = Learner(env)
    collector = Collector(
        env,
        learner.policy,
        frames_per_batch=env.batch_size.numel() * turns,
        total_frames=-1,
        auto_register_policy_transforms=False,
    )
    done = 0
    for rollout in collector:
        learner.learn(own_turns(rollout))
        done += rollout.numel()
        console.print(f"{done:,} decisions")
        if done >= decisions:
            break
    collector.shutdown()
    return learner


def main(
    game: Annotated[str, typer.Option(help="The game.")] = "deep_river_v0",
    players: Annotated[
        int | None, typer.Option(help="Number of players.", show_default="the game's usual number")
    ] = None,
    envs: Annotated[int, typer.Option(min=1, help="Games beside each other.")] = 256,
    decisions: Annotated[int, typer.Option(min=1, help="Decisions of all seats together.")] = 300_000,
    games: Annotated[int, typer.Option(min=1, help="Games of the comparison.")] = 4000,
    seed: Annotated[int, typer.Option(min=0, help="Seed of the games and the networks.")] = 0,
) -> None:
    """Train, then compare on common deals."""
    torch.manual_seed(seed)
    learner = train(RiverbedEnv(game, envs, num_players=players, seed=seed), decisions)
    table = RiverbedEnv(game, games, num_players=players)
    trained, random = wins(table, learner.policy), wins(table, None)
    console.print(f"return of a seat among random ones: {trained:.3f} trained, {random:.3f} random")
