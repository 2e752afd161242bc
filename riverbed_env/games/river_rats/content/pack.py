"""The options of River Rats as params for the kernels. All content is in the rules, so there is no pack to read.

Environments identify the content of a game by a name and a hash, which saved states carry. Here both come from the
options that change the rules: the mode and how a prediction is met.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property

import numpy as np
import numpy.typing as npt

from riverbed_env.core.options import check_choice, check_forced, check_whole

from ..rules.state import PARAMS
from ..rules.vocab import DEFAULT_MAX_DECISIONS, MAX_SEATS, MIN_PLAYERS, JokerUse, Mode, Prediction

MAX_CAP = 2**31 - 2  # decisions are counted in 32 bits


@dataclass(frozen=True)
class Deck:
    """What stands in for a content pack: the rules by mode and by how a prediction is met."""

    mode: str
    prediction: str

    @property
    def name(self) -> str:
        """The rules in a few words."""
        return f"{self.mode}, predictions {self.prediction}"

    @cached_property
    def hash(self) -> str:
        """A hash of the rules' name, 16 hexadecimal digits."""
        return hashlib.sha256(f"river_rats {self.name}".encode()).hexdigest()[:16]


@dataclass(frozen=True)
class ModeRules:
    """RR-5.1: what a mode changes."""

    powers: bool
    abilities: bool
    face_down: int  # face-down cards of the rat, before abilities and bonuses
    joker: JokerUse


MODES = {
    Mode.FIRST_GAME: ModeRules(powers=False, abilities=False, face_down=2, joker=JokerUse.CARD),
    Mode.STANDARD: ModeRules(powers=True, abilities=True, face_down=2, joker=JokerUse.CARD),
    Mode.ADVANCED: ModeRules(powers=True, abilities=True, face_down=3, joker=JokerUse.REMOVE),
    Mode.EXPERT: ModeRules(powers=True, abilities=True, face_down=4, joker=JokerUse.REVEAL),
}
MODE_NAMES = tuple(mode.name.lower() for mode in Mode)
PREDICTION_NAMES = tuple(prediction.name.lower() for prediction in Prediction)


def make_params(
    num_players: int = 3,
    mode: str = "standard",
    prediction: str = "exactly",
    auto_forced: str = "public",
    max_decisions: int = DEFAULT_MAX_DECISIONS,
) -> tuple[npt.NDArray[np.void], Deck]:
    """The params of a game, shape (1,) of PARAMS, and the Deck that stands in for a content pack.

    Raises OptionError for a value that isn't allowed.
    """
    check_whole("num_players", num_players, MIN_PLAYERS, MAX_SEATS)
    check_whole("max_decisions", max_decisions, 1, MAX_CAP)
    check_choice("mode", mode, MODE_NAMES)
    check_choice("prediction", prediction, PREDICTION_NAMES)
    params_array = np.zeros(1, PARAMS)
    params = params_array[0]
    rules = MODES[Mode[mode.upper()]]
    params["max_decisions"] = max_decisions
    params["num_players"] = num_players
    params["auto_forced"] = check_forced(auto_forced)
    params["mode"] = Mode[mode.upper()]
    params["prediction"] = Prediction[prediction.upper()]
    for name in ("powers", "abilities", "face_down", "joker"):
        params[name] = getattr(rules, name)
    return params_array, Deck(mode, prediction)
