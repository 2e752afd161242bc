"""What `train`, `distil` and `exploit` share: settings from a TOML file and `--set`, and a run with its bar."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, Protocol, TypeVar

import typer
from rich.console import RenderableType
from rich.progress import TaskProgressColumn, TimeElapsedColumn

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from ..config_files import CONFIG, assignments, check_names, field_names, read_toml
from ..locks import locked
from . import console as shell
from .signals import again, set_resume_words

if TYPE_CHECKING:
    from ..training.folder_run import Progress, TimeBudget, Watcher

TOML = ".toml"

SettingsArgument = Annotated[
    str | None,
    typer.Argument(
        metavar="FILE|FOLDER", help="A TOML file with settings, or the folder of a run to resume.", show_default=False
    ),
]
SetOption = Annotated[
    list[str] | None,
    typer.Option(
        "--set", metavar="NAME=VALUE", help="A setting, like game=deep_river, players=5,7 or seed=1; repeatable."
    ),
]
MinutesOption = Annotated[
    float | None, typer.Option("--minutes", metavar="N", help="Stop after this time.", show_default="no limit")
]

OutOption = Annotated[Path | None, typer.Option("--out", help="Folder of a new run.", show_default="by the command")]


def resumed(settings: str | None, words: list[str] | None, out: Path | None, usual: str) -> tuple[Path, bool]:
    """The folder of a run, and whether it is one to resume. usual: where a new run goes by default."""
    if settings is None or settings.endswith(TOML) or Path(settings).is_file():
        return out or Path(usual), False
    if out is not None:
        raise OptionError(f"{settings} is a run's folder, in which it is resumed: leave out --out")
    if words:
        raise OptionError(f"{settings} is resumed with its own settings: leave out --set")
    return Path(settings), True


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
    game = find_game(str(changes.get("game", training.get("game", shell.DEFAULT_GAME))))
    of_game = {name: value for name, value in changes.items() if name not in (*kind_fields, *known)}
    game_options = [name for name in inspect.signature(game.make_params).parameters if name != "num_players"]
    check_names(of_game, (*kind_fields, *known, *game_options), "--set")
    for name in changes.keys() - of_game.keys():
        (values if name in kind_fields else training)[name] = changes[name]
    if of_game:
        given = shell.read_options(game, [f"{name}={value}" for name, value in of_game.items()])
        training["options"] = {**training.get("options", {}), **given}
    if isinstance(training.get("players"), str):
        training["players"] = shell.numbers_of(training["players"], game.min_players, game.max_players)
    if training.get("threads", 0) in (0, "0"):
        training["threads"] = shell.use_threads(0)
    return values, "the settings" if path is None else path


class Run(Protocol):
    """A run in its folder. where: how far it is, in words."""

    folder: Path

    @property
    def where(self) -> str: ...  # noqa: D102

    @property
    def is_finished(self) -> bool: ...  # noqa: D102

    def run(self, watch: Watcher, budget: TimeBudget) -> None: ...  # noqa: D102


AnyRun = TypeVar("AnyRun", bound=Run)


def carry_out(
    make: Callable[[], AnyRun],
    folder: Path,
    budget: TimeBudget,
    rows: Callable[[AnyRun], Sequence[Any]] = lambda run: (),
    in_words: Callable[[AnyRun, Any], RenderableType] = lambda run, row: "",
) -> AnyRun | None:
    """Make a run and play what is left of it, with a bar; locks the folder meanwhile. Returns it if it is finished.

    rows: of the run, which are printed as they come. If time is up, says how to resume.
    """
    resumes = (folder / CONFIG).exists()
    set_resume_words(lambda: _how_to_resume(folder))
    with locked(folder):
        with shell.errors.status(shell.COMPILING):
            run = make()
        if resumes:
            shell.console.print(f"resuming {folder} {run.where}", soft_wrap=True)
        begun = printed = len(rows(run))
        with shell.progress_bar(TaskProgressColumn(), TimeElapsedColumn()) as bar:
            task = bar.add_task("starting", total=None)

            def watch(progress: Progress) -> None:
                nonlocal printed
                bar.update(task, completed=progress.done, total=progress.total, description=progress.what)
                for row in rows(run)[printed:]:
                    shell.console.print(in_words(run, row))
                printed = len(rows(run))

            run.run(watch, budget)
        for row in rows(run)[printed if printed > begun else -1 :]:  # of one that was finished before, the last
            shell.console.print(in_words(run, row))
    if run.is_finished:
        return run
    shell.console.print(f"time is up {run.where}; resume with: {again()}", soft_wrap=True)
    return None


def _how_to_resume(folder: Path) -> str:
    if not (folder / CONFIG).exists():
        return f"nothing was learnt yet; start again with: {again()}"
    return f"all up to the last checkpoint is kept in {folder}; resume with: {again()}"
