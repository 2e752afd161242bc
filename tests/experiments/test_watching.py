"""Games watched step by step are the games that are played, and the fit of deduction looks at them."""

import numpy as np
import pytest

from riverbed_env.core.batch import Batch
from riverbed_env.players.agents import UNIFORM
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_lab.playing.play import play_seated, watch
from studies.fitting import riverbed_hunt as fitting

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt")
AGENTS = [UNIFORM, find_agent("simple", GAME.name)]
NUMBERS = np.array([3, 8, 8, 1])
SEATS = np.array([[0, 1, 0, 1, 1], [1] * 5, [0] * 5, [1, 0, 0, 0, 0]])


def test_watched_games_are_the_games_that_are_played_also_in_a_batch_used_before() -> None:
    batch = Batch(GAME, 4, seed=6, auto_reset=False, num_players=5)
    for numbers in (NUMBERS + 10, NUMBERS):
        decisions = [batch.games["table"]["decisions"].copy() for _ in watch(batch, AGENTS, SEATS, numbers)]
        played = play_seated(GAME, AGENTS, SEATS, numbers, 6, num_players=5)
        assert batch.games.tobytes() == played.games.tobytes()
        assert (np.diff(decisions, axis=0) >= 0).all()


def test_the_fit_of_deduction_looks_at_games_the_same_way_each_time() -> None:
    evidence, truths = fitting.look_at_games(AGENTS, 5, 40, 2)
    again, same = fitting.look_at_games(AGENTS, 5, 40, 2)
    assert (evidence.tobytes(), truths.tobytes()) == (again.tobytes(), same.tobytes())
    assert 20 < len(evidence) < 800
    assert (evidence["num_players"] == 5).all()
    assert ((truths[:, :5] >= 0) & (truths[:, :5] < len(GAME.roles))).all()
    known = evidence["known"][:, :5]
    assert (known[known >= 0] == truths[:, :5][known >= 0]).all()
