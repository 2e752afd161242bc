"""RH-5, what the roles can do: Hunt, Hunt penalty, Con; and the refresh marker."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .elements import has_log
from .river import face_down_within_reach, face_up
from .stack import ask, push_frame, record_act
from .vocab import Event, Question, Refusal, Role, Source


@kernel
def power_refusal(table: Record, own: Record, params: Record, seat: int, role: int) -> int:
    """RH-5.1, RH-5.3: why the seat can't declare the Hunt (role leader) or the Con (role profiteer).

    The seat needs the role, unrevealed, a card to discard and a face-down tile within reach. If `own` is the
    public's knowledge, it is enough that the seat could have the role.
    """
    if not may_be(table, own, seat, role):
        return Refusal.NOT_THE_ROLE
    if table["role"][seat] != Role.UNKNOWN:
        return Refusal.ROLE_REVEALED
    if table["hand_size"][seat] == 0:
        return Refusal.NO_CARD_TO_DISCARD
    if face_down_within_reach(table, params, seat) == 0:
        return Refusal.NOTHING_FACE_DOWN_IN_REACH
    return Refusal.OK


@kernel
def may_be(table: Record, own: Record, seat: int, role: int) -> bool:
    """RH-1.3: whether the seat has the role; if `own` is the public's knowledge, whether it could have it."""
    if own["role"] != Role.UNKNOWN:
        return bool(own["role"] == role)
    for other in range(int(table["num_players"])):
        if other != seat and table["role"][other] == role:
            return False
    return bool(table["role"][seat] == Role.UNKNOWN)


@kernel
def declare_power(table: Record, seat: int, source: int) -> None:
    """RH-5.4: begin the Hunt or the Con inside the co-op under way."""
    if source == Source.HUNT:
        record_act(table, Event.HUNT, seat)
    else:
        record_act(table, Event.CON, seat)
    push_frame(table, source, 0, -1, seat, source)


@kernel
def show_role(game: Record, seat: int) -> None:
    """RH-5.6: a declaration turns the role card face-up for the rest of the game."""
    game["table"]["role"][seat] = game["private"][seat]["role"]


@kernel
def penalty_spaces(table: Record, params: Record) -> int:
    """RH-5.2: bits of the face-up tiles with a log that were turned up during the Hunt."""
    spaces = 0
    candidates = int(table["hunted"]) & face_up(table)
    for space in range(len(table["tile"])):
        if (candidates >> space) & 1 and has_log(params, int(table["tile"][space])):
            spaces |= 1 << space
    return spaces


@kernel
def ask_penalty(table: Record, params: Record) -> bool:
    """RH-5.2: ask the chief to turn one such tile down; return False if there is none."""
    spaces = penalty_spaces(table, params)
    if spaces == 0:
        return False
    chief = chief_seat(table)
    record_act(table, Event.PENALTY, chief)
    ask(table, chief, Question.PENALTY, spaces, 0, 0)
    return True


@kernel
def chief_seat(table: Record) -> int:
    """RH-1.3: the seat of the chief merchant, public from the start."""
    for seat in range(int(table["num_players"])):
        if table["role"][seat] == Role.CHIEF:
            return seat
    return -1


@kernel
def marker_refusal(table: Record, seat: int, swim: int) -> int:
    """RH-5.5: why the refresh marker can't ready Dive (swim 0) or Swim (swim 1): once a game, on an exhausted one."""
    if not table["marker_left"][seat]:
        return Refusal.MARKER_USED
    return ready_refusal(table, seat, swim)


@kernel
def ready_refusal(table: Record, seat: int, swim: int) -> int:
    """RH-5.5: only an exhausted action can be made ready."""
    if (swim and table["swim_ready"][seat]) or (not swim and table["dive_ready"][seat]):
        return Refusal.NOT_EXHAUSTED
    return Refusal.OK


@kernel
def make_ready(table: Record, seat: int, swim: int) -> None:
    """RH-5.5: make Dive (swim 0) or Swim (swim 1) ready."""
    if swim:
        table["swim_ready"][seat] = 1
    else:
        table["dive_ready"][seat] = 1
