"""What a seat can conclude from its view: posteriors over hidden roles, and games that look the same to it."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

from ..rules import kernel as rules

kernel = KernelFamily("riverbed_hunt_deduction", *rules.folders, Path(__file__).parent)
