"""Targets of the learner's choices in games that it plays, in files of one block each.

A block's file names the version, pack, settings, round and student that its targets are of.
"""

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Vectors
from riverbed_env.core.files import Arrays
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Whole
from riverbed_env.kernels.networks import PackedNetwork
from riverbed_env.players.agents import answers
from riverbed_env.players.lineups import Lineups
from riverbed_env.rollouts.action_values import ActionValues

from ..playing.choices import choices
from ..training.checkpoint import load_checkpoint, save_checkpoint
from .config import STUDENT, DistilConfig
from .student import student_inputs

FOLDER = "targets"
NOT_OF_TARGETS = (  # settings that targets don't depend on: of fitting and evaluation
    *("rounds", "blocks", "tail", "window", "epochs", "batch_size", "learning_rate"),
    *("evaluation_games", "threads", "device"),
)


@dataclass(frozen=True)
class Block:
    """Valued choices: the network's inputs, (n, numbers) int8, and targets, (n, actions, turns) float16 in points."""

    inputs: Vectors
    targets: npt.NDArray[np.float16]


def block_file(folder: Path, number: tuple[int, int]) -> Path:
    """The file of a block, by round and number."""
    return folder / FOLDER / f"round_{number[0]:03}_block_{number[1]:04}.npz"


def origin_of(config: DistilConfig, packs: Sequence[str], number: tuple[int, int], student: str) -> dict[str, Any]:
    """What a block's targets are of. student: `digest` of the one that played."""
    settings = {name: value for name, value in config.plain().items() if name not in NOT_OF_TARGETS}
    own = {"environment": config.known_game().id, "packs": list(packs), "block": list(number), "student": student}
    return {**own, **settings}


def write_block(path: Path, origin: Mapping[str, Any], block: Block) -> None:
    """Write a block, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_checkpoint(path, origin, {"inputs": block.inputs, "targets": block.targets}, compressed=True)


def read_block(path: Path, origin: Mapping[str, Any], config: DistilConfig) -> Block:
    """Read a block. Raises OptionError for targets of anything else, and unless each row has legal actions."""
    known, arrays = load_checkpoint(path, "targets")
    for name, value in origin.items():
        if known.get(name) != value:
            raise OptionError(f"targets {path} are of {name} {known.get(name)}, this run of {value}")
    inputs, targets = (arrays.get(name, np.zeros(0)) for name in ("inputs", "targets"))
    shape = (len(inputs) if inputs.ndim else 0, config.known_game().actions.size, len(config.turns))
    fits = inputs.shape == (shape[0], len(student_inputs(config).columns)) and inputs.dtype == np.int8
    fits = fits and targets.shape == shape and targets.dtype == np.float16
    if not fits or np.isinf(targets).any() or np.all(np.isnan(targets).any(axis=2), axis=1).any():
        raise OptionError(f"targets {path} are damaged: their arrays don't fit this game")
    return Block(inputs, targets)


def digest(arrays: Arrays) -> str:
    """A short hash of a student's weights."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        total.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return total.hexdigest()[:16]


class TargetGames:
    """Plays the games of a block with the learner in one seat of each, and values its choices.

    Every game is played to its end, so that no stage of the game is over-represented.
    """

    def __init__(self, config: DistilConfig, opponents: Lineups) -> None:
        self.config = config
        counts, game, size = config.counts(), config.known_game(), config.block_games
        self._columns, self._how = student_inputs(config).columns, config.rollouts()
        self.batch = LearnerBatch(
            *(game, size),
            role=config.role,
            opponents=opponents,
            seed=config.seed,
            view=config.view,
            features=config.features,
            autoreset="off",
            num_players=[counts[place * len(counts) // size] for place in range(size)],
            threads=config.threads,
            **config.options,
        )
        self._estimator = ActionValues(self.batch.tables, self._how, config.view, self.batch.features)

    def estimate(self, number: tuple[int, int], student: PackedNetwork | None) -> Block:
        """The block of this round and number; the learner takes a share of its actions at random.

        student: in the learner's seat; None: the reference.
        """
        batch, estimator = self.batch, self._estimator
        random = np.random.default_rng(np.random.SeedSequence([self.config.seed, *number]).spawn(1)[0])
        seed = int(random.integers(2**60))
        batch.reset(seed, first_game=0)
        own = student if self.config.own == STUDENT else None
        rows, valued = list[tuple[Vectors, npt.NDArray[np.float16]]](), 0
        for open_, actions in choices(batch):
            targets = estimator.estimate(open_, own, seed, valued)
            valued += len(open_)
            rows.append((batch.observation[open_][:, self._columns], targets.astype(np.float16)))
            masks = batch.action_mask[open_]
            chosen = self._by_reference(open_) if student is None else estimator.choose(open_, student)
            drawn = (random.random(masks.shape) * masks).argmax(axis=1)
            actions[open_] = np.where(random.random(len(open_)) < self.config.explore, drawn, chosen)
        return Block(*(np.concatenate(arrays) for arrays in zip(*rows)))

    def _by_reference(self, open_: Whole) -> Whole:
        """The reference's actions in the learner's seat of these games."""
        batch, actions = self.batch.tables.batch, np.zeros(len(open_), np.int64)
        streams = batch.agent_streams()
        for places, _ in batch.by_set(open_):
            mine = open_[places]
            actions[places] = answers(self._how.own, batch, mine, np.zeros((len(mine), 0), np.int32), streams)
        return actions
