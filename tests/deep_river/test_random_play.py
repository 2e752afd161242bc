"""Random games over all options break no invariant, come to an end, and never treat the two sides differently."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import random_games
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import (
    Games,
    check_all,
    check_forced_decisions,
    play_out,
)
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.actions import ACTIONS, MIRRORED_ACTION
from riverbed_env.games.deep_river.rules.state import event_field
from riverbed_env.games.deep_river.rules.vocab import MIRRORED_PLACE, NUM_PLACES, Camp, Ending, Event

CHECK_PACK = Path(__file__).parents[1] / "referee" / "packs" / "deep_river" / "check.toml"
OPTIONS: list[dict[str, Any]] = [
    {},
    {"auto_forced": "none"},
    {"auto_forced": "all"},
    {"pack": CHECK_PACK, "auto_forced": "none"},
    {"tiles": "tttDttt", "faces": "111"},
    {"tiles": "dddDddd", "pack": CHECK_PACK},
    {"max_turns": 7, "view": "now"},
    {"first": "eel", "rewards": "zero_sum"},
]
SEEDS = st.integers(0, 2**63 - 1)


batch_of = partial(random_games.batch_of, DEEP_RIVER)


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games_are_sound_at_every_step_and_end(options: dict[str, Any]) -> None:
    batch = batch_of(repetitions(12, uncompiled=2), **options)
    for _ in play_out(batch, 5):
        check_all(batch)
    table = batch.games["table"]
    assert set(table["ending"].tolist()) <= {Ending.OVER, Ending.TRUNCATED}
    assert (table["turn"] <= batch.params["max_turns"]).all()
    if options.get("max_turns") == 7:
        assert set(table["turn"].tolist()) <= {7} | set(table["turn"][table["ending"] == Ending.OVER].tolist())
        assert (batch.returns[table["ending"] == Ending.TRUNCATED] == 0).all()


@pytest.mark.compiled
def test_figures_are_near_those_of_the_spec() -> None:
    batch = batch_of(100, auto_forced="none")
    for _ in play_out(batch, 2):
        pass
    columns = DEEP_RIVER.columns(batch.games)
    assert 44 <= float(np.mean(columns["decisions"].astype(np.float64))) <= 60
    assert not columns["truncated"].any()
    assert set(columns["winner"].tolist()) == {Camp.NONE, Camp.SALMON, Camp.EEL}
    assert columns["by_bear"].any()
    assert columns["nobody_won"].any()


@settings(max_examples=repetitions(20, uncompiled=3), deadline=None, database=None, derandomize=True)
@given(seed=SEEDS, pack=st.sampled_from(["default", CHECK_PACK]))
def test_decisions_taken_for_the_players_change_nothing(seed: int, pack: str | Path) -> None:
    quick, slow = batch_of(1, pack=pack), batch_of(1, pack=pack, auto_forced="none")
    check_forced_decisions(quick, slow, seed)


def differences(games: Games, others: Games) -> list[str]:
    """The fields of the table in which games differ."""
    names = games.dtype["table"].names or ()
    return [name for name in names if (games["table"][name] != others["table"][name]).any()]


# --- both sides alike ---------------------------------------------------------------------------------------------


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
