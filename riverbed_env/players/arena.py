"""Games with an agent in every seat; a game waits when it is the turn of a seat that the caller plays."""

from collections.abc import Mapping, Sequence
from functools import cache, cached_property
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch, are_legal
from riverbed_env.core.game import Game
from riverbed_env.errors import IllegalActionError, OptionError, RiverbedError, StateError
from riverbed_env.kernels import loops
from riverbed_env.kernels.compile import KernelFamily, Whole, compiled, identifier
from riverbed_env.kernels.threads import with_threads

from .agents import UNIFORM, Agent, CompiledAgent, answers_of

FIRST_LOG = 256  # actions that a game's log has room for; it is doubled when needed
OUTSIDE = -1  # in place of an agent's number: the caller chooses for this seat, through `play_on`
NOTHING = -1  # in place of an action


class Arena:
    """`num_envs` games with an agent in every seat. Compiled agents play without a return to Python.

    A game waits when an OUTSIDE seat has to choose: in `batch`, `seat` (n,) is that seat, -1 if the game is over;
    `observation` (n, D) and `action_mask` (n, A) are its own. For the games of the last call, `batch.arrays.ended` (n,)
    int8 is 1 if won, 2 if truncated, else 0, and `batch.returns` (n, seats) holds the returns of finished games.
    `lineups` (n, seats) holds the numbers of the agents; one in an empty seat is never asked. `inside` are the compiled
    agents and the random one, `coded` (n, seats) their numbers there, below 0 for others; `memories` (n, seats,
    numbers) what they remember. The arrays change in place.

    Args:
        game: the game that is played.
        agents: the agents, which `lineups` numbers from 0; their names must differ.
        num_envs: n, 1 or more.
        logged: whether the actions of each game are kept for `log_of`.
        options: those of `Batch`, but `auto_reset`, and of the game.

    Raises:
        OptionError: two agents have the same name, or an option isn't known or allowed.
        PackError: a content pack can't be read or breaks a rule.
    """

    def __init__(
        self, game: Game, agents: Sequence[Agent], num_envs: int, *, logged: bool = False, **options: Any
    ) -> None:
        names = [agent.name for agent in agents]
        if len(set(names)) < len(names):
            raise OptionError(f"agents in an arena need different names, not {', '.join(names)}")
        self.game = game
        self.agents = tuple(agents)
        self.batch = Batch(game, num_envs, auto_reset=False, **options)
        self.num_envs, self.num_players = num_envs, self.batch.num_players
        self.lineups = np.full((num_envs, self.num_players), OUTSIDE, np.int64)
        # Any order, with the random agent or without it, shares one loop.
        compiled_ones = {UNIFORM.name: UNIFORM} | {a.name: a for a in agents if isinstance(a, CompiledAgent)}
        self.inside = tuple(compiled_ones[name] for name in sorted(compiled_ones))
        self._callers = {number: agent for number, agent in enumerate(agents) if not isinstance(agent, CompiledAgent)}
        self._codes = np.array([*_codes(agents, self.inside), OUTSIDE], np.int64)  # OUTSIDE itself is the last
        self.coded = self.lineups.copy()
        seats = (num_envs, self.num_players)
        self.memories = np.zeros((*seats, max([1, *(agent.memory_size for agent in self.inside)])), np.int32)
        self._kept = {
            number: np.zeros((*seats, agent.memory_size), np.int32) for number, agent in self._callers.items()
        }
        self._scratch = np.zeros((self.batch.threads, self.batch.rows.shape[1]), np.int8)
        self._log = np.zeros((num_envs, FIRST_LOG if logged else 0), np.uint16)
        self._taken = np.zeros(num_envs, np.int64)
        self._threads = self.batch.threads if compiled() else 1

    def __getstate__(self) -> dict[str, Any]:
        return {name: value for name, value in self.__dict__.items() if name != "_loop"}

    @cached_property
    def _loop(self) -> Any:
        return _seated_loop(self.game, self.inside, self._threads > 1)

    def deal(self, indices: Whole, numbers: Whole) -> npt.NDArray[np.int8]:
        """Deal the games of these numbers; nobody plays yet.

        Args:
            indices: the environments to deal in, (indices,) int64.
            numbers: the number of each one's game, (indices,) int64.

        Returns:
            Each seat's role, (indices, seats) int8.
        """
        self.batch.game_number[indices] = numbers
        self.batch.forget(indices)
        self._taken[indices] = 0
        batch, dealt = self.batch, np.ascontiguousarray(indices)
        self.game.loops.deal_games(batch.games, batch.params, batch.which, batch.seed, batch.game_number, dealt)
        return batch.roles(dealt)

    def seat_agents(self, indices: Whole, seats: Whole) -> None:
        """Seat agents by number, or OUTSIDE, with empty memories.

        Args:
            indices: the environments, (indices,) int64.
            seats: (indices, seats) int64, each seat's agent by its number in `agents`; OUTSIDE where the caller
                chooses.
        """
        self.lineups[indices] = seats
        self.coded[indices] = self._codes[seats]
        for memories in (self.memories, *self._kept.values()):
            memories[indices] = 0

    def log_of(self, indices: Whole) -> tuple[npt.NDArray[np.uint16], Whole]:
        """All actions of these games since their deals; only with `logged`.

        Args:
            indices: the environments, (indices,) int64.

        Returns:
            The actions, one game after the other, (actions,) uint16, and how many each game has, (indices,) int64.
        """
        lengths = self._taken[indices]
        inside = np.arange(self._log.shape[1]) < lengths[:, None]
        return self._log[indices][inside], lengths

    def figures(self, indices: Whole) -> dict[str, Whole]:
        """The counters of the agents in these games.

        An agent's attribute `figures` names the last numbers of its memory. Compiled agents aren't asked for theirs.

        Args:
            indices: the environments, (indices,) int64.

        Returns:
            Arrays by name, (indices, seats) int64; 0 in seats of agents that count nothing.
        """
        counted: dict[str, Whole] = {}
        for number, memory in self._kept.items():
            names: Sequence[str] = getattr(self.agents[number], "figures", ())
            for place, name in enumerate(names, memory.shape[2] - len(names)):
                there = counted.setdefault(name, np.zeros((len(indices), self.num_players), np.int64))
                there += memory[indices, :, place]
        return counted

    def get_state(self) -> dict[str, npt.NDArray[Any]]:
        """Copies of everything that decides how the games continue: records, lineups, agents' memories.

        Returns:
            Arrays by name. "games" (n, bytes) uint8 are the records, "lineups" (n, seats) int64, "memories" int32 those
            of compiled agents, and "memory_k" (n, seats, memory_size) int32 that of agent k, if it isn't compiled.
        """
        kept = {f"memory_{number}": memory.copy() for number, memory in self._kept.items()}
        return {
            "games": self.batch.get_state().view(np.uint8).reshape(self.num_envs, -1),
            "lineups": self.lineups.copy(),
            "memories": self.memories.copy(),
            **kept,
        }

    def set_state(self, state: Mapping[str, npt.NDArray[Any]]) -> None:
        """Restore a state from `get_state`.

        Args:
            state: the arrays by name, from an arena of the same game, number of games and agents.

        Raises:
            StateError: the state doesn't fit or isn't sound; nothing is changed.
        """
        check_arrays(state, self.get_state())
        if state["lineups"].min() < OUTSIDE or state["lineups"].max() >= len(self.agents):
            raise StateError("the state's lineups name unknown agents")
        records = np.ascontiguousarray(state["games"]).reshape(-1).view(self.game.dtype)
        self.batch.set_state(records)
        self.lineups[:] = state["lineups"]
        self.coded[:] = self._codes[self.lineups]
        self.memories[:] = state["memories"]
        for number, memory in self._kept.items():
            memory[:] = state[f"memory_{number}"]

    def play_on(self, indices: Whole, actions: Whole | None = None) -> None:
        """Play these games until an OUTSIDE seat has to choose or the game is over.

        Args:
            indices: the environments, (indices,) int64.
            actions: (n,) int64, legal, taken first for the seats that these games wait for; None if they wait for
                nobody.

        Raises:
            RiverbedError: an agent takes an illegal action.
            AgentFailedError: an agent that isn't compiled raises an error of its own.
            OptionError: an agent that isn't compiled returns something else than one integer for each game.
        """
        given = np.full(self.num_envs, NOTHING, np.int64) if actions is None else np.array(actions, np.int64)
        left = np.ascontiguousarray(indices, np.int64)
        while len(left):
            self._run(left, given)
            left = self._called(left)
            self._answer(left, given)

    def _called(self, indices: Whole) -> Whole:
        """The games in which an agent that isn't compiled has to choose."""
        if not self._callers:
            return indices[:0]
        asked = self.batch.seat[indices]
        return indices[(asked >= 0) & (self.coded[indices, np.maximum(asked, 0)] < OUTSIDE)]

    def _answer(self, indices: Whole, actions: Whole) -> None:
        """Let agents choose in these games, each for all its seats at once."""
        if not len(indices):
            return
        streams = self.batch.agent_streams()
        for agent, mine, given in answers_of(self._callers, self.batch, self.lineups, indices, self._kept, streams):
            self._check(agent, mine, given)
            actions[mine] = given

    def _check(self, agent: Agent, indices: Whole, actions: Whole) -> None:
        """Raise IllegalActionError, naming agent and game, if an action isn't legal."""
        wrong = np.flatnonzero(~are_legal(self.batch.action_mask[indices], actions))
        if len(wrong):
            index = int(indices[wrong[0]])
            which = f"game {int(self.batch.game_number[index])} of seed {self.batch.seed}"
            _, _, reason = self.batch.explain(index, int(actions[wrong[0]]), len(wrong)).partition(": ")
            raise IllegalActionError(f"{which}: {agent.name}: {reason}")

    def _run(self, indices: Whole, actions: Whole) -> None:
        """Play on, with more room for logs as long as games stop for lack of it."""
        self._run_once(indices, actions)
        width = self._log.shape[1]
        while width and len(full := indices[(self._taken[indices] == width) & (self.batch.seat[indices] >= 0)]):
            self._log = np.pad(self._log, ((0, 0), (0, width)))
            width = self._log.shape[1]
            self._run_once(full, actions)

    def _run_once(self, indices: Whole, actions: Whole) -> None:
        batch, arrays = self.batch, self.batch.arrays
        seated = loops.Seated(self.coded, self.memories, self._scratch, self._log, self._taken)
        with_threads(self._threads, self._loop, arrays, seated, indices, actions)
        wrong = indices[arrays.refused[indices] != 0]
        if len(wrong):
            index = int(wrong[0])
            raise RiverbedError(
                f"game {int(batch.game_number[index])} of seed {batch.seed}: an agent of "
                f"{', '.join(agent.name for agent in self.agents)} took the illegal action "
                f"{int(arrays.refused[index]) - 1}"
            )


