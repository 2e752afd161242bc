"""What the engines of games have in common: templates that a game links to its own rules.

The first three names below are bound when a game links a template (`link_engine`); here they only say what each kernel
takes. `state` is whatever record the game's rules work on: the game, or its table.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .common import current_seat
from .compile import KernelFamily, Record
from .vocab import Refusal


def take(state: Record, params: Record, action: int) -> None:
    """Count the decision and give the asked seat's legal action to the rule that asked."""
    raise NotImplementedError


def run(state: Record, params: Record) -> None:
    """Let the rules go on until a seat is asked or the game is over."""
    raise NotImplementedError


def next_forced(state: Record, params: Record) -> int:
    """The forced decision that `auto_forced` takes for the player, -1 where the seat is to be asked."""
    raise NotImplementedError


def refusal(game: Record, params: Record, seat: int, action: int) -> int:
    """Why the seat can't take the action, as a Refusal."""
    raise NotImplementedError


def answer(game: Record, params: Record, action: int) -> None:
    """Take the asked seat's legal action and all that follows."""
    raise NotImplementedError


def go_on(state: Record, params: Record, action: int) -> None:
    """Take a legal action and let the rules go on; then take the decisions that are forced. Action -1 takes none."""
    while action >= 0:
        take(state, params, action)
        run(state, params)
        action = next_forced(state, params)


def step(game: Record, params: Record, action: int) -> int:
    """Take the asked seat's action and all that follows; returns a Refusal and changes nothing unless it is OK."""
    seat = current_seat(game)
    if seat < 0:
        return Refusal.GAME_OVER
    refused = refusal(game, params, seat, action)
    if refused == Refusal.OK:
        answer(game, params, action)
    return refused


def link_engine(family: KernelFamily, template: Callable[..., Any], **kernels: Any) -> Callable[..., Any]:
    """A template of this module as a kernel of the game, linked to the kernels it names."""
    return family.link(template, f"{family.name}_{template.__name__}", kernels)
