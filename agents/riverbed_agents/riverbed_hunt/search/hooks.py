"""Hooks of Riverbed Hunt's rollouts: the value network, and worlds drawn by the deduction."""

import numpy as np

from riverbed_env.games.riverbed_hunt.deduction.evidence import EVIDENCE
from riverbed_env.games.riverbed_hunt.deduction.posterior import PLAYING
from riverbed_env.games.riverbed_hunt.deduction.resample import resample
from riverbed_env.kernels.common import keep
from riverbed_env.kernels.compile import Record
from riverbed_env.rollouts.hooks import RolloutHooks

from ..kernels import kernel
from .values import winning_chance


@kernel
def turn_of(game: Record) -> int:
    """The number of the turn."""
    return int(game["table"]["turn"])


@kernel
def expected_return(game: Record, params: Record, seat: int) -> float:
    """A seat's expected return by the value network, -1 to 1."""
    return 2.0 * winning_chance(game, params, seat) - 1.0


@kernel
def draw_world(view: Record, params: Record, stream: Record, game: Record) -> None:
    """A state from the posterior under the model of play."""
    evidence = np.empty(1, EVIDENCE)
    resample(view, params, evidence[0], PLAYING, stream, game)
    keep(evidence)


HOOKS = RolloutHooks("values", turn_of, expected_return, draw_world, kernel.folders)
