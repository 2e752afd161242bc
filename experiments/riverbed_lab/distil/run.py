"""A distillation in a folder of its own: rounds of targets and fitting, evaluated after each, resumable bit for bit.

A round values the choices of the newest student in its own games, then fits it to the targets of the latest rounds
(Ross, Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online learning",
2011). In the first round the reference plays.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch

from riverbed_env.core.packs import pack_hashes
from riverbed_env.core.schema import Count
from riverbed_env.errors import OptionError
from riverbed_env.kernels.networks import PackedNetwork

from ..ppo import LAST_RATE
from ..training.folder_run import CHECKPOINT, NO_LIMIT, POLICY, FolderRun, Header, Progress, TimeBudget, Watcher
from ..training.process import check_device
from .config import DistilConfig
from .student import Student, StudentOptimizer, as_tensor
from .targets import Block, TargetGames, block_file, digest, origin_of, read_block, write_block

CHUNK = 128  # minibatches between checkpoints


@dataclass(frozen=True)
class RunHeader(Header):
    """The header of a checkpoint: rounds done, and minibatches fitted in the one under way."""

    rounds: Count
    fitted: Count
    student: str


class Distillation(FolderRun[DistilConfig]):
    """A run in a folder; see `FolderRun`. Targets are checked when they are read."""

    def __init__(self, folder: Path, config: DistilConfig | None) -> None:
        super().__init__(folder, config, DistilConfig)
        check_device(self.config.device)
        self.games = TargetGames(self.config, self.opponents)
        self._packs = pack_hashes(self.games.batch.tables.batch.packs)
        torch.manual_seed(self.config.seed)
        self.student = Student(self.config).to(self.config.device)
        self.optimizer = StudentOptimizer(self.student, self.config.learning_rate)
        self.rounds, self.fitted, self.steps = 0, 0, 0
        self._played = digest(self.student.arrays())  # the student that plays in this round
        if (folder / CHECKPOINT).exists():
            known, _ = self._restore(RunHeader, self._packs, self.student, self.optimizer.parts)
            self.rounds, self.fitted, self.steps, self._played = known.rounds, known.fitted, known.steps, known.student

    @property
    def is_finished(self) -> bool:
        """Whether all rounds are done."""
        return self.rounds >= self.config.rounds

    @property
    def where(self) -> str:
        """Its progress, as text."""
        return f"in round {self.rounds + 1}, after {self.steps:,} targets"

    def run(self, watch: Watcher = lambda progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Run to the end, or until `budget` is spent, which ends the run after a block or some minibatches."""
        with self._opened():
            if not self.curve:
                self._evaluate()
            while not self.is_finished:
                for progress in self._round():
                    watch(progress)
                    if budget.is_spent():
                        return

    def _evaluate(self) -> None:
        """Write the student's policy, add a row to the curve, and keep both."""
        self.student.save(self.folder / POLICY, self._packs, self.steps)
        self._measure(self.steps)
        self._keep()

    def _keep(self) -> None:
        position = {"rounds": self.rounds, "fitted": self.fitted, "student": self._played}
        self._save(self._packs, self.steps, self.student, self.optimizer.parts, {}, **position)

    def _round(self) -> Iterator[Progress]:
        """Value choices, fit and evaluate; yields where it can be left and resumed."""
        config, blocks = self.config, list[Block]()
        student = self.student.packed() if self.rounds and not self.fitted else None
        for number in range(max(0, self.rounds + 1 - config.window), self.rounds + 1):
            for place in range(config.blocks):
                blocks.append(self._block((number, place), student))
                if number == self.rounds:
                    yield self._progress("targets", place + 1, config.blocks)
        yield from self._fit(blocks)
        self.rounds, self.fitted = self.rounds + 1, 0
        self.steps += sum(len(block.inputs) for block in blocks[-config.blocks :])
        self._played = digest(self.student.arrays())
        self._evaluate()

    def _progress(self, what: str, done: int, total: int) -> Progress:
        return Progress(f"round {self.rounds + 1} of {self.config.rounds}: {what}", done, total)

    def _block(self, number: tuple[int, int], student: PackedNetwork | None) -> Block:
        """A block of targets from its file; one of this round is made if it is missing."""
        path, is_new = block_file(self.folder, number), number[0] == self.rounds
        origin = origin_of(self.config, self._packs, number, self._played)
        if is_new and not path.exists():
            if self.fitted:
                raise OptionError(f"targets {path} are missing: the student is being fitted to them")
            with self._timed():
                write_block(path, origin, self.games.estimate(number, student))
        if not is_new:
            del origin["student"]  # an earlier one played
        return read_block(path, origin, self.config)

    def _fit(self, blocks: list[Block]) -> Iterator[Progress]:
        """Fit the student to these blocks, from the minibatch on where a resumed run stands."""
        config, size = self.config, self.config.batch_size
        inputs = np.concatenate([block.inputs for block in blocks])
        targets = np.concatenate([block.targets.astype(np.float32).mean(axis=2) for block in blocks])
        each = -(-len(inputs) // size)
        total, order = config.epochs * each, None
        while self.fitted < total:
            with self._timed():
                for fitted in range(self.fitted, min(total, (self.fitted // CHUNK + 1) * CHUNK)):
                    epoch, place = divmod(fitted, each)
                    if order is None or place == 0:
                        order = np.random.default_rng([config.seed, self.rounds, epoch]).permutation(len(inputs))
                    chosen = np.sort(order[place * size : (place + 1) * size])
                    sent = (as_tensor(array[chosen]).to(config.device) for array in (inputs, targets))
                    done = (self.rounds + fitted / total) / config.rounds
                    self.optimizer.step(self.student.loss(*sent), max(1 - done, LAST_RATE))
                    self.fitted = fitted + 1
            if self.fitted < total:
                self._keep()
                yield self._progress("fitting", self.fitted, total)
