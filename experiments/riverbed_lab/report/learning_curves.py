"""The learning curves of evaluated policies, from the folders of their `riverbed train` runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from pathlib import Path

from riverbed_env.core.files import read_json
from riverbed_env.core.game import Game
from riverbed_env.core.schema import Count, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import policy_file

from ..evaluation.results import CurvePoint, LearningRow, SeatRow
from ..statistics import Rate, gain_of
from ..training.comparison import COMPARISON, CURVE, Curve, Evaluated, read_comparison
from ..training.config import line_ups_in_words

ANY_SEAT = "any seat"


@dataclass(frozen=True)
class _Trained:
    """The training of a policy according to its file, as far as curves need it."""

    steps: Count
    training: _Training


@dataclass(frozen=True)
class _Training:
    role: str | None
    players: tuple[Count, ...]
    opponents: tuple[dict[str, list[str]], ...]
    reference: str


def learning_rows(game: Game, specs: Iterable[str]) -> tuple[LearningRow, ...]:
    """The curve of each saved policy that still lies in the folder of its run; skips what can't be read.

    A curve that ends at other steps than the policy isn't its own.
    """
    rows = {file: _row(game, spec, file) for spec in specs if (file := policy_file(spec)) is not None}
    return tuple(row for row in rows.values() if row is not None)


def _row(game: Game, spec: str, file: Path) -> LearningRow | None:
    try:
        kept = of_kind(_Trained, load_policy(file, game).config.more, str(file))
        path = file.with_name(CURVE)
        read = of_kind(Curve, read_json(path, "curve"), str(path)).curve
    except OptionError:
        return None
    curve = [each for each in read if isinstance(each, Evaluated)]
    if not curve or curve[-1].steps != kept.steps or not all(each.is_sound for each in curve):
        return None
    training = kept.training
    row = LearningRow(
        agent=spec,
        role=training.role or ANY_SEAT,
        players=training.players or (game.default_players,),
        opponents=" or ".join(line_ups_in_words(training.opponents)),
        reference=training.reference,
        reference_wins=curve[-1].reference,
        points=tuple(map(_point, curve)),
    )
    return _compared(row, file.with_name(COMPARISON))


def _compared(row: LearningRow, path: Path) -> LearningRow:
    """The row with the final comparison of the run, if there is one of this policy."""
    try:
        comparison = read_comparison(path)
    except OptionError:
        return row
    if comparison.steps != row.points[-1].steps:
        return row
    others = tuple(SeatRow(each.agent, each.won, each.gain) for each in comparison.others)
    return replace(row, wins=comparison.won, others=others)


def _point(each: Evaluated) -> CurvePoint:
    """A row of the curve's file."""
    won = Rate(round(each.won * each.games) if each.games else 0, each.games, each.low, each.high)
    return CurvePoint(each.steps, each.seconds, won, gain_of(vars(each)))
