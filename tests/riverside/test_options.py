"""The option that only Riverside has: the extension; and who is paid."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.envs.riverside_v0 import parallel_env, raw_env
from riverbed_env.errors import OptionError, StateError
from riverbed_env.testing.conformance.kit import play

WRONG: list[Any] = ["yes", "True", 1, 0, None, 1.0]


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
