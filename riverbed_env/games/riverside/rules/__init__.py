"""The rules of Riverside, one file per topic; the docstring of a rule's function begins with the rule's id."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("riverside", Path(__file__).parent)
