"""Settings in files and on the command line: read from JSON, and changed by what is written as `name=value`."""

from __future__ import annotations

import difflib
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any, TypeVar

from riverbed_env.errors import OptionError, RiverbedError

Config = TypeVar("Config", bound=Any)

TRUTHS = {"true": True, "false": False}


@contextmanager
def read_as(path: Path, what: str) -> Iterator[None]:
    """Whatever is unsound about a file as it is read becomes an OptionError that names it: it holds no such thing."""
    try:
        yield
    except RiverbedError as error:
        if str(path) in str(error):
            raise
        raise OptionError(f"{path} holds no {what}: {error}") from error
    except Exception as error:  # whatever becomes of values that nobody thought of
        raise OptionError(f"{path} holds no {what}: {error!r}") from error


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
