"""Alpha-beta search over the engine's decisions, some whole turns ahead.

A turn consists of several decisions of one side, so the side that decides at a node determines whether it maximises or
minimises. Each level keeps its positions in a row of tables, so no move has to be undone. Each decision of a turn
starts a new search to the same last turn.
"""

import functools
from typing import NamedTuple

import numpy as np

from riverbed_env.core.options import check_whole
from riverbed_env.games.deep_river.rules import engine, legality
from riverbed_env.games.deep_river.rules.actions import NUM_ACTIONS, A
from riverbed_env.games.deep_river.rules.state import PARAMS, TABLE
from riverbed_env.games.deep_river.rules.vocab import NUM_PLACES, Camp, Ending
from riverbed_env.kernels.compile import Record, Records, Vector, Whole
from riverbed_env.kernels.random import below
from riverbed_env.kernels.vocab import Forced
from riverbed_env.players.agents import CompiledAgent, Memory

from .evaluation import WIN, Weights, worth
from .kernels import kernel
from .transpositions import FIELDS, WORTH, entry_of, keep, question_number, river_number, settles
from .weights import TUNED

MOST_DECISIONS = 96  # in sequence; deeper positions are evaluated without search
MOST_CHOICES = NUM_PLACES  # the most actions of one decision
MAX_DEPTH = 8
DEFAULT_DEPTH = 3
MEMORY_SIZE = 2  # the turn of the last decision and its value
NO_ACTION = -1
NEVER = 2 * WIN  # better than any worth
TRIED = 4 * WIN  # replaces the worth of a successor that has been searched

WEIGHTS, DEPTH = TUNED, DEFAULT_DEPTH  # of the template `choose`, replaced for each agent


class SearchBuffers(NamedTuple):
    """The arrays of a search.

    tables: (levels, MOST_CHOICES) of TABLE, the positions at each level (decisions from the root). worths, actions:
    same shape, the evaluation of each position and the action that led to it. params: (1,) of PARAMS. weights:
    (NUM_WEIGHTS,). mask: (NUM_ACTIONS,), scratch. known: the transposition table.
    """

    tables: Records
    worths: Whole
    actions: Whole
    params: Records
    weights: Weights
    mask: Vector
    known: Whole


@kernel
def make_buffers(weights: Weights, depth: int, view: Record, params: Record) -> SearchBuffers:
    """Buffers for a search over `depth` turns, with the view's position at the root; no forced decision is asked."""
    buffers = SearchBuffers(
        np.zeros((MOST_DECISIONS + 1, MOST_CHOICES), TABLE),
        np.zeros((MOST_DECISIONS + 1, MOST_CHOICES), np.int64),
        np.zeros((MOST_DECISIONS + 1, MOST_CHOICES), np.int64),
        np.zeros(1, PARAMS),
        weights,
        np.zeros(NUM_ACTIONS, np.int8),
        np.zeros((1 << (4 + 3 * depth), FIELDS), np.int64),
    )
    buffers.tables[0, 0] = view["table"]
    buffers.params[0] = params
    buffers.params[0]["auto_forced"] = Forced.PUBLIC
    return buffers


@kernel
def expand(buffers: SearchBuffers, level: int, place: int) -> int:
    """Write the successors of a position to the next level; return their number."""
    table = buffers.tables[level, place]
    params = buffers.params[0]
    legality.write_mask(table, int(table["asked"]), buffers.mask)
    count = 0
    for action in range(NUM_ACTIONS):
        if buffers.mask[action]:
            buffers.tables[level + 1, count] = table
            after = buffers.tables[level + 1, count]
            engine.go_on(after, params, action)
            buffers.worths[level + 1, count] = worth(after, params, buffers.weights)
            buffers.actions[level + 1, count] = action
            count += 1
    return count


@kernel
def next_best(worths: Whole, count: int, sign: int) -> int:
    """The untried successor with the best evaluation for the side to move; sign: 1 for the salmon, -1 for the eels."""
    best = 0
    for place in range(1, count):
        if worths[place] != TRIED and (worths[best] == TRIED or sign * worths[place] > sign * worths[best]):
            best = place
    return best


