"""The report of an evaluation, at the end of `evaluate`."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from .console import console, errors, progress_bar

if TYPE_CHECKING:
    from ..evaluation.run import Evaluation
    from ..report.report import Report


def tell(evaluation: Evaluation, full: bool = True) -> None:
    """Write the summary and, if `full`, the report with inferred roles; then print the verdict and the tables."""
    from ..evaluate import results_of, write_all
    from ..evaluation.roles import RoleScores

    if full and RoleScores(evaluation.game, evaluation.folder).left():
        _infer_roles(evaluation)
    with errors.status("reading the rows") as status:
        results = results_of(evaluation, full, lambda what: status.update(f"computing {what}"))
        status.update("drawing the report")
        files = write_all(evaluation, results, full)
    _print(results)
    name = evaluation.folder.path
    console.print(f"the rows, one per game, are in {name}/{evaluation.folder.parts.name}", soft_wrap=True)
    console.print(f"wrote {' and '.join(f'{name}/{file.name}' for file in files)}", soft_wrap=True)


def _print(results: Report) -> None:
    """The verdict, the tables of each section, and the notes."""
    from ..report.page import render
    from ..report.report import verdict
    from ..report.sections import sections

    for words in verdict(results):
        console.print(Text(words, style="bold"))
    console.print()
    for part in sections(results):
        for each in render(part, console.width, results.title):
            console.print(each)
    for words in results.notes:
        console.print(words, style="yellow")


def _infer_roles(evaluation: Evaluation) -> None:
    """Play and observe, with a bar that names the lineup."""
    from ..evaluation.roles import RoleScores, observed

    scores = RoleScores(evaluation.game, evaluation.folder)
    games = len(observed(scores.plan)) * scores.plan.inference_games
    with progress_bar() as bar:
        task = bar.add_task("reading roles", total=len(scores.left()) * games)
        scores.play(
            evaluation.agents,
            lambda count, agent, played: bar.update(
                task, advance=played, description=f"reading roles, {count} players: all {agent}"
            ),
        )
