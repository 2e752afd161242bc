"""TorchRL: training with PPO, and how fast its environments play."""
