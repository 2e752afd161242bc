"""The kernels of the agents of Riverside."""

from pathlib import Path

from riverbed_env.games.riverside.rules import kernel as rules
from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("riverside_agents", *rules.folders, Path(__file__).parent)
