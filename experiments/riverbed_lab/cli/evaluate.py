"""The command that compares agents: `evaluate`."""

from __future__ import annotations

import time
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

from rich.text import Text
from typer import Argument, Option

from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed
from riverbed_env.registry import find_game

from ..cluster import blocks, connected
from ..extras import need
from . import console as shell
from .signals import again, set_resume_words
from .spending import ModelsOption, limit

if TYPE_CHECKING:
    from ..evaluation.run import Evaluation
    from ..playing.plan import Cell, Plan
    from ..report.report import Report


def evaluate(
    agents: Annotated[
        list[str] | None,
        Argument(
            help="Agents to compare, as SPEC or LABEL=SPEC; or the folder of an evaluation, to finish and report it.",
            show_default="the published agents",
        ),
    ] = None,
    game: shell.GameOption = shell.DEFAULT_GAME,
    reference: Annotated[
        str | None, Option(help="The agent to measure against.", show_default="the best published agent")
    ] = None,
    roles: Annotated[str | None, Option(help="Roles, like chief,leader.", show_default="all roles")] = None,
    players: shell.CountsOption = None,
    games: Annotated[int, Option(help="Deals of each cell.")] = 10_000,
    tables: Annotated[
        str | None, Option(help="Of mirror,deviation,matrix,held_out,cross_play.", show_default="all but cross_play")
    ] = None,
    held_out: Annotated[
        str | None,
        Option(help="Agents that held_out draws from.", show_default="published"),
    ] = None,
    one_way: Annotated[bool, Option("--one-way", help="Seat an agent once per game at most; for slow agents.")] = False,
    variants: Annotated[bool, Option("--variants", help="Play every variant of the game.")] = False,
    seed: Annotated[int, Option(help="Seed of the numbered games.")] = 0,
    threads: shell.ThreadsOption = 0,
    set_: shell.SetOption = None,
    no_report: Annotated[bool, Option("--no-report", help="Tables and summary only.")] = False,
    ray: shell.RayOption = None,
    models: ModelsOption = None,
    out: Annotated[Path, Option(help="Folder of rows and report; resumes there.")] = Path("results/evaluation"),
) -> None:
    """Compare agents on common deals; without agents, the published agents of the game.

    If interrupted, run the same command again to resume.
    """
    from ..evaluate import plan_of

    if agents and len(agents) == 1 and Path(agents[0]).is_dir():
        given = limit(models, Path(agents[0]), compares=True)
        _finish(Path(agents[0]), shell.use_threads(threads), given.unrepaired)
        return
    given = limit(models, out, compares=True)
    chosen = find_game(game)
    labels, specs = labelled([*(agents or []), *([reference] if reference else [])])
    measured, pool = specs.pop() if reference else None, specs_of(held_out)
    if ray is not None and any(spec.startswith("llm:") for spec in (*specs, measured or "", *pool)):
        raise OptionError("limits on language models hold in one process: leave out --ray")
    plan = plan_of(
        *(chosen, specs, measured),
        players=shell.numbers_of(players, chosen.min_players, chosen.max_players),
        deals=games,
        roles=_words(roles),
        tables=_words(tables),
        held_out=pool,
        one_way=one_way,
        seed=check_seed(seed),
        options=shell.read_options(chosen, set_),
        variants=chosen.variants if variants else ({},),
        labels=labels,
    )
    # A cluster plays as many parts at a time as it has cores.
    count = max(1, threads) if ray else shell.use_threads(threads)
    evaluate_plan(plan, count, out, not no_report, ray=ray, unrepaired=given.unrepaired)


def _finish(folder: Path, threads: int, unrepaired: bool) -> None:
    """Play what is left of the evaluation in a folder, and write its report again."""
    from ..evaluation.folder import Folder, load
    from ..evaluation.run import Evaluation
    from ..locks import locked

    need("reports")
    evaluation = Evaluation(Folder(folder, load(folder)), threads, ())
    if evaluation.left:
        evaluate_plan(evaluation.plan, threads, folder, unrepaired=unrepaired)
    else:
        evaluation.unrepaired = unrepaired
        with locked(folder):
            tell(evaluation)


def labelled(words: Iterable[str]) -> tuple[Mapping[str, str], list[str]]:
    """Labels by spec, and the specs, of words like LABEL=SPEC or SPEC; `name:key=value` is a spec without a label."""
    labels, specs = {}, []
    for word in words:
        label, sign, spec = word.partition("=")
        if sign and spec and not {":", "/", "."} & {*label}:
            labels[spec] = label
            specs.append(spec)
        else:
            specs.append(word)
    return labels, specs


