"""A recorded game is played again from its deal and its actions, whatever came between."""

import json
from contextlib import suppress
from typing import Any

import numpy as np
import pytest

from riverbed_env import RecordedGame, make_batch
from riverbed_env.core.transcript import say
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.kernels.random import MAX_SEED


def random_game(environment: str, **options: Any) -> tuple[RecordedGame, Any]:
    """A game of random actions, and the batch in which it ended."""
    batch = make_batch(environment, 1, seed=MAX_SEED, first_game=3, auto_reset=False, **options)
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


def test_a_game_of_a_mixed_batch_is_recorded_with_its_own_options() -> None:
    counts = np.array([6, 4])
    batch = make_batch("riverbed_hunt", 4, num_players=counts, layout=["random", None], seed=5, auto_reset=False)
    actions = []
    for _ in range(8):
        actions.append(batch.random_actions())
        batch.step(actions[-1])
    for index, which in enumerate(batch.which):
        recorded = RecordedGame.of(batch, [row[index] for row in actions], index=index)
        *_, last = RecordedGame.from_json(recorded.to_json()).replay()
        assert recorded.options == {"layout": batch.sets[which]["layout"]}
        assert last.games["table"][0].tobytes() == batch.games["table"][index].tobytes()


def game_with_texts() -> RecordedGame:
    """A game of random actions in which seats say texts now and then."""
    batch = make_batch("riverbed_hunt", 1, num_players=4, seed=5, auto_reset=False, talk="text", talk_budget=2)
    game, actions = batch.game, []
    while batch.acting[0]:
        if batch.action_mask[0, game.actions.id("SILENT")] and len(actions) % 3 == 0:
            with suppress(IllegalActionError):  # it has spoken this turn
                say(batch, f'text "{len(actions)}"')
        actions += batch.random_actions().tolist()
        batch.step(actions[-1:])
    return RecordedGame.of(batch, actions)


def test_a_record_holds_what_was_said_in_words_and_its_replay_says_it_again_in_its_place() -> None:
    recorded = game_with_texts()
    assert len(recorded.transcript) > 10
    again = RecordedGame.from_json(recorded.to_json())
    assert again == recorded
    heard = [len(batch.notes()) for batch in again.replay()]
    assert heard == sorted(heard)
    *_, last = again.replay()
    assert last.notes() == recorded.transcript
    assert [said.turn for said in last.notes()] == sorted(said.turn for said in last.notes())


@pytest.mark.parametrize("forged", [[1, 9, 0, "x"], [1, 0, 0, "x"], [2, 1, 10**6, "x"]])
def test_a_text_that_nobody_can_have_said_is_refused(forged: list[Any]) -> None:
    recorded = json.loads(game_with_texts().to_json())
    record = RecordedGame.from_json(json.dumps(recorded | {"transcript": [forged]}))
    with pytest.raises(OptionError, match="nobody can have said"):
        list(record.replay())


def test_a_recorded_text_is_sanitised_or_refused() -> None:
    recorded = json.loads(game_with_texts().to_json())
    recorded["transcript"][0][3] = "bell \x07 and more"
    with pytest.raises(OptionError, match="control characters"):
        list(RecordedGame.from_json(json.dumps(recorded)).replay())
    recorded["transcript"][0][3] = "x" * 281
    with pytest.raises(OptionError, match="at most 280"):
        list(RecordedGame.from_json(json.dumps(recorded)).replay())


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
