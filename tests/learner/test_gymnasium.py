"""The Gymnasium environments of a learner's seat, single and vector, in every game."""

from typing import Any

import gymnasium
import numpy as np
import pytest
from conformance.options import GAMES, KINDS, game_name, one_of_each_kind
from gymnasium.utils.env_checker import check_env
from gymnasium.vector import AutoresetMode
from learner.learner_kit import (
    HUNT,
    TOY,
    Hashing,
    Replay,
    first_episodes,
    hashed,
    learner,
)

from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.envs.learner_vector import LearnerVectorEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, SeedError
from riverbed_env.registry import find_game


def new_env(game_id: str, **options: Any) -> LearnerEnv:
    """The single environment, as the registry makes it but without its wrappers."""
    env = gymnasium.make(find_game(game_id).registry_id, **{"opponents": Hashing(), **options}).unwrapped
    assert isinstance(env, LearnerEnv)
    return env


def new_vector(game_id: str, n: int = 3, **options: Any) -> LearnerVectorEnv:
    """The vector environment, as the registry makes it."""
    env = gymnasium.make_vec(
        find_game(game_id).registry_id,
        num_envs=n,
        vectorization_mode="vector_entry_point",
        **{"opponents": Hashing(), **options},
    )
    assert isinstance(env, LearnerVectorEnv)
    return env


def act(observations: Any, infos: dict[str, Any]) -> Any:
    """Legal actions of all environments."""
    return np.array([hashed(row, mask) for row, mask in zip(observations, infos["action_mask"])])


def play(env: LearnerEnv, **reset: Any) -> list[Any]:
    """Play a game to its end; returns all that `reset` and `step` returned."""
    observation, info = env.reset(**reset)
    told: list[Any] = [observation, info]
    over = False
    while not over:
        step = env.step(hashed(observation, info["action_mask"]))
        observation, _, terminated, truncated, info = step
        over = terminated or truncated
        told.append(step)
    return told


# --- the single environment -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "game_id",
    [pytest.param(game, marks=[] if game in KINDS else pytest.mark.slow, id=game_name(game)) for game in GAMES],
)
def test_gymnasiums_checker_finds_nothing(game_id: str) -> None:
    check_env(new_env(game_id, on_illegal="terminate"))


@pytest.mark.slow  # compiles an agent that advises
def test_gymnasiums_checker_finds_nothing_with_features_and_secrets() -> None:
    options: dict[str, Any] = {"features": ("outlook", "advice:simple"), "secrets": True, "opponents": "simple"}
    check_env(new_env(HUNT, on_illegal="terminate", role="leader", **options), skip_render_check=True)


def test_the_registry_loads_the_library_by_its_name() -> None:
    env = gymnasium.make("riverbed_env:riverbed/Hunt-v1", role="profiteer", num_players=5, opponents="random")
    observation, info = env.reset(seed=3)
    assert observation in env.observation_space
    assert set(info) >= {"action_mask", "seat", "game_number", "illegal"}
    action = int(info["action_mask"].argmax())
    assert len(env.step(action)) == 5


@one_of_each_kind
def test_the_single_environment_plays_the_batchs_games(game_id: str) -> None:
    env = new_env(game_id)
    found = first_episodes(learner(game_id, 2, opponents=Hashing(), seed=6), 3)
    for number, episode in found.items():
        told = play(env, seed=6) if number == 0 else play(env)
        steps = told[2:]
        assert told[1]["game_number"] == number
        assert told[1]["seat"] == episode.seat
        np.testing.assert_equal(
            [told[0], *(step[0] for step in steps)], [*episode.observations, episode.last_observation]
        )
        masks = [told[1]["action_mask"], *(step[4]["action_mask"] for step in steps)]
        np.testing.assert_equal(masks, [*episode.masks, episode.last_mask])
        assert [step[1] for step in steps] == episode.rewards
        assert steps[-1][2:4] == (episode.terminated, episode.truncated)
        assert not any(step[2] or step[3] for step in steps[:-1])


def test_wrong_seeds_and_options_are_refused_in_the_librarys_words() -> None:
    env, envs = new_env(TOY), new_vector(TOY)
    wrong: list[Any] = [-1, 1.5, "x", True]
    for seed in wrong:
        with pytest.raises(OptionError, match="seed must be"):
            env.reset(seed=seed)
        with pytest.raises((SeedError, gymnasium.error.Error)):
            envs.reset(seed=seed)
    for options, words in (
        *((given, "options of reset") for given in ("game_number", 5)),
        *(({"game_number": number}, "game_number") for number in (-1, 1.5, "x", True)),
    ):
        with pytest.raises(OptionError, match=words):
            env.reset(seed=1, options=options)  # type: ignore[arg-type]  # wrong on purpose
    env.reset(seed=1)
    with pytest.raises(OptionError, match="action must be an integer"):
        env.describe_action(-1)
    with pytest.raises(IllegalActionError, match="must be an integer"):
        env.step([[1], [1, 2]])  # type: ignore[arg-type]  # wrong on purpose


