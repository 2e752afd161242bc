"""Stable-Baselines3: a learner's seat in many games at once, as a vector environment that serves its own action masks.

env = LearnerVecEnv("riverbed_hunt", 512, role="separatist", opponents="rule_based", num_players=7, seed=0)
MaskablePPO("MlpPolicy", env).learn(1_000_000)
"""

import time
from dataclasses import dataclass
from typing import Any, Literal, NoReturn

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
import torch
from stable_baselines3.common.torch_layers import FlattenExtractor
from stable_baselines3.common.vec_env import VecEnv
from stable_baselines3.common.vec_env.base_vec_env import VecEnvIndices, VecEnvStepReturn

from riverbed_env.core.batch import MOST_ENVS, Vectors
from riverbed_env.core.options import check_whole
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Numbers
from riverbed_env.kernels.random import check_seed, fresh_seed
from riverbed_env.players.networks import Layers
from riverbed_env.players.policies import PolicyConfig, SavedPolicy
from riverbed_env.registry import find_game

from .learner import LearnerBatch, check_learner_options

__all__ = ["LearnerVecEnv", "agent_of"]

MASKS = "action_masks"
SHARP = 1e4  # times action values, which are shares of a game, for logits that draw the best


class LearnerVecEnv(VecEnv):
    """`num_envs` games in which the learner has one seat; see `LearnerBatch` for the options.

    Observations are int8 vectors (n, D), rewards float32 (n,); a game that ends is followed at once by the next, and
    its info holds `terminal_observation`, `TimeLimit.truncated`, `episode` (return `r`, decisions `l`, seconds `t`) and
    `columns`, what the game was: winner, decisions, roles and more, by name. MaskablePPO asks for the masks by
    `env_method("action_masks")`.

    Args:
        game: Its name, as `find_game` takes it.
        num_envs: How many games, n, 1 or more.
        seed: The seed of all games, 0 to 2**63 - 1; None draws one.
        options: Those of `LearnerBatch`, but autoreset="same_step" alone. A game's option may have several values, like
            num_players=(5, 7): see `Batch`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        SeedError: The seed isn't an integer or is out of range.
        PackError: The content pack can't be read or breaks a rule.
    """

    render_mode = None

    def __init__(self, game: str, num_envs: int, *, seed: int | None = None, **options: Any) -> None:
        known = find_game(game)
        check_learner_options(known, options, type(self).__init__, LearnerVecEnv.__init__)
        check_whole("num_envs", num_envs, 1, MOST_ENVS)
        if options.pop("autoreset", "same_step") != "same_step":
            raise OptionError("Stable-Baselines3 deals the next game in the step that ends one: autoreset='same_step'")
        self.learner = learner = LearnerBatch(known, num_envs, seed=seed, **options)
        self._reward_sums = np.zeros(num_envs, np.float64)
        self._lengths = np.zeros(num_envs, np.int64)
        self._begun = time.time()
        self._actions = np.zeros(num_envs, np.int64)
        super().__init__(
            num_envs,
            gymnasium.spaces.Box(learner.low, learner.high, dtype=np.int8),
            gymnasium.spaces.Discrete(known.actions.size),
        )

    def action_masks(self) -> Vectors:
        """The action masks of all environments.

        Returns:
            (n, A) int8, a copy.
        """
        return self.learner.action_mask.copy()

    def reset(self) -> Vectors:
        """Deal all games again; the numbers continue unless `seed` was called before.

        Returns:
            The observations, (n, D) int8.
        """
        self.learner.begin(self._seeds[0])
        self._reset_seeds()
        self._reset_options()
        self._reward_sums[:] = 0
        self._lengths[:] = 0
        return self.learner.observation.copy()

    def seed(self, seed: int | None = None) -> list[int | None]:
        """Set the seed of the next `reset`; games are numbered under one seed.

        Args:
            seed: 0 to 2**63 - 1; None draws one.

        Returns:
            The seed, once for each environment.

        Raises:
            SeedError: The seed isn't an integer or is out of range; nothing has changed.
        """
        self._seeds = [fresh_seed() if seed is None else check_seed(seed)] * self.num_envs
        return list(self._seeds)

    def step_async(self, actions: npt.NDArray[Any]) -> None:
        """Store the actions for `step_wait`.

        Args:
            actions: (n,) integers.
        """
        self._actions = actions

    def step_wait(self) -> VecEnvStepReturn:
        """Play to each environment's next decision.

        Returns:
            Observations (n, D) int8, rewards (n,) float32, which games ended (n,) bool, and an info for each
            environment.

        Raises:
            IllegalActionError: As `LearnerBatch.step` does.
        """
        learner = self.learner
        learner.step(self._actions)
        rewards, done = learner.reward.copy(), learner.terminated | learner.truncated
        self._reward_sums += rewards
        self._lengths += 1
        infos: list[dict[str, Any]] = [{} for _ in range(self.num_envs)]
        ended = np.flatnonzero(done)
        if len(ended):
            self._note_ends(ended, infos)
        return self.learner.observation.copy(), rewards, done, infos

    def _note_ends(self, ended: npt.NDArray[np.int64], infos: list[dict[str, Any]]) -> None:
        learner, rows = self.learner, self.learner.ended_rows()
        final, truncated = learner.final_observation[ended], learner.truncated[ended].tolist()
        returns, lengths = self._reward_sums[ended].tolist(), self._lengths[ended].tolist()
        seconds = round(time.time() - self._begun, 6)
        for place, index in enumerate(ended.tolist()):
            infos[index] = {
                "terminal_observation": final[place],
                "TimeLimit.truncated": truncated[place],
                "columns": rows[place],
                "episode": {"r": returns[place], "l": lengths[place], "t": seconds},
            }
        self._reward_sums[ended] = 0
        self._lengths[ended] = 0

    def close(self) -> None:
        """Does nothing: no resource is held."""

    def get_attr(self, attr_name: str, indices: VecEnvIndices = None) -> list[Any]:
        """An attribute, the same for each environment.

        Args:
            attr_name: The attribute's name.
            indices: Only these environments; None for all.

        Returns:
            The attribute, once for each of these environments.
        """
        return [getattr(self, attr_name) for _ in self._get_indices(indices)]

    def set_attr(self, attr_name: str, value: Any, indices: VecEnvIndices = None) -> None:
        """Set an attribute for all environments.

        Args:
            attr_name: The attribute's name.
            value: Its new value.
            indices: Ignored.
        """
        setattr(self, attr_name, value)

    def env_method(
        self, method_name: str, *method_args: Any, indices: VecEnvIndices = None, **method_kwargs: Any
    ) -> list[Any]:
        """Call a method, once for each of these environments.

        Args:
            method_name: The method's name.
            method_args: Its arguments by position.
            indices: Only these environments; None for all.
            method_kwargs: Its arguments by keyword.

        Returns:
            What each call returns; for `action_masks` the mask of each environment, (A,).
        """
        wanted = self._get_indices(indices)
        if method_name == MASKS:
            masks = self.action_masks()
            return list(masks) if indices is None else [masks[index] for index in wanted]
        return [getattr(self, method_name)(*method_args, **method_kwargs) for _ in wanted]

    def env_is_wrapped(self, wrapper_class: type[Any], indices: VecEnvIndices = None) -> list[bool]:
        """No environment is wrapped.

        Args:
            wrapper_class: Any class.
            indices: Only these environments; None for all.

        Returns:
            False for each of these environments.
        """
        return [False for _ in self._get_indices(indices)]


