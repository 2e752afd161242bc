"""Helpers of other folders: what the games hide."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path += [str(Path(__file__).parents[1] / "leaks")]
