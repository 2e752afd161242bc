"""What is wrong with a content pack's file, in words: Pydantic's errors by entry, the first few of them."""

from __future__ import annotations

import difflib
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from pydantic import ValidationError
from pydantic_core import ErrorDetails

MOST = 5  # errors shown at once

Location = tuple[int | str, ...]

# By Pydantic's error type; fields are of the error's context and `given`, the value in the file.
_WORDS = {
    "missing": "missing",
    "int_type": "must be an integer, not {given!r}",
    "int_from_float": "must be an integer, not {given!r}",
    "float_type": "must be a number, not {given!r}",
    "string_type": "must be a text, not {given!r}",
    "bool_type": "must be true or false, not {given!r}",
    "list_type": "must be a list, not {given!r}",
    "tuple_type": "must be a list, not {given!r}",
    "dict_type": "must be a table, not {given!r}",
    "model_type": "must be a table, not {given!r}",
    "literal_error": "must be {expected}, not {given!r}",
    "less_than_equal": "must be at most {le}, not {given!r}",
    "greater_than_equal": "must be at least {ge}, not {given!r}",
    "too_short": "must have at least {min_length} entries, not {actual_length}",
    "too_long": "must have at most {max_length} entries, not {actual_length}",
    "string_too_short": "must have at least {min_length} characters",
    "string_too_long": "must have at most {max_length} characters",
}


def describe(data: dict[str, Any], error: ValidationError) -> str:
    """The first errors of a pack's content, one "entry field: reason" each, joined by "; "."""
    # Unknown keys first: a key that is almost a missing one stands for it.
    details = sorted(error.errors(include_url=False), key=lambda each: each["type"] != "extra_forbidden")
    missing: dict[Location, list[str]] = defaultdict(list)
    for each in details:
        if each["type"] == "missing":
            missing[each["loc"][:-1]].append(str(each["loc"][-1]))
    reasons: dict[str, list[str]] = {}
    for each in details:
        reason, place = _reason(each, missing), _place(data, each["loc"])
        if reason and reason not in reasons.setdefault(place, []):
            reasons[place].append(reason)
    lines = [f"{place}: {', or '.join(said)}" for place, said in reasons.items() if said]
    more = f"; and {len(lines) - MOST} more" if len(lines) > MOST else ""
    return "; ".join(lines[:MOST]) + more


def _reason(detail: ErrorDetails, missing: dict[Location, list[str]]) -> str:
    """What is wrong in words; empty for a missing field that an unknown key stands for."""
    location, kind = detail["loc"], detail["type"]
    absent = missing[location[:-1]]
    if kind == "extra_forbidden":
        near = difflib.get_close_matches(str(location[-1]), absent, n=1)
        if near:
            absent.remove(near[0])
        return f"unknown key{f' (did you mean {near[0]!r}?)' if near else ''}"
    if kind == "missing" and str(location[-1]) not in absent:
        return ""
    words = _WORDS.get(kind)
    return words.format(given=detail["input"], **detail.get("ctx", {})) if words else detail["msg"]


def _place(data: dict[str, Any], location: Sequence[int | str]) -> str:
    """Where in the file an error lies: the kind of entry, its own name, the field."""
    words: list[str] = []
    inner: Any = data
    for part in location:
        if not isinstance(inner, dict | list):  # Pydantic adds the names of a value's possible types
            break
        inner = inner[part] if _has_part(inner, part) else None  # type: ignore[index]  # it has the part
        if isinstance(part, int):
            name = next((inner[key] for key in ("name", "number", "count") if _has_part(inner, key)), None)
            words.append(f"#{part + 1}" if name is None else f"{name!r}")
        else:
            words.append(part)
    return " ".join(words) or "the file"


def _has_part(entry: object, part: int | str) -> bool:
    if isinstance(entry, list):
        return isinstance(part, int) and part < len(entry)
    return isinstance(entry, dict) and part in entry
