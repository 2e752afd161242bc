"""Scores of role inference in an evaluation's folder: one file per player count, so that nothing is played twice."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any

from riverbed_env import deduction
from riverbed_env.core.files import read_json, write_json
from riverbed_env.core.game import Game
from riverbed_env.core.schema import NOTHING_ELSE, of_kind
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent

from ..files import digest, writable_folder
from . import inference, role_inference
from .folder import Folder
from .results import InferenceRow
from .role_inference import WITH_DEDUCTION, infer_roles

FOLDER = "inference"
DEDUCTION = Path(deduction.__file__).parent
UNKNOWN = {"value": math.nan, "low": -math.inf, "high": math.inf}  # what null stands for in a mean
SCORING = tuple(Path(str(module.__file__)) for module in (inference, role_inference))


@dataclass(frozen=True)
class _Kept:
    """A file of scores."""

    __pydantic_config__ = NOTHING_ELSE

    games: int
    sources: str
    rows: list[dict[str, Any]]


class InferenceFiles:
    """The role inference of a folder: the scores it holds and the games still to be played.

    There is none in games without deduction, and none over several variants.
    """

    def __init__(self, game: Game, folder: Folder) -> None:
        self.game = game
        self.folder = folder
        self.plan = folder.identity.plan
        wanted = game.name in WITH_DEDUCTION and self.plan.inference_games and self.plan.variants == ({},)
        self.players = self.plan.players if wanted else ()

    def left(self) -> list[int]:
        """The player counts that aren't played yet."""
        return [count for count in self.players if self._kept(count) is None]

    def play(self, agents: Sequence[Agent], progress: Callable[[int, str, int], None]) -> None:
        """Play what is left and write it; `progress` gets player count, agent, and the games since its last call."""
        for count in self.left():
            rows = infer_roles(self.game, self.plan, agents, count, partial(progress, count))
            writable_folder(self._path(count).parent)
            write_json(self._path(count), {**self._key(), "rows": [to_plain(row) for row in rows]})

    def rows(self) -> tuple[InferenceRow, ...]:
        """All scores written so far, by player count."""
        return tuple(row for count in self.players for row in self._kept(count) or [])

    def _path(self, count: int) -> Path:
        return self.folder.path / FOLDER / f"{count}.json"

    def _key(self) -> dict[str, Any]:
        """What the scores depend on beside the folder's identity: the games, the sources of deduction and scoring."""
        return {"games": self.plan.inference_games, "sources": digest([*SCORING, *sorted(DEDUCTION.rglob("*.py"))])}

    def _kept(self, count: int) -> list[InferenceRow] | None:
        """The scores of a player count; None if there are none, or of other games or sources."""
        path = self._path(count)
        try:
            kept = of_kind(_Kept, read_json(path, "scores"), str(path))
            rows = [from_plain(row) for row in kept.rows]
        except OptionError:
            return None  # no file, or an older format: play it again
        fits = (kept.games, kept.sources) == tuple(self._key().values())
        return rows if fits and all(row.num_players == count for row in rows) else None


def to_plain(row: Any) -> dict[str, Any]:
    """A dataclass as JSON takes it: infinite ends of intervals become null."""
    plain: dict[str, Any] = _finite(asdict(row))
    return plain


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def from_plain(plain: dict[str, Any]) -> InferenceRow:
    """The row that `to_plain` wrote; raises OptionError for anything else."""
    return of_kind(InferenceRow, _restored(plain), "a row of scores")


def _restored(value: Any) -> Any:
    """Put back the infinite ends and missing means that are null in JSON."""
    if isinstance(value, list):
        return [_restored(each) for each in value]
    if not isinstance(value, dict):
        return value
    if value.keys() == UNKNOWN.keys() | {"count", "blocks"}:
        return {name: UNKNOWN.get(name) if each is None else each for name, each in value.items()}
    return {name: _restored(each) for name, each in value.items()}
