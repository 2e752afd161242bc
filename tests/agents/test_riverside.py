"""The agents of Riverside: what they score, that they play by the rules, and the same games in the batch and by `act`.

Scores of one game depend on each other (all seats share the dice), so intervals are taken over games' mean scores.
"""

import numpy as np
import numpy.typing as npt
import pytest

from riverbed_agents.riverside.greedy import GREEDY
from riverbed_agents.riverside.look_ahead import LOOK_AHEAD
from riverbed_env.core.batch import Batch
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.players.agents import UNIFORM, Agent
from riverbed_lab.playing.play import Played, lineup, play

AGENTS = (GREEDY, LOOK_AHEAD)
COUNTS = range(RIVERSIDE.min_players, RIVERSIDE.max_players + 1)
SEED = 23


def play_alike(agent: Agent, games: int, count: int, extension: bool = False) -> Played:
    """Games of one agent in all seats; one pool, so that all lineups share one compiled loop."""
    who = lineup(RIVERSIDE, agent.name, agent)
    options = {"num_players": count, "extension": extension}
    return play(RIVERSIDE, who, np.arange(games), seed=SEED, pool=(UNIFORM, *AGENTS), **options)


def mean_scores(played: Played) -> npt.NDArray[np.float64]:
    """The mean final score of each game's seats."""
    columns = RIVERSIDE.columns(played.games)
    return np.mean([columns[f"final_{seat}"] for seat in range(played.seats.shape[1])], axis=0)


def half_width(scores: npt.NDArray[np.float64]) -> float:
    """Half the width of the 95 % interval of the scores' mean."""
    return float(1.96 * scores.std(ddof=1) / np.sqrt(len(scores)))


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("count", [1, 4])
def test_greedy_scores_more_than_a_greedy_player_is_known_to_and_looking_ahead_scores_more_still(count: int) -> None:
    greedy = mean_scores(play_alike(GREEDY, 600, count))
    ahead = mean_scores(play_alike(LOOK_AHEAD, 120 // count, count))
    assert greedy.mean() - half_width(greedy) > 260
    assert ahead.mean() - half_width(ahead) > greedy.mean() + half_width(greedy)


@pytest.mark.slow
@pytest.mark.compiled
def test_in_games_that_random_players_have_begun_they_answer_every_question_by_the_rules() -> None:
    batch = Batch(RIVERSIDE, 60, seed=SEED, num_players=2, extension=True, auto_reset=False)
    for _ in range(120):
        indices = np.flatnonzero(batch.acting)
        for agent in AGENTS:  # without what they would remember, had they chosen all along
            memory = np.zeros((len(indices), agent.memory_size), np.int32)
            masks = np.ascontiguousarray(batch.action_mask[indices])
            sight = {"views": batch.look(batch.seat[indices], indices), "params": batch.params}
            chosen = agent.act(batch.observation[indices], masks, memory, batch.agent_streams()[indices], **sight)
            assert masks[np.arange(len(indices)), chosen].all()
        batch.step(batch.random_actions())
