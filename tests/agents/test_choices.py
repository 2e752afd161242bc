"""Every installed agent chooses as it did when its choices were written down."""

import numpy as np
import pytest
from agents_kit import stepwise
from choices import FILE, TABLES, choices
from conformance.options import OURS

from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import lineup, play


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("name", TABLES)
def test_every_agent_chooses_as_before(name: str) -> None:
    kept = [line for line in FILE.read_text(encoding="utf-8").splitlines() if line.startswith(f"{name} ")]
    assert list(choices(name)) == kept


def test_the_agents_of_every_game_are_watched() -> None:
    assert sorted(TABLES) == sorted(find_game(game).name for game in OURS)


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize(
    ("name", "spec"),
    [
        *(("river_rats", "simple"), ("river_rats", "careful"), ("riverside", "greedy"), ("riverside", "look_ahead")),
        *(("deep_river", "greedy"), ("riverbed_hunt", "lookahead:worlds=3")),
    ],
)
def test_inside_the_batch_and_through_act_an_agent_plays_the_same_games(name: str, spec: str) -> None:
    game, agent = find_game(name), find_agent(spec, name)
    inside, called = (
        play(game, lineup(game, "tested", each), np.arange(2), seed=4).games for each in (agent, stepwise(agent))
    )
    assert inside.tobytes() == called.tobytes()
