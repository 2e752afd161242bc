"""Files of labels: a block of one round each, which names the version, pack and settings that its labels are of."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from riverbed_env.core.files import parse_json, read_arrays, write_arrays
from riverbed_env.errors import OptionError

from .config import DistilConfig
from .games import Block
from .student import student_inputs

FORMAT = 1
FOLDER = "labels"
NOT_OF_LABELS = (  # settings that labels don't depend on: of fitting and evaluation
    *("rounds", "blocks", "tail", "window", "epochs", "batch_size", "learning_rate"),
    *("evaluation_games", "threads", "device"),
)


@dataclass(frozen=True)
class Origin:
    """What labels are of: the environment's version, packs, the settings they depend on."""

    environment: str
    packs: tuple[str, ...]
    settings: Mapping[str, Any]

    @classmethod
    def of(cls, config: DistilConfig, packs: Sequence[str]) -> Origin:
        """The origin of the labels of a config."""
        settings = {name: value for name, value in config.plain().items() if name not in NOT_OF_LABELS}
        return cls(config.known_game().id, tuple(packs), settings)


def block_file(folder: Path, number: tuple[int, int]) -> Path:
    """The file of a block, by round and number."""
    return folder / FOLDER / f"round_{number[0]:03}_block_{number[1]:04}.npz"


def write_block(path: Path, origin: Origin, number: tuple[int, int], weights: str, block: Block) -> None:
    """Write a block, whole or not at all. weights: `digest` of the student that played."""
    path.parent.mkdir(parents=True, exist_ok=True)
    header = {
        "format": FORMAT,
        "environment": origin.environment,
        "packs": list(origin.packs),
        "settings": dict(origin.settings),
        "number": list(number),
        "student": weights,
    }
    arrays = {"header": np.array(json.dumps(header)), "inputs": block.inputs, "worths": block.worths}
    write_arrays(path, arrays, compressed=True)


def read_block(path: Path, origin: Origin, number: tuple[int, int], weights: str | None, config: DistilConfig) -> Block:
    """Read a block. Raises OptionError for labels of another version, pack, lineup, setting or student."""
    arrays = read_arrays(path, "labels")
    header = arrays.get("header")
    if header is None or header.dtype.kind != "U" or header.ndim:
        raise OptionError(f"labels {path} have no header")
    known = parse_json(str(header), f"labels {path}", FORMAT)
    wanted = {"environment": origin.environment, "packs": list(origin.packs)}
    for name, value in wanted.items():
        if known.get(name) != value:
            raise OptionError(f"labels {path} are of {name} {known.get(name)}, this run of {value}")
    settings = known.get("settings")
    given = settings if isinstance(settings, dict) else {}
    for name, value in origin.settings.items():
        if given.get(name) != value:
            raise OptionError(f"labels {path} are of {name} {given.get(name)}, this run of {value}")
    if known.get("number") != list(number) or weights not in (None, known.get("student")):
        raise OptionError(f"labels {path} are of another round, block or student")
    return _checked(path, arrays.get("inputs"), arrays.get("worths"), config)


def _checked(path: Path, inputs: Any, worths: Any, config: DistilConfig) -> Block:
    """The block of these arrays. Raises OptionError unless they fit the config and each row has legal actions."""
    numbers, actions = len(student_inputs(config).columns), config.known_game().actions.size
    count = 0 if inputs is None or not inputs.ndim else len(inputs)
    fits = inputs is not None and inputs.shape == (count, numbers) and inputs.dtype == np.int8
    fits &= worths is not None and worths.shape == (count, actions, len(config.turns)) and worths.dtype == np.float16
    if not fits or np.isinf(worths).any() or np.isnan(worths).any(axis=2).all(axis=1).any():
        raise OptionError(f"labels {path} are damaged: their arrays don't fit this game")
    return Block(inputs, worths)


def digest(arrays: Mapping[str, Any]) -> str:
    """A short hash of a student's weights."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        total.update(name.encode())
        total.update(np.ascontiguousarray(arrays[name]).tobytes())
    return total.hexdigest()[:16]
