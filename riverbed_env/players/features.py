"""Derived features: numbers that compiled kernels compute from a view, given to a learner beside the observation.

They add no information; they save the learner the computation. Installed feature sets are entry points of the group
"riverbed.features". `advice:NAME` is the action that the installed compiled agent NAME would take.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import cache

from riverbed_env.core.features import FeatureSet
from riverbed_env.core.game import Game
from riverbed_env.core.state_features import FullStates, StateFeatures
from riverbed_env.entries import load_entry
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.kernels import loops
from riverbed_env.kernels.compile import KernelFamily, identifier
from riverbed_env.kernels.pieces import Piece, PieceTable
from riverbed_env.registry import find_game

from .agents import Agent, CompiledAgent
from .arena import link_choice
from .factories import make_agent
from .installed import FEATURES, STATES, entries_of, list_agents, load_installed

ADVICE = "advice"


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


def find_state_features(game: str | Game) -> StateFeatures:
    """What critics are given of a game's full state.

    Args:
        game: the game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        The features that an installed package brings, else the whole state.

    Raises:
        OptionError: there is no such game.
    """
    game = find_game(game)
    installed = entries_of(STATES, game.name)
    brought: StateFeatures = load_entry(installed[min(installed)]) if installed else FullStates(game)
    return brought
