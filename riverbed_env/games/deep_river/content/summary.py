"""Summaries of finished games: who won, who began, how long the game took, how often things happened."""

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import SummarySpec
from riverbed_env.kernels.compile import Records

from ..rules.vocab import DOUBLE_TILE, EEL_NEST, NUM_DEEDS, NUM_SEATS, SALMON_NEST, Camp, Deed, Ending

ROLE_NAMES = ("salmon", "eel")
CAMP_NAMES = ("salmon", "eel")
CAMP_OF_ROLE = {"salmon": "salmon", "eel": "eel"}

SUMMARY_SPEC = SummarySpec(
    happened={"first wins": "first_won", "draw": "nobody_won", "by the bear": "by_bear"},
    means={"turns": "turns", "decisions": "decisions"},
)


def roles_of(games: Records) -> npt.NDArray[np.int8]:
    """The role of each seat, (n, 2) int8: seat 0 is the salmon, seat 1 the eel."""
    return np.tile(np.arange(NUM_SEATS, dtype=np.int8), (len(games), 1))


def columns(games: Records) -> dict[str, npt.NDArray[np.generic]]:
    """The columns of a summary, each with one entry per game.

    winner: camp number, -1 after a draw or truncation; nobody_won: a draw; first: the side that began; first_won: that
    side won; by_bear: the bear ended the game in a nest; bear: its steps from the middle, positive towards the eels.
    """
    table = games["table"]
    over = table["ending"] == Ending.OVER
    deeds = table["deeds"].astype(np.int64).sum(axis=1)
    deed_columns = {Deed(deed).name.lower(): deeds[:, deed] for deed in range(NUM_DEEDS)}
    return {
        "game": games["number"],
        "winner": table["winner"],
        "nobody_won": over & (table["winner"] == Camp.NONE),
        "truncated": table["ending"] == Ending.TRUNCATED,
        "turns": table["turn"],
        "decisions": table["decisions"],
        "first": table["first"],
        "first_won": over & (table["winner"] == table["first"]),
        "by_bear": over & ((table["bear"] == SALMON_NEST) | (table["bear"] == EEL_NEST)),
        "bear": table["bear"] - np.int8(DOUBLE_TILE),
        **deed_columns,
    }
