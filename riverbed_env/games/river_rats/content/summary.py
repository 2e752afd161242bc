"""The summary of finished games: who won, how long each took, how often events happened."""

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import SummarySpec
from riverbed_env.kernels.compile import Records

from ..rules.vocab import Ending, Event, Winner

ROLE_NAMES = ("player",)
CAMP_NAMES = ("players",)
CAMP_OF_ROLE = {"player": "players"}

SUMMARY_SPEC = SummarySpec(
    happened={"truncated": "truncated"},
    means={
        "rounds": "rounds",
        "decisions": "decisions",
        "rats beaten": "rats_defeated",
        "hands won": "hands_won",
        "hands lost": "hands_lost",
        "predictions": "predictions_met",
        "jokers": "jokers_used",
    },
)


def columns(games: Records) -> dict[str, npt.NDArray[np.generic]]:
    """The columns of the summary, with one entry per game in each.

    winner: camp number, -1 where nobody won or the game was truncated; nobody_won: the rats won.
    """
    table = games["table"]
    tally = table["tally"]
    over = table["ending"] == Ending.OVER
    return {
        "game": games["number"],
        "winner": np.where(table["winner"] == Winner.PLAYERS, 0, -1),
        "nobody_won": over & (table["winner"] == Winner.RATS),
        "truncated": table["ending"] == Ending.TRUNCATED,
        "turns": table["turn"],
        "rounds": table["round"],
        "decisions": table["decisions"],
        "first_rat": games["first_rat"],
        "second_rat": games["second_rat"],
        "rats_defeated": tally[:, Event.DEFEAT],
        "hands_won": tally[:, Event.HAND_WON],
        "hands_lost": tally[:, Event.HAND_LOST],
        "predictions_met": tally[:, Event.PREDICTION],
        "jokers_used": tally[:, Event.JOKER],
        "busts": tally[:, Event.BUST],
        "skips": tally[:, Event.SKIP],
        "reshuffles": tally[:, Event.RESHUFFLE],
    }
