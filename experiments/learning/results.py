"""What is kept of each learner: its curve and what it gains at its end, with all that is needed to repeat it."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from riverbed_env.core.errors import OptionError
from riverbed_env.core.files import write_json

from ..league.best_response import MODES
from .study import Study, differences

FORMAT = 1
CURVE = ("steps", "seconds", "games", "gain", "gain_low", "gain_high")
ROW = ("role", "seed", "players", "mode", "games", "won", "own", "own_low", "own_high", "gain", "gain_low", "gain_high")


@dataclass(frozen=True)
class Result:
    """A learner at its end.

    packs: hashes of the content that was played with; code: version of the library; cores: of the machine; seconds:
    spent learning, evaluations not counted; processor_seconds: the same by the processors' clock, which doesn't count
    what else the machine was doing; settings: of its training; curve: a row for each evaluation; final: a row for each
    player count and mode, as best responses have them, of the games of so many deals that have the role. Gains are
    shares of games, over the reference.
    """

    role: str
    seed: int
    environment: str
    packs: list[str]
    code: str
    cores: int
    steps: int
    seconds: float
    processor_seconds: float
    deals: int
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
        read = json.loads(path.read_text(encoding="utf-8"))
        if read.pop("format") != FORMAT:
            raise OptionError(f"it is of a format that this version doesn't read; it reads format {FORMAT}")
        result = Result(**read)
        _check(result, study, role, seed)
        return result
    except (OSError, ValueError, KeyError, TypeError, AttributeError, OptionError) as error:
        words = error if isinstance(error, OptionError) else getattr(error, "strerror", None) or repr(error)
        raise OptionError(f"{path} can't be used: {words}; delete it to train that learner anew") from error


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
    if [(row["players"], row["mode"]) for row in result.final] != [
        (n, mode) for n in config.counts() for mode in MODES
    ]:
        raise OptionError("its final rows aren't those of the study")
    for row in result.final:
        _check_row(row, ROW)
    for row in result.curve:
        _check_row(row, CURVE)
    if result.deals != study.games:
        raise OptionError(f"it was measured on {result.deals:,} deals, the study says {study.games:,}")


def _check_row(row: Mapping[str, Any], names: tuple[str, ...]) -> None:
    missing = [name for name in names if name not in row]
    if missing:
        raise OptionError(f"a row has no {', '.join(missing)}")
