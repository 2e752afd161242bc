"""Options that every game's environments share, checked in one place."""

from __future__ import annotations

import inspect
from collections.abc import Iterable, Sequence

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.kernels.vocab import FORCED_NAMES, Forced

from .game import Game

MAX_GAME = 2**62  # the highest number of a game


def check_choice(name: str, value: object, allowed: Iterable[str]) -> None:
    """OptionError, naming the value and what is allowed, unless `value` is among `allowed`."""
    choices = list(allowed)
    if not isinstance(value, str) or value not in choices:
        hint = did_you_mean(str(value), choices)
        raise OptionError(f"{name} must be {' or '.join(repr(choice) for choice in choices)}, not {value!r}{hint}")


def check_game_number(name: str, number: object) -> int:
    """The number of a game as a plain integer; OptionError unless it is one from 0 to MAX_GAME."""
    return check_whole(name, number, 0, MAX_GAME)


def one_cap(name: str, cap: int | None, max_cycles: int | None, default: int) -> int:
    """The cap on a game's length, given by the game's own name of it or as PettingZoo's `max_cycles`.

    OptionError where both are given and differ.
    """
    if cap is not None and max_cycles is not None and cap != max_cycles:
        raise OptionError(f"{name} {cap} and max_cycles {max_cycles} are the same option")
    given = cap if cap is not None else max_cycles
    return default if given is None else given


def check_whole(name: str, value: object, low: int, high: int, also: str = "") -> int:
    """The value as a plain integer; OptionError unless it is one from low to high. also: another name of the option."""
    more = f" (also called {also})" if also else ""
    if not _is_whole(value) or not low <= int(value) <= high:  # type: ignore[call-overload]  # it is whole
        bounds = f"an integer from {low} to {high}" if low < high else str(low)
        raise OptionError(f"{name} must be {bounds}, not {value!r}{more}")
    return int(value)  # type: ignore[call-overload,no-any-return]  # it is whole


def check_integers(
    name: str, values: npt.ArrayLike, low: int, high: int, count: int | None = None
) -> npt.NDArray[np.int64]:
    """The values in an array of their own, (count,) int64.

    values: `count` of them, or one for all; without a count as many as are given. Raises OptionError unless they are
    integers from low to high.
    """
    many = "as many as are wanted" if count is None else f"{count} of them or one for all"
    allowed = f"{name} must be integers from {low} to {high}, {many}"
    try:
        given = np.asarray(values)
    except ValueError:
        raise OptionError(f"{allowed}, not lists of several lengths") from None
    if not np.issubdtype(given.dtype, np.integer):
        raise OptionError(f"{allowed}, not {given.dtype}")
    wanted = (given.size if count is None else count,)
    if given.shape not in (wanted, ()):
        raise OptionError(f"{allowed}, not of shape {given.shape}")
    if given.size and not (low <= int(given.min()) and int(given.max()) <= high):
        raise OptionError(f"{allowed}, not from {given.min()} to {given.max()}")
    return np.array(np.broadcast_to(given, wanted), np.int64)


def check_flag(name: str, value: object) -> bool:
    """The value as a plain flag; OptionError unless it is True or False."""
    if not isinstance(value, bool | np.bool_):
        raise OptionError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def _is_whole(value: object) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def check_forced(auto_forced: object) -> Forced:
    """The kind of forced decisions that are taken for the players."""
    check_choice("auto_forced", auto_forced, FORCED_NAMES)
    return Forced[str(auto_forced).upper()]


def check_known(game: Game, options: Iterable[str]) -> None:
    """Raises OptionError for an option the game doesn't have."""
    check_names(game.id, options, list(inspect.signature(game.make_params).parameters))


def check_names(owner: str, options: Iterable[str], known: Sequence[str]) -> None:
    """Raises OptionError for an option that `owner` doesn't have, with the names that it has."""
    for option in options:
        if option not in known:
            hint = did_you_mean(option, known)
            raise OptionError(f"{owner} has no option {option!r}{hint}; it has {', '.join(known)}")


def check_rewards(game: Game, rewards: object) -> int:
    """1 for "zero_sum", 0 for "win"; OptionError for a way of paying the game doesn't have."""
    check_choice("rewards", rewards, game.rewards)
    return int(rewards == "zero_sum")


def check_view(game: Game, view: object) -> int:
    """The length of the observation of a view."""
    check_choice("view", view, game.views)
    return int(game.views[str(view)])
