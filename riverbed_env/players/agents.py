"""The agent protocol: agents get observations and action masks, never a state."""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from functools import cached_property
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.options import check_one_set
from riverbed_env.core.transcript import say
from riverbed_env.errors import AgentFailedError, OptionError, RiverbedError
from riverbed_env.kernels import loops
from riverbed_env.kernels.compile import KernelFamily, Record, identifier, kernel
from riverbed_env.kernels.random import end_decisions, random_legal_action

Vectors = npt.NDArray[np.int8]
Memory = npt.NDArray[np.int32]
Streams = npt.NDArray[np.void]
Views = npt.NDArray[np.void]


def needed_views(name: str, views: Views | None, params: Views | None) -> tuple[Views, Views]:
    """The views and params that an agent needs. Raises OptionError if it gets none."""
    if views is None or params is None:
        raise OptionError(f"{name} plays by views: give act() views=….look(…) and params=….params too")
    check_one_set(params)
    return views, params


@runtime_checkable
class Agent(Protocol):
    """Chooses actions for many games at once.

    The caller keeps `memory_size` int32 numbers for each of its seats in each game, all 0 at the deal.
    """

    @property
    def name(self) -> str:
        """Its name in lineups and tables."""

    @property
    def memory_size(self) -> int:
        """How many numbers it remembers per seat and game."""

    def act(self, observations: Vectors, masks: Vectors, memory: Memory, rng: Streams) -> npt.NDArray[np.int64]:
        """One legal action for each of n games.

        Args:
            observations: (n, D) int8, what each game's current seat sees.
            masks: (n, A) int8, 1 for its legal actions, else 0.
            memory: (n, memory_size) int32, written in place.
            rng: (n,) random streams to draw from (see `kernels.random`). A game's draws don't depend on the games
                beside it.

        Returns:
            The actions' numbers, (n,) int64.
        """


ROW = "row of the batch: "  # a note on an error of an agent that is asked one by one


@dataclass(frozen=True)
class CompiledAgent:
    """An agent made of one kernel, `choose(observation, mask, memory, stream) -> action`.

    It plays inside the batch without a return to Python, and through `act` like any other.

    Args:
        name: its name in lineups and tables.
        choose: the kernel. With `by_view` it is `choose(view, params, observation, mask, memory, stream) -> action`.
        memory_size: how many int32 numbers it remembers per seat and game.
        folders: the source folders of its kernel, for the cache.
        about: a description for lists.
        by_view: whether the kernel also gets its seat's view as a record and the game's params, to draw worlds from.
        found: the call that finds it, by which it is pickled. Without it the kernel is pickled itself and compiled
            anew.
    """

    name: str
    choose: Callable[..., int]
    memory_size: int = 0
    folders: tuple[Path, ...] = ()
    about: str = ""
    by_view: bool = False
    found: tuple[Callable[..., Any], tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)

    @classmethod
    def of(
        cls, family: KernelFamily, name: str, choose: Callable[..., int], about: str, memory_size: int = 0
    ) -> CompiledAgent:
        """An agent that plays by views, whose kernel is of this family.

        Args:
            family: the family of the kernel; its source folders become the agent's.
            name: the agent's name in lineups and tables.
            choose: the kernel, `choose(view, params, observation, mask, memory, stream) -> action`.
            about: a description for lists.
            memory_size: how many int32 numbers it remembers per seat and game.

        Returns:
            The agent, with `by_view` set.
        """
        return cls(name, choose, memory_size, family.folders, about, by_view=True)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.found or (CompiledAgent, tuple(getattr(self, each.name) for each in fields(self)))

    def act(
        self,
        observations: Vectors,
        masks: Vectors,
        memory: Memory,
        rng: Streams,
        views: Views | None = None,
        params: Views | None = None,
    ) -> npt.NDArray[np.int64]:
        """One legal action for each of n games; see `Agent`.

        Args:
            observations: (n, D) int8.
            masks: (n, A) int8, 1 for legal actions.
            memory: (n, memory_size) int32, written in place.
            rng: (n,) random streams, which are drawn from.
            views: (n,) view records, from `Batch.look` or an environment's `look`; needed with `by_view`.
            params: (1,), the batch's or environment's `params`; needed with `by_view`.

        Returns:
            The actions' numbers, (n,) int64.

        Raises:
            OptionError: with `by_view`, if views or params are missing or params are those of several sets of options.
        """
        actions = np.zeros(len(observations), np.int64)
        observations, masks = np.ascontiguousarray(observations), np.ascontiguousarray(masks)  # a batch's are columns
        seen = needed_views(self.name, views, params) if self.by_view else ()
        self._loop(*seen, observations, masks, memory, rng, actions)
        return actions

    @cached_property
    def _loop(self) -> Any:
        template, choice = (loops.act_on_views, "choose_by_view") if self.by_view else (loops.act_on, "choose_action")
        tag = identifier(self.name)
        return KernelFamily(f"agent_{tag}", *self.folders).link(template, f"act_on_{tag}", {choice: self.choose})


@dataclass(frozen=True)
class PythonAgent:
    """An agent called from Python: another agent under the name of its spec, or a function over arrays.

    Args:
        name: its name in lineups and tables.
        act: the function, called as `Agent.act` is.
        memory_size: how many int32 numbers it remembers per seat and game.
        about: a description for lists.
        folders: the folders of its sources and weights.
        by_view: whether `act` also takes `views` and `params`, as `CompiledAgent.act` does.
    """

    name: str
    act: Callable[..., npt.NDArray[np.int64]]
    memory_size: int = 0
    about: str = ""
    folders: tuple[Path, ...] = ()
    by_view: bool = False


