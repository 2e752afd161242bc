"""The learning curves of evaluated policies, from the folders of their `riverbed train` and `riverbed distil` runs."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from riverbed_env.core.files import read_json
from riverbed_env.core.game import Game
from riverbed_env.core.schema import Count, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import policy_file

from ..evaluation.results import CurvePoint, LearningRow
from ..statistics import Rate, gain_of
from ..training.config import line_ups_in_words
from ..training.curve import CURVE, Curve, Evaluated

ANY_SEAT = "any seat"


@dataclass(frozen=True)
class _Settings:
    """The settings of a policy's run according to its file, as far as curves need them."""

    role: str | None
    players: tuple[Count, ...]
    opponents: tuple[dict[str, list[str]], ...]
    reference: str


@dataclass(frozen=True)
class _Trained:
    """How a policy was made: by `train` or by `distil`."""

    steps: Count
    training: _Settings | None = None
    distillation: _Settings | None = None


def learning_rows(game: Game, specs: Iterable[str]) -> tuple[tuple[LearningRow, ...], tuple[str, ...]]:
    """The curve of each saved policy beside which one lies, and why a curve couldn't be read or shown."""
    rows, complaints = [], []
    for file, spec in {file: spec for spec in specs if (file := policy_file(spec)) is not None}.items():
        if file.with_name(CURVE).exists():
            try:
                rows.append(_row(game, spec, file))
            except OptionError as error:
                complaints.append(f"There is no learning curve of {spec}: {error}.")
    return tuple(rows), tuple(complaints)


def _row(game: Game, spec: str, file: Path) -> LearningRow:
    """The curve beside a policy; OptionError if it isn't the policy's own, or has no evaluations."""
    path = file.with_name(CURVE)
    kept = of_kind(_Trained, load_policy(file, game).config.more, str(file))
    settings = kept.training or kept.distillation
    read = of_kind(Curve, read_json(path, "curve"), str(path)).curve
    curve = [each for each in read if isinstance(each, Evaluated)]
    if settings is None:
        raise OptionError(f"{file} doesn't say how it was trained")
    if not curve:
        raise OptionError(f"{path} has no evaluations")
    if curve[-1].steps != kept.steps:
        raise OptionError(f"{path} ends at {curve[-1].steps:,} steps, the policy has learnt from {kept.steps:,}")
    if not all(each.is_sound for each in curve):
        raise OptionError(f"{path} has rates outside of 0 to 1")
    return LearningRow(
        agent=spec,
        role=settings.role or ANY_SEAT,
        players=settings.players or (game.default_players,),
        opponents=" or ".join(line_ups_in_words(settings.opponents)),
        reference=settings.reference,
        reference_wins=curve[-1].reference,
        points=tuple(map(_point, curve)),
    )


def _point(each: Evaluated) -> CurvePoint:
    """A row of the curve's file."""
    won = Rate(round(each.won * each.games) if each.games else 0, each.games, each.low, each.high)
    return CurvePoint(each.steps, each.seconds, won, gain_of(vars(each)))
