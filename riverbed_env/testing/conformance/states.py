"""Saved states that aren't sound."""

import faulthandler
import os
import sys

import numpy as np
import pytest

import riverbed_env
from riverbed_env.errors import StateError
from riverbed_env.kernels.compile import compiled
from riverbed_env.registry import find_game

from .forgery import play_forged
from .kit import assert_same, assert_still_usable, begun, forged, is_over, new_env, observable, play, record_of
from .options import OneGame, player_counts, rich_options

STATES = int(os.environ.get("RIVERBED_STATES", "400" if compiled() else "40"))  # changed ones of each game
KILLED_AFTER = 1800 + STATES  # seconds: a loop without an end


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
                    assert other.get_state() == env.get_state()
                    play(env, rng, 1)
                other.set_state(env.get_state())
                env.reset()

    def test_a_record_out_of_range_is_refused_and_changes_nothing(self, game_id: str) -> None:
        """A count below 0, at every door that takes records."""
        env = begun(game_id)
        before = observable(env)
        batch = riverbed_env.make_batch(game_id, 1, seed=1)
        kept = batch.get_state().tobytes()
        records = record_of(env)
        records["number"] = -1
        with pytest.raises(StateError, match=r"isn't sound: .{10}"):
            env.set_state(forged(env.get_state(), body=records.tobytes()))
        with pytest.raises(StateError, match=r"the state isn't sound: .{10}"):
            env.set_game(records)
        with pytest.raises(StateError, match=r"the state of game 0 isn't sound: .{10}"):
            batch.set_state(records)
        assert batch.get_state().tobytes() == kept
        assert_same(observable(env), before)
        assert_still_usable(env, before)

    def test_a_changed_state_is_refused_or_ends(self, game_id: str) -> None:
        game, taken = find_game(game_id), 0
        own = [{name: value} for name, tried in self.option_values.items() for value in tried if isinstance(value, str)]
        played = [{}, *rich_options(game), *own]
        # Compiled, a loop without an end can't be interrupted. 2: pytest may have replaced sys.stderr.
        faulthandler.dump_traceback_later(KILLED_AFTER, exit=True, file=2)
        try:
            for place, options in enumerate(played):
                taken += play_forged(game, options, -(-STATES // len(played)), place)
        finally:
            faulthandler.cancel_dump_traceback_later()
        sys.stdout.write(f"{game_id}: {taken} of about {STATES} changed states taken, all of them ended\n")
        assert taken
