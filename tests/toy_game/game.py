"""Ford as the library knows it."""

from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game, Kernels, SummarySpec, later
from riverbed_env.core.options import check_choice, check_whole

from . import rules, sight
from . import tables as t

MAX_CAP = 2**31 - 2
Records = npt.NDArray[np.void]


@dataclass(frozen=True)
class Stones:
    """What stands in for a content pack."""

    name: str = "stones"
    hash: str = "0000000000000000"


def make_params(
    num_players: int = 3, auto_forced: str = "public", max_decisions: int = t.DEFAULT_MAX_DECISIONS
) -> tuple[Records, Stones]:
    """The (1,) params array. Raises OptionError for a value that isn't allowed."""
    check_whole("num_players", num_players, t.MIN_PLAYERS, t.MAX_SEATS)
    check_whole("max_decisions", max_decisions, 1, MAX_CAP)
    check_choice("auto_forced", auto_forced, [forced.name.lower() for forced in t.Forced])
    params = np.zeros(1, t.PARAMS)
    params[0] = (num_players, t.Forced[auto_forced.upper()], max_decisions)
    return params, Stones()


def columns(games: Records) -> dict[str, npt.NDArray[np.generic]]:
    """One row of each finished game, for tables."""
    table = games["table"]
    over = table["ending"] == t.Ending.OVER
    return {
        "game": games["number"],
        "winner": np.where(over, 0, -1).astype(np.int8),
        "nobody_won": np.zeros(len(games), np.bool_),
        "truncated": table["ending"] == t.Ending.TRUNCATED,
        "decisions": table["decisions"],
        **{f"points_{seat}": table["points"][:, seat] for seat in range(t.MAX_SEATS)},
    }


FORD = Game(
    name="ford",
    title="Ford",
    version=0,
    registry_id="toy/Ford-v0",
    family=t.kernel,
    dtype=t.GAME,
    view_dtype=t.VIEW,
    kernels=Kernels.from_modules(rules, sight),
    actions=t.ACTIONS,
    observation=t.OBSERVATION,
    views=t.VIEWS,
    state=t.STATE,
    min_players=t.MIN_PLAYERS,
    max_players=t.MAX_SEATS,
    default_players=t.MAX_SEATS,
    roles=("wader",),
    camps=("wader",),
    camp_of_role={"wader": "wader"},
    columns=columns,
    make_params=make_params,
    load_words=later("toy_game.words"),
    load_card=later("toy_game.card"),
    summary=SummarySpec(means={"decisions": "decisions"}, score="points"),
)
