"""The summary of finished games: roles, winners, lengths and counts of events."""

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import NO_ROLE, SummarySpec, camps_among, seated_roles
from riverbed_env.kernels.compile import Records

from ..rules.vocab import CAMP_OF, NUM_ROLES, Ending, Event, Role

ROLE_NAMES = tuple(Role(role).name.lower() for role in range(NUM_ROLES))
CAMP_NAMES = ("merchants", "separatists", "profiteer")
CAMP_OF_ROLE = {ROLE_NAMES[role]: CAMP_NAMES[camp] for role, camp in enumerate(CAMP_OF)}

SUMMARY_SPEC = SummarySpec(
    happened={"Hunt": "hunts", "Con": "cons", "penalty": "penalties"},
    among={"Con": "has_profiteer"},
    means={"turns": "turns", "decisions": "decisions", "reveals": "reveals"},
)


def roles_of(games: Records) -> npt.NDArray[np.int8]:
    """The role of each seat, (n, seats) int8, in the order of ROLE_NAMES."""
    return seated_roles(games, games["private"]["role"])


def columns(games: Records) -> dict[str, npt.NDArray[np.generic]]:
    """The columns of the summary, with one entry for each game.

    winner: camp number, -1 if truncated. nobody_won: the coins ended a game without a profiteer (RH-6.4).
    """
    table = games["table"]
    tally = table["tally"]
    winner = table["winner"]
    present = camps_among(np.array([*CAMP_OF, NO_ROLE])[roles_of(games)], len(CAMP_NAMES))
    won = table["ending"] == Ending.WON
    at_table = np.take_along_axis(present, np.maximum(winner, 0)[:, None].astype(np.int64), axis=1)[:, 0]
    return {
        "game": games["number"],
        "layout": table["layout"],
        "winner": winner,
        "nobody_won": won & ~at_table,
        "truncated": table["ending"] == Ending.TRUNCATED,
        "turns": table["turn"],
        "decisions": table["decisions"],
        "has_profiteer": present[:, 2],
        "hunts": tally[:, Event.HUNT],
        "penalties": tally[:, Event.PENALTY],
        "cons": tally[:, Event.CON],
        "reveals": tally[:, Event.REVEAL],
        "co_ops": tally[:, Event.CO_OP],
        "uncovers": tally[:, Event.UNCOVER],
        "dives": tally[:, Event.DIVE],
        "cards_played": tally[:, Event.PLAY],
        **{f"track_{name}": table["tracks"][:, track] for track, name in enumerate(("kelp", "log", "coin"))},
    }
