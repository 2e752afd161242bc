"""Labels of the learner's choices in games that it plays, in files of one block each.

A block's file names the version, pack, settings, round and student that its labels are of.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Vectors
from riverbed_env.core.files import Arrays
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import OptionError
from riverbed_env.kernels.networks import PackedNetwork
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.lineups import Lineups
from riverbed_env.playouts.labels import Labeller

from ..playing.choices import choices
from ..training.checkpoint import load_checkpoint, save_checkpoint
from .config import STUDENT, DistilConfig
from .student import student_inputs

Whole = npt.NDArray[np.int64]

FOLDER = "labels"
NOT_OF_LABELS = (  # settings that labels don't depend on: of fitting and evaluation
    *("rounds", "blocks", "tail", "window", "epochs", "batch_size", "learning_rate"),
    *("evaluation_games", "threads", "device"),
)


@dataclass(frozen=True)
class Block:
    """Labelled choices: the network's inputs, (n, numbers) int8, and worths, (n, actions, turns) float16 in points."""

    inputs: Vectors
    worths: npt.NDArray[np.float16]


def block_file(folder: Path, number: tuple[int, int]) -> Path:
    """The file of a block, by round and number."""
    return folder / FOLDER / f"round_{number[0]:03}_block_{number[1]:04}.npz"


def origin_of(config: DistilConfig, packs: Sequence[str], number: tuple[int, int], student: str) -> dict[str, Any]:
    """What a block's labels are of. student: `digest` of the one that played."""
    settings = {name: value for name, value in config.plain().items() if name not in NOT_OF_LABELS}
    own = {"environment": config.known_game().id, "packs": list(packs), "block": list(number), "student": student}
    return {**own, **settings}


def write_block(path: Path, origin: Mapping[str, Any], block: Block) -> None:
    """Write a block, whole or not at all."""
    path.parent.mkdir(parents=True, exist_ok=True)
    save_checkpoint(path, origin, {"inputs": block.inputs, "worths": block.worths}, compressed=True)


def read_block(path: Path, origin: Mapping[str, Any], config: DistilConfig) -> Block:
    """Read a block. Raises OptionError for labels of anything else, and unless each row has legal actions."""
    known, arrays = load_checkpoint(path, "labels")
    for name, value in origin.items():
        if known.get(name) != value:
            raise OptionError(f"labels {path} are of {name} {known.get(name)}, this run of {value}")
    none: Any = np.zeros(())
    inputs, worths = (arrays.get(name, none) for name in ("inputs", "worths"))
    shape = (len(worths) if worths.ndim else 0, config.known_game().actions.size, len(config.turns))
    fits = (inputs.shape, inputs.dtype) == ((shape[0], len(student_inputs(config).columns)), np.int8)
    fits &= (worths.shape, worths.dtype) == (shape, np.float16)
    if not fits or np.isinf(worths).any() or np.isnan(worths).any(axis=2).all(axis=1).any():
        raise OptionError(f"labels {path} are damaged: their arrays don't fit this game")
    return Block(inputs, worths)


def digest(arrays: Arrays) -> str:
    """A short hash of a student's weights."""
    total = hashlib.sha256()
    for name in sorted(arrays):
        total.update(name.encode() + np.ascontiguousarray(arrays[name]).tobytes())
    return total.hexdigest()[:16]


class LabelledGames:
    """Plays the games of a block with the learner in one seat of each, and labels its choices.

    Every game is played to its end, so that no stage of the game is over-represented.
    """

    def __init__(self, config: DistilConfig, opponents: Lineups) -> None:
        self.config = config
        counts, game = config.counts(), config.known_game()
        features = find_feature_sets(config.features, game)
        self._columns = student_inputs(config).columns
        self._how = config.play_outs()
        bounds = [config.block_games * place // len(counts) for place in range(len(counts) + 1)]
        self.parts = [
            LearnerBatch(
                game, end - begin, role=config.role, opponents=opponents, seed=config.seed, view=config.view,
                features=config.features, autoreset="off", num_players=count, threads=config.threads, **config.options,
            )
            for count, (begin, end) in zip(counts, pairwise(bounds))
        ]  # fmt: skip
        self._labellers = [Labeller(part.tables, self._how, config.view, features) for part in self.parts]

    def label(self, number: tuple[int, int], student: PackedNetwork | None) -> Block:
        """The block of this round and number. student: in the learner's seat; None: the reference."""
        sequence = np.random.SeedSequence([self.config.seed, *number])
        rows: list[tuple[Vectors, npt.NDArray[np.float16]]] = []
        for part, labeller, child in zip(self.parts, self._labellers, sequence.spawn(len(self.parts))):
            rows += self._play(part, labeller, student, np.random.default_rng(child))
        inputs, worths = zip(*rows)
        return Block(np.concatenate(inputs), np.concatenate(worths))

    def _play(
        self, part: LearnerBatch, labeller: Labeller, student: PackedNetwork | None, random: np.random.Generator
    ) -> list[tuple[Vectors, npt.NDArray[np.float16]]]:
        """Play and label the games of one player count; the learner takes a share of its actions at random."""
        seed = int(random.integers(2**60))
        part.reset(seed, first_game=0)
        own = student if self.config.own == STUDENT else None
        rows, labelled = [], 0
        for open_, actions in choices(part):
            worths = labeller.label(open_, own, seed, labelled)
            labelled += len(open_)
            rows.append((part.observation[open_][:, self._columns], worths.astype(np.float16)))
            masks = part.action_mask[open_]
            chosen = self._by_reference(part, open_, masks) if student is None else labeller.choose(open_, student)
            drawn = (random.random(masks.shape) * masks).argmax(axis=1)
            actions[open_] = np.where(random.random(len(open_)) < self.config.explore, drawn, chosen)
        return rows

    def _by_reference(self, part: LearnerBatch, open_: Whole, masks: Vectors) -> Whole:
        """The reference's actions in the learner's seat of these games."""
        batch, memory = part.tables.batch, np.zeros((len(open_), 1), np.int32)
        views, streams = batch.look(part.seat[open_], open_), batch.agent_streams()[open_]
        return self._how.own.act(batch.observation[open_], masks, memory, streams, views, batch.params)
