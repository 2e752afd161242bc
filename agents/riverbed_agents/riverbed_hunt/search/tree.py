"""Search over the worlds a seat can't exclude: Monte-Carlo tree search for every role of Riverbed Hunt.

At each decision the agent draws worlds from its view (`riverbed_env.deduction.resample`) and plays
them on (`desk`). At the root, choices share worlds: the n-th trial of each meets the n-th world with the same chance
to come, and worlds go to the choices that do best so far (sequential halving: Karnin, Koren and Somekh 2013). The
rule-based choice stays unless another one beats it on the worlds both met, by more than chance would. Below the root
lies a tree of the agent's own information states, told apart by what it would observe, so that nothing it couldn't
know decides (Cowling, Powley and Whitehouse 2012); a node follows the rules until it was met often, then widens
(UCB1).
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.deduction.posterior import PLAYING
from riverbed_env.deduction.resample import resample
from riverbed_env.games.riverbed_hunt.rules import engine
from riverbed_env.games.riverbed_hunt.rules.actions import NUM_ACTIONS
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION_SIZE
from riverbed_env.kernels.compile import Record
from riverbed_env.kernels.random import TRIED, below, open_stream

from ..observation_reader import CAMPS, kernel
from .rollout import NOWHERE, Desk, choose_by_rule, play_on, see, worth

Vector = npt.NDArray[np.int8]
Counts = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Shares = npt.NDArray[np.float32]

MOST_NODES = 4096  # worlds beyond these are played out from the nodes there are
MOST_DECISIONS = 32  # own ones in the tree on one way down
WIDEN = 40  # visits of a node below the root for each choice that it looks at
EXPLORATION = 0.4
CONVINCED = 2.0  # standard errors by which a choice must lead the usual one; at 1.0 and 3.0 fresh worlds found less
WORD = 0x3FFFFFFFFFFFFFFF  # 62 bits, so that arithmetic stays within an int64


class Tree(NamedTuple):
    """What is known of one's choices.

    visits, wins: (nodes, NUM_ACTIONS), how often each was tried and won; node 0 is the root. keys, nodes: (2 * nodes,),
    a table of what was seen on the way to each node; size: (1,), nodes in use. path: (2, MOST_DECISIONS), nodes and
    actions on the way down. won: (NUM_ACTIONS, worlds), how far each choice at the root won each world it met, 0 to 1.
    """

    visits: Counts
    wins: Numbers
    keys: Counts
    nodes: Counts
    size: Counts
    path: Counts
    won: Shares


@kernel
def plant(budget: int) -> Tree:
    """A tree without worlds yet, for so many."""
    size = min(budget, MOST_NODES) + 1
    return Tree(
        np.zeros((size, NUM_ACTIONS), np.int64),
        np.zeros((size, NUM_ACTIONS), np.float64),
        np.zeros(2 * size, np.int64),
        np.zeros(2 * size, np.int64),
        np.ones(1, np.int64),
        np.zeros((2, MOST_DECISIONS), np.int64),
        np.zeros((NUM_ACTIONS, budget), np.float32),
    )


@kernel
def sight_key(row: Vector, node: int, action: int) -> int:
    """A number from 1 on for what is seen after an action at a node: FNV-1a over words, 62 bits."""
    key = (1469598103934665603 ^ (node * NUM_ACTIONS + action)) & WORD
    words = row.view(np.int64)
    for place in range(len(words)):
        key = (key ^ (int(words[place]) & WORD)) * 1099511628211 & WORD
        key ^= key >> 29
    return max(1, key)


@kernel
def find_node(tree: Tree, key: int) -> int:
    """The node of a key; NOWHERE if it is new, and then it is entered, unless the tree is full."""
    place = key % len(tree.keys)
    while tree.keys[place] != 0:
        if tree.keys[place] == key:
            return int(tree.nodes[place])
        place = (place + 1) % len(tree.keys)
    if tree.size[0] < len(tree.visits):
        tree.keys[place] = key
        tree.nodes[place] = tree.size[0]
        tree.size[0] += 1
    return NOWHERE


@kernel
def pick(mask: Vector, visits: Counts, wins: Numbers, usual: int, stream: Record) -> int:
    """Below the root: the usual choice until it was met WIDEN times, then another one for each such number; UCB1."""
    total = 0
    tried = 0
    for action in range(NUM_ACTIONS):
        total += visits[action]
        tried += int(visits[action] > 0)
    if total < WIDEN * tried or tried == 0:
        return best_bound(mask, visits, wins, usual, total)
    fresh = 0
    chosen = usual
    for action in range(NUM_ACTIONS):
        if mask[action] and visits[action] == 0:
            fresh += 1
            if below(stream, fresh) == 0:
                chosen = action
    if fresh == 0:
        return best_bound(mask, visits, wins, usual, total)
    return chosen


@kernel
def best_bound(mask: Vector, visits: Counts, wins: Numbers, usual: int, total: int) -> int:
    """UCB1: of the choices tried already the one with the highest bound; the usual one if none was."""
    best = usual
    highest = -1.0
    for action in range(NUM_ACTIONS):
        if mask[action] and visits[action] > 0:
            bound = wins[action] / visits[action] + EXPLORATION * math.sqrt(math.log(total) / visits[action])
            if bound > highest:
                highest = bound
                best = action
    return best


@kernel
def lead(won: Shares, worlds: int, action: int, other: int) -> float:
    """How far a choice leads another one on the first worlds, which both met, in standard errors.

    won: (NUM_ACTIONS, more worlds), how far each choice won each of them. A single world has no standard error: 0.
    """
    total = 0.0
    apart = 0.0
    for world in range(worlds):
        difference = float(won[action, world]) - float(won[other, world])
        total += difference
        apart += difference * difference
    if apart == 0.0 or worlds < 2:
        return 0.0
    return total / math.sqrt(apart)


@kernel
def best_choice(tree: Tree, usual: int) -> int:
    """The choice that leads the usual one by most standard errors, if by more than CONVINCED; else the usual one."""
    best = usual
    most = CONVINCED
    for action in range(NUM_ACTIONS):
        if tree.visits[0, action] > 0 and action != usual:
            both = min(tree.visits[0, action], tree.visits[0, usual])
            ahead = lead(tree.won, both, action, usual)
            if ahead > most:
                most = ahead
                best = action
    return best


@kernel
def keep_better(tree: Tree, left: npt.NDArray[np.bool_], usual: int, keep: int) -> None:
    """Of the choices left keep so many: the usual one and those that won the largest share."""
    while left.sum() > keep:
        worst = NOWHERE
        lowest = 2.0
        for action in range(NUM_ACTIONS):
            if left[action] and action != usual:
                share = tree.wins[0, action] / tree.visits[0, action]
                if share < lowest:
                    lowest = share
                    worst = action
        left[worst] = False


@kernel
def try_world(tree: Tree, desk: Desk, view: Record, params: Record, seed: int, action: int) -> None:
    """Let a choice at the root meet its next world, and go down the tree as long as what is seen is in it.

    Then the world is played on, and every choice on the way down is told how far one's camp won.
    """
    seat = int(view["seat"])
    world = tree.visits[0, action]
    open_stream(desk.streams[0], seed, world, TRIED)
    resample(view, params, desk.evidence[0], PLAYING, desk.streams[0], desk.games[0])
    node = 0
    length = 0
    mask = desk.row[OBSERVATION_SIZE : OBSERVATION_SIZE + NUM_ACTIONS]
    while node != NOWHERE and length < MOST_DECISIONS:
        if node != 0:
            usual = choose_by_rule(desk, mask, desk.streams[1])
            action = pick(mask, tree.visits[node], tree.wins[node], usual, desk.streams[1])
        tree.path[0, length] = node
        tree.path[1, length] = action
        length += 1
        engine.step(desk.games[0], params, action)
        node_before = node
        node = NOWHERE
        if play_on(desk, params, seat) == seat:
            see(desk, params)
            node = find_node(tree, sight_key(desk.row, node_before, action))
    play_on(desk, params, NOWHERE)
    won = worth(desk, params, int(CAMPS[int(view["private"]["role"])]))
    tree.won[tree.path[1, 0], world] = won
    for place in range(length):
        tree.visits[tree.path[0, place], tree.path[1, place]] += 1
        tree.wins[tree.path[0, place], tree.path[1, place]] += won


@kernel
def halve(
    tree: Tree, desk: Desk, view: Record, params: Record, mask: Vector, usual: int, seed: int, worlds: int, turns: int
) -> None:
    """Spend about so many worlds, each played on for so many turns, on the choices at the root, most on the best.

    turns: this one and those after it; TO_THE_END for all. Every choice meets its worlds in the same order, so that
    those left have met the same ones.
    """
    desk.last_turn[0] = int(view["table"]["turn"]) + turns
    left = mask.astype(np.bool_)
    choices = left.sum()
    halvings = max(1, math.ceil(math.log2(choices)))
    for _ in range(halvings):
        each = max(1, worlds // (halvings * left.sum()))
        for action in range(NUM_ACTIONS):
            if left[action]:
                for _ in range(min(each, tree.won.shape[1] - tree.visits[0, action])):
                    try_world(tree, desk, view, params, seed, action)
        keep_better(tree, left, usual, max(2, (left.sum() + 1) // 2))
