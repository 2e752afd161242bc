"""How Sphinx builds the site from these pages: `make docs`."""

from __future__ import annotations

import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "agents"), str(ROOT / "web"), str(ROOT / "experiments")]

from riverbed_env.version import __version__  # noqa: E402  # it is found by the line above

project = "Riverbed"
author = "The Riverbed maintainers"
release = version = __version__

default_role = "code"  # docstrings write code between single backticks
extensions = ["myst_parser", "sphinx.ext.autodoc"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]

autodoc_default_options = {"members": True, "member-order": "bysource"}
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
autodoc_preserve_defaults = True
autodoc_type_aliases = {name: name for name in ("Vectors", "Memory", "Streams", "Views", "Whole", "Record")}

html_theme = "furo"
html_title = f"Riverbed {__version__}"
html_extra_path = ["llms.txt"]
html_show_sourcelink = False
html_copy_source = False
