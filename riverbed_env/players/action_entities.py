"""The columns of an input vector that describe each object that an action can name, such as a seat, space or card.

An action block and an axis of observation pieces belong together if they have the same size and name: SEAT and "seat
(observer first, then clockwise)". A network that scores all objects of a kind with the same weights learns from one
what holds for all.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.core.features import FeatureSet
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.kernels.pieces import Piece

from .features import ADVICE

Columns = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Kind:
    """Objects of one kind: their action block, its first action, and each object's columns, (objects, features)."""

    block: str
    first: int
    columns: Columns


@dataclass(frozen=True)
class Relation:
    """A piece that says of each two objects of two kinds whether something holds, like where each seat's meeple stands.

    kinds: the numbers of the two kinds; columns: (objects of the first, objects of the second).
    """

    kinds: tuple[int, int]
    columns: Columns


@dataclass(frozen=True)
class Objects:
    """The kinds of objects in a vector, the columns that describe none, those of advice, and relations of objects."""

    kinds: tuple[Kind, ...]
    others: Columns
    advice: Columns
    relations: tuple[Relation, ...] = ()


def pieces_in(game: Game, view: str) -> dict[str, int]:
    """The pieces of a view and how many numbers each has, in their order."""
    return {piece.name: piece.size for piece in game.observation.within(game.views[view])}


def _name(axis: str) -> str:
    return axis.partition(" ")[0].upper()


def objects_of(
    game: Game,
    view: str,
    features: Sequence[FeatureSet],
    *,
    secrets: bool,
    pieces: Sequence[str] = (),
    related: bool = False,
) -> Objects:
    """The objects in a learner's vector: an observation of a view, features, and, if `secrets`, the secret pieces.

    pieces: the names of the observation's pieces to use; all of them if none is named. related: with their relations.
    Raises OptionError for unknown names.
    """
    placed = list(_placed(game, view, features, secrets))
    unknown = set(pieces) - {piece.name for piece in game.observation.pieces}
    if unknown:
        known = ", ".join(piece.name for piece in game.observation.pieces)
        raise OptionError(f"{game.name} has no piece {sorted(unknown)[0]!r}; there are {known}")
    left_out = {piece.name for piece in game.observation.pieces if pieces and piece.name not in pieces}
    seen = [(piece, start) for piece, start in placed if start >= game.views[view] or piece.name not in left_out]
    labels: dict[str, str] = {}
    for block in game.actions.blocks:
        for piece, _ in seen:
            for axis, size in zip(piece.axes, piece.shape):
                if block.size > 1 and size == block.size and _name(axis) == block.name:
                    labels.setdefault(block.name, axis)
    kinds = tuple(
        Kind(name, game.actions.starts[name], _columns_of(game, name, label, seen)) for name, label in labels.items()
    )
    spoken = {int(column) for kind in kinds for column in kind.columns.ravel()}
    advice = [np.arange(start, start + piece.size) for piece, start in placed if piece.name == ADVICE]
    every = [column for piece, start in seen for column in range(start, start + piece.size)]
    others = [column for column in every if column not in spoken]
    relations = tuple(_relations(list(labels.values()), seen)) if related else ()
    return Objects(kinds, np.array(others, np.int64), np.concatenate([np.zeros(0, np.int64), *advice[:1]]), relations)


def _relations(labels: Sequence[str], placed: Sequence[tuple[Piece, int]]) -> Iterator[Relation]:
    """The pieces of 0 and 1 with the axes of two kinds, whose labels these are."""
    for piece, begin in placed:
        if len(piece.axes) == 2 and set(piece.axes) <= set(labels) and (piece.low, piece.high) == (0, 1):
            first, second = (labels.index(axis) for axis in piece.axes)
            if first != second:
                yield Relation((first, second), begin + np.arange(piece.size).reshape(piece.shape))


def head_columns(game: Game, view: str, piece: str) -> Columns:
    """The columns of the piece that chooses a network's scores; none for "". Raises OptionError if a view has none."""
    if not piece:
        return np.zeros(0, np.int64)
    seen = game.observation.slices.get(piece)
    if seen is None or seen.stop > game.views[view]:
        raise OptionError(f"{game.name} has no piece {piece!r} in view {view!r}, to choose the scores by")
    return np.arange(seen.start, seen.stop)


def _placed(game: Game, view: str, features: Sequence[FeatureSet], secrets: bool) -> Iterator[tuple[Piece, int]]:
    """The pieces of the vector, each with its first column."""
    begin, derived = 0, (piece for each in features for piece in each.pieces.pieces)
    for piece in (*game.observation.within(game.views[view]), *derived, *(game.state.secrets if secrets else ())):
        yield piece, begin
        begin += piece.size


def _columns_of(game: Game, block: str, label: str, placed: Sequence[tuple[Piece, int]]) -> Columns:
    """The columns that describe each object of a kind, (objects, features)."""
    parts = []
    start = game.actions.starts[block]
    size = next(each.size for each in game.actions.blocks if each.name == block)
    for piece, begin in placed:
        columns = begin + np.arange(piece.size).reshape(piece.shape)
        if piece.name == ADVICE:
            parts.append(columns[start : start + size, None])
            continue
        # Secret pieces, already in the observer's order, say only "seat".
        same = {label, "seat"} if _name(label) == "SEAT" else {label}
        axes = [place for place, axis in enumerate(piece.axes) if axis in same and piece.shape[place] == size]
        if axes:
            parts.append(np.moveaxis(columns, axes[0], 0).reshape(size, -1))
    return np.concatenate(parts, axis=1)
