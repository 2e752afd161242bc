"""RH-3, a turn and the piles of cards; RH-4, the actions; RH-5, the powers of two roles; RH-7, ability cards."""

import numpy as np

from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below, shuffle

from . import kernel
from . import vocab as v
from .board import destinations, face_down_within_reach, face_up, others, spaces_in_scope
from .stack import ask, count_bits, count_deed, push_frame, record_event
from .state import CARD_PROGRAM, INSTRUCTION, NUM_ACTION_PROGRAMS
from .talk import open_floor

# The actions and the two role powers, in the vocabulary of the packs: effect, scope, who, amount.
_PROGRAMS = {
    # RH-4.1
    v.Source.DIVE: ((v.Effect.VIEW, v.Scope.WITHIN_REACH, v.Who.SELF, 0),),
    # RH-4.2
    v.Source.SWIM: ((v.Effect.MOVE, v.Scope.SWIM, v.Who.SELF, 0), (v.Effect.DRAW, v.Scope.NONE, v.Who.SELF, 1)),
    # RH-4.3
    v.Source.CO_OP: (
        (v.Effect.CALL, v.Scope.WITHIN_REACH, v.Who.ANOTHER, 0),
        (v.Effect.DRAW, v.Scope.NONE, v.Who.SELF, 1),
        (v.Effect.REFRESH, v.Scope.NONE, v.Who.SELF, 0),
    ),
    # RH-4.4
    v.Source.UNCOVER: (
        (v.Effect.DISCARD, v.Scope.NONE, v.Who.SELF, 1),
        (v.Effect.REVEAL, v.Scope.WITHIN_REACH, v.Who.SELF, 0),
        (v.Effect.REFRESH, v.Scope.NONE, v.Who.SELF, 0),
        (v.Effect.FLIP_CARD, v.Scope.NONE, v.Who.SELF, 0),
    ),
    # RH-5.1, RH-5.2
    v.Source.HUNT: (
        (v.Effect.DISCARD, v.Scope.NONE, v.Who.SELF, 1),
        (v.Effect.DECLARE, v.Scope.NONE, v.Who.SELF, 0),
        (v.Effect.REVEAL, v.Scope.WITHIN_REACH, v.Who.SELF, 0),
        (v.Effect.HUNT_ON, v.Scope.ANY, v.Who.SELF, 0),
        (v.Effect.PENALTY, v.Scope.NONE, v.Who.SELF, 0),
    ),
    # RH-5.3
    v.Source.CON: (
        (v.Effect.DISCARD, v.Scope.NONE, v.Who.SELF, 1),
        (v.Effect.DECLARE, v.Scope.NONE, v.Who.SELF, 0),
        (v.Effect.REVEAL, v.Scope.WITHIN_REACH, v.Who.SELF, 0),
        (v.Effect.REVEAL, v.Scope.ANY, v.Who.SELF, 0),
    ),
}


def action_programs() -> np.ndarray[tuple[int, int], np.dtype[np.void]]:
    """The programs of the actions and powers, shape (NUM_ACTION_PROGRAMS, v.MAX_INSTRUCTIONS) of INSTRUCTION."""
    programs = np.zeros((NUM_ACTION_PROGRAMS, v.MAX_INSTRUCTIONS), INSTRUCTION)
    for source, instructions in _PROGRAMS.items():
        for step, (effect, scope, who, amount) in enumerate(instructions):
            programs[source, step] = (effect, scope, who, amount, 0, 0, 0)
    return programs


@kernel
def begin_turn(table: Record, params: Record, seat: int) -> None:
    """RH-3.1: the seat becomes the active player; RH-9.2: the floor opens."""
    table["stage"] = v.Stage.TURN
    table["active"] = seat
    table["turn"] += 1
    table["action_done"] = 0
    table["card_played"] = 0
    open_floor(table, params)


