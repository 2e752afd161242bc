"""The fitted weights of the models of play, of looks and of talk, in log odds, by player count from 4 on.

TALLIES (counts, NUM_ROLES, NUM_TALLIES): for each unit of a Deed or Choice by a seat of the role. ASKED_FIRST and
ASKED_AGAIN (counts, NUM_ROLES, NUM_ROLES): for the first co-op that the first role asks of the second, and for each
further one. LOOKS (counts, NUM_SITUATIONS, NUM_ROLES, NUM_LEANINGS): for each kelp, log and coin of a tile, its Hunt
icon and its text, by the situation and the role of a seat that has looked at it.

HEARD (counts, NUM_ROLES, NUM_HEARD): by the speaker's role, for each unit of Heard. SAID (counts, NUM_CAMPS,
NUM_ROLES, NUM_ROLES): by the camp claimed, the speaker's role and that of the seat it is about. BEARS (counts,
2 NUM_CLAIMED, NUM_ROLES, NUM_CLAIMED): by what a tile is claimed to bear (by seats that haven't looked at it, then by
those that have), the speaker's role, and what would be true. The files were written by

    python experiments/studies fitting.riverbed_hunt --agent rule_based --games 6000 --seed 5
    python experiments/studies fitting.riverbed_hunt_looks --agent rule_based --games 8000 --seed 5
    python experiments/studies fitting.riverbed_hunt_claims --agent rule_based --games 400 --seed 5
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from riverbed_env.core.files import read_arrays, write_arrays
from riverbed_env.kernels.compile import Floats

HUNDRED = 100  # the files hold hundredths
ROLE_FILE, LOOK_FILE, CLAIM_FILE = (
    Path(__file__).with_name(f"{name}_weights.npz") for name in ("role", "look", "claim")
)


def load(path: Path) -> dict[str, Floats]:
    """The arrays of a file by name. Raises OptionError if the file can't be read."""
    return {name: array / HUNDRED for name, array in read_arrays(path, "weights").items()}


def save(path: Path, weights: Mapping[str, Floats]) -> None:
    """Write arrays by name, rounded to hundredths. Raises WriteError if the file can't be written."""
    rounded = {name: np.rint(array * HUNDRED).astype(np.int16) for name, array in weights.items()}
    write_arrays(path, rounded, compressed=True)


_ROLES, _CLAIMS = load(ROLE_FILE), load(CLAIM_FILE)
TALLIES, ASKED_FIRST, ASKED_AGAIN = (_ROLES[name] for name in ("tallies", "asked_first", "asked_again"))
LOOKS = load(LOOK_FILE)["looks"]
HEARD, SAID, BEARS = (_CLAIMS[name] for name in ("heard", "said", "bears"))
