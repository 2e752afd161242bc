"""Prints and writes the measurements of learners: speed, ratios, where the time goes, final strength."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from rich import box
from rich.console import Console
from rich.table import Table

from riverbed_env.core.files import write_json, write_whole
from riverbed_lab.files import code_version

from .learners import CONNECT_FOUR, USUAL, USUAL_OF_EIGHT, LearnerResult
from .stopwatch import PHASES
from .strength import Strength


def print_learners(results: list[LearnerResult], threads: int, console: Console) -> None:
    """The table of speeds, the ratios that are to be reached, and where the time goes."""
    table = Table(title="Decisions of the learner, medians of the rounds", box=box.SIMPLE_HEAD)
    table.add_column("", justify="right")
    table.add_column("what", no_wrap=True)
    table.add_column("how")
    table.add_column("settings")
    for column in ("collection/s", "whole learning/s"):
        table.add_column(column, justify="right")
    for number, result in enumerate(results, 1):
        learner = result.learner
        table.add_row(
            str(number),
            learner.name,
            learner.call,
            str(learner.setting),
            f"{result.collected:,.0f}",
            f"{result.learnt:,.0f}",
        )
    console.print(table)
    for line in learner_ratios(results):
        console.print(line, highlight=False)
    loads = [load for result in results for load in result.load]
    console.print(
        f"load average over a minute: {min(loads):.2f} to {max(loads):.2f}; {os.cpu_count()} cores; "
        f"PyTorch on {threads} thread{'s' if threads > 1 else ''}",
        highlight=False,
    )
    console.print(split_table(results))


def learner_ratios(results: list[LearnerResult]) -> list[str]:
    """Each of our learners beside the usual way with one environment and with eight; none where that isn't there."""
    lines = []
    usual = {result.learner.setting: result for result in results if result.learner.name == CONNECT_FOUR}
    for result in results:
        learner = result.learner
        if learner.name.startswith(CONNECT_FOUR):
            continue
        parts = [
            f"collection {result.collected / usual[setting].collected:.1f} and "
            f"whole learning {result.learnt / usual[setting].learnt:.1f} times that with {_environments(setting.envs)}"
            for setting in (USUAL, USUAL_OF_EIGHT)
            if setting in usual
        ]
        if parts:
            lines.append(f"{learner.name}, {learner.call}, {learner.setting}: {'; '.join(parts)}")
    return lines


def _environments(count: int) -> str:
    return "one environment" if count == 1 else f"{count} environments"


def split_table(results: list[LearnerResult]) -> Table:
    """Microseconds of a decision by phase; a column a learner, numbered as in the table of speeds."""
    table = Table(title="Where the time goes: µs of a decision of each row above", box=box.SIMPLE_HEAD)
    table.add_column("part")
    table.add_column("phase", no_wrap=True)
    for number in range(len(results)):
        table.add_column(str(number + 1), justify="right")
    for part in dict.fromkeys(part for part, _ in PHASES):
        for key in (key for key in PHASES if key[0] == part):
            table.add_row(*key, *(_microseconds(result.split.get(key, 0.0)) for result in results))
        sums = [sum(spent for key, spent in result.split.items() if key[0] == part) for result in results]
        table.add_row(part, "in all", *map(_microseconds, sums), end_section=True)
    return table


def _microseconds(seconds: float) -> str:
    return f"{seconds * 1e6:,.1f}"


def print_strength(found: Strength, console: Console) -> None:
    """Both ways' final strength, seed by seed, and their difference over the seeds."""
    table = Table(
        title=_title(found),
        box=box.SIMPLE_HEAD,
    )
    for column in (
        "seed",
        f"usual: {found.usual}",
        f"fast: {found.fast}",
        "fast less usual",
        f"fast less {found.seat.opponents}",
    ):
        table.add_column(column, justify="right")
    for seed, one in found.by_seed.items():
        table.add_row(
            str(seed),
            f"{100 * one.usual:.1f} in {one.usual_seconds:,.0f} s",
            f"{100 * one.fast:.1f} in {one.fast_seconds:,.0f} s",
            str(one.difference),
            str(one.gain),
        )
    console.print(table)
    console.print(f"fast less usual, points over the seeds: {found.over_seeds}", highlight=False)


