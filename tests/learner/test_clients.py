"""What other libraries do to our environments, as they are."""

import pickle
from typing import Any

import gymnasium
import numpy as np
import pytest
import toy_game  # noqa: F401  # registers its game in processes that are spawned
from learner.learner_kit import HUNT, TOY

from riverbed_env import make_batch
from riverbed_env.entries import ENTRIES
from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.envs.learner_vector import LearnerVectorEnv
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.errors import EpisodeOverError, OptionError, StateError
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance.kit import api_test, parallel_api_test
from riverbed_env.worlds import resample

HUNT_ID = ENTRIES[HUNT].registry_id


def test_make_vec_env_of_stable_baselines3_takes_the_id() -> None:
    from stable_baselines3.common.env_util import make_vec_env

    envs = make_vec_env(HUNT_ID, n_envs=2, env_kwargs={"num_players": 5})
    assert envs.reset().shape == (2, *envs.observation_space.shape)


def test_an_unknown_option_is_refused_in_the_words_that_torchrl_looks_for() -> None:
    with pytest.raises(TypeError, match="unexpected keyword argument 'frameskip'"):
        gymnasium.make(HUNT_ID, frameskip=1)


def test_gym_env_of_torchrl_takes_the_id() -> None:
    libs = pytest.importorskip("torchrl.envs.libs.gym")
    env = libs.GymEnv(HUNT_ID, num_players=5, on_illegal="terminate")
    assert env.rollout(3, break_when_any_done=False).batch_size[0] == 3


@pytest.mark.parametrize(
    "env", [lambda: LearnerEnv(TOY), lambda: LearnerVectorEnv(TOY, 2), lambda: LearnerVecEnv(TOY, 2, seed=0)]
)
def test_learner_environments_are_pickled_in_the_middle_of_a_game(env: Any) -> None:
    one = env()
    one.reset() if isinstance(one, LearnerVecEnv) else one.reset(seed=3)
    two = pickle.loads(pickle.dumps(one))
    masks = np.atleast_2d(one.action_masks())
    np.testing.assert_array_equal(masks, np.atleast_2d(two.action_masks()))
    actions: Any = masks.argmax(axis=1) if not isinstance(one, LearnerEnv) else int(masks[0].argmax())
    np.testing.assert_array_equal(one.step(actions)[0], two.step(actions)[0])


def test_agents_and_features_are_pickled_by_name_and_without_their_code() -> None:
    given: list[Any] = [find_agent(name, HUNT) for name in ("rule_based", "lookahead")]
    given += find_feature_sets(["advice:simple", "outlook"], find_game(HUNT))
    saved = pickle.dumps(given)
    assert b"numba" not in saved
    assert b"riverbed_agents" not in saved
    assert pickle.loads(saved) == given


def test_hydra_makes_environments_of_its_lists() -> None:
    omegaconf, hydra = pytest.importorskip("omegaconf"), pytest.importorskip("hydra.utils")
    given = {"_target_": "riverbed_env.envs.learner_env.LearnerEnv", "game": HUNT, "num_players": 5}
    opponents = {"chief": ["simple", "random"], "everybody": "random"}
    config = omegaconf.OmegaConf.create({**given, "opponents": opponents, "features": ["outlook"]})
    env = hydra.instantiate(config)
    assert {agent.name for agent in env.learner.lineups.agents} == {"simple", "random"}
    roles = ["chief", "merchant", "leader", "separatist", "profiteer"]
    dealt = entry_points(find_game(HUNT)).raw_env(num_players=5, roles=omegaconf.OmegaConf.create(roles))
    dealt.reset(seed=1)
    shown = dealt.game.state.named(dealt.state())["roles"].argmax(axis=1)[:5]
    assert [dealt.game.roles[role] for role in shown] == roles


@pytest.mark.filterwarnings("ignore::DeprecationWarning", "ignore::UserWarning")
def test_supersuit_wraps_environments_whose_masks_are_in_the_info() -> None:
    supersuit = pytest.importorskip("supersuit")
    env = entry_points(find_game(TOY)).raw_env(mask_in="info", dtype="float32")
    size = env.observation_space("player_0").shape[0]
    env = supersuit.agent_indicator_v0(supersuit.frame_stack_v1(env, 3))
    env.reset(seed=1)
    for _ in range(3):
        seen, *_, info = env.last()
        assert seen.shape[0] > 3 * size
        env.step(int(info["action_mask"].argmax()))


@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("mask_in", ["info", "observation"])
def test_observations_look_as_they_are_asked_to(mask_in: str, dtype: str) -> None:
    env, envs = LearnerEnv(TOY, mask_in=mask_in, dtype=dtype), LearnerVectorEnv(TOY, 2, mask_in=mask_in, dtype=dtype)
    plain = LearnerEnv(TOY).reset(seed=5)[0]
    seen, info = env.reset(seed=5)
    many, infos = envs.reset(seed=5)
    assert env.observation_space.contains(seen)
    assert envs.observation_space.contains(many)
    if mask_in == "observation":
        np.testing.assert_array_equal(seen["action_mask"], info["action_mask"])
        np.testing.assert_array_equal(many["action_mask"], infos["action_mask"])
        seen, many = seen["observation"], many["observation"]
    assert seen.dtype == many.dtype == dtype
    np.testing.assert_array_equal(seen, plain)
    with pytest.raises(OptionError, match="mask_in"):
        LearnerEnv(TOY, mask_in="nowhere")
    with pytest.raises(OptionError, match="dtype"):
        LearnerEnv(TOY, dtype="float16")


