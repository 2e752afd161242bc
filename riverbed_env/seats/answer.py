"""What a seat answers: a choice by its id, and what can be wrong with an answer."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from riverbed_env.core.transcript import sanitised
from riverbed_env.errors import OptionError

LONGEST = 200_000  # characters of an answer that are looked at, from its end
_SHOWN = 60  # characters of a wrong answer that are shown back
_BARE = re.compile(r"(?:^\s*|\\boxed\{\s*)(\d{1,9})\s*(?:\}\$*)?\.?\s*$")  # an id alone, or boxed at the end
_TRAILING = re.compile(r",(?=\s*[}\]])")


class Failure(StrEnum):
    """The classes of failures of one answer."""

    TRUNCATED = "truncated"  # the answer was cut off at its limit
    EMPTY = "empty"  # there was none
    UNPARSABLE = "unparsable"  # it holds no JSON object with a choice
    ILLEGAL = "illegal"  # the choice isn't among those offered
    TRANSPORT = "transport"  # the program crashed, was late, or couldn't be reached
    CONTEXT = "context"  # the question is longer than the model's context; it isn't asked again


class SeatFailureError(Exception):
    """A seat's answer can't be taken.

    Args:
        kind: its class.
        words: the error's message, which says why, for the seat and for people.
    """

    def __init__(self, kind: Failure, words: str) -> None:
        super().__init__(words)
        self.kind = kind


def late(time_limit: float) -> SeatFailureError:
    """The failure of an answer that took longer than its time limit, in seconds."""
    return SeatFailureError(Failure.TRANSPORT, f"no answer within {time_limit:g} s")


@dataclass(frozen=True)
class Answer:
    """A seat's choice, and the text it says with it.

    Args:
        choice: the id of one of the message's choices, which is the action's number.
        text: what it says, sanitized; "" for nothing.
    """

    choice: int
    text: str = ""


def read_answer(words: str, message: Mapping[str, Any], *, numbered: bool = False) -> Answer:
    """Parse a seat's answer: the last JSON object in its text, `{"choice": ID}`, with talk also `"text"`.

    An id alone is taken too, as is one in a LaTeX box. Other keys are ignored. Only the last 200,000 characters are
    looked at.

    Args:
        words: what the seat said.
        message: the question it answers.
        numbered: whether the seat was shown a list numbered from 1, and answers with a number of it, not with an id.

    Returns:
        The answer, with a choice that the message offers. Its text is "" where nothing may be said.

    Raises:
        SeatFailureError: the answer is empty, holds no such object, or has an illegal choice or text; `kind` says
            which.
    """
    bare, ids = _BARE.search(words[-LONGEST:]), [each["id"] for each in message["choices"]]
    offered = dict(enumerate(ids, 1)) if numbered else {each: each for each in ids}
    found = {"choice": bare[1]} if bare else last_object(words, f'{{"choice": {min(offered)}}}')
    choice, kind = _whole(found.get("choice")), "number" if numbered else "id"
    if choice is None:
        raise SeatFailureError(Failure.UNPARSABLE, f'the JSON object has no "choice" that is the {kind} of a choice')
    if choice not in offered:
        listed = f"1 to {len(ids)}" if numbered else ", ".join(map(str, ids))
        raise SeatFailureError(Failure.ILLEGAL, f"{choice} isn't among the {kind}s of the choices: {listed}")
    return Answer(offered[choice], _text(found.get("text"), message))


def _whole(value: object) -> int | None:
    """An id, also one that is written as a string or as 14.0."""
    if isinstance(value, float) and value.is_integer():
        return int(value)
    if isinstance(value, str) and value.strip().isascii() and value.strip().isdigit() and len(value) < _SHOWN:
        return int(value)
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _text(said: object, message: Mapping[str, Any]) -> str:
    """What the seat says. Raises SeatFailureError for what can't be said; ignored where nothing may be said."""
    most = message["talk"]["most_characters"] if message["talk"] else 0
    if said is None or most == 0 or (isinstance(said, str) and not said.strip()):
        return ""
    if isinstance(said, str) and len(said) > most:
        raise SeatFailureError(Failure.ILLEGAL, f'"text" has {len(said)} characters; at most {most} may be said')
    try:
        return sanitised(said)
    except OptionError as error:
        kind = Failure.ILLEGAL if isinstance(said, str) else Failure.UNPARSABLE
        raise SeatFailureError(kind, f'"text" can\'t be said: {error}') from error


def last_object(words: str, example: str) -> dict[str, Any]:
    """The last JSON object in an answer that isn't inside another.

    Raises SeatFailureError if there is none; the example shows what was asked for.
    """
    if not words.strip():
        raise SeatFailureError(Failure.EMPTY, "the answer was empty")
    found = _last_object(words[-LONGEST:])
    if found is None:
        raise SeatFailureError(Failure.UNPARSABLE, f"the answer holds no JSON object like {example}")
    return found


def _last_object(words: str) -> dict[str, Any] | None:
    decoder = json.JSONDecoder(strict=False)  # small models break lines within a text
    without = _TRAILING.sub(" ", words)  # commas that they leave at an end; as long as before
    found: dict[str, Any] | None = None
    place = words.find("{")
    while place >= 0:
        end = place + 1
        for each in (words, without):
            try:
                found, end = decoder.raw_decode(each, place)
                break
            except (ValueError, RecursionError):
                continue
        place = words.find("{", end)
    return found
