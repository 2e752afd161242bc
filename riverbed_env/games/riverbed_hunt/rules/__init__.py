"""The rules of Riverbed Hunt, by chapter; each function's docstring begins with its rule's id."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("riverbed_hunt", Path(__file__).parent)
