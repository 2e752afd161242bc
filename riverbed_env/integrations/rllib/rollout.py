"""Decisions of many seats, sorted into what each seat saw, did and earned from one turn to its own next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import NO_ROLE, rows_of

Whole = npt.NDArray[np.int64]
Columns = dict[str, npt.NDArray[Any]]


class Rollout:
    """Plays `batch`, notes the decisions and cuts them into chunks, one for each seat of each game.

    A decision is complete when its seat's own next turn has come, or the end of its game; until then it waits for a
    later cut. So what follows a chunk's last decision is what the seat sees at its own next turn: the value of that
    observation is the right one to bootstrap from. `roles` (n, seats) are those of the games under way; `told` says
    what each game that ended was, by its number, for the caller to take.
    """

    def __init__(self, batch: Batch) -> None:
        self._batch, self.roles = batch, batch.roles()
        self._rows: list[Columns] = []
        self._taken = np.zeros(self.roles.shape, np.int64)  # decisions of each seat in the game under way
        self.told: dict[int, dict[str, Any]] = {}

    def step(self, noted: Mapping[str, npt.NDArray[Any]]) -> Columns:
        """Take a decision in every game, and deal the next game where it ended one.

        noted: "actions" (n,), and other arrays (n, …) to keep with the decisions. Returns the games that ended: "env",
        "taken", a seat's decisions, and the columns of `cut`, a row for each of their seats, game by game.
        """
        batch, every = self._batch, np.arange(self._batch.num_envs)
        decided = self._columns(every, batch.seat.copy(), batch.observation.copy(), batch.action_mask.copy())
        self._rows.append({**decided, **noted})
        self._taken[every, batch.seat] += 1
        batch.step(noted["actions"])
        over = np.flatnonzero(batch.done)
        env, seat = np.nonzero(batch.done[:, None] & (self.roles != NO_ROLE))
        ended, taken = self._columns(env, seat, *batch.observe(seat, env)), self._taken[env, seat]
        ended["reward"] = batch.returns[env, seat]
        if len(over):
            self._rows.append({**ended, "truncated": batch.truncated[env], "is_over": np.ones(len(env), np.bool_)})
            self._taken[over] = 0
            numbers = batch.game_number[over]
            self.told |= dict(zip(numbers.tolist(), rows_of(batch.ended_columns())))
            batch.deal(numbers + batch.num_envs, over)
            self.roles[over] = batch.roles(over)
        return {"env": env, "taken": taken, **ended}

    def _columns(self, env: Whole, seat: Whole, observation: Any, mask: Any) -> Columns:
        none = np.zeros(len(env), np.bool_)
        return {
            "observation": observation,
            "action_mask": mask,
            "game": self._batch.game_number[env],
            "seat": seat,
            "role": self.roles[env, seat],
            "time": self._taken[env].sum(axis=1),
            "reward": np.zeros(len(env), np.float32),
            "truncated": none,
            "is_over": none,
        }

    def cut(self, *, whole_games: bool = False) -> tuple[Columns, Whole, Whole]:
        """All complete decisions since the last cut, by game and seat. whole_games: of finished games alone.

        Returns columns (rows, …) and the first row and the end of each chunk, which has a row more than decisions: the
        last row is what its seat sees next, with the "reward" of the game, if it "is_over", and whether it was
        "truncated" by the cap on its length. The other columns are the "observation", the "action_mask" and what was
        noted of each decision, and its "game", "seat", "role" and "time" in the game.
        """
        like = {name: column for part in self._rows for name, column in part.items()}
        rows = {name: np.concatenate([_filled(part, name, like[name]) for part in self._rows]) for name in like}
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
        return columns, starts[chosen], stops[chosen]


def _filled(part: Columns, name: str, like: npt.NDArray[Any]) -> npt.NDArray[Any]:
    """A part's column; 0 where it has none."""
    return part[name] if name in part else np.zeros((len(part["game"]), *like.shape[1:]), like.dtype)
