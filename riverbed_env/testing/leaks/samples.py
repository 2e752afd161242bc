"""Samples for the statistical attack: observations as numbers, hidden facts and their exact posterior."""

from __future__ import annotations

import zlib
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cached_property
from typing import Any, NamedTuple, TypeAlias

import gymnasium.spaces
import numpy as np
import numpy.typing as npt

from .channels import Agent, Channels, Env, Sights, Whose, aec_channels, as_aec, whose
from .compare import attributes
from .following import Policy, any_legal
from .worlds import random_moments

Floats: TypeAlias = npt.NDArray[np.float64]
Blocks: TypeAlias = dict[str, npt.NDArray[np.float32]]

_BUCKETS = 32  # of the words of a text


class Secret(NamedTuple):
    """A hidden fact at one moment.

    value: which of k cases is true, from 0. posterior: (k,) their exact probabilities given all that an agent may know.
    """

    value: int
    posterior: npt.ArrayLike


@dataclass(frozen=True)
class Samples:
    """n moments of games as an agent saw them.

    features: (n, d) float32, what reached it. fact: (n,) int64, the hidden fact. posterior: (n, k) float64, its exact
    probabilities. game: (n,) int64, the game's number: games are independent, moments of one aren't. names: (d,) the
    features' names.

    Raises ValueError if shapes don't fit, if probabilities don't sum to 1, or if a true case has probability 0.
    """

    features: npt.NDArray[np.float32]
    fact: npt.NDArray[np.int64]
    posterior: Floats
    game: npt.NDArray[np.int64]
    names: Sequence[str]

    def __post_init__(self) -> None:
        count = len(self.fact)
        if self.features.shape != (count, len(self.names)) or self.game.shape != (count,):
            raise ValueError(f"{count} facts need features of shape ({count}, {len(self.names)}) and as many games")
        if self.posterior.ndim != 2 or len(self.posterior) != count:
            raise ValueError(f"{count} facts need posteriors of shape ({count}, k), not {self.posterior.shape}")
        if not np.allclose(self.posterior.sum(axis=1), 1.0) or (self.posterior < 0).any():
            raise ValueError("the posterior's probabilities must add up to 1")
        if count and (self.posterior[np.arange(count), self.fact] <= 0).any():
            raise ValueError("the posterior rules out the truth, so it can't be exact")

    @cached_property
    def telling(self) -> npt.NDArray[np.int64]:
        """The features that vary, in descending order of their correlation with the posterior's residuals.

        By z, a feature's sum of products with the residuals of a case over its standard error. That is the observed one
        with games as units, or the largest possible without a leak if that is smaller, which bounds rare features.
        """
        spread = self.features.std(axis=0)
        varying = np.flatnonzero(spread > 0)
        features = (self.features[:, varying] - self.features[:, varying].mean(axis=0)) / spread[varying]
        best = np.zeros(len(varying))
        for residuals, chances in zip(self.residuals().T, self.posterior.T, strict=True):
            sums = game_sums(features * residuals[:, None].astype(np.float32), self.game)
            most = game_sums(np.abs(features) * np.sqrt(chances * (1 - chances))[:, None].astype(np.float32), self.game)
            error = np.sqrt(np.minimum((sums**2).sum(axis=0), (most**2).sum(axis=0)))
            best = np.maximum(best, np.abs(sums.sum(axis=0)) / np.where(error > 0, error, np.inf))
        order: npt.NDArray[np.int64] = varying[np.argsort(-best, kind="stable")]
        return order

    def residuals(self) -> Floats:
        """The posterior's residuals: 1 for the true case and 0 for the others, less their probabilities, (n, k)."""
        left: Floats = np.eye(self.posterior.shape[1])[self.fact] - self.posterior
        return left

    def __len__(self) -> int:
        return len(self.fact)

    def only(self, rows: npt.NDArray[Any]) -> Samples:
        """Some of the moments."""
        return Samples(self.features[rows], self.fact[rows], self.posterior[rows], self.game[rows], self.names)

    def usable(self) -> Samples:
        """The moments at which the agent can't be certain of the fact, with the features that vary."""
        undecided = self.only(self.posterior.max(axis=1) < 1 - 1e-9)
        varying = np.flatnonzero(np.ptp(undecided.features, axis=0) > 0) if len(undecided) else np.arange(0)
        names = [self.names[place] for place in varying.tolist()]
        return Samples(undecided.features[:, varying], undecided.fact, undecided.posterior, undecided.game, names)


def gather(
    make_env: Callable[[], Any],
    secrets: Callable[[Env, Agent], Mapping[str, Secret]],
    *,
    games: int,
    seed: int = 0,
    agents: Whose = None,
    channels: Channels | None = None,
    policy: Policy = any_legal,
    moments: float | Callable[[Env, np.random.Generator], bool] = 0.1,
) -> dict[str, Samples]:
    """Play games and collect samples of named secrets.

    secrets: `secrets(env, agent)` gives each hidden fact by name with its exact posterior, always of the same length.
    policy: the posterior must be exact under it. Choices reveal what players know, unless their probabilities depend on
    public information alone; agents and moments must be chosen by public information alone too. channels: the features,
    `aec_channels()` without "form" and "last" by default; texts count by length, lines and words. The other parameters
    are those of `paired_worlds_test`.
    """
    collected = _Collected()
    taken = channels or aec_channels().without("form", "last")
    rng = np.random.default_rng(seed)
    env = as_aec(make_env())
    for number in range(games):
        env.reset(seed=int(rng.integers(2**31)))
        for _ in random_moments(env, rng, policy=policy, moments=moments):
            for agent in whose(agents, env):
                collected.add(number, numbers(taken.by_piece(taken.take(env, agent))), secrets(env, agent))
    return collected.samples()


