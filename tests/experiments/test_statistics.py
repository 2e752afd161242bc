"""Intervals of rates, means and differences against closed forms, SciPy and simulated coverage."""

import math

import numpy as np
import pytest
from scipy import stats

from riverbed_env.errors import OptionError
from riverbed_lab.statistics import (
    Difference,
    clustered_mean,
    clustered_rate,
    paired_difference,
    rate,
    seeds_difference,
)

SEED = 20


def shared_deals(generator: np.random.Generator, blocks: int, games: int, agreement: float) -> np.ndarray:
    """Wins (blocks, games) with rate 0.4 whose games agree with their deal's luck with this probability."""
    luck = generator.random((blocks, 1)) < 0.4
    own = generator.random((blocks, games)) < 0.4
    return np.where(generator.random((blocks, games)) < agreement, luck, own)


def test_a_clustered_rate_of_blocks_of_one_game_is_wilsons() -> None:
    happened = np.random.default_rng(SEED).random(50) < 0.3
    assert clustered_rate(happened, np.arange(50)) == rate(int(happened.sum()), 50)


def test_a_clustered_rate_of_copied_games_counts_each_deal_once() -> None:
    happened = np.random.default_rng(SEED).random(400) < 0.3
    copied = clustered_rate(np.repeat(happened, 5), np.repeat(np.arange(400), 5))
    alone = rate(int(happened.sum()), 400)
    assert (copied.games, copied.value) == (2000, alone.value)
    assert copied.low == pytest.approx(alone.low, abs=0.001)
    assert copied.high == pytest.approx(alone.high, abs=0.001)


@pytest.mark.parametrize("agreement", [0.0, 0.4, 0.9])
@pytest.mark.parametrize("blocks", [12, 150])
def test_a_clustered_rate_covers_the_truth_in_95_of_100(agreement: float, blocks: int) -> None:
    generator = np.random.default_rng(SEED)
    block = np.repeat(np.arange(blocks), 4)
    found = [clustered_rate(shared_deals(generator, blocks, 4, agreement).ravel(), block) for _ in range(600)]
    covered = np.mean([each.low <= 0.4 <= each.high for each in found])
    assert 0.93 <= covered <= 0.99


@pytest.mark.parametrize("happened", [0, 1])
def test_a_clustered_rate_of_never_or_always_is_that_of_as_many_deals(happened: int) -> None:
    found = clustered_rate(np.full(300, happened), np.repeat(np.arange(100), 3))
    alone = rate(100 * happened, 100)
    assert (found.low, found.high) == pytest.approx((alone.low, alone.high))
    assert found.games == 300


def test_a_clustered_mean_of_blocks_of_one_is_students() -> None:
    values = np.random.default_rng(SEED).normal(size=30)
    found = clustered_mean(values, np.arange(30))
    low, high = stats.t.interval(0.95, 29, loc=values.mean(), scale=stats.sem(values))
    assert (found.low, found.high) == pytest.approx((low, high))
    assert (found.count, found.blocks) == (30, 30)


def test_a_paired_difference_agrees_with_scipys_bootstrap() -> None:
    generator = np.random.default_rng(SEED)
    first, second = shared_deals(generator, 300, 2, 0.5), shared_deals(generator, 300, 2, 0.1)
    block = np.repeat(np.arange(300), 2)
    found = paired_difference(first.ravel(), block, second.ravel(), block, SEED)
    differences = first.mean(axis=1) - second.mean(axis=1)
    known = stats.bootstrap((differences,), np.mean, n_resamples=20_000, rng=SEED, method="BCa").confidence_interval
    assert found.value == pytest.approx(differences.mean())
    assert (found.low, found.high) == pytest.approx((known.low, known.high), abs=0.006)
    assert (found.games, found.blocks) == (600, 300)


def test_pairing_takes_out_the_luck_of_the_deal() -> None:
    generator = np.random.default_rng(SEED)
    luck = generator.random(2000) < 0.5
    better = luck | (generator.random(2000) < 0.04)
    deals = np.arange(2000)
    paired = paired_difference(better, deals, luck, deals, SEED)
    assert paired.clear
    assert paired.high - paired.low < rate(1000, 2000).high - rate(1000, 2000).low


def test_a_paired_difference_covers_the_truth_in_95_of_100() -> None:
    generator = np.random.default_rng(SEED)
    deals = np.arange(120)
    covered = []
    for trial in range(400):
        luck = generator.random(120)
        first, second = luck + 0.2 * generator.random(120) > 0.5, luck > 0.5  # 0.1 apart
        found = paired_difference(first, deals, second, deals, trial)
        covered.append(found.low <= 0.1 <= found.high)
    assert 0.92 <= np.mean(covered) <= 0.98


def test_a_paired_difference_uses_the_deals_that_both_arms_have() -> None:
    first, second = np.array([1, 1, 0, 1, 1], bool), np.array([0, 1, 0, 0], bool)
    found = paired_difference(first, [0, 0, 1, 2, 9], second, [2, 1, 1, 0], SEED)
    assert found.value == pytest.approx(np.mean([1 - 0, 0 - 0.5, 1 - 0]))
    assert (found.games, found.blocks) == (4, 3)


def test_a_paired_difference_does_not_depend_on_the_order_of_games_and_repeats_under_its_seed() -> None:
    generator = np.random.default_rng(SEED)
    first, second, block = generator.random(500) < 0.6, generator.random(500) < 0.5, np.arange(500) // 5
    order = generator.permutation(500)
    found = paired_difference(first, block, second, block, SEED)
    assert paired_difference(first[order], block[order], second, block, SEED) == found


def test_an_agent_that_never_differs_gains_nothing_but_not_for_certain() -> None:
    wins = np.random.default_rng(SEED).random(1000) < 0.5
    found = paired_difference(wins, np.arange(1000), wins, np.arange(1000), SEED)
    assert found.value == 0
    assert -0.005 < found.low < 0 < found.high < 0.005
    certain = paired_difference(np.ones(1000), np.arange(1000), np.zeros(1000), np.arange(1000), SEED)
    assert 0.99 < certain.low < certain.high == 1


def test_without_common_deals_a_difference_is_empty() -> None:
    found = paired_difference([True], [0], [True], [1], SEED)
    assert math.isnan(found.value)
    assert (found.low, found.high, found.games, str(found)) == (-1, 1, 0, "–")


def of_seed(value: float) -> Difference:
    return Difference(value, value - 0.01, value + 0.01, 1000, 500)


def test_training_seeds_are_each_shown_and_their_interval_covers_the_truth() -> None:
    generator = np.random.default_rng(SEED)
    covered = []
    for trial in range(300):
        found = seeds_difference({seed: of_seed(generator.normal(0.1, 0.03)) for seed in range(5)}, trial)
        covered.append(found.low <= 0.1 <= found.high)
    assert list(found.by_seed) == [0, 1, 2, 3, 4]
    assert 0.87 <= np.mean(covered) <= 0.99  # plain percentiles of five seeds cover some 85


def test_fewer_than_five_training_seeds_say_too_little_of_the_method() -> None:
    found = seeds_difference({seed: of_seed(0.1 * seed) for seed in range(1, 5)}, SEED)
    assert (found.value, found.low, found.high) == (pytest.approx(0.25), -1, 1)
    with pytest.raises(OptionError, match="at least one seed"):
        seeds_difference({}, SEED)
