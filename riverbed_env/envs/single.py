"""The part that the turn-based and the parallel environment share: options, spaces, words, copies, saved states."""

import copy
import inspect
import json
import warnings
import zlib
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Self

import gymnasium.spaces
import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import renew_chance, row_length
from riverbed_env.core.frame import PUBLIC, TRUTH, Frame, Viewer, frame
from riverbed_env.core.game import Game, copy_records
from riverbed_env.core.options import (
    MAX_GAME,
    check_choice,
    check_known,
    check_names,
    check_reset_options,
    check_rewards,
    check_view,
    check_whole,
    whole,
)
from riverbed_env.core.picture import SIZE, picture
from riverbed_env.core.transcript import Transcript
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, StateError
from riverbed_env.kernels.actions import WAIT
from riverbed_env.kernels.loops import TRUNCATED
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.worlds import resample

from .rendering import RENDER_FPS, Rendering, available_modes
from .shown import Shown

Vector = npt.NDArray[np.int8]
Observation = dict[str, Vector]

METADATA = {"render_modes": available_modes(), "render_fps": RENDER_FPS}
ON_ILLEGAL = ("raise", "terminate")
ILLEGAL_REWARD = -1.0
FIRST = np.zeros(1, np.int64)  # the number of the only game, and of its params
_MAGIC = b"riverbed state 1\n"


