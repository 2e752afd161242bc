"""Small games: a game cut down by its options until its whole tree can be solved, with no rule of its own.

A cut plays by the game's engine. It begins with every deal, plays an opening, and bars some actions for good.
"""

from __future__ import annotations

import tomllib
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch, Rows, row_length
from riverbed_env.core.files import read_text
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_known, check_rewards
from riverbed_env.core.packs import PACKS
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.kernels.compile import Records, Whole
from riverbed_env.kernels.loops import OVER
from riverbed_env.registry import find_game

__all__ = ["SmallBatch", "SmallGame", "find_small", "small_names"]

FILE = PACKS / "small.toml"


@dataclass(frozen=True)
class SmallGame:
    """A cut of a game, as `small.toml` or a file of one's own declares it by name.

    Args:
        name: what it is called.
        game: the game's versioned name.
        about: one sentence.
        options: of the game's `make_params`; `auto_forced` is "all".
        opening: actions that every deal begins with, like "SPACE 0": a block's name and its argument, if it has any.
        without: actions that nobody ever takes, in the same form; a block's name alone bars all of it.
        rewards: "win" or "zero_sum".

    Raises:
        OptionError: an option, an action or the kind of rewards isn't allowed, or the game can't be cut.
    """

    __pydantic_config__ = NOTHING_ELSE

    name: str
    game: str
    about: str = ""
    options: dict[str, Any] = field(default_factory=dict)
    opening: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    rewards: str = "zero_sum"

    def __post_init__(self) -> None:
        if self.rules.every_deal is None or self.rules.simultaneous:
            raise OptionError(f"{self.name}: the deals of {self.game} can't be listed")
        check_known(self.rules, self.options, self.rules.make_params)
        check_rewards(self.rules, self.rewards)

    @cached_property
    def rules(self) -> Game:
        """The game it is cut from."""
        return find_game(self.game)

    @cached_property
    def made(self) -> tuple[Records, Any]:
        """The game's params, (1,), and its content pack."""
        return self.rules.make_params(**self.all_options)

    @property
    def all_options(self) -> dict[str, Any]:
        """The options, with "auto_forced", "all" unless it is given."""
        return {"auto_forced": "all", **self.options}

    @property
    def params(self) -> Records:
        """The game's params, (1,)."""
        return self.made[0]

    @property
    def num_players(self) -> int:
        """How many seats there are."""
        return int(self.params["num_players"][0])

    @cached_property
    def allowed(self) -> npt.NDArray[np.int8]:
        """1 for each action that isn't barred, (A,)."""
        mask = np.ones(self.rules.actions.size, np.int8)
        for words in self.without:
            mask[self._ids(words)] = 0
        return mask

    @cached_property
    def opening_ids(self) -> list[int]:
        """The actions of the opening."""
        ids = {words: self._ids(words) for words in self.opening}
        for words, actions in ids.items():
            if len(actions) > 1:
                raise OptionError(f"{self.name}: the opening can't be played: {words!r} is {len(actions)} actions")
        return [ids[words][0] for words in self.opening]

    def _ids(self, words: str) -> list[int]:
        """The actions that a block's name, alone or with an argument, stands for."""
        name, _, argument = words.partition(" ")
        actions = self.rules.actions
        block = next((block for block in actions.blocks if block.name == name), None)
        if block is None or (argument and argument not in map(str, range(block.size))):
            raise OptionError(f"{self.name}: {self.game} has no action {words!r}{did_you_mean(name, actions.starts)}")
        first = actions.starts[name]
        return [first + int(argument)] if argument else list(range(first, first + block.size))

    def deals(self) -> tuple[Records, npt.NDArray[np.float64]]:
        """Every deal after the opening.

        Returns:
            (n,) game records and their probabilities.

        Raises:
            OptionError: there are too many deals, or the opening can't be played.
        """
        assert self.rules.every_deal is not None
        games, chances = self.rules.every_deal(self.params)
        for words, number in zip(self.opening, self.opening_ids, strict=True):
            games, seats, _, _ = self.after(games, np.arange(len(games)), np.full(len(games), number))
            if (seats <= OVER).any():
                raise OptionError(f"{self.name}: the opening can't be played: {words!r} is illegal or ends the game")
        return games, chances

    def seats(self, games: Records) -> npt.NDArray[np.int64]:
        """Who chooses in each of n games, (n,), below 0 where it is over."""
        return np.array([self.rules.kernels.current_seat(game) for game in games], np.int64)

    def observe(
        self, games: Records, seats: npt.NDArray[np.int64]
    ) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
        """What a seat of each game sees, in view "history", and what it may do.

        Args:
            games: (n,) game records.
            seats: (n,), a seat of each.

        Returns:
            Observations (n, D) and masks (n, A), without barred actions.
        """
        rules, size = self.rules, self.rules.observation.size
        rows = np.zeros((len(games), row_length(rules, size)), np.int8)
        views, which = np.zeros(1, rules.view_dtype), np.zeros(len(games), np.int64)
        rules.loops.observe_games(games, self.params, which, views, seats, rows, size)
        return rows[:, :size], rows[:, size : size + rules.actions.size] * self.allowed

    def look(self, games: Records, seats: npt.NDArray[np.int64]) -> Records:
        """The view of a seat of each game.

        Args:
            games: (n,) game records.
            seats: (n,), a seat of each.

        Returns:
            (n,) view records.
        """
        return self.rules.look_at(games, self.params, np.zeros(len(games), np.int64), seats)

    def after(
        self, games: Records, places: npt.NDArray[np.int64], actions: npt.NDArray[np.int64]
    ) -> tuple[Records, npt.NDArray[np.int64], npt.NDArray[np.int8], npt.NDArray[np.float32]]:
        """Take each action in a copy of a game.

        Args:
            games: (n,) game records.
            places: (m,), the game of each action.
            actions: (m,), legal there.

        Returns:
            The copies (m,), who chooses there (m,), how each ended (m,), 0 if it didn't, and its returns (m, seats).
        """
        count = len(places)
        places, actions = np.ascontiguousarray(places), np.ascontiguousarray(actions)  # one compiled version
        copies, seats, ended = np.zeros(count, games.dtype), np.zeros(count, np.int64), np.zeros(count, np.int8)
        returns = np.zeros((count, self.num_players), np.float32)
        which, zero_sum = np.zeros(len(games), np.int64), check_rewards(self.rules, self.rewards)
        copied = games, self.params, which, places, actions, zero_sum
        self.rules.loops.step_copies(*copied, copies, seats, ended, returns)
        return copies, seats, ended, returns


