"""Recorded games played again: what each seat saw and could do at each of its decisions, with what came of it."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import row_length
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_view
from riverbed_env.core.packs import pack_hash
from riverbed_env.errors import OptionError
from riverbed_env.kernels.loops import Recorded, Replayed

from .games import Games, Small, Whole, finished_games
from .manifest import Manifest
from .recorded import check_pack


@dataclass(frozen=True)
class Decisions:
    """n decisions of recorded games of one player count, game by game and in the order in which they were taken.

    Args:
        observation: (n, D) int8, of the seat that chose.
        action_mask: (n, A) int8, of that seat.
        action: (n,) int64, the action's id.
        seat: (n,) int64, the seat that chose.
        role: (n,) int64, its role by its place in the game's roles.
        agent: (n,) int64, its agent by its place in the manifest's agents.
        game: (n,) int64, the game's number.
        step: (n,) int64, which of the game's decisions, from 0.
        returns: (n,) float32, what the seat got in the end.
        num_players: How many play in each of these games.
    """

    observation: Small
    action_mask: Small
    action: Whole
    seat: Whole
    role: Whole
    agent: Whole
    game: Whole
    step: Whole
    returns: npt.NDArray[np.float32]
    num_players: int

    def __len__(self) -> int:
        return len(self.action)

    def take(self, places: npt.NDArray[Any]) -> Decisions:
        """The decisions at these places, in new arrays.

        Args:
            places: Indices, or flags (n,) bool.

        Returns:
            The decisions.
        """
        return replace(self, **{name: value[places] for name, value in vars(self).items() if name != "num_players"})


class Replayer:
    """Plays recorded games of one corpus again, for one view; its arrays are used again by the next call.

    capacity: the most decisions at once; more room is made for longer games. last: also keeps `last_rows`, what every
    seat saw after the last action.
    """

    def __init__(self, game: Game, manifest: Manifest, view: str, capacity: int, *, last: bool = False) -> None:
        self.game, self.manifest, self.size = game, manifest, check_view(game, view)
        self.last = last
        self._length = row_length(game, self.size)
        self._views = np.zeros(1, game.view_dtype)
        self._params: dict[int, npt.NDArray[np.void]] = {}
        self._make_room(capacity)
        self.last_rows = np.zeros((0, self._length), np.int8)
        self.records = np.zeros(0, game.dtype)

    def _make_room(self, decisions: int) -> None:
        self._rows = np.zeros((decisions, self._length), np.int8)
        self._places, self._seats = (np.zeros(decisions, np.int64) for _ in range(2))

    def params(self, num_players: int) -> npt.NDArray[np.void]:
        """The params of games of so many players. Raises OptionError if the content pack has changed since."""
        if num_players not in self._params:
            self._params[num_players], pack = self.game.make_params(num_players=num_players, **self.manifest.options)
            check_pack(self.manifest.pack, pack_hash(pack), "the corpus")
        return self._params[num_players]

    def play(self, games: Games, wanted: Whole) -> Decisions:
        """The decisions of the wanted seats. games: of one player count; wanted: (n,), bits of their seats.

        Raises OptionError, naming the game, if an action can't be taken.
        """
        count = int(games.num_players[0])
        starts = games.starts
        if starts[-1] > len(self._rows):
            self._make_room(int(starts[-1]))
        self.records = np.zeros(len(games), self.game.dtype)
        self.last_rows = np.zeros((len(games) * count if self.last else 0, self._length), np.int8)
        returns, failed = np.zeros((len(games), count), np.float32), np.zeros(len(games), np.int64)
        recorded = Recorded(games.number, starts, games.actions, wanted)
        replayed = Replayed(self._rows, self._places, self._seats, self.last_rows, returns, failed)
        filled = self.game.loops.replay_games(
            self.records, self.params(count), self._views, self.manifest.seed, recorded, replayed, self.size
        )
        self._check(games, starts, failed)
        return self._decisions(games, starts, filled, count)

    def again(self, games: Games) -> Games:
        """The same games, with all that follows from their actions as it comes out now."""
        self.play(games, np.zeros(len(games), np.int64))
        count = int(games.num_players[0])
        lengths = games.lengths.astype(np.int64)
        return finished_games(self.game, self.records, games.agents[:, :count].astype(np.int64), games.actions, lengths)

    def _check(self, games: Games, starts: Whole, failed: Whole) -> None:
        wrong = np.flatnonzero(failed)
        if len(wrong):
            place = int(failed[wrong[0]] - 1 - starts[wrong[0]])
            raise OptionError(
                f"game {games.number[wrong[0]]} of the corpus can't be played again: action {place} is illegal, or "
                f"comes after the end; version {self.manifest.version} of {self.manifest.environment} played it"
            )

    def _decisions(self, games: Games, starts: Whole, filled: int, count: int) -> Decisions:
        rows, places, seats = self._rows[:filled], self._places[:filled], self._seats[:filled]
        whose = np.searchsorted(starts, places, side="right") - 1
        return Decisions(
            observation=rows[:, : self.size],
            action_mask=rows[:, self.size : self.size + self.game.actions.size],
            action=games.actions[places].astype(np.int64),
            seat=seats,
            role=games.roles[whose, seats].astype(np.int64),
            agent=games.agents[whose, seats].astype(np.int64),
            game=games.number[whose],
            step=places - starts[whose],
            returns=games.returns[whose, seats],
            num_players=count,
        )
