"""The state of a league, in one file that is replaced atomically.

Every file it names is written before it and never changes, so a kill at any moment leaves the last state with all its
files. The state holds a hash of each: files that were truncated, changed or replaced are refused.
"""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from pydantic import TypeAdapter

from riverbed_env.core.files import check_plain, read_json, write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import SUFFIX

from ..config_files import read_as
from .matchmaking import Member, Tally

FORMAT = 3
CHECKPOINTS, POLICIES = "checkpoints", "policies"  # folders of the files that a state names


@dataclass(frozen=True)
class LearnerProgress:
    """How far a learner is.

    stem: the name of its checkpoint and policy, "" before its first round; steps, rounds: decisions learnt from and
    rounds since it last started; restarts: how often it started again.
    """

    __pydantic_config__ = NOTHING_ELSE

    stem: str = ""
    steps: Count = 0
    rounds: Count = 0
    restarts: Count = 0


@dataclass(frozen=True)
class Finished:
    """A learner's finished part of the current round: its progress, win counts and PPO's figures."""

    __pydantic_config__ = NOTHING_ELSE

    progress: LearnerProgress
    tally: Tally
    figures: dict[str, float]


@dataclass
class State:
    """Everything a league needs to resume.

    round: rounds done; learners: each one's progress, by name; pool: past selves and exploiters; results: each
    learner's win counts; finished: parts of the current round; ratings: a row for each rating; files: the hash of each
    file named here.
    """

    __pydantic_config__ = NOTHING_ELSE

    round: Count = 0
    learners: dict[str, LearnerProgress] = field(default_factory=dict)
    pool: list[Member] = field(default_factory=list)
    results: dict[str, Tally] = field(default_factory=dict)
    finished: dict[str, Finished] = field(default_factory=dict)
    ratings: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def named(self) -> set[str]:
        """The files in use."""
        learners = [*self.learners.values(), *(each.progress for each in self.finished.values())]
        stems = {each.stem for each in learners} - {""}
        policies = {*stems, *(member.name for member in self.pool)}
        return {f"{CHECKPOINTS}/{stem}{SUFFIX}" for stem in stems} | {f"{POLICIES}/{stem}{SUFFIX}" for stem in policies}

    def save(self, folder: Path, name: str, origin: Mapping[str, Any]) -> None:
        """Write it, whole or not at all. origin: what identifies the league; it must be the same on loading."""
        self.files = {file: self.files.get(file) or digest(folder / file) for file in sorted(self.named())}
        content = TypeAdapter(State).dump_python(self)
        write_json(folder / name, {"format": FORMAT, **origin, "hash": _hash(content), "state": content})


def load_state(folder: Path, name: str, origin: Mapping[str, Any]) -> State:
    """The state in a folder; the hashes of all its files are checked.

    Raises OptionError for a state that can't be read, was changed, or is of another game, version or pack, and for
    files that are missing or were changed.
    """
    path = folder / name
    read = read_json(path, "state of a league", FORMAT)
    with read_as(path, "state of a league"):
        for key, value in origin.items():
            if read[key] != value:
                raise OptionError(f"{path} is of {key} {read[key]}, this league of {value}")
        if read["hash"] != _hash(read["state"]):
            raise OptionError(f"{path} was changed or is damaged: it doesn't fit its hash")
        state = of_kind(State, read["state"], str(path))
    for file, known in state.files.items():
        if digest(folder / file) != known:
            raise OptionError(
                f"{folder / file} was changed, truncated or replaced: it doesn't fit the league's hash of it"
            )
    return state


def hashes_of_policies(specs: Iterable[str]) -> dict[str, str]:
    """The hash of each policy file among the specs of agents. Raises OptionError for a file that can't be read."""
    paths = {spec.partition(":")[0] for spec in specs}
    return {path: digest(Path(path)) for path in sorted(paths) if path.endswith(SUFFIX)}


def digest(path: Path) -> str:
    """The hash of a file. Raises OptionError if it can't be read."""
    check_plain(path, str(path))
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _hash(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
