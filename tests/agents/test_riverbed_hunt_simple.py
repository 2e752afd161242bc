"""The simple agent: put in one camp's seats among random ones it raises that camp's win rate, everywhere.

All-random play is the base line; its rate differs by tens of points between player counts and camps, so each cell is
compared with its own. 12,000 games a cell: the narrowest gap (the profiteer at 9 players, about 3 points) is then
three times the sum of the half-widths' standard errors.
"""

from __future__ import annotations

import numpy as np
import pytest
from agents_kit import stepwise

from riverbed_env.errors import OptionError
from riverbed_env.players.agents import UNIFORM, Agent, PythonAgent
from riverbed_env.players.installed import agent_names
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import Played, lineup, play
from riverbed_lab.statistics import Rate, rate

GAME = find_game("riverbed_hunt_v0")
SIMPLE = find_agent("simple", GAME.name)
COUNTS = range(GAME.min_players, GAME.max_players + 1)


def win_rate(played: Played, camp: str) -> Rate:
    columns = GAME.columns(played.games)
    number = GAME.camps.index(camp)
    among = GAME.camps_present(played.games)[:, number]
    return rate(int(((columns["winner"] == number) & among).sum()), int(among.sum()))


def play_lineup(count: int, games: int, **by_camp: Agent) -> Played:
    who = lineup(GAME, "tested", UNIFORM, **by_camp)
    return play(GAME, who, np.arange(games), seed=11, pool=(UNIFORM, SIMPLE), num_players=count)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("count", COUNTS)
def test_in_one_camp_among_random_ones_it_raises_that_camps_win_rate(count: int) -> None:
    games = 12_000
    base = play_lineup(count, games)
    for camp in GAME.camps:
        better = win_rate(play_lineup(count, games, **{camp: SIMPLE}), camp)
        assert better.is_above(win_rate(base, camp)), f"{camp}, {count} players: {better} is not above {base}"


@pytest.mark.compiled
def test_inside_the_batch_and_through_act_it_plays_the_same_games() -> None:
    compiled = play_lineup(6, 40, merchants=SIMPLE)
    called = play_lineup(6, 40, merchants=stepwise(SIMPLE))
    assert compiled.games.tobytes() == called.games.tobytes()


@pytest.mark.compiled
def test_deals_do_not_depend_on_agents_or_threads() -> None:
    base = play_lineup(7, 64)
    other = play_lineup(7, 64, separatists=SIMPLE)
    np.testing.assert_array_equal(GAME.roles_of(base.games), GAME.roles_of(other.games))
    threaded = play(
        GAME, lineup(GAME, "x", UNIFORM), np.arange(64), seed=11, threads=2, pool=(UNIFORM, SIMPLE), num_players=7
    )
    assert threaded.games.tobytes() == base.games.tobytes()


def test_agents_are_found_by_name() -> None:
    assert {"random", "simple"} <= set(agent_names(GAME.name))
    assert find_agent("random", GAME.name) is UNIFORM
    with pytest.raises(OptionError, match=r"no agent 'simpel' \(did you mean 'simple'\?\)"):
        find_agent("simpel", GAME.name)


def test_a_lineup_of_an_unknown_camp_is_refused() -> None:
    with pytest.raises(OptionError, match="no camp 'otters'"):
        lineup(GAME, "x", UNIFORM, otters=SIMPLE)


@pytest.mark.compiled
def test_an_agent_that_breaks_the_rules_is_named() -> None:
    careless = PythonAgent("careless", lambda observations, masks, memory, rng: np.zeros(len(masks), np.int64))
    with pytest.raises(ValueError, match="can't take action 0"):
        play_lineup(4, 3, merchants=careless)