class _Collected:
    """Samples being collected: named blocks of numbers, which may differ in length."""

    def __init__(self) -> None:
        self.rows: list[Blocks] = []
        self.games: list[int] = []
        self.secrets: dict[str, list[tuple[int, Secret]]] = {}

    def add(self, game: int, blocks: Blocks, secrets: Mapping[str, Secret]) -> None:
        for name, secret in secrets.items():
            self.secrets.setdefault(name, []).append((len(self.rows), secret))
        self.rows.append(blocks)
        self.games.append(game)

    def samples(self) -> dict[str, Samples]:
        features, names = self._matrix()
        games = np.array(self.games, np.int64)
        made = {}
        for name, held in self.secrets.items():
            places = np.array([place for place, _ in held])
            fact = np.array([secret.value for _, secret in held], np.int64)
            posterior = np.array([secret.posterior for _, secret in held], np.float64)
            made[name] = Samples(features[places], fact, posterior, games[places], names)
        return made

    def _matrix(self) -> tuple[npt.NDArray[np.float32], list[str]]:
        widths: dict[str, int] = {}
        for row in self.rows:
            for name, block in row.items():
                widths[name] = max(widths.get(name, 0), len(block))
        ends = dict(zip(widths, np.cumsum(list(widths.values())).tolist(), strict=True))
        matrix = np.zeros((len(self.rows), sum(widths.values())), np.float32)
        for place, row in enumerate(self.rows):
            for name, block in row.items():
                start = ends[name] - widths[name]
                matrix[place, start : start + len(block)] = block
        names = [f"{name}[{entry}]" if width > 1 else name for name, width in widths.items() for entry in range(width)]
        return np.nan_to_num(matrix, copy=False), names


def game_sums(values: npt.NDArray[Any], game: npt.NDArray[np.int64]) -> npt.NDArray[Any]:
    """The sums over the moments of each game, in the games' order."""
    order = np.argsort(game, kind="stable")
    starts = np.flatnonzero(np.diff(game[order], prepend=game[order[0]] - 1))
    sums: npt.NDArray[Any] = np.add.reduceat(values[order], starts, axis=0)
    return sums


# --- anything as numbers -------------------------------------------------------------------------------------------


def numbers(sights: Sights) -> Blocks:
    """What reached an agent as named blocks of numbers; for texts their length, lines and counts of words."""
    blocks: Blocks = {}
    _flatten(sights, "", blocks)
    return blocks


def _flatten(value: Any, name: str, blocks: Blocks) -> None:
    if isinstance(value, str):
        _flatten_text(value, name, blocks)
    elif isinstance(value, bool | int | float | np.number) or _is_numeric(value):
        blocks[name] = np.asarray(value, np.float32).ravel()
    elif isinstance(value, list | tuple | set | frozenset):
        parts = list(value) if isinstance(value, list | tuple) else sorted(value, key=repr)
        blocks[f"{name} length"] = np.array([len(parts)], np.float32)
        for place, held in enumerate(parts):
            _flatten(held, f"{name}[{place}]", blocks)
    else:
        for key, held in _held(value).items():
            _flatten(held, f"{name} {key}".strip(), blocks)


def _is_numeric(value: Any) -> bool:
    if isinstance(value, np.ndarray):
        return bool(np.issubdtype(value.dtype, np.number) or value.dtype == np.bool_)
    return isinstance(value, list | tuple) and all(isinstance(each, bool | int | float | np.number) for each in value)


def _held(value: Any) -> Mapping[Any, Any]:
    """The contents by name of a value that is neither numbers nor text; empty for spaces and opaque objects."""
    if isinstance(value, Mapping):
        return value
    if isinstance(value, bytes):
        return {"bytes": np.frombuffer(value, np.uint8)}
    if isinstance(value, Enum):
        return {"value": repr(value)}
    if isinstance(value, np.ndarray | np.void):
        return _parts(value)
    return {} if value is None or isinstance(value, gymnasium.spaces.Space) else attributes(value) or {}


def _parts(array: npt.NDArray[Any] | np.void) -> Mapping[Any, Any]:
    if array.dtype.names is not None:
        return {field: np.asarray(array[field]) for field in array.dtype.names}
    return {"entries": array.tolist()}


def _flatten_text(text: str, name: str, blocks: Blocks) -> None:
    counts = np.zeros(_BUCKETS, np.float32)
    for word in text.split():
        counts[zlib.crc32(word.encode()) % _BUCKETS] += 1
    blocks[f"{name} length"] = np.array([len(text)], np.float32)
    blocks[f"{name} lines"] = np.array([text.count("\n")], np.float32)
    blocks[f"{name} words"] = counts
