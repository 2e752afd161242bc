"""Content packs of Riverside: the file format, its checks, and the params made from it."""

from collections import Counter
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

from ..rules import vocab as v
from ..rules.state import PARAMS

MAX_CAP = 10**8  # steps: the counters of a record can't overflow within this cap

BOATS = by_name(v.Boat)
POWERS = {name.capitalize(): power for name, power in by_name(v.Power).items()}
COLOURS = tuple(BOATS)[: v.NUM_COLOURS]
Colour = Annotated[str, one_of(COLOURS)]

Number = Annotated[int, Field(ge=0, le=99)]


class Header(Entry):
    """Which game the pack is for and what it is called."""

    game: Literal["riverside"]
    name: str
    title: str = ""


class Route(Entry):
    """RS-1.1, RS-2.4: the number of spaces on the ship's route, and the steps from it to villages."""

    spaces_a_tile: Literal[1, 3, 5, 7]  # odd, so that a tile has a middle space
    east_tile: Annotated[int, Field(ge=0, le=20)]
    middle_to_hub: Annotated[int, Field(ge=0, le=9)]
    hub_to_village: Annotated[int, Field(ge=0, le=9)]
    source: Provenance


class Symbols(Entry):
    """RS-1.2: the number of symbols of a kind on a sheet."""

    symbols: Number
    source: Provenance


class Captain(Entry):
    """RS-4.1: the reward for captain points, and how many earn it in solo play."""

    reward: Number
    solo_from: Annotated[int, Field(ge=0, le=9999)]
    source: Provenance


class Achievements(Entry):
    """RS-4.1: the marks of final scores, the one that wins in solo play, and the extension's deduction."""

    bands: Annotated[list[Annotated[int, Field(ge=0, le=9999)]], Field(min_length=v.BANDS, max_length=v.BANDS)]
    solo_win: Annotated[int, Field(ge=0, le=9999)]
    extension: Annotated[int, Field(ge=0, le=9999)]
    source: Provenance


class Row(Entry):
    """A row of a guide boat: its seats, ticket points, bonus seats and royal seat."""

    seats: Annotated[int, Field(ge=1, le=20)]
    points: Number
    bonus: Literal[1, 2]
    bonus_colour: Colour
    royal: Annotated[int, Field(ge=1, le=20)] | None = None


class GuideBoat(Entry):
    """A guide boat: its royal power, and its rows from the top."""

    colour: Colour
    power: Annotated[str, one_of(POWERS)]
    rows: Annotated[list[Row], Field(min_length=v.ROWS, max_length=v.ROWS)]
    source: Provenance


class Village(Entry):
    """A river tile: its village's value for each boat, and whether the tile has a passage."""

    tile: Annotated[int, Field(ge=1, le=v.MAX_PLACES)]
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
        """A short description of the pack's contents."""
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
    """RS-1.1, RS-2.2: the pack has each tile and each guide boat once; RS-4.1: the marks rise."""
    boats = Counter(boat.colour for boat in pack.content.boat)
    tiles = Counter(village.tile for village in pack.content.village)
    times = {f"boat {colour!r}": boats[colour] for colour in COLOURS}
    times |= {f"village of tile {tile}": tiles[tile] for tile in range(1, v.MAX_PLACES + 1)}
    for entry, count in times.items():
        pack.check(entry, {"is missing": count == 0, "is given twice": count > 1})
    for lower, higher in pairwise(pack.content.achievements.bands):
        pack.check("achievements", {f"bands must rise, but {higher} follows {lower} (RS-4.1)": lower >= higher})


def _check_boats(pack: Pack) -> None:
    """RS-2.3, RS-3.1: each boat has two royal seats, within their rows, and a power that no other boat has."""
    for boat in pack.boats:
        royal = [row for row in boat.rows if row.royal is not None]
        faults = {f"{len(royal)} rows have a royal seat; two are needed (RS-2.3)": len(royal) != 2}
        for index, row in enumerate(boat.rows, 1):
            beyond = f"row {index} has {row.seats} seats, so its royal seat can't be {row.royal}"
            faults[beyond] = (row.royal or 0) > row.seats
        pack.check(f"boat {boat.colour!r}", faults)
    for power, times in Counter(boat.power for boat in pack.boats).items():
        shared = "belongs to two boats; each boat has one of its own (RS-3.1)"
        pack.check(f"power {power!r}", {shared: times > 1})


