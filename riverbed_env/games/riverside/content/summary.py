"""The summary of finished games: winners, scores and counts of events."""

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import SummarySpec
from riverbed_env.kernels.compile import Records

from ..rules.vocab import CHURCH, MAX_SEATS, Ending, Event

ROLE_NAMES = ("captain",)  # all players have the same role and play for themselves
CAMP_NAMES = ("captain",)
CAMP_OF_ROLE = {"captain": "captain"}

SUMMARY_SPEC = SummarySpec(
    means={"rounds": "turns", "decisions": "decisions", "tickets": "tickets", "powers": "powers", "scored": "scores"},
    score="final",
)


def columns(games: Records) -> dict[str, npt.NDArray[np.generic]]:
    """The columns of the summary, each with one entry per game.

    winner: 0, the only camp, or -1 if nobody won. winners: the number of seats that share the win. won_k, final_k,
    captain_k, church_k: whether seat k won, its final score, captain points and stave church points; 0 for empty
    seats.
    """
    table = games["table"]
    tally = table["tally"]
    won = (table["winners"][:, None] >> np.arange(MAX_SEATS)) & 1
    played = np.arange(MAX_SEATS)[None, :] < table["num_players"][:, None]
    church = games["private"]["sheet"]["total"][:, :, CHURCH]
    finals = np.where(played, table["final"], np.iinfo(np.int32).min)
    return {
        "game": games["number"],
        "winner": np.where(won.any(axis=1), 0, -1).astype(np.int8),
        "nobody_won": (table["ending"] == Ending.FINISHED) & ~won.any(axis=1),
        "truncated": table["ending"] == Ending.TRUNCATED,
        "turns": table["round"],
        "decisions": games["timing"]["decisions"],
        "steps": games["timing"]["steps"],
        "winners": won.sum(axis=1).astype(np.int8),
        "best_final": finals.max(axis=1),
        "tickets": tally[:, Event.TICKET],
        "powers": tally[:, Event.UNLOCK],
        "excursions": tally[:, Event.EXCURSION],
        "scores": tally[:, Event.SCORE],
        **{f"won_{seat}": won[:, seat].astype(np.bool_) for seat in range(MAX_SEATS)},
        **{f"final_{seat}": table["final"][:, seat] for seat in range(MAX_SEATS)},
        **{f"captain_{seat}": table["captain"][:, seat] for seat in range(MAX_SEATS)},
        **{f"church_{seat}": church[:, seat] for seat in range(MAX_SEATS)},
    }
