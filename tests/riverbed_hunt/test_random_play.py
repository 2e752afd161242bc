"""Random games over all player counts and layouts break no invariant, don't stall, and don't reach the cap."""

from __future__ import annotations

from functools import partial

import pytest
import random_games
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import check_all, check_forced_decisions, play_out
from repetitions import repetitions

from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import Ending

COUNTS = range(4, 10)
SEEDS = st.integers(0, 2**63 - 1)
LAYOUTS = [(count, layout.name, "public") for count in COUNTS for layout in load_pack().layouts(count)]


batch_of = partial(random_games.batch_of, RIVERBED_HUNT)


@pytest.mark.parametrize(
    ("num_players", "layout", "auto_forced"),
    LAYOUTS + [(count, None, forced) for count in COUNTS for forced in ("all", "none")],
)
def test_random_games_are_sound_at_every_step(num_players: int, layout: str | None, auto_forced: str) -> None:
    batch = batch_of(repetitions(12, uncompiled=1), num_players=num_players, auto_forced=auto_forced, layout=layout)
    for _ in play_out(batch, 1000 + num_players):
        check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.WON}


@pytest.mark.parametrize("num_players", COUNTS)
def test_random_games_with_talk_are_sound_at_every_step(num_players: int) -> None:
    options = {"talk": "claims", "talk_budget": 1 + num_players % 3, "layout": "random"}
    options["talk_speakers"] = "table" if num_players < 7 else "active"
    batch = batch_of(repetitions(4, uncompiled=1), num_players=num_players, **options)
    for _ in play_out(batch, 2000 + num_players):
        check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.WON}
    assert (batch.games["table"]["said_count"] > 0).all()


@settings(max_examples=repetitions(20, uncompiled=3), deadline=None, database=None, derandomize=True)
@given(
    seed=st.integers(0, 2**63 - 1),
    num_players=st.sampled_from(COUNTS),
    auto_forced=st.sampled_from(["public", "all"]),
    talk=st.sampled_from(["none", "claims"]),
)
def test_decisions_taken_for_the_players_change_nothing(
    seed: int, num_players: int, auto_forced: str, talk: str
) -> None:
    quick, slow = (
        batch_of(1, num_players=num_players, auto_forced=forced, talk=talk) for forced in (auto_forced, "none")
    )
    check_forced_decisions(quick, slow, seed)
