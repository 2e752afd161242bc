"""The figures of an evaluation as JSON."""

from __future__ import annotations

from dataclasses import asdict
from pathlib import Path
from typing import Any

from riverbed_env.core.files import write_json

from ..evaluation.inference_file import to_plain
from ..evaluation.outcomes import Outcomes
from ..evaluation.results import InferenceRow, Report, SpreadRow
from ..playing.plan import Cell
from ..statistics import Rate
from .verdict import verdict

FILE = "summary.json"


def write_summary(outcomes: Outcomes, report: Report, full: bool = True) -> Path:
    """Write the figures to the evaluation's folder, ratings and inference if `full`; returns the file."""
    path = outcomes.folder.path / FILE
    summary = {
        **outcomes.folder.identity.as_plain(),
        "verdict": verdict(report),
        "cells": [_cell(outcomes, cell) for cell in outcomes.cells],
        "scores": [_spread(row) for row in report.scores],
        "lengths": [_spread(row) for row in report.lengths],
        "outside": [to_plain(row) for row in report.outside],
    }
    if full:
        summary["ratings"] = None if report.ratings is None else asdict(report.ratings)
        summary["inference"] = [_inference(row) for row in report.inference]
    write_json(path, summary)
    return path


def _cell(outcomes: Outcomes, cell: Cell) -> dict[str, Any]:
    """A cell: its definition, its camps' rates, and for a role in focus the gain over its base cell."""
    base, gain = outcomes.base_of(cell), outcomes.gain(cell)
    return {
        "cell": cell.name,
        **asdict(cell),
        "wins": {camp: _rate(outcomes.rate(cell, camp)) for camp in outcomes.game.camps},
        **({} if base is None or gain is None or not gain.blocks else {"gain": {"over": base.name, **asdict(gain)}}),
    }


def _rate(rate: Rate) -> dict[str, float] | None:
    return {"rate": rate.value, "low": rate.low, "high": rate.high, "games": rate.games} if rate.games else None


def _spread(row: SpreadRow) -> dict[str, Any]:
    return {**to_plain(row), "happened": {head: _rate(rate) for head, rate in row.happened.items()}}


def _inference(row: InferenceRow) -> dict[str, Any]:
    """A row of inference without the calibration of each group, which would fill most of the file."""
    plain = to_plain(row)
    for group in plain["scores"]["by_group"].values():
        for scores in group.values():
            if scores is not None:
                del scores["bins"]
    return plain
