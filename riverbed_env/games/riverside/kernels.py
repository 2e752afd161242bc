"""The kernel decorator of Riverside: one cache folder for all its rules."""

from pathlib import Path

from riverbed_env.core.compile import KernelFamily

APART = ("card.py", "pack.py", "summary.py", "text.py", "versions.py")

kernel = KernelFamily("riverside", Path(__file__).parent, apart=APART)
