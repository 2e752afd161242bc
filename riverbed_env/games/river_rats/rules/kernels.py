"""The kernel decorator of River Rats: one cache folder for all its rules."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("river_rats", Path(__file__).parent)
