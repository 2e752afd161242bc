"""The kernel decorator of Deep River: one cache folder for all its rules."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("deep_river", Path(__file__).parent)
