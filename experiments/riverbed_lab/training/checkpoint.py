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

from riverbed_env.core.files import Arrays, parse_json, read_arrays, write_arrays
from riverbed_env.errors import OptionError

FORMAT = 1
HEADER = "header"
WEIGHTS, ADAM = OF_NETWORK = ("weight/", "adam/")
MOMENTS = ("step", "exp_avg", "exp_avg_sq")  # what Adam remembers of each parameter


def save_checkpoint(path: Path, header: dict[str, Any], arrays: Arrays) -> None:
    """Write a checkpoint, whole or not at all; RiverbedError where it can't be written."""
    write_arrays(path, {HEADER: np.array(json.dumps({"format": FORMAT, **header})), **arrays})


def load_checkpoint(path: Path) -> tuple[dict[str, Any], Arrays]:
    """The header and arrays of a checkpoint; OptionError where the file is none, truncated or damaged."""
    arrays = read_arrays(path, "checkpoint")
    header = arrays.pop(HEADER, None)
    if header is None or header.dtype.kind != "U" or header.ndim:
        raise OptionError(f"checkpoint {path} can't be read: it has no header")
    return parse_json(str(header), f"checkpoint {path}", FORMAT), arrays


def network_arrays(policy: torch.nn.Module, optimizer: torch.optim.Optimizer) -> Arrays:
    """The weights, and what Adam remembers of each."""
    found = {f"{WEIGHTS}{name}": value.detach().cpu().numpy() for name, value in policy.state_dict().items()}
    for name, parameter in policy.named_parameters():
        for what, value in optimizer.state.get(parameter, {}).items():
            found[f"{ADAM}{what}/{name}"] = value.detach().cpu().numpy()
    return found


def put_network(path: Path, arrays: Arrays, policy: torch.nn.Module, optimizer: torch.optim.Optimizer) -> None:
    """Put weights and moments back; OptionError, with nothing changed, where they aren't this network's.

    A learner that hasn't learnt yet has no moments; any other has those of all that is learnt, and none of what is set.
    """
    now = {name: value.numpy() for name, value in policy.state_dict().items()}
    weights = _fitting(path, arrays, WEIGHTS, now)
    parameters = {name: parameter for name, parameter in policy.named_parameters() if parameter.requires_grad}
    single = np.zeros((), np.float32)
    like = {f"{what}/{name}": single if what == "step" else now[name] for name in parameters for what in MOMENTS}
    moments = _fitting(path, arrays, ADAM, like if any(name.startswith(ADAM) for name in arrays) else {})
    policy.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    for name, parameter in parameters.items() if moments else ():
        optimizer.state[parameter] = {what: torch.from_numpy(moments[f"{what}/{name}"]) for what in MOMENTS}


def _fitting(path: Path, arrays: Arrays, mark: str, like: Arrays) -> Arrays:
    """The arrays whose names begin so, without that; OptionError unless finite, with names and kinds as in `like`."""
    found = {name.removeprefix(mark): array for name, array in arrays.items() if name.startswith(mark)}
    for name in sorted(found.keys() | like.keys()):
        array, wanted = found.get(name), like.get(name)
        fits = array is not None and wanted is not None and (array.shape, array.dtype) == (wanted.shape, wanted.dtype)
        if not fits or not np.isfinite(found[name]).all():
            raise OptionError(f"checkpoint {path} isn't of this network: {mark}{name}")
    return found
