"""Ratings over time: the designs they are fitted on, and which past selves are rated."""

from __future__ import annotations

import numpy as np
import pytest

from riverbed_env.errors import OptionError
from riverbed_env.players.specs import find_agent
from riverbed_lab.evaluation.ratings import fit_ratings
from riverbed_lab.league import config
from riverbed_lab.league.config import check_roles
from riverbed_lab.league.ratings import Rated, sides, spread_out, strengths
from riverbed_lab.training.config import TrainingConfig


def test_all_play_every_camp_among_the_reference_and_among_the_main_agents() -> None:
    found = sides(["mains", "past_1", "random"], 2, "random")
    assert len(set(found)) == len(found)
    assert set(found) == {
        *(("mains", "mains"), ("past_1", "past_1"), ("random", "random")),
        *(("mains", "random"), ("random", "mains"), ("past_1", "random"), ("random", "past_1")),
        *(("past_1", "mains"), ("mains", "past_1")),
    }


def test_these_designs_are_enough_to_rate_all() -> None:
    names, camps = ["mains", "past_1", "past_2", "random"], ("one", "two", "three")
    tables = np.array([[names.index(name) for name in side] for side in sides(names, len(camps), "random")])
    agent = np.repeat(tables, 30, axis=0)
    winner = np.random.default_rng(1).integers(3, size=len(agent))
    players, block = np.full(len(agent), 5), np.tile(np.arange(30), len(tables))
    found = fit_ratings(
        *(agent, winner, players, block), names=names, camps=camps, reference="random", seed=1, resamples=10
    )
    assert {(each.agent, each.camp) for each in found.strengths} == {(name, camp) for name in names for camp in camps}


def test_past_selves_are_spread_out() -> None:
    assert spread_out([], 3) == []
    assert spread_out([2, 4], 3) == [2, 4]
    assert spread_out([2, 4, 6, 8, 10, 12, 14], 3) == [2, 8, 14]
    assert spread_out([2, 4, 6], 1) == [2]
    assert spread_out([2, 4, 6], 0) == []


@pytest.mark.compiled
def test_games_that_nobody_won_rate_nobody_and_break_nothing() -> None:
    training = TrainingConfig(players=(4,), options={"max_decisions": 1})
    everybody = dict.fromkeys(training.known_game().roles, "random")
    rated, agents = [Rated("mains", everybody), Rated("random", everybody)], [find_agent("random", "riverbed_hunt")]
    assert strengths(rated, agents, "random", 3, training) == ([], "there are no decided games to rate agents by")
    assert strengths(rated, agents, "random", 0, training) == ([], "")


def test_a_role_that_no_player_count_deals_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(config, "roles_dealt", lambda training, count: {4: ("chief",), 5: ("chief", "leader")}[count])
    check_roles("--role", ("chief", "leader"), TrainingConfig(players=(4, 5)))
    with pytest.raises(OptionError, match="--role: with 4 players nobody is dealt the role 'leader'; there are chief"):
        check_roles("--role", ("leader",), TrainingConfig(players=(4,)))
