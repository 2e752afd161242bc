"""The curve of a run as its file holds it. Reports read it, so this module doesn't import torch."""

from dataclasses import dataclass

from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite

CURVE = "curve.json"
LEARNER = "learner"


@dataclass(frozen=True)
class Reached:
    """A row of a curve without an evaluation: decisions learnt from, and seconds spent on them."""

    __pydantic_config__ = NOTHING_ELSE

    steps: Count
    seconds: Finite


@dataclass(frozen=True)
class Evaluated(Reached):
    """A row of a curve: the win rates of the learner and the reference on common deals, and their difference."""

    games: Count
    won: float
    low: float
    high: float
    reference: float
    gain: float
    gain_low: float
    gain_high: float


@dataclass(frozen=True)
class Curve:
    """All evaluations of a run, as its file holds them."""

    __pydantic_config__ = NOTHING_ELSE

    curve: tuple[Evaluated | Reached, ...]
