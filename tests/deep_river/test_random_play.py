"""Random games over all options break no invariant, come to an end, and never treat the two sides differently."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from pathlib import Path
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import Games, check_all, check_damage, check_forced_decisions, faults, play_out
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.core.game import copy_records
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.actions import ACTIONS, MIRRORED_ACTION
from riverbed_env.games.deep_river.rules.invariants import Violation
from riverbed_env.games.deep_river.rules.record import event_field
from riverbed_env.games.deep_river.rules.vocab import MIRRORED_PLACE, NUM_PLACES, Camp, Ending, Event, Question
from riverbed_env.kernels.common import newest_event
from riverbed_env.kernels.vocab import MAX_EVENTS

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


@cache
def batch_of(n: int, *options: tuple[str, Any]) -> Batch:
    """A batch for all tests; each deals new games in it."""
    return Batch(DEEP_RIVER, n, seed=0, auto_reset=False, **dict(options))


@pytest.mark.parametrize("options", OPTIONS, ids=str)
def test_random_games_are_sound_at_every_step_and_end(options: dict[str, Any]) -> None:
    batch = batch_of(repetitions(12, uncompiled=2), *options.items())
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
    batch = batch_of(100, ("auto_forced", "none"))
    for _ in play_out(batch, 2):
        pass
    columns = DEEP_RIVER.columns(batch.games)
    assert 44 <= float(np.mean(columns["decisions"].astype(np.float64))) <= 60
    assert not columns["truncated"].any()
    assert set(columns["winner"].tolist()) == {Camp.NONE, Camp.SALMON, Camp.EEL}
    assert columns["by_bear"].any()
    assert columns["nobody_won"].any()


@pytest.mark.slow
def test_ten_thousand_games_are_sound_and_come_to_an_end() -> None:
    batch = Batch(DEEP_RIVER, 10_000, seed=20, auto_reset=False)
    for _ in play_out(batch, 20):
        found = faults(batch, batch.games)
        assert not found.any(), batch.games["number"][found > 0]
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.OVER}
    assert int(batch.games["table"]["turn"].max()) < 60


@settings(max_examples=repetitions(20, uncompiled=3), deadline=None, database=None, derandomize=True)
@given(seed=SEEDS, pack=st.sampled_from(["default", CHECK_PACK]))
def test_decisions_taken_for_the_players_change_nothing(seed: int, pack: str | Path) -> None:
    quick, slow = batch_of(1, ("pack", pack)), batch_of(1, ("pack", pack), ("auto_forced", "none"))
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


# --- the invariants find damage -----------------------------------------------------------------------------------


def middle() -> Games:
    """A game in its middle: a token is asked, pawns and a pile stand on the river."""
    batch = batch_of(20, ("auto_forced", "none"))
    for step in play_out(batch, 3):
        for game in batch.games if step > 12 else ():
            table = game["table"]
            if table["question"] == Question.TOKEN and table["under"].any() and table["event_count"] > MAX_EVENTS:
                return copy_records(np.array([game]))
    raise AssertionError("no such game")


DAMAGES: dict[Violation, Callable[[np.void], None]] = {
    Violation.RANGE: lambda table: table.__setitem__("asked", 7),
    Violation.EVENTS: lambda table: table["events"].__setitem__(newest_event(int(table["event_count"])), -5),
    Violation.PAWNS: lambda table: table["nest"].__setitem__((0, 0), int(table["nest"][0, 0]) ^ 1),
    Violation.TILES: lambda table: table["tile"].__setitem__(1, int(table["tile"][1]) % 4 + 1),
    Violation.TOKENS: lambda table: table["progress"].__setitem__(0, (int(table["progress"][0]) + 1) % 6),
    Violation.TURN: lambda table: table.__setitem__("active", 1 - int(table["active"])),
    Violation.ENDING: lambda table: table.__setitem__("bear", 0),
    Violation.ASKED: lambda table: table.__setitem__("asked", -1),
    Violation.UNDER_WAY: lambda table: table.__setitem__("moves_left", 1),
    Violation.CHOICES: lambda table: table.__setitem__("tokens", int(table["tokens"]) ^ 1),
}


@pytest.mark.parametrize("fault", DAMAGES, ids=lambda fault: fault.name)
def test_damage_is_found_and_named(fault: Violation) -> None:
    batch = batch_of(1, ("auto_forced", "none"))
    check_damage(batch, middle(), lambda game: DAMAGES[fault](game["table"]), fault)


def test_a_pile_of_one_side_is_found() -> None:
    games = middle()
    table = games[0]["table"]
    slot = int(np.flatnonzero(table["under"])[0])
    under, side = int(table["under"][slot]), int(table["under"][slot] < 0)
    table["under"][slot] = int(np.sign(table["top"][slot]))
    table["nest"][side, 0] += 1
    table["nest"][1 - side, 0] -= 1
    assert abs(under) in (1, 2)
    assert Violation(int(faults(batch_of(1, ("auto_forced", "none")), games)[0])) in (Violation.PILES, Violation.RANGE)


def test_forged_fields_are_refused_or_can_be_played_on() -> None:
    draw = Random(8)
    batch = Batch(DEEP_RIVER, 1, seed=6, auto_reset=False, pack=CHECK_PACK, auto_forced="none")
    names = list(batch.games.dtype["table"].names or ())
    for trial in range(repetitions(240, uncompiled=60)):
        batch.reset(seed=trial)
        for _ in range(draw.randrange(40)):
            if batch.acting.any():
                batch.step(batch.random_actions())
        forged = copy_records(batch.games)
        values = forged[0]["table"][names[trial % len(names)]]
        number = draw.choice([-128, -2, -1, 0, 1, 2, 3, 5, 9, 100])
        if values.shape:
            values.reshape(-1)[draw.randrange(values.size)] = number
        else:
            forged[0]["table"][names[trial % len(names)]] = number
        if faults(batch, forged)[0] == Violation.NONE:
            batch.set_state(forged)
            for _ in range(8):
                if batch.acting.any():
                    check_all(batch)
                    batch.step(batch.random_actions())
