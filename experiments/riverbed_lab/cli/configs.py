"""What `train`, `distil` and `league` share: settings from a TOML file and `--set`, and how a run is resumed."""

from __future__ import annotations

import inspect
from pathlib import Path
from typing import Annotated, Any

import typer

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from ..config_files import assignments, check_names, field_names, read_toml
from .console import DEFAULT_GAME, player_counts, read_options, use_threads
from .signals import again

SettingsArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE|FOLDER", help="A TOML file with settings, or the folder of a run to resume.", show_default=False
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A setting, like game=deep_river_v0, players=5,7 or seed=1; repeatable."
    ),
]
MinutesOption = Annotated[
    float | None, typer.Option("--minutes", metavar="N", help="Stop after this time.", show_default="no limit")
]


def resumed(settings: str | None, out: str | None, usual: str) -> tuple[str, bool]:
    """The folder of a run, and whether it is one to resume. usual: where a new run goes by default."""
    if settings is None or settings.endswith(".toml") or Path(settings).is_file():
        return out or usual, False
    if out is not None:
        raise OptionError(f"{settings} is a run's folder, in which it is resumed: leave out --out")
    return settings, True


def gather(path: str | None, kind: type, words: list[str] | None, **more: Any) -> tuple[dict[str, Any], str]:
    """The values of a config of this kind, by field name, and where they come from.

    A TOML file comes first, then `more`, then words as `--set` takes them. Settings of learners are in the table
    `training`, unless the kind is a learner's itself; other names are options of the game. Raises OptionError for names
    that are neither.
    """
    from ..training.config import LearnerConfig, TrainingConfig

    learner = kind if issubclass(kind, LearnerConfig) else TrainingConfig
    values = {} if path is None else read_toml(Path(path))
    training = values if kind is learner else values.setdefault("training", {})
    if not isinstance(training, dict):
        raise OptionError(f"{path}: training must be a table")
    kind_fields, known = () if kind is learner else field_names(kind), field_names(learner)
    changes = {**more, **assignments(words or [])}
    game = find_game(str(changes.get("game", training.get("game", DEFAULT_GAME))))
    of_game = {name: value for name, value in changes.items() if name not in (*kind_fields, *known)}
    game_options = [name for name in inspect.signature(game.make_params).parameters if name != "num_players"]
    check_names(of_game, (*kind_fields, *known, *game_options), "--set")
    for name in changes.keys() - of_game.keys():
        (values if name in kind_fields else training)[name] = changes[name]
    if of_game:
        given = read_options(game, [f"{name}={value}" for name, value in of_game.items()])
        training["options"] = {**training.get("options", {}), **given}
    if isinstance(training.get("players"), str):
        training["players"] = player_counts(training["players"], game.min_players, game.max_players)
    if training.get("threads", 0) in (0, "0"):
        training["threads"] = use_threads(0)
    return values, "the settings" if path is None else path


def how_to_resume(out: Path, config: str, state: str, kept: str) -> str:
    """What is kept of an interrupted run, and the command that resumes it. config, state: names of files."""
    if not (out / config).exists():
        return f"nothing was learnt yet; start again with: {again()}"
    return f"{kept if (out / state).exists() else 'the settings are'} kept in {out}; resume with: {again()}"
