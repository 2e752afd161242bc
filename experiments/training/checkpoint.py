"""Checkpoints: all a run needs to go on as if it had never stopped, as numbers in one file that runs no code.

A file is NumPy's .npz: the network's weights, the optimiser's moments, the games under way and the random streams.
It is written beside its place and moved there at once, so that a kill at any moment leaves the last one whole.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import torch

from riverbed_env.core.errors import OptionError
from riverbed_env.core.files import Arrays, read_arrays, write_arrays

FORMAT = 1
HEADER = "header"


def save_checkpoint(path: Path, header: dict[str, Any], arrays: Arrays) -> None:
    """Write a checkpoint, whole or not at all; RiverbedError where it can't be written."""
    write_arrays(path, {HEADER: np.array(json.dumps({"format": FORMAT, **header})), **arrays})


def load_checkpoint(path: Path) -> tuple[dict[str, Any], Arrays]:
    """The header and arrays of a checkpoint; OptionError where the file is none, truncated or damaged."""
    arrays = read_arrays(path, "checkpoint")
    try:
        header = json.loads(str(arrays.pop(HEADER)))
        if header.pop("format") != FORMAT:
            raise OptionError(f"checkpoint {path} is of a format that this version doesn't read")
    except (KeyError, ValueError, AttributeError, TypeError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"checkpoint {path} can't be read: {error}") from error
    return header, arrays


def network_arrays(policy: torch.nn.Module, optimizer: torch.optim.Optimizer) -> Arrays:
    """The weights, and what Adam remembers of each."""
    found = {f"weight/{name}": value.detach().cpu().numpy() for name, value in policy.state_dict().items()}
    for name, parameter in policy.named_parameters():
        for what, value in optimizer.state.get(parameter, {}).items():
            found[f"adam/{what}/{name}"] = value.detach().cpu().numpy()
    return found


def put_network(path: Path, arrays: Arrays, policy: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Put weights and moments back; OptionError, with nothing changed, where they aren't this network's."""
    weights = {name.partition("/")[2]: array for name, array in arrays.items() if name.startswith("weight/")}
    now = policy.state_dict()
    different = set(weights) ^ set(now) or {name for name in now if tuple(now[name].shape) != weights[name].shape}
    unsound = {name for name, array in weights.items() if not np.isfinite(array).all()}
    if different or unsound:
        raise OptionError(f"checkpoint {path} isn't of this network: {', '.join(sorted(different or unsound)[:3])}")
    moments = _moments(path, arrays, policy)
    policy.load_state_dict({name: torch.from_numpy(np.array(array)) for name, array in weights.items()})
    for parameter, remembered in moments:
        optimizer.state[parameter] = remembered


def _moments(
    path: Path, arrays: Arrays, policy: torch.nn.Module
) -> list[tuple[torch.nn.Parameter, dict[str, torch.Tensor]]]:
    """What Adam remembers of each parameter, checked."""
    found = []
    for name, parameter in policy.named_parameters():
        kept = {}
        for what in ("step", "exp_avg", "exp_avg_sq"):
            array = arrays.get(f"adam/{what}/{name}")
            if array is None:
                continue
            wanted = () if what == "step" else tuple(parameter.shape)
            if array.shape != wanted or not np.isfinite(array).all():
                raise OptionError(f"checkpoint {path} isn't of this network: what Adam remembers of {name}")
            kept[what] = torch.from_numpy(np.array(array))
        if kept:
            found.append((parameter, kept))
    return found
