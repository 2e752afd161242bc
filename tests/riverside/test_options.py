"""The option that only Riverside has: the extension; and who is paid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.envs.riverside_v0 import parallel_env, raw_env
from riverbed_env.errors import OptionError, StateError
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import is_over, play

WRONG: list[Any] = ["yes", "True", 1, 0, None, 1.0, [True]]


@pytest.mark.parametrize("extension", WRONG, ids=repr)
def test_wrong_values_are_refused_by_name(extension: Any) -> None:
    for make in (raw_env, parallel_env, lambda extension: make_batch("riverside_v0", 2, extension=extension)):
        with pytest.raises(OptionError) as caught:
            make(extension=extension)
        assert "extension must be True or False" in str(caught.value)
        assert f"not {extension!r}" in str(caught.value)


def test_a_flag_of_numpy_is_taken() -> None:
    env, other = raw_env(extension=np.bool_(True)), raw_env(extension=True)
    for each in (env, other):
        each.reset(seed=1)
    assert env.get_state() == other.get_state()


def test_the_extension_lies_two_more_tiles() -> None:
    plain, extended = (make_batch("riverside_v0", 1, extension=extension) for extension in (False, True))
    assert int(extended.params["num_places"][0]) == int(plain.params["num_places"][0]) + 2
    assert int(extended.params["deduction"][0]) == 25
    assert int(plain.params["deduction"][0]) == 0


def test_states_with_and_without_the_extension_are_told_apart() -> None:
    plain, extended = raw_env(), raw_env(extension=True)
    for env in (plain, extended):
        env.reset(seed=1)
        play(env, np.random.default_rng(1), 30)
    for env, other in ((plain, extended), (extended, plain)):
        before = env.get_state()
        with pytest.raises(StateError):
            env.set_state(other.get_state())
        assert env.get_state() == before


@pytest.mark.parametrize("rewards", ["win", "zero_sum"])
@pytest.mark.parametrize("count", [2, 4, 6])
def test_the_highest_scores_win(count: int, rewards: str) -> None:
    env = raw_env(num_players=count, rewards=rewards)
    env.reset(seed=count)
    rng = np.random.default_rng(count)
    for number in range(6):
        play(env, rng)
        assert is_over(env)
        batch = make_batch("riverside_v0", 1, num_players=count)
        batch.set_state(np.frombuffer(env.get_state()[-env.game.dtype.itemsize :], env.game.dtype))
        columns = find_game("riverside_v0").columns(batch.get_state())
        assert int(columns["game"][0]) == number
        finals = [int(columns[f"final_{seat}"][0]) for seat in range(count)]
        won = [int(columns[f"won_{seat}"][0]) for seat in range(count)]
        assert [final == max(finals) for final, win in zip(finals, won, strict=True) if win] == [True] * sum(won)
        paid = list(env.rewards.values())
        if rewards == "win":
            assert paid == [1.0 if win else -1.0 for win in won]
        elif sum(won) < count:
            lost = count - sum(won)
            np.testing.assert_allclose(paid, [1 / sum(won) if win else -1 / lost for win in won], rtol=1e-6)
        env.reset()
