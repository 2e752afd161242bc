"""Writes the measurements of learners as Markdown and JSON: speed, ratios, where the time goes, final strength."""

from __future__ import annotations

import os
from dataclasses import asdict
from pathlib import Path
from typing import Any

from riverbed_env.core.card import table
from riverbed_env.core.files import write_json, write_whole
from riverbed_lab.files import code_version

from .learners import CONNECT_FOUR, USUAL, USUAL_OF_EIGHT, LearnerResult
from .stopwatch import PHASES
from .strength import Strength


def markdown(results: list[LearnerResult], strengths: list[Strength], threads: int) -> str:
    """All tables, and the ratios to the usual way."""
    speeds = [
        (str(number), one.learner.name, one.learner.call, str(one.learner.setting),
         f"{one.collected:,.0f}", f"{one.learnt:,.0f}")
        for number, one in enumerate(results, 1)
    ]  # fmt: skip
    loads = [load for result in results for load in result.load]
    parts = [
        table(["", "what", "how", "settings", "collection/s", "whole learning/s"], speeds),
        f"Decisions of the learner, medians of the rounds; load average {min(loads):.2f} to {max(loads):.2f}, "
        f"{os.cpu_count()} cores, {threads} of them for PyTorch.",
        "\n".join(f"- {line}" for line in learner_ratios(results)),
        "Where the time goes, in µs of a decision of each row above:",
        _split_table(results),
        *(part for strength in strengths for part in _strength(strength)),
    ]
    return "\n\n".join(part.rstrip() for part in parts if part) + "\n"


def learner_ratios(results: list[LearnerResult]) -> list[str]:
    """Each of our learners beside the usual way with one environment and with eight, where that was measured."""
    lines = []
    usual = {result.learner.setting: result for result in results if result.learner.name == CONNECT_FOUR}
    for result in results:
        learner = result.learner
        if learner.name.startswith(CONNECT_FOUR):
            continue
        parts = [
            f"collection {result.collected / usual[setting].collected:.1f} and whole learning "
            f"{result.learnt / usual[setting].learnt:.1f} times that with {setting.envs} environment(s)"
            for setting in (USUAL, USUAL_OF_EIGHT)
            if setting in usual
        ]
        if parts:
            lines.append(f"{learner.name}, {learner.call}, {learner.setting}: {'; '.join(parts)}")
    return lines


def _split_table(results: list[LearnerResult]) -> str:
    """A row for each phase and each part, a column for each learner, numbered as in the table of speeds."""

    def micro(seconds: float) -> str:
        return f"{seconds * 1e6:,.1f}"

    rows = []
    for part in dict.fromkeys(part for part, _ in PHASES):
        keys = [key for key in PHASES if key[0] == part]
        rows += [(*key, *(micro(result.split.get(key, 0.0)) for result in results)) for key in keys]
        rows.append((part, "in all", *(micro(sum(result.split.get(key, 0.0) for key in keys)) for result in results)))
    return table(["part", "phase", *(str(number + 1) for number in range(len(results)))], rows)


def _strength(strength: Strength) -> list[str]:
    """A heading, a row for each seed, and the difference over the seeds."""
    rows = [
        (str(seed), f"{100 * one.usual:.1f}", f"{100 * one.fast:.1f}", str(one.difference), str(one.gain))
        for seed, one in strength.by_seed.items()
    ]
    opponents = strength.seat.opponents
    headings = [f"usual: {strength.usual}", f"fast: {strength.fast}", "fast less usual", f"fast less {opponents}"]
    return [
        f"{strength.seat.game}, {strength.seat}, after {strength.steps:,} decisions: % won of {strength.games:,} "
        f"common deals ({opponents} agent: {100 * strength.reference:.1f}):",
        table(["seed", *headings], rows),
        f"Fast less usual, points over the seeds: {strength.over_seeds}.",
    ]


def write_report(results: list[LearnerResult], strengths: list[Strength], threads: int, out: Path) -> Path:
    """Write the rows as JSON, and the tables beside them as Markdown; returns the JSON file."""
    path = out / "learning_speed.json"
    text = markdown(results, strengths, threads)
    write_whole(path.with_suffix(".md"), lambda partial: partial.write_text(text, encoding="utf-8"))
    rows = {
        "rows": [_row(result) for result in results],
        "ratios": learner_ratios(results),
        "strength": [{**asdict(each), "difference": asdict(each.over_seeds)} for each in strengths],
    }
    write_json(path, {"code": code_version(), "threads": threads, **rows})
    return path


def _row(result: LearnerResult) -> dict[str, Any]:
    learner = result.learner
    return {
        "name": learner.name,
        "call": learner.call,
        "settings": vars(learner.setting),
        "collected_per_second": [one.steps / one.collecting for one in result.rounds],
        "learnt_per_second": [one.steps / one.seconds for one in result.rounds],
        "load": result.load,
        "seconds_per_decision": [
            {"part": part, "phase": phase, "seconds": result.split.get((part, phase), 0.0)} for part, phase in PHASES
        ],
    }