def learners_markdown(results: list[LearnerResult], strengths: list[Strength]) -> str:
    """The same as Markdown, for a page of benchmarks."""
    speeds = [
        [
            str(number),
            found.learner.name,
            found.learner.call,
            str(found.learner.setting),
            f"{found.collected:,.0f}",
            f"{found.learnt:,.0f}",
        ]
        for number, found in enumerate(results, 1)
    ]
    headings = ["", "what", "how", "settings", "collection/s", "whole learning/s"]
    parts = [_markdown(headings, speeds), "\n".join(f"- {line}" for line in learner_ratios(results))]
    split = split_table(results)
    columns = [str(column.header) for column in split.columns]
    parts.append(_markdown(columns, [list(row) for row in zip(*(map(str, column.cells) for column in split.columns))]))
    for found in strengths:
        rows = [
            [str(seed), f"{100 * one.usual:.1f}", f"{100 * one.fast:.1f}", str(one.difference), str(one.gain)]
            for seed, one in found.by_seed.items()
        ]
        reference = f"fast less {found.seat.opponents}"
        parts.append(_title(found) + ":")
        parts.append(
            _markdown(["seed", f"usual: {found.usual}", f"fast: {found.fast}", "fast less usual", reference], rows)
        )
        parts.append(f"Fast less usual, points over the seeds: {found.over_seeds}.")
    return "\n\n".join(part for part in parts if part) + "\n"


def _markdown(headings: list[str], rows: list[list[str]]) -> str:
    return "\n".join(f"| {' | '.join(row)} |" for row in [headings, ["---"] * len(headings), *rows])


def _title(found: Strength) -> str:
    return (
        f"{found.seat.game}, {found.seat}, after {found.steps:,} decisions: "
        f"% won of {found.games:,} common deals ({found.seat.opponents} agent: {100 * found.reference:.1f})"
    )


def write_learners(results: list[LearnerResult], strengths: list[Strength], threads: int, out: Path) -> Path:
    """Rows, ratios, phases and strength as JSON; the tables beside it as Markdown."""
    path = out / "learning_speed.json"
    text = learners_markdown(results, strengths)
    write_whole(path.with_suffix(".md"), lambda partial: partial.write_text(text, encoding="utf-8"))
    write_json(
        path,
        {
            "code": code_version(),
            "threads": threads,
            "rows": [_row(result) for result in results],
            "ratios": learner_ratios(results),
            "strength": [_plain(found) for found in strengths],
        },
    )
    return path


def _row(result: LearnerResult) -> dict[str, Any]:
    learner = result.learner
    return {
        "name": learner.name,
        "call": learner.call,
        "settings": vars(learner.setting),
        "collected_per_second": [found.steps / found.collecting for found in result.rounds],
        "learnt_per_second": [found.steps / found.seconds for found in result.rounds],
        "load": result.load,
        "seconds_per_decision": [
            {"part": part, "phase": phase, "seconds": result.split.get((part, phase), 0.0)} for part, phase in PHASES
        ],
    }


def _plain(found: Strength) -> dict[str, Any]:
    overall = found.over_seeds
    return {
        "seat": vars(found.seat),
        "usual": vars(found.usual),
        "fast": vars(found.fast),
        "steps": found.steps,
        "games": found.games,
        "reference": found.reference,
        "difference": {"value": overall.value, "low": overall.low, "high": overall.high},
        "seeds": [
            {
                "seed": seed,
                "usual": one.usual,
                "fast": one.fast,
                "difference": vars(one.difference),
                "gain": vars(one.gain),
                "usual_seconds": one.usual_seconds,
                "fast_seconds": one.fast_seconds,
            }
            for seed, one in found.by_seed.items()
        ],
    }
