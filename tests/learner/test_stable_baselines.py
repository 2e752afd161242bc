"""Stable-Baselines3's environment of learners: masks, infos, several tables at once, training that obeys the rules."""

import dataclasses
import itertools
import runpy
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
import torch
from conformance.options import one_of_each_kind
from learner.learner_kit import HUNT, TOY, Hashing, chosen, first_episodes, hashed, learner
from sb3_contrib import ARS, TRPO, MaskablePPO, RecurrentPPO
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from sb3_contrib.common.maskable.utils import get_action_masks, is_masking_supported
from stable_baselines3 import A2C, DQN, PPO
from stable_baselines3.common.env_checker import check_env
from stable_baselines3.common.vec_env import VecMonitor, VecNormalize

from riverbed_env.envs.sb3 import LearnerVecEnv, agent_of
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy, save_policy
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.options import cap_of


def new_env(game_id: str = TOY, num_envs: int = 3, **options: Any) -> LearnerVecEnv:
    """The vector environment of seed 1."""
    return LearnerVecEnv(game_id, num_envs, **{"seed": 1, "opponents": Hashing(), **options})


def act(env: LearnerVecEnv, observations: Any) -> Any:
    """Legal actions of all environments."""
    masks = env.env_method("action_masks")
    return np.array([hashed(row, mask) for row, mask in zip(observations, masks)])


@one_of_each_kind
def test_the_single_environment_passes_the_checker(game_id: str) -> None:
    env = gymnasium.make(find_game(game_id).registry_id, opponents=Hashing(), on_illegal="terminate")
    check_env(env.unwrapped)


@one_of_each_kind
def test_it_plays_the_batchs_games_and_reports_their_ends(game_id: str) -> None:
    env, batch = (
        new_env(game_id, **{cap_of(game_id): 25}),
        learner(game_id, 3, opponents=Hashing(), **{cap_of(game_id): 25}),
    )
    found = first_episodes(learner(game_id, opponents=Hashing(), **{cap_of(game_id): 25}), 12)
    observations = env.reset()
    ends = 0
    for _ in range(30):
        assert observations.dtype == np.int8
        assert observations in gymnasium.spaces.Box(env.observation_space.low.min(), 127, observations.shape, np.int8)
        assert all(row in env.observation_space for row in observations)
        np.testing.assert_array_equal(observations, batch.observation)
        numbers = batch.game_number.copy()
        actions = chosen(batch)
        batch.step(actions)
        observations, rewards, dones, infos = env.step(actions)
        np.testing.assert_array_equal(rewards, batch.reward)
        assert rewards.dtype == np.float32
        np.testing.assert_array_equal(dones, batch.terminated | batch.truncated)
        assert len(infos) == 3
        for index, info in enumerate(infos):
            assert ("terminal_observation" in info) == ("episode" in info) == dones[index]
            if dones[index]:
                ends += 1
                np.testing.assert_array_equal(info["terminal_observation"], batch.final_observation[index])
                assert info["TimeLimit.truncated"] is bool(batch.truncated[index])
                if int(numbers[index]) in found:
                    episode = found[int(numbers[index])]
                    assert info["episode"]["r"] == sum(episode.rewards)
                    assert info["episode"]["l"] == len(episode.actions)
                assert info["episode"]["t"] >= 0
    assert ends


@one_of_each_kind
def test_it_serves_masks(game_id: str) -> None:
    env = new_env(game_id, 4)
    assert env.has_attr("action_masks")
    assert not env.has_attr("no_such_thing")
    assert is_masking_supported(env)
    observations = env.reset()
    size = find_game(game_id).actions.size
    for _ in range(5):
        masks = env.env_method("action_masks")
        assert len(masks) == 4
        assert all(mask.shape == (size,) for mask in masks)
        np.testing.assert_array_equal(masks, env.learner.action_mask)
        np.testing.assert_array_equal(env.env_method("action_masks", indices=[2, 0]), [masks[2], masks[0]])
        np.testing.assert_array_equal(env.env_method("action_masks", indices=1), [masks[1]])
        np.testing.assert_array_equal(get_action_masks(env), masks)
        observations = env.step(act(env, observations))[0]


