"""Several values of an option in one batch: which environment plays by which."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import prod
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError

from .game import Game


def mixed_params(
    game: Game, num_envs: int, seed: int, options: Mapping[str, Any]
) -> tuple[npt.NDArray[np.void], tuple[Any, ...], npt.NDArray[np.int64], tuple[dict[str, Any], ...]]:
    """Params and content pack of each set of options, the number of each environment's set, (n,), and the sets.

    See `Batch` for what several values of an option mean. Raises OptionError for an option without any.
    """
    several = {
        name: value.tolist() if isinstance(value, np.ndarray) else list(value)
        for name, value in options.items()
        if _is_several(game, name, value)
    }
    for name, values in several.items():
        if not values:
            raise OptionError(f"{name} must be a value or several, not {options[name]!r}")
    shared = [name for name, values in several.items() if len(values) != num_envs]
    chosen = _shared_out([len(several[name]) for name in shared], num_envs, seed)
    own = several | {name: [several[name][place] for place in places] for name, places in zip(shared, chosen)}
    combined = [dict(zip(own, values)) for values in zip(*own.values())] or [{}] * num_envs
    sets = {repr(each): {**options, **each} for each in combined}
    made = [game.make_params(**each) for each in sets.values()]
    params = np.zeros(len(made), made[0][0].dtype)
    for number, (record, _) in enumerate(made):
        params[number] = record[0]
    numbers = {key: number for number, key in enumerate(sets)}
    which = np.array([numbers[repr(each)] for each in combined], np.int64)
    return params, tuple(pack for _, pack in made), which, tuple(sets.values())


def _is_several(game: Game, name: str, value: object) -> bool:
    """Whether an option's value is several, one of which each environment has."""
    sequence = isinstance(value, Sequence) and not isinstance(value, str | bytes)
    return name not in game.sequences and (sequence or (isinstance(value, np.ndarray) and value.ndim == 1))


def _shared_out(lengths: Sequence[int], num_envs: int, seed: int) -> tuple[npt.NDArray[np.int64], ...]:
    """Which value of each option each environment has, (n,) for each option, by how many values the options have."""
    total = prod(lengths)
    if total > num_envs:
        chosen = np.sort(np.random.default_rng(seed).choice(total, num_envs, replace=False))
    else:
        chosen = np.sort(np.arange(num_envs) % total)
    return np.unravel_index(chosen, tuple(lengths)) if lengths else ()