class SingleGame:
    """One game with its spaces, words and states; a subclass adds an interface of PettingZoo.

    Games of a seed are numbered from 0; a reset without a seed deals the next number.

    Args:
        game: The game, as `find_game` gives it.
        view: The view of the observations: "history", or "now", one of `game.views`.
        rewards: "win" or "zero_sum", one of `game.rewards`.
        on_illegal: "raise" or "terminate" (the game ends: -1 for the offender, 0 for the others).
        render_mode: "ansi", "rgb_array", "human" or None.
        mask_in: "observation", or "info" alone, where the action mask is.
        dtype: "int8" or "float32", of the observation's vector.
        render_size: Width and height of an image in pixels, each 160 to 8192.
        render_panels: "all", or "board" for the middle of the table alone.
        options: Those of the game's `make_params`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """

    possible_agents: list[str]
    agents: list[str]
    metadata: dict[str, Any]
    _transcript: Transcript = ()  # what was said in words, in games with talk

    def __init__(
        self,
        game: Game,
        *,
        view: str = "history",
        rewards: str = "win",
        on_illegal: str = "raise",
        render_mode: str | None = None,
        mask_in: str = "observation",
        dtype: str = "int8",
        render_size: Sequence[int] = SIZE,
        render_panels: str = "all",
        **options: Any,
    ) -> None:
        super().__init__()
        self._size = check_view(game, view)
        self._zero_sum = check_rewards(game, rewards)
        check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        self._rendering = Rendering(render_mode, render_size, render_panels)
        low, high = game.observation.low()[: self._size], game.observation.high()[: self._size]
        self._shown = Shown(low, high, game.actions.size, mask_in, dtype)
        check_known(game, options)
        self.view, self.on_illegal, self.render_mode = view, on_illegal, render_mode
        self.metadata = {"name": game.id, **METADATA, "render_modes": available_modes(), "is_parallelizable": False}
        self._params, self.pack = game.make_params(**options)
        self.game = game
        self._row_length = row_length(game, self._size)
        self._games = np.zeros(1, game.dtype)
        self._views = np.zeros(1, game.view_dtype)
        self.possible_agents = [f"player_{seat}" for seat in range(int(self._params["num_players"][0]))]
        self.agents = []
        self._agent_of = tuple(self.possible_agents)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}
        self.observation_spaces = {agent: self._shown.space() for agent in self.possible_agents}
        self.action_spaces = {agent: gymnasium.spaces.Discrete(game.actions.size) for agent in self.possible_agents}
        self.state_space = gymnasium.spaces.Box(game.state.low(), game.state.high(), dtype=np.int8)
        self._seed: int | None = None
        self._number = -1
        self._offender: int | None = None

    @property
    def num_players(self) -> int:
        """The number of players."""
        return len(self.possible_agents)

    def observe(self, agent: str) -> Any:
        """What an agent sees now, without a side effect.

        The arrays are the caller's, like those of infos: the environment never reads them again.

        Args:
            agent: The agent's name.

        Returns:
            As `mask_in` and `dtype` say: {"observation": (D,) vector, "action_mask": (A,) int8}, or the vector alone.

        Raises:
            OptionError: There is no such agent.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("observe")
        return self._show(self._row_of(self._seat(agent)))

    def _row_of(self, seat: int) -> Vector:
        """A seat's observation and mask in a new row."""
        raise NotImplementedError

    def _show(self, row: Vector) -> Any:
        """A row in the form that was asked for, without a copy."""
        return self._shown.show(row[: self._size], self._mask_in(row), copy=False)

    def _mask_in(self, rows: Vector) -> Vector:
        return rows[..., self._size : self._size + self.game.actions.size]

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations; the same object at each call.

        Args:
            agent: The agent's name.

        Returns:
            A Dict of {"observation": (D,) vector, "action_mask": (A,) int8}, or a Box, as `mask_in` says.

        Raises:
            OptionError: There is no such agent.
        """
        return self.observation_spaces[self._agent_of[self._seat(agent)]]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions; the same object at each call.

        Args:
            agent: The agent's name.

        Returns:
            Discrete, with as many actions as the game's table has.

        Raises:
            OptionError: There is no such agent.
        """
        return self.action_spaces[self._agent_of[self._seat(agent)]]

    def _next_game(self, seed: int | None, options: dict[str, Any] | None) -> tuple[int, int]:
        """The seed and the number of the game that this reset deals; notes the seed."""
        checked = self._seed if seed is None else check_seed(seed)
        number = check_reset_options(options)
        self._seed = fresh_seed() if checked is None else checked
        following = 0 if seed is not None else self._number + 1
        return self._seed, following if number is None else number

    def _results(self) -> tuple[list[float], bool, bool]:
        """Every seat's return, and whether the game is terminated and truncated: both if an illegal action ended it."""
        if self._offender is not None:
            return [ILLEGAL_REWARD if seat == self._offender else 0.0 for seat in range(self.num_players)], True, True
        returns = np.zeros(self.num_players, np.float32)
        ending = int(self.game.loops.returns_of_one(self._games, self._zero_sum, returns))
        paid = returns if ending else np.zeros_like(returns)
        return paid.tolist(), ending not in (0, TRUNCATED), ending == TRUNCATED

    @property
    def params(self) -> npt.NDArray[np.void]:
        """A copy of the game's params record, as its kernels take it, shape (1,)."""
        return copy_records(self._params)

    def look(self, agent: str) -> npt.NDArray[np.void]:
        """What an agent may know: what its observation is written from.

        Args:
            agent: The agent's name.

        Returns:
            A view record in a new array, (1,) of `env.game.view_dtype`.

        Raises:
            OptionError: There is no such agent.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("look")
        return self.game.look_at(self._games, self._params, FIRST, np.array([self._seat(agent)], np.int64))

    def _check_dealt(self, call: str) -> None:
        if self._number < 0:
            raise EpisodeOverError(f"{call}() before reset()")

    def _check_playing(self) -> None:
        """Raise EpisodeOverError if there is no agent to step."""
        if not self.agents:
            self._check_dealt("step")
            raise EpisodeOverError("step() after the end of the game: call reset()")

    def _seat(self, agent: str | int) -> int:
        if isinstance(agent, str):
            if agent not in self._seat_of:
                raise OptionError(f"there is no agent {agent!r}; agents are {', '.join(self.possible_agents)}")
            return self._seat_of[agent]
        seat = whole(agent)
        if seat is None or not 0 <= seat < self.num_players:
            raise OptionError(
                f"agents are {', '.join(self.possible_agents)} or seats 0 to {self.num_players - 1}, not {agent!r}"
            )
        return seat

    def _read_action(self, given: object) -> tuple[int, str]:
        """An action as an integer, and why it can't be one: "" leaves that to the rules."""
        action = whole(given)
        if action is None:
            return WAIT, "an action must be an integer"
        if not 0 <= action < self.game.actions.size:
            return WAIT, f"there is no such action; actions are 0 to {self.game.actions.size - 1}"
        return action, ""

    def _refusal(self, seat: int, action: object, reason: str) -> IllegalActionError:
        """The error for an illegal action, with what is legal."""
        number, wrong = self._read_action(action)
        said = repr(action) if wrong else f"{number} ({self.describe_action(number, seat)})"
        agent = self._agent_of[seat]
        legal = ", ".join(f"{each} ({self.describe_action(int(each), seat)})" for each in self.legal_actions(agent))
        return IllegalActionError(f"{agent} can't take action {said}: {reason}; legal: {legal}")

    def legal_actions(self, agent: str) -> npt.NDArray[np.int64]:
        """The actions that an agent may take now.

        Args:
            agent: The agent's name.

        Returns:
            Their ids, ascending, int64; WAIT (0) alone if the agent isn't asked.

        Raises:
            OptionError: There is no such agent.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("legal_actions")
        return np.flatnonzero(self._mask_in(self._row_of(self._seat(agent))))

    def columns(self) -> dict[str, Any]:
        """The game's row of a table: winner, decisions, scores, drawn layout and more.

        Returns:
            Plain values by the game's names. Some hold what a seat may not know before the end.

        Raises:
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("columns")
        return {name: column[0].item() for name, column in self.game.columns(self._games).items()}

    def state(self) -> npt.NDArray[np.int8]:
        """The full state for a central critic, roles and hands included.

        `env.game.state.named(env.state())` gives its pieces by name.

        Returns:
            (S,) int8, in `state_space`.

        Raises:
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("state")
        out = np.zeros(self.game.state.size, np.int8)
        scratch = np.zeros((1, self.game.observation.size), np.int8)
        self.game.loops.full_states(self._games, self._params, FIRST, self._views, scratch, out[np.newaxis])
        return out

    # --- in words ---------------------------------------------------------------------------------------------

    def _asked_first(self) -> int:
        """The current seat, the first of several."""
        raise NotImplementedError

    def describe_action(self, action: int, agent: str | int | None = None) -> str:
        """An action in plain English, as the current agent (or another) would mean it now.

        `env.game.actions.split(action)` gives its name and argument as data, `env.game.actions.id(name, argument)` the
        action of a name and argument.

        Args:
            action: The id of the action.
            agent: The name or seat of the agent that would take it; None for the current one.

        Returns:
            The words.

        Raises:
            OptionError: There is no such action or agent.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("describe_action")
        check_whole("action", action, 0, self.game.actions.size - 1)
        seat = self._asked_first() if agent is None else self._seat(agent)
        return str(self.game.words.describe_action(self.pack, self._games[0], action, seat))

    def describe_state(self, viewer: str | int | None = None) -> str:
        """The game in plain English.

        Args:
            viewer: An agent's name or seat, for what it knows; None for everything.

        Returns:
            The words.

        Raises:
            OptionError: There is no such viewer.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("describe_state")
        return str(self.game.words.describe_state(self.pack, self._games, self._params, self._viewer(viewer)))

    def describe_events(self, since: int = 0, viewer: str | int | None = None) -> list[str]:
        """The latest events in plain English.

        Args:
            since: How many events from the beginning of the game to leave out, 0 or more.
            viewer: An agent's name or seat; it is called "you", and what it alone saw is included. None for
                what is public.

        Returns:
            The events, oldest first.

        Raises:
            OptionError: `since` isn't an integer from 0 on, or there is no such viewer.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("describe_events")
        check_whole("since", since, 0, MAX_GAME)
        return list(self.game.words.describe_events(self.pack, self._games[0], since, self._viewer(viewer)))

    def render(self, viewer: str | int | None = None) -> str | npt.NDArray[np.uint8] | None:
        """The table: all of it, or what a seat knows.

        Without a render mode it warns and gives None.

        Args:
            viewer: An agent's name or seat, for what it knows; None for all of the table.

        Returns:
            Text ("ansi"), an image, (height, width, 3) uint8 ("rgb_array", which needs the extra "draw"), or None
            ("human"): the text is printed.

        Raises:
            OptionError: There is no such viewer.
            EpisodeOverError: Before `reset`.
        """
        if self.render_mode is None:
            warnings.warn("render() needs render_mode='ansi', 'rgb_array' or 'human'", stacklevel=2)
            return None
        self._check_dealt("render")
        how = replace(self._rendering, mode=self.render_mode)
        return how.render(self.game, self.pack, self._games, self._params, self._viewer(viewer))

    def _repr_svg_(self) -> str | None:
        """The table with everything hidden, for a notebook; None before the first deal."""
        return picture(self.frame()).svg if self._number >= 0 else None

    def frame(self, viewer: str | int | None = None, since: int = 0) -> Frame:
        """What a viewer sees as data for JSON: a scene to draw, events, what is asked, every choice with its rule.

        Args:
            viewer: An agent's name or seat, "public" for what everybody knows, None for all there is.
            since: How many events the viewer knows of already, `event_count` of the frame before; 0 or more.

        Returns:
            The frame; `core.frame` explains the fields.

        Raises:
            OptionError: `since` isn't an integer from 0 on, or there is no such viewer.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("frame")
        check_whole("since", since, 0, MAX_GAME)
        seat: Viewer = TRUTH if viewer is None else viewer if viewer == PUBLIC else self._seat(viewer)
        return frame(self.game, self.pack, self._games, self._params, seat, since, self._transcript)

    def _viewer(self, viewer: str | int | None) -> int | None:
        return None if viewer is None else self._seat(viewer)

    def close(self) -> None:
        """Nothing is held that must be closed; PettingZoo's `api_test` asks for this method."""

    # --- copies -------------------------------------------------------------------------------------------------

    def clone(self) -> Self:
        """An independent copy in the same state; the spaces, and so their samplers, are shared."""
        twin = object.__new__(type(self))
        for name, value in self.__dict__.items():
            is_own = isinstance(value, dict | list) or (isinstance(value, np.ndarray) and not value.dtype.names)
            twin.__dict__[name] = copy.copy(value) if is_own else value
        twin._games = copy_records(self._games)
        twin._views = np.zeros(1, self.game.view_dtype)
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> Self:
        twin = self.clone()
        twin.observation_spaces = copy.deepcopy(self.observation_spaces, memo)
        twin.action_spaces = copy.deepcopy(self.action_spaces, memo)
        twin.state_space = copy.deepcopy(self.state_space, memo)
        return twin

    def get_state(self) -> bytes:
        """The exact state, for `set_state` of any environment with the same options, in any process.

        Returns:
            The state as bytes.

        Raises:
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("get_state")
        body = self._games.tobytes()
        header = {**self._identity(), "agents": len(self.agents), "offender": self._offender, **self._beside()}
        header["checksum"] = self._checksum(header, body)
        return _MAGIC + json.dumps(header).encode() + b"\n" + body

    def set_state(self, state: bytes) -> None:
        """Put the environment into a state that `get_state` gave, of the turn-based or the parallel environment.

        In a state from the middle of a parallel step, seats that have answered aren't asked again.

        Args:
            state: What `get_state` gave.

        Raises:
            StateError: It is damaged, of another game, pack or player count, or breaks an invariant; nothing has
                changed.
        """
        self._put(*self._read_sound_game(state))

    def set_game(self, games: npt.NDArray[np.void]) -> None:
        """Put the environment into the state of a game's record, drawn by `worlds.resample` or made by hand.

        `Batch.get_state` gives such records: change what lies where, or the deck's order, and what comes next follows
        from it.

        Args:
            games: (1,) of `env.game.dtype`; it is copied.

        Raises:
            StateError: It isn't such a record or breaks an invariant; nothing has changed.
        """
        self._put({"offender": None, "agents": self.num_players}, self._sound_record(games))

    def renew_chance(self, seed: int) -> None:
        """Draw all chance to come anew from a seed; what is dealt stays, the order of a deck too.

        Args:
            seed: 0 to 2**63 - 1.

        Raises:
            SeedError: The seed isn't an integer or is out of range.
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("renew_chance")
        renew_chance(self._games, seed)

    def resample(self, agent: str | int, seed: int) -> Self:
        """An independent copy in a game drawn from those that look the same to an agent, future chance included.

        Nothing the agent can't see has an influence; see `riverbed_env.worlds.resample`.

        Args:
            agent: The agent's name or seat.
            seed: What the draw depends on, 0 to 2**63 - 1.

        Returns:
            The copy.

        Raises:
            OptionError: The game can't be drawn, or there is no such agent.
            SeedError: The seed isn't an integer or is out of range.
            EpisodeOverError: Before `reset`.
        """
        twin = self.clone()
        twin.set_game(resample(self.game, self.look(self._agent_of[self._seat(agent)]), self._params, seed))
        twin._transcript = self._transcript
        return twin

    def _put(self, header: dict[str, Any], games: npt.NDArray[np.void]) -> None:
        """Go on from a sound record. header: how many agents are left, and who ended the game by an illegal action."""
        raise NotImplementedError

    def _beside(self) -> dict[str, Any]:
        """What a saved state keeps beside the record, as JSON takes it."""
        return {}

    @staticmethod
    def _checksum(header: dict[str, Any], body: bytes) -> int:
        rest = {name: value for name, value in header.items() if name != "checksum"}
        return zlib.crc32(json.dumps(rest, sort_keys=True).encode() + body)

    def _identity(self) -> dict[str, Any]:
        return {"game": self.game.id, "pack": self.pack.hash, "num_players": self.num_players}

    def _read_sound_game(self, state: bytes) -> tuple[dict[str, Any], npt.NDArray[np.void]]:
        """The header and the record of a saved state.

        Raises StateError if it is damaged, of another game, pack or player count, or breaks an invariant.
        """
        header, body = self._read_state(state)
        games = np.frombuffer(body, np.uint8).copy().view(self.game.dtype)
        self._check_sound(games)
        over = self.game.kernels.current_seat(games[0]) < 0
        if not over and header["offender"] is None and header["agents"] != self.num_players:
            raise StateError(f"the state has {header['agents']} agents in mid-game, {self.num_players} are needed")
        return header, games

    def _sound_record(self, games: npt.NDArray[np.void]) -> npt.NDArray[np.void]:
        """A copy of a game record. Raises StateError unless it is one and sound."""
        if not isinstance(games, np.ndarray) or games.dtype != self.game.dtype or games.shape != (1,):
            what = f"{games.shape} of {games.dtype.name}" if isinstance(games, np.ndarray) else repr(type(games))
            raise StateError(f"a game of {self.game.id} is a (1,) array of its records, not {what}")
        given = copy_records(games)
        self._check_sound(given)
        return given

    def _check_sound(self, games: npt.NDArray[np.void]) -> None:
        """Raise StateError if a record breaks an invariant."""
        code = int(self.game.violations(games, self._params)[0])
        if code:
            raise StateError(f"the state isn't sound: {self.game.words.describe_violation(code)}")

    def _sight_of(self, games: npt.NDArray[np.void], seat: int, row: npt.NDArray[np.int8]) -> int:
        """Write a seat's row; returns the seat asked, negative if the game is over."""
        return int(self.game.loops.row_of(games, self._params, self._views, seat, row, self._size))

    def _read_state(self, state: bytes) -> tuple[dict[str, Any], bytes]:
        if not isinstance(state, bytes) or not state.startswith(_MAGIC):
            raise StateError("not a state of this library: it must be the bytes that get_state() gave")
        head, _, body = state[len(_MAGIC) :].partition(b"\n")
        try:
            header = json.loads(head)
        except (ValueError, RecursionError) as error:
            raise StateError(f"the state's header is damaged: {error}") from error
        if not isinstance(header, dict) or header.get("checksum") != self._checksum(header, body):
            raise StateError("the state is damaged: its checksum doesn't fit")
        for name, wanted in self._identity().items():
            if header.get(name) != wanted:
                raise StateError(f"the state is of {name} {header.get(name)!r}, this environment's is {wanted!r}")
        if len(body) != self.game.dtype.itemsize:
            raise StateError(f"the state has {len(body)} bytes, {self.game.dtype.itemsize} are needed")
        alive, offender = header.get("agents"), header.get("offender")
        if type(alive) is not int or not 0 <= alive <= self.num_players:
            raise StateError(f"the state's number of agents is {alive!r}; 0 to {self.num_players} are possible")
        if offender is not None and (type(offender) is not int or not 0 <= offender < self.num_players):
            raise StateError(f"the state's offender is {offender!r}; seats are 0 to {self.num_players - 1}")
        return header, body


