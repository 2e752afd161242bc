"""Recorded games as arrays: who sat where, what was done, and what it paid; and their hash."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from dataclasses import dataclass, fields
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game

DIGITS = 32  # of a hash
NOBODY = -1  # in place of an agent or a role where there is no seat; of a camp where nobody won

Whole = npt.NDArray[np.int64]
Small = npt.NDArray[np.int8]


@dataclass(frozen=True)
class Games:
    """n recorded games; seats that a game doesn't have hold NOBODY, which is -1, and get 0.

    Args:
        number: (n,) int64, the game's number under the corpus's seed.
        num_players: (n,) int8, how many play.
        agents: (n, seats) int8, each seat's agent by its place in the manifest.
        roles: (n, seats) int8, each seat's role as dealt, by its place in the game's roles.
        returns: (n, seats) float32, what each seat got.
        winner: (n,) int8, the camp by its place in the game's camps; NOBODY if none won.
        truncated: (n,) bool, ended by the cap on its length.
        lengths: (n,) int32, decisions.
        actions: (all decisions,) uint16, the action ids of one game after the other.
    """

    number: Whole
    num_players: Small
    agents: Small
    roles: Small
    returns: npt.NDArray[np.float32]
    winner: Small
    truncated: npt.NDArray[np.bool_]
    lengths: npt.NDArray[np.int32]
    actions: npt.NDArray[np.uint16]

    def __len__(self) -> int:
        return len(self.number)

    @property
    def starts(self) -> Whole:
        """Where the actions of each game start, and the end of all, (n + 1,) int64."""
        return np.concatenate([[0], self.lengths.cumsum(dtype=np.int64)])

    def take(self, places: Whole) -> Games:
        """The games at these places, in this order.

        Args:
            places: (k,) int64, the places.

        Returns:
            k games.
        """
        starts, lengths = self.starts[places], self.lengths[places].astype(np.int64)
        before = np.concatenate([[0], lengths.cumsum()])
        chosen = np.repeat(starts - before[:-1], lengths) + np.arange(before[-1])
        whole = {each.name: getattr(self, each.name)[places] for each in fields(self) if each.name != "actions"}
        return Games(**whole, actions=self.actions[chosen])

    def digest(self) -> str:
        """The hash of the contents, however and wherever they are stored.

        Returns:
            The first half of the SHA-256, 32 digits in hexadecimal.
        """
        total = hashlib.sha256()
        for each in fields(self):
            array: npt.NDArray[np.generic] = getattr(self, each.name)
            total.update(f"{each.name} {array.shape} ".encode())
            total.update(np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False)).tobytes())
        return total.hexdigest()[:DIGITS]

    @classmethod
    def joined(cls, several: Iterable[Games]) -> Games:
        """These games, one after the other.

        Args:
            several: Games of one game, at least one object.

        Returns:
            All of them.
        """
        parts = list(several)
        return cls(**{each.name: np.concatenate([getattr(part, each.name) for part in parts]) for each in fields(cls)})


def finished_games(
    game: Game, records: npt.NDArray[np.void], agents: Whole, actions: npt.NDArray[np.uint16], lengths: Whole
) -> Games:
    """Finished games of one player count from their records (n,), the agents of their seats (n, players), and logs."""
    count, num_players = agents.shape
    columns = game.columns(records)
    return Games(
        number=np.ascontiguousarray(records["number"], np.int64),
        num_players=np.full(count, num_players, np.int8),
        agents=_padded(agents, game, NOBODY, np.int8),
        roles=_padded(game.roles_of(records), game, NOBODY, np.int8),
        returns=_padded(game.returns(records, num_players), game, 0, np.float32),
        winner=columns["winner"].astype(np.int8),
        truncated=columns["truncated"].astype(np.bool_),
        lengths=lengths.astype(np.int32),
        actions=actions,
    )


def _padded(by_seat: npt.NDArray[Any], game: Game, filler: int, dtype: npt.DTypeLike) -> npt.NDArray[Any]:
    out: npt.NDArray[Any] = np.full((len(by_seat), game.max_players), filler, dtype)
    out[:, : by_seat.shape[1]] = by_seat
    return out
