"""What the study trains and measures, as its file specifies it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, of_kind
from riverbed_env.errors import OptionError
from riverbed_lab.config_files import read_as
from riverbed_lab.league.best_response import BestResponses
from riverbed_lab.training.config import TrainingConfig

FORMAT = 1
STUDY = "study.json"
OWN = ("role", "seed", "reference")  # of a learner: no settings of the study
CHANGEABLE = ("threads",)  # may differ between a result and the study: results don't depend on it


@dataclass(frozen=True)
class Study:
    """Learners of these roles and seeds, each measured on `games` deals.

    training: the config of all, with lineup and budget; by_role: settings that some roles change.
    """

    __pydantic_config__ = NOTHING_ELSE

    training: TrainingConfig
    roles: tuple[str, ...]
    seeds: tuple[Count, ...]
    games: Count
    by_role: Mapping[str, Mapping[str, Any]] = field(default_factory=dict)

    def responses(self, role: str) -> BestResponses:
        """The learners of a role."""
        changed = of_kind(TrainingConfig, {**self.training.plain(), **self.by_role.get(role, {})}, f"by_role {role}")
        training = replace(changed, seed=self.seeds[0])
        return BestResponses(training, (role,), len(self.seeds), self.games)

    def learner(self, role: str, seed: int) -> TrainingConfig:
        """The config of one learner."""
        return self.responses(role).learner(role, seed)

    def check(self) -> None:
        """OptionError for settings that aren't allowed."""
        if not self.roles or len(set(self.roles)) < len(self.roles):
            raise OptionError(f"roles must be names of roles, each once, not {list(self.roles)}")
        for settings in self.by_role.values():
            _check_names(settings)
        if not self.seeds or self.seeds != tuple(range(self.seeds[0], self.seeds[0] + len(self.seeds))):
            raise OptionError(f"seeds must be whole numbers in a row, not {list(self.seeds)}")
        strangers = sorted(set(self.by_role) - set(self.roles))
        if strangers:
            raise OptionError(f"by_role changes settings of {', '.join(strangers)}, not among the study's roles")
        for role in self.roles:
            self.responses(role)


def load_study(path: Path) -> Study:
    """The study of a file. Raises OptionError if it can't be read or isn't valid."""
    what = "study of learning"
    read = read_json(path, what, FORMAT)
    with read_as(path, what):
        names = {each.name for each in fields(Study)}
        if set(read) != names:
            raise OptionError(f"it must hold format, {', '.join(sorted(names))}, not {', '.join(sorted(read))}")
        _check_names(read["training"])
        study = of_kind(Study, read, what)
        study.check()
        return study


def _check_names(settings: Iterable[str]) -> None:
    """OptionError for settings that `TrainingConfig` doesn't have, and for those of a single learner."""
    known = {each.name for each in fields(TrainingConfig)} - set(OWN)
    if not set(settings) <= known:
        raise OptionError(f"training has no setting {', '.join(sorted(set(settings) - known))}")


def differences(settings: Mapping[str, Any], config: TrainingConfig) -> list[str]:
    """The names of settings, as `TrainingConfig.plain` gave them earlier, that differ in the study now.

    Settings that only one of them has came or went with a version of the library, and don't count.
    """
    now = config.plain()
    return sorted(name for name in set(now) & set(settings) - set(CHANGEABLE) if now[name] != settings[name])
