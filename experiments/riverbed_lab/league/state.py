"""Where a league is, in one file that is replaced at once; whatever it names is written before it and never changed.

So a kill at any moment leaves the last state with all its files. Beside each file stands its hash, by which one that
was truncated, changed or taken from elsewhere is told before anything is done with it.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

from riverbed_env.core.files import check_plain, read_json, write_json
from riverbed_env.core.schema import NOTHING_ELSE, Count, Finite, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.policies import SUFFIX

from ..config_files import read_as
from .pool import KINDS, Member
from .results import Results, Row, Tally

FORMAT = 1
CHECKPOINTS, POLICIES = "checkpoints", "policies"
FOLDERS = ((CHECKPOINTS,), (POLICIES,))  # of all files that a state names


@dataclass(frozen=True)
class Standing:
    """Where a learner is: its files in the folder ("" before its first round), and what it did so far.

    steps: decisions learnt from since it last began; rounds: the same in rounds; begun: how many times it began anew.
    """

    __pydantic_config__ = NOTHING_ELSE

    checkpoint: str = ""
    policy: str = ""
    steps: Count = 0
    rounds: Count = 0
    begun: Count = 0


@dataclass(frozen=True)
class Finished:
    """A learner's part of the round under way that is done: where it stands then, its games, PPO's figures."""

    standing: Standing
    tally: Tally
    figures: dict[str, float]


@dataclass(frozen=True)
class _Finished:
    """The same as its file has it."""

    __pydantic_config__ = NOTHING_ELSE

    standing: Standing
    tally: tuple[tuple[str, str, Finite, Finite], ...]  # role, lineup, wins, games
    figures: dict[str, float]


@dataclass(frozen=True)
class _Kept:
    """A state as its file has it."""

    __pydantic_config__ = NOTHING_ELSE

    round: Count
    learners: dict[str, Standing]
    pool: list[Member]
    results: list[Row]
    finished: dict[str, _Finished]
    ratings: list[dict[str, Any]]
    files: dict[str, str]


@dataclass
class State:
    """All that a league needs to go on.

    round: how many are done; learners: where each stands, by name; pool: past selves and exploiters; results; finished:
    of the round under way; ratings: a row for each time; files: the hash of each file that is named.
    """

    round: int = 0
    learners: dict[str, Standing] = field(default_factory=dict)
    pool: list[Member] = field(default_factory=list)
    results: Results = field(default_factory=Results)
    finished: dict[str, Finished] = field(default_factory=dict)
    ratings: list[dict[str, Any]] = field(default_factory=list)
    files: dict[str, str] = field(default_factory=dict)

    def named(self) -> set[str]:
        """The files that are in use."""
        standing = [*self.learners.values(), *(each.standing for each in self.finished.values())]
        files = {file for each in standing for file in (each.checkpoint, each.policy)}
        return {*files, *(member.file for member in self.pool)} - {""}

    def save(self, folder: Path, name: str, origin: Mapping[str, Any]) -> None:
        """Write it, whole or not at all. origin: what it is of, and has to be of to be read again."""
        self.files = {file: self.files.get(file) or _digest(folder / file) for file in sorted(self.named())}
        finished = {
            learner: {
                "standing": asdict(each.standing),
                "tally": [[*key, *count] for key, count in each.tally.items()],
                "figures": each.figures,
            }
            for learner, each in self.finished.items()
        }
        content = {
            "round": self.round,
            "learners": {learner: asdict(standing) for learner, standing in self.learners.items()},
            "pool": [member.plain() for member in self.pool],
            "results": list(self.results.rows()),
            "finished": finished,
            "ratings": self.ratings,
            "files": self.files,
        }
        write_json(folder / name, {"format": FORMAT, **origin, "hash": _hash(content), "state": content})


def load_state(folder: Path, name: str, origin: Mapping[str, Any]) -> State:
    """The state in a folder, with all its files looked at.

    Raises OptionError for a state that can't be read, is of another game, version or pack, or was changed, and for
    files that are missing or were changed.
    """
    path = folder / name
    read = read_json(path, "state of a league", FORMAT)
    with read_as(path, "state of a league"):
        for what, value in origin.items():
            if read[what] != value:
                raise OptionError(f"{path} is of {what} {read[what]}, this league of {value}")
        if set(read) != {*origin, "code", "hash", "state"} or not isinstance(read["code"], str):
            raise OptionError(f"it must hold format, {', '.join(origin)}, code, hash and state")
        if read["hash"] != _hash(read["state"]):
            raise OptionError(f"{path} was changed or is damaged: it doesn't fit its hash")
        state = _read(of_kind(_Kept, read["state"], str(path)))
    for file, digest in state.files.items():
        check_file(folder / file, digest)
    return state


def check_file(path: Path, digest: str) -> None:
    """OptionError unless a file is there and is the one that was written."""
    if _digest(path) != digest:
        raise OptionError(
            f"{path} was changed, truncated or taken from elsewhere: it doesn't fit the league's hash of it"
        )


def hashes_of_policies(specs: Iterable[str]) -> dict[str, str]:
    """The hash of each saved policy among agents' specs: another file of that name would be another agent.

    Raises OptionError for a file that can't be read.
    """
    paths = sorted({spec.partition(":")[0] for spec in specs if spec.partition(":")[0].endswith(SUFFIX)})
    return {path: _digest(Path(path)) for path in paths}


def _read(kept: _Kept) -> State:
    """The state; ValueError where its parts don't fit each other."""
    finished = {
        name: Finished(
            each.standing, {(role, lineup): (wins, games) for role, lineup, wins, games in each.tally}, each.figures
        )
        for name, each in kept.finished.items()
    }
    state = State(kept.round, kept.learners, kept.pool, Results.of(kept.results), finished, kept.ratings, kept.files)
    if state.named() != state.files.keys() or any(Path(file).parts[:-1] not in FOLDERS for file in state.files):
        raise ValueError(f"it names other files than it has hashes of: {', '.join(sorted(state.files))}")
    if not all(member.kind in KINDS for member in state.pool):
        raise ValueError("its pool holds members of no kind")
    if not all(type(row.get("round")) is int for row in state.ratings):
        raise ValueError("a row of its ratings is of no round")
    return state


def _digest(path: Path) -> str:
    check_plain(path, str(path))
    try:
        with path.open("rb") as file:
            return hashlib.file_digest(file, "sha256").hexdigest()
    except OSError as error:
        raise OptionError(f"{path} can't be read: {error.strerror}") from error


def _hash(content: Mapping[str, Any]) -> str:
    return hashlib.sha256(json.dumps(content, sort_keys=True).encode()).hexdigest()
