"""Lets the leak tests import scene.py of the rule tests by its name."""

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "riverbed_hunt"))
