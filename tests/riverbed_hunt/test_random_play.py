"""Random games over all player counts and layouts break no invariant, don't stall, and don't reach the cap."""

from __future__ import annotations

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from random_games import check_all, check_forced_decisions, faults, play_out
from repetitions import repetitions

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.content.pack import load_pack
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import Ending

COUNTS = range(4, 10)
SEEDS = st.integers(0, 2**63 - 1)
LAYOUTS = [(count, layout.name, "public") for count in COUNTS for layout in load_pack().layouts(count)]


@cache
def batch_of(n: int, num_players: int, auto_forced: str = "public", layout: str | None = None) -> Batch:
    """A batch for all tests; each deals new games in it."""
    return Batch(
        RIVERBED_HUNT, n, seed=0, num_players=num_players, auto_forced=auto_forced, layout=layout, auto_reset=False
    )


@pytest.mark.parametrize(
    ("num_players", "layout", "auto_forced"),
    LAYOUTS + [(count, None, forced) for count in COUNTS for forced in ("all", "none")],
)
def test_random_games_are_sound_at_every_step(num_players: int, layout: str | None, auto_forced: str) -> None:
    batch = batch_of(repetitions(12, uncompiled=1), num_players, auto_forced, layout)
    for _ in play_out(batch, 1000 + num_players):
        check_all(batch)
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.WON}


@pytest.mark.slow
@pytest.mark.parametrize("num_players", COUNTS)
def test_ten_thousand_games_are_sound_and_come_to_an_end(num_players: int) -> None:
    n = 10_000 // len(COUNTS) + 1
    batch = Batch(
        RIVERBED_HUNT,
        n,
        seed=20,
        num_players=num_players,
        first_game=n * num_players,
        layout="random",
        auto_reset=False,
    )
    longest = 0
    while batch.acting.any():
        acting = batch.games[batch.acting]
        found = faults(batch, acting)
        assert not found.any(), acting["number"][found > 0]
        assert (batch.action_mask[batch.acting].sum(axis=1) > 0).all()
        batch.step(batch.random_actions())
        longest += 1
    assert not faults(batch, batch.games).any()
    assert batch.game_number.tolist() == list(range(n * num_players, n * num_players + n))
    assert set(batch.games["table"]["ending"].tolist()) == {Ending.WON}
    assert int(batch.games["table"]["decisions"].max()) < 600
    assert longest < 600


@settings(max_examples=repetitions(20, uncompiled=3), deadline=None, database=None, derandomize=True)
@given(
    seed=st.integers(0, 2**63 - 1), num_players=st.sampled_from(COUNTS), auto_forced=st.sampled_from(["public", "all"])
)
def test_decisions_taken_for_the_players_change_nothing(seed: int, num_players: int, auto_forced: str) -> None:
    check_forced_decisions(batch_of(1, num_players, auto_forced), batch_of(1, num_players, "none"), seed)
