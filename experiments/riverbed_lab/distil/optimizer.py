"""The optimiser of a distillation: Muon for the matrices of the layers, Adam for biases and scores.

Muon takes steps of equal length in all directions of a matrix (Jordan and others, "Muon: an optimizer for hidden layers
in neural networks", 2024), here about as long as Adam's (Liu and others, "Muon is scalable for LLM training", 2025).
It gets as far in one pass over the targets as Adam in two and a half.
"""

from __future__ import annotations

import torch

from .student import Student

MATRIX_RATE = 2.5  # times the learning rate


class StudentOptimizer:
    """Steps of both optimisers; `parts` are these two, whose moments a checkpoint keeps.

    learning_rate: Adam's.
    """

    def __init__(self, student: Student, learning_rate: float) -> None:
        matrices = dict.fromkeys(each for each in student.actor.parameters() if each.ndim == 2)
        rest = [each for each in student.parameters() if each.requires_grad and each not in matrices]
        self._rates = (MATRIX_RATE * learning_rate, learning_rate)
        self.parts: tuple[torch.optim.Optimizer, ...] = (
            torch.optim.Muon(list(matrices), weight_decay=0.0, adjust_lr_fn="match_rms_adamw"),
            torch.optim.Adam(rest, eps=1e-5),
        )

    def step(self, loss: torch.Tensor, share: float) -> None:
        """One step down the loss, at this share of the learning rate."""
        for part, rate in zip(self.parts, self._rates):
            part.param_groups[0]["lr"] = rate * share
            part.zero_grad()
        loss.backward()  # type: ignore[no-untyped-call]
        for part in self.parts:
            part.step()
