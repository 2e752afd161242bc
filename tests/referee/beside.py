"""A referee beside a drawn position: it takes every action that the engine takes, and all facts must be equal.

So each rule test runs on both implementations: what it asserts of the engine's record also holds for the referee.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from referee.lockstep import Adapter, Facts, by_game, difference
from riverbed_env.core.game import Game


class Position:
    """One record as a batch of one environment: the part of `Batch` that adapters read."""

    num_envs = 1

    def __init__(
        self, game: Game, games: npt.NDArray[np.void], params: np.void, num_players: int, options: Mapping[str, Any]
    ) -> None:
        self.game = game
        self.games = games
        self.params = np.array([params])
        self.num_players = num_players
        self.options = dict(options)

    @property
    def acting(self) -> npt.NDArray[np.bool_]:
        """Whether the game isn't over, (1,)."""
        return np.array([self.game.kernels.ending(self.games[0]) == 0])

    @property
    def seat(self) -> npt.NDArray[np.int64]:
        """The seat asked, -1 at the end, (1,)."""
        return np.array([int(self.game.kernels.current_seat(self.games[0]))])

    @property
    def action_mask(self) -> npt.NDArray[np.int8]:
        """The action mask of the seat asked, (1, actions); zeros at the end."""
        mask = np.zeros((1, self.game.actions.size), np.int8)
        seat = int(self.seat[0])
        if seat >= 0:
            self.game.kernels.write_mask(self.games[0], self.params[0], seat, mask[0])
        return mask

    @property
    def returns(self) -> npt.NDArray[np.float32]:
        """Every seat's return, (1, num_players)."""
        returns = np.zeros((1, self.num_players), np.float32)
        self.game.kernels.write_returns(self.games[0], 0, returns[0])
        return returns


class Beside:
    """The referee of one drawn game. It starts from the record; then pass it every action."""

    def __init__(self, adapter: type[Adapter], position: Position) -> None:
        self.position = position
        self.adapter = adapter(position)  # type: ignore[arg-type]  # a Position has all that adapters read
        self.adapter.note_chance()
        self.referee = self.adapter.referee_in(0)
        self.record = self._record()

    def _record(self) -> bytes:
        """The record without its chance, which `note_chance` reads before each action."""
        record, fields = self.position.games.tobytes(), self.position.games.dtype.fields or {}
        if "chance" not in fields:
            return record
        dtype, start = fields["chance"][:2]
        return record[:start] + record[start + dtype.itemsize :]

    @property
    def edited(self) -> bool:
        """Whether the test has changed the record other than by an action."""
        return self._record() != self.record

    def follow_edits(self) -> None:
        """Set the referee's table to the record as it is now, and compare."""
        self.adapter.note_chance()
        self.adapter.lay(self.referee, 0)
        self.compare()

    def note_chance(self) -> None:
        """Call before the engine takes an action, so that the referee draws the same chance."""
        self.adapter.note_chance()

    def play(self, action: int) -> None:
        """Let the referee take the action that the engine has taken, then the forced ones that followed; compare."""
        self.adapter.play(self.referee, 0, action)
        self.catch_up()

    def catch_up(self) -> None:
        """Take the decisions with one legal action that the engine took by itself, then compare all facts."""
        while self.referee.decisions < self.adapter.decisions(0):
            self.adapter.play(self.referee, 0, self.adapter.only_action(self.referee, 0))
        self.compare()

    def compare(self) -> None:
        """Fail if a fact differs; the message names the fact and both values."""
        self.record = self._record()
        facts = self.adapter.of_referee(0, self.referee)
        self._compare(self.adapter.of_engine(facts), facts)
        self._compare(self.adapter.engine_slow_facts(), self.adapter.referee_slow_facts(self.referee))

    def _compare(self, columns: Facts, referee: Facts) -> None:
        (engine,) = by_game(columns, 1)
        if difference(engine, referee) is None:
            return
        tell = self.adapter.tell
        different = [
            f"{name}: engine {tell(name, here, self.referee)}; referee {tell(name, referee[name], self.referee)}"
            for name, here in engine.items()
            if here != referee[name]
        ]
        raise AssertionError("engine and referee differ: " + " | ".join(different))
