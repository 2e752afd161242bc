"""Saved policies: a network's weights and what they are for, in one file that holds numbers and words but no code.

A file is NumPy's .npz: `config`, a JSON text, and for each layer `weight_0`, `bias_0`, … (float32). The network takes
the observation and what its senses tell, divided by `scale`, goes through its layers with `activation` between them,
and gives a logit for each action; illegal ones are masked out.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from .agents import Memory, Streams, Vectors
from .errors import OptionError
from .files import write_whole
from .game import Game
from .random import draw_uniforms
from .senses import Sense, find_senses, total_size, write_senses

Layer = tuple[npt.NDArray[np.float32], npt.NDArray[np.float32]]

FORMAT = 1
SUFFIX = ".npz"
MOST_LAYERS = 16
LARGEST_FILE = 256 * 2**20  # bytes
ACTIVATIONS = ("relu", "tanh")
VERY_UNLIKELY = np.float32(-1e9)  # the logit of an illegal action


@dataclass(frozen=True)
class PolicyConfig:
    """What a network is for and how it is used.

    environment: the versioned name; view: which observation it takes; scale: its inputs are divided by it; activation:
    of ACTIVATIONS; about: in words, for lists; senses: names of what is worked out for it beside its observation, see
    `core.senses`; more: anything else that should be kept with it.
    """

    environment: str
    view: str = "history"
    scale: float = 1.0
    activation: str = "tanh"
    about: str = ""
    senses: tuple[str, ...] = ()
    more: dict[str, Any] = field(default_factory=dict)


@dataclass(frozen=True)
class SavedPolicy:
    """A network as an agent: it draws from its masked softmax, or takes the likeliest action if `greedy`."""

    name: str
    config: PolicyConfig
    layers: tuple[Layer, ...]
    senses: tuple[Sense, ...] = ()
    size: int = 0  # of the observation it takes, 0 for all of it
    greedy: bool = False
    memory_size: int = 0

    @property
    def about(self) -> str:
        """What it is, for lists."""
        return self.config.about

    def inputs(self, observations: Vectors, masks: Vectors, rng: Streams) -> npt.NDArray[np.float32]:
        """What the network takes, (n, inputs). observations (n, D) or longer: what its view lacks is left out."""
        seen = observations[:, : self.size or None]
        if not self.senses:
            return seen.astype(np.float32) / np.float32(self.config.scale)
        sensed = write_senses(self.senses, observations, masks, rng.copy())
        return np.concatenate([seen, sensed], axis=1).astype(np.float32) / np.float32(self.config.scale)

    def logits(self, observations: Vectors, masks: Vectors, rng: Streams) -> npt.NDArray[np.float32]:
        """The masked logits, (n, actions). rng: (n,) streams, which senses draw from copies of."""
        found = self.inputs(observations, masks, rng)
        for number, (weight, bias) in enumerate(self.layers):
            found = found @ weight + bias
            if number < len(self.layers) - 1:
                found = np.tanh(found) if self.config.activation == "tanh" else np.maximum(found, 0)
        return np.where(masks == 1, found, VERY_UNLIKELY)

    def act(self, observations: Vectors, masks: Vectors, memory: Memory, rng: Streams) -> npt.NDArray[np.int64]:
        """One legal action for each game; see `Agent`."""
        logits = self.logits(observations, masks, rng)
        if self.greedy:
            return np.asarray(logits.argmax(axis=1), np.int64)
        weights = np.exp((logits - logits.max(axis=1, keepdims=True)).astype(np.float64)) * (masks == 1)
        totals = weights.cumsum(axis=1)
        drawn = np.zeros(len(rng))
        draw_uniforms(rng, drawn)
        return np.asarray((totals > (drawn * totals[:, -1])[:, None]).argmax(axis=1), np.int64)


def save_policy(path: Path, config: PolicyConfig, layers: Sequence[Layer]) -> None:
    """Write a policy's file, whole or not at all. layers: weight (inputs, outputs) and bias (outputs,) of each."""
    arrays: dict[str, Any] = {"config": np.array(json.dumps({"format": FORMAT, **asdict(config)}))}
    for number, (weight, bias) in enumerate(layers):
        arrays[f"weight_{number}"] = np.asarray(weight, np.float32)
        arrays[f"bias_{number}"] = np.asarray(bias, np.float32)

    def write(partial: Path) -> None:
        with partial.open("wb") as file:  # given a path, NumPy would add a suffix
            np.savez(file, **arrays)

    write_whole(path, write)


