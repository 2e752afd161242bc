"""The family of the kernels of rollouts."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

FOLDER = Path(__file__).parent

kernel = KernelFamily("rollouts", FOLDER)
