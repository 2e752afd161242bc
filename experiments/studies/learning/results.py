"""The result of each learner of the study: its curve, its gains at the end, and everything needed to repeat it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, of_kind
from riverbed_env.errors import OptionError
from riverbed_lab.cli.console import use_threads
from riverbed_lab.config_files import read_toml
from riverbed_lab.league.best_response import BestResponses, Exploitation, Row, build_responses
from riverbed_lab.training.checkpoint import load_checkpoint
from riverbed_lab.training.curve import Evaluated
from riverbed_lab.training.folder_run import CHANGEABLE, CHECKPOINT

FORMAT = 1
STUDY = "study.toml"


@dataclass(frozen=True)
class Result:
    """A trained learner.

    packs: hashes of the content packs; code: version of the library; cores: of the machine; seconds: of learning,
    without evaluations; processor_seconds: the same in processor time; settings: of its training; curve: a row for each
    evaluation; final: a row for each player count and mode, of those of `deals` deals that have the role. Gains are
    shares of games, over the lineup's agent in that seat.
    """

    __pydantic_config__ = NOTHING_ELSE

    role: str
    seed: Count
    environment: str
    packs: tuple[str, ...]
    code: str
    cores: Count
    steps: Count
    seconds: Finite
    processor_seconds: Finite
    deals: Count
    settings: dict[str, Any]
    curve: tuple[Evaluated, ...]
    final: tuple[Row, ...]


def load_study(folder: Path) -> BestResponses:
    """The learners that the folder's study specifies. Raises OptionError for a file that isn't valid."""
    path = folder / STUDY
    return build_responses(read_toml(path), str(path))


def learners(study: BestResponses, folder: Path) -> Iterator[tuple[str, int, Path]]:
    """Role, seed and result file of each learner."""
    for role in study.roles:
        for seed in study.all_seeds():
            yield role, seed, folder / f"{role}_seed_{seed}.json"


def collect(study: BestResponses, runs: Path, folder: Path) -> list[Path]:
    """Write the result of each learner that `riverbed exploit` has finished in the folder `runs`; returns the files.

    Raises OptionError if the runs aren't the study's.
    """
    exploitation = Exploitation(runs, study)
    written = []
    for role, seed, path in learners(study, folder):
        final = [row for row in exploitation.rows if (row["role"], row["seed"]) == (role, seed)]
        if not final:
            continue
        header, _ = load_checkpoint(exploitation.place_of(role, seed) / CHECKPOINT)
        result = {
            "format": FORMAT,
            "role": role,
            "seed": seed,
            "cores": use_threads(0),
            "deals": study.games,
            **{name: header[name] for name in ("environment", "packs", "code", "steps", "curve")},
            **{name: round(header[name], 3) for name in ("seconds", "processor_seconds")},
            "settings": header["config"],
            "final": final,
        }
        write_json(path, result)
        written.append(path)
    return written


def load_results(study: BestResponses, folder: Path) -> list[Result]:
    """The results in the folder, in the study's order. Raises OptionError for one of other settings."""
    return [_load(path, study, role, seed) for role, seed, path in learners(study, folder) if path.exists()]


def _load(path: Path, study: BestResponses, role: str, seed: int) -> Result:
    result = of_kind(Result, read_json(path, "result", FORMAT), str(path))
    now, then = study.learner(role, seed).plain(), result.settings
    # Settings that only one of them has came or went with a version of the library.
    changed = sorted(name for name in now.keys() & then.keys() - {*CHANGEABLE} if now[name] != then[name])
    if changed or result.deals != study.games:
        raise OptionError(f"{path} is of another study: {', '.join(changed) or 'deals'} differ; delete it")
    return result


def as_rows(final: tuple[Row, ...]) -> list[dict[str, Any]]:
    """The rows as `best_response.summed_up` takes them."""
    return [asdict(row) for row in final]
