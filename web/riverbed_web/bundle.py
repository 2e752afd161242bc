"""The page that `make web` builds: one file for the lobby, tables and replays."""

import json
from html import escape
from pathlib import Path
from typing import Any

from riverbed_env.core.palette import stylesheet
from riverbed_env.errors import OptionError

PAGE = Path(__file__).with_name("page") / "index.html"
COLOURS = '<link rel="stylesheet" href="/scene.css">'  # in the page; a server answers it
TITLE = "<title>Riverbed</title>"


def page() -> str:
    """The page as a server sends it. Raises OptionError if it isn't built."""
    try:
        return PAGE.read_text(encoding="utf-8")
    except FileNotFoundError:
        raise OptionError(f"the page isn't built: there is no {PAGE}; 'make web' builds it") from None


def with_replay(replay: dict[str, Any], title: str) -> str:
    """The page as one file that needs no server, with a replay in it."""
    data = json.dumps(replay, ensure_ascii=False, sort_keys=True, separators=(",", ":")).replace("<", "\\u003c")
    carried = f'<script type="application/json" id="replay">{data}</script>'
    html = page()
    for there, instead in (
        (COLOURS, f"<style>{stylesheet()}</style>{carried}"),
        (TITLE, f"<title>{escape(title)}</title>"),
    ):
        if html.count(there) != 1:
            raise OptionError(f"{PAGE} isn't the page of this version: it must have one {there}")
        html = html.replace(there, instead)
    return html
