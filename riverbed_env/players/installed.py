"""What installed packages bring to a game: agents, feature sets, rollout hooks, by the names of their entry points."""

from importlib.metadata import EntryPoint
from typing import Any

from riverbed_env.core.game import Game
from riverbed_env.entries import installed, load_entry
from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.registry import find_game

from .agents import UNIFORM
from .factories import is_agent, parameters_of

RETIRED = {("riverbed_hunt", "search"): "lookahead", ("riverbed_hunt", "trained"): "student"}  # and successors
AGENTS, FEATURES, ROLLOUTS, STATES = (f"riverbed.{group}" for group in ("agents", "features", "rollouts", "states"))


def entries_of(group: str, game: str | Game) -> dict[str, EntryPoint]:
    """A game's entry points of a group, by name: those called "game.name", and "name" for all games."""
    owner = find_game(game).name
    named = [(entry.name.rpartition("."), entry) for entry in installed(group)]
    return {name: entry for (game_name, _, name), entry in named if game_name in ("", owner)}


def list_agents(game: str | Game) -> list[str]:
    """The names of a game's installed agents.

    Args:
        game: The game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        The names, sorted; the random agent is among them.

    Raises:
        OptionError: There is no such game, or its package can't be loaded.
    """
    return sorted({*entries_of(AGENTS, game), UNIFORM.name})


def usual_agent(game: str | Game) -> str:
    """The name of a game's plainest agent that isn't random. game: it, its id or its plain name."""
    return next((known for known in ("simple", "greedy") if known in list_agents(game)), UNIFORM.name)


def load_installed(name: str, game: str | Game) -> Any:
    """The object an installed agent's name leads to: an agent or a factory. Raises OptionError for unknown names."""
    if name == UNIFORM.name:
        return UNIFORM
    agents = entries_of(AGENTS, game)
    if name in agents:
        return load_entry(agents[name])
    names, owner = sorted({*agents, UNIFORM.name}), game if isinstance(game, str) else game.name
    successor = RETIRED.get((find_game(game).name, name))
    if successor:
        raise OptionError(f"agent {name!r} of {owner} has retired: use {successor!r}")
    raise OptionError(
        f"{owner} has no agent {name!r}{did_you_mean(name, names)}; installed: {', '.join(names)}; "
        "name any other as package.module:attribute, path/file.py:attribute or path/policy.npz, and a model by agent_of"
    )


def agent_parameters(name: str, game: str | Game) -> dict[str, object]:
    """The parameters of an installed agent with their defaults.

    Args:
        name: the agent's name, as `list_agents` gives it.
        game: the game, its id ("riverbed_hunt_v1") or its plain name.

    Returns:
        Defaults by name of the parameters that a spec can set, of type int, float, bool or str; empty if it takes none.

    Raises:
        OptionError: there is no such game or agent, or it can't be loaded.
    """
    target = load_installed(name, game)
    return {} if is_agent(target) else {name: given.default for name, given in parameters_of(target).items()}