@pytest.mark.parametrize("seed", [2**63, 2**64 - 1, 10**40])
def test_seeds_of_gymnasiums_tools_may_be_larger_than_ours(seed: int) -> None:
    env, envs = new_env(TOY), new_vector(TOY)
    first, _ = env.reset(seed=seed)
    again = env.unwrapped.learner.seed
    env.reset(seed=seed + 1)
    assert env.unwrapped.learner.seed != again
    np.testing.assert_array_equal(env.reset(seed=seed)[0], first)
    assert env.unwrapped.learner.seed == again
    envs.reset(seed=seed)
    assert envs.unwrapped.learner.seed == again


def test_a_game_can_be_asked_for_by_number() -> None:
    env = new_env(TOY)
    play(env, seed=6)
    second = play(env)
    np.testing.assert_equal(play(env, seed=6, options={"game_number": 1}), second)
    third = play(env)
    assert third[1]["game_number"] == 2
    np.testing.assert_equal(play(env, options={"game_number": 2}), third)


def test_an_environment_of_a_seed_begins_with_its_first_game() -> None:
    env = new_env(TOY, seed=6)
    assert env.reset()[1]["game_number"] == 0
    assert env.learner.seed == 6
    assert env.reset()[1]["game_number"] == 1


@one_of_each_kind
def test_a_step_before_the_deal_or_after_the_end_raises(game_id: str) -> None:
    env = new_env(game_id)
    with pytest.raises(EpisodeOverError):
        env.step(1)
    play(env, seed=1)
    for _ in range(2):
        with pytest.raises(EpisodeOverError):
            env.step(1)
    env.reset()
    assert env.action_masks().any()


def test_illegal_actions_are_punished_and_counted_until_a_seed_restarts() -> None:
    env = new_env(TOY, on_illegal="terminate")
    env.reset(seed=1)
    _, reward, terminated, truncated, info = env.step(0)
    assert (reward, terminated, truncated, info["illegal"]) == (-1, True, False, 1)
    with pytest.raises(EpisodeOverError):
        env.step(1)
    assert env.reset()[1]["illegal"] == 1
    assert env.step(0)[4]["illegal"] == 2
    assert env.reset(seed=1)[1]["illegal"] == 0


@one_of_each_kind
def test_masks_words_and_pictures_are_the_learners(game_id: str) -> None:
    env = new_env(game_id, render_mode="ansi")
    _, info = env.reset(seed=4)
    masks = env.action_masks()
    assert masks.dtype == np.bool_
    np.testing.assert_array_equal(masks, info["action_mask"] == 1)
    replay = Replay(game_id, 4, 0, lambda seat, role: Hashing())
    while replay.seat != info["seat"]:
        replay.answer()
    for action in np.flatnonzero(masks):
        assert env.describe_action(int(action)) == replay.env.describe_action(int(action), info["seat"])
    replay.env.render_mode = "ansi"
    assert env.render() == replay.env.render(info["seat"])
    if game_id == HUNT:
        assert env.render() != replay.env.render()


# --- the vector environment -----------------------------------------------------------------------------------------


@one_of_each_kind
def test_the_vector_environment_plays_the_batchs_games(game_id: str) -> None:
    env, batch = new_vector(game_id), learner(game_id, 3, opponents=Hashing(), seed=6)
    assert env.metadata["autoreset_mode"] == AutoresetMode.SAME_STEP
    observations, infos = env.reset(seed=6)
    ends = 0
    for _ in range(60):
        assert observations in env.observation_space
        assert observations.dtype == np.int8
        np.testing.assert_array_equal(observations, batch.observation)
        np.testing.assert_array_equal(infos["action_mask"], batch.action_mask)
        np.testing.assert_array_equal(env.action_masks(), batch.action_mask == 1)
        actions = act(observations, infos)
        assert actions in env.action_space
        observations, rewards, terminated, truncated, infos = env.step(actions)
        batch.step(actions)
        np.testing.assert_array_equal(rewards, batch.reward)
        np.testing.assert_array_equal(terminated, batch.terminated)
        np.testing.assert_array_equal(truncated, batch.truncated)
        ended = terminated | truncated
        ends += ended.sum()
        if ended.any():
            np.testing.assert_array_equal(infos["_final_obs"], ended)
            for index in np.flatnonzero(ended):
                np.testing.assert_array_equal(infos["final_obs"][index], batch.final_observation[index])
                np.testing.assert_array_equal(infos["final_info"]["action_mask"][index], batch.final_mask[index])
        else:
            assert not np.any(infos.get("_final_obs", False))
    assert ends


def test_the_vector_environments_reset_is_repeatable_and_continues_without_a_seed() -> None:
    env = new_vector(TOY)
    first, infos = env.reset(seed=2)
    env.step(act(first, infos))
    np.testing.assert_array_equal(env.reset(seed=2)[0], first)
    assert env.reset(seed=2)[0] is not first
    env.reset()
    np.testing.assert_array_equal(env.learner.game_number, [3, 4, 5])


def test_gymnasium_vectorizes_the_single_environment_too() -> None:
    env = gymnasium.make_vec(find_game(TOY).registry_id, num_envs=2, vectorization_mode="sync", opponents=Hashing())
    observations, infos = env.reset(seed=[1, 2])
    for _ in range(20):
        actions = act(observations, infos)
        observations, _, terminated, truncated, infos = env.step(actions)
        if (terminated | truncated).any():
            break
    env.close()
