"""RLlib's default modules for PPO and APPO, on int8 observations with action masks.

Each reads {"observation", "action_mask"}, divides the observation by the largest number in its space, so that inputs
lie from -1 to 1, and rules illegal actions out in every pass: inference, exploration, training, target networks.
"""

from typing import Any

import gymnasium.spaces
import numpy as np
import torch
from ray.rllib.algorithms.appo.torch.default_appo_torch_rl_module import DefaultAPPOTorchRLModule
from ray.rllib.algorithms.ppo.torch.default_ppo_torch_rl_module import DefaultPPOTorchRLModule
from ray.rllib.core.columns import Columns

from .env import ACTION_MASK, OBSERVATION

Batch = dict[str, Any]
VERY_UNLIKELY = torch.finfo(torch.float32).min  # the logit of an illegal action; finite, so that gradients are too


def _masked(outputs: Batch, batch: Batch) -> Batch:
    """A pass's outputs, with logits (…, A) that are very unlikely where the batch's masks rule actions out."""
    illegal = batch[Columns.OBS][ACTION_MASK] == 0
    logits = [name for name in outputs if name.endswith(Columns.ACTION_DIST_INPUTS)]  # the target network's too
    return outputs | {name: outputs[name].masked_fill(illegal, VERY_UNLIKELY) for name in logits}


class MaskedPPOModule(DefaultPPOTorchRLModule):
    """PPO's default module on masked int8 observations; `model_config` as RLlib's DefaultModelConfig.

    Its networks are built for the observation alone, and the mask is kept beside them.
    """

    def __init__(self, *args: Any, observation_space: Any = None, **more: Any) -> None:
        named = {*observation_space} if isinstance(observation_space, gymnasium.spaces.Dict) else None
        if named != {OBSERVATION, ACTION_MASK}:
            raise ValueError(f"observations must be {OBSERVATION} and {ACTION_MASK}, not {observation_space}")
        seen: Any = observation_space[OBSERVATION]
        inputs = gymnasium.spaces.Box(-1.0, 1.0, seen.shape, np.float32)
        super().__init__(*args, observation_space=inputs, **more)
        self.observation_space = observation_space
        self._largest = float(max(1, abs(seen.low).max(), abs(seen.high).max()))

    def _inputs(self, batch: Batch) -> Batch:
        """The batch with the networks' inputs in place of observations."""
        seen = batch[Columns.OBS][OBSERVATION]
        return {**batch, Columns.OBS: seen.to(torch.float32) / self._largest}

    def _forward(self, batch: Batch, **more: Any) -> Batch:
        return _masked(super()._forward(self._inputs(batch), **more), batch)

    def _forward_train(self, batch: Batch, **more: Any) -> Batch:
        return _masked(super()._forward_train(self._inputs(batch), **more), batch)

    def compute_values(self, batch: Batch, embeddings: Any = None) -> Any:
        """The value of each observation.

        Args:
            batch: with masked observations.
            embeddings: see RLlib's module.

        Returns:
            (n,).
        """
        return super().compute_values(self._inputs(batch), embeddings)


class MaskedAPPOModule(MaskedPPOModule, DefaultAPPOTorchRLModule):
    """APPO's default module on masked int8 observations; its target network is masked as well."""

    def forward_target(self, batch: Batch) -> Batch:
        """The target policy's logits, masked.

        Args:
            batch: with masked observations.

        Returns:
            The logits by name, (…, A).
        """
        return _masked(super().forward_target(self._inputs(batch)), batch)
