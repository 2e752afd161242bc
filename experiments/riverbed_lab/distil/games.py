"""The games of a distillation: who plays them, and the labels of the learner's choices in them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Vectors
from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.kernels.networks import PackedNetwork
from riverbed_env.players.features import find_feature_sets
from riverbed_env.players.lineups import Lineups
from riverbed_env.playouts.labels import Labeller

from ..playing.choices import choices
from .config import STUDENT, DistilConfig
from .student import student_inputs

Whole = npt.NDArray[np.int64]


@dataclass(frozen=True)
class Block:
    """Labelled choices: the network's inputs, (n, numbers) int8, and worths, (n, actions, turns) float16 in points."""

    inputs: Vectors
    worths: npt.NDArray[np.float16]


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
        parts = [
            self._play(part, labeller, student, child)
            for part, labeller, child in zip(self.parts, self._labellers, sequence.spawn(len(self.parts)))
        ]
        inputs, worths = zip(*(pair for part in parts for pair in part))
        return Block(np.concatenate(inputs), np.concatenate(worths))

    def _play(
        self, part: LearnerBatch, labeller: Labeller, student: PackedNetwork | None, sequence: np.random.SeedSequence
    ) -> list[tuple[Vectors, npt.NDArray[np.float16]]]:
        """Play and label the games of one player count."""
        random = np.random.default_rng(sequence)
        seed = int(random.integers(2**60))
        part.reset(seed, first_game=0)
        own = student if self.config.own == STUDENT else None
        rows, labelled = [], 0
        for open_, actions in choices(part):
            worths = labeller.label(open_, own, seed, labelled)
            labelled += len(open_)
            rows.append((part.observation[open_][:, self._columns], worths.astype(np.float16)))
            actions[open_] = self._choose(part, labeller, student, open_, random)
        return rows

    def _choose(
        self,
        part: LearnerBatch,
        labeller: Labeller,
        student: PackedNetwork | None,
        open_: Whole,
        random: np.random.Generator,
    ) -> Whole:
        """The learner's actions in these games; a share of them at random."""
        masks = part.action_mask[open_]
        if student is None:
            batch = part.tables.batch
            views = batch.look(part.seat[open_], open_)
            memory, streams = np.zeros((len(open_), 1), np.int32), batch.agent_streams()[open_]
            chosen = self._how.own.act(batch.observation[open_], masks, memory, streams, views, batch.params)
        else:
            chosen = labeller.choose(open_, student)
        drawn = (random.random(masks.shape) * masks).argmax(axis=1)
        return np.where(random.random(len(open_)) < self.config.explore, drawn, chosen)
