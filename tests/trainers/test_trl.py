"""TRL finds the game's tool and its types, and a game is played by its calls; run by `make trainers`."""

from functools import partial

import pytest

pytest.importorskip("trl")

from trainers.players import choices
from transformers.utils import get_json_schema

from riverbed_lab.seat_env.trl import SeatTools

FACTORY = partial(SeatTools, players=4, opponents="simple")


def test_the_tool_is_named_and_typed() -> None:
    schema = get_json_schema(FACTORY().act)["function"]
    assert schema["name"] == "act"
    assert schema["parameters"]["properties"]["choice"]["type"] == "integer"
    assert schema["parameters"]["required"] == ["choice"]


def test_a_game_by_calls_of_its_tool_has_the_reward_of_its_end() -> None:
    tools = FACTORY(reward="win")
    asked = tools.reset(index=5, prompt="ignored")
    assert tools.get_reward() == -1  # not over
    while numbers := choices(asked):
        assert "isn't among the numbers" in tools.act(0)
        asked = tools.act(numbers[0])
    assert tools.get_reward() in (0, 1)
    with pytest.raises(ValueError, match="over"):
        tools.act(1)
