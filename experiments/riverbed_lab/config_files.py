"""Configs: what their fields allow and mean, TOML files, and overrides written `name=value`."""

import json
import tomllib
from collections.abc import Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import Annotated, Any, ClassVar, Self, TypeVar, get_args, get_origin, get_type_hints

from riverbed_env.core.files import check_plain, read_json, write_json
from riverbed_env.core.options import check_choice, check_whole
from riverbed_env.core.schema import of_kind
from riverbed_env.errors import OptionError, RiverbedError, did_you_mean

Config = TypeVar("Config")

NONE = "none"  # an empty list
FORMAT, CONFIG = 1, "config.json"  # of a run's settings, and their file


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


class RunConfig:
    """The settings of a run, which its folder keeps; each kind is a dataclass. what: the run, in a word."""

    what: ClassVar[str] = "run"

    def plain(self) -> dict[str, Any]:
        """The settings as JSON values."""
        settings: dict[str, Any] = json.loads(json.dumps(asdict(self)))  # type: ignore[call-overload]
        return settings

    def save(self, folder: Path) -> None:
        """Write them to a run's folder, whole or not at all."""
        write_json(folder / CONFIG, {"format": FORMAT, **self.plain()})

    def with_changes(self, given: Self) -> Self:
        """These settings, with those of `given` that may change when a run is resumed."""
        return self

    @classmethod
    def load(cls, folder: Path) -> Self:
        """The settings in a run's folder. Raises OptionError unless they are those of this version."""
        path, known = folder / CONFIG, set(field_names(cls))
        read = read_json(path, f"settings of a {cls.what}", FORMAT)
        if set(read) != known:
            raise OptionError(f"{path} has other settings than this version: {', '.join(sorted(set(read) ^ known))}")
        with read_as(path, f"settings of a {cls.what}"):
            return of_kind(cls, read, str(path))

    @classmethod
    def in_folder(cls, folder: Path, given: Self | None) -> Self:
        """The settings given, or those in the folder if they are None.

        Raises OptionError if the folder holds no run to resume, or one with other settings.
        """
        there = cls.load(folder) if (folder / CONFIG).exists() else None
        if given is None:
            if there is None:
                raise OptionError(f"{folder} holds no {cls.what} to resume: {folder / CONFIG} is missing")
            return there
        if there is not None and there.with_changes(given) != given:
            old, new = there.with_changes(given).plain(), given.plain()
            differ = ", ".join(name for name in new if old[name] != new[name])
            raise OptionError(
                f"{folder} holds a {cls.what} with other settings ({differ}): "
                "name the folder alone to resume it, or choose another folder with --out"
            )
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
