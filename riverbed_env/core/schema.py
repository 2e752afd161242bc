"""Parsed JSON as dataclasses: each value must have the type its field declares; and what is wrong, in words."""

import json
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import MAX_SEED

Kind = TypeVar("Kind")

Count = Annotated[int, Field(ge=0, lt=2**62)]
Seed = Annotated[int, Field(ge=0, le=MAX_SEED)]
Finite = Annotated[float, Field(allow_inf_nan=False)]

_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)

# The `__pydantic_config__` of dataclasses that are read: unknown keys are refused.
NOTHING_ELSE = ConfigDict(extra="forbid")

EXPECTED = "Input "  # how Pydantic's messages about a value begin
SHORT = 60  # characters of a value that a message repeats
MOST = 5  # errors of a pack that are shown at once
WORDS = {"missing": "missing", "extra_forbidden": "unknown key"}  # by Pydantic's type of error


def of_kind(kind: type[Kind], read: Any, name: str) -> Kind:
    """Validate parsed JSON as `kind`, a dataclass or another type. Raises OptionError that mentions `name`."""
    try:
        text = json.dumps(read)
    except TypeError as error:  # a TOML date
        raise OptionError(f"{name}: a value has a wrong type: {error}") from error
    try:
        value: Kind = _adapter(kind).validate_json(text, strict=True)
        return value
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        own = first.get("ctx", {}).get("error")  # raised by the dataclass's own checks: it names what is wrong
        raise OptionError(f"{name}: {own or _in_words(first)}") from error


def _in_words(error: Mapping[str, Any]) -> str:
    """What Pydantic found: where, and what is wrong."""
    place, wrong = " ".join(map(str, error["loc"])), _wrong(error)
    if error["msg"].startswith(EXPECTED):
        return f"{place or 'it'} {wrong}"
    return f"{place}: {wrong}" if place else wrong


def _wrong(error: Mapping[str, Any]) -> str:
    """What should be there, and the value if it is short."""
    value = error["input"]
    is_short = isinstance(value, str | int | float | None) and len(repr(value)) <= SHORT
    told = f", not {value!r}" if is_short and error["msg"].startswith(EXPECTED) else ""
    return f"{error['msg'].removeprefix(EXPECTED)}{told}"


def pack_errors(data: dict[str, Any], error: ValidationError) -> str:
    """The first errors of a content pack, one "entry field: reason" each, joined by "; "."""
    found = error.errors(include_url=False)
    lines = dict.fromkeys(f"{_place(data, each['loc'])}: {WORDS.get(each['type']) or _wrong(each)}" for each in found)
    more = f"; and {len(lines) - MOST} more" if len(lines) > MOST else ""
    return "; ".join(list(lines)[:MOST]) + more


def _place(data: dict[str, Any], location: Sequence[int | str]) -> str:
    """Where in a pack an error lies: the kind of entry, its own name, the field."""
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
