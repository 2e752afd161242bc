"""Many games at once: one structured array, one kernel call a step; a game that ends is replaced at once."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Mapping, Sequence
from math import prod
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import IllegalActionError, OptionError, StateError
from riverbed_env.kernels.compile import Whole, compiled, max_threads
from riverbed_env.kernels.loops import DEAL, OVER, Arrays
from riverbed_env.kernels.random import CHANCE, MAX_DRAWN, STREAM, check_seed, fresh_seed, open_stream
from riverbed_env.kernels.threads import with_threads

from .features import FeatureSet, table_of, write_features
from .game import NO_ROLE, Game, copy_records, take_records
from .options import (
    MAX_GAME,
    check_flag,
    check_game_number,
    check_integers,
    check_known,
    check_rewards,
    check_view,
    check_whole,
)

Vectors = npt.NDArray[np.int8]
Rows = tuple[Vectors, Vectors]  # observations and masks
MOST_ENVS = 2**31 - 1  # more than memory holds, but few enough that NumPy says so


class Afterstates(NamedTuple):
    """Copies of games after an action each; see `Batch.afterstates`.

    games: (m,) records; seat: (m,), who chooses next, below 0 where the game is over; ended: (m,), 0 in play, 1 won,
    2 ended by the cap on its length; returns: (m, seats), where it ended.
    """

    games: npt.NDArray[np.void]
    seat: npt.NDArray[np.int64]
    ended: npt.NDArray[np.int8]
    returns: npt.NDArray[np.float32]


class Batch:
    """`num_envs` games of one kind, stepped together; the next game replaces one that ends (SAME_STEP).

    Games are numbered: environment i starts with game `first_game + i` of the seed and continues in steps of n, so game
    k is the same for every n, thread and process. After every call the arrays below hold the current state. They belong
    to the batch and change in place: copy what you keep, and write into none. What a game that ended was can be read
    until the next step: `ended_columns`.

    Each game option takes several values, in a list, like num_players=(4, 5, 6). With as many as there are environments
    each has its own; else all combinations are shared out in blocks of one size, or, if there are fewer environments,
    drawn by the seed. An environment keeps its values.

    Args:
        game: The game, as `find_game` gives it.
        num_envs: How many games, n, 1 or more.
        seed: The seed of all games, 0 to 2**63 - 1; None draws one.
        threads: How many threads share the work, 1 or more; lowered, with a warning, to as many as Numba may use.
        view: The view of the observations: "history", or "now", one of `game.views`.
        rewards: "win" or "zero_sum", one of `game.rewards`.
        first_game: The number of environment 0's first game, 0 to 2**62.
        auto_reset: False leaves ended games as they are; `acting` says which are in play.
        features: Feature sets, of which `features_of` gives the numbers; `make_batch` takes their names.
        options: Those of the game's `make_params`, each one value or several; those in `game.sequences` one alone. A
            split, one of `game.splits`, stands for its packs.

    Attributes:
        seat: (n,) int64, the current seat of each game, below 0 where it is over.
        observation: (n, D) int8, what that seat sees.
        action_mask: (n, A) int8, 1 for each action that is legal for that seat.
        done: (n,) bool, the last step ended a game.
        truncated: (n,) bool, it ended by the cap on its length.
        returns: (n, num_players) float32, the returns of that game, where done; 0 in seats past `players`.
        game_number: (n,) int64, the number of the game now in each environment.
        players: (n,) int64, how many play in each environment.
        num_players: The largest of `players`.
        params: (sets,) records, the params of each combination of options.
        packs: The content pack of each combination.
        which: (n,) int64, the number of each environment's combination.
        feature_pieces: What the numbers of `features_of` are: `feature_pieces.named(row)`. A feature set's begin with
            its name, like "outlook.asks".
        sets: The options of each combination.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        SeedError: The seed isn't an integer or is out of range.
        PackError: The content pack can't be read or breaks a rule.
    """

    def __init__(
        self,
        game: Game,
        num_envs: int,
        *,
        seed: int | None = None,
        threads: int = 1,
        view: str = "history",
        rewards: str = "win",
        first_game: int = 0,
        auto_reset: bool = True,
        features: Sequence[FeatureSet] = (),
        **options: Any,
    ) -> None:
        self.game = game
        self.num_envs = check_whole("num_envs", num_envs, 1, MOST_ENVS)
        check_game_number("first_game", first_game)
        check_known(game, options, Batch.__init__)
        self.threads = _threads(threads)
        self.view = view
        self.rewards = rewards
        self.auto_reset = check_flag("auto_reset", auto_reset)
        if not all(isinstance(each, FeatureSet) for each in features):
            raise OptionError(f"features of a Batch must be feature sets, not {features!r}: make_batch takes names")
        self.features, self.feature_pieces = tuple(features), table_of(features)
        self.options = options
        self.zero_sum = check_rewards(game, rewards)
        self.size = check_view(game, view)
        self.seed = fresh_seed() if seed is None else check_seed(seed)
        self.params, self.packs, self.which, self.sets = mixed_params(game, self.num_envs, self.seed, options)
        self.players = self.params["num_players"][self.which].astype(np.int64)
        self.num_players = int(self.players.max())
        self._allocate()
        self.reset(first_game=first_game)

    def _allocate(self) -> None:
        """The arrays that every call writes."""
        num_envs, game = self.num_envs, self.game
        self.games = np.zeros(num_envs, game.dtype)
        self._last = np.zeros(num_envs if self.auto_reset else 0, game.dtype)  # the last game that ended in each place
        self.views = np.zeros(self.threads, game.view_dtype)
        self.rows = np.zeros((num_envs, row_length(game, self.size)), np.int8)
        self.observation, self.action_mask = self._split(self.rows)
        self._wrong = np.zeros(self.threads, np.int64)
        self._ended = np.zeros(num_envs, np.int8)
        self.done, self.truncated = (np.zeros(num_envs, np.bool_) for _ in range(2))
        self.returns = np.zeros((num_envs, self.num_players), np.float32)
        self.seat, self.game_number, self._refused, self._seeds = (np.zeros(num_envs, np.int64) for _ in range(4))
        self._notes: dict[int, tuple[Any, ...]] = {}  # of the environments that have any

    @property
    def pack(self) -> Any:
        """The content pack of all games.

        Raises:
            OptionError: Environments have different packs; `packs` has them.
        """
        first, *others = self.packs
        if any(other.hash != first.hash for other in others):
            raise OptionError("these games have several packs: packs[which[i]] is that of environment i")
        return first

    @property
    def acting(self) -> npt.NDArray[np.bool_]:
        """Which games haven't ended, shape (n,) bool; all of them with auto_reset."""
        return self.seat >= 0

    def reset(self, seed: int | None = None, first_game: int | None = None) -> None:
        """Deal all games again.

        Args:
            seed: The seed of the games, whose numbers then start at 0; None keeps the seed, and the numbers follow
                those dealt so far.
            first_game: The number of environment 0's game, 0 to 2**62; environment i gets `first_game + i`.

        Raises:
            SeedError: The seed isn't an integer or is out of range.
            OptionError: `first_game` isn't an integer or is out of range.
        """
        self.seed, start = self.first_of(seed, first_game)
        self._deal(np.arange(self.num_envs), start + np.arange(self.num_envs))

    def first_of(self, seed: int | None, first_game: int | None) -> tuple[int, int]:
        """The seed and the first game of a `reset` with these arguments, which are checked."""
        if first_game is not None:
            start = check_game_number("first_game", first_game)
        else:
            start = 0 if seed is not None else int(self.game_number.max()) + 1
        return (self.seed if seed is None else check_seed(seed)), start

    def deal(self, numbers: npt.ArrayLike, indices: npt.ArrayLike | None = None) -> None:
        """Deal each environment the game of its number, from its beginning.

        Args:
            numbers: (n,) integers from 0 to 2**62, or one for all.
            indices: Only these environments, with one number for each of them; None for all.

        Raises:
            OptionError: Numbers or indices are out of range or of another shape; nothing has changed.
        """
        everywhere = np.arange(self.num_envs)
        chosen = everywhere if indices is None else check_integers("indices", indices, 0, self.num_envs - 1)
        self._deal(chosen, check_integers("numbers", numbers, 0, MAX_GAME, len(chosen)))

    def notes(self, index: int = 0) -> tuple[Any, ...]:
        """The notes on an environment's game; no rule reads them, no saved state holds them.

        Args:
            index: The environment.

        Returns:
            The notes, oldest first; empty if there are none.
        """
        return self._notes.get(index, ())

    def note(self, entry: object, index: int = 0) -> None:
        """Attach a note to an environment's game, until another game is dealt there.

        Args:
            entry: What to note.
            index: The environment, 0 to n - 1.

        Raises:
            OptionError: The index is out of range.
        """
        check_whole("index", index, 0, self.num_envs - 1)
        self._notes[index] = (*self.notes(index), entry)

    def forget(self, indices: npt.NDArray[np.int64]) -> None:
        """Drop the notes in these environments, where new games are dealt.

        Args:
            indices: (k,) int64, the environments.
        """
        for index in indices.tolist() if self._notes else ():
            self._notes.pop(index, None)

    def _deal(self, indices: npt.NDArray[np.int64], numbers: npt.NDArray[np.int64]) -> None:
        self.game_number[indices] = numbers
        self._seeds[indices] = self.seed
        self.forget(indices)
        actions = np.full(self.num_envs, -1)
        actions[indices] = DEAL
        seats = np.full(self.num_envs, OVER)  # so that no action is illegal
        self._run("step_games", self._arrays(seats), actions)
        self.seat[indices] = seats[indices]
        self.done[indices] = self.truncated[indices] = False
        self.returns[indices] = 0

    def step(self, actions: npt.ArrayLike) -> None:
        """Take one action in every game.

        Args:
            actions: (n,) integers, each legal for the current seat; those of ended games are ignored.

        Raises:
            IllegalActionError: An action isn't legal, or these aren't n integers; nothing has changed.
        """
        chosen = read_actions(actions, self.num_envs)
        if not self.auto_reset:
            chosen[~self.acting] = -1
        self._run("step_games", self.arrays, chosen)
        if self._wrong.any():
            wrong = np.flatnonzero(self.acting & ~are_legal(self.action_mask, chosen))
            raise IllegalActionError(self.explain(int(wrong[0]), int(chosen[wrong[0]]), len(wrong)))
        np.not_equal(self._ended, 0, out=self.done)
        np.equal(self._ended, 2, out=self.truncated)
        if self._notes and self.auto_reset:
            self.forget(np.flatnonzero(self.done))

    @property
    def arrays(self) -> Arrays:
        """The arrays that compiled loops over these games take."""
        return self._arrays(self.seat)

    def _arrays(self, seats: npt.NDArray[np.int64]) -> Arrays:
        stride = self.num_envs if self.auto_reset else 0
        return Arrays(
            *(self.games, self.params, self.which, self.views, seats, self.rows, self.size),
            *(self._ended, self.returns, self.zero_sum, self._refused, self._seeds, self.game_number, stride),
            *(self._lines(self.games), self._lines(self._last), self._wrong),
        )

    def _lines(self, games: npt.NDArray[np.void]) -> Vectors:
        return games.view(np.int8).reshape(len(games), self.game.dtype.itemsize)

    def explain(self, index: int, action: int, wrong: int = 1) -> str:
        """Explain in a sentence why an environment refuses an action.

        Args:
            index: The environment.
            action: The id of the action.
            wrong: How many games have an illegal action, for the message.

        Returns:
            The game, the seat, the action, the reason and the legal actions.
        """
        legal = ", ".join(map(str, np.flatnonzero(self.action_mask[index])))
        seat = int(self.seat[index])
        params, game = self.params[self.which[index]], self.games[index]
        reason = self.game.words.describe_refusal(int(self.game.kernels.refusal(game, params, seat, action)))
        more = f" ({wrong} games in all)" if wrong > 1 else ""
        return f"game {index}: seat {seat} can't take action {action}: {reason}; legal: {legal}{more}"

    def random_actions(self) -> npt.NDArray[np.int64]:
        """Draw a legal action uniformly for every game, from the games' own streams.

        Returns:
            (n,) int64; 0 where the game is over.
        """
        actions = np.zeros(self.num_envs, np.int64)
        self._run("choose_randomly", self.games, self.rows, self.size, actions)
        return actions

    def agent_streams(self) -> npt.NDArray[np.void]:
        """Copies of the streams that the games' players draw from; see `put_agent_streams`.

        Returns:
            (n,) stream records.
        """
        streams = np.zeros(self.num_envs, STREAM)
        self.game.loops.stream_copies(self.games, streams)
        return streams

    def put_agent_streams(self, streams: npt.NDArray[np.void]) -> None:
        """Write back the streams that players have drawn from, so that they don't draw the same again.

        Args:
            streams: (n,) stream records, as `agent_streams` gives them.

        Raises:
            StateError: This is anything else.
        """
        if not isinstance(streams, np.ndarray) or streams.dtype != STREAM or streams.shape != (self.num_envs,):
            raise StateError(f"agent_streams() gives an array of {self.num_envs} streams, not {streams!r:.200}")
        if not ((streams["drawn"] >= 0) & (streams["drawn"] <= MAX_DRAWN)).all():
            raise StateError(f"a stream has drawn from 0 to {MAX_DRAWN} words")
        self.game.loops.put_streams(self.games, streams)

    def observe(self, seats: npt.ArrayLike, indices: Whole | None = None, view: str | None = None) -> Rows:
        """The observation and the action mask of one seat in each game.

        Args:
            seats: (n,) integers from 0 to `num_players` - 1, one for each environment, or one for all.
            indices: Only these environments, in this order; None for all.
            view: One of `game.views`; None for the batch's.

        Returns:
            The observation (n, D) int8 and the action mask (n, A) int8, in new arrays.

        Raises:
            OptionError: Indices or seats are out of range, or the view isn't known.
        """
        size = self.size if view is None else check_view(self.game, view)
        games = self._chosen(indices)
        wanted = self._seats(seats, len(games))
        rows = np.zeros((len(games), row_length(self.game, size)), np.int8)
        self.game.loops.observe_games(games, self.params, self._which(indices), self.views, wanted, rows, size)
        return rows[:, :size], rows[:, size : size + self.game.actions.size]

    def look(self, seats: npt.ArrayLike, indices: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.void]:
        """The view of one seat in each game: a record of all that the seat may know.

        Args:
            seats: (n,) integers from 0 to `num_players` - 1, one for each environment, or one for all.
            indices: Only these environments, in this order; None for all.

        Returns:
            (n,) view records of `game.view_dtype`, in a new array.

        Raises:
            OptionError: Indices or seats are out of range.
        """
        games = self._chosen(indices)
        return self.game.look_at(games, self.params, self._which(indices), self._seats(seats, len(games)))

    def features_of(
        self, seats: npt.ArrayLike | None = None, indices: Whole | None = None, seen: Rows | None = None
    ) -> Vectors:
        """The features of one seat's view in each game; the games' random streams don't advance.

        Args:
            seats: (n,) integers from 0 to `num_players` - 1, one for each environment, or one for all; None for the
                current seats, 0 where a game is over.
            indices: Only these environments, in this order; None for all.
            seen: What `observe` gives of these seats in view "history", if the caller has it; None observes.

        Returns:
            (n, F) int8, in a new array; 0 in seats past `players`. `feature_pieces` says what the numbers are.

        Raises:
            OptionError: Indices or seats are out of range.
        """
        chosen = np.arange(self.num_envs) if indices is None else indices
        out = np.zeros((len(chosen), self.feature_pieces.size), np.int8)
        if self.features:
            asked = self._seats(np.maximum(self.seat[chosen], 0) if seats is None else seats, len(chosen))
            observations, masks = self.observe(asked, indices, "history") if seen is None else seen
            views, streams = self.look(asked, indices), self.agent_streams()[chosen]
            for places, params in self.by_set(indices):
                given = observations[places], masks[places], streams[places]
                out[places] = write_features(self.features, views[places], params, *given, self.threads)
            out[asked >= self.players[chosen]] = 0
        return out

    def states(self, indices: npt.NDArray[np.int64] | None = None) -> Vectors:
        """The full state of each game, for central critics; a seat may not know it.

        Args:
            indices: Only these environments, in this order; None for all.

        Returns:
            (n, S) int8, in a new array.

        Raises:
            OptionError: Indices are out of range.
        """
        games = self._chosen(indices)
        out = np.zeros((len(games), self.game.state.size), np.int8)
        scratch = np.zeros((self.threads, self.game.observation.size), np.int8)
        self._run("full_states", games, self.params, self._which(indices), self.views, scratch, out)
        return out

    def afterstates(self, indices: npt.ArrayLike, actions: npt.ArrayLike) -> Afterstates:
        """What each of these actions would lead to: each is taken in a copy of the game of its environment.

        The copies draw the chance that the game itself would draw.

        Args:
            indices: (m,) integers, the environment of each action; one may occur several times.
            actions: (m,) integers, legal there for the current seat.

        Returns:
            The copies, and who chooses there.

        Raises:
            OptionError: Indices are out of range.
            IllegalActionError: An action isn't legal, or these aren't m integers.
        """
        places = check_integers("indices", indices, 0, self.num_envs - 1)
        count = len(places)
        chosen = read_actions(actions, count)
        after = Afterstates(
            np.zeros(count, self.game.dtype),
            *(np.zeros(count, np.int64), np.zeros(count, np.int8)),
            np.zeros((count, self.num_players), np.float32),
        )
        copied = self.games, self.params, self.which, places, chosen, self.zero_sum
        self._run("step_copies", *copied, after.games, after.seat, after.ended, after.returns)
        wrong = np.flatnonzero(after.seat < OVER)
        if len(wrong):
            raise IllegalActionError(self.explain(int(places[wrong[0]]), int(chosen[wrong[0]]), len(wrong)))
        return after

    def roles(self, indices: npt.NDArray[np.int64] | None = None) -> npt.NDArray[np.int8]:
        """The role of each seat; a seat may know its own alone.

        Args:
            indices: Only these environments, in this order; None for all.

        Returns:
            (n, num_players) int8, the role's number in `game.roles`; NO_ROLE, which is -1, in empty seats.

        Raises:
            OptionError: Indices are out of range.
        """
        games = self._chosen(indices)
        roles = np.full((len(games), self.num_players), NO_ROLE, np.int8)
        if len(games):
            held = self.game.roles_of(games)
            roles[:, : held.shape[1]] = held
        return roles

    def by_set(self, indices: npt.NDArray[np.int64] | None = None) -> Iterator[tuple[Any, npt.NDArray[np.void]]]:
        """The environments grouped by the options that they play by.

        Args:
            indices: Only these environments; None for all.

        Yields:
            The places of a group among these environments, as a slice or indices, and its params, (1,).
        """
        if len(self.params) == 1:
            yield slice(None), self.params
            return
        which = self._which(indices)
        for number in np.unique(which):
            yield np.flatnonzero(which == number), self.params[number : number + 1]

    def _which(self, indices: npt.NDArray[np.int64] | None) -> npt.NDArray[np.int64]:
        return self.which if indices is None else self.which[indices]

    def _seats(self, seats: npt.ArrayLike, count: int) -> npt.NDArray[np.int64]:
        return check_integers("seats", seats, 0, self.num_players - 1, count)

    def _chosen(self, indices: npt.NDArray[np.int64] | None) -> npt.NDArray[np.void]:
        """The games of these environments; all if None."""
        if indices is None:
            return self.games
        return take_records(self.games, check_integers("indices", indices, 0, self.num_envs - 1))

    def columns(self) -> dict[str, npt.NDArray[np.generic]]:
        """A table's columns, one row a game: winner, decisions, scores, drawn layout and more.

        Returns:
            Arrays (n,) by name. The names depend on the game. Some columns hold what a seat may not know before the
            end.
        """
        return self.game.columns(self.games)

    def ended_games(self) -> npt.NDArray[np.void]:
        """Copies of the games that the last step ended, as they ended.

        Returns:
            (ended,) game records, in the order of `np.flatnonzero(batch.done)`.
        """
        return take_records(self._last if self.auto_reset else self.games, np.flatnonzero(self.done))

    def ended_columns(self) -> dict[str, npt.NDArray[np.generic]]:
        """`columns` of the games that the last step ended.

        With auto_reset the games of `columns` are the next ones.

        Returns:
            Arrays by name, a row for each game in the order of `np.flatnonzero(batch.done)`. Where a game has several
            roles, there are also "role_0", "role_1", …: the number of each seat's role in `game.roles`, -1 for seats
            that weren't there.
        """
        return self.game.ended_columns(self.ended_games())

    def clone(self) -> Batch:
        """An independent copy in the same state."""
        copy = object.__new__(type(self))
        copy.__dict__.update(self.__dict__)
        for name, value in self.__dict__.items():
            if isinstance(value, np.ndarray) and name != "params":
                setattr(copy, name, copy_records(value) if value.dtype.names else value.copy())
        copy.observation, copy.action_mask = copy._split(copy.rows)
        copy._notes = dict(self._notes)
        return copy

    def __deepcopy__(self, memo: dict[int, Any]) -> Batch:
        return self.clone()

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name not in ("observation", "action_mask")}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        self.__dict__.update(kept)
        self.observation, self.action_mask = self._split(self.rows)

    def get_state(self) -> npt.NDArray[np.void]:
        """A copy of the game records; its bytes are the serialized state.

        Returns:
            (n,) records of `game.dtype`.
        """
        return copy_records(self.games)

    def set_state(self, games: npt.NDArray[np.void]) -> None:
        """Restore states from `get_state`; notes are dropped.

        Args:
            games: (n,) records of `game.dtype`; they are copied.

        Raises:
            StateError: This isn't such an array, or a state isn't sound; nothing has changed.
        """
        if not isinstance(games, np.ndarray) or games.dtype != self.game.dtype or games.shape != (self.num_envs,):
            what = f"{games.shape} of {games.dtype.name}" if isinstance(games, np.ndarray) else repr(type(games))
            raise StateError(
                f"get_state() of {self.num_envs} games of {self.game.id} gives a ({self.num_envs},) array, not {what}"
            )
        given = copy_records(games)
        codes = np.zeros(self.num_envs, np.int64)
        for places, params in self.by_set():
            codes[places] = self.game.violations(given[places], params)
        if codes.any():
            index = int(np.flatnonzero(codes)[0])
            raise StateError(
                f"the state of game {index} isn't sound: {self.game.words.describe_violation(int(codes[index]))}"
            )
        self.games = given
        self._notes.clear()
        self.game_number[:] = given["number"]
        self._seeds[:] = given["seed"]
        self.done[:] = self.truncated[:] = False
        self.returns[:] = 0
        for index in range(self.num_envs):
            self.seat[index] = self.game.kernels.current_seat(self.games[index])
        seats = np.maximum(self.seat, 0)
        self.game.loops.observe_games(self.games, self.params, self.which, self.views, seats, self.rows, self.size)

    def renew_chance(self, seed: int, first: int = 0) -> None:
        """Reseed all future chance: that of environment i follows from the seed and the number `first + i`.

        What is dealt stays, the order of a deck too. Games whose chance ends with the deal don't change.

        Args:
            seed: 0 to 2**63 - 1.
            first: The number that environment 0 draws by, 0 to 2**62.

        Raises:
            SeedError: The seed isn't an integer or is out of range.
            OptionError: `first` isn't an integer or is out of range.
        """
        renew_chance(self.games, seed, first)

    def _split(self, rows: Vectors) -> tuple[Vectors, Vectors]:
        return rows[:, : self.size], rows[:, self.size : self.size + self.game.actions.size]

    def _run(self, loop: str, *arguments: Any) -> None:
        threads = self.threads if compiled() else 1
        loops = self.game.loops.parallel if threads > 1 else self.game.loops
        with_threads(threads, getattr(loops, loop), *arguments)


