"""Builds the config of a learner from values by field name, with defaults that depend on the game."""

from collections.abc import Collection, Mapping
from typing import Any, TypeVar

from riverbed_env.core.game import Game
from riverbed_env.players.action_entities import objects_of
from riverbed_env.players.features import ADVICE, can_advise, feature_names, find_feature_set, find_feature_sets
from riverbed_env.players.installed import list_agents
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.small import find_small

from ..config_files import build, check_names, field_names
from .config import ALL_ACTIONS, ALL_SEATS, ONE, LearnerConfig, TrainingConfig, read_lineup

AnyConfig = TypeVar("AnyConfig", bound=LearnerConfig)

SMALL = 64  # numbers: a larger piece that describes no object is noise to a network that is fitted to few targets
MOST_NUMBERS = 256  # of a piece of objects
STRONGEST = ("rule_based", "careful", "greedy", "simple")  # the default opponent is the first that the game has


def default_opponent(game: Game) -> str:
    """The agent a learner plays against by default."""
    names = list_agents(game.name)
    return next((name for name in STRONGEST if name in names), "random")


def default_features(game: Game, adviser: str) -> tuple[str, ...]:
    """The game's features that are fitted to play, and advice of `adviser` if it can advise."""
    advises = adviser != "random" and can_advise(find_agent(adviser, game.name))
    fitted = [name for name in feature_names(game) if find_feature_set(name, game).fitted]
    return (*fitted, *([f"{ADVICE}:{adviser}"] if advises else []))


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
    if values.get("small"):
        small = find_small(str(values["small"]))
        options = {name: value for name, value in small.all_options.items() if name != "num_players"}
        own = {"game": small.game, "players": [small.num_players], "options": options}
        seats = ONE if values.get("advantages") == ALL_ACTIONS and values.get("role") else ALL_SEATS
        values = {**own, "seats": seats, "evaluation_games": 0, **values}
    if values.get("seats", ONE) != ONE or values.get("advantages") == ALL_ACTIONS:
        values = {**selfplay_defaults(find_game(values.get("game", TrainingConfig.game))), **values}
    return build_learner(TrainingConfig, values, source, reference=reference, reserved=reserved)


def selfplay_defaults(game: Game) -> dict[str, Any]:
    """The usual settings of self-play: features that nothing was fitted to, and the pieces to see beside them."""
    plain = [each for each in find_feature_sets(feature_names(game), game) if not each.fitted]
    beside = tuple(piece for each in plain for piece in each.beside)
    return {
        "view": "history",
        "features": [each.name for each in plain],
        "pieces": list(beside or plain_pieces(game)),
        "advantages": ALL_ACTIONS,
        "gae_lambda": 0.8,  # the critic values the state after each action, so that corrections may be short
        "rollout_steps": 16,
        "batch_size": 1024,
        "learning_rate": 1e-3,
        "n_epochs": 1,
        "widths": [96, 64],
        "object_width": 24,
        "max_grad_norm": 1.0,
    }


def plain_pieces(game: Game) -> tuple[str, ...]:
    """The pieces of an observation that say something number by number: small ones, and those of objects."""
    objects = objects_of(game, "history", (), secrets=False)
    of_objects = {int(column) for kind in objects.kinds for column in kind.columns.ravel()}
    slices = game.observation.slices
    return tuple(
        piece.name
        for piece in game.observation.pieces
        if piece.size <= (MOST_NUMBERS if slices[piece.name].start in of_objects else SMALL)
    )


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