@dataclass(frozen=True, eq=False)
class CalledModel:
    """A model that is asked for its logits: what no policy file holds, like a policy class of one's own.

    Args:
        model: Of Stable-Baselines3 or sb3_contrib.
        sizes: The number of inputs and of actions.
    """

    model: Any
    sizes: tuple[int, int]

    def logits(self, inputs: Numbers, masks: Vectors | None = None) -> Numbers:
        """The logits, unmasked; of a model of action values these, so sharp that the best is drawn.

        Args:
            inputs: (n, inputs) float32.
            masks: Ignored.

        Returns:
            (n, actions) float32.
        """
        policy, normalizer = self.model.policy, self.model.get_vec_normalize_env()
        policy.set_training_mode(False)
        with torch.no_grad():
            given = torch.as_tensor(normalizer.normalize_obs(inputs) if normalizer else inputs, device=policy.device)
            values = hasattr(policy, "q_net")
            logits = SHARP * policy.q_net(given) if values else policy.get_distribution(given).distribution.logits
        return np.asarray(logits.cpu().numpy(), np.float32)

    @property
    def layers(self) -> NoReturn:
        """Refused.

        Raises:
            OptionError: Always.
        """
        raise OptionError(f"{type(self.model.policy).__name__} can't be a policy file of Tanh or ReLU layers")


