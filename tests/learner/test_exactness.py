"""A learner meets exactly what its seat meets in the same game of the turn-based environment, and every game once."""

import functools
from typing import Any

import numpy as np
import pytest
from conformance.options import every_table, one_of_each_kind
from learner.learner_kit import (
    HUNT,
    PLAIN,
    TOY,
    Hashing,
    Remembering,
    Replay,
    Sitting,
    assert_same_episode,
    first_episodes,
    hashed,
    installed,
    learner,
    replayed,
    sights,
)

from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import lineups, seating_uniforms
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.options import cap_of

SEED = 3


def everybody(agent: Agent) -> Sitting:
    return lambda seat, role: agent


def assert_exact(
    game_id: str, opponents: Any, sitting: Sitting, *, games: int = 3, salt: int = 0, **options: Any
) -> None:
    own = {name: value for name, value in options.items() if name != "role"}
    batch = learner(game_id, 2, seed=SEED, opponents=opponents, **options)
    found = first_episodes(batch, games, functools.partial(hashed, salt=salt))
    assert len(found) == games
    for number, episode in found.items():
        replay = Replay(game_id, SEED, number, sitting, **own)
        assert_same_episode(replayed(replay, episode), episode)


@one_of_each_kind
def test_the_same_games_against_a_compiled_agent(game_id: str) -> None:
    assert_exact(game_id, PLAIN[game_id], everybody(installed(PLAIN[game_id], game_id)), salt=1)


@one_of_each_kind
def test_the_same_games_against_an_agent_in_python_that_remembers(game_id: str) -> None:
    assert_exact(game_id, Remembering(), everybody(Remembering()), salt=2)


@every_table
def test_the_same_games_at_every_table(game_id: str, count: int) -> None:
    assert_exact(game_id, "random", everybody(installed("random", game_id)), games=2, num_players=count)


@one_of_each_kind
def test_the_same_games_where_the_cap_cuts_them_off(game_id: str) -> None:
    batch = learner(game_id, 2, seed=SEED, opponents="random", **{cap_of(game_id): 9})
    found = first_episodes(batch, 4)
    assert any(episode.truncated for episode in found.values())
    for number, episode in found.items():
        replay = Replay(game_id, SEED, number, everybody(installed("random", game_id)), **{cap_of(game_id): 9})
        assert_same_episode(replayed(replay, episode), episode)
        assert not episode.truncated or sum(episode.rewards) == 0


@one_of_each_kind
def test_the_same_games_with_every_way_of_paying_and_no_decision_taken_for_the_learner(game_id: str) -> None:
    for rewards in find_game(game_id).rewards:
        assert_exact(game_id, Hashing(), everybody(Hashing()), games=2, rewards=rewards, auto_forced="none")


@pytest.mark.parametrize("role", ["chief", "merchant", "leader", "separatist", "profiteer"])
def test_the_same_games_in_every_role_of_the_hunt(role: str) -> None:
    assert_exact(HUNT, "random", everybody(installed("random", HUNT)), games=2, role=role, num_players=6)


def test_the_same_games_of_compiled_agents_and_agents_in_python_by_role() -> None:
    given = {"merchants": "simple", "separatist": Remembering(), "leader": "random", "profiteer": Hashing(5)}
    names = find_game(HUNT).roles

    def sitting(seat: int, role: int) -> Agent:
        agent = given.get(names[role], "simple")
        return installed(agent, HUNT) if isinstance(agent, str) else agent  # type: ignore[return-value]

    assert_exact(HUNT, given, sitting, games=4)