@pytest.mark.parametrize("dtype", ["int8", "float32"])
@pytest.mark.parametrize("mask_in", ["info", "observation"])
@pytest.mark.filterwarnings("ignore:.*:UserWarning")  # PettingZoo's checker would rather have no dictionaries
def test_observations_of_many_agents_look_as_they_are_asked_to(mask_in: str, dtype: str) -> None:
    form = {"mask_in": mask_in, "dtype": dtype, "on_illegal": "terminate"}
    for game_id, entry in ENTRIES.items():
        entries = entry_points(find_game(game_id))
        env, plain = entries.raw_env(**form), entries.raw_env()
        api_test(env, num_cycles=20)
        env.reset(seed=1)
        plain.reset(seed=1)
        for agent in env.possible_agents:
            seen, usual = env.observe(agent), plain.observe(agent)
            if mask_in == "observation":
                np.testing.assert_array_equal(seen["action_mask"], usual["action_mask"])
                seen = seen["observation"]
            np.testing.assert_array_equal(seen, usual["observation"])
            assert seen.dtype == dtype
        np.testing.assert_array_equal(env.legal_actions(agent), plain.legal_actions(agent))
        if entry.simultaneous:
            parallel_api_test(entries.parallel_env(**form), num_cycles=20)


def played(game_id: str, decisions: int) -> Any:
    """A turn-based environment after some random decisions."""
    env = entry_points(find_game(game_id)).raw_env()
    env.reset(seed=2)
    rng = np.random.default_rng(0)
    for _ in range(decisions):
        env.step(int(rng.choice(env.legal_actions(env.agent_selection))))
    return env


@pytest.mark.parametrize("game_id", [*ENTRIES])
def test_a_record_of_a_batch_becomes_an_environment(game_id: str) -> None:
    batch = make_batch(game_id, 1, seed=4, auto_reset=False)
    for _ in range(6):
        batch.step(batch.random_actions())
    env = played(game_id, 2)
    env.set_game(batch.get_state())
    selected = env.possible_agents[batch.seat[0]]
    assert env.agent_selection == selected
    np.testing.assert_array_equal(env.observe(selected)["observation"], batch.observation[0])
    action = int(batch.random_actions()[0])
    env.step(action)
    batch.step([action])
    np.testing.assert_array_equal(env.state(), batch.states()[0])


def test_a_drawn_world_becomes_an_environment() -> None:
    env = played(HUNT, 8)
    agent = env.agent_selection
    world = env.clone()
    world.set_game(resample(env.game, env.look(agent), env.params, seed=1))
    assert world.agent_selection == agent
    np.testing.assert_array_equal(world.observe(agent)["observation"], env.observe(agent)["observation"])


def test_the_deck_of_a_record_is_the_script_of_its_chance() -> None:
    """Two records that differ in the deck's order alone differ in nothing that any seat sees."""
    batch = make_batch(HUNT, 1, seed=4, num_players=5)
    record = batch.get_state()
    record["deck"][0] = record["deck"][0][np.argsort(record["deck"][0] < 0, kind="stable")]
    env = entry_points(find_game(HUNT)).raw_env(num_players=5)
    env.reset(seed=0)
    env.set_game(record)
    np.testing.assert_array_equal(env.unwrapped.state(), batch.states()[0])


def next_dice(env: Any) -> list[int]:
    """The dice of a game of Riverside's next roll, when its only player takes the last legal action each time."""
    rolls = []
    while not rolls or rolls[-1] == rolls[0]:
        rolls.append(env.game.state.named(env.state())["dice"].tolist())
        env.step(int(env.legal_actions(env.agent_selection)[-1]))
    return list(rolls[-1])


def test_chance_to_come_is_drawn_anew_by_seed() -> None:
    env = entry_points(find_game("riverside")).raw_env(num_players=1)
    with pytest.raises(EpisodeOverError):
        env.renew_chance(1)
    env.reset(seed=0)
    shown = env.observe("player_0")["observation"].tolist()
    rolls = []
    for seed in (1, 2, 1):
        twin = env.clone()
        twin.renew_chance(seed)
        assert twin.observe("player_0")["observation"].tolist() == shown
        rolls.append(next_dice(twin))
    assert rolls[0] == rolls[2] != rolls[1]
    batch = make_batch("riverside", 2, num_players=1, seed=0)
    batch.set_state(np.repeat(batch.get_state()[:1], 2))
    batch.renew_chance(1)
    env.set_game(batch.get_state()[:1])
    assert next_dice(env) == rolls[0]
    assert batch.games[0]["chance"] != batch.games[1]["chance"]


def test_a_record_that_is_not_sound_changes_nothing() -> None:
    env = played(TOY, 2)
    before = env.get_state()
    for wrong in (np.zeros(1, env.game.dtype), np.zeros(2, env.game.dtype), np.zeros(1), None):
        with pytest.raises(StateError):
            env.set_game(wrong)
    assert env.get_state() == before


def test_simultaneous_environments_take_records_too() -> None:
    game_id = next(game_id for game_id, entry in ENTRIES.items() if entry.simultaneous)
    batch = make_batch(game_id, 1, seed=4)
    env = entry_points(find_game(game_id)).parallel_env()
    env.reset(seed=0)
    env.set_game(batch.get_state())
    np.testing.assert_array_equal(env.state(), batch.states()[0])
