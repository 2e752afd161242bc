"""The agent `greedy` for Riverside: at each decision it takes the action of highest immediate worth by a price list.

Dice are worth the tickets and seats that they fill, one row after another, plus the best village then within range,
minus the fire they cost. A village is worth its points minus the +1 symbols it costs. Resources for later (fire, +1
symbols, powers, tickets) are priced by the share of the route that is left.
"""

import numpy as np

from riverbed_env.games.riverside.rules import vocab as v
from riverbed_env.games.riverside.rules.actions import DIE_WAYS, A
from riverbed_env.games.riverside.rules.boats import choose_dice, cross_seat, fire_cost
from riverbed_env.games.riverside.rules.excursions import excursion_points, missing_range, worth_refusal
from riverbed_env.games.riverside.rules.state import PRIVATE
from riverbed_env.kernels.compile import Floats, Record, Records, Vector
from riverbed_env.kernels.random import random_legal_action
from riverbed_env.players.agents import CompiledAgent, Memory

from .kernels import kernel

Worths = Floats


NEVER = -1e9

# The price list, in points. "left" is the share of the route still to be sailed.
TICKET_AHEAD = 2.0  # a ticket beyond its points: times its colour's best village, times left
BONUS_SEAT = 4.0  # a bonus seat of a row
CHURCH_POINT = 0.8  # a point of the stave church boat
FIRE = 3.0  # a fire symbol, times left
PLUS = 8.0  # a +1 symbol, times left
POWER = 18.0  # a royal power, times left
NOW = 0.7  # a point of the village that dice bring within range this round


