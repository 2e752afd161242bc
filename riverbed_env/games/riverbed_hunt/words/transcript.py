"""RH-9.9, free text beside the game: what seats said in their own words. No rule reads it."""

from __future__ import annotations

import json
import unicodedata
from collections.abc import Iterable
from typing import Any, NamedTuple

from riverbed_env.errors import OptionError, StateError

MOST_CHARACTERS = 280
_CONTROLS = frozenset({"Cc", "Cf", "Zl", "Zp"})  # control and formatting characters, breaks of lines and paragraphs


class Said(NamedTuple):
    """A text: the turn and the seat that said it, how many claims were made before, and the words."""

    turn: int
    seat: int
    claims: int
    text: str


def sanitised(text: object) -> str:
    """RH-9.9: the text with blanks for control characters, trimmed.

    Raises OptionError unless it is a string of 1 to 280 characters, of which some can be seen.
    """
    if not isinstance(text, str):
        raise OptionError(f"a text must be a string, not {type(text).__name__}")
    if len(text) > MOST_CHARACTERS:
        raise OptionError(f"a text has at most {MOST_CHARACTERS} characters, not {len(text)} (RH-9.9)")
    if any(unicodedata.category(sign) == "Cs" for sign in text):
        raise OptionError("a text must be whole characters; this one holds half of a pair (a lone surrogate)")
    clean = "".join(" " if unicodedata.category(sign) in _CONTROLS else sign for sign in text).strip()
    if not clean:
        raise OptionError("a text needs a character that can be seen; a seat with nothing to say says nothing")
    return clean


def quoted(said: Said) -> str:
    """A text as data for whoever reads it: the seat, then the words as a JSON string."""
    return f"player_{said.seat} says in words: {json.dumps(said.text, ensure_ascii=False)}"


def read_transcript(rows: object, num_players: int) -> list[Said]:
    """A transcript from the lists that a saved state holds. Raises StateError if they aren't one."""
    if not isinstance(rows, list):
        raise StateError("the state's transcript isn't a list")
    return [_read(row, num_players) for row in rows]


def _read(row: Any, num_players: int) -> Said:
    fits = isinstance(row, list) and [type(part) for part in row] == [int, int, int, str]
    if not fits or row[0] < 1 or not 0 <= row[1] < num_players or row[2] < 0:
        raise StateError("the state's transcript holds a row that isn't turn, seat, claims, text")
    try:
        clean = sanitised(row[3])
    except OptionError as error:
        raise StateError(f"the state's transcript: {error}") from error
    if clean != row[3]:
        raise StateError("the state's transcript holds a text with control characters")
    return Said(*row)


def rows_of(transcript: Iterable[Said]) -> list[list[Any]]:
    """A transcript as lists, for a saved state."""
    return [[*said] for said in transcript]
