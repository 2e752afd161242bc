"""Templates for the engines of games: each game links them to its own rules.

The functions up to `answer` are placeholders: `link_engine` replaces those a template calls with the game's kernels;
here they only document the arguments. `state` is the record that the game's rules work on: the game, or its table.
"""

from collections.abc import Callable
from typing import Any

from .common import current_seat
from .compile import KernelFamily, Record, placeholder
from .vocab import Refusal

MOST_FORCED = 100_000  # forced decisions in a row, far more than any game has; the next one is asked


take: Callable[[Record, Record, int], None] = placeholder  # count the decision, give the rule that asked the action
run: Callable[[Record, Record], None] = placeholder  # carry out the rules until a seat has to choose or the end
next_forced: Callable[[Record, Record], int] = placeholder  # the action that `auto_forced` takes; -1 for none
refusal: Callable[[Record, Record, int, int], int] = placeholder  # game, params, seat, action -> a Refusal
answer: Callable[[Record, Record, int], None] = placeholder  # take a legal action and carry out what follows


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
