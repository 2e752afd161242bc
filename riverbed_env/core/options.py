"""Checks of the options that all environments share. Each raises OptionError with what is allowed."""

import inspect
import operator
import warnings
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError, did_you_mean
from riverbed_env.kernels.vocab import FORCED_NAMES, Forced

from .game import Game

MAX_GAME = 2**62  # the highest number of a game


def check_choice(name: str, value: object, allowed: Iterable[str]) -> None:
    """Raise OptionError unless `value` is one of the `allowed` words."""
    choices = list(allowed)
    if not isinstance(value, str) or value not in choices:
        hint = did_you_mean(str(value), choices)
        raise OptionError(f"{name} must be {' or '.join(repr(choice) for choice in choices)}, not {value!r}{hint}")


def check_game_number(name: str, number: object) -> int:
    """The number of a game as a plain integer, 0 to MAX_GAME."""
    return check_whole(name, number, 0, MAX_GAME)


def check_reset_options(options: object) -> int | None:
    """The game number that the options of a reset ask for, None if they don't. Warns of unknown options."""
    if options is not None and not isinstance(options, Mapping):
        raise OptionError(f"options of reset() must be a mapping, {{'game_number': k}}, or None, not {options!r}")
    given = dict(options or {})
    number = check_game_number("game_number", given.pop("game_number")) if "game_number" in given else None
    for name in given:
        warnings.warn(f"reset option {name!r} is unknown and ignored; known: 'game_number'", stacklevel=4)
    return number


def whole(value: object) -> int | None:
    """The value as a plain integer; None for non-integers, booleans included."""
    if isinstance(value, bool | np.bool_):
        return None
    try:
        return operator.index(value)  # type: ignore[arg-type]  # a TypeError tells what isn't an integer
    except TypeError:
        return None


def check_whole(name: str, value: object, low: int, high: int) -> int:
    """The value as a plain integer from low to high.

    Args:
        name: the option's name, for the message.
        value: an integer of any type; booleans are refused.
        low: the lowest value allowed.
        high: the highest value allowed.

    Returns:
        The value.

    Raises:
        OptionError: the value isn't such an integer.
    """
    number = whole(value)
    if number is None or not low <= number <= high:
        bounds = f"an integer from {low} to {high}" if low < high else str(low)
        raise OptionError(f"{name} must be {bounds}, not {value!r}")
    return number


def check_integers(
    name: str, values: npt.ArrayLike, low: int, high: int, count: int | None = None
) -> npt.NDArray[np.int64]:
    """The values in a new array, (count,) int64. values: integers from low to high, `count` of them or one for all."""
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
    """The value as a plain flag."""
    if not isinstance(value, bool | np.bool_):
        raise OptionError(f"{name} must be True or False, not {value!r}")
    return bool(value)


def check_forced(auto_forced: object) -> Forced:
    """The kind of forced decisions that the engine takes for the players.

    Args:
        auto_forced: "public", "all" or "none".

    Returns:
        The kind as a number.

    Raises:
        OptionError: the value is none of these.
    """
    check_choice("auto_forced", auto_forced, FORCED_NAMES)
    return Forced[str(auto_forced).upper()]


def check_known(game: Game, options: Iterable[str], *takers: Callable[..., Any], fixed: Collection[str] = ()) -> None:
    """Raise OptionError for an option that neither the game has nor these callables as a keyword.

    takers: a class's `__init__`, then those that it passes options on to; fixed: what it sets itself.
    """
    owner = f"{takers[0].__qualname__.partition('.')[0]} of {game.id}" if takers else game.id
    own = [each for taker in takers for each in inspect.signature(taker).parameters.values()]
    names = [each.name for each in own if each.kind is each.KEYWORD_ONLY and each.name not in fixed]
    check_names(owner, options, list(dict.fromkeys([*names, *inspect.signature(game.make_params).parameters])))


def check_names(owner: str, options: Iterable[str], known: Sequence[str]) -> None:
    """Raise OptionError for an option that `owner` doesn't have, in the words that TorchRL's GymEnv looks for."""
    for option in options:
        if option not in known:
            hint = did_you_mean(option, known)
            raise OptionError(
                f"unexpected keyword argument {option!r}: {owner} has no option {option!r}{hint}; "
                f"it has {', '.join(known)}"
            )


def check_rewards(game: Game, rewards: object) -> int:
    """1 for "zero_sum", 0 for "win"; only the kinds of rewards that the game has."""
    check_choice("rewards", rewards, game.rewards)
    return int(rewards == "zero_sum")


def check_one_set(params: npt.NDArray[np.void]) -> None:
    """Raise OptionError for the params of a mixed batch, of which only the first would be read."""
    if len(params) != 1:
        raise OptionError(f"params must be those of one set of options, not of {len(params)}: see Batch.by_set")


def check_view(game: Game, view: object) -> int:
    """The length of the observation of a view."""
    check_choice("view", view, game.views)
    return int(game.views[str(view)])
