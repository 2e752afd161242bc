"""Derived features: numbers that compiled kernels compute from a view, beside the observation."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.kernels import loops
from riverbed_env.kernels.compile import KernelFamily, Records, Vector, compiled, identifier
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.kernels.threads import with_threads

from .options import check_one_set


@dataclass(frozen=True)
class FeatureSet:
    """One kernel `feature_set(view, params, observation, mask, stream, out)` that fills `out`, int8, by its pieces.

    Observations are of view "history".

    Args:
        name: its name in configs and saved policies.
        pieces: what the numbers of `out` are, in order.
        feature_set: the kernel.
        scales: by a piece's name, the divisor of its numbers before a network takes them; 1 for pieces without one.
        folders: the source folders of its kernel, for the cache.
        about: a description for lists.
        fitted: whether fitted weights or rules of play made them, which self-play from nothing does without.
        beside: the pieces of the observation that a network needs beside them; all if empty.
        found: the call that finds it, by which it is pickled.
    """

    name: str
    pieces: PieceTable
    feature_set: Callable[..., None]
    scales: Mapping[str, float] = field(default_factory=dict, hash=False)
    folders: tuple[Path, ...] = ()
    about: str = ""
    fitted: bool = True
    beside: tuple[str, ...] = ()
    found: tuple[Callable[..., Any], tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)
    _linked: dict[bool, Callable[..., None]] = field(default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.found or (FeatureSet, tuple(getattr(self, each.name) for each in fields(self)[:-1]))

    def link(self, parallel: bool) -> Callable[..., None]:
        """The loop over rows, `kernels.loops.write_feature_rows`, for this kernel.

        Args:
            parallel: whether the loop is compiled for several threads.

        Returns:
            The compiled loop, the same at each call.
        """
        if parallel not in self._linked:
            tag = f"{identifier(self.name)}{'_parallel' if parallel else ''}"
            family = KernelFamily(f"features_{identifier(self.name)}", *self.folders)
            links = {"write_feature_row": self.feature_set}
            self._linked[parallel] = family.link(loops.write_feature_rows, f"write_{tag}", links, parallel=parallel)
        return self._linked[parallel]


def table_of(features: Sequence[FeatureSet]) -> PieceTable:
    """The pieces of all feature sets side by side, each named "SET.PIECE"."""
    pieces = [replace(piece, name=f"{each.name}.{piece.name}") for each in features for piece in each.pieces.pieces]
    return PieceTable(tuple(pieces))


def write_features(
    features: Sequence[FeatureSet],
    views: Records,
    params: Records,
    observations: Vector,
    masks: Vector,
    streams: Records,
    threads: int = 1,
) -> Vector:
    """The numbers of all feature sets side by side, (n, total size).

    views: (n,); params: (1,); observations: (n, D); masks: (n, A); streams: (n,), copies, which are drawn from.
    """
    check_one_set(params)
    threads = threads if compiled() else 1
    parts = [np.zeros((len(observations), 0), np.int8)]
    observations, masks = np.ascontiguousarray(observations), np.ascontiguousarray(masks)  # a batch's are columns
    for feature_set in features:
        parts.append(np.zeros((len(observations), feature_set.pieces.size), np.int8))
        with_threads(threads, feature_set.link(threads > 1), views, params, observations, masks, streams, parts[-1])
    return np.concatenate(parts, axis=1)
