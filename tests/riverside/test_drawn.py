"""Games drawn from what a seat sees: what others chose in the phase is drawn again, as often as they were asked."""

import numpy as np
import pytest

from riverbed_env import make_batch
from riverbed_env.core.batch import Batch
from riverbed_env.games.riverside.rules import legality
from riverbed_env.games.riverside.rules.resample import answers_given
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


OF_ROUND = ("die", "green", "fan", "queue", "queued", "paid")


@pytest.mark.parametrize("seed", range(4))
def test_the_dice_and_rows_that_others_published_are_as_they_were(seed: int) -> None:
    batch, found = table(4, seed), 0
    phase = None
    for _ in range(300):
        begins = phase != (phase := (int(batch.games["table"]["round"][0]), int(batch.games["table"]["phase"][0])))
        if batch.seat[0] < 0:
            break
        if begins and phase[1] == Phase.EXCURSIONS:
            seat = int(batch.seat[0])
            drawn, truth = drawn_from(batch, seat)["private"], batch.games["private"][0]
            for field in OF_ROUND:  # later seats haven't been asked yet
                assert (drawn[field][:, seat + 1 : 4] == truth[field][seat + 1 : 4]).all(), field
            found += int(truth["queued"][seat + 1 : 4].sum() > 0)
        batch.step(batch.random_actions())
    assert found or seed


@pytest.mark.parametrize("seed", range(3))
def test_a_seats_answers_in_a_phase_are_counted_from_what_it_sees(seed: int) -> None:
    batch = table(3, seed)
    phase, begun = None, 0
    while batch.seat[0] >= 0:
        now = int(batch.games["table"]["round"][0]), int(batch.games["table"]["phase"][0])
        steps = int(batch.games["timing"]["steps"][0])
        if now != phase:
            phase, begun = now, steps - 1  # the step in which it is asked has begun
        view = batch.look(int(batch.seat[0]))[0]
        assert answers_given(view["private"], view["sheets"][view["seat"]]) == steps - 1 - begun
        batch.step(batch.random_actions())


@pytest.mark.parametrize("seed", range(3))
def test_others_are_asked_where_the_seat_has_no_choice(seed: int) -> None:
    """Seats answer in their order: one that waits for its only answer hasn't been passed."""
    batch, waited = table(4, seed), 0
    for _ in range(150):
        if batch.seat[0] < 0:
            break
        for seat in range(4):
            view = batch.look(seat)[0]
            own = view["private"]
            has_question = own["question"] != Question.NONE
            if has_question and legality.forced_answer(view["table"], own, batch.params[0]) < 0:
                continue
            drawn = drawn_from(batch, seat)
            assert (drawn["timing"]["asked"] != seat).all()
            if has_question:
                assert (drawn["timing"]["asked"] < seat).all()
            answered = answers_given(own, view["sheets"][seat])
            if answered and view["table"]["phase"] == Phase.DICE:
                waited += 1
                assert (drawn["private"]["die"][:, :4] != NO_DIE).all()
        batch.step(batch.random_actions())
    assert waited


def test_a_drawn_game_has_taken_fewer_steps_than_it_may_and_as_many_decisions_as_steps() -> None:
    batch = make_batch("riverside", 1, seed=2, num_players=1, auto_reset=False, max_steps=40)
    while batch.seat[0] >= 0:
        timing = drawn_from(batch, 0)["timing"]
        assert (timing["steps"] < 40).all()
        assert (timing["decisions"] >= timing["steps"]).all()
        batch.step(batch.random_actions())
    assert batch.games["table"]["phase"][0] == Phase.OVER
    assert (drawn_from(batch, 0)["table"] == batch.games["table"][0]).all()
