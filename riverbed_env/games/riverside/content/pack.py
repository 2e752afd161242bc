"""Content packs of Riverside: what a file may say, the rules it must keep, and the tables made of it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from pathlib import Path
from typing import Annotated, Literal

import numpy as np
import numpy.typing as npt
from pydantic import Field

from riverbed_env.core.options import check_forced, check_whole
from riverbed_env.core.packs import CheckedPack, Entry, PackLoader, Provenance, by_name, one_of
from riverbed_env.errors import OptionError

from ..rules.state import PARAMS
from ..rules.vocab import (
    BANDS,
    BASE_TILES,
    DEFAULT_MAX_STEPS,
    DEFAULT_PLAYERS,
    MAX_COLUMNS,
    MAX_PLACES,
    MAX_SEATS,
    MIN_PLAYERS,
    NUM_COLOURS,
    NUM_COLUMNS,
    ROWS,
    Boat,
    Power,
)

GAME_NAME = "riverside"
MAX_CAP = 10**8  # steps: the counters of a record hold what happens in so many

BOATS = by_name(Boat)
POWERS = {name.capitalize(): power for name, power in by_name(Power).items()}
COLOURS = tuple(BOATS)[:NUM_COLOURS]
Colour = Annotated[str, one_of(COLOURS)]

Number = Annotated[int, Field(ge=0, le=99)]


class Header(Entry):
    """Which game the pack is for and what it is called."""

    game: Literal["riverside"]
    name: str
    title: str = ""


class Route(Entry):
    """RS-1.1, RS-2.4: how many spaces the ship's route has, and the ways aside from it."""

    spaces_a_tile: Literal[1, 3, 5, 7]  # odd, so that a tile has a middle space
    east_tile: Annotated[int, Field(ge=0, le=20)]
    middle_to_hub: Annotated[int, Field(ge=0, le=9)]
    hub_to_village: Annotated[int, Field(ge=0, le=9)]
    source: Provenance


class Symbols(Entry):
    """RS-1.2: how many symbols of a kind a sheet has."""

    symbols: Number
    source: Provenance


class Captain(Entry):
    """RS-4.1: what the most and the fewest captain points bring, and how many are needed alone."""

    reward: Number
    solo_from: Annotated[int, Field(ge=0, le=9999)]
    source: Provenance


class Achievements(Entry):
    """RS-4.1: the marks of final scores, the one that wins alone, and what the extension takes off first."""

    bands: Annotated[list[Annotated[int, Field(ge=0, le=9999)]], Field(min_length=BANDS, max_length=BANDS)]
    solo_win: Annotated[int, Field(ge=0, le=9999)]
    extension: Annotated[int, Field(ge=0, le=9999)]
    source: Provenance


class Row(Entry):
    """A row of a guide boat: its seats, its ticket's points, its bonus, and which seat is royal."""

    seats: Annotated[int, Field(ge=1, le=20)]
    points: Number
    bonus: Literal[1, 2]
    bonus_colour: Colour
    royal: Annotated[int, Field(ge=1, le=20)] | None = None


class GuideBoat(Entry):
    """A guide boat: the royal power it may bring, and its rows from the top."""

    colour: Colour
    power: Annotated[str, one_of(POWERS)]
    rows: Annotated[list[Row], Field(min_length=ROWS, max_length=ROWS)]
    source: Provenance


class Village(Entry):
    """A river tile with its village: what it is worth for which boats, and whether it lets through."""

    tile: Annotated[int, Field(ge=1, le=MAX_PLACES)]
    values: dict[Annotated[str, one_of(BOATS)], Annotated[int, Field(ge=1, le=99)]]
    passage: bool = True
    extension: bool = False
    source: Provenance


class PackFile(Entry):
    """A whole pack file."""

    pack: Header
    route: Route
    fire: Symbols
    plus_one: Symbols
    captain: Captain
    achievements: Achievements
    boat: list[GuideBoat]
    village: list[Village]


@dataclass(frozen=True)
class Pack(CheckedPack[PackFile]):
    """A checked content pack."""

    @property
    def contents(self) -> str:
        """What it holds, in a few words."""
        return f"{len(self.boats)} boats, {len(self.villages)} villages"

    @cached_property
    def boats(self) -> tuple[GuideBoat, ...]:
        """The guide boats in the order of their colours."""
        by_colour = {boat.colour: boat for boat in self.content.boat}
        return tuple(by_colour[colour] for colour in COLOURS)

    @cached_property
    def villages(self) -> tuple[Village, ...]:
        """The tiles' villages by tile number."""
        return tuple(sorted(self.content.village, key=lambda village: village.tile))


def _check_whole(pack: Pack) -> None:
    """RS-1.1, RS-2.2: each tile and each guide boat is given once."""
    boats = Counter(boat.colour for boat in pack.content.boat)
    for colour in COLOURS:
        if boats[colour] != 1:
            raise pack.refuse(f"boat {colour!r}", _times(boats[colour]))
    tiles = Counter(village.tile for village in pack.content.village)
    for tile in range(1, MAX_PLACES + 1):
        if tiles[tile] != 1:
            raise pack.refuse(f"village of tile {tile}", _times(tiles[tile]))


def _times(number: int) -> str:
    return "is missing" if number == 0 else "is given twice"


