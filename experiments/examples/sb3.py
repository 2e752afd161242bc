"""Stable-Baselines3: train a role with MaskablePPO, save it, load it, and compare it with random play.

python experiments/examples/sb3.py [decisions] [folder]
"""

import sys
from pathlib import Path

import torch
from sb3_contrib import MaskablePPO

from riverbed_env.envs.sb3 import LearnerVecEnv, agent_of
from riverbed_env.players.lineups import lineups
from riverbed_env.players.networks import Layers
from riverbed_env.players.policies import load_policy, save_policy
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.training.evaluation import Evaluation, compare


def main(decisions: int = 200_000, folder: Path = Path("results/sb3")) -> None:
    """Train, save, load and evaluate."""
    torch.set_num_threads(1)
    game, role, players = find_game("riverbed_hunt"), "separatist", 5
    env = LearnerVecEnv(game.id, 64, role=role, opponents="random", num_players=players, view="now", seed=0)
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=512, n_epochs=2, seed=0)
    model.learn(decisions).save(folder / "model")

    agent = agent_of(MaskablePPO.load(folder / "model"), env)
    assert isinstance(agent.network, Layers)
    save_policy(folder / "policy.npz", agent.config, agent.network.layers)  # `riverbed evaluate` takes this file

    policy, others = load_policy(folder / "policy.npz", game, name="sb3"), lineups(game, "random")
    reference = find_agent("random", game.name)
    deals = Evaluation(game, others, reference, role=role, games=2000, threads=1, num_players=players)
    result = compare([(deals.won(policy), deals.won_by_reference)])
    print(f"{role}: won {result.learner.value:.1%}, random play {result.reference.value:.1%}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *map(Path, sys.argv[2:3]))
