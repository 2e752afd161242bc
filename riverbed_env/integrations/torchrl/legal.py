"""A policy that plays random legal actions in whatever environment shows its masks."""

from __future__ import annotations

import torch
from tensordict import TensorDictBase

MASK = "action_mask"


def random_legal(tensordict: TensorDictBase) -> TensorDictBase:
    """Set an action, drawn uniformly from the legal ones, beside every "action_mask" (…, A); returns the tensordict.

    For environments whose action specs have lost the masks: `SerialEnv`, `ParallelEnv`, TorchRL's PettingZooWrapper
    behind transforms. Actions are int64, (…).
    """
    for key in list(tensordict.keys(include_nested=True, leaves_only=True)):
        *group, name = key if isinstance(key, tuple) else (key,)
        if name == MASK and "next" not in group:
            mask = tensordict.get(key)
            drawn = torch.multinomial(mask.reshape(-1, mask.shape[-1]).float(), 1).reshape(mask.shape[:-1])
            tensordict.set((*group, "action"), drawn)
    return tensordict
