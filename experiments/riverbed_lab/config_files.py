"""Configs: what their fields allow and mean, TOML files, and overrides written `name=value`."""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Annotated, Any, TypeVar, get_args, get_origin, get_type_hints

from riverbed_env.core.files import check_plain
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.core.schema import of_kind
from riverbed_env.errors import OptionError, RiverbedError, did_you_mean

Config = TypeVar("Config")

NONE = "none"  # an empty list


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


@dataclass(frozen=True)
class Setting:
    """What a config's field means and allows, in its annotation: `steps: Annotated[int, Setting("…", 1, 10)] = 5`.

    low, high: bounds of a number, both allowed; choices: what text may be; default: in words, where the config is built
    with another default than the field's.
    """

    about: str
    low: float | None = None
    high: float | None = None
    choices: tuple[str, ...] = ()
    default: str = ""


def settings_of(kind: type) -> dict[str, tuple[Any, Setting]]:
    """The type and setting of each field that declares one."""
    hints = get_type_hints(kind, include_extras=True).items()
    return {name: (get_args(hint)[0], get_args(hint)[1]) for name, hint in hints if get_origin(hint) is Annotated}


def check_settings(config: Any) -> None:
    """OptionError for the first field whose value isn't what its setting allows."""
    for name, (hint, setting) in settings_of(type(config)).items():
        value = getattr(config, name)
        if setting.choices:
            check_choice(name, value, setting.choices)
        elif hint is bool and not isinstance(value, bool):
            raise OptionError(f"{name} must be true or false, not {value!r}")
        elif setting.low is not None and setting.high is not None:
            if hint is int:
                check_whole(name, value, int(setting.low), int(setting.high))
            else:
                _check_number(name, value, setting.low, setting.high)


def _check_number(name: str, value: object, low: float, high: float) -> None:
    if not isinstance(value, int | float) or isinstance(value, bool) or not low <= value <= high:
        raise OptionError(f"{name} must be a number from {low:g} to {high:g}, not {value!r}")


def saved_config(kind: type[Config], read: Any, path: Path, what: str) -> Config:
    """A config from its JSON values. Raises OptionError if they aren't those of this version. what: for messages."""
    known = set(field_names(kind))
    if isinstance(read, dict) and set(read) != known:
        raise OptionError(f"{path} has other settings than this version: {', '.join(sorted(set(read) ^ known))}")
    with read_as(path, what):
        return of_kind(kind, read, str(path))


def config_for_folder(
    path: Path,
    given: Config | None,
    load: Callable[[Path], Config],
    take_changes: Callable[[Config, Config], Config],
    what: str,
    ways_out: str,
) -> Config:
    """The config given, or the one saved at `path` if it is None.

    take_changes: a saved config with those settings of the given one that may change. Raises OptionError if the folder
    holds nothing to resume, or something with other settings.
    """
    if given is None:
        if not path.exists():
            raise OptionError(f"{path.parent} holds no {what} to resume: {path} is missing")
        return load(path)
    if path.exists() and take_changes(load(path), given) != given:
        raise OptionError(f"{path.parent} holds a {what} with other settings: {ways_out}")
    return given


def assignments(words: Sequence[str], option: str = "--set") -> dict[str, str]:
    """Names and values of `NAME=VALUE`; the last value of a name counts. option: for messages."""
    parts = {word: word.partition("=") for word in words}
    for word, (_, sign, _) in parts.items():
        if not sign:
            raise OptionError(f"{option} takes NAME=VALUE, not {word!r}")
    return {name: value for name, _, value in parts.values()}


def build(kind: type[Config], values: Mapping[str, Any], source: str) -> Config:
    """A config of this kind from values by field name; fields that aren't given have their defaults.

    A value may be text, as on a command line; one value stands for a list of one, "a,b" for a list and "none" for an
    empty one. Raises OptionError for unknown names and values that aren't allowed. source: where the values were given.
    """
    check_names(values, field_names(kind), source)
    hints = get_type_hints(kind)
    return of_kind(kind, {name: _converted(hints[name], value) for name, value in values.items()}, source)


def _converted(hint: Any, value: Any) -> Any:
    """A value as its field's type wants it, where it can be made so."""
    if get_origin(hint) is tuple:
        if isinstance(value, str):
            value = [] if value == NONE else [part for part in value.split(",") if part]
        parts = value
        return [_converted(get_args(hint)[0], part) for part in (parts if isinstance(parts, list | tuple) else [parts])]
    if isinstance(value, str) and {hint, *get_args(hint)} & {int, float, bool}:
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
