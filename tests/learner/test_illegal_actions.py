"""A learner's illegal actions are refused with nothing changed, or punished."""

from typing import Any

import numpy as np
import pytest
from conformance.options import one_of_each_kind
from learner.learner_kit import TOY, Hashing, Remembering, chosen, learner, sights

from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import IllegalActionError


def illegal_ones(batch: LearnerBatch, index: int) -> list[int]:
    """Actions that are illegal in an environment, some of them outside the action space."""
    return [*np.flatnonzero(batch.action_mask[index] == 0)[:3], batch.action_mask.shape[1], -1, 2**40]


def with_action(batch: LearnerBatch, index: int, action: int) -> Any:
    """Legal actions in all environments but one."""
    actions = chosen(batch)
    actions[index] = action
    return actions


@one_of_each_kind
def test_a_refusal_changes_nothing_and_says_seat_action_reason_and_what_is_legal(game_id: str) -> None:
    batch = learner(game_id, 3, opponents=Remembering())
    for _ in range(4):
        batch.step(chosen(batch))
    before = sights(batch), batch.get_state()
    for action in illegal_ones(batch, 1):
        with pytest.raises(IllegalActionError) as raised:
            batch.step(with_action(batch, 1, action))
        said = str(raised.value)
        assert f"seat {batch.seat[1]} " in said
        assert f"action {action}: " in said
        legal = [int(word) for word in said.partition("legal: ")[2].split(", ")]
        assert legal == np.flatnonzero(batch.action_mask[1]).tolist()
        np.testing.assert_equal((sights(batch), batch.get_state()), before)
    assert batch.illegal == 0
    batch.step(chosen(batch))


def test_a_refusal_gives_the_reason_of_the_rules() -> None:
    batch = learner(TOY, opponents=Hashing())
    with pytest.raises(IllegalActionError, match="the seat is asked and must answer"):
        batch.step([0])


@pytest.mark.parametrize("actions", [[0.5, 1.0], ["1", "1"], [None] * 2, [1], [[1, 1]], 1, [True, True], [[1], [1, 1]]])
@pytest.mark.parametrize("on_illegal", ["raise", "terminate"])
def test_actions_must_be_a_row_of_integers(on_illegal: str, actions: Any) -> None:
    batch = learner(TOY, 2, on_illegal=on_illegal)
    before = sights(batch), batch.get_state()
    with pytest.raises(IllegalActionError):
        batch.step(actions)
    np.testing.assert_equal((sights(batch), batch.get_state()), before)


@one_of_each_kind
def test_a_punished_game_ends_terminated_and_the_others_continue(game_id: str) -> None:
    options: dict[str, Any] = {"opponents": Hashing(), "on_illegal": "terminate"}
    batch, twin = learner(game_id, 3, **options), learner(game_id, 3, opponents=Hashing())
    for count, action in enumerate(illegal_ones(batch, 1)[-4:], 1):
        before = sights(batch)
        twin.set_state(batch.get_state())
        twin.step(chosen(twin))
        batch.step(with_action(batch, 1, action))
        assert batch.illegal == count
        assert batch.reward[1] == -1
        assert batch.terminated[1]
        assert not batch.truncated[1]
        assert batch.ended_game[1] == before["game_number"][1]
        assert batch.game_number[1] == before["game_number"][1] + 3
        np.testing.assert_array_equal(batch.final_observation[1], before["observation"][1])
        for name in ("observation", "action_mask", "reward", "terminated", "truncated", "seat", "game_number"):
            np.testing.assert_array_equal(getattr(batch, name)[[0, 2]], getattr(twin, name)[[0, 2]])
        fresh = learner(game_id, first_game=int(batch.game_number[1]), **options)
        np.testing.assert_array_equal(batch.observation[1], fresh.observation[0])
