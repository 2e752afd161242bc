"""Policies for MaskablePPO that compute actions and log probabilities from the logits, without a distribution object.

    MaskablePPO(MlpPolicy, LearnerVecEnv("riverbed_hunt_v1", 256, role="separatist"))

is MaskablePPO("MlpPolicy", …) with the same network and the same action probabilities, but faster: one softmax, no
distribution object, and one fused kernel for Adam's steps. `sb3_ppo.DirectPPO` learns by them faster still.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import numpy as np
import torch
from gymnasium.spaces import Box
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy
from stable_baselines3.common.torch_layers import FlattenExtractor

from riverbed_env.errors import OptionError

EXCLUDED = -1e8  # the logit of an illegal action: p and p log p are 0
OPTIONS_OF_ADAM = {"eps": 1e-5}  # Stable-Baselines3's default


class DirectPolicy(MaskableActorCriticPolicy):
    """MaskablePPO's policy for one discrete action, whose subclass computes logits and values.

    action_masks: None, or an array or tensor (n, A) that is 0 or False for illegal actions.
    """

    @abstractmethod
    def logits_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The logits of all actions, (n, A)."""

    @abstractmethod
    def values_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The critic's values, (n, 1)."""

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both, (n, A) and (n, 1); a subclass may compute them together."""
        return self.logits_of(observations), self.values_of(observations)

    def forward(
        self, obs: torch.Tensor, deterministic: bool = False, action_masks: Any = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
        """Actions (n,), values (n, 1) and log probabilities (n,)."""
        logits, values = self.logits_and_values(obs)
        log_probabilities = log_probabilities_of(logits, action_masks)
        # Exponential race: the argmin of Exp(1) / p is distributed as p.
        drawn = (
            log_probabilities
            if deterministic
            else log_probabilities - torch.empty_like(log_probabilities).exponential_().log()
        )
        actions = drawn.argmax(dim=1)
        return actions, values, log_probabilities.gather(1, actions[:, None])[:, 0]

    def evaluate_actions(
        self, obs: torch.Tensor, actions: torch.Tensor, action_masks: torch.Tensor | None = None
    ) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor | None]:
        """Values (n, 1), log probabilities (n,) and entropies (n,) of actions taken."""
        logits, values = self.logits_and_values(obs)
        log_probabilities = log_probabilities_of(logits, action_masks)
        taken = log_probabilities.gather(1, actions.long()[:, None])[:, 0]
        return values, taken, -(log_probabilities.exp() * log_probabilities).sum(dim=1)

    def get_distribution(self, obs: Any, action_masks: Any = None) -> Any:
        """The distribution of actions."""
        distribution = self.action_dist.proba_distribution(action_logits=self.logits_of(obs))
        if action_masks is not None:
            distribution.apply_masking(action_masks)
        return distribution

    def predict_values(self, obs: Any) -> torch.Tensor:
        """The critic's values, (n, 1)."""
        return self.values_of(obs)


class MlpPolicy(DirectPolicy):
    """The network of Stable-Baselines3's "MlpPolicy", with all its options; an actor and a critic share no features.

    in_bfloat16: multiply observations by the first layers' weights in this format, which holds bytes exactly, weights
    and sums to three digits. It is twice as fast on processors with instructions for it
    (`torch.cpu.get_capabilities().get("avx512_bf16")`) and three to five times as slow on others. Raises OptionError
    unless observations are vectors of bytes that go straight to hidden layers of both actor and critic.
    """

    def __init__(
        self,
        *arguments: Any,
        in_bfloat16: bool = False,
        optimizer_class: type[torch.optim.Optimizer] = torch.optim.Adam,
        optimizer_kwargs: dict[str, Any] | None = None,
        **more: Any,
    ) -> None:
        if optimizer_class is torch.optim.Adam:
            optimizer_kwargs = {"fused": True, **(OPTIONS_OF_ADAM if optimizer_kwargs is None else optimizer_kwargs)}
        more |= {"optimizer_class": optimizer_class, "optimizer_kwargs": optimizer_kwargs}
        super().__init__(*arguments, **more)
        self.in_bfloat16 = in_bfloat16
        if in_bfloat16:
            self._check_bytes()

    def _check_bytes(self) -> None:
        networks = self.mlp_extractor.policy_net, self.mlp_extractor.value_net
        is_flat = self.share_features_extractor and type(self.features_extractor) is FlattenExtractor
        space = self.observation_space
        are_bytes = isinstance(space, Box) and len(space.shape) == 1 and space.dtype in (np.int8, np.uint8)
        if not are_bytes or not is_flat or not all(map(len, networks)):
            raise OptionError("in_bfloat16 is for vectors of bytes that go straight to hidden layers of both networks")

    def _get_constructor_parameters(self) -> dict[str, Any]:
        return {**super()._get_constructor_parameters(), "in_bfloat16": self.in_bfloat16}

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both, (n, A) and (n, 1); observations are converted once."""
        actors, critics = self.begin(observations)
        return self.action_net(self.hidden_of_actor(actors)), self.value_net(self.hidden_of_critic(critics))

    def logits_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The logits of all actions, (n, A)."""
        logits: torch.Tensor = self.action_net(self.hidden_of_actor(self.begin(observations)[0]))
        return logits

    def values_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The critic's values, (n, 1)."""
        values: torch.Tensor = self.value_net(self.hidden_of_critic(self.begin(observations)[1]))
        return values

    def begin(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """What actor and critic are given: features, or `in_bfloat16` the sums of their first layers."""
        if self.in_bfloat16:
            firsts: list[Any] = [self.mlp_extractor.policy_net[0], self.mlp_extractor.value_net[0]]
            weights, biases = (torch.cat([getattr(each, name) for each in firsts]) for name in ("weight", "bias"))
            both: torch.Tensor = _ByBfloat16.apply(observations, weights, biases)  # type: ignore[no-untyped-call]
            width = len(firsts[0].bias)
            return both[:, :width], both[:, width:]
        features: Any = self.extract_features(observations)
        return (features, features) if self.share_features_extractor else features

    def hidden_of_actor(self, begun: torch.Tensor) -> torch.Tensor:
        """What the actor's hidden layers make of its part of `begin`, (n, width)."""
        return self._hidden(self.mlp_extractor.policy_net, begun)

    def hidden_of_critic(self, begun: torch.Tensor) -> torch.Tensor:
        """What the critic's hidden layers make of its part of `begin`, (n, width)."""
        return self._hidden(self.mlp_extractor.value_net, begun)

    def _hidden(self, layers: torch.nn.Sequential, begun: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = (layers[1:] if self.in_bfloat16 else layers)(begun)
        return found


class _ByBfloat16(torch.autograd.Function):
    """A layer's sums of bytes, (n, D): products and gradients are rounded to bfloat16; bytes have no gradient."""

    @staticmethod
    def forward(ctx: Any, numbers: torch.Tensor, weights: torch.Tensor, biases: torch.Tensor) -> torch.Tensor:
        short = numbers.bfloat16()
        ctx.save_for_backward(short)
        return (short @ weights.bfloat16().t()).float().add_(biases)

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        (short,) = ctx.saved_tensors
        return None, (gradients[0].bfloat16().t() @ short).float(), gradients[0].sum(dim=0)


def log_probabilities_of(logits: torch.Tensor, action_masks: Any) -> torch.Tensor:
    """Log probabilities, (n, A); masked actions get none."""
    if action_masks is not None:
        logits = logits.masked_fill(
            torch.as_tensor(action_masks, device=logits.device).view(logits.shape) == 0, EXCLUDED
        )
    return torch.log_softmax(logits, dim=1)
