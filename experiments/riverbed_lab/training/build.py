"""Builds the config of a learner from values by field name, with defaults that depend on the game."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from riverbed_env.core.game import Game
from riverbed_env.players.features import ADVICE, can_advise, feature_names
from riverbed_env.players.installed import list_agents
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game

from ..config_files import build, check_names, field_names
from .config import LearnerConfig, TrainingConfig, read_lineup

AnyConfig = TypeVar("AnyConfig", bound=LearnerConfig)

STRONGEST = ("rule_based", "careful", "greedy", "simple")  # the default opponent is the first that the game has


def default_opponent(game: Game) -> str:
    """The agent a learner plays against by default."""
    names = list_agents(game.name)
    return next((name for name in STRONGEST if name in names), "random")


def default_features(game: Game, adviser: str) -> tuple[str, ...]:
    """All features of the game, and advice of `adviser` if it can advise."""
    advises = adviser != "random" and can_advise(find_agent(adviser, game.name))
    return (*feature_names(game), *([f"{ADVICE}:{adviser}"] if advises else []))


def build_training(
    values: Mapping[str, Any], source: str, *, reference: str | None = None, reserved: Collection[str] = ()
) -> TrainingConfig:
    """The config of a training run from values by field name, as TOML or a command line gives them.

    By default the learner plays with the game's usual player count, against the strongest rule-based agent. The network
    is given all features of the game and advice of the reference.

    Args:
        values: the settings by name.
        source: where they were given, for messages.
        reference: whom the learner is compared with if `values` don't say; by default the first opponent.
        reserved: names of fields that may not be given.

    Returns:
        The config.

    Raises:
        OptionError: a name isn't known, or a value isn't allowed.
    """
    return build_learner(TrainingConfig, values, source, reference=reference, reserved=reserved)


def build_learner(
    kind: type[AnyConfig],
    values: Mapping[str, Any],
    source: str,
    *,
    reference: str | None = None,
    reserved: Collection[str] = (),
) -> AnyConfig:
    """A config from values by field name, as TOML or a command line gives them.

    Defaults: the game's usual player count; the strongest rule-based agent as the only opponent; `reference`, else the
    first opponent, as reference; all features of the game and advice of the reference. source: where the values were
    given, for messages; reserved: fields that may not be given. Raises OptionError for unknown names and values that
    aren't allowed.
    """
    check_names(values, [name for name in field_names(kind) if name not in reserved], source)
    game = find_game(values.get("game", kind.game))
    given = dict(values)
    if "opponents" not in reserved:
        given["opponents"] = _lineups(values.get("opponents") or default_opponent(game), game)
        reference = reference or str(next(iter(given["opponents"][0].values()))[0])
    given.setdefault("reference", reference)
    given.setdefault("players", [game.default_players])
    if "features" not in given:
        given["features"] = default_features(game, given["reference"])
    return build(kind, given, source)


def _lineups(given: Any, game: Game) -> list[Any]:
    """Lineups as the config has them: each is a table, or texts as `read_lineup` reads them, joined by |."""
    several = given if isinstance(given, list | tuple) else given.split("|") if isinstance(given, str) else [given]
    return [read_lineup(each.strip(), game) if isinstance(each, str) else each for each in several]
