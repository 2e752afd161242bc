"""The family of the kernels of play-outs."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

FOLDER = Path(__file__).parent

kernel = KernelFamily("playouts", FOLDER)
