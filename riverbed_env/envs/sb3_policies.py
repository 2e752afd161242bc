"""Policies for MaskablePPO that compute actions and log probabilities from the logits, without a distribution object.

    MaskablePPO(MlpPolicy, LearnerVecEnv("riverbed_hunt_v1", 256, role="separatist"))

is MaskablePPO("MlpPolicy", …) with the same network and the same action probabilities, but faster: one softmax, no
distribution object, and one fused kernel for Adam's steps.
"""

from __future__ import annotations

from abc import abstractmethod
from typing import Any

import torch
from sb3_contrib.common.maskable.policies import MaskableActorCriticPolicy

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
        log_probabilities = _log_probabilities(logits, action_masks)
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
        log_probabilities = _log_probabilities(logits, action_masks)
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
    """The network of Stable-Baselines3's "MlpPolicy", with all its options; an actor and a critic share no features."""

    def __init__(
        self, *arguments: Any, optimizer_class: type[torch.optim.Optimizer] = torch.optim.Adam,
        optimizer_kwargs: dict[str, Any] | None = None, **more: Any,
    ) -> None:  # fmt: skip
        if optimizer_class is torch.optim.Adam:
            optimizer_kwargs = {"fused": True, **(OPTIONS_OF_ADAM if optimizer_kwargs is None else optimizer_kwargs)}
        more |= {"optimizer_class": optimizer_class, "optimizer_kwargs": optimizer_kwargs}
        super().__init__(*arguments, **more)

    def logits_and_values(self, observations: torch.Tensor) -> tuple[torch.Tensor, torch.Tensor]:
        """Both, (n, A) and (n, 1); observations are converted to float32 once."""
        actors, critics = self._features(observations)
        return self._logits(actors), self._values(critics)

    def logits_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The logits of all actions, (n, A)."""
        return self._logits(self._features(observations)[0])

    def values_of(self, observations: torch.Tensor) -> torch.Tensor:
        """The critic's values, (n, 1)."""
        return self._values(self._features(observations)[1])

    def _features(self, observations: torch.Tensor) -> tuple[Any, Any]:
        """The actor's and the critic's, which may be the same."""
        features: Any = self.extract_features(observations)
        return (features, features) if self.share_features_extractor else features

    def _logits(self, features: Any) -> torch.Tensor:
        found: torch.Tensor = self.action_net(self.mlp_extractor.forward_actor(features))
        return found

    def _values(self, features: Any) -> torch.Tensor:
        found: torch.Tensor = self.value_net(self.mlp_extractor.forward_critic(features))
        return found


def _log_probabilities(logits: torch.Tensor, action_masks: Any) -> torch.Tensor:
    """Log probabilities, (n, A); masked actions get none."""
    if action_masks is not None:
        logits = logits.masked_fill(torch.as_tensor(action_masks).view(logits.shape) == 0, EXCLUDED)
    return torch.log_softmax(logits, dim=1)
