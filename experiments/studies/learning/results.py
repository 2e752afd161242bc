"""The result of each learner: its curve, its gains at the end, and everything needed to repeat it."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, of_kind
from riverbed_env.errors import OptionError
from riverbed_lab.config_files import read_as
from riverbed_lab.league.best_response import MODES, Row
from riverbed_lab.training.comparison import Evaluated

from .study import Study, differences

FORMAT = 1


@dataclass(frozen=True)
class Result:
    """A trained learner.

    packs: hashes of the content packs; code: version of the library; cores: of the machine; seconds: of learning,
    without evaluations; processor_seconds: the same in processor time; settings: of its training; curve: a row for each
    evaluation; final: a row for each player count and mode, as best responses have them, of those of `deals` deals
    that have the role. Gains are shares of games, over the reference.
    """

    __pydantic_config__ = NOTHING_ELSE

    role: str
    seed: Count
    environment: str
    packs: list[str]
    code: str
    cores: Count
    steps: Count
    seconds: Finite
    processor_seconds: Finite
    deals: Count
    settings: dict[str, Any]
    curve: list[dict[str, Any]]
    final: list[dict[str, Any]]

    def save(self, folder: Path) -> Path:
        """Write it to the folder, whole or not at all; returns the file."""
        path = folder / file_name(self.role, self.seed)
        write_json(path, {"format": FORMAT, **asdict(self)})
        return path


def file_name(role: str, seed: int) -> str:
    """The name of a learner's file."""
    return f"{role}_seed_{seed}.json"


def load_results(folder: Path, study: Study) -> list[Result]:
    """The results that are there, in the study's order; OptionError for one that isn't the study's."""
    places = [(role, seed) for role in study.roles for seed in study.seeds]
    strangers = {path.name for path in folder.glob("*_seed_*.json")} - {file_name(*place) for place in places}
    if strangers:
        raise OptionError(f"{folder} holds results that aren't the study's: {', '.join(sorted(strangers))}")
    paths = [folder / file_name(*place) for place in places]
    return [_load(path, study, *place) for path, place in zip(paths, places, strict=True) if path.exists()]


def _load(path: Path, study: Study, role: str, seed: int) -> Result:
    try:
        read = read_json(path, "result", FORMAT)
        with read_as(path, "result of a learner"):
            result = of_kind(Result, read, "it")
            _check(result, study, role, seed)
        return result
    except OptionError as error:
        raise OptionError(f"{path} can't be used: {error}; delete it to train that learner again") from error


def _check(result: Result, study: Study, role: str, seed: int) -> None:
    """OptionError for a result of another learner, environment or settings."""
    config = study.learner(role, seed)
    if (result.role, result.seed) != (role, seed):
        raise OptionError(f"it is of {result.role}, seed {result.seed}")
    if result.environment != config.known_game().id:
        raise OptionError(f"it is of {result.environment}, the study of {config.known_game().id}")
    changed = differences(result.settings, config)
    if changed:
        raise OptionError(f"the study has changed since: {', '.join(changed)}")
    found = of_kind(_Rows, {"curve": result.curve, "final": result.final}, "it")
    wanted = [(role, seed, count, mode) for count in config.counts() for mode in MODES]
    if [(row.role, row.seed, row.players, row.mode) for row in found.final] != wanted:
        raise OptionError("its final rows aren't those of the study")
    sound = all(row.is_sound for row in found.curve) and all(row.is_sound for row in found.final)
    if not found.curve or not sound:
        raise OptionError("its curve and final rows must hold rates from 0 to 1")
    if result.deals != study.games:
        raise OptionError(f"it was measured on {result.deals:,} deals, the study says {study.games:,}")


@dataclass(frozen=True)
class _Rows:
    """The rows of a result, with their kinds."""

    curve: tuple[Evaluated, ...]
    final: tuple[Row, ...]
