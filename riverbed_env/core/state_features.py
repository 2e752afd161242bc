"""Features of full states, for critics that see everything: no seat may know them.

A package brings a game's by an entry point of the group "riverbed.states", whose name is "game.name".
"""

from collections.abc import Callable, Mapping
from functools import cache
from pathlib import Path

import numpy as np

from riverbed_env.kernels import loops
from riverbed_env.kernels.compile import KernelFamily, Numbers, Record, Records, Vector, Whole, compiled
from riverbed_env.kernels.pieces import PieceTable
from riverbed_env.kernels.threads import with_threads

from .game import Game

SEATED = "seat", "side"  # the axes of pieces by seat; a state is seen from seat 0, whose side is the first


class StateFeatures:
    """One kernel `write(game, params, out)` that fills `out`, int8, by its pieces.

    Args:
        name: its name.
        pieces: what the numbers of `out` are, in order; those by seat count from seat 0.
        write: the kernel.
        scales: by a piece's name, the divisor of its numbers before a network takes them; 1 for pieces without one.
        folders: the source folders of its kernel, for the cache.
    """

    def __init__(
        self,
        name: str,
        pieces: PieceTable,
        write: Callable[[Record, Record, Vector], None],
        *,
        scales: Mapping[str, float],
        folders: tuple[Path, ...],
    ) -> None:
        self.name, self.pieces, self._write, self._scales, self._folders = name, pieces, write, scales, folders
        self._link = cache(self._link_once)

    def of(self, games: Records, params: Records, which: Whole, threads: int = 1) -> Vector:
        """The features of full states.

        Args:
            games: (n,) game records.
            params: (sets,) records.
            which: (n,) int64, the number of each game's params.
            threads: how many share the work.

        Returns:
            (n, size) int8, in a new array.
        """
        out = np.zeros((len(games), self.pieces.size), np.int8)
        threads = threads if compiled() else 1
        with_threads(threads, self._link(threads > 1), games, params, which, out)
        return out

    def scale(self) -> Numbers:
        """The divisor of each number, (size,)."""
        return np.concatenate(
            [np.full(piece.size, self._scales.get(piece.name, 1), np.float32) for piece in self.pieces.pieces]
        )

    def columns(self) -> tuple[Whole, Whole]:
        """Which numbers describe each seat, (seats, numbers of one), and which none, (the others,)."""
        seats, others = [], [np.zeros(0, np.int64)]
        for piece in self.pieces.pieces:
            places = self.pieces.start(piece.name) + np.arange(piece.size).reshape(piece.shape)
            if piece.axes and piece.axes[0].partition(" ")[0] in SEATED:
                seats.append(places.reshape(len(places), -1))
            else:
                others.append(places.ravel())
        return np.concatenate(seats, axis=1), np.concatenate(others)

    def _link_once(self, parallel: bool) -> Callable[..., None]:
        family, name = KernelFamily(f"states_{self.name}", *self._folders), f"write_{self.name}"
        kernels = {"write_state_row": self._write}
        return family.link(loops.write_state_rows, f"{name}_parallel" if parallel else name, kernels, parallel=parallel)


class FullStates(StateFeatures):
    """The whole state of a game that brings no features of it. game: the game."""

    def __init__(self, game: Game) -> None:
        scales = {piece.name: float(max(1, min(16, piece.high))) for piece in game.state.pieces}
        super().__init__("full", game.state, lambda *_: None, scales=scales, folders=())
        self._game = game

    def of(self, games: Records, params: Records, which: Whole, threads: int = 1) -> Vector:
        """See `StateFeatures.of`."""
        out = np.zeros((len(games), self.pieces.size), np.int8)
        views = np.zeros(threads if compiled() else 1, self._game.view_dtype)
        scratch = np.zeros((len(views), self._game.observation.size), np.int8)
        linked = self._game.loops.parallel if len(views) > 1 else self._game.loops
        with_threads(len(views), linked.full_states, games, params, which, views, scratch, out)
        return out
