"""Configs as files and on the command line: TOML, overrides written `name=value`, and checks of their names."""

from __future__ import annotations

import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import fields
from pathlib import Path
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

from riverbed_env.core.files import check_plain
from riverbed_env.core.schema import of_kind
from riverbed_env.errors import OptionError, RiverbedError, did_you_mean

Config = TypeVar("Config")


@contextmanager
def read_as(path: Path, what: str) -> Iterator[None]:
    """Turn any error while reading `path` into an OptionError that names the file."""
    try:
        yield
    except RiverbedError as error:
        if str(path) in str(error):
            raise
        raise OptionError(f"{path} holds no {what}: {error}") from error
    except Exception as error:  # a damaged file can cause any error
        raise OptionError(f"{path} holds no {what}: {error!r}") from error


def read_toml(path: Path) -> dict[str, Any]:
    """The values of a TOML file; OptionError if it can't be read."""
    check_plain(path, str(path))
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise OptionError(f"{path} can't be read: {error.strerror}") from error
    except ValueError as error:
        raise OptionError(f"{path} is no TOML file: {error}") from error


def field_names(kind: type) -> tuple[str, ...]:
    """The names of a dataclass's fields."""
    return tuple(each.name for each in fields(kind))


def check_names(names: Collection[str], known: Collection[str], source: str) -> None:
    """OptionError for a name that isn't known. source: where the names were given."""
    for name in names:
        if name not in known:
            hint = did_you_mean(name, known)
            raise OptionError(f"{source}: there is no setting {name!r}{hint}; there are {', '.join(known)}")


def check_number(name: str, value: object, low: float, high: float) -> None:
    """OptionError unless `value` is a number from low to high."""
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise OptionError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")


def assignments(words: Sequence[str]) -> dict[str, str]:
    """Names and values of `name=value`, as `--set` takes them."""
    parts = {word: word.partition("=") for word in words}
    for word, (_, sign, _) in parts.items():
        if not sign:
            raise OptionError(f"--set takes a setting and its value, like learning_rate=0.001, not {word!r}")
    return {name: value for name, _, value in parts.values()}


def build(kind: type[Config], values: Mapping[str, Any], source: str) -> Config:
    """A config of this kind from values by field name; fields that aren't given have their defaults.

    A value may be text, as on a command line; one value stands for a list of one, and "a,b" for a list. Raises
    OptionError for unknown names and values that aren't allowed. source: where the values were given.
    """
    check_names(values, field_names(kind), source)
    hints = get_type_hints(kind)
    try:
        return of_kind(kind, {name: _converted(hints[name], value) for name, value in values.items()}, source)
    except TypeError as error:  # a TOML date
        raise OptionError(f"{source} holds a value of a wrong type: {error}") from error


def _converted(hint: Any, value: Any) -> Any:
    """A value as its field's type wants it, where it can be made so."""
    if get_origin(hint) is tuple:
        parts = [part for part in value.split(",") if part] if isinstance(value, str) else value
        return [_converted(get_args(hint)[0], part) for part in (parts if isinstance(parts, list | tuple) else [parts])]
    if isinstance(value, str) and hint in (int, float, bool):
        value = _literal(value)
    if hint is int and isinstance(value, float) and value.is_integer():  # as in 1e6
        return int(value)
    return value


def _literal(text: str) -> Any:
    """A number or truth value from its text; the text if it is none."""
    try:
        return tomllib.loads(f"value = {text.lower()}")["value"]
    except ValueError:
        return text
