"""Random games never treat the two sides differently."""

from pathlib import Path

import numpy as np
import pytest
from random_games import Games

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.actions import ACTIONS, MIRRORED_ACTION
from riverbed_env.games.deep_river.rules.state import event_field
from riverbed_env.games.deep_river.rules.vocab import MIRRORED_PLACE, NUM_PLACES, Event

CHECK_PACK = Path(__file__).parents[1] / "referee" / "packs" / "deep_river" / "check.toml"


def differences(games: Games, others: Games) -> list[str]:
    """The fields of the table in which games differ."""
    names = games.dtype["table"].names or ()
    return [name for name in names if (games["table"][name] != others["table"][name]).any()]


def mirrored_event(word: int) -> int:
    """An event seen from the other side."""
    if word == 0:
        return 0
    kind, actor, place, second, thing, turn = (event_field(word, field) for field in range(6))
    actor = actor and 3 - actor
    place, second = (where and 1 + int(MIRRORED_PLACE[where - 1]) for where in (place, second))
    thing = 8 - thing if kind == Event.BEAR else thing
    return kind | actor << 5 | place << 7 | second << 11 | thing << 15 | turn << 19


def mirrored(games: Games) -> Games:
    """The same position with salmon and eels in each other's place."""
    turned = copy_records(games)
    for game in turned:
        table = game["table"]
        slots = MIRRORED_PLACE[2:] - 2
        for name in ("top", "under"):
            table[name] = -table[name][slots]
        for name in ("nest", "deeds", "tile"):
            table[name] = table[name][::-1].copy()
        table["bear"] = 8 - table["bear"]
        for name in ("first", "active", "asked", "winner"):
            if table[name] >= 0:
                table[name] = 1 - table[name]
        table["moving"] = -table["moving"]
        for name in ("lifted", "arrived"):
            if table[name] >= 0:
                table[name] = MIRRORED_PLACE[table[name]]
        table["places"] = sum(
            1 << int(MIRRORED_PLACE[place]) for place in range(NUM_PLACES) if int(table["places"]) >> place & 1
        )
        table["events"] = [mirrored_event(int(word)) for word in table["events"]]
    return turned


@pytest.mark.parametrize("pack", ["default", CHECK_PACK], ids=["default", "check"])
def test_both_sides_see_and_play_alike_positions_alike(pack: str | Path) -> None:
    one, other = (Batch(DEEP_RIVER, 6, seed=4, auto_reset=False, pack=pack, auto_forced="none") for _ in range(2))
    other.set_state(mirrored(one.games))
    while one.acting.any():
        for seat in range(2):
            for seen, seen_there in zip(one.observe(seat), other.observe(1 - seat), strict=True):
                assert (seen == seen_there).all()
        actions = one.random_actions()
        one.step(actions)
        other.step(actions)
        assert differences(mirrored(one.games), other.games) == []
    assert (one.returns == other.returns[:, ::-1]).all()


def test_mirroring_twice_is_nothing() -> None:
    assert (MIRRORED_ACTION[MIRRORED_ACTION] == np.arange(ACTIONS.size)).all()
