"""Pebbles as the library knows it."""

from dataclasses import dataclass

import numpy as np

from riverbed_env import Game
from riverbed_env.kit import Kernels, SummarySpec, check_forced, check_whole, later

from . import rules


@dataclass(frozen=True)
class NoPack:
    """What stands in for a content pack."""

    name: str = "none"
    hash: str = "0" * 16


def make_params(num_players=2, auto_forced="public", max_decisions=100):
    """The (1,) params record and the pack; OptionError for values that aren't allowed."""
    params = np.zeros(1, rules.PARAMS)
    params["num_players"] = check_whole("num_players", num_players, 2, 2)
    params["auto_forced"] = check_forced(auto_forced)
    params["max_decisions"] = check_whole("max_decisions", max_decisions, 1, 2**31 - 2)
    return params, NoPack()


def columns(games):
    """One row a game, for tables."""
    table = games["table"]
    over = table["ending"] == rules.OVER
    return {
        "game": games["number"],
        "winner": np.where(over, (table["first"] + table["decisions"] + 1) % 2, -1),
        "nobody_won": np.zeros(len(games), np.bool_),
        "truncated": table["ending"] == rules.TRUNCATED,
        "decisions": table["decisions"],
        "first_won": over & (table["decisions"] % 2 == 1),
    }


def roles_of(games):
    """The role of each seat, (n, seats): its own, as camps are players here."""
    return np.tile(np.arange(2, dtype=np.int8), (len(games), 1))


PEBBLES = Game(
    name="pebbles",
    title="Pebbles",
    version=0,
    registry_id="pebbles/Pebbles-v0",
    family=rules.kernel,
    dtype=rules.GAME,
    view_dtype=rules.VIEW,
    kernels=Kernels.from_modules(rules),  # and what they don't have from `kernels.common`
    actions=rules.ACTIONS,
    observation=rules.OBSERVATION,
    views={"history": rules.OBSERVATION.size},
    state=rules.OBSERVATION,
    min_players=2,
    max_players=2,
    default_players=2,
    roles=("north", "south"),
    camps=("north", "south"),
    camp_of_role={"north": "north", "south": "south"},
    roles_of=roles_of,
    columns=columns,
    make_params=make_params,
    load_words=later("pebbles.words"),
    load_card=later("pebbles.words"),
    summary=SummarySpec(happened={"first wins": "first_won"}, means={"decisions": "decisions"}),
)