def renew_chance(games: npt.NDArray[np.void], seed: int, first: int = 0) -> None:
    """Draw the chance to come in game records anew; see `Batch.renew_chance`."""
    checked, number = check_seed(seed), check_game_number("first", first)
    if "chance" in (games.dtype.names or ()):
        for index in range(len(games)):
            open_stream(games[index]["chance"], checked, number + index, CHANCE)


def read_actions(actions: npt.ArrayLike, num_envs: int) -> npt.NDArray[np.int64]:
    """The actions in a new array, (n,) int64. Raises IllegalActionError unless they are a row of n integers."""
    try:
        given = np.asarray(actions)
    except ValueError:
        raise IllegalActionError(f"actions must have shape ({num_envs},), not be lists of several lengths") from None
    if given.shape != (num_envs,):
        raise IllegalActionError(f"actions must have shape ({num_envs},), not {given.shape}")
    if not np.issubdtype(given.dtype, np.integer):
        raise IllegalActionError(f"actions must be integers, not {given.dtype}")
    return np.array(given, np.int64)


def are_legal(masks: Vectors, actions: npt.NDArray[np.int64]) -> npt.NDArray[np.bool_]:
    """Which of the actions (n,), any integers, the masks (n, A) allow, (n,)."""
    inside = (actions >= 0) & (actions < masks.shape[1])
    allowed: npt.NDArray[np.bool_] = inside & (masks[np.arange(len(masks)), np.where(inside, actions, 0)] == 1)
    return allowed