def test_mixed_environments_play_as_unmixed_ones_would() -> None:
    several: dict[str, Any] = {"num_players": (2, 3), "max_decisions": (4, 500)}
    sets = [dict(zip(several, values)) for values in itertools.product(*several.values())]
    env = new_env(num_envs=8, **several)
    unmixed = [new_env(num_envs=8, **each) for each in sets]
    observations = env.reset()
    for batch, number in zip(unmixed, range(4)):
        np.testing.assert_array_equal(batch.reset()[2 * number : 2 * number + 2], observations[2 * number :][:2])
    for _ in range(30):
        actions = act(env, observations)
        observations, rewards, dones, infos = env.step(actions)
        for number, each in enumerate(unmixed):
            mine = slice(2 * number, 2 * number + 2)
            chosen = act(each, each.learner.observation)
            chosen[mine] = actions[mine]
            seen, paid, over, told = each.step(chosen)
            np.testing.assert_array_equal(seen[mine], observations[mine])
            np.testing.assert_array_equal(paid[mine], rewards[mine])
            np.testing.assert_array_equal(over[mine], dones[mine])
            assert [info.get("columns") for info in told[mine]] == [info.get("columns") for info in infos[mine]]


WRONG_OPTIONS: list[dict[str, Any]] = [
    *({"num_envs": given} for given in (0, None, 2.0)),
    *({"num_players": given} for given in ((), 99, (2, 99), "2", 2.0)),
    {"autoreset": "off"},
    {"role": "king"},
]


@pytest.mark.parametrize("given", WRONG_OPTIONS)
def test_invalid_options_are_refused(given: dict[str, Any]) -> None:
    with pytest.raises(OptionError):
        new_env(**given)


def test_invalid_seeds_are_refused() -> None:
    env = new_env()
    assert env.seed(5) == [5, 5, 5]
    wrong: list[Any] = [-1, 2**63, 1.5, "x", True]
    for seed in wrong:
        with pytest.raises(OptionError, match="seed must be"):
            env.seed(seed)
    env.reset()
    assert env.learner.seed == 5


def test_a_seed_restarts_and_a_reset_continues() -> None:
    env = new_env()
    first = env.reset()
    np.testing.assert_array_equal(env.learner.game_number, [0, 1, 2])
    env.reset()
    np.testing.assert_array_equal(env.learner.game_number, [3, 4, 5])
    env.seed(1)
    np.testing.assert_array_equal(env.reset(), first)
    env.seed(2)
    env.reset()
    assert env.learner.seed == 2


def test_other_wrappers_take_it() -> None:
    env = VecMonitor(new_env())
    observations = env.reset()
    for _ in range(20):
        observations = env.step(act(env.venv, observations))[0]
    assert env.env_is_wrapped(VecMonitor) == [False] * 3
    env.close()


@pytest.mark.slow
@pytest.mark.parametrize(("game_id", "options"), [(TOY, {"num_players": (2, 3)}), (HUNT, {"role": "separatist"})])
def test_a_masked_learner_learns_without_an_illegal_action(game_id: str, options: dict[str, Any]) -> None:
    env = new_env(game_id, 8, opponents="random", **options)  # illegal actions raise
    model = MaskablePPO("MlpPolicy", env, n_steps=16, batch_size=64, n_epochs=1, seed=0, device="cpu")
    before = [each.detach().clone() for each in model.policy.parameters()]
    model.learn(384)
    assert model.num_timesteps == 384
    assert env.learner.illegal == 0
    assert any((one != other).any() for one, other in zip(before, model.policy.parameters()))


def test_a_masked_learner_takes_the_single_environment() -> None:
    env = gymnasium.make(find_game(TOY).registry_id, opponents=Hashing())
    model = MaskablePPO("MlpPolicy", env, n_steps=32, batch_size=32, n_epochs=1, seed=0, device="cpu")
    model.learn(64)


class Own(MaskableActorCriticPolicy):
    """A policy class of somebody's own."""


SMALL: dict[Any, dict[str, Any]] = {
    **{kind: {"n_steps": 8, "batch_size": 32, "n_epochs": 1} for kind in (PPO, MaskablePPO)},
    A2C: {"n_steps": 8},
    TRPO: {"n_steps": 8, "batch_size": 32},
    DQN: {"learning_starts": 8, "buffer_size": 500},
}


def trained(kind: Any, policy: Any, env: LearnerVecEnv, **options: Any) -> Any:
    model = kind(policy, env, seed=0, device="cpu", policy_kwargs=options, **SMALL[kind])
    return model.learn(64)


def scores(model: Any, observations: Any) -> Any:
    """What the model's own policy scores its actions by."""
    seen = torch.as_tensor(observations)
    with torch.no_grad():
        if hasattr(model, "q_net"):
            return model.q_net(seen).numpy()
        return model.policy.get_distribution(seen).distribution.probs.numpy()


