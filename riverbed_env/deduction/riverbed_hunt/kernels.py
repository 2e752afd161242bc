"""The kernel decorator of deduction in Riverbed Hunt."""

from pathlib import Path

from riverbed_env.core.compile import KernelFamily
from riverbed_env.games.riverbed_hunt import kernels as rules

kernel = KernelFamily("riverbed_hunt_deduction", *rules.kernel.folders, Path(__file__).parent, apart=rules.APART)
