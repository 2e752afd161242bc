"""What the study trains and measures, as its file says it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from riverbed_env.core.errors import OptionError

from ..league.best_response import BestResponses
from ..settings import with_tuples
from ..training.config import TrainingConfig

FORMAT = 1
STUDY = "study.json"
NAMES = ("roles", "seeds", "games", "training", "by_role")
OWN = ("role", "seed", "reference")  # of a learner: no settings of the study
ANYWHERE = ("threads",)  # what may differ between a result and the study: results don't hang on it


@dataclass(frozen=True)
class Study:
    """Learners of these roles and seeds, each measured on so many deals.

    training: what all are trained with, their line-up and budget among it; by_role: what some roles change of it.
    """

    training: TrainingConfig
    roles: tuple[str, ...]
    seeds: tuple[int, ...]
    games: int
    by_role: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def responses(self, role: str) -> BestResponses:
        """What is trained and measured of a role."""
        training = replace(self.training, **self.by_role.get(role, {}), seed=self.seeds[0])
        return BestResponses(training, (role,), len(self.seeds), self.games)

    def learner(self, role: str, seed: int) -> TrainingConfig:
        """The settings of one learner."""
        return self.responses(role).learner(role, seed)

    def check(self) -> None:
        """OptionError for settings that can't be, before any work is done."""
        if not self.roles or len(set(self.roles)) < len(self.roles):
            raise OptionError(f"roles must be names of roles, each once, not {list(self.roles)}")
        if self.seeds != tuple(range(self.seeds[0], self.seeds[0] + len(self.seeds))):
            raise OptionError(f"seeds must be whole numbers in a row, not {list(self.seeds)}")
        strangers = sorted(set(self.by_role) - set(self.roles))
        if strangers:
            raise OptionError(f"by_role changes settings of {', '.join(strangers)}, not among the study's roles")
        for role in self.roles:
            self.responses(role).checked()


def load_study(path: Path) -> Study:
    """The study of a file; OptionError where it can't be read or makes no sense."""
    try:
        read = json.loads(path.read_text(encoding="utf-8"))
        if read.pop("format") != FORMAT:
            raise OptionError(f"it is of a format that this version doesn't read; it reads format {FORMAT}")
        if set(read) != set(NAMES):
            raise OptionError(f"it must hold format, {', '.join(NAMES)}, not {', '.join(sorted(read))}")
        study = Study(
            TrainingConfig(**_settings(read["training"])),
            tuple(read["roles"]),
            tuple(map(int, read["seeds"])),
            int(read["games"]),
            {role: _settings(changed) for role, changed in read["by_role"].items()},
        )
        study.check()
        return study
    except (OSError, ValueError, KeyError, TypeError, AttributeError, IndexError, OptionError) as error:
        words = error if isinstance(error, OptionError) else getattr(error, "strerror", None) or repr(error)
        raise OptionError(f"{path} holds no study of learning: {words}") from error


def _settings(read: Mapping[str, Any]) -> dict[str, Any]:
    """Settings of training from JSON; OptionError for others than `TrainingConfig` has, and for a learner's own."""
    known = {each.name for each in fields(TrainingConfig)} - set(OWN)
    if not set(read) <= known:
        raise OptionError(f"training has no setting {', '.join(sorted(set(read) - known))}")
    return with_tuples(read)


def differences(settings: Mapping[str, Any], config: TrainingConfig) -> list[str]:
    """The settings, as `TrainingConfig.plain` gave them once, that the study has otherwise now.

    What only one of them knows came or went with a version of the library, and isn't counted.
    """
    now = config.plain()
    return sorted(name for name in set(now) & set(settings) - set(ANYWHERE) if now[name] != settings[name])
