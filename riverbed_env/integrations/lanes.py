"""Games of several player counts beside each other: a batch for each count, read as one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch, Vectors, read_actions
from riverbed_env.core.game import Game, take_records
from riverbed_env.core.options import check_integers, check_whole
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import fresh_seed

Whole = npt.NDArray[np.int64]

NOBODY = -1  # in place of a seat or a role


class Lanes:
    """`num_envs` games, shared out in equal blocks among the player counts; a game that ends waits to be dealt anew.

    num_players: a count, or several, at most one for each environment; None is the game's usual count. Lane i starts
    with game `first_game + i` of the seed and goes on in steps of `num_envs`, so that no two play the same. `num_seats`
    is the largest count; `num_players` (n,) int64 is each lane's; `roles` (n, num_seats) int8 holds the role of each
    seat, NOBODY where there is none. The other options are those of `Batch`.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        num_players: int | Sequence[int] | None = None,
        *,
        seed: int | None = None,
        first_game: int = 0,
        **options: Any,
    ) -> None:
        counts = player_counts(game, num_players)
        self.game, self.num_envs = game, check_whole("num_envs", num_envs, len(counts), 2**31 - 1)
        self.num_seats = max(counts)
        sizes = [len(block) for block in np.array_split(np.arange(num_envs), len(counts))]
        ends = np.cumsum([0, *sizes])
        self.blocks = [slice(int(low), int(high)) for low, high in pairwise(ends)]
        own = {"seed": fresh_seed() if seed is None else seed, "auto_reset": False, **options}
        self.batches = [
            Batch(game, size, first_game=first_game + block.start, num_players=count, **own)
            for size, block, count in zip(sizes, self.blocks, counts)
        ]
        self.num_players = np.repeat(counts, sizes)
        self.roles = np.full((num_envs, self.num_seats), NOBODY, np.int8)
        self._note_roles(np.arange(num_envs))

    @property
    def seat(self) -> Whole:
        """The current seat of each game, NOBODY where it is over; (n,), a new array."""
        return self._joined("seat")

    @property
    def observation(self) -> Vectors:
        """The current seats' observations, (n, D), a new array."""
        return self._joined("observation")

    @property
    def action_mask(self) -> Vectors:
        """Their action masks, (n, A), a new array."""
        return self._joined("action_mask")

    @property
    def done(self) -> npt.NDArray[np.bool_]:
        """Which games the last step ended, (n,), a new array."""
        return self._joined("done")

    def ended_columns(self) -> dict[str, npt.NDArray[np.generic]]:
        """What the games were that the last step ended, in the order of the lanes: `Batch.ended_columns`."""
        parts = [batch.ended_columns() for batch in self.batches]
        return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}

    @property
    def truncated(self) -> npt.NDArray[np.bool_]:
        """Which games the last step ended by the cap on their length, (n,), a new array."""
        return self._joined("truncated")

    @property
    def game_number(self) -> Whole:
        """The number of each game, (n,), a new array."""
        return self._joined("game_number")

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """What the games that the last step ended paid, (n, num_seats), a new array; 0 for the others."""
        returns = np.zeros((self.num_envs, self.num_seats), np.float32)
        for block, batch in zip(self.blocks, self.batches):
            returns[block, : batch.num_players] = batch.returns
        return returns

    def observe(self, seats: Whole, lanes: Whole) -> tuple[Vectors, Vectors]:
        """Observation (m, D) and action mask (m, A) of a seat in each of these lanes (m,), which ascend; new arrays."""
        parts = [batch.observe(seats[mine], lanes[mine] - block.start) for block, batch, mine in self._shares(lanes)]
        observations, masks = zip(*parts)
        return np.concatenate(observations), np.concatenate(masks)

    def states(self) -> Vectors:
        """The full state of each game, (n, S), for central critics."""
        return np.concatenate([batch.states() for batch in self.batches])

    def random_actions(self) -> Whole:
        """A uniformly drawn legal action for every game, (n,)."""
        return np.concatenate([batch.random_actions() for batch in self.batches])

    def step(self, actions: npt.ArrayLike) -> None:
        """Take one action in every game; those of games that are over are ignored.

        Raises IllegalActionError, with nothing changed, if an action isn't legal.
        """
        chosen = read_actions(actions, self.num_envs)
        if len(self.batches) > 1:  # a single one checks before it changes anything
            for block, batch in zip(self.blocks, self.batches):
                batch.check(chosen[block])
        for block, batch in zip(self.blocks, self.batches):
            batch.step(chosen[block])

    def reset(self, seed: int | None = None) -> None:
        """Deal all games again; see `Batch.reset`."""
        start = 0 if seed is not None else int(self.game_number.max()) + 1
        for block, batch in zip(self.blocks, self.batches):
            batch.reset(seed, start + block.start)
        self._note_roles(np.arange(self.num_envs))

    def deal_next(self, lanes: npt.NDArray[np.bool_]) -> None:
        """Deal the next game in these lanes, (n,)."""
        for block, batch in zip(self.blocks, self.batches):
            indices = np.flatnonzero(lanes[block])
            if len(indices):
                batch.deal(batch.game_number[indices] + self.num_envs, indices)
        self._note_roles(np.flatnonzero(lanes))

    def _note_roles(self, lanes: Whole) -> None:
        for block, batch, mine in self._shares(lanes):
            if mine.any():
                dealt = take_records(batch.games, lanes[mine] - block.start)
                self.roles[lanes[mine], : batch.num_players] = self.game.roles_of(dealt)

    def _shares(self, lanes: Whole) -> Iterator[tuple[slice, Batch, npt.NDArray[np.bool_]]]:
        """Each block with its batch, and which of these lanes are in it."""
        for block, batch in zip(self.blocks, self.batches):
            yield block, batch, (lanes >= block.start) & (lanes < block.stop)

    def _joined(self, name: str) -> npt.NDArray[Any]:
        return np.concatenate([getattr(batch, name) for batch in self.batches])


def player_counts(game: Game, num_players: Any = None) -> list[int]:
    """The player counts asked for, one or several; the game's usual one if None. Raises OptionError for others."""
    given = game.default_players if num_players is None else num_players
    counts: list[int] = check_integers("num_players", given, game.min_players, game.max_players).tolist()
    if not counts:
        raise OptionError("num_players must be a number or several")
    return counts