@kernel
def choose(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """The agent's action."""
    action = weigh(view, params, mask, np.zeros(2, PRIVATE))
    if action < 0 or not mask[action]:  # the seat isn't asked
        return random_legal_action(mask, stream)
    return action


@kernel
def weigh(view: Record, params: Record, mask: Vector, copies: Records) -> int:
    """The action worth most; -1 if there is no question.

    copies: (2,) PRIVATE, the seat's private part now and after a choice. The caller keeps the array: compiled, a record
    doesn't keep its array alive.
    """
    copies[0] = view["private"]
    table, own = view["table"], copies[0]
    left = share_left(table, params)
    tickets = ticket_worths(table, params, left)
    question = int(own["question"])
    if question == v.Question.NONE:
        return -1
    elif question == v.Question.DIE:
        return choose_die(table, copies, params, tickets, mask, left)
    elif question == v.Question.SEAT:
        boat = int(own["boat"])
        return A.SEAT + boat * v.ROWS + best_row(own, params, boat, tickets)
    elif question == v.Question.SCORE or question == v.Question.MORE:
        return choose_score(table, own, params, mask, left)
    return choose_village(table, own, params, mask, left)


@kernel
def share_left(table: Record, params: Record) -> float:
    """The share of the route still to be sailed, from 0 to 1."""
    return 1.0 - int(table["ship"]) / int(params["anchor"])


@kernel
def ticket_worths(table: Record, params: Record, left: float) -> Worths:
    """What each row's ticket and bonus are worth, (NUM_COLOURS, ROWS)."""
    worths = np.zeros((v.NUM_COLOURS, v.ROWS))
    for boat in range(v.NUM_COLOURS):
        best = 0
        for place in range(v.MAX_PLACES):
            tile = int(table["tile"][place])
            if tile != v.NO_TILE:
                best = max(best, int(params["value"][tile, boat]))
        for row in range(v.ROWS):
            bonus = BONUS_SEAT * int(params["bonus"][boat, row])
            worths[boat, row] = int(params["points"][boat, row]) + TICKET_AHEAD * left * best + bonus
    return worths


@kernel
def row_worth(crossed: int, seats: int, ticket: float) -> float:
    """What a row is worth: its ticket times the square of the share of seats crossed."""
    return ticket * crossed * crossed / (seats * seats)


@kernel
def best_row(own: Record, params: Record, boat: int, tickets: Worths) -> int:
    """The row that gains most per seat if as many seats as possible are crossed; the upper one of equals."""
    best = 0
    best_gain = NEVER
    for row in range(v.ROWS):
        crossed, seats = int(own["sheet"]["crossed"][boat, row]), int(params["seats"][boat, row])
        count = min(seats - crossed, int(own["left"]))
        if count > 0:
            ticket = tickets[boat, row]
            gain = (row_worth(crossed + count, seats, ticket) - row_worth(crossed, seats, ticket)) / count
            if gain > best_gain:
                best_gain = gain
                best = row
    return best


@kernel
def rows_worth(own: Record, params: Record, tickets: Worths) -> float:
    """What all rows of a sheet are worth."""
    worth = 0.0
    for boat in range(v.NUM_COLOURS):
        for row in range(v.ROWS):
            crossed, seats = int(own["sheet"]["crossed"][boat, row]), int(params["seats"][boat, row])
            worth += row_worth(crossed, seats, tickets[boat, row])
    return worth


@kernel
def choose_die(table: Record, copies: Records, params: Record, tickets: Worths, mask: Vector, left: float) -> int:
    """The dice worth most: the seats they fill and the village they reach, minus the fire and powers they cost."""
    best = -1
    best_worth = NEVER
    for action in range(A.DIE, A.SEAT):
        if not mask[action]:
            continue
        copies[1] = copies[0]
        own = copies[1]
        colour, green, fan = (action - A.DIE) // DIE_WAYS, (action - A.DIE) % DIE_WAYS // 2, (action - A.DIE) % 2
        cost = FIRE * fire_cost(table, colour, green) + POWER * (fan + int(green == v.Green.WARM))
        choose_dice(table, own, params, colour, green, fan)
        while own["question"] == v.Question.SEAT:
            boat = int(own["boat"])
            cross_seat(own, params, boat, best_row(own, params, boat, tickets))
        worth = rows_worth(own, params, tickets) - left * cost
        worth += NOW * max(0.0, best_village_worth(table, own, params, left))
        if worth > best_worth:
            best_worth = worth
            best = action
    return best


@kernel
def village_points(own: Record, params: Record, tile: int) -> float:
    """The points that all boats together can score in a tile's village."""
    points = 0.0
    for boat in range(v.NUM_BOATS):
        if worth_refusal(own, params, tile, boat, 0) == v.Refusal.OK:
            score = excursion_points(own, params, tile, boat, 0)
            if boat == v.CHURCH:
                points += CHURCH_POINT * score
            else:
                points += score
    return points


@kernel
def village_worth(table: Record, own: Record, params: Record, place: int, fast: int, left: float) -> float:
    """A village's points minus the +1 symbols it costs; NEVER if out of range. fast: 1 with Speed boat."""
    missing, tile = missing_range(table, own, place, fast), int(table["tile"][place])
    if tile == v.NO_TILE or missing > int(own["sheet"]["plus"]) or place == int(own["place"][0]):
        return NEVER
    return village_points(own, params, tile) - PLUS * left * missing


@kernel
def best_village_worth(table: Record, own: Record, params: Record, left: float) -> float:
    """The worth of the best village that the seat can reach without Speed boat."""
    best = NEVER
    for place in range(v.MAX_PLACES):
        best = max(best, village_worth(table, own, params, place, 0, left))
    return best


@kernel
def choose_village(table: Record, own: Record, params: Record, mask: Vector, left: float) -> int:
    """The village worth most, with Speed boat if that gains more than its price; stay if none gains."""
    best = -1
    best_worth = NEVER
    best_fast = NEVER
    for place in range(v.MAX_PLACES):
        worth = village_worth(table, own, params, place, 0, left)
        if mask[A.VILLAGE + place] and worth > best_worth:
            best_worth = worth
            best = A.VILLAGE + place
        best_fast = max(best_fast, village_worth(table, own, params, place, 1, left))
    if mask[A.STAY] and best_worth <= 0:
        best_worth = 0.0
        best = A.STAY
    if mask[A.SPEED] and best_fast - POWER * left > best_worth:
        return A.SPEED
    return best


@kernel
def choose_score(table: Record, own: Record, params: Record, mask: Vector, left: float) -> int:
    """The boat with most points, with the prize ticket if that gains its price; then Early birds; then done."""
    best = -1
    best_worth = 0.0
    tile = int(table["tile"][int(own["place"][int(own["visits"]) - 1])])
    for prize in range(2):
        for boat in range(v.NUM_BOATS):
            action = A.PRIZE + boat if prize else A.SCORE + boat
            worth = excursion_points(own, params, tile, boat, prize) - POWER * left * prize
            if mask[action] and worth > best_worth:
                best_worth = worth
                best = action
    if best < 0 and mask[A.EARLY] and best_village_worth(table, own, params, left) > POWER * left:
        return A.EARLY
    if best < 0 and mask[A.DONE]:
        return A.DONE
    if best < 0:
        for boat in range(v.NUM_BOATS):
            if mask[A.PRIZE + boat]:
                return A.PRIZE + boat
    return best


GREEDY = CompiledAgent.of(kernel, "greedy", choose, "by a price list of tickets, seats, fire, villages and powers")
