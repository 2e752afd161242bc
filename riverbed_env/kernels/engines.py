"""Templates for the engines of games: each game links them to its own rules.

The functions up to `answer` are placeholders: `link_engine` replaces those a template calls with the game's kernels;
here they only document the arguments. `state` is the record that the game's rules work on: the game, or its table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .common import current_seat
from .compile import KernelFamily, Record
from .vocab import Refusal

MOST_FORCED = 100_000  # forced decisions in a row, far more than any game has; the next one is asked


def take(state: Record, params: Record, action: int) -> None:
    """Count the decision and give the current seat's legal action to the rule that asked."""
    raise NotImplementedError


def run(state: Record, params: Record) -> None:
    """Carry out the rules until a seat has to choose or the game is over."""
    raise NotImplementedError


def next_forced(state: Record, params: Record) -> int:
    """The action that `auto_forced` takes for the player; -1 if the seat has to choose."""
    raise NotImplementedError


def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal."""
    raise NotImplementedError


def answer(game: Record, params: Record, action: int) -> None:
    """Take the current seat's legal action and carry out what follows."""
    raise NotImplementedError


def go_on(state: Record, params: Record, action: int) -> None:
    """Take a legal action and carry out the rules; repeat with forced decisions. Action -1 does nothing."""
    for _ in range(MOST_FORCED):
        if action < 0:
            return
        take(state, params, action)
        run(state, params)
        action = next_forced(state, params)


def step(game: Record, params: Record, action: int) -> int:
    """Take the current seat's action and carry out what follows; returns a Refusal, and changes nothing unless OK."""
    seat = current_seat(game)
    if seat < 0:
        return Refusal.GAME_OVER
    refused = refusal(game, params, seat, action)
    if refused == Refusal.OK:
        answer(game, params, action)
    return refused


def link_engine(family: KernelFamily, template: Callable[..., Any], **kernels: Any) -> Callable[..., Any]:
    """Make a kernel of the game from a template of this module, linked to the given kernels."""
    return family.link(template, f"{family.name}_{template.__name__}", kernels)
