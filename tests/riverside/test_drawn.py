"""Games drawn from what a seat sees: what others chose in the phase is drawn again, as often as they were asked."""

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.core.batch import Batch
from riverbed_env.games.riverside.rules.vocab import NO_DIE, Deed, Phase, Question
from riverbed_env.kernels.compile import compiled
from riverbed_env.worlds import resample

SLOW = [pytest.mark.slow] if compiled() else []  # the loop that draws games is compiled
WORLDS = 30
pytestmark = SLOW


def table(num_players: int = 3, seed: int = 5) -> Batch:
    return make_batch("riverside", 1, seed=seed, num_players=num_players, auto_reset=False)


def drawn_from(batch: Batch, seat: int) -> np.ndarray:
    return resample(batch.game, np.repeat(batch.look(seat), WORLDS), batch.params, seed=0)


def asked(batch: Batch, seat: int, times: int = 1) -> Batch:
    """The game where the seat is asked for the `times`-th time."""
    while True:
        times -= int(batch.seat[0] == seat)
        if times == 0:
            return batch
        batch.step(batch.random_actions())


def test_what_others_chose_before_and_unseen_is_drawn() -> None:
    truth = asked(table(), 2)
    drawn = drawn_from(truth, 2)
    dice = drawn["private"]["die"]
    assert (dice[:, :2] != NO_DIE).all()
    assert all(len(np.unique(dice[:, seat])) > 2 for seat in (0, 1))
    assert (dice[:, 2] == truth.games["private"]["die"][0, 2]).all()


@pytest.mark.parametrize("times", [2, 3])
def test_others_have_answered_as_often_as_the_seat_unless_they_had_nothing_to_answer(times: int) -> None:
    drawn = drawn_from(asked(table(), 1, times), 1)
    crossed = drawn["private"]["sheet"]["crossed"].astype(np.int64).sum(axis=(2, 3))
    before = drawn["sheets"]["crossed"].astype(np.int64).sum(axis=(2, 3))
    since = crossed - before
    for seat, answers in ((0, times), (2, times - 1)):  # the dice, then a seat a step
        done = drawn["private"]["question"][:, seat] == Question.NONE
        assert ((since[:, seat] == answers - 1) | (done & (since[:, seat] < answers))).all()
        assert (since[:, seat] == answers - 1).any()


def test_the_steps_are_those_of_the_seat_in_the_first_phase() -> None:
    batch = table(4)
    while batch.games["table"]["phase"][0] == Phase.DICE:
        drawn = drawn_from(batch, int(batch.seat[0]))
        assert (drawn["timing"]["steps"] == batch.games["timing"]["steps"][0]).all()
        batch.step(batch.random_actions())


def test_the_steps_are_the_least_that_the_sheets_show() -> None:
    batch = table(2, seed=1)
    for _ in range(150):
        batch.step(batch.random_actions())
        if batch.seat[0] < 0:
            break
        drawn = drawn_from(batch, int(batch.seat[0]))
        sheets, deeds = batch.games["sheets"][0], batch.games["table"]["deeds"][0].astype(np.int64)
        shown = sheets["crossed"][:2].astype(np.int64).sum(axis=(1, 2))
        shown += deeds[:2, Deed.EXCURSIONS] + deeds[:2, Deed.SCORES]
        rounds = int(batch.games["table"]["round"][0]) - 1
        assert shown.max() + rounds <= drawn["timing"]["steps"][0] <= batch.games["timing"]["steps"][0]


def test_nobody_is_asked_in_a_game_that_is_over() -> None:
    batch = table(2)
    while batch.seat[0] >= 0:
        batch.step(batch.random_actions())
    drawn = drawn_from(batch, 0)
    assert (drawn["private"]["question"] == Question.NONE).all()
    assert (drawn["table"] == batch.games["table"][0]).all()
