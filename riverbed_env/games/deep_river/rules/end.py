"""DR-4, the end: the bear in a nest, the current run out, or the cap on turns."""

from riverbed_env.kernels.compile import Record

from .kernels import kernel
from .record import close_question, count_deed, record_act, record_event
from .river import clipped, direction, in_nest
from .vocab import DOUBLE_TILE, NO_PLACE, NOBODY, Camp, Deed, Ending, Event


@kernel
def move_bear(table: Record, steps: int) -> None:
    """DR-2.4, DR-4.1: the bear goes towards the rival nest and stops there; then its owner has lost at once."""
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
    """DR-4.1: two tokens are at the last tile: whose nest is farther from the bear wins; in the middle it is a draw."""
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
    """DR-4.1: a side wins; `how` is 0 by the bear, 1 by the tokens."""
    table["winner"] = camp
    record_event(table, Event.WIN, camp, NO_PLACE, NO_PLACE, how)
    finish(table, Ending.OVER)


@kernel
def truncate(table: Record) -> None:
    """DR-4.2: the cap on turns is reached: nobody has won."""
    record_event(table, Event.TRUNCATE, NOBODY, NO_PLACE, NO_PLACE, 0)
    finish(table, Ending.TRUNCATED)


@kernel
def finish(table: Record, ending: int) -> None:
    """DR-4: the game is over, and nobody is asked any more."""
    table["ending"] = ending
    close_question(table)
