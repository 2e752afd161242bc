"""The kernel decorator of Riverside: one cache folder for all its rules."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("riverside", Path(__file__).parent)
