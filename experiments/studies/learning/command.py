"""Train the learners of the published study that are missing, and rewrite its tables, curves and page.

python experiments/studies learning                             all learners that are missing, one after the other
python experiments/studies learning --only chief --seeds 0-1    some of them
python experiments/studies learning --no-train                  only the tables, the curves and the page

If interrupted, run the same command again to resume. Each learner's result is a file of its own, written at its end.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.progress import TimeElapsedColumn

from riverbed_env.errors import OptionError
from riverbed_lab.cli.console import STEPS_DONE, console, plainly, progress_bar
from riverbed_lab.cli.signals import again, goes_on

from .page import write_all
from .study import STUDY, Study, load_study

if TYPE_CHECKING:
    from riverbed_lab.training.run import Progress

    from .run import Runs

ROOT = Path(__file__).parents[3]
FOLDER, PAGE = ROOT / "experiments" / "results" / "learning", ROOT / "docs" / "learning.md"


def main(
    only: Annotated[str | None, typer.Option("--only", help="Roles, like chief,leader; all of the study's.")] = None,
    seeds: Annotated[str | None, typer.Option("--seeds", help="Seeds, like 0-4 or 1,3; all of the study's.")] = None,
    train: Annotated[bool, typer.Option(help="Train what is missing, or only write tables, curves and page.")] = True,
    folder: Annotated[
        Path, typer.Option("--folder", help="With study.json, for the results; another's have no page.")
    ] = FOLDER,
    out: Annotated[Path, typer.Option("--out", help="Folder of the runs.")] = Path("results/learning"),
) -> None:
    """Train the learners of the published study that are missing, and rewrite its tables, curves and page."""
    study = load_study(folder / STUDY)
    roles = _roles(only, study)
    numbers = _seeds(seeds, study)
    if train:
        from .run import Runs

        kept = f"results are kept in {folder}, checkpoints in {out}; resume with: "
        goes_on(lambda: kept + again(program="python experiments/studies learning"))
        _run(Runs(study, out, folder), roles, numbers)
    for path in write_all(folder, PAGE if folder.resolve() == FOLDER else None):
        console.print(f"wrote {path}", soft_wrap=True)


def _roles(words: str | None, study: Study) -> tuple[str, ...]:
    roles = study.roles if words is None else tuple(words.split(","))
    for role in roles:
        if role not in study.roles:
            raise OptionError(f"--only: the study has no role {role!r}; it has {', '.join(study.roles)}")
    return roles


def _seeds(words: str | None, study: Study) -> tuple[int, ...]:
    """Seeds from "0-4", "1" or "1,3"."""
    if words is None:
        return study.seeds
    first, dash, last = words.partition("-")
    try:
        seeds = tuple(range(int(first), int(last) + 1)) if dash else tuple(map(int, words.split(",")))
    except ValueError as error:
        raise OptionError(f"--seeds must be like 0-4 or 1,3, not {words!r}") from error
    if not seeds or not set(seeds) <= set(study.seeds):
        raise OptionError(f"--seeds: the study has {', '.join(map(str, study.seeds))}, not {words}")
    return seeds


def _run(runs: Runs, roles: tuple[str, ...], seeds: tuple[int, ...]) -> None:
    todo = runs.todo(roles, seeds)
    budgets = [runs.study.learner(*each).steps for each in todo]
    with progress_bar(STEPS_DONE, TimeElapsedColumn()) as bar:
        task = bar.add_task("compiling the rules and agents", total=sum(budgets))

        def watch(role: str, seed: int, done: Progress | None) -> None:
            number = todo.index((role, seed))
            steps = budgets[number] if done is None else done.steps
            doing = "measured" if done is None else f"won {100 * done.won:.1f} %"
            bar.update(task, completed=sum(budgets[:number]) + steps, description=f"{role}, seed {seed}: {doing}")

        for role, seed in todo:
            console.print(f"wrote {runs.run(role, seed, watch)}", soft_wrap=True)


def run() -> None:
    """Run the command; errors of ours are said in a line, without a trace."""
    plainly(lambda: typer.run(main))
