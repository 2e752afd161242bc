"""Observation tables: a game declares the pieces of its vectors once; slices, spaces, words and pages follow."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from math import prod
from typing import Any, Literal, TypeVar

import numpy as np
import numpy.typing as npt

from .constants import Constants, constants

_Number = TypeVar("_Number", bound=np.number[Any])
NOTHING = np.zeros(0, np.int8)
Visibility = Literal["all", "own", "nobody"]


@dataclass(frozen=True)
class Piece:
    """A named part of a vector.

    `visibility` says who may know it: "all" everybody, "own" the observer alone, "nobody" no seat (full-state vectors
    only). `low` and `high` bound its values, both included; `axes` names what the shape counts.
    """

    name: str
    shape: tuple[int, ...]
    visibility: Visibility
    doc: str
    low: int = 0
    high: int = 1
    axes: Sequence[str] = field(default=())

    @property
    def size(self) -> int:
        """How many numbers the piece holds."""
        return prod(self.shape)


@dataclass(frozen=True)
class PieceTable:
    """The pieces of a vector in their order, which is part of the environment's version."""

    pieces: tuple[Piece, ...]

    @cached_property
    def size(self) -> int:
        """The length of the vector."""
        return sum(piece.size for piece in self.pieces)

    @cached_property
    def slices(self) -> dict[str, slice]:
        """The slice of each piece, by name."""
        ends = np.cumsum([piece.size for piece in self.pieces])
        return {
            piece.name: slice(int(end) - piece.size, int(end)) for piece, end in zip(self.pieces, ends, strict=True)
        }

    def within(self, size: int) -> tuple[Piece, ...]:
        """The pieces that lie within the first `size` numbers, as a smaller view has them."""
        return tuple(piece for piece in self.pieces if self.slices[piece.name].stop <= size)

    @property
    def secrets(self) -> tuple[Piece, ...]:
        """The pieces that nobody sees."""
        return tuple(piece for piece in self.pieces if piece.visibility == "nobody")

    def start(self, name: str) -> int:
        """The index at which piece `name` begins."""
        return int(self.slices[name].start)

    def offsets(self) -> Constants:
        """The index at which each piece begins, as constants for kernels: `AT.tracks` after `AT = TABLE.offsets()`."""
        return constants({name: self.start(name) for name in self.slices})

    def widths(self) -> Constants:
        """The length of each piece's last axis, as constants for kernels."""
        return constants({piece.name: piece.shape[-1] for piece in self.pieces})

    def low(self) -> npt.NDArray[np.int8]:
        """The least value of each entry, shape (size,)."""
        return np.concatenate([NOTHING, *(np.full(piece.size, piece.low, np.int8) for piece in self.pieces)])

    def high(self) -> npt.NDArray[np.int8]:
        """The greatest value of each entry, shape (size,)."""
        return np.concatenate([NOTHING, *(np.full(piece.size, piece.high, np.int8) for piece in self.pieces)])

    def named(self, vector: npt.NDArray[_Number]) -> dict[str, npt.NDArray[_Number]]:
        """Views of a vector's pieces by name, each in its shape; pieces past the vector's end are left out."""
        return {
            piece.name: vector[self.slices[piece.name]].reshape(piece.shape)
            for piece in self.pieces
            if self.slices[piece.name].stop <= len(vector)
        }

    def secret_places(self, seat: int, num_players: int) -> npt.NDArray[np.int64]:
        """Indices of the pieces that nobody sees, in order; those counted by seat begin with `seat`, then clockwise."""
        secret_indices = []
        for piece in self.secrets:
            places = np.arange(self.slices[piece.name].start, self.slices[piece.name].stop).reshape(piece.shape)
            if piece.axes and piece.axes[0].partition(" ")[0] == "seat":
                places[:num_players] = np.roll(places[:num_players], -seat, axis=0)
            secret_indices.append(places.ravel())
        return np.concatenate([np.zeros(0, np.int64), *secret_indices])

    def public_places(self) -> npt.NDArray[np.int32]:
        """The indices of the pieces that everybody sees, in order."""
        slices = [self.slices[piece.name] for piece in self.pieces if piece.visibility == "all"]
        return np.concatenate([np.arange(span.start, span.stop, dtype=np.int32) for span in slices])
