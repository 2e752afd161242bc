"""The learning curves of the agents of an evaluation, from the folders that `riverbed train` left their policies in."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from riverbed_env.core.errors import OptionError
from riverbed_env.core.game import Game
from riverbed_env.core.policies import load_policy
from riverbed_env.core.specs import policy_file

from ..statistics import Rate, gain_of
from ..training.comparison import COMPARISON, CURVE, Comparison, read_comparison
from ..training.config import line_ups_in_words
from .results import CurvePoint, LearningRow, SeatRow

ANY_SEAT = "any seat"
BROKEN = (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError)  # what unsound files raise


def learning_rows(game: Game, specs: Iterable[str]) -> tuple[LearningRow, ...]:
    """The curve of each saved policy that still lies beside that of its run; others, and what can't be read, have none.

    A curve that ends elsewhere than the policy isn't its own.
    """
    rows = {file: _row(game, spec, file) for spec in specs if (file := policy_file(spec)) is not None}
    return tuple(row for row in rows.values() if row is not None)


def _row(game: Game, spec: str, file: Path) -> LearningRow | None:
    try:
        kept = load_policy(file, game).config.more
        steps, training = int(kept["steps"]), kept["training"]
        curve = [each for each in _json(file.with_name(CURVE))["curve"] if "won" in each]
        points = tuple(map(_point, curve))
        if points[-1].steps != steps:
            return None
        found = LearningRow(
            agent=spec,
            role=training["role"] or ANY_SEAT,
            players=tuple(training["players"]) or (game.default_players,),
            opponents=" or ".join(line_ups_in_words(training["opponents"])),
            reference=training["reference"],
            reference_wins=float(curve[-1]["reference"]),
            points=points,
        )
    except (*BROKEN, OptionError):
        return None
    return _compared(found, file.with_name(COMPARISON))


def _compared(row: LearningRow, path: Path) -> LearningRow:
    """The row with the comparison of the run's end, if that is there and of this policy."""
    try:
        found: Comparison = read_comparison(_json(path))
    except BROKEN:
        return row
    if found.steps != row.points[-1].steps:
        return row
    others = tuple(SeatRow(each.agent, each.won, each.gain) for each in found.others)
    return LearningRow(**{**vars(row), "wins": found.won, "others": others})


def _json(path: Path) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def _point(each: Mapping[str, Any]) -> CurvePoint:
    """A row of the curve's file."""
    games = int(each["games"])
    won = Rate(round(each["won"] * games), games, each["low"], each["high"])
    return CurvePoint(int(each["steps"]), float(each["seconds"]), won, gain_of(each))
