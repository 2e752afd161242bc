"""The study's tables, for the folder of its results and for the page of the documentation."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path

from riverbed_env.core.card import table
from riverbed_env.core.files import write_whole
from riverbed_env.errors import OptionError
from riverbed_lab.league.best_response import MODES, lineup_text, summed_up
from riverbed_lab.statistics import FEWEST_SEEDS, in_points, planning_warning

from .curves import draw_curves
from .results import Result, load_results
from .study import STUDY, Study, load_study

CURVES, TABLES = "curves.svg", "README.md"
COMMAND = "python experiments/studies learning"
BEGIN, END = f"<!-- from here on written by {COMMAND} -->", "<!-- to here -->"
MINUTE = 60


def write_all(folder: Path, page: Path | None) -> list[Path]:
    """Write the figure and the tables of the results in a folder, and the tables into a page; returns the files."""
    texts = all_texts(folder, page)
    for path, text in texts.items():
        write_whole(path, lambda partial, text=text: partial.write_text(text, encoding="utf-8"))  # type: ignore[misc]
    return list(texts)


def all_texts(folder: Path, page: Path | None) -> dict[Path, str]:
    """The texts to write, by file."""
    study = load_study(folder / STUDY)
    results = load_results(folder, study)
    about = "" if page is None else f" [{page.stem.title()}]({_from(folder / TABLES, page)}) says what bounds them."
    texts = {folder / TABLES: folder_page(study, results, about)}
    if results:
        texts[folder / CURVES] = draw_curves(study, results)
    if page is not None:
        texts[page] = inserted(page, section(study, results, picture=_from(page, folder / CURVES)))
    return texts


def _from(page: Path, file: Path) -> str:
    """The link from a page to a file."""
    return Path(os.path.relpath(file.resolve(), page.resolve().parent)).as_posix()


def inserted(page: Path, text: str) -> str:
    """The page with new text between its two marks. Raises OptionError if it has none."""
    said = page.read_text(encoding="utf-8")
    before, begin, rest = said.partition(BEGIN)
    _, end, after = rest.partition(END)
    if not begin or not end:
        raise OptionError(f"{page} has no place for the results, between {BEGIN!r} and {END!r}")
    return f"{before}{BEGIN}\n\n{text}\n{END}{after}"


def folder_page(study: Study, results: Sequence[Result], about: str) -> str:
    """The page of the results' folder; about: an additional sentence."""
    return (
        "# Results of learning\n\n"
        f"Written by `{COMMAND}` from the files beside it, a file a learner; [study.json]({STUDY}) says what is "
        f"trained.{about}\n\n"
        f"{section(study, results, picture=CURVES)}"
    )


def section(study: Study, results: Sequence[Result], picture: str) -> str:
    """Curves and tables."""
    wanted = len(study.roles) * len(study.seeds)
    if not results:
        return f"None of the study's {wanted} learners is done yet.\n"
    done = "" if len(results) == wanted else f"{len(results)} of the study's {wanted} learners are done. "
    fewest, most = (end(row["games"] for result in results for row in result.final) for end in (min, max))
    lineup = lineup_text(study.training)
    deals = f"{'' if fewest == most else 'at least '}{fewest:,}"
    parts = [
        f"![What a learner gains in one seat of each role, by the decisions it learnt from]({picture})",
        f"{done}Lineup `{lineup}`; one seat of a role is the learner's. At its end each learner plays {deals} common "
        "deals, beside the lineup's own agent in the same seat. The gain is a mean over seeds; from "
        f"{FEWEST_SEEDS} seeds on with its 95 % interval, by a bootstrap that draws whole seeds.",
        _gains(study, results),
        "What each learner gains, in points, with the paired 95 % interval over its deals:",
        _seeds(study, results),
        "What it took (spent learning; evaluations come on top), in minutes of one processor core:",
        _costs(study, results),
    ]
    warning = planning_warning(fewest)
    return "\n\n".join([*parts, *([] if warning is None else [f"{warning}."])]) + "\n"


def _points(value: float, low: float | None, high: float | None) -> str:
    return f"{100 * value:+.1f}" if low is None or high is None else in_points(value, low, high)


def _of_role(results: Sequence[Result], role: str) -> list[Result]:
    return [result for result in results if result.role == role]


def _gains(study: Study, results: Sequence[Result]) -> str:
    """A row for each role, player count and mode: the deviation table."""
    rows = []
    for role in study.roles:
        mine = [row for result in _of_role(results, role) for row in result.final]
        for count in dict.fromkeys(row["players"] for row in mine):
            for mode in MODES:
                kept = [row for row in mine if (row["players"], row["mode"]) == (count, mode)]
                config = study.learner(role, study.seeds[0])
                found = summed_up(kept, config.reference, config.steps)
                own = f"{100 * found['own']:.1f} ({100 * found['own_low']:.1f}–{100 * found['own_high']:.1f})"
                gain = _points(found["gain"], found["gain_low"], found["gain_high"])
                seeds = found["seeds"]
                rows.append([role, str(count), mode, f"{100 * found['won']:.1f}", own, gain, str(seeds)])
    return table(["role", "players", "played", "learner %", "own agent %", "gain, points", "seeds"], rows).rstrip()


def _seeds(study: Study, results: Sequence[Result]) -> str:
    """A row for each role, player count and mode, a column for each seed."""
    rows = []
    for role in study.roles:
        mine = {result.seed: result.final for result in _of_role(results, role)}
        for number, first in enumerate(next(iter(mine.values()), [])):
            each = {seed: final[number] for seed, final in mine.items()}
            gains = [
                _points(row["gain"], row["gain_low"], row["gain_high"]) if row else "–"
                for row in map(each.get, study.seeds)
            ]
            rows.append([role, str(first["players"]), first["mode"], *gains])
    return table(["role", "players", "played", *(f"seed {seed}" for seed in study.seeds)], rows).rstrip()


def _costs(study: Study, results: Sequence[Result]) -> str:
    """A row for each role: decisions, minutes, cores and the versions of the code."""
    rows = []
    for role in study.roles:
        mine = _of_role(results, role)
        if not mine:
            continue
        minutes = [result.processor_seconds / MINUTE for result in mine]
        decisions, threads, cores = (
            " or ".join(dict.fromkeys(map(str, values)))
            for values in (
                [f"{result.steps:,}" for result in mine],
                [result.settings["threads"] for result in mine],
                [result.cores for result in mine],
            )
        )
        spent = " to ".join(dict.fromkeys(f"{end:.1f}" for end in (min(minutes), max(minutes))))
        rows.append([role, decisions, spent, f"{threads} of {cores}", ", ".join(dict.fromkeys(r.code for r in mine))])
    return table(["role", "decisions", "core minutes", "cores used", "code"], rows).rstrip()
