"""Ford as the library knows it."""

from __future__ import annotations

from dataclasses import dataclass
from types import ModuleType

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game, Kernels, SummarySpec
from riverbed_env.core.options import check_choice
from riverbed_env.errors import OptionError

from . import rules, sight
from .tables import (
    ACTIONS,
    DEFAULT_MAX_DECISIONS,
    GAME,
    MAX_SEATS,
    MIN_PLAYERS,
    OBSERVATION,
    PARAMS,
    STATE,
    VIEW,
    VIEWS,
    Ending,
    Forced,
    kernel,
)

MAX_CAP = 2**31 - 2
Records = npt.NDArray[np.void]


@dataclass(frozen=True)
class Stones:
    """What stands in for a content pack."""

    name: str = "stones"
    hash: str = "0000000000000000"


def make_params(
    num_players: int = 3, auto_forced: str = "public", max_decisions: int = DEFAULT_MAX_DECISIONS
) -> tuple[Records, Stones]:
    """The (1,) setting array; OptionError for a value that isn't allowed."""
    check_whole("num_players", num_players, MIN_PLAYERS, MAX_SEATS)
    check_whole("max_decisions", max_decisions, 1, MAX_CAP)
    check_choice("auto_forced", auto_forced, [forced.name.lower() for forced in Forced])
    params = np.zeros(1, PARAMS)
    params[0] = (num_players, Forced[auto_forced.upper()], max_decisions)
    return params, Stones()


def check_whole(name: str, value: object, low: int, high: int) -> None:
    """OptionError unless the value is a whole number from low to high."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    if not whole or not low <= int(value) <= high:  # type: ignore[call-overload]  # it is whole
        raise OptionError(f"{name} must be an integer from {low} to {high}, not {value!r}")


def columns(games: Records) -> dict[str, npt.NDArray[np.generic]]:
    """What is told of finished games."""
    table = games["table"]
    over = table["ending"] == Ending.OVER
    return {
        "game": games["number"],
        "winner": np.where(over, 0, -1).astype(np.int8),
        "nobody_won": np.zeros(len(games), np.bool_),
        "truncated": table["ending"] == Ending.TRUNCATED,
        "decisions": table["decisions"],
        **{f"points_{seat}": table["points"][:, seat] for seat in range(MAX_SEATS)},
    }


def load_words() -> ModuleType:
    """The module that says things in plain English."""
    from . import words

    return words


def load_card() -> ModuleType:
    """The module that writes the game's parts of its card."""
    from . import card

    return card


FORD = Game(
    name="ford",
    title="Ford",
    version=0,
    registry_id="toy/Ford-v0",
    family=kernel,
    dtype=GAME,
    view_dtype=VIEW,
    kernels=Kernels(
        reset=rules.reset,
        step=rules.step,
        refusal=rules.refusal,
        current_seat=rules.current_seat,
        ending=rules.ending,
        write_mask=rules.write_mask,
        observe=sight.observe,
        write_state=sight.write_state,
        write_returns=rules.write_returns,
        agent_stream=rules.agent_stream,
        violation=rules.violation,
    ),
    actions=ACTIONS,
    observation=OBSERVATION,
    views=VIEWS,
    state=STATE,
    min_players=MIN_PLAYERS,
    max_players=MAX_SEATS,
    default_players=MAX_SEATS,
    roles=("wader",),
    camps=("wader",),
    camp_of_role={"wader": "wader"},
    columns=columns,
    make_params=make_params,
    load_words=load_words,
    load_card=load_card,
    summary=SummarySpec(means={"decisions": "decisions"}, score="points"),
)
