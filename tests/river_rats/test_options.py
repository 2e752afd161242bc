"""The options that only River Rats has: the mode and how a prediction is met; the single way of being paid."""

from __future__ import annotations

from typing import Any

import pytest

from riverbed_env.errors import StateError
from riverbed_env.games.river_rats.content.pack import MODE_NAMES, PREDICTION_NAMES
from riverbed_env.testing.conformance.kit import assert_options_refused, begun

WRONG_OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    # what is given, what the message must say
    ({"mode": "easy"}, ["mode", "'first_game' or 'standard' or 'advanced' or 'expert'", "not 'easy'"]),
    ({"mode": "Expert"}, ["mode", "not 'Expert'", "did you mean 'expert'"]),
    ({"mode": None}, ["mode", "not None"]),
    ({"mode": 2}, ["mode", "not 2"]),
    ({"prediction": "roughly"}, ["prediction", "'exactly' or 'at_least_form'", "not 'roughly'"]),
    ({"prediction": "at_least"}, ["prediction", "did you mean 'at_least_form'"]),
    ({"prediction": True}, ["prediction", "not True"]),
    ({"rewards": "zero_sum"}, ["rewards", "'win'", "not 'zero_sum'"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG_OPTIONS, ids=str)
def test_wrong_options_are_refused_by_name(options: dict[str, Any], words: list[str]) -> None:
    assert_options_refused("river_rats_v0", options, words)


def test_states_of_another_mode_or_way_of_predicting_are_refused() -> None:
    tables: list[dict[str, Any]] = [{"mode": mode} for mode in MODE_NAMES]
    tables += [{"prediction": prediction} for prediction in PREDICTION_NAMES if prediction != "exactly"]
    states = [begun("river_rats_v0", **options).get_state() for options in tables]
    for number, options in enumerate(tables):
        env = begun("river_rats_v0", seed=2, **options)
        before = env.get_state()
        for other, state in enumerate(states):
            if other == number:
                continue
            with pytest.raises(StateError, match=f"the state is of pack '.*'{env.pack.hash}'"):
                env.set_state(state)
            assert env.get_state() == before
        env.set_state(states[number])