def _check_boats(pack: Pack) -> None:
    """RS-2.3, RS-3.1: each boat has two royal seats, inside their rows, and a power of its own."""
    for boat in pack.boats:
        entry = f"boat {boat.colour!r}"
        royal = [row for row in boat.rows if row.royal is not None]
        if len(royal) != 2:
            raise pack.refuse(entry, f"{len(royal)} rows have a royal seat; two are needed (RS-2.3)")
        for place, row in enumerate(boat.rows):
            if row.royal is not None and row.royal > row.seats:
                raise pack.refuse(
                    entry, f"row {place + 1} has {row.seats} seats, so its royal seat can't be {row.royal}"
                )
    powers = Counter(boat.power for boat in pack.boats)
    for power, times in powers.items():
        if times > 1:
            raise pack.refuse(f"power {power!r}", "belongs to two boats; each boat has one of its own (RS-3.1)")


def _check_villages(pack: Pack) -> None:
    """RS-1.1, RS-2.4: tiles 11 and 12 are the extension's; a village is for colours or a stave church, not both."""
    for village in pack.villages:
        entry = f"village of tile {village.tile}"
        if not village.values:
            raise pack.refuse(entry, "is worth nothing to any boat")
        if "church" in village.values and len(village.values) > 1:
            raise pack.refuse(entry, "is a stave church and has colours too (RS-2.4)")
        if village.extension != (village.tile > BASE_TILES):
            raise pack.refuse(
                entry, f"tiles 1 to {BASE_TILES} are the base game's, the others the extension's (RS-1.1)"
            )


def _check_bands(pack: Pack) -> None:
    """RS-4.1: the marks rise."""
    for lower, higher in pairwise(pack.content.achievements.bands):
        if lower >= higher:
            raise pack.refuse("achievements", f"bands must rise, but {higher} follows {lower} (RS-4.1)")


_CHECKS: tuple[Callable[[Pack], None], ...] = (_check_whole, _check_boats, _check_villages, _check_bands)

load_pack = PackLoader(GAME_NAME, Pack, PackFile, _CHECKS)


def _write_route(params: np.void, route: Route) -> None:
    """RS-1.1: the spaces of the route are 0, the start, and on to the anchor; each tile has a middle space."""
    columns, spaces = int(params["columns"]), route.spaces_a_tile
    middle = (spaces + 1) // 2
    for column in range(columns):
        back = columns - 1 - column
        params["middle"][0, column] = column * spaces + middle
        params["middle"][1, column] = columns * spaces + route.east_tile + back * spaces + middle
    params["anchor"] = 2 * columns * spaces + route.east_tile + 1
    params["crossing"] = 2 * route.middle_to_hub
    params["aside"] = route.middle_to_hub + route.hub_to_village


def _write_boats(params: np.void, pack: Pack) -> None:
    for colour, boat in enumerate(pack.boats):
        params["power"][colour] = POWERS[boat.power]
        for place, row in enumerate(boat.rows):
            params["seats"][colour, place] = row.seats
            params["points"][colour, place] = row.points
            params["bonus"][colour, place] = row.bonus
            params["bonus_boat"][colour, place] = BOATS[row.bonus_colour]
            params["royal"][colour, place] = row.royal or 0


def _write_villages(params: np.void, pack: Pack) -> None:
    for tile, village in enumerate(pack.villages):
        params["passage"][tile] = village.passage
        for name, value in village.values.items():
            params["value"][tile, BOATS[name]] = value


def _write_scores(params: np.void, pack: Pack, extension: bool) -> None:
    content = pack.content
    params["fire"] = content.fire.symbols
    params["plus"] = content.plus_one.symbols
    params["reward"] = content.captain.reward
    params["solo_from"] = content.captain.solo_from
    params["bands"] = content.achievements.bands
    params["solo_win"] = content.achievements.solo_win
    params["deduction"] = content.achievements.extension if extension else 0


def make_params(
    num_players: int = DEFAULT_PLAYERS,
    pack: str | Path = "default",
    extension: bool = False,
    auto_forced: str = "public",
    max_steps: int = DEFAULT_MAX_STEPS,
) -> tuple[npt.NDArray[np.void], Pack]:
    """The table of what kernels need to know of a game, shape (1,) of PARAMS, and the pack it is made of.

    Raises OptionError for a value that isn't allowed and PackError for a pack that can't be used.
    """
    check_whole("num_players", num_players, MIN_PLAYERS, MAX_SEATS)
    if not isinstance(extension, bool | np.bool_):
        raise OptionError(f"extension must be True or False, not {extension!r}")
    check_whole("max_steps", max_steps, 1, MAX_CAP, "max_cycles")
    content = load_pack(pack)
    params_array = np.zeros(1, PARAMS)
    params = params_array[0]
    params["num_players"] = num_players
    params["auto_forced"] = check_forced(auto_forced)
    params["extension"] = bool(extension)
    params["max_steps"] = max_steps
    params["columns"] = MAX_COLUMNS if extension else NUM_COLUMNS
    params["num_places"] = 2 * int(params["columns"])
    _write_route(params, content.content.route)
    _write_boats(params, content)
    _write_villages(params, content)
    _write_scores(params, content, bool(extension))
    return params_array, content
