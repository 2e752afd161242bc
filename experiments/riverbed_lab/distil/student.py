"""The student: a network of related objects whose logits are action values, in units of UNIT points."""

from collections.abc import Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import torch
from torch import nn

from riverbed_env.core.features import table_of
from riverbed_env.core.files import Arrays
from riverbed_env.core.game import Game
from riverbed_env.kernels.networks import PackedNetwork
from riverbed_env.players.action_entities import head_columns
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.networks import ObjectNetwork
from riverbed_env.rollouts.networks import PLAYED_AT

from ..ppo import Network
from ..training.checkpoint import save_network
from ..training.inputs import Inputs, inputs_of
from .config import DistilConfig

MATRIX_RATE = 2.5  # of Muon, times the learning rate
UNIT = 4.0  # points that 1 of a logit is, so that most logits are small


class Student(Network):
    """The network of a distillation; its advice counts only when it plays, by the margin."""

    def __init__(self, config: DistilConfig) -> None:
        self.config, self.game = config, config.known_game()
        self.columns_of_heads = head_columns(self.game, config.view, config.heads)
        super().__init__(
            *(student_inputs(config), self.game.actions.size, config.widths, config.object_width),
            heads=self.columns_of_heads,
            critic=False,
        )
        for layer in (self.plain, *self.named):
            nn.init.zeros_(layer.weight)  # an untrained student follows its adviser

    def loss(self, inputs: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
        """Huber's loss, targets less the mean of their row. targets: (n, actions) in points, NaN where illegal."""
        legal = ~torch.isnan(targets)
        errors = (self(inputs) - targets.nan_to_num() / UNIT) * legal
        errors = (errors - errors.sum(dim=1, keepdim=True) / legal.sum(dim=1, keepdim=True)) * legal
        each = nn.functional.huber_loss(
            errors, torch.zeros_like(errors), reduction="none", delta=self.config.tail / UNIT
        )
        return each.sum(dim=1).mean()

    def arrays(self) -> Arrays:
        """The student as it plays, arrays of an `ObjectNetwork`: action values over PLAYED_AT, the margin as trust."""
        kept = super().arrays()
        sharper = np.float32(UNIT / PLAYED_AT)
        for name in kept:
            if name.startswith("scores."):
                kept[name] = kept[name] * sharper
        if "scores.trust" in kept:
            kept["scores.trust"] = np.full_like(kept["scores.trust"], self.config.margin / PLAYED_AT)
        return kept

    def save(self, path: Path, packs: Sequence[str], steps: int) -> None:
        """Write the student as a policy file. packs: in play; steps: the targets it was fitted to."""
        config, about = self.config, f"distilled for {self.config.role or 'every role'}"
        save_network(path, config, self.arrays(), about, packs, steps, heads=config.heads, way=config.what)

    def packed(self) -> PackedNetwork:
        """The student as it plays, for kernels."""
        size = self.game.views[self.config.view] + table_of(find_feature_sets(self.config.features, self.game)).size
        objects = self.inputs.actor
        return ObjectNetwork.of(self.arrays(), objects, size, self.game.actions.size, self.columns_of_heads).packed


def student_inputs(config: DistilConfig) -> Inputs:
    """What the student of a config is given: what its seat may see, and features of it."""
    game: Game = config.known_game()
    features = find_feature_sets(config.features, game)
    return inputs_of(game, config.view, features, secrets=False, pieces=config.pieces, related=True)


def as_tensor(array: npt.NDArray[np.generic]) -> torch.Tensor:
    """An array as a tensor of the same memory."""
    return torch.from_numpy(np.ascontiguousarray(array))


class StudentOptimizer:
    """Muon for the matrices of the layers, Adam for biases and scores; a checkpoint keeps the moments of `parts`.

    Muon takes steps of equal length in all directions of a matrix (Jordan and others, "Muon: an optimizer for hidden
    layers in neural networks", 2024), here about as long as Adam's (Liu and others, "Muon is scalable for LLM
    training", 2025). It gets as far in one pass over the targets as Adam in two and a half. learning_rate: Adam's.
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
