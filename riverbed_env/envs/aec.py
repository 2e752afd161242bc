"""The turn-based environment of PettingZoo (AEC) over any game: a batch of one."""

from __future__ import annotations

import copy
import json
import operator
import sys
import warnings
import zlib
from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from riverbed_env.core.batch import row_length
from riverbed_env.core.errors import EpisodeOverError, IllegalActionError, OptionError, StateError
from riverbed_env.core.game import Game, copy_records
from riverbed_env.core.loops import DEAL, OVER, REFUSED, TRUNCATED
from riverbed_env.core.options import check_choice, check_game_number, check_known, check_rewards, check_view
from riverbed_env.core.random import check_seed, fresh_seed

Observation = dict[str, npt.NDArray[np.int8]]

RENDER_MODES = ("ansi", "human")
ON_ILLEGAL = ("raise", "terminate")
_MAGIC = b"riverbed state 1\n"
_ILLEGAL_REWARD = -1.0


class TurnEnv(AECEnv[str, Observation, int]):
    """One game with its players taking turns, as PettingZoo's AEC interface.

    Order, bounds and legality are checked here, so no wrappers are needed. All agents end together. A seed starts
    the games it numbers from 0; `reset` without a seed goes on to the next number.
    """

    def __init__(
        self,
        game: Game,
        *,
        view: str = "history",
        rewards: str = "win",
        on_illegal: str = "raise",
        render_mode: str | None = None,
        **options: Any,
    ) -> None:
        super().__init__()
        self._size = check_view(game, view)
        self._zero_sum = check_rewards(rewards)
        check_choice("on_illegal", on_illegal, ON_ILLEGAL)
        if render_mode is not None:
            check_choice("render_mode", render_mode, RENDER_MODES)
        self.view = view
        self.on_illegal = on_illegal
        self.render_mode = render_mode
        self.metadata = {
            "name": game.id,
            "render_modes": list(RENDER_MODES),
            "is_parallelizable": False,
            "render_fps": 2,
        }
        check_known(game, options)
        self._settings, self.pack = game.make_setting(**options)
        self._link(game)
        self._games = np.zeros(1, game.dtype)
        self._views = np.zeros(1, game.view_dtype)
        num_players = int(self._settings["num_players"][0])
        self.possible_agents = [f"player_{seat}" for seat in range(num_players)]
        self.agents: list[str] = []
        self._make_spaces(num_players)
        self._seed: int | None = None
        self._number = -1
        self._row = np.zeros(self._row_length, np.int8)
        self._asked = OVER
        self._offender: int | None = None
        self._cache: dict[str, Observation] = {}

    def _link(self, game: Game) -> None:
        self.game = game
        self._row_length = row_length(game, self._size)
        self._serve = game.loop("serve")

    def _make_spaces(self, num_players: int) -> None:
        game = self.game
        self.observation_spaces = {
            agent: gymnasium.spaces.Dict(
                {
                    "observation": gymnasium.spaces.Box(
                        game.observation.low()[: self._size], game.observation.high()[: self._size], dtype=np.int8
                    ),
                    "action_mask": gymnasium.spaces.Box(0, 1, (game.actions.size,), np.int8),
                }
            )
            for agent in self.possible_agents
        }
        self.action_spaces = {agent: gymnasium.spaces.Discrete(game.actions.size) for agent in self.possible_agents}
        self.state_space = gymnasium.spaces.Box(game.state.low(), game.state.high(), dtype=np.int8)
        self._agent_of = tuple(self.possible_agents)
        self._seat_of = {agent: seat for seat, agent in enumerate(self.possible_agents)}

    @property
    def num_players(self) -> int:
        """How many play."""
        return len(self.possible_agents)

    def observation_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's observations: {"observation": int8 vector, "action_mask": int8 vector}."""
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> gymnasium.spaces.Space[Any]:
        """The space of an agent's actions, Discrete."""
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal a game: number 0 of a new seed, or the next number of the old one.

        options: {"game_number": k} deals game k instead. Raises TypeError or ValueError for a bad seed.
        """
        number = 0 if seed is not None else self._number + 1
        checked = self._seed if seed is None else check_seed(seed)
        for name, value in (options or {}).items():
            if name == "game_number":
                number = check_game_number(name, value)
            else:
                warnings.warn(f"reset option {name!r} is unknown and ignored; known: 'game_number'", stacklevel=2)
        self._seed = fresh_seed() if checked is None else checked
        self._deal(number)
        if self.render_mode == "human":
            self.render()

    def _deal(self, number: int) -> None:
        """Deal game `number` of the seed."""
        self._number = number
        self._row = np.zeros(self._row_length, np.int8)
        asked = self._serve(self._games, self._settings, self._views, self._seed, number, DEAL, self._row, self._size)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._offender = None
        waiting = np.zeros(self.game.actions.size, np.int8)
        waiting[0] = 1
        self._waiting = {"action_mask": waiting}
        self.infos = dict.fromkeys(self.agents, self._waiting)
        self._go_on(asked)

    def _go_on(self, asked: int) -> None:
        """Note who is asked now, or that the game is over."""
        self._cache = {}
        self._asked = asked
        if asked == OVER:
            self._finish()
            return
        self.agent_selection = self._agent_of[asked]
        self._show_selected()

    def _show_selected(self) -> None:
        """The selected agent's observation and info are views of its row."""
        mask = self._row[self._size : self._size + self.game.actions.size]
        self._cache[self.agent_selection] = {"observation": self._row[: self._size], "action_mask": mask}
        self.infos[self.agent_selection] = {"action_mask": mask}

    def _finish(self) -> None:
        """Flags and payoffs at the end of the game."""
        payoff = np.zeros(self.num_players, np.float32)
        truncated = bool(self.game.loop("pay")(self._games, self._zero_sum, payoff) == TRUNCATED)
        for seat, agent in enumerate(self.possible_agents):
            self.rewards[agent] = float(payoff[seat])
            self._cumulative_rewards[agent] += float(payoff[seat])
            self.terminations[agent] = not truncated
            self.truncations[agent] = truncated
            self.infos[agent] = self._waiting
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None

    def step(self, action: int | None) -> None:
        """Take the selected agent's action, an integer; None once the game is over, for each agent in turn.

        Raises IllegalActionError, with nothing changed, for an action the rules refuse (`on_illegal="raise"`), and
        EpisodeOverError before `reset` and after the last agent's None.
        """
        if self._asked == OVER:
            self._step_after_the_end(action)
            return
        try:
            chosen = operator.index(action)  # type: ignore[arg-type]  # None and others are told apart by the error
        except TypeError:
            self._refuse(action, "an action must be an integer")
            return
        if not 0 <= chosen < self.game.actions.size:
            self._refuse(chosen, f"there is no such action; actions are 0 to {self.game.actions.size - 1}")
            return
        row = np.zeros(self._row_length, np.int8)
        asked = self._serve(self._games, self._settings, self._views, 0, 0, chosen, row, self._size)
        if asked <= REFUSED:
            self._refuse(chosen, self.game.words.describe_refusal(REFUSED - asked))
            return
        self._row = row
        before = self.agent_selection
        self.infos[before] = self._waiting
        self._cumulative_rewards[before] = 0.0
        self._go_on(asked)
        if self.render_mode == "human":
            self.render()

    def _refuse(self, action: object, reason: str) -> None:
        """RH or any other game: an action that isn't legal, by the chosen policy."""
        seat = self._asked
        if self.on_illegal == "raise":
            raise IllegalActionError(f"{self._agent_of[seat]} can't take action {self._say(action)}: {reason}; "
                                     f"legal: {self._say_legal()}")  # fmt: skip
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._offend(seat)

    def _offend(self, seat: int) -> None:
        """PettingZoo's values for an illegal action: -1 to the offender, 0 to the others, all flags set."""
        self._offender = seat
        self._asked = OVER
        self._cache = {}
        for agent in self.possible_agents:
            self.rewards[agent] = 0.0
            self.terminations[agent] = self.truncations[agent] = True
            self.infos[agent] = self._waiting
        self.rewards[self._agent_of[seat]] = _ILLEGAL_REWARD
        self._accumulate_rewards()
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None

    def _say(self, action: object) -> str:
        if isinstance(action, int) and 0 <= action < self.game.actions.size:
            return f"{action} ({self.describe_action(action)})"
        return repr(action)

    def _say_legal(self) -> str:
        mask = self._cache[self.agent_selection]["action_mask"]
        return ", ".join(f"{action} ({self.describe_action(int(action))})" for action in np.flatnonzero(mask))

    def _step_after_the_end(self, action: int | None) -> None:
        if not self.agents:
            when = "before reset()" if self._number < 0 else "after the end of the game: call reset()"
            raise EpisodeOverError(f"step() {when}")
        if action is not None:
            raise EpisodeOverError(
                f"the game is over: step(None) for {self.agent_selection}, not {action!r}, or call reset()"
            )
        self._was_dead_step(None)

    def last(self, observe: bool = True) -> tuple[Observation | None, float, bool, bool, dict[str, Any]]:
        """The selected agent's observation, reward since its last step, termination, truncation and info."""
        self._check_dealt("last")
        agent = self.agent_selection
        return (
            self.observe(agent) if observe else None,
            self._cumulative_rewards[agent],
            self.terminations[agent],
            self.truncations[agent],
            self.infos[agent],
        )

    def observe(self, agent: str) -> Observation:
        """What any agent sees at any time; its mask is that of `infos[agent]`. No side effect."""
        self._check_dealt("observe")
        seat = self._seat(agent)
        name = self._agent_of[seat]
        if name not in self._cache:
            self._cache[name] = self._see(seat)
        return self._cache[name]

    def _check_dealt(self, call: str) -> None:
        if self._number < 0:
            raise EpisodeOverError(f"{call}() before reset()")

    def _see(self, seat: int) -> Observation:
        row = np.zeros(self._row_length, np.int8)
        self._sight(seat, row)
        return {"observation": row[: self._size], "action_mask": self._waiting["action_mask"]}

    def _sight(self, seat: int, row: npt.NDArray[np.int8]) -> int:
        return int(self.game.loop("sight")(self._games, self._settings, self._views, seat, row, self._size))

    def _seat(self, agent: str | int) -> int:
        if isinstance(agent, str):
            if agent not in self._seat_of:
                raise OptionError(f"there is no agent {agent!r}; agents are {', '.join(self.possible_agents)}")
            return self._seat_of[agent]
        whole = isinstance(agent, int | np.integer) and not isinstance(agent, bool)
        if not whole or not 0 <= agent < self.num_players:
            raise OptionError(
                f"agents are {', '.join(self.possible_agents)} or seats 0 to {self.num_players - 1}, not {agent!r}"
            )
        return int(agent)

    def state(self) -> npt.NDArray[np.int8]:
        """The full state for a central critic, in `state_space`; no other call shows what seats may not know."""
        self._check_dealt("state")
        out = np.zeros(self.game.state.size, np.int8)
        scratch = np.zeros(self.game.observation.size, np.int8)
        self.game.loop("full_state")(self._games, self._settings, self._views, scratch, out)
        return out

    # --- in words ---------------------------------------------------------------------------------------------

    def describe_action(self, action: int, agent: str | int | None = None) -> str:
        """An action in plain English, as it would be meant now by the selected or another agent."""
        self._check_dealt("describe_action")
        seat = max(self._asked, 0) if agent is None else self._seat(agent)
        words: str = self.game.words.describe_action(self.pack, self._games[0], action, seat)
        return words

    def describe_state(self, viewer: str | int | None = None) -> str:
        """The game in plain English: everything (None), or what a seat knows."""
        self._check_dealt("describe_state")
        words: str = self.game.words.describe_state(self.pack, self._games, self._settings, self._viewer(viewer))
        return words

    def describe_events(self, since: int = 0) -> list[str]:
        """The last public events in plain English, oldest first; `since` leaves out the first so many of the game."""
        self._check_dealt("describe_events")
        words: list[str] = self.game.words.describe_events(self.pack, self._games[0], since)
        return words

    def describe_observation(self, observation: Observation | npt.NDArray[np.int8]) -> str:
        """An observation vector in plain English, decoded by its pieces."""
        vector = observation["observation"] if isinstance(observation, dict) else observation
        words: str = self.game.words.describe_observation(self.pack, vector)
        return words

    def render(self, viewer: str | int | None = None) -> str | None:
        """The table as text ("ansi"), or printed ("human"): all of it (viewer None), or what a seat knows."""
        if self.render_mode is None:
            warnings.warn("render() needs render_mode='ansi' or 'human'", stacklevel=2)
            return None
        self._check_dealt("render")
        from riverbed_env.view.ansi import draw

        picture = draw(self.game, self.pack, self._games, self._settings, self._viewer(viewer))
        if self.render_mode == "ansi":
            return picture
        sys.stdout.write(picture + "\n")
        sys.stdout.flush()
        return None

    def _viewer(self, viewer: str | int | None) -> int | None:
        return None if viewer is None else self._seat(viewer)

    def close(self) -> None:
        """Nothing is held open."""

    # --- copies -------------------------------------------------------------------------------------------------

    def clone(self) -> TurnEnv:
        """An independent copy in the same state; the spaces, and so their samplers, are shared."""
        twin = object.__new__(type(self))
        twin.__dict__.update(self.__dict__)
        twin._games = copy_records(self._games)
        twin._views = np.zeros(1, self.game.view_dtype)
        twin._row = self._row.copy()
        for name in ("agents", "rewards", "_cumulative_rewards", "terminations", "truncations"):
            if name in self.__dict__:
                setattr(twin, name, copy.copy(getattr(self, name)))
        twin._cache = {}
        if self._number >= 0:
            twin._waiting = {"action_mask": self._waiting["action_mask"].copy()}
            twin.infos = dict.fromkeys(self.infos, twin._waiting)
        if self._asked != OVER:
            twin._show_selected()
        return twin

    def __deepcopy__(self, memo: dict[int, Any]) -> TurnEnv:
        twin = self.clone()
        twin.observation_spaces = copy.deepcopy(self.observation_spaces, memo)
        twin.action_spaces = copy.deepcopy(self.action_spaces, memo)
        twin.state_space = copy.deepcopy(self.state_space, memo)
        return twin

    def __getstate__(self) -> dict[str, Any]:
        kept = {name: value for name, value in self.__dict__.items() if name not in ("game", "_serve")}
        return {**kept, "game": self.game.id}

    def __setstate__(self, kept: dict[str, Any]) -> None:
        from riverbed_env.registry import find_game

        self.__dict__.update({name: value for name, value in kept.items() if name != "game"})
        self._link(find_game(kept["game"]))

    def get_state(self) -> bytes:
        """The state as bytes, exact at any moment; `set_state` takes it in any process with the same options."""
        self._check_dealt("get_state")
        body = self._games.tobytes()
        header = {**self._identity(), "agents": len(self.agents), "offender": self._offender}
        header["checksum"] = self._checksum(header, body)
        return _MAGIC + json.dumps(header).encode() + b"\n" + body

    @staticmethod
    def _checksum(header: dict[str, Any], body: bytes) -> int:
        rest = {name: value for name, value in header.items() if name != "checksum"}
        return zlib.crc32(json.dumps(rest, sort_keys=True).encode() + body)

    def _identity(self) -> dict[str, Any]:
        return {"game": self.game.id, "pack": self.pack.hash, "num_players": self.num_players}

    def set_state(self, state: bytes) -> None:
        """Put the environment into a state got by `get_state`.

        Raises StateError, with nothing changed, where it is damaged, of another game, pack or player count, or breaks
        a book-keeping identity.
        """
        header, body = self._read_state(state)
        games = np.frombuffer(body, np.uint8).copy().view(self.game.dtype)
        found = np.zeros(1, np.int64)
        self.game.loop("faults")(games, self._settings, found)
        if found[0]:
            raise StateError(f"the state isn't sound: {self.game.words.describe_fault(int(found[0]))}")
        row = np.zeros(self._row_length, np.int8)
        asked = int(self.game.loop("sight")(games, self._settings, self._views, 0, row, self._size))
        if asked != OVER and header["offender"] is None and header["agents"] != self.num_players:
            raise StateError(f"the state has {header['agents']} agents in mid-game, {self.num_players} are needed")
        self._seed = int(games["seed"][0])
        self._deal(int(games["number"][0]))
        self._games = games
        self._restore(header)

    def _restore(self, header: dict[str, Any]) -> None:
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = dict.fromkeys(self.agents, self._waiting)
        row = np.zeros(self._row_length, np.int8)
        asked = self._sight(0, row)
        if header["offender"] is not None:
            self._offend(header["offender"])
        elif asked == OVER:
            self._go_on(OVER)
        else:
            self._row = row
            self._sight(asked, row)
            self._go_on(asked)
        while len(self.agents) > header["agents"]:
            self._was_dead_step(None)

    def _read_state(self, state: bytes) -> tuple[dict[str, Any], bytes]:
        if not isinstance(state, bytes) or not state.startswith(_MAGIC):
            raise StateError("not a state of this library: it must be the bytes that get_state() gave")
        head, _, body = state[len(_MAGIC) :].partition(b"\n")
        try:
            header = json.loads(head)
            if not isinstance(header, dict) or header.get("checksum") != self._checksum(header, body):
                raise StateError("the state is damaged: its checksum doesn't fit")
        except (ValueError, RecursionError) as error:
            raise (
                error if isinstance(error, StateError) else StateError(f"the state's header is damaged: {error}")
            ) from error
        for name, wanted in self._identity().items():
            if header.get(name) != wanted:
                raise StateError(f"the state is of {name} {header.get(name)!r}, this environment's is {wanted!r}")
        if len(body) != self.game.dtype.itemsize:
            raise StateError(f"the state has {len(body)} bytes, {self.game.dtype.itemsize} are needed")
        self._check_header(header)
        return header, body

    def _check_header(self, header: dict[str, Any]) -> None:
        """Who is still there, and who was sent off, as numbers that fit the table."""
        alive, offender = header.get("agents"), header.get("offender")
        if type(alive) is not int or not 0 <= alive <= self.num_players:
            raise StateError(f"the state's number of agents is {alive!r}; 0 to {self.num_players} are possible")
        if offender is not None and (type(offender) is not int or not 0 <= offender < self.num_players):
            raise StateError(f"the state's offender is {offender!r}; seats are 0 to {self.num_players - 1}")
