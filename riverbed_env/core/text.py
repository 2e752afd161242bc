"""What all games say in the same words."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.kernels.vocab import MAX_EVENTS

Vector = npt.NDArray[np.int8]


def at_the_table(seat: int) -> str:
    """A seat by its agent's name."""
    return f"player_{seat}"


def from_the_observer(place: int) -> str:
    """A seat by its place clockwise from the observer."""
    return "you" if place == 0 else f"the player {place} clockwise"


def counted(number: int, thing: str) -> str:
    """So many of a thing: "1 card", "2 cards"."""
    return f"{number} {thing}" if number == 1 else f"{number} {thing}s"


def event_words(table: np.void, since: int = 0) -> list[int]:
    """The last public events (at most 32) as words, oldest first; the first `since` of the game are left out."""
    count = int(table["event_count"])
    newest = newest_event(count)
    ages = range(count - max(since, count - MAX_EVENTS, 0))
    return [int(table["events"][(newest + age) % MAX_EVENTS]) for age in reversed(ages)]


def view_of(look: Callable[..., None], dtype: np.dtype[np.void], games: npt.NDArray[np.void], seat: int) -> np.void:
    """What a seat may know of a game, as a game's `look` and the dtype of its views have it."""
    view = np.zeros(1, dtype)
    look(games[0], seat, view[0])
    seen: np.void = view[0]
    return seen


def describe_pieces(
    vector: Vector,
    observation: PieceTable,
    sizes: Sequence[int],
    state: PieceTable | None = None,
    tell: Mapping[str, Callable[[Vector], list[str]]] | None = None,
) -> str:
    """An observation or full state piece by piece, zeros left out; ValueError unless it has one of the sizes.

    sizes: of the views; tell: the lines that say a piece, where places and numbers wouldn't do.
    """
    known = [*sizes, *([] if state is None else [state.size])]
    if len(vector) not in known:
        raise ValueError(f"an observation has {' or '.join(map(str, sizes))} numbers, not {len(vector)}")
    table = state if state is not None and len(vector) == state.size else observation
    lines = []
    for name, values in table.named(vector).items():
        if tell is not None and name in tell:
            lines += tell[name](values)
        elif values.any():
            lines.append(f"{name}: {nonzero(values)}")
    return "\n".join(lines)


def nonzero(values: Vector) -> str:
    """The non-zero entries with their places, as place=value, or the place alone where the value is 1."""
    places = [".".join(map(str, index)) for index in np.argwhere(values).tolist()]
    entries = values[values != 0].tolist()  # in the same order
    return " ".join(place if value == 1 else f"{place}={value}" for place, value in zip(places, entries, strict=True))
