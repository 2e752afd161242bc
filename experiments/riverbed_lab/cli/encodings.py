"""Output that takes only some characters, as with LC_ALL=C: each other one is told as nearly as can be."""

from __future__ import annotations

import codecs
import io
import sys

NEAREST = {
    "–": "-",
    "…": "...",
    "×": "x",
    "·": ".",
    "µ": "u",
    "▲": "^",
    "▼": "v",
    "♥": "h",
    "♠": "s",
    "♣": "c",
    "♦": "d",
}
OTHER = "?"
HANDLER = "riverbed.nearest"


def nearest(error: UnicodeError) -> tuple[str, int]:
    """What stands for characters that can't be written, and where to go on; an error of another kind is raised."""
    if not isinstance(error, UnicodeEncodeError):
        raise error
    return "".join(NEAREST.get(sign, OTHER) for sign in error.object[error.start : error.end]), error.end


def write_in_any_encoding() -> None:
    """Let standard output and errors take every text, whatever their encoding."""
    codecs.register_error(HANDLER, nearest)
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors=HANDLER)
