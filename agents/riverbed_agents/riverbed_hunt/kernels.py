"""The kernels of the agents of Riverbed Hunt."""

from pathlib import Path

from riverbed_env.games.riverbed_hunt.deduction import kernel as deduction
from riverbed_env.kernels.compile import KernelFamily

FOLDERS = (*deduction.folders, Path(__file__).parent)

kernel = KernelFamily("riverbed_hunt_agents", *FOLDERS)
