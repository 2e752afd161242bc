"""The fields of a game record by name, and what all games hide alike: the chance that is still to come."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

Games = npt.NDArray[np.void]  # length 1, as the environments hold it

STREAM_FIELDS = ("key", "block", "drawn")
MOST_DRAWN = 100


def leaves(record: np.void, path: str = "") -> Iterator[tuple[str, int | None, bytes]]:
    """Every plain field: its name in full, the place in an array of records it lies in (None outside), its bytes."""
    assert record.dtype.names is not None
    for name in record.dtype.names:
        value = record[name]
        if value.dtype.names is None:
            yield path + name, None, np.asarray(value).tobytes()
        elif value.shape == ():
            yield from leaves(value, f"{path}{name}.")
        else:
            for place in range(len(value)):
                for inner, _, content in leaves(value[place], f"{path}{name}."):
                    yield inner, place, content


def fields_apart(one: np.void, two: np.void) -> set[tuple[str, int | None]]:
    """The fields in which two records differ: the name, and the seat where it is a part of a seat's own."""
    pairs = zip(leaves(one), leaves(two), strict=True)
    return {(name, place) for (name, place, here), (_, _, there) in pairs if here != there}


def streams(*names: str) -> frozenset[str]:
    """The fields of random streams, and of what they are found by."""
    return frozenset({"seed", "number", *(f"{name}.{field}" for name in names for field in STREAM_FIELDS)})


def redraw_future(game: np.void, rng: np.random.Generator, *names: str) -> None:
    """Another seed and number, and other random streams: all that says what chance will bring."""
    game["seed"] = rng.integers(2**40)
    game["number"] = rng.integers(2**20)
    for name in names:
        game[name]["key"] = rng.integers(2**32)
        game[name]["block"] = rng.integers(2**32)
        game[name]["drawn"] = rng.integers(MOST_DRAWN)


def other_seats(game: np.void, seat: int) -> list[int]:
    """The seats of the other players."""
    return [other for other in range(int(game["table"]["num_players"])) if other != seat]