@dataclass(frozen=True)
class OneByOne:
    """`act` from a function of one game, `choose(observation, mask, memory, rng) -> action`."""

    choose: Callable[..., int]

    def __call__(self, observations: Vectors, masks: Vectors, memory: Memory, rng: Streams) -> npt.NDArray[Any]:
        """One action for each game; see `Agent`. If one isn't an integer, an array of objects."""
        chosen = []
        for row in zip(observations, masks, memory, rng):
            try:
                chosen.append(self.choose(*row))
            except Exception as error:
                error.add_note(f"{ROW}{len(chosen)}")
                raise
        try:
            return np.array([operator.index(action) for action in chosen], np.int64)
        except TypeError:
            return np.fromiter(chosen, object, len(chosen))


def plays_in_words(agent: Agent) -> bool:
    """Whether an agent is somebody from outside, who is asked in words and whose answers may be slow or dear."""
    return bool(getattr(agent, "in_words", False))


def answers(
    agent: Agent, batch: Batch, indices: npt.NDArray[np.int64], memory: Memory, streams: Streams
) -> npt.NDArray[np.int64]:
    """The agent's actions for the current seats in some environments of a batch with the same options, (indices,).

    memory: (indices, memory_size), written; streams: (n,) from `Batch.agent_streams`; those of these environments
    are drawn from and then moved past the words of this decision (`kernels.random.end_decision`). An agent whose
    attribute `by_view` is true gets `views` and `params` too, see `CompiledAgent.act`; one that plays in words
    (`in_words`) also the content pack, `pack`, what was said in words, `said` (a transcript for each environment), and
    `texts`, a list in which it puts what it says itself. Raises AgentFailedError if the agent raises an error.
    """
    rng, number = streams[indices], int(batch.which[indices[0]])
    rows = np.ascontiguousarray(batch.observation[indices]), np.ascontiguousarray(batch.action_mask[indices])
    extra: dict[str, Any] = {}
    if getattr(agent, "by_view", False):
        views = batch.look(np.maximum(batch.seat[indices], 0), indices)
        extra = {"views": views, "params": batch.params[number : number + 1]}
    texts = [""] * len(indices)
    if plays_in_words(agent):
        extra |= {"pack": batch.packs[number], "said": [batch.notes(int(index)) for index in indices], "texts": texts}
    begun = rng["drawn"].copy()
    try:
        given = agent.act(*rows, memory, rng, **extra)
    except RiverbedError:
        raise
    except Exception as error:  # users' agents may raise anything
        raise _failed(agent, batch, indices, error) from error
    actions = checked_answer(agent, given, len(indices))
    end_decisions(rng, begun)
    streams[indices] = rng
    for index, text in zip(indices, texts, strict=True):
        if text:
            say(batch, text, int(index))
    return actions


def _failed(agent: Agent, batch: Batch, indices: npt.NDArray[np.int64], error: Exception) -> AgentFailedError:
    """The error of an agent that raised one, when it was asked in these environments."""
    rows = [note.removeprefix(ROW) for note in getattr(error, "__notes__", ()) if note.startswith(ROW)]
    index = indices[int(rows[0]) if rows else 0]
    others = "" if rows or len(indices) == 1 else f" (or one of {len(indices) - 1} others asked with it)"
    where = f"game {int(batch.game_number[index])} of seed {batch.seed}, player_{int(batch.seat[index])}{others}"
    what = " ".join(f"{type(error).__name__}: {error}".split())
    return AgentFailedError(f"{where}: {agent.name} raised {what}")


def checked_answer(agent: Agent, actions: object, count: int) -> npt.NDArray[np.int64]:
    """What `act` returned, as (count,) int64. Raises OptionError, naming the agent, unless it is `count` integers."""
    try:
        given = np.asarray(actions)
    except ValueError:  # lists of several lengths
        given = np.empty(0)
    several = given if given.dtype == object and given.ndim else ()
    wrong = [action for action in several if not isinstance(action, (int, np.integer))]
    if wrong:
        raise OptionError(f"agent {agent.name!r} must choose an action's number, not {repr(wrong[0])[:80]}")
    if given.shape != (count,) or given.dtype.kind not in "iu":
        what = f"an array of shape {given.shape}, {given.dtype}" if given.ndim else repr(actions)[:80]
        raise OptionError(f"agent {agent.name!r}: act must return {count} integers, shape ({count},), not {what}")
    return given.astype(np.int64, copy=False)


def answers_of(
    agents: Mapping[int, Agent],
    batch: Batch,
    seats: npt.NDArray[np.int64],
    indices: npt.NDArray[np.int64],
    memories: Mapping[int, Memory],
    streams: Streams,
) -> Iterator[tuple[Agent, npt.NDArray[np.int64], npt.NDArray[np.int64]]]:
    """Each agent that acts in some of these environments, with those environments and its actions in them.

    agents and memories, (n, seats, memory_size), by number; seats: (n, seats), the number of the agent in each seat;
    streams: see `answers`. An agent's memory is stored before the next agent is asked.
    """
    whose = seats[indices, batch.seat[indices]]
    for number, agent in agents.items():
        asked = indices[whose == number]
        for places, _ in batch.by_set(asked) if len(asked) else ():
            mine = asked[places]
            place = (mine, batch.seat[mine])
            memory = np.ascontiguousarray(memories[number][place])
            yield agent, mine, answers(agent, batch, mine, memory, streams)
            memories[number][place] = memory


@kernel
def choose_uniformly(
    observation: npt.NDArray[np.int8], mask: npt.NDArray[np.int8], memory: npt.NDArray[np.int32], stream: Record
) -> int:
    """A legal action, drawn uniformly."""
    return random_legal_action(mask, stream)


UNIFORM = CompiledAgent("random", choose_uniformly, about="uniform over the legal actions")
