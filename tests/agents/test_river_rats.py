"""The agents for River Rats: the simple one reaches its figures, the careful one beats it, and all they do is legal.

800 games a cell: the simple agent's rates lie more than four standard errors above the figures asked of a first
rule-based agent. The careful one takes milliseconds a decision, so it plays fewer games, at the player count where the
gap is wide enough for them (about 20 points, five standard errors).
"""

import numpy as np
import pytest

from riverbed_agents.river_rats.careful import CAREFUL
from riverbed_agents.river_rats.simple import SIMPLE
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.players.agents import Agent
from riverbed_lab.playing.play import Played, lineup, play
from riverbed_lab.statistics import Rate, rate

pytestmark = [pytest.mark.slow, pytest.mark.compiled]

# Wins of all games that a first rule-based agent had, at 1 to 4 players.
FIRST_AGENT = {"first_game": (0.49, 0.56, 0.62, 0.71), "standard": (0.31, 0.28, 0.31, 0.37)}


def play_games(agent: Agent, games: int, count: int, mode: str, **options: str) -> Played:
    who = lineup(RIVER_RATS, agent.name, agent)
    return play(RIVER_RATS, who, np.arange(games), seed=23, num_players=count, mode=mode, **options)


def win_rate(played: Played) -> Rate:
    columns = RIVER_RATS.columns(played.games)
    return rate(int((columns["winner"] == 0).sum()), len(played.games))


@pytest.mark.parametrize("mode", FIRST_AGENT)
@pytest.mark.parametrize("count", range(1, 5))
def test_the_simple_agent_wins_more_than_a_first_rule_based_one(mode: str, count: int) -> None:
    wins = win_rate(play_games(SIMPLE, 800, count, mode))
    assert wins.low > FIRST_AGENT[mode][count - 1], f"{mode}, {count} players: {wins}"


def test_the_careful_agent_wins_more_than_the_simple_one() -> None:
    simple = win_rate(play_games(SIMPLE, 800, 4, "advanced"))
    careful = win_rate(play_games(CAREFUL, 40, 4, "advanced"))
    assert careful.low > simple.high, f"{careful} is not above {simple}"