def load_policy(path: Path, game: Game, *, name: str = "", greedy: bool = False) -> SavedPolicy:
    """A policy from its file. Raises OptionError for a file that is none, or one for another game, version or view."""
    try:
        if path.stat().st_size > LARGEST_FILE:
            raise OptionError(f"policy {path} is larger than {LARGEST_FILE // 2**20} MiB")
        with path.open("rb") as opened, np.load(opened, allow_pickle=False) as file:
            arrays = {key: file[key] for key in file.files}
    except (OSError, ValueError, EOFError, zipfile.BadZipFile, KeyError) as error:
        raise OptionError(f"policy {path} can't be read: {error}") from error
    config = _config(path, arrays)
    layers = _layers(path, arrays)
    senses = find_senses(config.senses, game)
    _check_fit(path, config, layers, game, total_size(senses))
    return SavedPolicy(name or str(path), config, layers, senses, game.views[config.view], greedy)


def _config(path: Path, arrays: dict[str, Any]) -> PolicyConfig:
    """The file's config, its values checked."""
    try:
        read = json.loads(str(arrays["config"]))
        if read.pop("format") != FORMAT:
            raise OptionError(f"policy {path} is of a format that this version doesn't read; it reads format {FORMAT}")
        config = PolicyConfig(**{**read, "senses": tuple(read.get("senses", ()))})
        fine = config.activation in ACTIVATIONS and np.isfinite(config.scale) and config.scale > 0
        fine = fine and all(isinstance(each, str) for each in (config.environment, config.view, config.about))
        fine = fine and all(isinstance(each, str) for each in config.senses)
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        if isinstance(error, OptionError):
            raise
        raise OptionError(f"policy {path} has no config that makes sense: {error!r}") from error
    if not fine:
        raise OptionError(f"policy {path} has no config that makes sense: {config}")
    return config


def _layers(path: Path, arrays: dict[str, Any]) -> tuple[Layer, ...]:
    """The file's layers: numbers that are finite, of shapes that fit each other."""
    count = sum(key.startswith("weight_") for key in arrays)
    wanted = {"config", *(f"{what}_{number}" for what in ("weight", "bias") for number in range(count))}
    if not 1 <= count <= MOST_LAYERS or set(arrays) != wanted:
        raise OptionError(
            f"policy {path} must hold config and 1 to {MOST_LAYERS} layers, weight_0 and bias_0 and so on"
        )
    layers = tuple((arrays[f"weight_{number}"], arrays[f"bias_{number}"]) for number in range(count))
    inputs = None
    for weight, bias in layers:
        single = weight.dtype == bias.dtype == np.float32
        fine = single and weight.ndim == bias.ndim + 1 and bias.shape == (weight.shape[-1],)
        if not fine or inputs not in (None, len(weight)) or not (np.isfinite(weight).all() and np.isfinite(bias).all()):
            raise OptionError(f"policy {path}: the layers must be finite float32 matrices that fit each other")
        inputs = weight.shape[1]
    return layers


def _check_fit(path: Path, config: PolicyConfig, layers: tuple[Layer, ...], game: Game, sensed: int) -> None:
    """OptionError for a policy of another game, version or view."""
    if config.environment != game.id:
        raise OptionError(f"policy {path} is for {config.environment}, not for {game.id}")
    if config.view not in game.views:
        raise OptionError(f"policy {path} is for view {config.view!r}; views are {', '.join(game.views)}")
    sizes = (len(layers[0][0]), layers[-1][0].shape[1])
    if sizes != (game.views[config.view] + sensed, game.actions.size):
        raise OptionError(
            f"policy {path} takes {sizes[0]} numbers and gives {sizes[1]}; {game.id} shows "
            f"{game.views[config.view] + sensed} and has {game.actions.size} actions: it is of another version"
        )
