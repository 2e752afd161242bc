"""DR-4, the end: the bear is in a nest, two tokens are at the last tile, or the turns reach the cap."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .state import clipped, close_question, count_deed, direction, in_nest, record_act, record_event
from .vocab import DOUBLE_TILE, NO_PLACE, NOBODY, Camp, Deed, Ending, Event


@kernel
def move_bear(table: Record, steps: int) -> None:
    """DR-2.4, DR-4.1: move the bear towards the rival nest; if it gets there it stops, and the mover wins at once."""
    seat = int(table["active"])
    before = int(table["bear"])
    bear = clipped(before + steps * direction(seat))
    table["bear"] = bear
    count_deed(table, Deed.BEAR_STEPS, abs(bear - before))
    record_act(table, Event.BEAR, NO_PLACE, bear)
    if in_nest(bear):
        win(table, seat, 0)


@kernel
def end_by_tokens(table: Record) -> None:
    """DR-4.1: end the game by tokens: the side whose nest is farther from the bear wins; in the middle it is a draw."""
    bear = int(table["bear"])
    if bear > DOUBLE_TILE:
        win(table, Camp.SALMON, 1)
    elif bear < DOUBLE_TILE:
        win(table, Camp.EEL, 1)
    else:
        record_event(table, Event.DRAW, NOBODY, NO_PLACE, NO_PLACE, 0)
        finish(table, Ending.OVER)


@kernel
def win(table: Record, camp: int, how: int) -> None:
    """DR-4.1: end the game with a winner; `how` is 0 by the bear, 1 by the tokens."""
    table["winner"] = camp
    record_event(table, Event.WIN, camp, NO_PLACE, NO_PLACE, how)
    finish(table, Ending.OVER)


@kernel
def truncate(table: Record) -> None:
    """DR-4.2: end the game without a winner at the cap on turns."""
    record_event(table, Event.TRUNCATE, NOBODY, NO_PLACE, NO_PLACE, 0)
    finish(table, Ending.TRUNCATED)


@kernel
def finish(table: Record, ending: int) -> None:
    """DR-4: end the game and close the question."""
    table["ending"] = ending
    close_question(table)
