"""Options that every game's environments share, checked in one place."""

from __future__ import annotations

import difflib
from collections.abc import Iterable

from .errors import OptionError
from .game import Game

REWARDS = ("win", "zero_sum")


def check_choice(name: str, value: object, allowed: Iterable[str]) -> None:
    """OptionError, naming the value and what is allowed, unless `value` is among `allowed`."""
    choices = list(allowed)
    if not isinstance(value, str) or value not in choices:
        near = difflib.get_close_matches(str(value), choices, n=1)
        hint = f" (did you mean {near[0]!r}?)" if near else ""
        raise OptionError(f"{name} must be {' or '.join(repr(choice) for choice in choices)}, not {value!r}{hint}")


def check_rewards(rewards: object) -> int:
    """1 for "zero_sum", 0 for "win"."""
    check_choice("rewards", rewards, REWARDS)
    return int(rewards == "zero_sum")


def check_view(game: Game, view: object) -> int:
    """The length of the observation of a view."""
    check_choice("view", view, game.views)
    return int(game.views[str(view)])
