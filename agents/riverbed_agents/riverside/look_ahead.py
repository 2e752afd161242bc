"""The agent `look_ahead` for Riverside: at each decision it searches all continuations to the end of the round.

In phase 2 it tries all dice, and the ways to fill seats with them and with the bonuses they bring. For the best sheets
it tries all excursions, powers included, and takes the first step towards the best final sheet. No new information
arrives before the round ends, so it keeps the seats on the way as a plan. `value.py` evaluates a sheet: its points
plus what a small network predicts for the rest of the route.
"""

import numpy as np

from riverbed_env.games.riverside.rules import engine, excursions
from riverbed_env.games.riverside.rules import vocab as v
from riverbed_env.games.riverside.rules.actions import A
from riverbed_env.games.riverside.rules.boats import cross_seat
from riverbed_env.games.riverside.rules.legality import answer_refusal, first_answer, past_answers
from riverbed_env.games.riverside.rules.state import PRIVATE
from riverbed_env.kernels.common import only_legal
from riverbed_env.kernels.compile import Floats, Numbers, Record, Records, Vector
from riverbed_env.players.agents import CompiledAgent, Memory

from .kernels import kernel
from .outlook import SCRATCH_SIZE, prospect_of
from .value import WEIGHTS, Judge, sheet_worth

Path = Vector
Paths = Vector
Worths = Floats


NEVER = -1e9
UNDECIDED = -1  # in place of an action
MAX_OPEN = 400  # positions on the stack: about 4 per seat, 20 per step of an excursion
MAX_BEGUN = 1  # rows that the seats of one die or bonus may begin and leave unfinished before moving to another row
CANDIDATES = 8  # filled sheets for which all excursions are tried
SCRATCH = MAX_OPEN  # index in `nodes` of the position being expanded
START = MAX_OPEN + 1  # index of the start position
KEPT = MAX_OPEN + 2  # index of the first candidate
NUM_NODES = KEPT + CANDIDATES
BEST = NUM_NODES  # index in `paths` of the path to the best sheet
MAX_STEPS = 40  # actions of a path that are kept
PATH_SIZE = 1 + MAX_STEPS  # the number of actions, then the actions

# The memory: the round of the plan, the seats crossed when it was made, and the path of actions that cross seats.
ROUND_PLANNED, CROSSED_THEN, PLAN = 0, 1, 2
MEMORY_SIZE = PLAN + PATH_SIZE