@pytest.mark.parametrize(
    ("kind", "policy", "options"),
    [
        *((kind, "MlpPolicy", {}) for kind in (PPO, A2C, TRPO, MaskablePPO, DQN)),
        (MaskablePPO, "MlpPolicy", {"activation_fn": torch.nn.ReLU}),
        (DQN, "MlpPolicy", {"activation_fn": torch.nn.Tanh, "net_arch": [16]}),
        (PPO, "MlpPolicy", {"net_arch": []}),
    ],
)
def test_an_agent_of_a_model_gives_its_actions_and_comes_back_from_a_file(
    kind: Any, policy: str, options: dict[str, Any], tmp_path: Path
) -> None:
    env = new_env(num_envs=8, on_illegal="terminate")
    model = trained(kind, policy, env, **options)
    agent = agent_of(model, env, greedy=True)
    save_policy(tmp_path / "policy.npz", agent.config, agent.network.layers)  # type: ignore[attr-defined]
    again = load_policy(tmp_path / "policy.npz", env.learner.game, greedy="q_net" not in vars(model))
    assert_it_plays_as(model, env, agent, again)


@pytest.mark.parametrize(
    ("kind", "policy", "options"),
    [
        (MaskablePPO, Own, {}),
        (MaskablePPO, "MlpPolicy", {"activation_fn": torch.nn.SiLU}),
        (DQN, "MlpPolicy", {"activation_fn": torch.nn.ELU}),
    ],
)
def test_a_model_that_no_file_holds_is_an_agent_by_call(kind: Any, policy: Any, options: dict[str, Any]) -> None:
    env = new_env(num_envs=8, on_illegal="terminate")
    model = trained(kind, policy, env, **options)
    agent = agent_of(model, env, greedy=True)
    assert_it_plays_as(model, env, agent)
    with pytest.raises(OptionError, match="can't be a policy file"):
        _ = agent.network.layers  # type: ignore[attr-defined]
    batch = learner(TOY, 4, opponents=agent_of(model, env))  # it plays against a learner; illegal actions would raise
    for _ in range(20):
        batch.step(chosen(batch))


def test_a_model_of_normalized_observations_is_asked_with_them() -> None:
    env = new_env(num_envs=8)
    model = trained(PPO, "MlpPolicy", VecNormalize(new_env(num_envs=8, on_illegal="terminate")))  # type: ignore[arg-type]
    agent, seen = agent_of(model, env), env.reset()
    wanted = scores(model, model.get_vec_normalize_env().normalize_obs(seen))
    masks, memory = np.ones_like(env.action_masks()), np.zeros((8, 0), np.int32)
    greedy = dataclasses.replace(agent, greedy=True)
    actions = greedy.act(seen, masks, memory, env.learner.tables.batch.agent_streams())
    np.testing.assert_array_equal(actions, wanted.argmax(axis=1))


def assert_it_plays_as(model: Any, env: LearnerVecEnv, *agents: Any) -> None:
    """Its actions are the best legal ones by the model's own scores, and MaskablePPO's predictions."""
    observations, memory = env.reset(), np.zeros((8, 0), np.int32)
    for _ in range(5):
        masks, batch = env.action_masks(), env.learner.tables.batch
        wanted = np.where(masks == 1, scores(model, observations), -np.inf).argmax(axis=1)
        if isinstance(model, MaskablePPO):
            predicted = model.predict(observations, action_masks=masks, deterministic=True)[0]
            np.testing.assert_array_equal(wanted, predicted)
        for each in agents:
            np.testing.assert_array_equal(each.act(observations, masks, memory, batch.agent_streams()), wanted)
        observations = env.step(wanted)[0]


def test_what_sees_secrets_or_remembers_or_sees_something_else_is_no_agent() -> None:
    secret, env, wider = new_env(num_envs=8, secrets=True), new_env(num_envs=8), new_env(HUNT, 1, opponents="random")
    for given, at, said in (
        (MaskablePPO("MlpPolicy", secret, n_steps=8, device="cpu"), secret, "without secrets"),
        (RecurrentPPO("MlpLstmPolicy", env, n_steps=8, device="cpu"), env, "not RecurrentActorCriticPolicy"),
        (ARS("LinearPolicy", env, device="cpu"), env, "not ARSLinearPolicy"),
        (MaskablePPO("MlpPolicy", env, n_steps=8, device="cpu"), wider, "the model takes observations of shape"),
    ):
        with pytest.raises(OptionError, match=said):
            agent_of(given, at)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("example", "decisions", "said"), [("sb3", 2048, "separatist: won "), ("aec", 512, "deep_river: 512")]
)
def test_an_example_runs(
    example: str, decisions: int, said: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = Path(__file__).parents[2] / f"experiments/examples/{example}.py"
    runpy.run_path(str(path))["main"](decisions, tmp_path)
    assert capsys.readouterr().out.startswith(said)
    assert (tmp_path / "model.zip").exists()
