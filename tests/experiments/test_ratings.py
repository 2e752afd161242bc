"""Three-way ratings: known strengths are found again, closed forms, what can't be told is refused."""

from __future__ import annotations

from dataclasses import replace
from itertools import product

import numpy as np
import pytest

from riverbed_env.errors import OptionError
from riverbed_lab.evaluation.ratings import PRIOR_DEVIATION, Ratings, fit_ratings

SEED = 21
NAMES = ("simple", "random", "bold")
CAMPS = ("merchants", "separatists", "profiteer")
STRENGTHS = np.array([[0.0, 0.0, 0.0], [-1.0, -0.5, -0.8], [0.4, 0.9, -0.3]])  # agents, camps
INTERCEPTS = {4: (0.5, -0.5, 0.0), 7: (-0.2, 0.6, -0.4)}


def matrix_games(blocks: int, seed: int = SEED, luck: float = 0.0) -> dict[str, np.ndarray]:
    """Every lineup of the camp matrix on every deal; at 4 players every other deal has no profiteer."""
    generator = np.random.default_rng(seed)
    agent, players, block = [], [], []
    for number, (count, deal) in enumerate(product(INTERCEPTS, range(blocks))):
        for lineup in product(range(3), repeat=3):
            without = count == 4 and deal % 2 == 0
            agent.append((*lineup[:2], -1) if without else lineup)
            players.append(count)
            block.append(number)
    sides = np.array(agent)
    odds = np.array([INTERCEPTS[count] for count in players]) + STRENGTHS[sides, np.arange(3)]
    odds += luck * generator.normal(size=(max(block) + 1, 3))[block]
    odds[sides < 0] = -np.inf
    winner = np.argmax(odds + generator.gumbel(size=odds.shape), axis=1)
    return {"agent": sides, "winner": winner, "num_players": np.array(players), "block": np.array(block)}


def fit(games: dict[str, np.ndarray], resamples: int = 100, reference: str = "simple") -> Ratings:
    return fit_ratings(**games, names=NAMES, camps=CAMPS, reference=reference, seed=SEED, resamples=resamples)


def test_known_strengths_and_intercepts_lie_in_their_intervals() -> None:
    found = fit(matrix_games(400))
    covered = []
    for strength in found.strengths:
        truth = STRENGTHS[NAMES.index(strength.agent), CAMPS.index(strength.camp)]
        assert strength.value == pytest.approx(truth, abs=0.15)
        covered.append(strength.low <= truth <= strength.high)
    for intercept in found.intercepts:
        truth = INTERCEPTS[intercept.num_players][CAMPS.index(intercept.camp)]
        assert intercept.value == pytest.approx(truth, abs=0.15)
    assert len(covered) == 9
    assert sum(covered) >= 8
    assert (found.games, found.nobody_won, found.prior_deviation) == (2 * 400 * 27, 0, PRIOR_DEVIATION)


def test_the_reference_is_0_in_every_camp() -> None:
    found = fit(matrix_games(20), resamples=10, reference="bold")
    own = [strength for strength in found.strengths if strength.agent == "bold"]
    assert [(each.camp, each.value, each.low, each.high) for each in own] == [(camp, 0, 0, 0) for camp in CAMPS]


def test_two_camps_and_one_line_up_give_the_log_odds_of_the_rate() -> None:
    winner = np.repeat([0, 1], [3000, 1000])
    games = {"agent": np.zeros((4000, 2)), "winner": winner, "num_players": np.full(4000, 2), "block": np.arange(4000)}
    found = fit_ratings(**games, names=["a"], camps=["one", "two"], reference="a", seed=SEED, resamples=200)
    first, second = found.intercepts
    assert first.value - second.value == pytest.approx(np.log(3), abs=0.002)
    assert first.value + second.value == pytest.approx(0, abs=1e-6)
    error = np.sqrt(1 / 3000 + 1 / 1000)
    assert 2 * (first.high - first.low) == pytest.approx(2 * 1.96 * error, rel=0.2)


def test_games_nobody_won_are_left_out_and_counted() -> None:
    games = matrix_games(30)
    drawn = {name: np.concatenate([column, column[:50]]) for name, column in games.items()}
    drawn["winner"][-50:] = -1
    without, found = fit(games, resamples=20), fit(drawn, resamples=20)
    assert found == replace(without, nobody_won=50)


def test_an_agent_that_always_wins_gets_a_finite_strength() -> None:
    games = matrix_games(10)
    games["winner"] = np.where(games["agent"][:, 0] == 2, 0, games["winner"])
    strength = next(each for each in fit(games, 20).strengths if (each.agent, each.camp) == ("bold", "merchants"))
    assert 2 < strength.value < 15


def test_intervals_grow_with_what_the_games_of_a_deal_share() -> None:
    games = matrix_games(60, luck=1.5)
    alone = {**games, "block": np.arange(len(games["winner"]))}

    def width(found: Ratings) -> float:
        return np.mean([each.high - each.low for each in found.intercepts])

    assert width(fit(games)) > 1.5 * width(fit(alone))


def test_the_order_of_games_does_not_matter_and_the_seed_repeats() -> None:
    games = matrix_games(15)
    order = np.random.default_rng(SEED).permutation(len(games["winner"]))
    found = fit({name: column[order] for name, column in games.items()}, resamples=20)
    for one, other in zip(found.strengths, fit(games, resamples=20).strengths, strict=True):
        assert one.value == pytest.approx(other.value, abs=1e-6)
        assert (one.low, one.high) == pytest.approx((other.low, other.high), abs=1e-5)


def test_an_agent_that_never_plays_beside_the_reference_is_refused() -> None:
    games = matrix_games(10)
    mirror = (games["agent"] == games["agent"].max(axis=1, keepdims=True)) | (games["agent"] < 0)
    mirrors = {name: column[mirror.all(axis=1)] for name, column in games.items()}
    with pytest.raises(OptionError, match=r"no games link random \(merchants\).*bold.* to the reference simple"):
        fit(mirrors)


def test_an_agent_whose_player_count_the_reference_never_plays_is_refused() -> None:
    games = matrix_games(10)
    kept = np.where(games["num_players"] == 4, (games["agent"] != 2).all(axis=1), (games["agent"] == 2).all(axis=1))
    with pytest.raises(OptionError, match="bold"):
        fit({name: column[kept] for name, column in games.items()})


def test_an_agent_linked_through_another_is_rated() -> None:
    games = matrix_games(300)
    agent = games["agent"][:, 0]
    kept = np.where(games["num_players"] == 4, agent != 2, agent != 0)  # bold meets random, random meets simple
    found = fit({name: column[kept] for name, column in games.items()}, resamples=20)
    strength = next(each for each in found.strengths if (each.agent, each.camp) == ("bold", "merchants"))
    assert strength.value == pytest.approx(0.4, abs=0.25)


def test_bad_input_is_refused() -> None:
    games = matrix_games(2)
    with pytest.raises(OptionError, match="no agent 'greedy'"):
        fit(games, reference="greedy")
    with pytest.raises(OptionError, match="no decided games"):
        fit({**games, "winner": np.full_like(games["winner"], -1)})
    with pytest.raises(OptionError, match="didn't play"):
        fit({**games, "winner": np.full_like(games["winner"], 2)})
