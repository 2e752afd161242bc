"""The rollout buffer: bytes until the network gets them, shuffled by a generator of its own."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import numpy.typing as npt
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class LearnerRolloutBuffer(MaskableRolloutBuffer):
    """MaskablePPO's buffer with observations and masks as int8, in arrays that are allocated once.

    A rollout goes to the network's device as bytes, from pinned memory if that is a GPU. shuffler: draws the
    order of the minibatches; checkpoints keep its state, so a resumed run draws the same.
    """

    def __init__(self, *arguments: Any, shuffler: np.random.Generator, **more: Any) -> None:
        self.shuffler = shuffler
        self._made = False
        super().__init__(*arguments, **more)

    def reset(self) -> None:
        """Empty the buffer."""
        if not self._made:
            super().reset()
            self.observations = self._bytes(*self.obs_shape)
            self.action_masks = self._bytes(self.mask_dims)
            self.action_masks[:] = 1
            self._made = True
        self.pos = 0
        self.full = False

    def resize(self, steps: int) -> None:
        """Hold rollouts of `steps` decisions of each environment from now on."""
        self.buffer_size = steps
        self._made = False
        self.reset()

    def get(  # type: ignore[override]  # as MaskableRolloutBuffer does
        self, batch_size: int | None = None
    ) -> Generator[MaskableRolloutBufferSamples, None, None]:
        """Minibatches of all decisions, shuffled."""
        total = self.buffer_size * self.n_envs
        order = self.shuffler.permutation(total)
        size = total if batch_size is None else batch_size
        flat = [self._sent(array.reshape(total, -1)) for array in (self.observations, self.actions, self.action_masks)]
        values, log_probs, advantages, returns = (
            self._sent(array.reshape(total)) for array in (self.values, self.log_probs, self.advantages, self.returns)
        )
        for begin in range(0, total, size):
            chosen = self._sent(order[begin : begin + size])
            observations, actions, masks = (each[chosen] for each in flat)
            yield MaskableRolloutBufferSamples(
                observations,
                actions,
                old_values=values[chosen],
                old_log_prob=log_probs[chosen],
                advantages=advantages[chosen],
                returns=returns[chosen],
                action_masks=masks,
            )

    def _sent(self, array: npt.NDArray[Any]) -> torch.Tensor:
        """An array as a tensor on the network's device."""
        return torch.from_numpy(array).to(self.device, non_blocking=True)

    def _bytes(self, *shape: int) -> npt.NDArray[np.int8]:
        """Zeros for each decision of a rollout."""
        pinned = self.device.type == "cuda"
        bytes_ = torch.zeros((self.buffer_size, self.n_envs, *shape), dtype=torch.int8, pin_memory=pinned)
        array: npt.NDArray[np.int8] = bytes_.numpy()
        return array
