"""How much of who wins is settled at a decision, told from games that are played on again and again."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from riverbed_env.players.agents import Memory, PythonAgent
from riverbed_env.players.specs import find_agent
from studies.outcome_predictability import GAME, Whole, decisions_of, predictability, win_rates

pytestmark = pytest.mark.slow  # `make check`


def test_the_share_is_that_which_the_states_were_made_with() -> None:
    random = np.random.default_rng(0)
    chances = random.choice([0.3, 0.7], size=100_000)
    game = np.arange(100_000)
    for replays in (4, 40):
        found = predictability(random.binomial(replays, chances) / replays, replays, game)
        assert found.low < 0.2**2 / 0.25 < found.high  # the states' variance, and that of winning
        assert found.high - found.low < 0.01
    assert predictability(random.integers(0, 2, 1000).astype(float), 9, np.arange(1000)).value == pytest.approx(1)
    nothing = predictability(random.binomial(8, 0.4, size=100_000) / 8, 8, game)
    assert nothing.low < 0 < nothing.high


Vector = npt.NDArray[np.int8]


@pytest.mark.compiled
def test_all_is_settled_between_those_who_draw_nothing() -> None:
    def by_what_it_sees(observations: Vector, masks: Vector, memory: Memory, streams: npt.NDArray[np.void]) -> Whole:
        legal = masks.cumsum(axis=1, dtype=np.int64)
        return (legal > observations.sum(axis=1, keepdims=True, dtype=np.int64) % legal[:, -1:]).argmax(axis=1)

    agent = PythonAgent("by_what_it_sees", by_what_it_sees)
    found = decisions_of(agent, "merchant", 6, games=30, seed=1)
    rates = win_rates(found.states, agent, 0, 6, replays=3, seed=5)
    assert set(np.unique(rates)) == {0.0, 1.0}
    assert predictability(rates, 3, found.game).value == pytest.approx(1)


@pytest.mark.compiled
def test_more_is_settled_later_and_each_replay_draws_its_own() -> None:
    agent = find_agent("rule_based", GAME.name)
    found = decisions_of(agent, "separatist", 7, games=40, seed=2)
    rates = win_rates(found.states, agent, 1, 7, replays=24, seed=0)
    early = predictability(rates, 24, found.game, found.progress < 0.2)
    late = predictability(rates, 24, found.game, found.progress > 0.8)
    assert late.low > early.high
    assert len(np.unique(rates)) > 8
    np.testing.assert_array_equal(rates, win_rates(found.states, agent, 1, 7, replays=24, seed=0))
    some = slice(3, 9)  # a state's replays are numbered by its place
    assert not np.array_equal(rates[some], win_rates(found.states[some], agent, 1, 7, replays=24, seed=0))
