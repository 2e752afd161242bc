"""Helpers of other folders: what the games hide."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / "leaks")]
