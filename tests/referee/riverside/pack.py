"""Content packs as plain objects, read from the TOML file itself.

A pack has these tables; each (a boat and a village each for itself) says with `source` whether it stands in the
rulebook or is reconstructed:

- `[pack]`: `game = "riverside"`, `name`, `title`.
- `[route]`: lengths in spaces. `spaces_a_tile`: route spaces on each river tile (odd: the middle one leads to the
  hub); `east_tile`: spaces on the east tile; `middle_to_hub`: steps from a middle space to the hub of its column;
  `hub_to_village`: steps from the hub to either village of the column.
- `[fire]`: `symbols`, fire symbols on a sheet. `[plus_one]`: `symbols`, +1 symbols on a sheet.
- `[captain]`: `reward`, for the most captain points and, negative, for the fewest; `solo_from`, the captain points
  that earn it in a solo game.
- `[achievements]`: `bands`, the score from which each band but the lowest begins, ascending; `solo_win`, the score
  that wins a solo game; `extension`, what is taken off before either is looked up with the extension.
- `[[boat]]` for each of the five colours: `colour`, `power`, and `rows`, four from the top, each with `seats`, `points`
  (of its ticket), `bonus` (seats), `bonus_colour`, and in exactly two rows `royal`, the number of the royal seat.
- `[[village]]` for each river tile: `tile` (a number), `values` (points a ticket, by colour; or `church` alone),
  `passage` (false: the tile has no north/south passage; true if left out), `extension` (true: one of the two tiles of
  the extension; false if left out).
"""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..asking import made_of

COLOURS = ("white", "yellow", "brown", "blue", "pink")
CHURCH = "church"
POWERS = ("Early birds", "Fan base", "Prize ticket", "Warm night", "Speed boat")
ROWS = 4
TILES = 10
EXTENSION_TILES = 2


@dataclass(frozen=True)
class Row:
    """RS-2.3: a row of seats, the points of its ticket and its bonus seats."""

    seats: int
    points: int
    bonus: int
    bonus_colour: str
    royal: int | None = None  # the number of the royal seat, from the left


@dataclass(frozen=True)
class Boat:
    """RS-2.2, RS-3.1: a guide boat: its rows from the top, and its royal power."""

    colour: str
    power: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class Village:
    """RS-2.4: the village of a river tile, with its values by colour or for the church."""

    tile: int
    values: dict[str, int]
    passage: bool = True
    extension: bool = False


@dataclass(frozen=True)
class Route:
    """RS-1.1: the lengths of the route, in spaces."""

    spaces_a_tile: int
    east_tile: int
    middle_to_hub: int
    hub_to_village: int


@dataclass(frozen=True)
class Captain:
    """RS-4.1: what captain points bring."""

    reward: int
    solo_from: int


@dataclass(frozen=True)
class Achievements:
    """RS-4.1: the bands, and when a solo game is won."""

    bands: tuple[int, ...]
    solo_win: int
    extension: int


@dataclass(frozen=True)
class Pack:
    """A content pack."""

    name: str
    route: Route
    fire_symbols: int
    plus_one_symbols: int
    captain: Captain
    achievements: Achievements
    boats: dict[str, Boat]
    villages: dict[int, Village]

    def tiles(self, *, extension: bool) -> list[int]:
        """RS-1.1: the river tiles in play."""
        return [tile for tile, village in self.villages.items() if extension or not village.extension]


def read_pack(path: str | Path) -> Pack:
    """Read a pack from its file."""
    with Path(path).open("rb") as file:
        data = tomllib.load(file)
    achievements = data["achievements"]
    return Pack(
        name=data["pack"]["name"],
        route=made_of(Route, data["route"]),
        fire_symbols=data["fire"]["symbols"],
        plus_one_symbols=data["plus_one"]["symbols"],
        captain=made_of(Captain, data["captain"]),
        achievements=Achievements(tuple(achievements["bands"]), achievements["solo_win"], achievements["extension"]),
        boats={entry["colour"]: _boat(entry) for entry in data["boat"]},
        villages={entry["tile"]: made_of(Village, entry) for entry in data["village"]},
    )


def _boat(entry: dict[str, Any]) -> Boat:
    return Boat(entry["colour"], entry["power"], tuple(made_of(Row, row) for row in entry["rows"]))
