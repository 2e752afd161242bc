"""The state of a league, in one file that is replaced atomically.

Every file it names is written before it and never changes, so a kill at any moment leaves the last state with all its
files. The state holds a hash of each: files that were truncated, changed or replaced are refused.
"""

from __future__ import annotations

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
from .pool import KINDS, Member
from .win_counts import TallyRows, WinCountRows, WinCounts

FORMAT = 2
CHECKPOINTS, POLICIES = "checkpoints", "policies"
FOLDERS = ((CHECKPOINTS,), (POLICIES,))  # of the files that a state names


@dataclass(frozen=True)
class LearnerProgress:
    """How far a learner is: its files in the folder ("" before its first round), and its decisions and rounds so far.

    steps: decisions learnt from since it last started; rounds: likewise; restarts: how often it started again.
    """

    __pydantic_config__ = NOTHING_ELSE

    checkpoint: str = ""
    policy: str = ""
    steps: Count = 0
    rounds: Count = 0
    restarts: Count = 0


@dataclass(frozen=True)
class Finished:
    """A learner's finished part of the current round: its progress, win counts and PPO's figures."""

    __pydantic_config__ = NOTHING_ELSE

    progress: LearnerProgress
    tally: TallyRows
    figures: dict[str, float]


@dataclass
class State:
    """Everything a league needs to resume.

    round: rounds done; learners: each one's progress, by name; pool: past selves and exploiters; results: win counts;
    finished: parts of the current round; ratings: a row for each rating; files: the hash of each file named here.
    """

    __pydantic_config__ = NOTHING_ELSE

    round: Count = 0
    learners: dict[str, LearnerProgress] = field(default_factory=dict)
    pool: list[Member] = field(default_factory=list)
    results: WinCountRows = field(default_factory=WinCounts)
    finished: dict[str, Finished] = field(default_factory=dict)
    ratings: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def named(self) -> set[str]:
        """The files in use."""
        learners = [*self.learners.values(), *(each.progress for each in self.finished.values())]
        files = {file for each in learners for file in (each.checkpoint, each.policy)}
        return {*files, *(member.file for member in self.pool)} - {""}

    def save(self, folder: Path, name: str, origin: Mapping[str, Any]) -> None:
        """Write it, whole or not at all. origin: what identifies the league; it must be the same on loading."""
        self.files = {file: self.files.get(file) or _digest(folder / file) for file in sorted(self.named())}
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
        if set(read) != {*origin, "code", "hash", "state"} or not isinstance(read["code"], str):
            raise OptionError(f"it must hold format, {', '.join(origin)}, code, hash and state")
        if read["hash"] != _hash(read["state"]):
            raise OptionError(f"{path} was changed or is damaged: it doesn't fit its hash")
        state = of_kind(State, read["state"], str(path))
        _check_parts(state)
    for file, digest in state.files.items():
        check_file(folder / file, digest)
    return state


def check_file(path: Path, digest: str) -> None:
    """OptionError unless the file exists and is as it was written."""
    if _digest(path) != digest:
        raise OptionError(f"{path} was changed, truncated or replaced: it doesn't fit the league's hash of it")


def hashes_of_policies(specs: Iterable[str]) -> dict[str, str]:
    """The hash of each policy file among the specs of agents. Raises OptionError for a file that can't be read."""
    paths = sorted({spec.partition(":")[0] for spec in specs if spec.partition(":")[0].endswith(SUFFIX)})
    return {path: _digest(Path(path)) for path in paths}


def _check_parts(state: State) -> None:
    """Raises ValueError if the parts of a state don't fit each other."""
    if state.named() != state.files.keys() or any(Path(file).parts[:-1] not in FOLDERS for file in state.files):
        raise ValueError(f"the files it names aren't those it has hashes of: {', '.join(sorted(state.files))}")
    if not all(member.kind in KINDS for member in state.pool):
        raise ValueError("its pool holds a member of an unknown kind")
    if not all(type(row.get("round")) is int for row in state.ratings):
        raise ValueError("a row of its ratings has no round")


def _digest(path: Path) -> str:
    check_plain(path, str(path))
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise OptionError(f"{path} can't be read: {error.strerror}") from error


def _hash(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