class GameEnv(SingleGame):
    """An environment of one game, given as `class raw_env(GameEnv, TurnEnv, game=…)`; it takes that game's options.

    Beside the options of `make_params`, which end with `auto_forced` and the cap on a game's length, every environment
    takes those below, all by name. `inspect.signature` and `help` show all of them with their defaults.

    Args:
        options: The options by name.
        view: "history", or "now", a shorter one.
        rewards: "win" or "zero_sum", one of `game.rewards`.
        on_illegal: "raise", or "terminate" (the game ends: -1 for the offender, 0 for the others).
        auto_forced: "public", "all" or "none", the forced decisions that are taken for the player.
        render_mode: "ansi", "rgb_array" (an image), "human" (prints all there is at each step, for a spectator;
            `render(viewer=seat)` shows what a seat knows) or None.
        mask_in: "observation", or "info" alone, where the action mask is.
        dtype: "int8" or "float32", of the observation's vector.
        render_size: Width and height of an image in pixels, each 160 to 8192.
        render_panels: "all", or "board" for the middle of the table alone.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
    """

    _its_game: Game
    __signature__: inspect.Signature

    def __init_subclass__(cls, game: Game | None = None, **more: Any) -> None:
        super().__init_subclass__(**more)
        if game is not None:
            cls._its_game = game
            takers = (game.make_params, SingleGame.__init__)
            every = [each for taker in takers for each in inspect.signature(taker, eval_str=True).parameters.values()]
            named = [each for each in every if each.name not in ("self", "game", "options")]
            cls.__signature__ = inspect.Signature([each.replace(kind=each.KEYWORD_ONLY) for each in named])

    def __init__(self, **options: Any) -> None:
        check_names(f"{type(self).__module__.rpartition('.')[2]}.env", options, list(self.__signature__.parameters))
        super().__init__(self._its_game, **options)
