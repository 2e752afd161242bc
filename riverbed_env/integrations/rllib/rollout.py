"""Decisions of many seats, sorted into what each seat saw, did and earned from one turn to its own next."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import rows_of
from riverbed_env.integrations.lanes import Lanes, Whole

Columns = dict[str, npt.NDArray[Any]]


class Rollout:
    """Plays `lanes`, notes the decisions and cuts them into chunks, one for each seat of each game.

    A decision is complete when its seat's own next turn has come, or the end of its game; until then it waits for a
    later cut. So what follows a chunk's last decision is what the seat sees at its own next turn: the value of that
    observation is the right one to bootstrap from.
    """

    def __init__(self, lanes: Lanes) -> None:
        self._lanes = lanes
        self._rows: list[Columns] = []
        self._time = np.zeros(lanes.num_envs, np.int64)  # decisions taken in each environment's game
        self.told: dict[
            int, dict[str, Any]
        ] = {}  # what each game that ended was, by its number; for the caller to take

    def step(self, noted: Mapping[str, npt.NDArray[Any]]) -> Columns:
        """Take a decision in every lane, and deal the next game where it ended one.

        noted: "actions" (n,), and other arrays (n, …) to keep with the decisions. Returns the games that ended: "env"
        and the columns of `cut`, a row for each of their seats, game by game.
        """
        lanes, every = self._lanes, np.arange(self._lanes.num_envs)
        decided = self._columns(every, lanes.seat, lanes.observation, lanes.action_mask)
        self._rows.append({**decided, **noted})
        self._time += 1
        lanes.step(noted["actions"])
        over = lanes.seat < 0
        env, seat = np.nonzero(over[:, None] & (lanes.roles >= 0))
        ended = self._columns(env, seat, *lanes.observe(seat, env), lanes.returns[env, seat])
        if len(env):
            self._rows.append({**ended, "truncated": lanes.truncated[env], "is_over": np.ones(len(env), np.bool_)})
            self._time[env] = 0
            self.told |= dict(zip(lanes.game_number[over].tolist(), rows_of(lanes.ended_columns())))
            lanes.deal_next(over)
        return {"env": env, **ended}

    def _columns(self, env: Whole, seat: Whole, observation: Any, mask: Any, reward: Any = None) -> Columns:
        lanes, none = self._lanes, np.zeros(len(env), np.bool_)
        return {
            "observation": observation,
            "action_mask": mask,
            "game": lanes.game_number[env],
            "seat": seat,
            "role": lanes.roles[env, seat],
            "time": self._time[env],
            "reward": np.zeros(len(env), np.float32) if reward is None else reward,
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
