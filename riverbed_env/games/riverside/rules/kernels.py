"""The kernel decorator of Riverside: all its rules share one cache folder."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("riverside", Path(__file__).parent)
