"""Decisions of many seats, sorted into what each seat saw, did and earned from one turn to its own next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from .tables import Ended, Tables, Whole

Columns = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Chunks:
    """Consecutive decisions of seats: chunk after chunk, each with the observation that follows its last decision.

    columns: arrays (rows, …) by name: "observation", "action_mask", "role", what was noted of each decision, and the
    decision's "game", "seat" and "time" in it. starts, stops: (m,) int64, the rows of each chunk, one more than its
    decisions. reward: (m,) float32, what its last decision earned; rewards come at the end of a game only. terminated,
    truncated: (m,) bool, how its game ended, if it did.
    """

    columns: Columns
    starts: Whole
    stops: Whole
    reward: npt.NDArray[np.float32]
    terminated: npt.NDArray[np.bool_]
    truncated: npt.NDArray[np.bool_]

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def decisions(self) -> int:
        """How many decisions the chunks hold."""
        return int((self.stops - self.starts - 1).sum())


class Rollout:
    """Notes the decisions of `tables` and cuts them into chunks.

    A decision is complete when its seat's own next turn has come, or the end of its game; until then it waits for a
    later cut. So what follows a chunk's last decision is what the seat sees at its own next turn: the value of that
    observation is the right one to bootstrap from.
    """

    def __init__(self, tables: Tables) -> None:
        self._tables = tables
        self._rows: list[Columns] = []
        self._game = np.arange(tables.num_envs)  # games are numbered as they are dealt, over all environments
        self._time = np.zeros(tables.num_envs, np.int64)  # decisions taken in each environment's game
        self._dealt = tables.num_envs

    @property
    def game(self) -> Whole:
        """The number of the game in each environment, (n,); no two games have the same."""
        return self._game

    @property
    def time(self) -> Whole:
        """The decisions taken so far in each environment's game, (n,)."""
        return self._time

    def note(self, noted: Mapping[str, npt.NDArray[Any]]) -> None:
        """Note a decision in every environment before it is taken. noted: arrays (n, …) of what to keep with it."""
        tables, count = self._tables, self._tables.num_envs
        self._rows.append(
            {
                "observation": tables.observation.copy(),
                "action_mask": tables.action_mask.copy(),
                **self._places(tables.seat.copy(), tables.role.copy(), np.arange(count)),
                **_outcome(np.zeros(count, np.float32), np.zeros(count, np.bool_), is_over=False),
                **noted,
            }
        )
        self._time += 1

    def _places(self, seat: Whole, role: Whole, env: Whole) -> Columns:
        return {"game": self._game[env], "seat": seat, "role": role, "time": self._time[env]}

    def end(self, ended: Ended) -> None:
        """Note the games that a step ended, with what their seats see last."""
        if not len(ended.env):
            return
        self._rows.append(
            {
                "observation": ended.observation,
                "action_mask": ended.action_mask,
                **self._places(ended.seat, ended.role, ended.env),
                **_outcome(ended.reward, ended.terminated, is_over=True),
            }
        )
        envs = np.unique(ended.env)
        self._game[envs] = self._dealt + np.arange(len(envs))
        self._time[envs] = 0
        self._dealt += len(envs)

    def cut(self, *, whole_games: bool = False) -> Chunks:
        """All complete decisions since the last cut, by game and seat. whole_games: of finished games alone."""
        rows = _together(self._rows)
        order = np.lexsort((rows["time"], rows["seat"], rows["game"]))
        columns = {name: column[order] for name, column in rows.items()}
        changes = (np.diff(columns["game"]) != 0) | (np.diff(columns["seat"]) != 0)
        starts = np.flatnonzero(np.r_[True, changes])
        stops = np.r_[starts[1:], len(order)]
        finished = columns["is_over"][stops - 1]
        kept = np.repeat(~finished, stops - starts)
        if not whole_games:
            kept[:] = False
            kept[stops[~finished] - 1] = True
        self._rows = [{name: column[kept] for name, column in columns.items()}]
        chosen = (stops - starts > 1) & (finished | (not whole_games))
        return _chunks(columns, starts[chosen], stops[chosen])


def _together(parts: Sequence[Columns]) -> Columns:
    """The rows of all parts; a column that a part lacks is 0 there."""
    like = {name: column for part in parts for name, column in part.items()}
    return {
        name: np.concatenate([part[name] if name in part else _zeros(part, column) for part in parts])
        for name, column in like.items()
    }


def _zeros(part: Columns, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    return np.zeros((len(part["game"]), *like.shape[1:]), like.dtype)


def _outcome(reward: npt.NDArray[np.float32], terminated: npt.NDArray[np.bool_], *, is_over: bool) -> Columns:
    return {"reward": reward, "terminated": terminated, "is_over": np.full(len(reward), is_over)}


def _chunks(columns: Columns, starts: Whole, stops: Whole) -> Chunks:
    lasts = stops - 1
    terminated, is_over = columns.pop("terminated")[lasts], columns.pop("is_over")[lasts]
    return Chunks(columns, starts, stops, columns.pop("reward")[lasts], terminated, is_over & ~terminated)
