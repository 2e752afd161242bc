"""How Sphinx builds the site from these pages: `make docs`."""

import os
import subprocess
import sys
from pathlib import Path

from sphinx.application import Sphinx

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT), str(ROOT / "agents"), str(ROOT / "web"), str(ROOT / "experiments")]

from riverbed_env.version import __version__  # noqa: E402  # it is found by the line above

project = "Riverbed"
author = "The Riverbed maintainers"
release = version = __version__

default_role = "code"  # docstrings write code between single backticks
extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.napoleon"]
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


def write_replay(app: Sphinx, error: Exception | None) -> None:
    """Play a game and write its replay, which the first page embeds."""
    if error is not None or app.builder.name != "html":
        return
    environment = {name: value for name, value in os.environ.items() if name != "NUMBA_DISABLE_JIT"}
    record, page = str(app.doctreedir / "game.json"), str(app.outdir / "replay.html")
    for words in (
        ["watch", "--players", "5", "--seed", "11", "--agent", "rule_based", "--pause", "0", "--record", record],
        ["replay", record, "--advice", "rule_based", "--html", page],
    ):
        command = [sys.executable, "-m", "riverbed_lab", *words]
        subprocess.run(command, check=True, env=environment, stdout=subprocess.DEVNULL)


def setup(app: Sphinx) -> None:
    """Sphinx calls this."""
    app.connect("build-finished", write_replay)
