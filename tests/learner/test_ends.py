"""The end of a learner's game: its reward, its last sight, and what follows in each mode."""

import numpy as np
import pytest
from conformance.options import one_of_each_kind
from learner.learner_kit import TOY, Hashing, chosen, learner, sights

from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game


def to_an_end(batch: LearnerBatch) -> tuple[int, dict[str, np.ndarray]]:
    """Play until a game ends; the environment, and what the batch showed before that step."""
    for _ in range(2000):
        before = sights(batch)
        batch.step(chosen(batch))
        ended = np.flatnonzero(batch.terminated | batch.truncated)
        if len(ended):
            return int(ended[0]), before
    raise AssertionError("no game ended")


@one_of_each_kind
def test_in_the_same_step_the_next_game_is_dealt(game_id: str) -> None:
    batch = learner(game_id, 2, opponents=Hashing(), autoreset="same_step")
    index, before = to_an_end(batch)
    number = int(before["game_number"][index])
    assert batch.ended_game[index] == number
    assert batch.game_number[index] == number + 2
    assert not batch.over.any()
    fresh = learner(game_id, first_game=number + 2, opponents=Hashing())
    np.testing.assert_array_equal(batch.observation[index], fresh.observation[0])
    np.testing.assert_array_equal(batch.action_mask[index], fresh.action_mask[0])
    assert batch.seat[index] == fresh.seat[0]


@one_of_each_kind
def test_without_a_next_game_it_stays_over(game_id: str) -> None:
    batch = learner(game_id, opponents=Hashing(), autoreset="off")
    index, before = to_an_end(batch)
    assert batch.over.all()
    np.testing.assert_array_equal(batch.observation, batch.final_observation)
    np.testing.assert_array_equal(batch.action_mask, batch.final_mask)
    np.testing.assert_array_equal(batch.game_number, before["game_number"])
    shown, state = batch.observation.copy(), batch.get_state()
    for action in (0, 1, 10**6):
        batch.step([action])
        assert batch.over.all()
        assert not batch.reward.any()
        np.testing.assert_array_equal(batch.observation, shown)
        np.testing.assert_equal(batch.get_state(), state)
    batch.reset()
    assert not batch.over.any()
    assert batch.game_number[index] == before["game_number"][index] + 1


def test_without_a_next_game_the_other_environments_play_on() -> None:
    batch = learner(TOY, 4, opponents=Hashing(), autoreset="off")
    numbers = batch.game_number.copy()
    paid = np.zeros(4)
    for _ in range(200):
        if batch.over.all():
            break
        over = batch.over.copy()
        last = batch.observation[over].copy()
        batch.step(chosen(batch))
        np.testing.assert_array_equal(batch.observation[over], last)
        assert not batch.reward[over].any()
        assert not (batch.terminated | batch.truncated)[over].any()
        assert batch.over[over].all()
        paid += batch.reward
    assert batch.over.all()
    np.testing.assert_array_equal(batch.game_number, numbers)
    np.testing.assert_array_equal(np.abs(paid), 1)


@pytest.mark.parametrize("given", [{"autoreset": "never"}, {"on_illegal": "ignore"}, {"view": "all"}, {"role": "king"}])
def test_unknown_options_are_refused_by_name(given: dict[str, str]) -> None:
    with pytest.raises(OptionError, match=f"{next(iter(given))}.*{next(iter(given.values()))}"):
        learner(TOY, **given)


@pytest.mark.parametrize("n", [0, -1, 1.5, "2"])
def test_a_batch_of_no_games_is_refused(n: object) -> None:
    with pytest.raises(OptionError, match="n"):
        LearnerBatch(find_game(TOY), n)  # type: ignore[arg-type]