def _check_villages(pack: Pack) -> None:
    """RS-1.1, RS-2.4: tiles 11 and 12 are the extension's; a village is for colours or a stave church, not both."""
    base = f"tiles 1 to {v.BASE_TILES} are the base game's, the others the extension's (RS-1.1)"
    for village in pack.villages:
        church = "church" in village.values and len(village.values) > 1
        faults = {
            "is worth nothing to any boat": not village.values,
            "is a stave church and has colours too (RS-2.4)": church,
            base: village.extension != (village.tile > v.BASE_TILES),
        }
        pack.check(f"village of tile {village.tile}", faults)


load_pack = PackLoader("riverside", Pack, PackFile, (_check_whole, _check_boats, _check_villages))


def _write_route(params: np.void, route: Route) -> None:
    """RS-1.1: write the middle space of each tile, the anchor and the steps off the route; space 0 is the start."""
    columns, spaces = int(params["columns"]), route.spaces_a_tile
    middle = (spaces + 1) // 2
    for column in range(columns):
        column_from_east = columns - 1 - column
        params["middle"][0, column] = column * spaces + middle
        params["middle"][1, column] = columns * spaces + route.east_tile + column_from_east * spaces + middle
    params["anchor"] = 2 * columns * spaces + route.east_tile + 1
    params["crossing"] = 2 * route.middle_to_hub
    params["aside"] = route.middle_to_hub + route.hub_to_village


def make_params(
    num_players: int = v.DEFAULT_PLAYERS,
    pack: str | Path = "default",
    extension: bool = False,
    auto_forced: str = "public",
    max_steps: int = v.DEFAULT_MAX_STEPS,
) -> tuple[npt.NDArray[np.void], Pack]:
    """The params that kernels read, shape (1,) of PARAMS, and the pack they come from.

    Raises OptionError for a value that isn't allowed and PackError for an invalid pack.
    """
    check_whole("num_players", num_players, v.MIN_PLAYERS, v.MAX_SEATS)
    if not isinstance(extension, bool | np.bool_):
        raise OptionError(f"extension must be True or False, not {extension!r}")
    check_whole("max_steps", max_steps, 1, MAX_CAP)
    content = load_pack(pack)
    params_array = np.zeros(1, PARAMS)
    params = params_array[0]
    params["num_players"] = num_players
    params["auto_forced"] = check_forced(auto_forced)
    params["extension"] = bool(extension)
    params["max_steps"] = max_steps
    params["columns"] = v.MAX_COLUMNS if extension else v.NUM_COLUMNS
    params["num_places"] = 2 * int(params["columns"])
    _write_route(params, content.content.route)
    for colour, boat in enumerate(content.boats):
        params["power"][colour] = POWERS[boat.power]
        for index, row in enumerate(boat.rows):
            for name in ("seats", "points", "bonus"):
                params[name][colour, index] = getattr(row, name)
            params["bonus_boat"][colour, index] = BOATS[row.bonus_colour]
            params["royal"][colour, index] = row.royal or 0
    for tile, village in enumerate(content.villages):
        params["passage"][tile] = village.passage
        for name, value in village.values.items():
            params["value"][tile, BOATS[name]] = value
    shown = np.zeros((len(params["value"]), v.NUM_BOATS + 2), np.int8)
    shown[:, : v.NUM_BOATS], shown[:, v.NUM_BOATS + 1] = params["value"], 1
    params["village"] = shown.view(np.int64)[:, 0]
    scores = content.content
    params["fire"] = scores.fire.symbols
    params["plus"] = scores.plus_one.symbols
    params["reward"] = scores.captain.reward
    params["solo_from"] = scores.captain.solo_from
    params["bands"] = scores.achievements.bands
    params["solo_win"] = scores.achievements.solo_win
    params["deduction"] = scores.achievements.extension if extension else 0
    return params_array, content
