"""A recorded game is played again from its deal and its actions, whatever came between."""

from __future__ import annotations

import json
from typing import Any

import numpy as np
import pytest

from riverbed_env import RecordedGame, make_batch
from riverbed_env.errors import OptionError


def random_game(environment: str, **options: Any) -> tuple[RecordedGame, Any]:
    """A game of random actions, and the batch in which it ended."""
    batch = make_batch(environment, 1, seed=5, first_game=3, auto_reset=False, **options)
    actions = []
    while batch.acting[0]:
        actions += batch.random_actions().tolist()
        batch.step(actions[-1:])
    return RecordedGame.of(batch, actions, agents=["random"] * batch.num_players), batch


@pytest.mark.parametrize(("environment", "players"), [("riverbed_hunt_v1", 4), ("deep_river_v0", 2)])
def test_a_record_read_from_json_replays_to_the_same_end(environment: str, players: int) -> None:
    recorded, played = random_game(environment, num_players=players)
    again = RecordedGame.from_json(recorded.to_json())
    *positions, last = (batch.seat[0] for batch in again.replay())
    (end,) = (batch for batch in again.replay() if not batch.acting[0])
    assert again == recorded
    assert len(positions) == len(recorded.actions)
    assert min(positions) >= 0
    assert last == -1
    np.testing.assert_array_equal(end.returns, played.returns)
    np.testing.assert_array_equal(end.columns()["winner"], played.columns()["winner"])


def test_options_of_the_game_are_part_of_its_record() -> None:
    recorded, _ = random_game("riverbed_hunt_v1", num_players=5, layout="random")
    assert recorded.options == {"layout": "random"}
    assert json.loads(recorded.to_json())["num_players"] == recorded.num_players == 5
    assert sum(1 for _ in recorded.replay()) == len(recorded.actions) + 1


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"actions": [10**6]}, "action 0 of the recorded game can't be taken"),
        ({"pack": "another"}, "recorded with content pack another; it is"),
        ({"environment": "chess_v0"}, "chess_v0"),
        ({"number": -1}, "number"),
        ({"colour": "red"}, "colour"),
        ({"options": {"colour": "red"}}, "no option 'colour'"),
        ({"format": 99}, "format"),
    ],
)
def test_a_changed_record_is_refused_in_one_line(change: dict[str, Any], message: str) -> None:
    recorded, _ = random_game("riverbed_hunt_v1", num_players=4)
    text = json.dumps(json.loads(recorded.to_json()) | change)
    with pytest.raises(OptionError, match=message) as refused:
        list(RecordedGame.from_json(text).replay())
    assert "\n" not in str(refused.value)


def test_actions_after_the_end_are_refused() -> None:
    recorded, _ = random_game("riverbed_hunt_v1", num_players=4)
    longer = json.dumps(json.loads(recorded.to_json()) | {"actions": [*recorded.actions, 0]})
    with pytest.raises(OptionError, match=rf"ends after {len(recorded.actions)} of its"):
        list(RecordedGame.from_json(longer).replay())


def test_options_that_json_cant_hold_are_refused() -> None:
    with pytest.raises(OptionError, match="plain values"):
        RecordedGame("riverbed_hunt_v1", 0, 0, 4, (), options={"pack": object()}).to_json()
