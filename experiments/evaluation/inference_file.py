"""Scores of role inference in an evaluation's folder: a file a player count, so that nothing is played twice."""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from riverbed_env.core.agents import Agent
from riverbed_env.core.files import write_json
from riverbed_env.core.game import Game

from ..files import digest, writable_folder
from ..statistics import Mean, Rate
from . import inference, role_inference, role_services
from .folder import Folder
from .inference import Bin, Compared, Inference, Readability, Scores
from .results import InferenceRow
from .role_inference import infer_roles
from .role_services import RoleService, role_service

FOLDER = "inference"
SCORING = tuple(Path(str(module.__file__)) for module in (inference, role_inference, role_services))


class InferenceFiles:
    """What a folder holds of the scores of role inference, and what is still to be played."""

    def __init__(self, game: Game, folder: Folder) -> None:
        self.game = game
        self.folder = folder
        self.plan = folder.identity.plan
        self.service: RoleService | None = role_service(game) if self.plan.inference_games else None

    def left(self) -> list[int]:
        """The player counts that aren't played yet."""
        return [] if self.service is None else [count for count in self.plan.players if self._kept(count) is None]

    def play(self, agents: Sequence[Agent], progress: Callable[[int, str, int], None]) -> None:
        """Play what is left and write it down; `progress` is told player count, agent, and how many more games."""
        for count in self.left():
            if self.service is not None:
                rows = infer_roles(
                    *(self.game, self.service, self.plan, agents, count),
                    lambda agent, games, count=count: progress(count, agent, games),  # type: ignore[misc]
                )
                writable_folder(self._path(count).parent)
                write_json(self._path(count), {**self._key(), "rows": [to_plain(row) for row in rows]})

    def rows(self) -> tuple[InferenceRow, ...]:
        """All scores that are written down, player count by player count; none for games without deduction."""
        kept = [] if self.service is None else [self._kept(count) or [] for count in self.plan.players]
        return tuple(row for rows in kept for row in rows)

    def _path(self, count: int) -> Path:
        return self.folder.path / FOLDER / f"{count}.json"

    def _key(self) -> dict[str, Any]:
        """What the scores hold for, beside the folder's identity: how many games, and what concludes and scores."""
        folders = () if self.service is None else self.service.sources
        sources = [*SCORING, *(path for each in folders for path in sorted(each.rglob("*.py")))]
        return {"games": self.plan.inference_games, "sources": digest(sources)}

    def _kept(self, count: int) -> list[InferenceRow] | None:
        """What is written down of a player count; None where nothing is, or other games or other sources' scores."""
        try:
            kept = json.loads(self._path(count).read_text(encoding="utf-8"))
            if {name: kept[name] for name in ("games", "sources")} == self._key():
                return [from_plain(row) for row in kept["rows"]]
        except (OSError, ValueError, KeyError, TypeError):
            pass  # there is none, or it is of an older form: it is played anew
        return None


def to_plain(row: InferenceRow) -> dict[str, Any]:
    """A row as JSON takes it: an end of an interval that is infinite is null."""
    plain: dict[str, Any] = _finite(asdict(row))
    return plain


def _finite(value: Any) -> Any:
    if isinstance(value, dict):
        return {str(name): _finite(each) for name, each in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(each) for each in value]
    return None if isinstance(value, float) and not math.isfinite(value) else value


def from_plain(plain: dict[str, Any]) -> InferenceRow:
    """The row that `to_plain` wrote."""
    scores = plain["scores"]
    return InferenceRow(**{
        **plain,
        "scores": Inference(
            _compared(scores["overall"]),
            {int(group): _compared(found) for group, found in scores["by_group"].items()},
            {role: Readability(*_both(found, _mean)) for role, found in scores["by_role"].items()},
        ),
    })  # fmt: skip


def _compared(plain: dict[str, Any]) -> Compared:
    return Compared(*_both(plain, _scores))


def _both(plain: dict[str, Any], make: Callable[[dict[str, Any]], Any]) -> Iterator[Any]:
    """The observer's own, and the reference's or None."""
    return (None if plain[name] is None else make(plain[name]) for name in ("own", "reference"))


def _scores(plain: dict[str, Any]) -> Scores:
    bins = tuple(Bin(each["predicted"], Rate(**each["observed"])) for each in plain["bins"])
    return Scores(_mean(plain["log_loss"]), _mean(plain["brier"]), bins)


def _mean(plain: dict[str, Any]) -> Mean:
    unknown: dict[str, Any] = {"value": math.nan, "low": -math.inf, "high": math.inf}
    return Mean(**{name: unknown[name] if value is None else value for name, value in plain.items()})
