"""The rollout buffer: int8 observations until a minibatch is made, shuffled by a generator of its own."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

import numpy as np
import torch
from sb3_contrib.common.maskable.buffers import MaskableRolloutBuffer, MaskableRolloutBufferSamples


class LearnerRolloutBuffer(MaskableRolloutBuffer):
    """MaskablePPO's buffer with observations and masks as int8, in arrays that are allocated once.

    shuffler: draws the order of the minibatches; checkpoints keep its state, so a resumed run draws the same.
    """

    def __init__(self, *arguments: Any, shuffler: np.random.Generator, **more: Any) -> None:
        self.shuffler = shuffler
        self._made = False
        super().__init__(*arguments, **more)

    def reset(self) -> None:
        """Empty the buffer."""
        if not self._made:
            super().reset()
            self.action_masks = np.ones((self.buffer_size, self.n_envs, self.mask_dims), np.int8)
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
        flat = [
            torch.from_numpy(array.reshape(total, -1)) for array in (self.observations, self.actions, self.action_masks)
        ]
        values, log_probs, advantages, returns = (
            torch.from_numpy(array.reshape(total))
            for array in (self.values, self.log_probs, self.advantages, self.returns)
        )
        for begin in range(0, total, size):
            chosen = torch.from_numpy(order[begin : begin + size])
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
