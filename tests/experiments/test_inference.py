"""Scores of role posteriors against closed forms and simulated coverage."""

from __future__ import annotations

import numpy as np
import pytest

from riverbed_env.errors import OptionError
from riverbed_lab.evaluation.inference import BINS, SMALLEST, score
from riverbed_lab.statistics import rate

SEED = 22
ROLES = ("chief", "merchant", "separatist")


def moments(games: int, sharpness: float = 1.0, seed: int = SEED) -> dict[str, np.ndarray]:
    """Honest posteriors: the truth is drawn from them. Four moments a game, five seats, of which some count."""
    generator = np.random.default_rng(seed)
    n = 4 * games
    posteriors = generator.dirichlet(np.ones(3), (n, 5))
    truth = (posteriors.cumsum(axis=2) < generator.random((n, 5, 1))).sum(axis=2)
    stated = posteriors**sharpness
    return {
        "posteriors": stated / stated.sum(axis=2, keepdims=True),
        "truth": truth,
        "counted": generator.random((n, 5)) < 0.7,
        "group": np.tile(np.arange(4), games),
        "game": np.repeat(np.arange(games), 4),
    }


def test_a_uniform_posterior_scores_the_logarithm_of_the_roles() -> None:
    given = moments(10)
    given["posteriors"] = np.full((40, 5, 3), 1 / 3, np.float32)
    found = score(**given, roles=ROLES).overall.own
    assert found.log_loss.value == pytest.approx(np.log(3))
    assert found.brier.value == pytest.approx(2 / 3)
    assert len(found.bins) == 1
    assert found.log_loss.count == given["counted"].sum()


def test_certain_posteriors_score_0_where_right_and_stay_finite_where_wrong() -> None:
    given = moments(10)
    given["posteriors"] = np.eye(3)[given["truth"]]
    right = score(**given, roles=ROLES).overall.own
    assert (right.log_loss.value, right.brier.value) == (0, 0)
    assert [each.observed.value for each in right.bins] == [0, 1]
    given["truth"] = (given["truth"] + 1) % 3
    wrong = score(**given, roles=ROLES).overall.own
    assert wrong.log_loss.value == pytest.approx(-np.log(SMALLEST))
    assert wrong.brier.value == 2


def test_the_scores_are_those_of_the_seats_that_count() -> None:
    given = moments(30)
    found = score(**given, roles=ROLES)
    rows, seats = np.nonzero(given["counted"])
    chances = given["posteriors"][rows, seats]
    losses = -np.log(chances[np.arange(len(rows)), given["truth"][rows, seats]])
    assert found.overall.own.log_loss.value == pytest.approx(losses.mean())
    for turn, compared in found.by_group.items():
        assert compared.own.log_loss.value == pytest.approx(losses[given["group"][rows] == turn].mean())
    for role, readable in found.by_role.items():
        mine = given["truth"][rows, seats] == ROLES.index(role)
        assert readable.own.value == pytest.approx(losses[mine].mean())
    assert found.overall.reference is None


def test_honest_posteriors_are_calibrated_and_overconfident_ones_are_not() -> None:
    honest = score(**moments(2000), roles=ROLES).overall.own.bins
    assert len(honest) == BINS
    assert sum(each.observed.low <= each.predicted <= each.observed.high for each in honest) >= 8
    overconfident = score(**moments(2000, sharpness=3.0), roles=ROLES).overall.own.bins
    assert overconfident[-1].observed.high < overconfident[-1].predicted
    assert overconfident[0].observed.low > overconfident[0].predicted


def test_every_claim_is_in_one_bin() -> None:
    given = moments(50)
    found = score(**given, roles=ROLES).overall.own
    assert sum(each.observed.games for each in found.bins) == 3 * given["counted"].sum()
    assert sum(each.observed.happened for each in found.bins) == given["counted"].sum()


def test_the_reference_is_scored_on_the_same_seats() -> None:
    given = moments(200)
    found = score(**given, roles=ROLES, reference=np.full((800, 5, 3), 1 / 3))
    assert found.overall.reference is not None
    assert found.overall.reference.log_loss.value == pytest.approx(np.log(3))
    assert found.overall.own.log_loss.high < found.overall.reference.log_loss.low
    assert all(compared.reference is not None for compared in found.by_group.values())
    assert all(readable.reference is not None for readable in found.by_role.values())


def test_intervals_count_each_game_once() -> None:
    given = moments(100)
    once = score(**given, roles=ROLES).overall.own
    again = {name: np.concatenate([values] * 4) for name, values in given.items()}
    found = score(**again, roles=ROLES).overall.own
    assert found.log_loss.low == pytest.approx(once.log_loss.low)
    assert found.bins[3].observed.low == pytest.approx(once.bins[3].observed.low, abs=0.03)
    assert found.bins[3].observed.low < rate(found.bins[3].observed.happened, found.bins[3].observed.games).low


def test_the_interval_of_the_log_loss_covers_the_truth() -> None:
    truth = score(**moments(20_000), roles=ROLES).overall.own.log_loss.value
    found = [score(**moments(40, seed=seed), roles=ROLES).overall.own.log_loss for seed in range(100)]
    assert np.mean([each.low <= truth <= each.high for each in found]) >= 0.9


@pytest.mark.parametrize("spoil", [lambda p: p * 1.1, lambda p: p - [0.5, 0, -0.5], lambda p: p * np.nan])
def test_what_are_no_chances_is_refused(spoil) -> None:
    given = moments(3)
    given["posteriors"] = spoil(np.full_like(given["posteriors"], 1 / 3))
    with pytest.raises(OptionError, match="must be chances"):
        score(**given, roles=ROLES)


def test_other_roles_and_nothing_to_score_are_refused() -> None:
    given = moments(3)
    with pytest.raises(OptionError, match="over 3 roles, but there are 2"):
        score(**given, roles=ROLES[:2])
    given["counted"][:] = False
    with pytest.raises(OptionError, match="nothing to score"):
        score(**given, roles=ROLES)