@kernel
def choose(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """The agent's action."""
    action = only_legal(mask)
    if action == UNDECIDED:
        action = planned(view, mask, memory)
    if action == UNDECIDED:
        action = decide(view, params, memory, WEIGHTS)
    return action


@kernel
def planned(view: Record, mask: Vector, memory: Memory) -> int:
    """The next seat of the round's plan; UNDECIDED if there is none or it can't be crossed."""
    if view["private"]["question"] != v.Question.SEAT or memory[ROUND_PLANNED] != view["table"]["round"]:
        return UNDECIDED
    step = int(view["private"]["sheet"]["crossed"].sum()) - int(memory[CROSSED_THEN])
    if step < 0 or step >= int(memory[PLAN]) or not mask[memory[PLAN + 1 + step]]:
        return UNDECIDED
    return int(memory[PLAN + 1 + step])


@kernel
def remember(view: Record, path: Path, memory: Memory) -> None:
    """Store the seats of a path in memory as the round's plan."""
    memory[ROUND_PLANNED] = view["table"]["round"]
    memory[CROSSED_THEN] = view["private"]["sheet"]["crossed"].sum()
    memory[PLAN] = 0
    for step in range(1, 1 + path[0]):
        if A.SEAT <= path[step] < A.STAY:
            memory[PLAN] += 1
            memory[PLAN + memory[PLAN]] = path[step]


@kernel
def decide(view: Record, params: Record, memory: Memory, weights: Numbers) -> int:
    """The first action towards the best sheet of this round; stores the seats on the way in memory."""
    nodes = np.zeros(NUM_NODES, PRIVATE)
    paths = np.zeros((NUM_NODES + 1, PATH_SIZE), np.int8)
    search_round(view, params, nodes, paths, weights)
    remember(view, paths[BEST], memory)
    return int(paths[BEST, 1])


@kernel
def search_round(view: Record, params: Record, nodes: Records, paths: Paths, weights: Numbers) -> None:
    """Write the path to the best sheet to `paths[BEST]`.

    nodes: (NUM_NODES,) PRIVATE, scratch. The caller keeps the array: compiled, a record doesn't keep its array alive.
    """
    table = view["table"]
    nodes[KEPT] = view["private"]
    judge = Judge(prospect_of(table, params), weights, np.zeros(SCRATCH_SIZE, np.float32))
    question = int(nodes[KEPT]["question"])
    kept = 1
    if question == v.Question.DIE or question == v.Question.SEAT:
        kept = search_seats(table, params, nodes, paths, judge)
    search_excursions(table, params, nodes, paths, kept, judge)


@kernel
def append_step(paths: Paths, place: int, action: int) -> None:
    """Append an action to a path if there is room."""
    if paths[place, 0] < MAX_STEPS:
        paths[place, 0] += 1
        paths[place, paths[place, 0]] = action


@kernel
def search_seats(table: Record, params: Record, nodes: Records, paths: Paths, judge: Judge) -> int:
    """Phase 2: search from the position in `nodes[KEPT]`; write the candidates there, return their number.

    nodes: (NUM_NODES,) PRIVATE. paths: (NUM_NODES + 1, PATH_SIZE), the actions that led to each node.
    """
    nodes[START] = nodes[KEPT]
    start = nodes[START]
    worths = np.full(CANDIDATES, NEVER)
    if start["question"] == v.Question.SEAT:
        nodes[0] = start
        return fill_from(0, table, params, nodes, paths, worths, judge)
    kept = 0
    for action in range(A.DIE, A.SEAT):
        if answer_refusal(table, start, params, action) == v.Refusal.OK:
            nodes[0] = start
            paths[0, 0] = 0
            append_step(paths, 0, action)
            engine.carry_out(table, nodes[0], params, action)
            kept = fill_from(kept, table, params, nodes, paths, worths, judge)
    return kept


@kernel
def fill_from(
    kept: int, table: Record, params: Record, nodes: Records, paths: Paths, worths: Worths, judge: Judge
) -> int:
    """Fill seats in every way from the position in `nodes[0]` and keep the best sheets; return the number kept.

    The seats of one die or bonus are crossed from upper to lower rows, since other orders lead to the same sheets. They
    leave at most MAX_BEGUN rows unfinished besides the last one; more scored no better.
    """
    rows = np.full(MAX_OPEN, v.NO_ROW)  # the row last crossed for this die or bonus
    begun = np.zeros(MAX_OPEN, np.int64)  # rows above it that were begun for it and not completed
    top = 1
    while top > 0:
        top -= 1
        nodes[SCRATCH] = nodes[top]
        paths[SCRATCH] = paths[top]
        node = nodes[SCRATCH]
        last, left_open = rows[top], begun[top]
        if node["question"] != v.Question.SEAT:
            kept = keep(nodes, paths, worths, kept, quick_worth(table, node, params, nodes[top], judge))
            continue
        boat, paid = int(node["boat"]), int(node["paid"])
        for row in range(max(0, last), v.ROWS):
            if row > last >= 0 and free_seats(node, params, boat, last) > 0 and row == last + 1:
                left_open += 1
            if left_open > MAX_BEGUN or not can_begin(node, params, boat, row):
                break
            if free_seats(node, params, boat, row) > 0:
                cross_from_scratch(nodes, paths, top, params, row)
                same = int(nodes[top]["paid"]) == paid
                rows[top] = row if same else v.NO_ROW
                begun[top] = left_open if same else 0
                top += 1
    return kept


@kernel
def cross_from_scratch(nodes: Records, paths: Paths, place: int, params: Record, row: int) -> None:
    """Write the position after crossing a seat of a row in the one being expanded."""
    boat = int(nodes[SCRATCH]["boat"])
    nodes[place] = nodes[SCRATCH]
    paths[place] = paths[SCRATCH]
    cross_seat(nodes[place], params, boat, row)
    append_step(paths, place, A.SEAT + boat * v.ROWS + row)


@kernel
def free_seats(own: Record, params: Record, boat: int, row: int) -> int:
    """The number of seats of a row that aren't crossed."""
    return int(params["seats"][boat, row]) - int(own["sheet"]["crossed"][boat, row])


@kernel
def can_begin(own: Record, params: Record, boat: int, row: int) -> bool:
    """Whether the seats to cross fit into this row and those below, or the rows above are full."""
    room = 0
    above = 0
    for other in range(v.ROWS):
        free = free_seats(own, params, boat, other)
        if other < row:
            above += free
        else:
            room += free
    return above == 0 or room >= int(own["left"])


@kernel
def keep(nodes: Records, paths: Paths, worths: Worths, kept: int, worth: float) -> int:
    """Add the position in `nodes[SCRATCH]` to the candidates, replacing the worst; return the number kept."""
    place = kept
    if kept == CANDIDATES:
        place = int(np.argmin(worths))
        if worth <= worths[place]:
            return kept
    worths[place] = worth
    nodes[KEPT + place] = nodes[SCRATCH]
    paths[KEPT + place] = paths[SCRATCH]
    return min(CANDIDATES, kept + 1)


@kernel
def quick_worth(table: Record, own: Record, params: Record, spare: Record, judge: Judge) -> float:
    """What a filled sheet is worth after the best simple excursion: all boats score, no power or +1 is used."""
    best = sheet_worth(own["sheet"], params, judge)
    for place in range(v.MAX_PLACES):
        tile = int(table["tile"][place])
        if tile == v.NO_TILE or excursions.missing_range(table, own, place, 0) > 0:
            continue
        spare["sheet"] = own["sheet"]
        sheet = spare["sheet"]
        scored = 0
        for boat in range(v.NUM_BOATS):
            if excursions.worth_refusal(own, params, tile, boat, 0) == v.Refusal.OK:
                points = excursions.excursion_points(own, params, tile, boat, 0)
                sheet["last"][boat] = points
                sheet["total"][boat] += points
                scored += 1
        if scored > 0:
            best = max(best, sheet_worth(sheet, params, judge))
    return best


@kernel
def search_excursions(table: Record, params: Record, nodes: Records, paths: Paths, kept: int, judge: Judge) -> None:
    """Phase 3: search from the candidates; write the path to the best sheet to `paths[BEST]`."""
    best_worth = NEVER
    for candidate in range(kept):
        nodes[0] = nodes[KEPT + candidate]
        paths[0] = paths[KEPT + candidate]
        if nodes[0]["question"] == v.Question.NONE:  # phase 2 is over; a village comes next
            nodes[0]["question"] = v.Question.VILLAGE
        top = 1
        while top > 0:
            top -= 1
            nodes[SCRATCH] = nodes[top]
            paths[SCRATCH] = paths[top]
            node = nodes[SCRATCH]
            if node["question"] == v.Question.NONE:
                worth = sheet_worth(node["sheet"], params, judge)
                if worth > best_worth:
                    best_worth = worth
                    paths[BEST] = paths[SCRATCH]
                continue
            for action in range(first_answer(node), past_answers(node)):
                if answer_refusal(table, node, params, action) == v.Refusal.OK and is_in_order(node, action):
                    nodes[top] = node
                    paths[top] = paths[SCRATCH]
                    engine.carry_out(table, nodes[top], params, action)
                    append_step(paths, top, action)
                    top += 1


@kernel
def is_in_order(own: Record, action: int) -> bool:
    """Whether a boat comes after those scored on this visit; other orders lead to the same sheets."""
    if action < A.SCORE or own["question"] != v.Question.MORE:
        return True
    for boat in range((action - A.SCORE) % v.NUM_BOATS, v.NUM_BOATS):
        if own["points"][int(own["visits"]) - 1, boat] != 0:
            return False
    return True


LOOK_AHEAD = CompiledAgent.of(kernel, "look_ahead", choose, "searches every way to end the round", MEMORY_SIZE)
