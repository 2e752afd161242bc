"""Settings in files and on the command line: read from JSON, and changed by what is written as `name=value`."""

from __future__ import annotations

import difflib
import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from riverbed_env.core.errors import OptionError

Config = TypeVar("Config", bound=Any)

TRUTHS = {"true": True, "false": False}


@contextmanager
def read_as(path: Path, what: str) -> Iterator[None]:
    """Whatever is unsound about a file while it is read becomes an OptionError: it holds no such thing."""
    try:
        yield
    except OptionError:
        raise
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise OptionError(f"{path} holds no {what}: {error!r}") from error


def read_format(path: Path, number: int) -> dict[str, Any]:
    """What a JSON file of a format holds beside the format's number; OptionError for another one.

    Raises OSError, ValueError, KeyError, TypeError or AttributeError for a file that holds something else.
    """
    read: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    if read.pop("format") != number:
        raise OptionError(f"{path} is of a format that this version doesn't read; it reads format {number}")
    return read


def with_tuples(read: Mapping[str, Any]) -> dict[str, Any]:
    """Settings from JSON as dataclasses have them: lists as tuples."""
    return {name: tuple(value) if isinstance(value, list) else value for name, value in read.items()}


def changed(
    config: Config, words: Sequence[str], free: Sequence[str], option: str, lists_of_names: Sequence[str] = ()
) -> Config:
    """The settings with some changed, each written `name=value`; OptionError for others than those that are free.

    option: by which they were given; lists_of_names: those whose values are names with commas, where others with
    several values have whole numbers.
    """
    found: dict[str, Any] = {}
    for word in words:
        name, sign, text = word.partition("=")
        if not sign or name not in free:
            near = difflib.get_close_matches(name, free, n=1)
            hint = f" (did you mean {near[0]!r}?)" if near else ""
            raise OptionError(f"{option} has no setting {name!r}{hint}; there are {', '.join(free)}")
        found[name] = _value(name, text, getattr(config, name), str if name in lists_of_names else int)
    made: Config = replace(config, **found)
    return made


def _value(name: str, text: str, now: Any, each: type) -> Any:
    """A value of the kind that the setting has now; each: the kind of each of several."""
    kind = type(now)
    try:
        if kind is tuple:
            return tuple(each(part) for part in text.split(",") if part)
        return TRUTHS[text.lower()] if kind is bool else kind(text)
    except (ValueError, KeyError) as error:
        raise OptionError(f"{name} must be of kind {kind.__name__}, like {now}, not {text!r}") from error
