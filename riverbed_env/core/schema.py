"""Parsed JSON as dataclasses: each value must have the type its field declares; lists become tuples."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from riverbed_env.errors import OptionError

Kind = TypeVar("Kind")

Count = Annotated[int, Field(ge=0, lt=2**62)]
Share = Annotated[float, Field(ge=0, le=1)]  # NaN fails too
Finite = Annotated[float, Field(allow_inf_nan=False)]

_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)

# The `__pydantic_config__` of dataclasses that are read: unknown keys are refused.
NOTHING_ELSE = ConfigDict(extra="forbid")

EXPECTED = "Input "  # how Pydantic's messages about a value begin
SHORT = 60  # characters of a value that a message repeats


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
    """What Pydantic found: where, what should be there, and the value if it is short."""
    place, value = " ".join(map(str, error["loc"])), error["input"]
    if error["msg"].startswith(EXPECTED):
        is_short = isinstance(value, str | int | float | None) and len(repr(value)) <= SHORT
        return f"{place or 'it'} {error['msg'].removeprefix(EXPECTED)}{f', not {value!r}' if is_short else ''}"
    return f"{place}: {error['msg']}" if place else str(error["msg"])
