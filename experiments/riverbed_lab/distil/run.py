"""A distillation in a folder of its own: rounds of labels and fitting, evaluated after each, resumable bit for bit.

A round labels the choices of the newest student in its own games, then fits it to the labels of the latest rounds
(Ross, Gordon and Bagnell, "A reduction of imitation learning and structured prediction to no-regret online learning",
2011). In the first round the reference plays.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import torch

from riverbed_env.core.files import write_json
from riverbed_env.core.schema import Count, Finite
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import load_policy
from riverbed_env.players.specs import find_agent

from ..config_files import read_as
from ..files import code_version, writable_folder
from ..locks import locked
from ..ppo import LAST_RATE, packs_at
from ..training.budget import NO_LIMIT, TimeBudget
from ..training.checkpoint import (
    OF_NETWORK,
    Header,
    checked_header,
    load_checkpoint,
    network_arrays,
    put_network,
    save_checkpoint,
)
from ..training.curve import CURVE, LEARNER, Evaluated, Reached
from ..training.evaluation import SeatGain, compare, evaluations_for
from ..training.folder_run import CHECKPOINT, CONFIG, POLICY, FolderRun, OutOfTimeError, config_in, delete_files
from ..training.process import check_device
from .blocks import FOLDER, Origin, block_file, digest, read_block, write_block
from .config import DistilConfig, load_config
from .games import Block, LabelledGames
from .optimizer import StudentOptimizer
from .student import Student, as_tensor

CHUNK = 128  # minibatches between checkpoints


@dataclass(frozen=True)
class Progress:
    """Where a run is: its round, from 1; what it does, "labels" or "fitting"; how much of that is done, of how much."""

    round: int
    what: str
    done: int
    total: int


Watcher = Callable[[Progress], None]


@dataclass(frozen=True)
class RunHeader(Header):
    """The header of a checkpoint: rounds done, and minibatches fitted in the one under way."""

    config: dict[str, Any]
    rounds: Count
    fitted: Count
    student: str
    seconds: Finite
    processor_seconds: Finite
    curve: tuple[Evaluated | Reached, ...]


class Distillation(FolderRun[DistilConfig]):
    """A run in a folder. `config`: of a new run, or of the one there, which is resumed; None: resume the one there.

    Raises OptionError, and changes nothing, for a folder that holds another run, and for a checkpoint that can't be
    read or is of another game, version, pack or config. Labels are checked when they are read.
    """

    def __init__(self, folder: Path, config: DistilConfig | None) -> None:
        super().__init__(folder, config_for(folder, config))
        check_device(self.config.device)
        self.games = LabelledGames(self.config, self.opponents)
        self._packs = packs_at(self.games.parts)
        torch.manual_seed(self.config.seed)
        self.student = Student(self.config).to(self.config.device)
        self.optimizer = StudentOptimizer(self.student, self.config.learning_rate)
        self.rounds, self.fitted, self.steps = 0, 0, 0
        self._played = digest(self.student.arrays())  # the student that plays in this round
        if (folder / CHECKPOINT).exists():
            self._load(folder / CHECKPOINT)

    @property
    def is_finished(self) -> bool:
        """Whether all rounds are done."""
        return self.rounds >= self.config.rounds

    def run(self, watch: Watcher = lambda progress: None, budget: TimeBudget = NO_LIMIT) -> None:
        """Run to the end, or until `budget` is spent, which ends the run after a block or some minibatches."""
        with locked(self.folder):
            writable_folder(self.folder)
            self.config.save(self.folder / CONFIG)
            if not self.curve:
                self._evaluate()
                self.keep()
            try:
                while not self.is_finished:
                    self._round(watch, budget)
            except OutOfTimeError:
                return

    def keep(self) -> None:
        """Write the checkpoint and the curve."""
        header = {
            "environment": self.game.id,
            "packs": self._packs,
            "code": code_version(),
            "steps": self.steps,
            "updates": self.fitted,
            "config": self.config.plain(),
            "rounds": self.rounds,
            "fitted": self.fitted,
            "student": self._played,
            "seconds": self.seconds,
            "processor_seconds": self.processor_seconds,
            "curve": self.curve,
        }
        save_checkpoint(self.folder / CHECKPOINT, header, network_arrays(self.student, *self.optimizer.parts))
        write_json(self.folder / CURVE, {"curve": self.curve})

    def _round(self, watch: Watcher, budget: TimeBudget) -> None:
        """Label, fit and evaluate."""
        blocks = self._label(watch, budget)
        self._fit(blocks, watch, budget)
        self.rounds, self.fitted = self.rounds + 1, 0
        self.steps += sum(len(block.inputs) for block in blocks[-self.config.blocks :])
        self._played = digest(self.student.arrays())
        self._evaluate()
        self.keep()

    def _label(self, watch: Watcher, budget: TimeBudget) -> list[Block]:
        """The blocks to fit in this round, oldest first; those that are missing are made."""
        config, origin = self.config, Origin.of(self.config, self._packs)
        student = self.student.packed() if self.rounds and not self.fitted else None
        blocks = []
        for round_ in range(max(0, self.rounds + 1 - config.window), self.rounds + 1):
            for block in range(config.blocks):
                path = block_file(self.folder, (round_, block))
                is_new = round_ == self.rounds
                if is_new and not path.exists():
                    self._make_block(path, origin, (round_, block), student)
                played = self._played if is_new else None
                blocks.append(read_block(path, origin, (round_, block), played, config))
                if is_new:
                    watch(Progress(self.rounds + 1, "labels", block + 1, config.blocks))
                    self._stop_if_spent(budget)
        return blocks

    def _make_block(self, path: Path, origin: Origin, number: tuple[int, int], student: Any) -> None:
        if self.fitted:
            raise OptionError(f"labels {path} are missing: the student is being fitted to them")
        begun = self._clock()
        write_block(path, origin, number, self._played, self.games.label(number, student))
        self._count(begun)

    def _fit(self, blocks: list[Block], watch: Watcher, budget: TimeBudget) -> None:
        """Fit the student to these blocks, from the minibatch on where a resumed run stands."""
        config = self.config
        inputs = np.concatenate([block.inputs for block in blocks])
        worths = np.concatenate([block.worths.astype(np.float32).mean(axis=2) for block in blocks])
        each = -(-len(inputs) // config.batch_size)
        total = config.epochs * each
        order: npt.NDArray[np.int64] | None = None
        begun = self._clock()
        while self.fitted < total:
            epoch, place = divmod(self.fitted, each)
            if order is None or place == 0:
                order = np.random.default_rng([config.seed, self.rounds, epoch]).permutation(len(inputs))
            chosen = np.sort(order[place * config.batch_size : (place + 1) * config.batch_size])
            self._update(inputs[chosen], worths[chosen], (self.rounds + self.fitted / total) / config.rounds)
            self.fitted += 1
            if self.fitted % CHUNK == 0 and self.fitted < total:
                begun = self._count(begun)
                self.keep()
                watch(Progress(self.rounds + 1, "fitting", self.fitted, total))
                self._stop_if_spent(budget)
        self._count(begun)

    def _update(self, inputs: npt.NDArray[np.int8], worths: npt.NDArray[np.float32], done: float) -> None:
        """One step of the optimiser. done: the share of the run that is done."""
        sent = (as_tensor(array).to(self.config.device) for array in (inputs, worths))
        self.optimizer.step(self.student.loss(*sent), max(1 - done, LAST_RATE))

    def _load(self, path: Path) -> None:
        """Resume from a checkpoint."""
        header, arrays = load_checkpoint(path)
        with read_as(path, "checkpoint of this run"):
            origin = {"environment": self.game.id, "packs": self._packs}
            known = checked_header(RunHeader, path, header, origin, "this run")
            self._check_settings(path, known.config)
            strangers = [name for name in arrays if not name.startswith(OF_NETWORK)]
            if strangers:
                raise OptionError(f"{', '.join(sorted(strangers))}: more than it needs")
            put_network(path, arrays, self.student, *self.optimizer.parts)
        self.rounds, self.fitted, self.steps = known.rounds, known.fitted, known.steps
        self.seconds, self.processor_seconds = known.seconds, known.processor_seconds
        self._played, self.curve = known.student, header["curve"]

    def _evaluate(self) -> None:
        """Write the student's policy and add a row to the curve."""
        self.student.save(self.folder / POLICY, self._packs, self.steps)
        self._measure(self.steps)

    def _clock(self) -> tuple[float, float]:
        return time.perf_counter(), time.process_time()

    def _count(self, begun: tuple[float, float]) -> tuple[float, float]:
        """Add the wall-clock and processor seconds since `begun`; returns now."""
        now = self._clock()
        self.seconds += now[0] - begun[0]
        self.processor_seconds += now[1] - begun[1]
        return now

    def _stop_if_spent(self, budget: TimeBudget) -> None:
        if budget.is_spent():
            raise OutOfTimeError


def config_for(folder: Path, config: DistilConfig | None) -> DistilConfig:
    """The config given, or that of the run in the folder if it is None; threads may differ.

    Raises OptionError if the folder holds a run with other settings, or none to resume.
    """
    return config_in(folder, config, load_config, "distillation")


def delete_run(folder: Path) -> None:
    """Delete the files of a run from its folder."""
    delete_files(folder, FOLDER)


def gains_by_role(run: Distillation, games: int) -> dict[str, SeatGain]:
    """The finished student's gain over the reference in a seat of each role that is dealt, on `games` deals each."""
    config = run.config
    reference = find_agent(config.reference, run.game.name)
    learner = load_policy(run.folder / POLICY, run.game, name=LEARNER)
    gains = {}
    for role in run.game.roles if config.role is None else (config.role,):
        found = evaluations_for(replace(config, role=role), run.opponents, reference, games)
        dealt = [each for each in found if len(each.numbers)]
        if dealt:
            gains[role] = compare([(each.won(learner), each.won_by_reference) for each in dealt])
    return gains
