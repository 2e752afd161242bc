"""Alpha-beta search over the engine's own decisions, some whole turns ahead.

A position and its follow-ups lie in rows of tables, so that nothing is undone. A turn is several decisions of one side;
whose decision it is says whether the best or the worst for the observer counts. Each decision of a turn is searched
anew, to the end of the same turn.
"""

from __future__ import annotations

import functools
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.games.deep_river.rules import engine, legality
from riverbed_env.games.deep_river.rules.actions import NUM_ACTIONS, A
from riverbed_env.games.deep_river.rules.state import PARAMS, TABLE
from riverbed_env.games.deep_river.rules.vocab import NUM_PLACES, Camp, Ending
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import below
from riverbed_env.players.agents import CompiledAgent

from .evaluation import WIN, Weights, worth
from .observation_reader import FOLDERS, MOST_COUNTED, Vector, kernel, rebuild
from .transpositions import FIELDS, WORTH, entry_of, keep, question_number, river_number, settles
from .weights import TUNED

MOST_DECISIONS = 96  # one after another; what lies further on is judged as it stands
MOST_CHOICES = NUM_PLACES  # of one decision
MAX_DEPTH = 8
DEFAULT_DEPTH = 3
MEMORY_SIZE = 2  # the turn last decided in and what it is worth
NO_ACTION = -1
NEVER = 2 * WIN  # better than any worth
TRIED = 4 * WIN  # in place of the worth of a follow-up that has been looked at already

WEIGHTS, DEPTH = TUNED, DEFAULT_DEPTH  # of the template `choose`, bound anew for each agent


class Desk(NamedTuple):
    """What a search works on.

    tables: (levels, MOST_CHOICES) of TABLE, the positions so many decisions on; worths and actions, of the same shape:
    what each is worth as it stands and what led there; params: (1,) of PARAMS; weights: (NUM_WEIGHTS,); mask:
    (NUM_ACTIONS,), scratch; known: positions met before.
    """

    tables: npt.NDArray[np.void]
    worths: npt.NDArray[np.int64]
    actions: npt.NDArray[np.int64]
    params: npt.NDArray[np.void]
    weights: Weights
    mask: Vector
    known: npt.NDArray[np.int64]


@kernel
def lay_desk(weights: Weights, depth: int) -> Desk:
    """A desk with nothing on it, for a search over so many turns."""
    return Desk(
        np.zeros((MOST_DECISIONS + 1, MOST_CHOICES), TABLE),
        np.zeros((MOST_DECISIONS + 1, MOST_CHOICES), np.int64),
        np.zeros((MOST_DECISIONS + 1, MOST_CHOICES), np.int64),
        np.zeros(1, PARAMS),
        weights,
        np.zeros(NUM_ACTIONS, np.int8),
        np.zeros((1 << (4 + 3 * depth), FIELDS), np.int64),
    )


@kernel
def follow_up(desk: Desk, level: int, place: int) -> int:
    """Write all the positions a decision can lead to one level further on; how many there are."""
    table = desk.tables[level, place]
    params = desk.params[0]
    legality.write_mask(table, int(table["asked"]), desk.mask)
    count = 0
    for action in range(NUM_ACTIONS):
        if desk.mask[action]:
            desk.tables[level + 1, count] = table
            after = desk.tables[level + 1, count]
            engine.go_on(after, params, action)
            desk.worths[level + 1, count] = worth(after, params, desk.weights)
            desk.actions[level + 1, count] = action
            count += 1
    return count


@kernel
def next_best(worths: npt.NDArray[np.int64], count: int, sign: int) -> int:
    """The follow-up not tried yet that looks best to the side asked, whose sign is 1 for the salmon and -1."""
    best = 0
    for place in range(1, count):
        if worths[place] != TRIED and (worths[best] == TRIED or sign * worths[place] > sign * worths[best]):
            best = place
    return best