@kernel
def discard_or_pass_on(table: Record, params: Record) -> None:
    """RH-3.3: ask for a discard while the hand is over the limit; then put used cards on the pile and pass the turn."""
    active = int(table["active"])
    if int(table["hand_size"][active]) > v.HAND_LIMIT:
        ask(table, active, v.Question.DISCARD)
        return
    for card in range(v.MAX_CARD_KINDS):
        table["discard_pile"][card] = int(table["discard_pile"][card]) + int(table["used"][card])
        table["used"][card] = 0
    begin_turn(table, params, (active + 1) % int(table["num_players"]))


@kernel
def draw_card(game: Record, seat: int) -> None:
    """RH-3.4: the seat draws the top card; an empty pile is refilled first, and if both are empty nothing is drawn."""
    table = game["table"]
    if table["draw_pile"] == 0:
        reshuffle(game)
    size = int(table["draw_pile"])
    if size == 0:
        return
    card = int(game["deck"][size - 1])
    game["deck"][size - 1] = v.NO_CARD
    table["draw_pile"] = size - 1
    take_card(game, seat, card)
    record_event(table, v.Event.DRAW, seat)


@kernel
def take_card(game: Record, seat: int, card: int) -> None:
    """RH-7.1: put a card into the hand, unseen by the others."""
    private = game["private"][seat]
    private["hand"][card] = int(private["hand"][card]) + 1
    game["table"]["hand_size"][seat] = int(game["table"]["hand_size"][seat]) + 1


@kernel
def reshuffle(game: Record) -> None:
    """RH-3.4: shuffle the discard pile into a new draw pile; the cards of this turn aren't on it yet."""
    table = game["table"]
    size = 0
    for card in range(v.MAX_CARD_KINDS):
        for _ in range(int(table["discard_pile"][card])):
            game["deck"][size] = card
            size += 1
        table["discard_pile"][card] = 0
    if size == 0:
        return
    shuffle(game["chance"], game["deck"], size)
    table["draw_pile"] = size
    record_event(table, v.Event.RESHUFFLE, int(table["active"]))


@kernel
def spend_card(game: Record, seat: int, card: int) -> None:
    """RH-3.4: remove a card from the hand; it is public at once and joins the discard pile when the turn ends."""
    table = game["table"]
    private = game["private"][seat]
    private["hand"][card] = int(private["hand"][card]) - 1
    table["hand_size"][seat] = int(table["hand_size"][seat]) - 1
    table["used"][card] = int(table["used"][card]) + 1


@kernel
def discard_card(game: Record, seat: int, card: int) -> None:
    """RH-7.3: the seat discards a card."""
    spend_card(game, seat, card)
    record_event(game["table"], v.Event.DISCARD, seat, thing=card)


@kernel
def discard_blind(game: Record, seat: int) -> None:
    """RH-7.3: discard a card drawn at random from the seat's hand."""
    nth = below(game["chance"], int(game["table"]["hand_size"][seat]))
    for card in range(v.MAX_CARD_KINDS):
        nth -= int(game["private"][seat]["hand"][card])
        if nth < 0:
            discard_card(game, seat, card)
            return


@kernel
def take_action(table: Record, seat: int, source: int) -> None:
    """RH-3.1: the active player takes the turn's action; RH-4.1, RH-4.2: Dive and Swim are exhausted first."""
    table["action_done"] = 1
    if source == v.Source.DIVE:
        table["dive_ready"][seat] = 0
        count_deed(table, seat, v.Deed.DIVES, 1)
    elif source == v.Source.SWIM:
        table["swim_ready"][seat] = 0
        count_deed(table, seat, v.Deed.SWIMS, 1)
        record_event(table, v.Event.SWIM, seat)
    elif source == v.Source.UNCOVER:
        record_event(table, v.Event.UNCOVER, seat)
    else:
        count_deed(table, seat, v.Deed.CO_OPS, 1)
    push_frame(table, source, 0, -1, seat, source)


@kernel
def callable_seats(table: Record, params: Record, seat: int) -> int:
    """RH-4.3: bits of the seats the active player can choose for a co-op.

    Ruling: a player without a face-down tile within reach can be chosen only if nobody but the asker has one. Players
    who slipped away from this co-op can't be chosen (RH-7, Slip Away).
    """
    remaining = others(table, seat) & ~int(table["slipped"])
    able = able_to_reveal(table, params, remaining)
    return able if able else remaining


