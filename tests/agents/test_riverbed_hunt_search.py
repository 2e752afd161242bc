"""The agent search: its budgets and arguments; what it shares with lookahead is in test_riverbed_hunt_rollouts."""

from __future__ import annotations

import numpy as np
import pytest
from agents_kit import answer_in, in_the_middle, streams
from riverbed_hunt.scene import Scene

from riverbed_agents.riverbed_hunt.search.agent import TimedSearch, search_agent
from riverbed_env.errors import OptionError
from riverbed_env.games.riverbed_hunt.rules.actions import A
from riverbed_env.games.riverbed_hunt.rules.knowledge import view_tile
from riverbed_env.players.agents import UNIFORM
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import Lineup, play

pytestmark = [pytest.mark.compiled, pytest.mark.slow]

GAME = find_game("riverbed_hunt_v0")
SEARCH = search_agent(300)


def test_with_a_time_limit_it_finds_the_winning_tile() -> None:
    agent = search_agent(milliseconds=30)
    assert isinstance(agent, TimedSearch)
    scene = Scene("C M M L S S P", active=1, at=6, tiles={6: 3}, tracks=(5, 5, 4), hands={1: ["Silt"]})
    view_tile(scene.game, 1, 5)
    assert answer_in(scene, agent) == A.UNCOVER
    who = Lineup("x", {role: agent if role == "profiteer" else UNIFORM for role in GAME.roles})
    played = play(GAME, who, [0], 5, num_players=5)
    assert GAME.columns(played.games)["winner"][0] >= 0


@pytest.mark.parametrize(("budget", "words"), [
    ({"worlds": 0}, "worlds must be from 1 to 1,000,000, not 0"),
    ({"milliseconds": -1}, "milliseconds must be from 0"),
])  # fmt: skip
def test_a_budget_that_makes_no_sense_is_refused(budget: dict[str, int], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        search_agent(**budget)


def test_without_views_it_is_refused() -> None:
    batch = in_the_middle(2, 5, 12, seed=1)
    with pytest.raises(OptionError, match="plays by views"):
        SEARCH.act(batch.observation, batch.action_mask, np.zeros((2, 0), np.int32), streams(2))