@kernel
def search(buffers: SearchBuffers, level: int, place: int, last_turn: int, floor: int, ceiling: int) -> int:
    """The minimax value of a position for the salmon, searched to the end of `last_turn`.

    Exact if it lies between `floor` and `ceiling`, else an upper or lower bound.
    """
    table = buffers.tables[level, place]
    if table["ending"] != Ending.PLAYING or table["turn"] > last_turn or level == MOST_DECISIONS:
        return int(buffers.worths[level, place])
    river = river_number(table)
    question = question_number(table)
    entry = entry_of(buffers.known, river, question)
    if settles(buffers.known, entry, river, question, floor, ceiling):
        return int(buffers.known[entry, WORTH])
    asked = int(table["asked"])
    sign = 1 - 2 * asked
    low = floor
    high = ceiling
    best = -sign * NEVER
    count = expand(buffers, level, place)
    for _ in range(count):
        child = next_best(buffers.worths[level + 1], count, sign)
        value = search(buffers, level + 1, child, last_turn, low, high)
        buffers.worths[level + 1, child] = TRIED
        if asked == Camp.SALMON:
            best = max(best, value)
            low = max(low, best)
        else:
            best = min(best, value)
            high = min(high, best)
        if low >= high:
            break
    keep(buffers.known, entry, river, question, best, floor, ceiling)
    return best


@kernel
def best_action(buffers: SearchBuffers, last_turn: int, least: int, most: int, stream: Record) -> tuple[int, int]:
    """The best action at the root and its value for the side asked; ties are broken at random.

    Returns NO_ACTION if no action is worth `least`. most: an upper bound on the value.
    """
    sign = 1 - 2 * int(buffers.tables[0, 0]["asked"])
    count = expand(buffers, 0, 0)
    best = least
    chosen = NO_ACTION
    ties = 0
    for _ in range(count):
        child = next_best(buffers.worths[1], count, sign)
        one, other = sign * (best - 1), sign * (most + 1)  # exact also for ties
        value = sign * search(buffers, 1, child, last_turn, min(one, other), max(one, other))
        buffers.worths[1, child] = TRIED
        if value > best:
            best = value
            ties = 0
        if value == best:
            ties += 1
            if below(stream, ties) == 0:
                chosen = int(buffers.actions[1, child])
    return chosen, best


def choose(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """The best action by a search over DEPTH turns; ties are broken at random.

    The first decision of a turn stores the value of the turn in memory, so later decisions only look for actions with
    that value. They search in full if there is none.
    """
    if mask[A.WAIT]:
        return A.WAIT
    buffers = make_buffers(WEIGHTS, DEPTH, view, params)
    turn = int(view["table"]["turn"])
    last_turn = turn + DEPTH - 1
    action = NO_ACTION
    if memory[0] == turn:
        action, _ = best_action(buffers, last_turn, int(memory[1]), int(memory[1]), stream)
    if action == NO_ACTION:
        action, best = best_action(buffers, last_turn, -NEVER, NEVER, stream)
        memory[0] = turn
        memory[1] = best
    return action


@functools.cache
def search_agent(depth: int = DEFAULT_DEPTH, name: str | None = None) -> CompiledAgent:
    """An agent that searches `depth` whole turns, the current one included.

    The default name is "search_" and the depth. Raises OptionError unless depth is 1 to MAX_DEPTH.
    """
    check_whole("depth", depth, 1, MAX_DEPTH)
    linked = kernel.link(choose, f"choose_search_{depth}", {"DEPTH": depth, "WEIGHTS": TUNED})
    about = f"alpha-beta over {depth} turns, tuned evaluation"
    return CompiledAgent.of(kernel, name or f"search_{depth}", linked, about, MEMORY_SIZE)


SEARCH = search_agent(name="search")
DEEP_SEARCH = search_agent(4, "deep_search")  # about 30 ms a turn
