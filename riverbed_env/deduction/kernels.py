"""The kernel decorator of deduction in Riverbed Hunt."""

from pathlib import Path

from riverbed_env.games.riverbed_hunt.rules import kernel as rules
from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("riverbed_hunt_deduction", *rules.folders, Path(__file__).parent)
