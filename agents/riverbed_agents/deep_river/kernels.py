"""The kernels of the agents of Deep River."""

from pathlib import Path

from riverbed_env.games.deep_river.rules import kernel as rules
from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("deep_river_agents", *rules.folders, Path(__file__).parent)
