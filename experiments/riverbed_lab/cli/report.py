"""The report of an evaluation: the command `report`, and the end of `evaluate` and `benchmark`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game

from ..extras import need
from .console import console, progress_bar, waiting

if TYPE_CHECKING:
    from riverbed_env.players.agents import Agent

    from ..evaluation.inference_file import InferenceFiles
    from ..evaluation.outcomes import Outcomes


def report(folder: Annotated[Path, typer.Argument(help="The folder of an evaluation.")]) -> None:
    """Make the report of a finished evaluation anew from its rows; nothing is played but what it lacks."""
    from ..evaluation import run as running
    from ..evaluation.folder import Folder, identify, load
    from ..evaluation.outcomes import Outcomes
    from ..locks import locked
    from ..report.assemble import command

    need("reports")
    identity = load(folder)
    game, plan = find_game(identity.plan.environment), identity.plan
    with locked(folder):
        there = Folder(folder, identity)
        left, total = running.left(game, plan, there), len(running.tasks(game, plan))
        if left:
            raise OptionError(
                f"{folder} isn't finished: {total - len(left)} of {total} parts are there. Finish it with\n"
                f"{command(game, plan, folder)}"
            )

        def agents() -> Sequence[Agent]:
            found = running.find_agents(game, plan)
            Folder(folder, identify(game, plan, found))  # who plays now must be who played then
            return found

        write(Outcomes(game, plan, there), agents)


def write(outcomes: Outcomes, agents: Callable[[], Sequence[Agent]]) -> None:
    """Read roles if that isn't done yet, print ratings and log-losses, write report and summary to the folder.

    `agents` finds the agents of the plan; it is asked only where something is left to be played.
    """
    from ..evaluation.inference_file import InferenceFiles
    from ..report.assemble import assemble
    from ..report.page import write_report
    from ..report.summary import write_summary
    from ..report.terminal_tables import inference_table, ratings_table

    files = InferenceFiles(outcomes.game, outcomes.folder)
    if files.left():
        _read_roles(files, agents())
    with waiting("reading the rows") as tell:
        found = assemble(outcomes, files.rows(), lambda what: tell(f"computing {what}"))
    if found.ratings is not None:
        console.print(ratings_table(found, found.ratings))
    if found.inference:
        console.print(inference_table(found))
    path = outcomes.folder.path
    with waiting("drawing the report"):
        write_report(found, path)
        summary = write_summary(outcomes, found)
    written = f"{path / 'report.html'}, {path / 'report.md'} with {path / 'figures'}, and {summary}"
    console.print(f"wrote {written}", soft_wrap=True)


def _read_roles(files: InferenceFiles, agents: Sequence[Agent]) -> None:
    """Play and look, with a bar that tells whose roles are read."""
    from ..evaluation.role_inference import observed

    games = len(observed(files.plan)) * files.plan.inference_games
    with progress_bar() as bar:
        task = bar.add_task("reading roles", total=len(files.left()) * games)
        files.play(
            agents,
            lambda count, agent, played: bar.update(
                task, advance=played, description=f"reading roles, {count} players: all {agent}"
            ),
        )
