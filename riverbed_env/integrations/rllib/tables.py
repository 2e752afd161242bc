"""Batches of several player counts as one: the seats that have to act, what they see, and how their games end."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Vectors
from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.arena import OUTSIDE, Arena

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Ended:
    """Games that a step ended: one row for each of their seats.

    env, seat, role: (m,) int64; reward: (m,) float32; terminated: (m,) bool, false if the cap on its length ended the
    game; observation, action_mask: (m, D) and (m, A) int8, what the seat sees at the end.
    """

    env: Whole
    seat: Whole
    role: Whole
    reward: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    observation: Vectors
    action_mask: Vectors


class Tables:
    """`num_envs` games, divided among the player counts, all of whose seats the caller plays.

    seat, role: (n,) int64, of the seat that has to act; observation (n, D) and action_mask (n, A) int8 are its own. The
    arrays change in place. A game that ends is replaced at once. Raises OptionError for invalid options.
    """

    def __init__(self, game: Game, num_envs: int, counts: Sequence[int], seed: int, **options: Any) -> None:
        if num_envs < len(counts):
            raise OptionError(f"{num_envs} environments can't be divided among {len(counts)} player counts")
        self.game, self.num_envs, self.most_players = game, num_envs, max(counts)
        bounds = [num_envs * place // len(counts) for place in range(len(counts) + 1)]
        self._shares = [slice(*pair) for pair in pairwise(bounds)]
        self._parts = [
            Arena(game, (), share.stop - share.start, seed=seed, first_game=share.start, num_players=count, **options)
            for count, share in zip(counts, self._shares)
        ]
        first = self._parts[0].batch
        self.observation = np.zeros((num_envs, first.size), np.int8)
        self.action_mask = np.zeros((num_envs, game.actions.size), np.int8)
        self.seat, self.role = (np.zeros(num_envs, np.int64) for _ in range(2))
        self._roles = np.zeros((num_envs, self.most_players), np.int64)
        self._next = np.arange(num_envs)
        self.reset()

    def reset(self) -> None:
        """Deal every environment its next game."""
        for part, share in zip(self._parts, self._shares):
            self._deal(part, share, np.arange(part.num_envs))
        self._show()

    def step(self, actions: Whole) -> Ended:
        """Take an action in every game, (n,), each legal; returns the games that it ended."""
        ended = [
            self._play(part, share, np.ascontiguousarray(actions[share], np.int64))
            for part, share in zip(self._parts, self._shares)
        ]
        self._show()
        if len(ended) == 1:
            return ended[0]
        return Ended(*(np.concatenate([getattr(each, name) for each in ended]) for name in Ended.__annotations__))

    def _play(self, part: Arena, share: slice, actions: Whole) -> Ended:
        part.play_on(np.arange(part.num_envs), actions)
        over = np.flatnonzero(part.ended)
        ended = self._ended(part, share, over)
        if len(over):
            self._deal(part, share, over)
        return ended

    def _ended(self, part: Arena, share: slice, over: Whole) -> Ended:
        """The rows of these games of a part."""
        players = part.num_players
        env, seat = np.repeat(over, players), np.tile(np.arange(players), len(over))
        observation, mask = part.batch.observe(seat, env)
        return Ended(
            env=env + share.start,
            seat=seat,
            role=self._roles[env + share.start, seat],
            reward=part.returns[env, seat],
            terminated=part.ended[env] != part.TRUNCATED,
            observation=observation,
            action_mask=mask,
        )

    def _deal(self, part: Arena, share: slice, indices: Whole) -> None:
        """Deal these environments of a part their next games."""
        numbers = self._next[indices + share.start]
        self._next[indices + share.start] += self.num_envs
        self._roles[indices + share.start, : part.num_players] = part.deal(indices, numbers)
        part.seat_agents(indices, np.full((len(indices), part.num_players), OUTSIDE, np.int64))
        part.play_on(indices)

    def _show(self) -> None:
        for part, share in zip(self._parts, self._shares):
            self.observation[share] = part.observation
            self.action_mask[share] = part.action_mask
            self.seat[share] = part.seat
        self.role[:] = self._roles[np.arange(self.num_envs), self.seat]

    def roles_at(self, envs: Whole) -> list[list[int]]:
        """The role of each seat in these environments."""
        players = np.concatenate([np.full(part.num_envs, part.num_players) for part in self._parts])
        return [self._roles[env, : players[env]].tolist() for env in envs]
