"""Content packs of Deep River: the format of a file, its checks, and the params made from it."""

from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from riverbed_env.core.options import check_choice, check_forced, check_whole
from riverbed_env.core.packs import CheckedPack, Entry, PackLoader, by_name, one_of
from riverbed_env.errors import OptionError

from ..rules import vocab as v
from ..rules.state import PARAMS

NUM_SMALL = v.NUM_TILES - 1

Provenance = Literal["rulebook", "reconstructed", "spec"]
TokenFace = Annotated[int, Field(ge=1, le=v.NUM_TILES)] | Literal["bear", "twice"]

EFFECTS = by_name((v.Tile.BEAR, v.Tile.DRIFT, v.Tile.SWAP, v.Tile.TILT))
LETTERS = {"b": v.Tile.BEAR, "d": v.Tile.DRIFT, "s": v.Tile.SWAP, "t": v.Tile.TILT, "D": v.Tile.DOUBLE}
KINDS = {"bear": v.Face.BEAR, "twice": v.Face.TWICE}
CAMPS = {"salmon": v.Camp.SALMON, "eel": v.Camp.EEL}


class Token(Entry):
    """A current token with two faces; each is a number of tiles, "bear" or "twice"."""

    name: str
    faces: Annotated[list[TokenFace], Field(min_length=v.NUM_FACES, max_length=v.NUM_FACES)]
    source: Provenance
    note: str = ""


class SmallTile(Entry):
    """A kind of small river tile and its number of copies."""

    effect: Annotated[str, one_of(EFFECTS)]
    copies: Annotated[int, Field(ge=1, le=NUM_SMALL)]
    source: Provenance
    note: str = ""


class Rules(Entry):
    """How many pawns or piles fit side by side on a tile, and whether a lone pawn may choose an empty slot."""

    small_slots: Annotated[int, Field(ge=1, le=1)] = 1
    double_slots: Annotated[int, Field(ge=1, le=2)] = 2
    single_may_choose_empty: bool = False


class Header(Entry):
    """The pack's game and its name."""

    game: Literal["deep_river"]
    name: str
    title: str = ""


class PackFile(Entry):
    """A whole pack file."""

    pack: Header
    token: Annotated[list[Token], Field(min_length=v.NUM_TOKENS, max_length=v.NUM_TOKENS)]
    tile: Annotated[list[SmallTile], Field(min_length=1)]
    rules: Rules = Field(default_factory=Rules)


@dataclass(frozen=True)
class Pack(CheckedPack[PackFile]):
    """A checked content pack."""

    @property
    def contents(self) -> str:
        """A short summary of the pack."""
        return f"{len(self.tokens)} tokens, {len(self.small_tiles)} small tiles"

    @property
    def tokens(self) -> list[Token]:
        """The tokens in the order of their numbers, which is the order of the file."""
        return self.content.token

    @property
    def rules(self) -> Rules:
        """Slots and stacking."""
        return self.content.rules

    @property
    def small_tiles(self) -> list[v.Tile]:
        """The six small tiles."""
        return [EFFECTS[tile.effect] for tile in self.content.tile for _ in range(tile.copies)]


def _check(pack: Pack) -> None:
    """Refuse a token's name or a tile's effect that is used twice; DR-1.1: there are six small tiles."""
    pack.check_unique("token", (token.name for token in pack.tokens))
    pack.check_unique("tile", (tile.effect for tile in pack.content.tile))
    count = len(pack.small_tiles)
    pack.check("tiles", {f"there are {count} small tiles; DR-1.1 needs {NUM_SMALL}": count != NUM_SMALL})


load_pack = PackLoader("deep_river", Pack, PackFile, (_check,))


def _pinned_tiles(tiles: str | None) -> list[int]:
    """Parse tiles such as "bdsDtsb", from the salmon's side, to a Tile per station; all NOT_PINNED for None."""
    if tiles is None:
        return [v.NOT_PINNED] * v.NUM_STATIONS
    valid = isinstance(tiles, str) and len(tiles) == v.NUM_TILES and set(tiles) <= set(LETTERS)
    if not valid or [place for place, letter in enumerate(tiles, 1) if letter == "D"] != [v.DOUBLE_TILE]:
        raise OptionError(
            f"tiles must be None or {v.NUM_TILES} letters from the salmon's side (b bear, d drift, s swap, t tilt) "
            f"with D, the double tile, in the middle, like 'bdsDtsb', not {tiles!r}"
        )
    return [v.Tile.NEST, *(LETTERS[letter] for letter in tiles), v.Tile.NEST]


def _pinned_faces(faces: str | None) -> list[int]:
    """Parse faces such as "010" to a face per token; all NOT_PINNED for None."""
    if faces is None:
        return [v.NOT_PINNED] * v.NUM_TOKENS
    if not isinstance(faces, str) or len(faces) != v.NUM_TOKENS or not set(faces) <= {"0", "1"}:
        raise OptionError(f"faces must be None or {v.NUM_TOKENS} digits 0 or 1, one a token, like '010', not {faces!r}")
    return [int(face) for face in faces]


def make_params(
    num_players: int = v.NUM_SEATS,
    pack: str | Path = "default",
    tiles: str | None = None,
    faces: str | None = None,
    first: str | None = None,
    auto_forced: str = "public",
    max_turns: int = v.DEFAULT_MAX_TURNS,
) -> tuple[npt.NDArray[np.void], Pack]:
    """Make the params that kernels read, shape (1,) of PARAMS; return them and their pack.

    Raises OptionError for an invalid option and PackError for an invalid pack.
    """
    check_whole("num_players", num_players, v.NUM_SEATS, v.NUM_SEATS)
    check_whole("max_turns", max_turns, 1, v.MAX_MAX_TURNS)
    if first is not None:
        check_choice("first, unless it is None,", first, CAMPS)
    content = load_pack(pack)
    params_array = np.zeros(1, PARAMS)
    params = params_array[0]
    params["num_players"] = num_players
    params["auto_forced"] = check_forced(auto_forced)
    params["max_turns"] = max_turns
    for number, token in enumerate(content.tokens):
        params["kind"][number] = [KINDS[face] if isinstance(face, str) else v.Face.NUMBER for face in token.faces]
        params["steps"][number] = [1 if isinstance(face, str) else face for face in token.faces]
    params["small_tiles"] = content.small_tiles
    params["slots"][1 : v.NUM_TILES + 1] = content.rules.small_slots
    params["slots"][v.DOUBLE_TILE] = content.rules.double_slots
    params["may_choose_empty"] = content.rules.single_may_choose_empty
    params["pinned_tile"] = _pinned_tiles(tiles)
    params["pinned_face"] = _pinned_faces(faces)
    params["pinned_first"] = v.NOT_PINNED if first is None else CAMPS[first]
    return params_array, content