@kernel
def able_to_reveal(table: Record, params: Record, seats: int) -> int:
    """RH-4.3: bits of those of the seats that have a face-down tile within reach."""
    able = 0
    for seat in range(int(table["num_players"])):
        if (seats >> seat) & 1 and face_down_within_reach(table, params, seat) != 0:
            able |= 1 << seat
    return able


@kernel
def power_refusal(table: Record, own: Record, params: Record, seat: int, role: int) -> int:
    """RH-5.1, RH-5.3: why the seat can't declare the Hunt (role leader) or the Con (role profiteer).

    The seat needs the role, unrevealed, a card to discard and a face-down tile within reach. If `own` is the
    public's knowledge, it is enough that the seat could have the role.
    """
    if not may_be(table, own, seat, role):
        return v.Refusal.NOT_THE_ROLE
    if table["role"][seat] != v.Role.UNKNOWN:
        return v.Refusal.ROLE_REVEALED
    if table["hand_size"][seat] == 0:
        return v.Refusal.NO_CARD_TO_DISCARD
    if face_down_within_reach(table, params, seat) == 0:
        return v.Refusal.NOTHING_FACE_DOWN_IN_REACH
    return v.Refusal.OK


@kernel
def may_be(table: Record, own: Record, seat: int, role: int) -> bool:
    """RH-1.3: whether the seat has the role; if `own` is the public's knowledge, whether it could have it."""
    if own["role"] != v.Role.UNKNOWN:
        return bool(own["role"] == role)
    for other in range(int(table["num_players"])):
        if other != seat and table["role"][other] == role:
            return False
    return bool(table["role"][seat] == v.Role.UNKNOWN)


@kernel
def ready_refusal(table: Record, seat: int, swim: int) -> int:
    """RH-5.5: only an exhausted action can be made ready."""
    ready = table["swim_ready"][seat] if swim else table["dive_ready"][seat]
    return v.Refusal.NOT_EXHAUSTED if ready else v.Refusal.OK


@kernel
def make_ready(table: Record, seat: int, swim: int) -> None:
    """RH-5.5: make Dive (swim 0) or Swim (swim 1) ready."""
    if swim:
        table["swim_ready"][seat] = 1
    else:
        table["dive_ready"][seat] = 1


@kernel
def may_hold(table: Record, own: Record, params: Record, seat: int, card: int) -> bool:
    """RH-7.1: whether the seat holds the card; if `own` is the public's knowledge, whether it could hold it."""
    if own["role"] != v.Role.UNKNOWN:
        return bool(own["hand"][card] > 0)
    seen = int(table["discard_pile"][card]) + int(table["used"][card])
    return bool(table["hand_size"][seat] > 0 and int(params["copies"][card]) > seen)


@kernel
def play_refusal(table: Record, own: Record, params: Record, seat: int, card: int) -> int:
    """RH-7.1: why the active player can't play the card; RH-7.2: all of it must be possible to carry out."""
    if not may_hold(table, own, params, seat, card):
        return v.Refusal.CARD_NOT_HELD
    if table["card_played"]:
        return v.Refusal.CARD_PLAYED
    if not program_possible(table, params, CARD_PROGRAM + card, seat):
        return v.Refusal.CARD_IMPOSSIBLE
    return v.Refusal.OK


@kernel
def program_possible(table: Record, params: Record, program: int, seat: int) -> bool:
    """RH-7.2: whether every mandatory instruction can be carried out on the present table.

    A move changes the reach, and its end isn't chosen yet, so instructions after a move count as possible.
    """
    moved = False
    for step in range(v.MAX_INSTRUCTIONS):
        instruction = params["programs"][program, step]
        effect = int(instruction["effect"])
        if effect == v.Effect.NOTHING:
            return step > 0
        if not instruction["optional"] and not moved:
            if not instruction_possible(table, params, instruction, seat):
                return False
        moved = moved or effect == v.Effect.MOVE
    return True


