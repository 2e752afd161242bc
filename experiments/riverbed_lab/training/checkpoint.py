"""The files of a learner: its network as a policy, and checkpoints.

A checkpoint is everything a run needs to resume bit for bit, as plain numbers in one file that can't run code.

A file is NumPy's .npz: the network's weights, the optimiser's moments, the games in progress and the random streams.
It is written to a temporary file and then renamed, so that a kill at any moment leaves the last checkpoint intact.
"""

import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch

from riverbed_env.core.files import Arrays, parse_json, read_arrays, write_arrays
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import RELATED, PolicyConfig, save_policy

from .config import LearnerConfig

FORMAT = 1
HEADER = "header"
WEIGHTS = "weight/"
STEP = "step"
MOMENTS: dict[type[torch.optim.Optimizer], tuple[str, tuple[str, ...]]] = {  # that optimisers keep of each parameter
    torch.optim.Adam: ("adam/", (STEP, "exp_avg", "exp_avg_sq")),
    torch.optim.Muon: ("muon/", ("momentum_buffer",)),
}
OF_NETWORK = (WEIGHTS, *(prefix for prefix, _ in MOMENTS.values()))


def save_network(
    path: Path,
    config: LearnerConfig,
    network: Arrays,
    about: str,
    packs: Sequence[str],
    steps: int,
    *,
    heads: str | None = None,
    way: str = "training",
    more: Mapping[str, Any] | None = None,
) -> None:
    """Write a network as a policy file. Raises WriteError if it can't be written.

    network: its arrays; about: how it learned and for whom, to which players and steps are added; packs: in play;
    steps: what it learned from; heads: of a network of related objects, None: its objects have no relations; way: what
    the file calls the config; more: to keep in the file.
    """
    players = ", ".join(map(str, config.counts()))
    described = PolicyConfig(
        *(config.known_game().id, config.view),
        about=f"{about}, {players} players, {steps:,} {config.learnt_from}",
        features=config.features,
        network="objects" if heads is None else RELATED,
        pieces=config.pieces,
        heads=heads or "",
        more={"packs": list(packs), way: config.plain(), "steps": steps, **(more or {})},
    )
    save_policy(path, described, network)


def save_checkpoint(path: Path, header: Mapping[str, Any], arrays: Arrays, *, compressed: bool = False) -> None:
    """Write a checkpoint, whole or not at all. Raises RiverbedError if it can't be written."""
    words = np.array(json.dumps({"format": FORMAT, **header}))
    write_arrays(path, {HEADER: words, **arrays}, compressed=compressed)


def load_checkpoint(path: Path, what: str = "checkpoint") -> tuple[dict[str, Any], Arrays]:
    """The header and arrays of a checkpoint. Raises OptionError for a damaged file, or one of another kind."""
    arrays = read_arrays(path, what)
    header = arrays.pop(HEADER, None)
    if header is None or header.dtype.kind != "U" or header.ndim:
        raise OptionError(f"{what} {path} can't be read: it has no header")
    return parse_json(str(header), f"{what} {path}", FORMAT), arrays


def network_arrays(policy: torch.nn.Module, *optimizers: torch.optim.Optimizer) -> Arrays:
    """The weights, and the optimisers' moments of each, 0 of parameters that aren't trained yet but others are."""
    arrays = {f"{WEIGHTS}{name}": value for name, value in policy.state_dict().items()}
    for name, (optimizer, parameter, moment) in _moments(policy, optimizers).items():
        if parameter in optimizer.state:
            arrays[name] = optimizer.state[parameter][moment]
        elif optimizer.state:  # as while a critic learns alone
            arrays[name] = torch.zeros(() if moment == STEP else parameter.shape)
    return {name: value.detach().cpu().numpy() for name, value in arrays.items()}


def put_weights(path: Path, policy: torch.nn.Module) -> None:
    """Load the weights of another run's checkpoint. Raises OptionError if they aren't those of such a network."""
    _, arrays = load_checkpoint(path)
    put_network(path, {name: array for name, array in arrays.items() if name.startswith(WEIGHTS)}, policy)


def put_network(path: Path, arrays: Arrays, policy: torch.nn.Module, *optimizers: torch.optim.Optimizer) -> None:
    """Load weights and moments. Raises OptionError, and changes nothing, if they aren't those of this network.

    An untrained learner has no moments; any other has moments for every trained parameter.
    """
    given = {name: array for name, array in arrays.items() if name.startswith(OF_NETWORK)}
    wanted = {f"{WEIGHTS}{name}": value.cpu().numpy() for name, value in policy.state_dict().items()}
    is_trained = any(not name.startswith(WEIGHTS) for name in given)
    moments = _moments(policy, optimizers) if is_trained else {}
    for name, (_, parameter, moment) in moments.items():
        wanted[name] = np.zeros(() if moment == STEP else tuple(parameter.shape), np.float32)
    _check_arrays(path, given, wanted)
    tensors = {name: torch.from_numpy(array) for name, array in given.items()}
    policy.load_state_dict({name.removeprefix(WEIGHTS): tensors[name] for name in wanted if name.startswith(WEIGHTS)})
    for name, (optimizer, parameter, moment) in moments.items():
        # Unless it is fused, Adam counts its steps on the CPU.
        value = tensors[name] if moment == STEP else tensors[name].to(parameter.device)
        optimizer.state[parameter][moment] = value


def _moments(
    policy: torch.nn.Module, optimizers: Sequence[torch.optim.Optimizer]
) -> dict[str, tuple[torch.optim.Optimizer, torch.nn.Parameter, str]]:
    """The state of a network's optimizers: optimizer, parameter and moment, by array."""
    names = {parameter: name for name, parameter in policy.named_parameters()}
    return {
        f"{prefix}{moment}/{names[parameter]}": (optimizer, parameter, moment)
        for optimizer in optimizers
        for prefix, moments in [MOMENTS[type(optimizer)]]
        for group in optimizer.param_groups
        for parameter in group["params"]
        for moment in moments
    }


def _check_arrays(path: Path, given: Arrays, wanted: Arrays) -> None:
    """Raise OptionError unless the arrays are finite and have the names, shapes and dtypes of those wanted."""
    for name in sorted(given.keys() | wanted.keys()):
        array, like = given.get(name), wanted.get(name)
        fits = array is not None and like is not None and (array.shape, array.dtype) == (like.shape, like.dtype)
        if not fits or not np.isfinite(given[name]).all():
            raise OptionError(f"checkpoint {path} isn't of this network: {name}")
