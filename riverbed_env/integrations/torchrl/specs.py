"""Specs of TorchRL for a game's observations, masks and actions."""

from __future__ import annotations

import torch
from torchrl.data import Binary, Bounded, Categorical, Composite, Unbounded

from riverbed_env.core.batch import Batch

Shape = tuple[int, ...]

NOBODY = -1  # in place of a seat or a role


def observed(batch: Batch, shape: Shape) -> dict[str, object]:
    """What a seat observes, by key: observation (*shape, D) int8 and action_mask (*shape, A) bool."""
    game, size = batch.game, batch.size
    low, high = (torch.from_numpy(bound[:size]) for bound in (game.observation.low(), game.observation.high()))
    return {
        "observation": Bounded(low.expand(*shape, size), high.expand(*shape, size), (*shape, size), dtype=torch.int8),
        "action_mask": Binary(game.actions.size, (*shape, game.actions.size), dtype=torch.bool),
    }


def place(most: int, shape: Shape) -> Bounded:
    """A seat or a role: an int64 number from NOBODY to most - 1."""
    return Bounded(NOBODY, most - 1, shape, dtype=torch.int64)


def whole_state(batch: Batch, shape: Shape) -> Bounded:
    """The full state, (*shape, S) int8."""
    table = batch.game.state
    low, high = (torch.from_numpy(bound).expand(*shape, table.size) for bound in (table.low(), table.high()))
    return Bounded(low, high, (*shape, table.size), dtype=torch.int8)


def payments(shape: Shape) -> Unbounded:
    """Returns or rewards, float32."""
    return Unbounded(shape, dtype=torch.float32)


class LegalActions(Categorical):
    """A Categorical whose copies share its mask: what copied a spec, like a collector or a transform, draws legally."""

    def update_mask(self, mask: torch.Tensor | None) -> None:
        """Change the mask of this spec and of its copies."""
        known: torch.Tensor | None = self.__dict__.get("mask")
        if known is None or mask is None:
            super().update_mask(mask)
        else:
            known.copy_(mask)

    def clone(self) -> LegalActions:
        """A copy with the same mask."""
        return type(self)(self.space.n, self.shape, self.device, self.dtype, self.mask)


def actions(batch: Batch, shape: Shape) -> LegalActions:
    """An action id of each, int64; the environment keeps its mask up to date."""
    count = batch.game.actions.size
    return LegalActions(count, shape, dtype=torch.int64, mask=torch.ones((*shape, count), dtype=torch.bool))


def flags(shape: Shape) -> dict[str, object]:
    """The three flags of an ending."""
    return {name: Categorical(2, shape, dtype=torch.bool) for name in ("done", "terminated", "truncated")}


def together(entries: dict[str, object], shape: Shape) -> Composite:
    """A composite of these entries."""
    return Composite(entries, shape=shape)
