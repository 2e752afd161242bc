"""The rules of Deep River, one file a chapter; each function's docstring begins with its rule's id."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("deep_river", Path(__file__).parent)
