"""RH-7, ability cards: which can be played now, and what a hand may hold."""

from riverbed_env.kernels.compile import Record

from . import kernel
from .board import destinations, face_down_within_reach, face_up, others, seats_with_cards, spaces_in_scope
from .stack import count_bits
from .state import CARD_PROGRAM
from .vocab import MAX_INSTRUCTIONS, NO_CARD, Effect, Refusal, Role, Scope, Who


@kernel
def may_hold(table: Record, own: Record, params: Record, seat: int, card: int) -> bool:
    """RH-7.1: whether the seat holds the card; if `own` is the public's knowledge, whether it could hold it."""
    if own["role"] != Role.UNKNOWN:
        return bool(own["hand"][card] > 0)
    seen = int(table["discard_pile"][card]) + int(table["used"][card])
    return bool(table["hand_size"][seat] > 0 and int(params["copies"][card]) > seen)


@kernel
def play_refusal(table: Record, own: Record, params: Record, seat: int, card: int) -> int:
    """RH-7.1: why the active player can't play the card; RH-7.2: all of it must be possible to carry out."""
    if not may_hold(table, own, params, seat, card):
        return Refusal.CARD_NOT_HELD
    if table["card_played"]:
        return Refusal.CARD_PLAYED
    if not program_possible(table, params, CARD_PROGRAM + card, seat):
        return Refusal.CARD_IMPOSSIBLE
    return Refusal.OK


@kernel
def program_possible(table: Record, params: Record, program: int, seat: int) -> bool:
    """RH-7.2: whether every mandatory instruction can be carried out on the present table.

    A move changes the reach, and its end isn't chosen yet, so instructions after a move count as possible.
    """
    moved = False
    has_instruction = False
    for step in range(MAX_INSTRUCTIONS):
        instruction = params["programs"][program, step]
        effect = int(instruction["effect"])
        if effect == Effect.NOTHING:
            return has_instruction
        has_instruction = True
        if not instruction["optional"] and not moved:
            if not instruction_possible(table, params, instruction, seat):
                return False
        moved = moved or effect == Effect.MOVE
    return has_instruction


@kernel
def instruction_possible(table: Record, params: Record, instruction: Record, seat: int) -> bool:
    """RH-7.2: whether the instruction can be carried out; a draw always can (RH-3.4)."""
    effect = int(instruction["effect"])
    scope = int(instruction["scope"])
    who = int(instruction["who"])
    spaces = spaces_in_scope(table, params, scope, seat, int(table["position"][seat]))
    if scope == Scope.SWAPPED:
        return True
    elif effect == Effect.REVEAL and who == Who.ANOTHER:
        return anybody_can_reveal(table, params, scope, seat)
    elif effect == Effect.VIEW or effect == Effect.REVEAL:
        return spaces & int(table["face_down"]) != 0
    elif effect == Effect.FLIP_DOWN:
        return spaces & face_up(table) != 0
    elif effect == Effect.SWAP or effect == Effect.SHUFFLE:
        return count_bits(spaces & int(table["face_down"])) >= 2
    elif effect == Effect.MOVE:
        return moving_seats(table, params, scope, who, seat) != 0
    elif effect == Effect.DISCARD:
        return discarding_seats(table, who, seat) != 0
    elif effect == Effect.REFRESH:
        return not table["dive_ready"][seat] or not table["swim_ready"][seat]
    elif effect == Effect.LOOK_AT_ROLE:
        return seats_to_look_at(table, scope, seat) != 0
    return effect == Effect.DRAW


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
        may_move = who == Who.ANYONE or (who == Who.SELF and other == seat) or (who == Who.ANOTHER and other != seat)
        if may_move and destinations(table, params, scope, other) != 0:
            seats |= 1 << other
    return seats


@kernel
def discarding_seats(table: Record, who: int, seat: int) -> int:
    """RH-7.3: bits of the seats that have a card to discard; RH-7.2: the card being played can't be the discard."""
    if who == Who.SELF:
        return int(table["hand_size"][seat] > 1) << seat
    return seats_with_cards(table) & others(table, seat)


@kernel
def seats_to_look_at(table: Record, scope: int, seat: int) -> int:
    """RH-7, Whispering Shell: bits of other seats with an unrevealed role, on the same space unless scope is ANY."""
    seats = 0
    for other in range(int(table["num_players"])):
        near = scope == Scope.ANY or table["position"][other] == table["position"][seat]
        if other != seat and near and table["role"][other] == Role.UNKNOWN:
            seats |= 1 << other
    return seats


@kernel
def slip_away_refusal(table: Record, own: Record, params: Record, seat: int) -> int:
    """RH-7.5, Slip Away: why the asked player can't make the active player choose someone else.

    Somebody else must have a face-down tile within reach: neither the active player nor one who slipped away from
    this co-op.
    """
    card = int(params["redirect_card"])
    if card == NO_CARD or not may_hold(table, own, params, seat, card):
        return Refusal.CARD_NOT_HELD
    for other in range(int(table["num_players"])):
        if other != seat and other != int(table["active"]) and not (int(table["slipped"]) >> other) & 1:
            if face_down_within_reach(table, params, other) != 0:
                return Refusal.OK
    return Refusal.NO_ONE_ELSE_TO_ASK
