"""Decisions of many seats, sorted into what each seat saw, did and earned from one turn to its own next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.integrations.lanes import Lanes, Whole

from .ended import Ended

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
    """Notes the decisions of `lanes` and cuts them into chunks.

    A decision is complete when its seat's own next turn has come, or the end of its game; until then it waits for a
    later cut. So what follows a chunk's last decision is what the seat sees at its own next turn: the value of that
    observation is the right one to bootstrap from.
    """

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._rows: list[Columns] = []
        self._time = np.zeros(lanes.num_envs, np.int64)  # decisions taken in each environment's game

    def note(self, noted: Mapping[str, npt.NDArray[Any]]) -> None:
        """Note a decision in every lane before it is taken. noted: arrays (n, …) of what to keep with it."""
        lanes, seat, count = self._lanes, self._lanes.seat, self._lanes.num_envs
        self._rows.append(
            {
                "observation": lanes.observation,
                "action_mask": lanes.action_mask,
                "game": lanes.game_number,
                "seat": seat,
                "role": lanes.roles[np.arange(count), seat],
                "time": self._time.copy(),
                "reward": np.zeros(count, np.float32),
                "truncated": np.zeros(count, np.bool_),
                "is_over": np.zeros(count, np.bool_),
                **noted,
            }
        )
        self._time += 1

    def end(self, ended: Ended) -> None:
        """Note the games that a step ended, with what their seats see last."""
        if not len(ended.env):
            return
        rows = {name: value for name, value in vars(ended).items() if name != "env"}
        self._rows.append({**rows, "time": self._time[ended.env], "is_over": np.ones(len(ended.env), np.bool_)})
        self._time[ended.env] = 0

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


def _chunks(columns: Columns, starts: Whole, stops: Whole) -> Chunks:
    lasts = stops - 1
    reward, truncated, is_over = (columns.pop(name)[lasts] for name in ("reward", "truncated", "is_over"))
    return Chunks(columns, starts, stops, reward, is_over & ~truncated, truncated)
