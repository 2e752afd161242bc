"""Dataclasses from what JSON gave, each value of the kind that the class says; lists become tuples, nothing else."""

from __future__ import annotations

import json
from collections.abc import Callable
from functools import cache
from typing import Annotated, Any, TypeVar

from pydantic import ConfigDict, Field, TypeAdapter, ValidationError

from riverbed_env.errors import OptionError

Kind = TypeVar("Kind")

Count = Annotated[int, Field(ge=0, lt=2**62)]
Share = Annotated[float, Field(ge=0, le=1)]  # which is no NaN either
Finite = Annotated[float, Field(allow_inf_nan=False)]

_adapter: Callable[[Any], TypeAdapter[Any]] = cache(TypeAdapter)

# For `__pydantic_config__` of dataclasses that are read: nothing that they don't have is taken.
NOTHING_ELSE = ConfigDict(extra="forbid")


def of_kind(kind: type[Kind], read: Any, name: str) -> Kind:
    """What JSON gave as such a dataclass, or another type; OptionError, which calls it `name`, where it is none."""
    try:
        found: Kind = _adapter(kind).validate_json(json.dumps(read), strict=True)
        return found
    except ValidationError as error:
        fault = error.errors(include_url=False, include_input=False)[0]
        place = "".join(f"{part} " for part in fault["loc"])
        raise OptionError(f"{name} makes no sense: {place}{fault['msg']}") from error