def row_length(game: Game, size: int) -> int:
    """The length of a row of an observation and its mask, rounded up to words of eight bytes."""
    return -(-(size + game.actions.size) // 8) * 8


def _threads(threads: object) -> int:
    """The number of threads to use, at most what Numba may use; lowered with a warning."""
    wanted = check_whole("threads", threads, 1, MOST_ENVS)
    allowed = max_threads() if compiled() else wanted
    if wanted > allowed:
        warnings.warn(f"threads={wanted} is lowered to {allowed}, as many as may be used here", stacklevel=3)
    return min(wanted, allowed)


def mixed_params(
    game: Game, num_envs: int, seed: int, options: Mapping[str, Any]
) -> tuple[npt.NDArray[np.void], tuple[Any, ...], npt.NDArray[np.int64], tuple[dict[str, Any], ...]]:
    """Params and content pack of each set of options, the number of each environment's set, (n,), and the sets.

    See `Batch` for what several values of an option mean. Raises OptionError for an option without any.
    """
    split = packs_of(game, options)
    options = {**options, "pack": split} if split else options
    several = {
        name: value.tolist() if isinstance(value, np.ndarray) else list(value)
        for name, value in options.items()
        if _is_several(game, name, value)
    }
    for name, values in several.items():
        if not values:
            raise OptionError(f"{name} must be a value or several, not {options[name]!r}")
    shared = [name for name, values in several.items() if len(values) != num_envs]
    chosen = _shared_out([len(several[name]) for name in shared], num_envs, seed)
    own = several | {name: [several[name][place] for place in places] for name, places in zip(shared, chosen)}
    combined = [dict(zip(own, values)) for values in zip(*own.values())] or [{}] * num_envs
    sets = {repr(each): {**options, **each} for each in combined}
    made = [game.make_params(**each) for each in sets.values()]
    params = np.zeros(len(made), made[0][0].dtype)
    for number, (record, _) in enumerate(made):
        params[number] = record[0]
    numbers = {key: number for number, key in enumerate(sets)}
    which = np.array([numbers[repr(each)] for each in combined], np.int64)
    return params, tuple(pack for _, pack in made), which, tuple(sets.values())


def packs_of(game: Game, options: Mapping[str, Any]) -> Sequence[str]:
    """The names of the packs of the split that the options name as their pack; empty if they name none."""
    pack = options.get("pack")
    return game.splits.get(pack, ()) if isinstance(pack, str) else ()


def options_by_deal(game: Game, options: Mapping[str, Any]) -> list[dict[str, Any]]:
    """The options of deals on which agents are compared: deal k has those at k modulo their number.

    One set for each pack of a split, else one for all deals.
    """
    return [{**options, "pack": pack} for pack in packs_of(game, options)] or [dict(options)]


def _is_several(game: Game, name: str, value: object) -> bool:
    """Whether an option's value is several, one of which each environment has."""
    sequence = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return name not in game.sequences and (sequence or (isinstance(value, np.ndarray) and value.ndim == 1))


def _shared_out(lengths: Sequence[int], num_envs: int, seed: int) -> tuple[npt.NDArray[np.int64], ...]:
    """Which value of each option each environment has, (n,) for each option, by how many values the options have."""
    total = prod(lengths)
    if total > num_envs:
        chosen = np.sort(np.random.default_rng(seed).choice(total, num_envs, replace=False))
    else:
        chosen = np.sort(np.arange(num_envs) % total)
    return np.unravel_index(chosen, tuple(lengths)) if lengths else ()
