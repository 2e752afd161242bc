"""What `train`, `league` and `exploit` share: a TOML file, options that override it, and how a run is resumed."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from pathlib import Path
from typing import Annotated, Any

import typer

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from .console import DEFAULT_GAME, player_counts, read_options, use_threads
from .signals import again


def whole_number(text: str) -> int:
    """A whole number, also written 1e6 or 1_000_000."""
    try:
        number = float(text)
    except ValueError:
        number = 0.5
    if not number.is_integer():
        raise typer.BadParameter(f"{text!r} is no whole number")
    return int(text) if text.lstrip("-").isdigit() else int(number)


GameOption = Annotated[str | None, typer.Option("--game", metavar="TEXT", help="The game.", show_default=DEFAULT_GAME)]
PlayersOption = Annotated[
    str | None, typer.Option("--players", metavar="TEXT", help="Like 5,7 or 4-9.", show_default="game's usual")
]
StepsOption = Annotated[
    int | None,
    typer.Option("--steps", parser=whole_number, metavar="N", help="Decisions to learn from.", show_default="1e6"),
]
SeedOption = Annotated[int | None, typer.Option("--seed", metavar="N", help="Random seed.", show_default="0")]
ThreadsOption = Annotated[
    int | None, typer.Option("--threads", metavar="N", help="Threads.", show_default="one a core")
]
DeviceOption = Annotated[
    str | None, typer.Option("--device", help="Where the network learns: cpu or cuda.", show_default="cpu")
]
SetOption = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="X=Y", help="Another setting; repeatable."),
]
MinutesOption = Annotated[
    float | None, typer.Option("--minutes", metavar="N", help="Stop after this time.", show_default="no limit")
]


def gather(
    path: Path | None, kind: type, options: Mapping[str, Any], words: list[str] | None
) -> tuple[dict[str, Any], str]:
    """The values of a config of this kind, by field name, and where they come from.

    A TOML file comes first, then options (None: not given), then words as `--set` takes them. Settings of learners are
    in the table `training`, unless the kind is a learner's itself; other names are options of the game. Raises
    OptionError for names that are neither.
    """
    from ..config_files import assignments, check_names, field_names, read_toml
    from ..training.config import LearnerConfig, TrainingConfig

    learner = kind if issubclass(kind, LearnerConfig) else TrainingConfig
    values = {} if path is None else read_toml(path)
    training = values if kind is learner else values.setdefault("training", {})
    if not isinstance(training, dict):
        raise OptionError(f"{path}: training must be a table")
    kind_fields = () if kind is learner else field_names(kind)
    changes = {**{name: value for name, value in options.items() if value is not None}, **assignments(words or [])}
    known = field_names(learner)
    game = find_game(str(changes.get("game", training.get("game", DEFAULT_GAME))))
    of_game = {name: str(value) for name, value in changes.items() if name not in (*kind_fields, *known)}
    game_options = [name for name in inspect.signature(game.make_params).parameters if name != "num_players"]
    check_names(of_game, (*kind_fields, *known, *game_options), "--set")
    for name in changes.keys() - of_game.keys():
        (values if name in kind_fields else training)[name] = changes[name]
    if of_game:
        words = [f"{name}={value}" for name, value in of_game.items()]
        training["options"] = {**training.get("options", {}), **read_options(game, None, words)}
    if isinstance(training.get("players"), str):
        training["players"] = player_counts(training["players"], game.min_players, game.max_players)
    training["threads"] = use_threads(int(training.get("threads", 0)))
    return values, "the settings" if path is None else str(path)


def how_to_resume(out: Path, config: str, state: str, kept: str, place: str | None = None) -> str:
    """What is kept of an interrupted run, and the command that resumes it.

    config, state: names of files; place: what the folder is called, if it is the copy of a bucket.
    """
    if not (out / config).exists():
        return f"nothing was learnt yet; start again with: {again()}"
    return f"{kept if (out / state).exists() else 'the settings are'} kept in {place or out}; resume with: {again()}"