@kernel
def instruction_possible(table: Record, params: Record, instruction: Record, seat: int) -> bool:
    """RH-7.2: whether the instruction can be carried out; a draw always can (RH-3.4)."""
    effect = int(instruction["effect"])
    scope = int(instruction["scope"])
    who = int(instruction["who"])
    spaces = spaces_in_scope(table, params, scope, seat, int(table["position"][seat]))
    if scope == v.Scope.SWAPPED:
        return True
    elif effect == v.Effect.REVEAL and who == v.Who.ANOTHER:
        return anybody_can_reveal(table, params, scope, seat)
    elif effect == v.Effect.VIEW or effect == v.Effect.REVEAL:
        return spaces & int(table["face_down"]) != 0
    elif effect == v.Effect.FLIP_DOWN:
        return spaces & face_up(table) != 0
    elif effect == v.Effect.SWAP or effect == v.Effect.SHUFFLE:
        return count_bits(spaces & int(table["face_down"])) >= 2
    elif effect == v.Effect.MOVE:
        return moving_seats(table, params, scope, who, seat) != 0
    elif effect == v.Effect.DISCARD:
        return discarding_seats(table, who, seat) != 0
    elif effect == v.Effect.REFRESH:
        return not table["dive_ready"][seat] or not table["swim_ready"][seat]
    elif effect == v.Effect.LOOK_AT_ROLE:
        return seats_to_look_at(table, scope, seat) != 0
    return effect == v.Effect.DRAW


@kernel
def anybody_can_reveal(table: Record, params: Record, scope: int, seat: int) -> bool:
    """RH-7, Rallying Call: whether another player has a face-down tile to reveal."""
    for other in range(int(table["num_players"])):
        if other != seat:
            spaces = spaces_in_scope(table, params, scope, other, int(table["position"][other]))
            if spaces & int(table["face_down"]) != 0:
                return True
    return False


@kernel
def moving_seats(table: Record, params: Record, scope: int, who: int, seat: int) -> int:
    """RH-7.4: bits of the seats whose meeple the instruction may move and that have a destination."""
    seats = 0
    for other in range(int(table["num_players"])):
        may_move = who == v.Who.ANYONE or (who == v.Who.SELF) == (other == seat)
        if may_move and destinations(table, params, scope, other) != 0:
            seats |= 1 << other
    return seats


@kernel
def discarding_seats(table: Record, who: int, seat: int) -> int:
    """RH-7.3: bits of the seats that have a card to discard; RH-7.2: the card being played can't be the discard."""
    if who == v.Who.SELF:
        return int(table["hand_size"][seat] > 1) << seat
    seats = 0
    for other in range(int(table["num_players"])):
        seats |= int(other != seat and table["hand_size"][other] > 0) << other
    return seats


@kernel
def seats_to_look_at(table: Record, scope: int, seat: int) -> int:
    """RH-7, Whispering Shell: bits of other seats with an unrevealed role, on the same space unless scope is ANY."""
    seats = 0
    for other in range(int(table["num_players"])):
        near = scope == v.Scope.ANY or table["position"][other] == table["position"][seat]
        if other != seat and near and table["role"][other] == v.Role.UNKNOWN:
            seats |= 1 << other
    return seats


@kernel
def slip_away_refusal(table: Record, own: Record, params: Record, seat: int) -> int:
    """RH-7.5, Slip Away: why the asked player can't make the active player choose someone else.

    Somebody else must have a face-down tile within reach: neither the active player nor one who slipped away from
    this co-op.
    """
    card = int(params["redirect_card"])
    if card == v.NO_CARD or not may_hold(table, own, params, seat, card):
        return v.Refusal.CARD_NOT_HELD
    left = others(table, seat) & ~(1 << int(table["active"])) & ~int(table["slipped"])
    return v.Refusal.OK if able_to_reveal(table, params, left) else v.Refusal.NO_ONE_ELSE_TO_ASK
