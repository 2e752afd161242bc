"""The kernels of the agents of River Rats."""

from pathlib import Path

from riverbed_env.games.river_rats.rules import kernel as rules
from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("river_rats_agents", *rules.folders, Path(__file__).parent)
