"""Checkpoints: everything a run needs to resume bit for bit, as plain numbers in one file that can't run code.

A file is NumPy's .npz: the network's weights, the optimiser's moments, the games in progress and the random streams.
It is written to a temporary file and then renamed, so that a kill at any moment leaves the last checkpoint intact.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar

import numpy as np
import torch

from riverbed_env.core.files import Arrays, parse_json, read_arrays, write_arrays
from riverbed_env.core.schema import NOTHING_ELSE, Count, of_kind
from riverbed_env.errors import OptionError

FORMAT = 1
HEADER = "header"
WEIGHTS = "weight/"
MOMENTS: dict[type[torch.optim.Optimizer], tuple[str, tuple[str, ...]]] = {  # that optimisers keep of each parameter
    torch.optim.Adam: ("adam/", ("step", "exp_avg", "exp_avg_sq")),
    torch.optim.Muon: ("muon/", ("momentum_buffer",)),
}
OF_NETWORK = (WEIGHTS, *(prefix for prefix, _ in MOMENTS.values()))


def save_checkpoint(path: Path, header: dict[str, Any], arrays: Arrays) -> None:
    """Write a checkpoint, whole or not at all. Raises RiverbedError if it can't be written."""
    write_arrays(path, {HEADER: np.array(json.dumps({"format": FORMAT, **header})), **arrays})


def load_checkpoint(path: Path) -> tuple[dict[str, Any], Arrays]:
    """The header and arrays of a checkpoint. Raises OptionError for a damaged file, or one of another kind."""
    arrays = read_arrays(path, "checkpoint")
    header = arrays.pop(HEADER, None)
    if header is None or header.dtype.kind != "U" or header.ndim:
        raise OptionError(f"checkpoint {path} can't be read: it has no header")
    return parse_json(str(header), f"checkpoint {path}", FORMAT), arrays


@dataclass(frozen=True)
class Header:
    """What the header of every checkpoint holds."""

    __pydantic_config__ = NOTHING_ELSE

    environment: str
    packs: tuple[str, ...]
    code: str
    steps: Count
    updates: Count


AnyHeader = TypeVar("AnyHeader", bound=Header)


def checked_header(
    kind: type[AnyHeader], path: Path, header: Mapping[str, Any], origin: Mapping[str, Any], whose: str
) -> AnyHeader:
    """The header of a checkpoint. Raises OptionError unless it names the same origin: game, packs and so on."""
    for name, value in origin.items():
        if header.get(name) != value:
            raise OptionError(f"checkpoint {path} is of {name} {header.get(name)}, {whose} of {value}")
    return of_kind(kind, header, f"header of {path}")


def network_arrays(policy: torch.nn.Module, *optimizers: torch.optim.Optimizer) -> Arrays:
    """The weights, and the optimisers' moments of each."""
    arrays = {f"{WEIGHTS}{name}": value.detach().cpu().numpy() for name, value in policy.state_dict().items()}
    for optimizer in optimizers:
        prefix, _ = MOMENTS[type(optimizer)]
        for name, parameter in policy.named_parameters():
            for moment, value in optimizer.state.get(parameter, {}).items():
                arrays[f"{prefix}{moment}/{name}"] = value.detach().cpu().numpy()
    return arrays


def put_network(path: Path, arrays: Arrays, policy: torch.nn.Module, *optimizers: torch.optim.Optimizer) -> None:
    """Load weights and moments. Raises OptionError, and changes nothing, if they aren't those of this network.

    An untrained learner has no moments; any other has moments for every trained parameter.
    """
    now = {name: value.cpu().numpy() for name, value in policy.state_dict().items()}
    weights = _matching(path, arrays, WEIGHTS, now)
    single = np.zeros((), np.float32)
    is_trained = any(name.startswith(OF_NETWORK) and not name.startswith(WEIGHTS) for name in arrays)
    kinds = {type(optimizer): optimizer for optimizer in optimizers}
    found: dict[type[torch.optim.Optimizer], Arrays] = {}
    for kind, (prefix, moments) in MOMENTS.items():
        mine = _parameters_of(policy, kinds[kind]) if is_trained and kind in kinds else {}
        like = {f"{moment}/{name}": single if moment == "step" else now[name] for name in mine for moment in moments}
        found[kind] = _matching(path, arrays, prefix, like)
    policy.load_state_dict({name: torch.from_numpy(array) for name, array in weights.items()})
    for kind, optimizer in kinds.items():
        for name, parameter in _parameters_of(policy, optimizer).items() if is_trained else ():
            given = {moment: torch.from_numpy(found[kind][f"{moment}/{name}"]) for moment in MOMENTS[kind][1]}
            optimizer.state[parameter] = {  # unless it is fused, Adam counts its steps on the CPU
                moment: value if moment == "step" else value.to(parameter.device) for moment, value in given.items()
            }


def _parameters_of(policy: torch.nn.Module, optimizer: torch.optim.Optimizer) -> dict[str, torch.nn.Parameter]:
    """The parameters of a network that an optimiser steps, by name."""
    stepped = {id(each) for group in optimizer.param_groups for each in group["params"]}
    return {name: parameter for name, parameter in policy.named_parameters() if id(parameter) in stepped}


def _matching(path: Path, arrays: Arrays, prefix: str, like: Arrays) -> Arrays:
    """The arrays with this prefix, by name without it. Raises OptionError unless finite and as in `like`."""
    matching = {name.removeprefix(prefix): array for name, array in arrays.items() if name.startswith(prefix)}
    for name in sorted(matching.keys() | like.keys()):
        array, wanted = matching.get(name), like.get(name)
        fits = array is not None and wanted is not None and (array.shape, array.dtype) == (wanted.shape, wanted.dtype)
        if not fits or not np.isfinite(matching[name]).all():
            raise OptionError(f"checkpoint {path} isn't of this network: {prefix}{name}")
    return matching
