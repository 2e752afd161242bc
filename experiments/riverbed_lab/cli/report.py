"""The report of an evaluation, at the end of `evaluate`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from rich.text import Text

from .console import console, progress_bar, waiting

if TYPE_CHECKING:
    from ..evaluation.inference_file import InferenceFiles
    from ..evaluation.results import Report
    from ..evaluation.run import Evaluation


def tell(evaluation: Evaluation, full: bool = True, place: str | None = None) -> None:
    """Write the summary and, if `full`, the report with inferred roles; then print the verdict and the tables.

    place: what the folder is called, if it is the copy of a bucket.
    """
    from ..evaluation.inference_file import InferenceFiles
    from ..report.assemble import assemble
    from ..report.games import write_games
    from ..report.summary import write_summary

    outcomes = evaluation.outcomes
    files = InferenceFiles(evaluation.game, evaluation.folder)
    if full and files.left():
        _infer_roles(files, evaluation)
    with waiting("reading the rows") as say:
        rows = files.rows() if full else ()
        results = assemble(outcomes, rows, lambda what: say(f"computing {what}"), rated=full)
        if full:
            say("looking for games worth a look")
            results = replace(results, games=tuple(write_games(evaluation.folder)))
    folder = evaluation.folder
    if full:
        _write_report(results, folder.path)
    summary, name = write_summary(outcomes, results, full).name, place or folder.path
    _print(results)
    console.print(f"the rows, one per game, are in {name}/{folder.parts.name}", soft_wrap=True)
    report = f"{name}/report.html, {name}/report.md with {name}/figures, and " if full else ""
    console.print(f"wrote {report}{name}/{summary}", soft_wrap=True)


def _write_report(results: Report, path: Path) -> None:
    from ..report.page import write_report

    with waiting("drawing the report"):
        write_report(results, path)


def _print(results: Report) -> None:
    """The verdict, the tables of each section, and the notes."""
    from ..report.sections import sections
    from ..report.terminal import render
    from ..report.verdict import verdict

    for words in verdict(results):
        console.print(Text(words, style="bold"))
    console.print()
    for part in sections(results):
        for each in render(part, console.width, results.about.title):
            console.print(each)
    for words in results.notes:
        console.print(words, style="yellow")


def _infer_roles(files: InferenceFiles, evaluation: Evaluation) -> None:
    """Play and observe, with a bar that names the lineup."""
    from ..evaluation.role_inference import observed

    games = len(observed(files.plan)) * files.plan.inference_games
    with progress_bar() as bar:
        task = bar.add_task("reading roles", total=len(files.left()) * games)
        files.play(
            evaluation.agents,
            lambda count, agent, played: bar.update(
                task, advance=played, description=f"reading roles, {count} players: all {agent}"
            ),
        )
