"""Content packs as TOML files: found by name or path, checked, refused with the file, the entry and the reason."""

import hashlib
import os
import tomllib
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from pathlib import Path
from typing import Any, Generic, Literal, TypeVar

from pydantic import BaseModel, ConfigDict, GetPydanticSchema, ValidationError
from pydantic_core import core_schema

from riverbed_env.errors import OptionError, PackError, did_you_mean

from .files import read_text
from .generated import GeneratedPacks
from .schema import pack_errors

PACKS = Path(__file__).parents[1] / "packs"

Member = TypeVar("Member", bound=IntEnum)
Model = TypeVar("Model", bound=BaseModel)


Provenance = Literal["rulebook", "reconstructed"]


def by_name(members: Iterable[Member]) -> dict[str, Member]:
    """Enum members by their names in a pack: `FLIP_DOWN` is "flip down"."""
    return {member.name.lower().replace("_", " "): member for member in members}


def one_of(names: Iterable[str]) -> GetPydanticSchema:
    """The type of a field that allows only these names: put it in `Annotated[str, …]`."""
    return GetPydanticSchema(lambda source, handler: core_schema.literal_schema(list(names)))


class Entry(BaseModel):
    """The base of a pack's entries: unknown keys are refused, and no value is converted."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


def pack_hash(pack: object) -> str:
    """The hash of a content pack; "" where there is none."""
    return str(getattr(pack, "hash", ""))


def pack_hashes(packs: Iterable[object]) -> list[str]:
    """The hashes of the content packs in play, each once, in order."""
    return sorted(set(map(pack_hash, packs)))


def pack_names(game: str) -> list[str]:
    """The names of the packs that come with the library for a game."""
    return sorted(path.stem for path in (PACKS / game).glob("*.toml"))


def find_pack(game: str, pack: object, more: Iterable[str] = ()) -> Path:
    """The file of a pack given by name or path.

    Args:
        game: the game's plain name, whose packs come with the library.
        pack: a pack's name, or a path, which has the suffix .toml or a folder in it.
        more: other names that can be given, for the message.

    Returns:
        The file, which exists.

    Raises:
        PackError: there is none.
    """
    if not isinstance(pack, str | Path):
        raise PackError(f"a pack is given by name or by path to a .toml file, not {pack!r}")
    path = Path(pack)
    if path.suffix == ".toml" or len(path.parts) > 1:
        if not os.path.isfile(path):  # noqa: PTH113  # Path's raises for a name that is too long
            raise PackError(f"{path}: there is no such pack file")
        return path
    found = PACKS / game / f"{pack}.toml"
    if not os.path.isfile(found):  # noqa: PTH113
        names = [*pack_names(game), *more]
        hint = did_you_mean(str(pack), names)
        raise PackError(f"no pack {str(pack)!r}{hint}: give a path to a .toml file or one of {', '.join(names)}")
    return found


def shaped(path: Path, data: dict[str, Any], model: type[Model]) -> tuple[Model, str]:
    """A pack's content, checked against its model, and the content's hash (16 hexadecimal digits).

    Raises PackError, naming the file, if entries have the wrong shape.
    """
    try:
        entries = model.model_validate(data)
    except ValidationError as error:
        raise PackError(f"{path}: {pack_errors(data, error)}") from error
    # Layout and comments don't change the hash.
    return entries, hashlib.sha256(entries.model_dump_json().encode()).hexdigest()[:16]


@dataclass(frozen=True)
class CheckedPack(Generic[Model]):
    """A content pack that keeps its game's rules; games add what they derive from it.

    `file` is where it was read from; `hash` identifies its content whatever the file's layout.
    """

    file: Path
    hash: str
    content: Model

    @property
    def name(self) -> str:
        """The pack's own name, as its [pack] entry gives it."""
        name: str = self.content.pack.name  # type: ignore[attr-defined]  # every game's model has this header
        return name

    def check(self, entry: str, faults: Mapping[str, object]) -> None:
        """Raise PackError for an entry that breaks a rule: with the first reason in `faults` that is true."""
        for reason, holds in faults.items():
            if holds:
                raise PackError(f"{self.file}: {entry}: {reason}")

    def check_unique(self, kind: str, names: Iterable[object]) -> None:
        """Raise PackError for a name that two entries of a kind have."""
        for name, times in Counter(names).items():
            self.check(f"{kind} {name!r}", {"is given twice": times > 1})


Pack = TypeVar("Pack", bound=CheckedPack[Any])


class PackLoader(Generic[Pack]):
    """Reads the packs of a game: `make` is its class of checked packs, `model` the shape of a file.

    Checked packs are cached, those of a file until its text changes. `generated` are the packs that the game draws.
    """

    def __init__(
        self,
        game: str,
        make: type[Pack],
        model: type[BaseModel],
        checks: Sequence[Callable[[Pack], None]],
        generated: GeneratedPacks | None = None,
    ) -> None:
        self.game = game
        self.make = make
        self.model = model
        self.checks = checks
        self.generated = generated
        self._cached = lru_cache(maxsize=16)(self._check)
        self._drawn = lru_cache(maxsize=1024)(self._draw)

    @property
    def splits(self) -> Mapping[str, Sequence[str]]:
        """The names of the packs of each split; empty for games that draw none."""
        return self.generated.splits if self.generated else {}

    def __call__(self, pack: str | Path | Pack = "default") -> Pack:
        """A content pack by name or path to a .toml file; a pack itself is returned.

        Raises PackError if it can't be read or breaks a rule.
        """
        if isinstance(pack, self.make):
            return pack
        generated = self.generated if isinstance(pack, str) and pack not in pack_names(self.game) else None
        if generated and pack in generated:
            return self._drawn(generated, str(pack))
        path = find_pack(self.game, pack, generated.splits if generated else ())
        return self._cached(path, _read(path))

    def _draw(self, generated: GeneratedPacks, name: str) -> Pack:
        return self.check(Path(name), generated.content(name))

    def _check(self, path: Path, text: str) -> Pack:
        return self.check(path, parse_toml(path, text))

    def check(self, path: Path, data: dict[str, Any]) -> Pack:
        """The pack of these entries. path: what errors call it. Raises PackError if it breaks a rule."""
        content, digest = shaped(path, data, self.model)
        pack = self.make(path, digest, content)
        for check in self.checks:
            check(pack)
        return pack


def game_of_pack(path: Path) -> str:
    """The game a pack is for. Raises PackError if the file can't be read or doesn't say."""
    header = parse_toml(path, _read(find_pack("", path))).get("pack")
    game = header.get("game") if isinstance(header, dict) else None
    if not isinstance(game, str):
        raise PackError(f"{path}: pack game: missing; a pack begins with [pack] and names its game")
    return game


def _read(path: Path) -> str:
    try:
        return read_text(path, f"{path}:")
    except OptionError as error:
        raise PackError(str(error)) from error


def parse_toml(path: Path, text: str) -> dict[str, Any]:
    """The entries of a pack's file. Raises PackError if it isn't TOML."""
    try:
        return tomllib.loads(text)
    except (ValueError, RecursionError) as error:  # ValueError: a number with thousands of digits
        raise PackError(f"{path}: isn't TOML: {error}") from error