def _words(text: str | None) -> tuple[str, ...]:
    return tuple(word.strip() for word in text.split(",")) if text else ()


def specs_of(text: str | None) -> tuple[str, ...]:
    """Specs from a list with commas; a comma between an agent's own parameters doesn't separate."""
    specs: list[str] = []
    for word in _words(text):
        if specs and "=" in word and ":" not in word:
            specs[-1] += f",{word}"
        else:
            specs.append(word)
    return tuple(specs)


def evaluate_plan(
    plan: Plan, threads: int, out: Path, report: bool = True, *, ray: str | None = None, unrepaired: bool = False
) -> None:
    """Play what is left of a plan, print its tables, write summary and report; locks the folder meanwhile.

    ray: the address of the cluster that plays it; unrepaired: see `Outcomes`.
    """
    from ..evaluation.run import Evaluation, find_agents
    from ..locks import locked
    from ..playing.plan import check

    need("reports")
    game = find_game(plan.environment)
    check(game, plan)
    agents = find_agents(game, plan.seated)
    with connected(ray), locked(out):
        evaluation = Evaluation.begin(plan, out, threads, agents)
        for note in evaluation.folder.notes:
            shell.errors.print(f"riverbed: {note}", style="yellow", soft_wrap=True)
        set_resume_words(lambda: f"{_finished(evaluation)} are finished and kept in {out}; resume with: {again()}")
        cells = f"{len(evaluation.outcomes.cells)} cells of {plan.deals:,} deals"
        shell.errors.print(f"riverbed: {cells}, {_finished(evaluation)} finished")
        if evaluation.left:
            if ray is None:
                with shell.errors.status(shell.COMPILING):
                    evaluation.warm_up()
            _play(evaluation, ray)
        evaluation.unrepaired = unrepaired
        tell(evaluation, report)


def _finished(evaluation: Evaluation) -> str:
    total = len(evaluation.tasks)
    return f"{total - len(evaluation.left)} of {total} parts"


def _play(evaluation: Evaluation, ray: str | None) -> None:
    """Play with a bar that shows the cell, games/s and the time left."""
    from ..evaluation.run import one_after_another

    deals, left = (sum(task.deals for task in tasks) for tasks in (evaluation.tasks, evaluation.left))
    begun = time.perf_counter()
    played = 0
    with shell.progress_bar() as bar:
        task = bar.add_task("playing", total=deals, completed=deals - left)

        def watch(cell: Cell, deals: float, games: int) -> None:
            nonlocal played
            played += games
            speed = played / (time.perf_counter() - begun)
            bar.update(task, advance=deals, description=f"{cell.name}, {speed:,.0f} games/s")

        evaluation.play(watch, blocks if ray else one_after_another)
    seconds = time.perf_counter() - begun
    where = f"{evaluation.threads} threads" if ray is None else f"the cluster at {ray}"
    shell.errors.print(
        f"riverbed: {played:,} games played and written in {seconds:.1f} s on {where}: {played / seconds:,.0f} games/s"
    )


# --- the report -------------------------------------------------------------------------------------------------------


def tell(evaluation: Evaluation, page: bool = True) -> None:
    """Write the summary and, with `page`, the report; then print the verdict and the tables."""
    from ..report.page import write_report
    from ..report.report import assemble, write_summary

    folder = evaluation.folder
    with shell.errors.status("reading the rows") as status:
        results = assemble(evaluation.outcomes)
        status.update("drawing the report")
        files = [write_report(results, folder.path)] if page else []
        files.append(write_summary(folder, results))
    _print(results)
    shell.console.print(f"the rows, one per game, are in {folder.path}/{folder.parts.name}", soft_wrap=True)
    shell.console.print(f"wrote {' and '.join(f'{folder.path}/{file.name}' for file in files)}", soft_wrap=True)


def _print(results: Report) -> None:
    """The verdict, the tables of each section, and the notes."""
    from ..report.page import render
    from ..report.report import verdict
    from ..report.sections import sections

    for words in verdict(results):
        shell.console.print(Text(words, style="bold"))
    shell.console.print()
    for part in sections(results):
        for each in render(part, shell.console.width, results.title):
            shell.console.print(each)
    for words in results.notes:
        shell.console.print(words, style="yellow")
