"""Trains and measures the learners of the study that have no result yet, one after the other."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from riverbed_lab.cli.console import use_threads
from riverbed_lab.files import code_version, writable_folder
from riverbed_lab.league.best_response import Measurer
from riverbed_lab.training.learner import packs_of
from riverbed_lab.training.run import POLICY, Progress, Training

from .results import Result, load_results
from .study import Study

Watcher = Callable[[str, int, Progress | None], None]  # called with role, seed and progress, None: it is being measured


class Runs:
    """The study's learners: resumable runs in a folder (ROLE/seed_N), results in another.

    Raises OptionError for results of another study.
    """

    def __init__(self, study: Study, runs: Path, results: Path) -> None:
        self.study, self.folder, self.results = study, runs, results
        self.code = code_version()  # before results change the working tree
        self.done = {(result.role, result.seed) for result in load_results(results, study)}
        self._measured = {role: Measurer(study.responses(role)) for role in study.roles}

    def todo(self, roles: Sequence[str], seeds: Sequence[int]) -> list[tuple[str, int]]:
        """Role and seed of those without a result, seed by seed, so that every role has one early."""
        return [(role, seed) for seed in seeds for role in roles if (role, seed) not in self.done]

    def place_of(self, role: str, seed: int) -> Path:
        """The folder of a learner's run."""
        return self.folder / role / f"seed_{seed}"

    def run(self, role: str, seed: int, watch: Watcher = lambda role, seed, progress: None) -> Path:
        """Train or resume a learner, to its end; returns its result's file."""
        writable_folder(self.results)
        training = Training(self.place_of(role, seed), self.study.learner(role, seed))
        training.run(lambda progress: watch(role, seed, progress))
        watch(role, seed, None)
        result = Result(
            role,
            seed,
            training.game.id,
            packs=packs_of(training.env),
            code=self.code,
            cores=use_threads(0),
            steps=training.steps,
            seconds=round(training.seconds, 1),
            processor_seconds=round(training.processor_seconds, 3),
            deals=self.study.games,
            settings=training.config.plain(),
            curve=training.curve,
            final=list(self._measured[role].rows(self.place_of(role, seed) / POLICY, role, seed)),
        )
        self.done.add((role, seed))
        return result.save(self.results)
