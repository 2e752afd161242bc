"""The command `demo`, which `make run` runs: a role learns from nothing and is compared with others in a report."""

from __future__ import annotations

import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import check_seed

from ..extras import need
from .console import console, errors, use_threads
from .run_report import check_report, report_run
from .signals import again, goes_on
from .train import open_training, train_to_end

if TYPE_CHECKING:
    from ..training.config import TrainingConfig
    from ..training.run import Training


def demo(
    steps: Annotated[
        int | None, typer.Option("--steps", help="Decisions to learn from; as many as two minutes or so allow.")
    ] = None,
    games: Annotated[
        int | None, typer.Option("--games", help="Deals of the comparison, and of each cell of the report's tables.")
    ] = None,
    seed: Annotated[int, typer.Option("--seed", help="Seed of the games, the network and the updates.")] = 0,
    threads: Annotated[int, typer.Option("--threads", help="Threads; 0 for one a core.")] = 1,
    out: Annotated[Path, typer.Option("--out", help="Folder of the run and its report.")] = Path("results/run"),
) -> None:
    """Train one role from nothing for two minutes, compare it with the others, and write a report with its curve."""
    from .. import demo as settings
    from ..files import writable_folder
    from ..locks import locked

    need("training", "reports")
    begun = time.perf_counter()
    config = settings.demo_config(settings.STEPS if steps is None else steps, check_seed(seed), use_threads(threads))
    deals = settings.REPORT_GAMES if games is None else games
    check_report(config.checked(), out, deals)
    console.print(
        f"a {settings.ROLE} among {settings.PLAYERS} players learns from {config.steps:,} decisions against "
        f"{settings.OPPONENT}, from nothing: nobody advises it",
        highlight=False,
    )
    with locked(writable_folder(out)):
        goes_on(lambda: f"the same command goes on with what is in {out}: {again()}")
        training = _open(out, config)
        train_to_end(training)
        page = report_run(training, deals)
    console.print(
        f"{time.perf_counter() - begun:.0f} s in all; the report with the learning curve: {page}",
        soft_wrap=True, highlight=False,
    )  # fmt: skip


def _open(out: Path, config: TrainingConfig) -> Training:
    """The run in the folder, or a new one; a demonstration that can't be gone on with is begun anew."""
    from ..demo import begin, clear, is_begun

    if not is_begun(out):
        begin(out)
    try:
        return open_training(out, config)
    except OptionError as error:
        if not is_begun(out):
            raise
        errors.print(f"riverbed: {error}", style="yellow", markup=False, highlight=False, soft_wrap=True)
        errors.print(f"riverbed: the demonstration in {out} begins anew", markup=False, soft_wrap=True)
    clear(out)
    return open_training(out, config)
