"""Collects the learners of the published study and rewrites its tables, curves and page.

    riverbed exploit experiments/results/learning/study.toml --out results/learning
    python experiments/studies learning --runs results/learning

The first command trains and measures the learners; if interrupted, run it again to resume. The second writes each
finished learner's result to a separate file, then the tables from all of them.
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.core.card import table
from riverbed_env.core.files import write_whole
from riverbed_env.errors import OptionError
from riverbed_lab.cli.console import console
from riverbed_lab.league.best_response import MODES, BestResponses, lineup_text, summed_up
from riverbed_lab.statistics import FEWEST_SEEDS, in_points, planning_warning

from .curves import draw_curves
from .results import STUDY, Result, as_rows, collect, load_results, load_study

ROOT = Path(__file__).parents[3]
FOLDER, PAGE = ROOT / "experiments" / "results" / "learning", ROOT / "docs" / "learning.md"
CURVES, TABLES = "curves.svg", "README.md"
COMMAND = "python experiments/studies learning"
BEGIN, END = f"<!-- from here on written by {COMMAND} -->", "<!-- to here -->"
MINUTE = 60


def main(
    runs: Annotated[Path, typer.Option(help="Folder of `riverbed exploit`.")] = Path("results/learning"),
    folder: Annotated[Path, typer.Option(help="Folder of study.toml and the results.")] = FOLDER,
) -> None:
    """Collect the learners that are finished, and rewrite tables, curves and page."""
    written = collect(load_study(folder), runs, folder)
    for path, text in all_texts(folder, PAGE if folder.resolve() == FOLDER else None).items():
        write_whole(path, lambda partial, text=text: partial.write_text(text, encoding="utf-8"))  # type: ignore[misc]
        written.append(path)
    for path in written:
        console.print(f"wrote {path}", soft_wrap=True)


def all_texts(folder: Path, page: Path | None) -> dict[Path, str]:
    """The texts to write, by file: the folder's page and figure, and the page of the documentation."""
    study = load_study(folder)
    results = load_results(study, folder)
    if not results:
        raise OptionError(f"{folder} holds no results yet: {COMMAND} --runs collects those of 'riverbed exploit'")
    about = "" if page is None else f" [{page.stem.title()}]({_link(folder / TABLES, page)}) says what bounds them."
    tables = (
        f"# Results of learning\n\nWritten by `{COMMAND}` from the files beside it, a file a learner; [{STUDY}]"
        f"({STUDY}) says what is trained.{about}\n\n{section(study, results, CURVES)}"
    )
    texts = {folder / TABLES: tables, folder / CURVES: draw_curves(study, results)}
    if page is not None:
        before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
        after = rest.partition(END)[2]
        texts[page] = f"{before}{BEGIN}\n\n{section(study, results, _link(page, folder / CURVES))}\n{END}{after}"
    return texts


def _link(page: Path, file: Path) -> str:
    return Path(os.path.relpath(file.resolve(), page.resolve().parent)).as_posix()


def section(study: BestResponses, results: Sequence[Result], picture: str) -> str:
    """Curves and tables."""
    wanted = len(study.roles) * study.seeds
    done = "" if len(results) == wanted else f"{len(results)} of the study's {wanted} learners are done. "
    fewest, most = (end(row.games for result in results for row in result.final) for end in (min, max))
    deals = f"{'' if fewest == most else 'at least '}{fewest:,}"
    parts = [
        f"![What a learner gains in one seat of each role, by the decisions it learnt from]({picture})",
        f"{done}Lineup `{lineup_text(study.training)}`; one seat of a role is the learner's. At its end each learner "
        f"plays {deals} common deals, beside the lineup's own agent in the same seat. The gain is a mean over seeds; "
        f"from {FEWEST_SEEDS} seeds on with its 95 % interval, by a bootstrap that draws whole seeds.",
        _gains(study, results),
        "What each learner gains, in points, with the paired 95 % interval over its deals:",
        _seeds(study, results),
        "What it took (spent learning; evaluations come on top), in minutes of one processor core:",
        _costs(study, results),
    ]
    warning = planning_warning(fewest)
    return "\n\n".join([*parts, *([] if warning is None else [f"{warning}."])]) + "\n"


def _by_role(study: BestResponses, results: Sequence[Result]) -> dict[str, list[Result]]:
    by_role = {role: [result for result in results if result.role == role] for role in study.roles}
    return {role: mine for role, mine in by_role.items() if mine}


def _gains(study: BestResponses, results: Sequence[Result]) -> str:
    """A row for each role, player count and mode, over the seeds."""
    rows = []
    for role, mine in _by_role(study, results).items():
        config = study.learner(role, mine[0].seed)
        final = as_rows(tuple(row for result in mine for row in result.final))
        for count in config.counts():
            for mode in MODES:
                kept = [row for row in final if (row["players"], row["mode"]) == (count, mode)]
                row = summed_up(kept, config.reference, config.steps)
                own = f"{100 * row['own']:.1f} ({100 * row['own_low']:.1f}–{100 * row['own_high']:.1f})"
                gain, low, high = (row[name] for name in ("gain", "gain_low", "gain_high"))
                points = f"{100 * gain:+.1f}" if low is None else in_points(gain, low, high)
                rows.append([role, str(count), mode, f"{100 * row['won']:.1f}", own, points, str(row["seeds"])])
    return table(["role", "players", "played", "learner %", "own agent %", "gain, points", "seeds"], rows).rstrip()


def _seeds(study: BestResponses, results: Sequence[Result]) -> str:
    """A row for each role, player count and mode, a column for each seed."""
    rows = []
    for role, mine in _by_role(study, results).items():
        by_seed = {result.seed: result.final for result in mine}
        for number, first in enumerate(mine[0].final):
            each = {seed: final[number] for seed, final in by_seed.items()}
            gains = [
                in_points(each[seed].gain, each[seed].gain_low, each[seed].gain_high) if seed in each else "–"
                for seed in study.all_seeds()
            ]
            rows.append([role, str(first.players), first.mode, *gains])
    return table(["role", "players", "played", *(f"seed {seed}" for seed in study.all_seeds())], rows).rstrip()


def _costs(study: BestResponses, results: Sequence[Result]) -> str:
    """A row for each role: decisions, minutes, cores and the versions of the code."""
    rows = []
    for role, mine in _by_role(study, results).items():
        minutes = [result.processor_seconds / MINUTE for result in mine]
        values = [
            [f"{result.steps:,}" for result in mine],
            list(dict.fromkeys(f"{end:.1f}" for end in (min(minutes), max(minutes)))),
            [f"{result.settings['threads']} of {result.cores}" for result in mine],
            [result.code for result in mine],
        ]
        joined = (
            sign.join(dict.fromkeys(each)) for sign, each in zip((" or ", " to ", " or ", ", "), values, strict=True)
        )
        rows.append([role, *joined])
    return table(["role", "decisions", "core minutes", "cores used", "code"], rows).rstrip()
