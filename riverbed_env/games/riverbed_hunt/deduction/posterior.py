"""The exact posterior over roles under the model of play.

The model of play: given a seat's role (and the role of a seat it asks), its co-ops, dives, swims, cards, reveals and
informed choices are independent, so each multiplies the odds by a factor. The factors are fitted to games; see
`weights`.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import uniform

from ..rules.vocab import MAX_SEATS, MIN_PLAYERS, NUM_ROLES
from . import kernel
from .assignments import SUMS, asking_factors, sum_up, walk, weigh_alone, with_claims
from .weights import ASKED_AGAIN, ASKED_FIRST, HEARD, SAID, TALLIES

Numbers = npt.NDArray[np.float64]
Roles = npt.NDArray[np.int64]

# Models of play: choices and words that don't depend on the role; the fitted model; the same without words.
UNIFORM_CHOICE, PLAYING, DEAF = 0, 1, 2

ASKED = asking_factors(ASKED_FIRST, ASKED_AGAIN)

# By model. Under uniform choice, tallies, asks and words carry no information.
FACTORS = np.stack(
    [
        with_claims(np.ones_like(ASKED), np.zeros_like(SAID)),
        with_claims(ASKED, SAID),
        with_claims(ASKED, np.zeros_like(SAID)),
    ]
)
LOG_ODDS = np.stack(
    [
        np.zeros((*TALLIES.shape[:-1], TALLIES.shape[-1] + HEARD.shape[-1])),
        np.concatenate([TALLIES, HEARD], axis=-1),
        np.concatenate([TALLIES, np.zeros_like(HEARD)], axis=-1),
    ]
)


@kernel
def weigh_roles(evidence: Record, model: int, marginals: Numbers) -> None:
    """Write the probability of each seat's role, given the evidence.

    model: PLAYING; DEAF, which hears no words; or UNIFORM_CHOICE, which uses only known roles and the number of cards.
    marginals (MAX_SEATS, NUM_ROLES): written; rows past the players are 0.
    """
    count = int(evidence["num_players"]) - MIN_PLAYERS
    alone = np.empty((MAX_SEATS, NUM_ROLES), np.float64)
    sums = np.empty(1, SUMS)
    marginals[:] = 0.0
    weigh_alone(evidence, LOG_ODDS[model, count], FACTORS[model, count], alone)
    total = sum_up(evidence, alone, FACTORS[model, count], sums, marginals)
    marginals /= total


@kernel
def draw_roles(evidence: Record, model: int, stream: Record, roles: Roles) -> None:
    """Sample an assignment of roles from the posterior. roles (MAX_SEATS,): written, UNKNOWN past the players."""
    count = int(evidence["num_players"]) - MIN_PLAYERS
    alone = np.empty((MAX_SEATS, NUM_ROLES), np.float64)
    sums = np.empty(1, SUMS)
    marginals = np.zeros((MAX_SEATS, NUM_ROLES), np.float64)
    no_pairs = np.zeros((0, NUM_ROLES, NUM_ROLES), np.float64)
    weigh_alone(evidence, LOG_ODDS[model, count], FACTORS[model, count], alone)
    total = sum_up(evidence, alone, FACTORS[model, count], sums, marginals)
    walk(evidence, alone, FACTORS[model, count], roles, marginals, no_pairs, uniform(stream) * total)