@kernel
def search(desk: Desk, level: int, place: int, last_turn: int, floor: int, ceiling: int) -> int:
    """What a position is worth to the salmon when both sides look to the end of `last_turn`.

    Exact where it is between `floor` and `ceiling`; else only known to be at most, or at least, what is returned.
    """
    table = desk.tables[level, place]
    if table["ending"] != Ending.PLAYING or table["turn"] > last_turn or level == MOST_DECISIONS:
        return int(desk.worths[level, place])
    first = river_number(table)
    second = question_number(table)
    entry = entry_of(desk.known, first, second)
    if settles(desk.known, entry, first, second, floor, ceiling):
        return int(desk.known[entry, WORTH])
    asked = int(table["asked"])
    sign = 1 - 2 * asked
    low = floor
    high = ceiling
    best = -sign * NEVER
    count = follow_up(desk, level, place)
    for _ in range(count):
        child = next_best(desk.worths[level + 1], count, sign)
        found = search(desk, level + 1, child, last_turn, low, high)
        desk.worths[level + 1, child] = TRIED
        if asked == Camp.SALMON:
            best = max(best, found)
            low = max(low, best)
        else:
            best = min(best, found)
            high = min(high, best)
        if low >= high:
            break
    keep(desk.known, entry, first, second, best, floor, ceiling)
    return best


@kernel
def best_action(desk: Desk, last_turn: int, least: int, most: int, stream: Record) -> tuple[int, int]:
    """The salmon's best action in the first position and what it is worth; equally good ones are told apart by a draw.

    Only actions worth `least` or more are found, else NO_ACTION; `most` is the most they can be worth.
    """
    count = follow_up(desk, 0, 0)
    best = least
    chosen = NO_ACTION
    ties = 0
    for _ in range(count):
        child = next_best(desk.worths[1], count, 1)
        found = search(desk, 1, child, last_turn, best - 1, most + 1)  # what is as good as the best shows as such
        desk.worths[1, child] = TRIED
        if found > best:
            best = found
            ties = 0
        if found == best:
            ties += 1
            if below(stream, ties) == 0:
                chosen = int(desk.actions[1, child])
    return chosen, best


def choose(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The action that leads to the best position when both sides look DEPTH turns ahead; ties are drawn.

    What a turn is worth is found with its first decision and remembered: later in the turn it is enough to see which
    actions are worth as much. Turns too late to be told apart, and what was cut off, are searched in full.
    """
    if mask[A.WAIT]:
        return A.WAIT
    desk = lay_desk(WEIGHTS, DEPTH)
    rebuild(observation, desk.tables[0, 0], desk.params[0])
    turn = int(desk.tables[0, 0]["turn"])
    last_turn = turn + DEPTH - 1
    action = NO_ACTION
    if memory[0] == turn and turn < MOST_COUNTED:
        action, _ = best_action(desk, last_turn, int(memory[1]), int(memory[1]), stream)
    if action == NO_ACTION:
        action, best = best_action(desk, last_turn, -NEVER, NEVER, stream)
        memory[0] = turn
        memory[1] = best
    return action


@functools.cache
def search_agent(depth: int = DEFAULT_DEPTH, name: str | None = None) -> CompiledAgent:
    """An agent that looks `depth` whole turns ahead, the one it is asked in included (1 to MAX_DEPTH).

    It plays with any pack, since observations tell the rules. Without a name it is called "search_" and the depth.
    """
    if not 1 <= depth <= MAX_DEPTH:
        raise OptionError(f"depth must be from 1 to {MAX_DEPTH} turns, not {depth}")
    linked = kernel.link(choose, f"choose_search_{depth}", {"DEPTH": depth, "WEIGHTS": TUNED})
    about = f"alpha-beta over {depth} turns, tuned evaluation"
    return CompiledAgent(name or f"search_{depth}", linked, MEMORY_SIZE, folders=FOLDERS, about=about)


SEARCH = search_agent(name="search")
DEEP_SEARCH = search_agent(4, "deep_search")  # about 30 ms a turn
