"""Measure how fast learners train, where their time goes, and whether fast settings cost strength.

python experiments/studies learning_speed --out results/speed
python experiments/studies learning_speed --device cuda --threads 16
python experiments/studies learning_speed --strength 131072 --game deep_river_v0
"""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import Annotated

import typer

from riverbed_env.core.card import table
from riverbed_env.core.files import write_whole
from riverbed_env.registry import find_game
from riverbed_lab.cli.console import console, progress_bar
from riverbed_lab.files import code_version, writable_folder

from .connect_four import REQUIREMENT, is_installed
from .learners import CONNECT_FOUR, FAST, USUAL, USUAL_OF_EIGHT, Learner, learners, learners_on, measure
from .stopwatch import PHASES
from .strength import Measures, any_seat, compare_settings, in_words

PAGE = "learning_speed.md"


def main(
    seconds: Annotated[float, typer.Option(min=0, help="Measuring time of each row.")] = 2.0,
    rounds: Annotated[int, typer.Option(min=1, help="Rounds; the table shows their medians.")] = 3,
    threads: Annotated[int, typer.Option(min=1, help="Threads of PyTorch and of our games.")] = 1,
    device: Annotated[
        str | None, typer.Option(help="Measure `riverbed train` alone, on the processor and on this: cuda.")
    ] = None,
    strength: Annotated[int, typer.Option(min=0, help="Also compare strength after this many decisions.")] = 0,
    game: Annotated[str, typer.Option(help="The game of the comparison.")] = "deep_river_v0",
    seeds: Annotated[int, typer.Option(min=1, help="Training seeds of the comparison.")] = 5,
    games: Annotated[int, typer.Option(min=2, help="Common deals of the comparison.")] = 10_000,
    out: Annotated[Path | None, typer.Option(help=f"Write the tables to {PAGE} in this folder.")] = None,
) -> None:
    """Measure how fast MaskablePPO trains, and where its time goes."""
    seat, measures = any_seat(find_game(game).id), Measures(strength, seeds, games, threads)
    if out is not None:
        writable_folder(out)
    rows = learners(FAST) if device is None else learners_on(device)
    with progress_bar() as bar:
        measure(rows, seconds, rounds, threads, bar)
        parts = [in_tables(rows, threads)]
        if strength:
            task = bar.add_task("learning", total=2 * seeds)

            def watch(done: str) -> None:
                bar.update(task, advance=1, description=done)

            compared = compare_settings(seat, USUAL_OF_EIGHT, FAST, measures, watch)
            parts.append(in_words(seat, USUAL_OF_EIGHT, FAST, measures, compared))
    if device is None and not is_installed():
        console.print(f"not measured: PettingZoo's connect four; pip install '{REQUIREMENT}'", markup=False)
    text = "\n\n".join([*parts, f"Version {code_version()}."]) + "\n"
    typer.echo(text)
    if out is not None:
        write_whole(out / PAGE, lambda partial: partial.write_text(text, encoding="utf-8"))
        console.print(f"wrote {out / PAGE}", soft_wrap=True)


def in_tables(rows: Sequence[Learner], threads: int) -> str:
    """The tables of speeds and of where the time goes, and the ratios to the connect four baseline."""
    speeds = [
        (str(number), row.name, row.call, str(row.setting), *(f"{speed:,.0f}" for speed in row.speeds))
        for number, row in enumerate(rows, 1)
    ]
    loads = [load for row in rows for load in row.load]
    parts = [
        table(["", "what", "how", "settings", "collection/s", "whole learning/s"], speeds).rstrip(),
        f"Decisions of the learner, medians of the rounds; load average {min(loads):.2f} to {max(loads):.2f}, "
        f"{os.cpu_count()} cores, {threads} of them for PyTorch and our games.",
        "\n".join(f"- {line}" for line in ratios(rows)),
        "Where the time goes, in µs of a decision of each row above; a GPU's work counts where it is waited for:",
        _split_table(rows).rstrip(),
    ]
    return "\n\n".join(part for part in parts if part)


def ratios(rows: Sequence[Learner]) -> list[str]:
    """The speed of each of our learners relative to connect four with one environment and with eight, if measured."""
    usual = {row.setting: row.speeds for row in rows if row.name == CONNECT_FOUR}
    lines = []
    for row in rows:
        if row.name.startswith(CONNECT_FOUR):
            continue
        parts = [
            f"collection {row.speeds[0] / usual[setting][0]:.1f} and whole learning "
            f"{row.speeds[1] / usual[setting][1]:.1f} times that with {environments}"
            for setting, environments in ((USUAL, "one environment"), (USUAL_OF_EIGHT, "8 environments"))
            if setting in usual
        ]
        if parts:
            lines.append(f"{row.name}, {row.call}, {row.setting}: {'; '.join(parts)}")
    return lines


def _split_table(rows: Sequence[Learner]) -> str:
    """A row for each phase, a column for each learner, numbered as in the table of speeds."""
    lines = []
    for part in dict.fromkeys(part for part, _ in PHASES):
        keys = [key for key in PHASES if key[0] == part]
        lines += [(*key, *(f"{1e6 * row.split.get(key, 0.0):,.1f}" for row in rows)) for key in keys]
        totals = (sum(row.split.get(key, 0.0) for key in keys) for row in rows)
        lines.append((part, "in all", *(f"{1e6 * total:,.1f}" for total in totals)))
    return table(["part", "phase", *(str(number + 1) for number in range(len(rows)))], lines)
