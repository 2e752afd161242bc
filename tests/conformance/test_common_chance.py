"""Games of one deal with the same actions stay the same, whichever agent takes them and however much it draws."""

from typing import Any

import numpy as np
import pytest
from conformance.options import every_game

from riverbed_env.core.batch import Batch
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.kernels.compile import Records, Whole
from riverbed_env.kernels.random import STREAM, WORDS_A_DECISION, draw_uniforms, end_decisions
from riverbed_env.players.agents import UNIFORM, Agent, Memory, Streams, Vectors
from riverbed_env.players.installed import list_agents
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import undrawn
from riverbed_lab.playing.play import play_seated, watch

GAMES = 12
SEED = 5


class Wasteful:
    """Does what another agent does, and draws more afterwards."""

    name = "wasteful"

    def __init__(self, agent: Agent) -> None:
        self.agent, self.memory_size = agent, agent.memory_size
        self.by_view = getattr(agent, "by_view", False)

    def act(self, observations: Vectors, masks: Vectors, memory: Memory, rng: Streams, **sight: Any) -> Whole:
        actions = self.agent.act(observations, masks, memory, rng, **sight)
        for _ in range(3):
            draw_uniforms(rng, np.zeros(len(rng)))
        return actions


def ended(game_id: str, agents: list[Agent], seats: Whole) -> Records:
    """The ended games, without what their players drew."""
    game = find_game(game_id)
    return undrawn(game, play_seated(game, agents, seats, np.arange(GAMES), SEED, num_players=seats.shape[1]).games)


def plain_agents(game_id: str) -> list[Agent]:
    """The uniform one, and the first installed one, which draws less often."""
    game = find_game(game_id)
    first = [name for name in list_agents(game.name) if name != UNIFORM.name][:1]
    return [UNIFORM, *(find_agent(name, game.name) for name in first)]


@pytest.mark.parametrize(
    ("used", "words"),
    [(0, 1), (3, 1), (WORDS_A_DECISION, 1), (WORDS_A_DECISION + 1, 2), (3 * WORDS_A_DECISION, 3)],
)
def test_a_decision_has_words_of_its_own_however_many_were_drawn(used: int, words: int) -> None:
    streams = np.zeros(2, STREAM)
    begun = np.array([0, 5 * WORDS_A_DECISION])
    streams["drawn"] = begun + used
    end_decisions(streams, begun)
    np.testing.assert_array_equal(streams["drawn"], begun + words * WORDS_A_DECISION)


@pytest.mark.slow
@every_game
def test_an_agent_and_its_copy_that_draws_more_play_the_same_games(game_id: str) -> None:
    players = find_game(game_id).default_players
    for agent in plain_agents(game_id):
        alone = ended(game_id, [agent], np.zeros((GAMES, players), np.int64))
        seats = np.zeros((GAMES, players), np.int64)
        seats[:, 0] = 1
        beside = ended(game_id, [agent, Wasteful(agent)], seats)
        assert alone.tobytes() == beside.tobytes()


@pytest.mark.slow
@every_game
def test_watched_games_are_those_that_are_played(game_id: str) -> None:
    game = find_game(game_id)
    seats = np.zeros((GAMES, game.default_players), np.int64)
    batch = Batch(game, GAMES, seed=SEED, auto_reset=False, num_players=game.default_players)
    assert len(list(watch(batch, [UNIFORM], seats, np.arange(GAMES)))) > 1
    assert undrawn(game, batch.games).tobytes() == ended(game_id, [UNIFORM], seats).tobytes()


@pytest.mark.slow
@every_game
def test_a_learner_that_does_what_an_agent_would_meets_the_same_games(game_id: str) -> None:
    game = find_game(game_id)
    alone = ended(game_id, [UNIFORM], np.zeros((GAMES, game.default_players), np.int64))
    learner = LearnerBatch(
        game, GAMES, opponents=UNIFORM, seed=SEED, num_players=game.default_players, features=("advice:random",)
    )
    paid, found = np.zeros(GAMES), np.zeros(GAMES, np.bool_)
    seats = learner.seat.copy()
    while not found.all():
        advice = learner.observation[:, learner.view_size :]
        learner.step(advice.argmax(axis=1))
        over = (learner.terminated | learner.truncated) & ~found & (learner.ended_game < GAMES)
        for index in np.flatnonzero(over):
            paid[learner.ended_game[index]] = learner.reward[index]
            found[learner.ended_game[index]] = True
    expected = game.returns(alone, game.default_players)[np.arange(GAMES), seats]
    np.testing.assert_array_equal(paid, expected)
