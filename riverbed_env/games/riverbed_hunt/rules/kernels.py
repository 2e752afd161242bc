"""The kernel decorator of Riverbed Hunt: one cache folder for all its rules."""

from pathlib import Path

from riverbed_env.kernels.compile import KernelFamily

kernel = KernelFamily("riverbed_hunt", Path(__file__).parent)
