"""The kernel decorator of Deep River: one cache folder for all its rules."""

from pathlib import Path

from riverbed_env.core.compile import KernelFamily

APART = ("card.py", "pack.py", "summary.py", "text.py", "versions.py")

kernel = KernelFamily("deep_river", Path(__file__).parent, apart=APART)
