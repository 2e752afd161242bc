"""DR-2.1 and DR-2.2, a turn: choose a token, carry out its face, move it and turn it over."""

from riverbed_env.kernels.compile import Record

from . import kernel
from . import vocab as v
from .fish import end_by_tokens, move_bear, start_move
from .state import ask, record_act, record_event


@kernel
def begin_turn(table: Record, seat: int, barred: int) -> None:
    """DR-2.1: begin a seat's turn and ask for a token that isn't tilted against it."""
    table["active"] = seat
    table["turn"] += 1
    table["barred"] = barred
    table["tilted"] = 0
    ask(table, v.Question.TOKEN, 0, v.ALL_TOKENS & ~barred)


@kernel
def choose_token(table: Record, params: Record, token: int) -> None:
    """DR-2.2: record what the chosen token's face grants: moves of one or two fish, and of the bear."""
    face = int(table["face"][token])
    kind = int(params["kind"][token, face])
    table["token"] = token
    table["moves_left"] = 1 + int(kind == v.Face.TWICE)
    table["bear_due"] = int(kind == v.Face.BEAR)
    record_act(table, v.Event.TOKEN, v.NO_PLACE, 2 * token + face)


@kernel
def carry_on(table: Record, params: Record) -> None:
    """DR-2.2: carry out the token's next effect: its fish first, then the bear; after the last one end the turn."""
    table["arrived"] = v.NO_PLACE
    if table["moves_left"] > 0:
        table["moves_left"] -= 1
        token = int(table["token"])
        start_move(table, v.Purpose.FACE, int(params["steps"][token, int(table["face"][token])]))
    elif table["bear_due"]:
        table["bear_due"] = 0
        move_bear(table, 1)
    else:
        end_turn(table, params)


@kernel
def end_turn(table: Record, params: Record) -> None:
    """DR-2.1, DR-4.1, DR-4.2: move the token and turn it over, then end the game or begin the other side's turn."""
    token = int(table["token"])
    table["progress"][token] = min(v.LAST_PROGRESS, int(table["progress"][token]) + 1)
    table["face"][token] = 1 - int(table["face"][token])
    table["token"] = v.NO_TOKEN
    table["purpose"] = v.Purpose.NONE
    table["steps"] = 0
    arrived = 0
    for each in range(v.NUM_TOKENS):
        arrived += int(table["progress"][each] == v.LAST_PROGRESS)
    if arrived >= 2:
        end_by_tokens(table)
    elif table["turn"] >= params["max_turns"]:
        record_event(table, v.Event.TRUNCATE, v.NOBODY, v.NO_PLACE, v.NO_PLACE, 0)
        table["ending"] = v.Ending.TRUNCATED
    if table["ending"] == v.Ending.PLAYING:
        begin_turn(table, 1 - int(table["active"]), int(table["tilted"]))
