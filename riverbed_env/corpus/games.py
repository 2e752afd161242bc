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
    """n recorded games. Seats that a game doesn't have hold NOBODY, and get 0.

    number (n,): under the corpus's seed; num_players (n,); agents (n, seats): their places in the manifest; roles
    (n, seats): as dealt; returns (n, seats); winner (n,): the camp; truncated (n,): ended by the cap on its length;
    lengths (n,): decisions; actions (all decisions,): one game after the other.
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
        """Where the actions of each game start, and the end of all, (n + 1,)."""
        return np.concatenate([[0], self.lengths.cumsum(dtype=np.int64)])

    def take(self, places: Whole) -> Games:
        """The games at these places, in this order."""
        starts, lengths = self.starts[places], self.lengths[places].astype(np.int64)
        before = np.concatenate([[0], lengths.cumsum()])
        chosen = np.repeat(starts - before[:-1], lengths) + np.arange(before[-1])
        whole = {each.name: getattr(self, each.name)[places] for each in fields(self) if each.name != "actions"}
        return Games(**whole, actions=self.actions[chosen])

    def digest(self) -> str:
        """The first half of the SHA-256 of the contents, in hexadecimal, however and wherever they are stored."""
        total = hashlib.sha256()
        for each in fields(self):
            array: npt.NDArray[np.generic] = getattr(self, each.name)
            total.update(f"{each.name} {array.shape} ".encode())
            total.update(np.ascontiguousarray(array.astype(array.dtype.newbyteorder("<"), copy=False)).tobytes())
        return total.hexdigest()[:DIGITS]

    @classmethod
    def joined(cls, several: Iterable[Games]) -> Games:
        """These games, one after the other."""
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