class SmallBatch(Batch):
    """Many games of a small game, stepped together: they begin after the opening, and masks leave barred actions out.

    Args:
        small: The small game, as `find_small` gives it.
        num_envs: How many games, 1 or more.
        options: The others of `Batch`; the small game says the game's own and the rewards.

    Raises:
        OptionError: An option isn't known or its value isn't allowed, or the opening can't be played.
    """

    def __init__(self, small: SmallGame, num_envs: int, **options: Any) -> None:
        self.small = small
        super().__init__(small.rules, num_envs, rewards=small.rewards, **small.all_options, **options)

    def step(self, actions: npt.ArrayLike) -> None:
        """Take one action in every game; see `Batch.step`."""
        super().step(actions)
        self._open(np.flatnonzero(self.done & self.acting))

    def observe(self, seats: npt.ArrayLike, indices: Whole | None = None, view: str | None = None) -> Rows:
        """The observation and the action mask of one seat in each game; see `Batch.observe`."""
        observations, masks = super().observe(seats, indices, view)
        return observations, masks * self.small.allowed

    def set_state(self, games: Records) -> None:
        """Restore states from `get_state`; see `Batch.set_state`."""
        super().set_state(games)
        self._open(np.zeros(0, np.int64))

    def _deal(self, indices: Whole, numbers: Whole) -> None:
        super()._deal(indices, numbers)
        self._open(indices)

    def _open(self, indices: Whole) -> None:
        """Play the opening in the games just dealt, and bar what is barred in all."""
        kept = self._ended.copy()
        for number in self.small.opening_ids if len(indices) else ():
            actions, seats = np.full(self.num_envs, -1), np.full(self.num_envs, OVER)  # as in `Batch._deal`
            actions[indices] = number
            self._run("step_games", self._arrays(seats), actions)
            if self._refused[indices].any() or (seats[indices] < 0).any():
                raise OptionError(f"{self.small.name}: the opening can't be played")
            self.seat[indices] = seats[indices]
        self._ended[:] = kept
        self.action_mask *= self.small.allowed


def small_names() -> list[str]:
    """The names of the small games that come with the library."""
    return list(_declared(FILE))


def find_small(name: str) -> SmallGame:
    """A small game.

    Args:
        name: a name of `small_names`, or FILE.toml:NAME.

    Returns:
        The game.

    Raises:
        OptionError: there is none, or its declaration isn't sound.
    """
    path, _, own = name.rpartition(":")
    declared = _declared(Path(path) if path else FILE)
    if own not in declared:
        raise OptionError(
            f"no small game {own!r}{did_you_mean(own, declared)}: there are {', '.join(declared)}, or FILE.toml:NAME"
        )
    return of_kind(SmallGame, {"name": own, **declared[own]}, f"small game {own}")


def _declared(path: Path) -> dict[str, dict[str, Any]]:
    """The declarations in a file by name."""
    try:
        return tomllib.loads(read_text(path, f"{path}:"))
    except ValueError as error:
        raise OptionError(f"{path}: isn't TOML: {error}") from error