def check_arrays(state: Mapping[str, npt.NDArray[Any]], like: Mapping[str, npt.NDArray[Any]]) -> None:
    """Raise StateError unless a state has arrays of these names, shapes and dtypes."""
    if not isinstance(state, Mapping):
        raise StateError(f"a state is a mapping of arrays from get_state(), not {type(state)}")
    for name, array in like.items():
        given = state.get(name)
        if not isinstance(given, np.ndarray) or given.shape != array.shape or given.dtype != array.dtype:
            raise StateError(f"the state's {name} doesn't fit this arena: another game, number of games or agents")


def _codes(agents: Sequence[Agent], inside: Sequence[CompiledAgent]) -> list[int]:
    """The loop's code of each agent: 0, 1, … if compiled, below OUTSIDE if it is called from Python."""
    places = {agent.name: number for number, agent in enumerate(inside)}
    return [places[agent.name] if isinstance(agent, CompiledAgent) else OUTSIDE - 1 for agent in agents]


@cache
def _seated_loop(game: Game, agents: tuple[CompiledAgent, ...], parallel: bool) -> Any:
    """`loops.play_until_asked` linked to a chain of these agents."""
    family = KernelFamily(f"{game.name}_play", *folders_of(game, agents))
    choose, tag = link_choice(family, agents)
    name = f"{game.name}_play_{tag}{'_parallel' if parallel else ''}"
    helpers = {
        "write_row": game.loops.write_row,
        "show_game": game.loops.show_game,
        "choose_as": choose,
        "NUM_ACTIONS": game.actions.size,
    }
    return family.link(loops.play_until_asked, name, {**game.kernels.names(), **helpers}, parallel=parallel)


def folders_of(game: Game, agents: Sequence[CompiledAgent]) -> tuple[Path, ...]:
    """The source folders of a game's kernels and of these agents'."""
    return tuple(dict.fromkeys([*game.family.folders, *(folder for agent in agents for folder in agent.folders)]))


def link_choice(family: KernelFamily, agents: Sequence[CompiledAgent]) -> tuple[Any, str]:
    """The kernel `choose_as` of `kernels.loops` that dispatches to these agents by number, and a name for it."""
    tag = "end"
    choose = family.link(loops.no_choice, "no_choice", {}, inline=True)
    for agent in reversed(agents):
        tag = identifier(f"{identifier(agent.name)}_{tag}")
        template, choice = loops.choose_or_pass_on, "choose_action"
        if agent.by_view:
            template, choice = loops.choose_by_view_or_pass_on, "choose_by_view"
        choose = family.link(template, f"choose_{tag}", {choice: agent.choose, "choose_next": choose}, inline=True)
    return choose, tag
