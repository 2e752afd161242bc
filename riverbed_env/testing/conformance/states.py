"""Saved states that aren't sound."""

from __future__ import annotations

import os
import subprocess
import sys
from itertools import product

import numpy as np
import pytest

import riverbed_env
from riverbed_env.entries import ENTRIES
from riverbed_env.errors import StateError
from riverbed_env.registry import find_game

from .forgery import forgeries
from .kit import assert_still_usable, begun, forged, is_over, new_env, observable, play, record_of
from .options import OneGame, player_counts


class StateTests(OneGame):
    """Saved states that are damaged, forged or of another game are refused, and nothing changes."""

    def test_every_reachable_state_is_sound(self, game_id: str) -> None:
        for count in player_counts(game_id):
            env, other = (new_env(game_id, num_players=count, auto_forced="none") for _ in range(2))
            env.reset(seed=count)
            rng = np.random.default_rng(count)
            for _ in range(3):
                while not is_over(env):
                    other.set_state(env.get_state())
                    play(env, rng, 1)
                other.set_state(env.get_state())
                env.reset()

    def test_records_whose_numbers_are_out_of_range_are_refused(self, game_id: str) -> None:
        """Any field at the least and the greatest value it can hold: those that are accepted are legal values."""
        env = begun(game_id)
        before = observable(env)
        source = begun(game_id, 0.6, seed=2)
        state = source.get_state()
        batch = riverbed_env.make_batch(game_id, 1, seed=1)
        kept = batch.get_state().tobytes()
        refused = accepted = 0
        reasons: set[str] = set()
        kept_bytes = env.get_state()
        for what, records in forgeries(record_of(source), np.random.default_rng(1), ("least", "greatest")):
            twin = env.clone()
            try:
                twin.set_state(forged(state, body=records.tobytes()))
            except StateError as error:
                reasons.add(str(error).partition("the state isn't sound: ")[2])
                assert twin.get_state() == kept_bytes, what
                with pytest.raises(StateError, match=r"the state of game 0 isn't sound: .{10}"):
                    batch.set_state(records)
                refused += 1
            else:
                accepted += 1
        assert batch.get_state().tobytes() == kept
        assert all(len(reason) > 10 for reason in reasons)
        assert refused > 3 * accepted, f"{refused} refused, {accepted} accepted"
        assert_still_usable(env, before)

    @pytest.mark.parametrize("name", ["seed", "number"])
    def test_a_seed_or_number_below_0_is_refused(self, game_id: str, name: str) -> None:
        env = begun(game_id)
        records = record_of(env)
        records[name] = -1
        before = env.get_state()
        with pytest.raises(StateError, match=r"isn't sound: .{10}"):
            env.set_state(forged(before, body=records.tobytes()))
        assert env.get_state() == before

    def test_a_forged_event_is_refused_or_can_be_told(self, game_id: str) -> None:
        """Every kind of event with each other byte unchanged, small and huge, is refused or described."""
        source, env = begun(game_id, 0.6), begun(game_id)
        if "events" not in (find_game(game_id).dtype["table"].names or ()):
            pytest.skip("its record keeps no events")
        sound = source.get_state()
        refused = described = 0
        for kind, value in product(range(1, 40), (0, 1, 2, 12, 40, 127, 255)):
            records = record_of(source)
            events = records["table"]["events"].copy()
            size = events[0, 0].nbytes
            for place in range(1, size):
                forgery = events.copy()
                newest = forgery.view(np.uint8).reshape(-1)[:size]
                newest[0], newest[place] = kind, value
                records["table"]["events"] = forgery
                try:
                    env.set_state(forged(sound, body=records.tobytes()))
                except StateError:
                    refused += 1
                else:
                    env.describe_events()
                    env.describe_observation(env.observe(env.agents[0]))
                    described += 1
        assert refused > 100
        assert described > 0

    @pytest.mark.slow
    def test_forged_records_are_refused_or_can_be_played(self, game_id: str) -> None:
        """In a process of its own and uncompiled: compiled, a bad index reads or writes beside the record."""
        package = ENTRIES[game_id].game.partition(":")[0]
        done = subprocess.run(
            [sys.executable, "-m", "riverbed_env.testing.conformance.forgery", package, game_id],
            env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": os.pathsep.join(sys.path)},
            capture_output=True,
            text=True,
            check=False,
        )
        assert done.returncode == 0, done.stderr
        wrong = done.stdout.splitlines()
        assert not wrong, "\n".join([f"{len(wrong)} in all:", *wrong])
