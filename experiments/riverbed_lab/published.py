"""The published agents of each game, by the game's name. The last of AGENTS is the reference."""

from collections.abc import Mapping, Sequence
from pathlib import Path

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.installed import list_agents

AGENTS = {
    "riverbed_hunt": ("random", "simple", "rule_based"),
    "deep_river": ("random", "greedy"),
    "river_rats": ("random", "simple"),
    "riverside": ("random", "greedy"),
}

# Rule-based agents: the best of them, camp by camp, stands beside each rate.
RULE_BASED = {
    "riverbed_hunt": ("simple", "rule_based"),
    "deep_river": ("greedy",),
    "river_rats": ("simple",),
    "riverside": ("greedy",),
}

# Never used in training: held_out draws partners and opponents from these.
HELD_OUT = {
    "riverbed_hunt": ("bold_liar", "silent", "copycat", "contrarian", "over_eager", "hoarder"),
    "deep_river": ("random", "greedy"),
}

CORPORA = Path(__file__).parent / "corpora"  # manifests, by name


def manifest(name: Path) -> Path:
    """The manifest of a published corpus by its name, or the path as it is if there is such a file."""
    known = CORPORA / f"{name.name}.json"
    if name.exists() or name.name != str(name):
        return name
    if not known.is_file():
        names = ", ".join(sorted(path.stem for path in CORPORA.glob("*.json")))
        raise OptionError(f"there is no manifest {name}: it is neither a file nor a published corpus ({names})")
    return known


def installed(game: Game, lists: Mapping[str, tuple[str, ...]]) -> tuple[str, ...]:
    """The installed agents of one of the lists above, in its order; none for an unknown game."""
    known = list_agents(game.name)
    return tuple(agent for agent in lists.get(game.name, ()) if agent in known)


def reference(game: Game, agents: Sequence[str] = ()) -> str:
    """The default reference: the last published agent that isn't among the given ones."""
    return [
        agent for agent in (UNIFORM.name, *installed(game, AGENTS)) if agent not in agents or agent == UNIFORM.name
    ][-1]