def test_the_same_games_with_pools_and_several_lineups() -> None:
    opponents = [{"wader": [Hashing(1), Hashing(2)]}, Hashing(3), {"wader": [Hashing(4), Remembering()]}]
    drawn = lineups(find_game(TOY), opponents)
    games = 12
    batch = learner(TOY, 5, seed=SEED, opponents=opponents)
    uniforms = seating_uniforms(SEED, np.arange(games), 3)
    who = drawn.draw(np.zeros((games, 3), np.int8), uniforms[:, 1:])
    assert len(np.unique(who)) == len(drawn.agents)
    for number, episode in first_episodes(batch, games).items():
        sat = who[number]
        replay = Replay(TOY, SEED, number, lambda seat, role, sat=sat: drawn.agents[sat[seat]])
        assert_same_episode(replayed(replay, episode), episode)


@one_of_each_kind
def test_the_smaller_view_is_the_beginning_of_the_larger_and_the_others_see_all(game_id: str) -> None:
    size = find_game(game_id).views["now"]
    large, small = (learner(game_id, 2, opponents=Remembering(), view=view) for view in ("history", "now"))
    for _ in range(40):
        assert small.observation.shape == (2, size)
        np.testing.assert_array_equal(small.observation, large.observation[:, :size])
        np.testing.assert_array_equal(small.final_observation, large.final_observation[:, :size])
        np.testing.assert_array_equal(small.action_mask, large.action_mask)
        actions = [hashed(row, mask) for row, mask in zip(small.observation, small.action_mask)]
        small.step(actions)
        large.step(actions)


@one_of_each_kind
def test_the_same_games_in_batches_of_every_size(game_id: str) -> None:
    games = 9 if game_id == TOY else 4
    alone = first_episodes(learner(game_id), games)
    assert list(alone) == list(range(games))
    for n in (3, 8):
        beside = first_episodes(learner(game_id, n), games)
        assert list(beside) == list(alone)
        for number in alone:
            assert_same_episode(alone[number], beside[number])


def test_games_that_end_before_the_learner_is_asked_are_passed_over() -> None:
    """With one decision a game only its first seat is asked."""
    batch = learner(TOY, 3, max_decisions=1, opponents=Hashing(), seed=SEED)
    assert set(batch.seat) == {0}
    games = 60
    found = first_episodes(batch, games)
    assert 0 < len(found) < games
    assert all(len(episode.actions) == 1 and episode.truncated for episode in found.values())
    seats = np.floor(3 * seating_uniforms(SEED, np.arange(games), 3)[:, 0]).astype(int)
    assert list(found) == np.flatnonzero(seats == 0).tolist()


def test_a_reset_without_a_seed_continues_after_the_games_so_far() -> None:
    batch = learner(TOY, 3)
    batch.reset()
    np.testing.assert_array_equal(batch.game_number, [3, 4, 5])
    while batch.game_number[1] == 4:
        batch.step([hashed(row, mask) for row, mask in zip(batch.observation, batch.action_mask)])
    last = int(batch.game_number.max())
    batch.reset()
    np.testing.assert_array_equal(batch.game_number, last + np.arange(1, 4))
    batch.reset(first_game=50)
    np.testing.assert_array_equal(batch.game_number, [50, 51, 52])
    batch.reset(seed=9)
    assert batch.seed == 9
    np.testing.assert_array_equal(batch.game_number, [0, 1, 2])


@pytest.mark.parametrize(
    ("given", "named"),
    [
        *(({"seed": seed}, "seed") for seed in (-1, 1.5, 2**63, "3")),
        *(({"first_game": number}, "first_game") for number in (-1, 0.5, "3")),
        ({"seed": 2, "first_game": -1}, "first_game"),
    ],
)
def test_a_refused_reset_changes_nothing(given: dict[str, Any], named: str) -> None:
    batch = learner(TOY, 2)
    before = sights(batch), batch.get_state()
    with pytest.raises(OptionError, match=named):
        batch.reset(**given)
    np.testing.assert_equal((sights(batch), batch.get_state()), before)


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "opponents"), [(HUNT, "rule_based"), ("deep_river", "search")])
def test_the_same_games_against_strong_agents(game_id: str, opponents: str) -> None:
    assert_exact(game_id, opponents, everybody(installed(opponents, game_id)), games=3)
