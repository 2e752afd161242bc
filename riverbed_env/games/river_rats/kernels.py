"""The kernel decorator of River Rats: one cache folder for all its rules."""

from pathlib import Path

from riverbed_env.core.compile import KernelFamily

APART = ("card.py", "pack.py", "summary.py", "text.py", "versions.py")

kernel = KernelFamily("river_rats", Path(__file__).parent, apart=APART)
