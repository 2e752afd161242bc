"""Derived features: numbers that compiled kernels compute from a view, given to a learner beside the observation.

They add no information; they save the learner the computation. Installed feature sets are entry points of the group
"riverbed.features". `advice:NAME` is the action that the installed compiled agent NAME would take.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.game import Game
from riverbed_env.core.options import check_one_set
from riverbed_env.entries import load_entry
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.kernels import loops
from riverbed_env.kernels.compile import KernelFamily, Vector, compiled
from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.kernels.threads import with_threads
from riverbed_env.registry import find_game

from .agents import Agent, CompiledAgent, Streams, Vectors, Views, identifier
from .arena import link_choice
from .factories import make_agent
from .installed import FEATURES, entries_of, list_agents, load_installed

ADVICE = "advice"


@dataclass(frozen=True)
class FeatureSet:
    """One kernel `feature_set(view, params, observation, mask, stream, out)` that fills `out`, int8, by its pieces.

    Observations are of view "history".

    Args:
        name: its name in configs and saved policies.
        pieces: what the numbers of `out` are, in order.
        feature_set: the kernel.
        scales: by a piece's name, the divisor of its numbers before a network takes them; 1 for pieces without one.
        folders: the source folders of its kernel, for the cache.
        about: a description for lists.
        found: the call that finds it, by which it is pickled.
    """

    name: str
    pieces: PieceTable
    feature_set: Callable[..., None]
    scales: Mapping[str, float] = field(default_factory=dict, hash=False)
    folders: tuple[Path, ...] = ()
    about: str = ""
    found: tuple[Callable[..., Any], tuple[Any, ...]] | None = field(default=None, compare=False, repr=False)
    _linked: dict[bool, Callable[..., None]] = field(default_factory=dict, compare=False, repr=False)

    def __reduce__(self) -> tuple[Any, ...]:
        return self.found or (FeatureSet, tuple(getattr(self, each.name) for each in fields(self)[:-1]))

    @property
    def size(self) -> int:
        """The number of features."""
        return self.pieces.size

    def link(self, parallel: bool) -> Callable[..., None]:
        """The loop over rows, `kernels.loops.write_feature_rows`, for this kernel.

        Args:
            parallel: whether the loop is compiled for several threads.

        Returns:
            The compiled loop, the same at each call.
        """
        if parallel not in self._linked:
            tag = f"{identifier(self.name)}{'_parallel' if parallel else ''}"
            family = KernelFamily(f"features_{identifier(self.name)}", *self.folders)
            self._linked[parallel] = family.link(
                loops.write_feature_rows, f"write_{tag}", {"write_feature_row": self.feature_set}, parallel=parallel
            )
        return self._linked[parallel]


def can_advise(agent: Agent) -> bool:
    """Whether an agent can advise: it must be compiled and have no memory."""
    return isinstance(agent, CompiledAgent) and not agent.memory_size


@cache  # linked once per process
def advice(agent: CompiledAgent, game: Game) -> FeatureSet:
    """The action an agent would take, one-hot.

    Args:
        agent: the adviser, without a memory.
        game: the game it plays.

    Returns:
        The feature set "advice:NAME" with one piece, "advice", (actions,).

    Raises:
        OptionError: the agent can't advise, as it isn't compiled or has a memory.
    """
    if not can_advise(agent):
        raise OptionError(f"{agent.name} can't advise: it has a memory")
    family = KernelFamily(f"advice_{identifier(agent.name)}", *agent.folders)
    name = f"advise_as_{identifier(agent.name)}"
    kernel = family.link(loops.advise, name, {"choose_as": link_choice(family, [agent])[0]})
    about = f"what {agent.name} would do, one-hot"
    piece = Piece(ADVICE, (game.actions.size,), "own", about, axes=("action",))
    return FeatureSet(f"{ADVICE}:{agent.name}", PieceTable((piece,)), kernel, folders=agent.folders, about=about)


def feature_names(game: str | Game) -> list[str]:
    """The names of a game's installed feature sets, without advice.

    Args:
        game: the game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        The names, sorted.

    Raises:
        OptionError: there is no such game.
    """
    return sorted(entries_of(FEATURES, game))


def find_feature_set(name: str, game: str | Game) -> FeatureSet:
    """A feature set of a game, or of the game of that name, by its name.

    Only what is installed is found, never a file: names stand in saved policies, which run no code.

    Args:
        name: an installed feature set's, or "advice:NAME" of an installed compiled agent.
        game: the game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        The feature set.

    Raises:
        OptionError: there is no such game or feature set, it can't be loaded, or the agent can't advise.
    """
    game = find_game(game)
    kind, _, who = name.partition(":")
    agents, installed = list_agents(game.name), entries_of(FEATURES, game.name)
    if kind == ADVICE and who in agents:
        agent = make_agent(who, load_installed(who, game.name), "")
        if isinstance(agent, CompiledAgent):
            return advice(agent, game)
    if name in installed:
        feature_set: FeatureSet = load_entry(installed[name])
        return feature_set
    known = [*sorted(installed), *(f"{ADVICE}:{agent}" for agent in agents)]
    raise OptionError(
        f"{game.name} has no feature set {name!r}{did_you_mean(name, known)}; there are {', '.join(known)}"
    )


def find_feature_sets(names: Sequence[str], game: str | Game) -> tuple[FeatureSet, ...]:
    """Several feature sets by their names. Raises OptionError for unknown or repeated names."""
    if isinstance(names, str | bytes) or not isinstance(names, Sequence) or not all(isinstance(n, str) for n in names):
        raise OptionError(f"features must be a list of names, not {names!r}")
    if len(set(names)) < len(names):
        raise OptionError(f"features are given once each, not {', '.join(names)}")
    return tuple(replace(find_feature_set(name, game), found=(find_feature_set, (name, game))) for name in names)


def total_size(features: Sequence[FeatureSet]) -> int:
    """How many numbers these feature sets add to an observation."""
    return sum(feature_set.size for feature_set in features)


def write_features(
    features: Sequence[FeatureSet],
    views: Views,
    params: Views,
    observations: Vectors,
    masks: Vectors,
    streams: Streams,
    threads: int = 1,
) -> Vectors:
    """The numbers of all feature sets side by side, (n, total size).

    views: (n,); params: (1,); observations: (n, D); masks: (n, A); streams: (n,), copies, which are drawn from.
    """
    check_one_set(params)
    threads = threads if compiled() else 1
    parts = [np.zeros((len(observations), 0), np.int8)]
    observations, masks = np.ascontiguousarray(observations), np.ascontiguousarray(masks)  # a batch's are columns
    for feature_set in features:
        parts.append(np.zeros((len(observations), feature_set.size), np.int8))
        with_threads(threads, feature_set.link(threads > 1), views, params, observations, masks, streams, parts[-1])
    return np.concatenate(parts, axis=1)


def bounds(features: Sequence[FeatureSet]) -> tuple[Vector, Vector]:
    """The lowest and the highest value of each number."""
    none = np.zeros(0, np.int8)
    low = [none, *(feature_set.pieces.low() for feature_set in features)]
    high = [none, *(feature_set.pieces.high() for feature_set in features)]
    return np.concatenate(low), np.concatenate(high)
