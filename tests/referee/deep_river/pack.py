"""Content packs as plain objects, read from the TOML file itself (its format: packs/deep_river/default.toml)."""

import tomllib
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

Face = int | str  # a number of tiles, "bear" or "twice"

SMALL_EFFECTS = ("bear", "drift", "swap", "tilt")
SPECIAL_FACES = ("bear", "twice")


@dataclass(frozen=True)
class Token:
    """DR-2.2: a current token and its two faces."""

    name: str
    faces: tuple[Face, Face]


@dataclass(frozen=True)
class Rules:
    """DR-2.3: the pack's rules of slots."""

    small_slots: int
    double_slots: int
    single_may_choose_empty: bool


@dataclass(frozen=True)
class Pack:
    """A content pack."""

    name: str
    tokens: tuple[Token, ...]
    small_tiles: tuple[str, ...]  # the effects of the six small tiles, in the order of the file, copies together
    rules: Rules

    def with_small_tiles(self, effects: tuple[str, ...]) -> "Pack":
        """The same pack with another set of six small tiles (for starts with "tiles as given")."""
        return checked(replace(self, small_tiles=effects))


def read_pack(path: str | Path) -> Pack:
    """Read a pack from its file. Raises ValueError if it isn't a playable pack of Deep River."""
    with Path(path).open("rb") as file:
        data = tomllib.load(file)
    if data["pack"]["game"] != "deep_river":
        raise ValueError(f"a pack of another game: {data['pack']['game']}")
    return checked(
        Pack(
            name=data["pack"]["name"],
            tokens=tuple(_token(entry) for entry in data["token"]),
            small_tiles=tuple(entry["effect"] for entry in data["tile"] for _ in range(entry["copies"])),
            rules=Rules(**data["rules"]),
        )
    )


def _token(entry: dict[str, Any]) -> Token:
    first, second = entry["faces"]
    return Token(entry["name"], (first, second))


def checked(pack: Pack) -> Pack:
    """DR-1.1, DR-1.2, DR-2.2: the pack itself. Raises ValueError if it can't be played."""
    if len(pack.small_tiles) != 6 or not set(pack.small_tiles) <= set(SMALL_EFFECTS):
        raise ValueError(f"DR-1.1: these aren't six small tiles: {pack.small_tiles}")
    if len(pack.tokens) != 3:
        raise ValueError(f"DR-1.2: there are three current tokens, not {len(pack.tokens)}")
    for token in pack.tokens:
        if not all(_is_face(face) for face in token.faces):
            raise ValueError(f"DR-2.2: a token can't have these faces: {token.faces}")
    # READING: the twenty-one actions name eight slots, so a pack can't give a small tile more than one slot nor the
    # double tile more than two.
    if pack.rules.small_slots != 1 or pack.rules.double_slots not in {1, 2}:
        raise ValueError(f"DR-2.3: the actions don't name these slots: {pack.rules}")
    return pack


def _is_face(face: Face) -> bool:
    """DR-2.2: whether this is a number of tiles, at least 1, or a special face."""
    if isinstance(face, str):
        return face in SPECIAL_FACES
    return face >= 1
