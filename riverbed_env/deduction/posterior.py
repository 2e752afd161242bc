"""The posterior over roles: every open assignment weighed by the model of play, exactly.

The model of play: a seat's co-ops, dives, swims, cards and reveals, and what it chose knowingly, are drawn
independently of each other given its role (and, for whom it asks, the other's role), so that each multiplies the odds
by a factor of its own. The factors are fitted from games, see `weights`.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, MIN_PLAYERS, NUM_ROLES
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from .assignments import SUMS, asking_factors, sum_up, walk, weigh_alone
from .kernels import kernel
from .weights import ASKED_AGAIN, ASKED_FIRST, TALLIES

Numbers = npt.NDArray[np.float64]
Roles = npt.NDArray[np.int64]

PLAYING, UNIFORM_CHOICE = 1, 0  # the model of play: fitted, or every choice as likely whatever one's role

ASKED = asking_factors(ASKED_FIRST, ASKED_AGAIN)

# Under uniform choice no tally and no asking says anything.
FACTORS = np.stack([np.ones_like(ASKED), ASKED])
LOG_ODDS = np.stack([np.zeros_like(TALLIES), TALLIES])


@kernel
def weigh_roles(evidence: Record, model: int, marginals: Numbers) -> None:
    """The probability of each seat's having each role, given the evidence.

    model: PLAYING, or UNIFORM_CHOICE, under which only known roles and the number of cards tell. marginals (MAX_SEATS,
    NUM_ROLES): written; rows past the players are 0.
    """
    count = int(evidence["num_players"]) - MIN_PLAYERS
    alone = np.empty((MAX_SEATS, NUM_ROLES), np.float64)
    rooms = np.empty(1, SUMS)
    marginals[:] = 0.0
    weigh_alone(evidence, LOG_ODDS[model, count], FACTORS[model, count], alone)
    total = sum_up(evidence, alone, FACTORS[model, count], rooms, marginals)
    marginals /= total


@kernel
def draw_roles(evidence: Record, model: int, stream: Record, roles: Roles) -> None:
    """Draw an assignment of roles by its probability. roles (MAX_SEATS,): written, UNKNOWN past the players."""
    count = int(evidence["num_players"]) - MIN_PLAYERS
    alone = np.empty((MAX_SEATS, NUM_ROLES), np.float64)
    rooms = np.empty(1, SUMS)
    marginals = np.zeros((MAX_SEATS, NUM_ROLES), np.float64)
    none = np.zeros((0, NUM_ROLES, NUM_ROLES), np.float64)
    weigh_alone(evidence, LOG_ODDS[model, count], FACTORS[model, count], alone)
    total = sum_up(evidence, alone, FACTORS[model, count], rooms, marginals)
    walk(evidence, alone, FACTORS[model, count], roles, marginals, none, uniform(stream) * total)
