"""Helpers of other folders: the rules pages, and what the games hide."""

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / folder) for folder in ("docs", "leaks")]
