"""PettingZoo's way: one MaskablePPO for all seats of an AEC environment, as in PettingZoo's tutorial on action masks.

python experiments/examples/aec.py [decisions] [folder]

An episode holds the decisions of all seats in turn, so one seat's advantage is computed from the next seat's value.
`examples/sb3.py` learns in one seat instead, and `riverbed train --set seats=all` in all.
"""

import sys
from pathlib import Path
from typing import Any

import gymnasium
from sb3_contrib import MaskablePPO

from riverbed_env.envs import deep_river_v0


class Turns(gymnasium.Env[Any, int]):
    """Whoever is asked is the learner: a step leads to the next seat's turn, and pays what that seat has got since."""

    def __init__(self) -> None:
        self.game = deep_river_v0.env()
        first = self.game.possible_agents[0]
        self.observation_space = self.game.observation_space(first)["observation"]
        self.action_space = self.game.action_space(first)

    def reset(self, *, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[Any, dict[str, Any]]:
        """Begin a game."""
        super().reset(seed=seed)
        self.game.reset(seed=seed)
        return self.game.last()[0]["observation"], {}

    def step(self, action: int) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """Choose for the seat that is asked."""
        self.game.step(int(action))
        seen, reward, terminated, truncated, _ = self.game.last()
        return seen["observation"], reward, terminated, truncated, {}

    def action_masks(self) -> Any:
        """The legal actions of the seat that is asked."""
        return self.game.last()[0]["action_mask"]


def main(decisions: int = 20_000, folder: Path = Path("results/aec")) -> None:
    """Train and save."""
    model = MaskablePPO("MlpPolicy", Turns(), n_steps=512, batch_size=128, seed=0)
    model.learn(decisions).save(folder / "model")
    print(f"deep_river: {model.num_timesteps:,} decisions, saved in {folder}")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]), *map(Path, sys.argv[2:3]))