def _layers_of(model: Any) -> Layers | None:
    """The layers of a plain MlpPolicy; None of any other."""
    policy = model.policy
    ours = type(policy).__module__.partition(".")[0] in ("stable_baselines3", "sb3_contrib")
    if not ours or model.get_vec_normalize_env() is not None:
        return None
    values = hasattr(policy, "q_net")
    modules = [*policy.q_net.q_net] if values else [*policy.mlp_extractor.policy_net, policy.action_net]
    extractor, kinds = (policy.q_net if values else policy).features_extractor, {type(each) for each in modules[1::2]}
    if type(extractor) is not FlattenExtractor or not (kinds <= {torch.nn.Tanh} or kinds <= {torch.nn.ReLU}):
        return None
    arrays = [[each.detach().cpu().numpy().T.copy() for each in (one.weight, one.bias)] for one in modules[::2]]
    arrays[-1] = [array * np.float32(SHARP if values else 1) for array in arrays[-1]]
    return Layers(tuple((weight, bias) for weight, bias in arrays), "relu" if torch.nn.ReLU in kinds else "tanh")


def agent_of(model: Any, env: LearnerVecEnv, *, name: str = "sb3", greedy: bool = False) -> SavedPolicy:
    """A model as an agent of ours, to evaluate; that of an "MlpPolicy" can be saved too.

    `save_policy(path, agent.config, agent.network.layers)` writes it as a policy file.

    Args:
        model: Of Stable-Baselines3 or sb3_contrib: PPO, A2C, TRPO, MaskablePPO or DQN, with any policy class. That
            of DQN takes the best legal action.
        env: The environments that it was trained in, whose view and features the agent is given.
        name: The agent's.
        greedy: Whether it takes its likeliest action instead of drawing one.

    Returns:
        The agent. Its `network` is `Layers` for an MlpPolicy with PyTorch's `Linear` layers and `Tanh` or `ReLU`
        between; any other asks the model at each decision, and its `network.layers` raise OptionError.

    Raises:
        OptionError: The model sees secrets, remembers, takes other observations, or is of another kind.
    """
    learner, taken, has = env.learner, model.observation_space.shape, set(dir(model.policy))
    if learner.num_secrets or "lstm_actor" in has or not has & {"get_distribution", "q_net"}:
        raise OptionError(f"agent_of takes PPO, A2C, TRPO or DQN without secrets, not {type(model.policy).__name__}")
    if taken != learner.low.shape:
        raise OptionError(f"the model takes observations of shape {taken}; its environments give {learner.low.shape}")
    network = _layers_of(model) or CalledModel(model, (len(learner.low), learner.game.actions.size))
    activation: Literal["relu", "tanh"] = getattr(network, "activation", "tanh")
    features = tuple(each.name for each in learner.features)
    config = PolicyConfig(learner.game.id, learner.view, activation=activation, features=features, about=name)
    return SavedPolicy(name, config, network, learner.features, learner.view_size, greedy)
