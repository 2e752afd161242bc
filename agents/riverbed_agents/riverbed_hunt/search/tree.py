"""Monte-Carlo tree search over sampled worlds.

At each decision the agent samples worlds from its view (`riverbed_env.deduction.resample`) and plays them on
(`rollout`). At the root, actions share worlds: the n-th trial of each action uses the n-th world with the same future
chance, and worlds go to the best actions so far (sequential halving: Karnin, Koren and Somekh 2013). The rule-based
action is kept unless another one beats it significantly on the worlds that both have played. Below the root is a tree
of the agent's own information states, identified by its observations, so that hidden information can't influence a
choice (Cowling, Powley and Whitehouse 2012). A node follows the rule-based agent until it has been visited often, then
widens (UCB1).
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
from riverbed_env.kernels.memory import viewed
from riverbed_env.kernels.random import TRIED, below, open_stream

from ..observation_reader import kernel
from .rollout import NOWHERE, RolloutBuffers, choose_by_rule, observe_next, play_on, worth

Vector = npt.NDArray[np.int8]
Counts = npt.NDArray[np.int64]
Numbers = npt.NDArray[np.float64]
Shares = npt.NDArray[np.float32]

MOST_NODES = 4096  # once the tree is full, worlds are played out from the existing nodes
MOST_DECISIONS = 32  # own decisions on one path down the tree
WIDEN = 40  # visits of a node below the root for each action that it tries
EXPLORATION = 0.4
CONVINCED = 2.0  # standard errors by which an action must lead the rule-based one; 1.0 and 3.0 gained less in tests
WORD = 0x3FFFFFFFFFFFFFFF  # 62 bits, so that arithmetic stays within an int64


class Tree(NamedTuple):
    """A search tree.

    visits, wins: (nodes, NUM_ACTIONS), trials of each action and the sum of their results; node 0 is the root. keys,
    nodes: (2 * nodes,), a hash table from what was observed to a node. size: (1,), nodes in use. path: (2,
    MOST_DECISIONS), nodes and actions of the current path. won: (NUM_ACTIONS, worlds), results at the root, 0 to 1.
    """

    visits: Counts
    wins: Numbers
    keys: Counts
    nodes: Counts
    size: Counts
    path: Counts
    won: Shares


@kernel
def make_tree(budget: int) -> Tree:
    """An empty tree for at most `budget` worlds per action."""
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
def observation_key(row: Vector, node: int, action: int) -> int:
    """A hash, at least 1, of what is observed after an action at a node: FNV-1a over words, 62 bits."""
    key = (1469598103934665603 ^ (node * NUM_ACTIONS + action)) & WORD
    words = viewed(row, np.int64)
    for place in range(len(words)):
        key = (key ^ (int(words[place]) & WORD)) * 1099511628211 & WORD
        key ^= key >> 29
    return max(1, key)


@kernel
def find_node(tree: Tree, key: int) -> int:
    """The node of a key. A new key returns NOWHERE and is added as a node, unless the tree is full."""
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
    """The action at a node below the root: UCB1 among the actions tried, and a new one after every WIDEN visits."""
    total = 0
    tried = 0
    for action in range(NUM_ACTIONS):
        total += visits[action]
        tried += int(visits[action] > 0)
    if total < WIDEN * tried or tried == 0:
        return best_bound(mask, visits, wins, usual, total)
    untried = 0
    chosen = usual
    for action in range(NUM_ACTIONS):
        if mask[action] and visits[action] == 0:
            untried += 1
            if below(stream, untried) == 0:
                chosen = action
    if untried == 0:
        return best_bound(mask, visits, wins, usual, total)
    return chosen


@kernel
def best_bound(mask: Vector, visits: Counts, wins: Numbers, usual: int, total: int) -> int:
    """UCB1: the action tried with the highest bound; the rule-based one if none was tried."""
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
    """By how many standard errors an action leads another one on the first `worlds` worlds, which both have played.

    won: (NUM_ACTIONS, worlds or more), the results. Returns 0 for a single world, which has no standard error.
    """
    total = 0.0
    squares = 0.0
    for world in range(worlds):
        difference = float(won[action, world]) - float(won[other, world])
        total += difference
        squares += difference * difference
    if squares == 0.0 or worlds < 2:
        return 0.0
    return total / math.sqrt(squares)


@kernel
def best_choice(tree: Tree, usual: int) -> int:
    """The action that leads the rule-based one by most, if by more than CONVINCED; else the rule-based one."""
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
    """Keep `keep` of the remaining actions: the rule-based one and those with the best mean result."""
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
def try_world(tree: Tree, buffers: RolloutBuffers, view: Record, params: Record, seed: int, action: int) -> None:
    """Try an action at the root in its next world: descend the tree, play the world on and update the path."""
    seat = int(view["seat"])
    world = tree.visits[0, action]
    open_stream(buffers.streams[0], seed, world, TRIED)
    resample(view, params, buffers.evidence[0], PLAYING, buffers.streams[0], buffers.games[0])
    node = 0
    length = 0
    mask = buffers.row[OBSERVATION_SIZE : OBSERVATION_SIZE + NUM_ACTIONS]
    while node != NOWHERE and length < MOST_DECISIONS:
        if node != 0:
            usual = choose_by_rule(buffers, mask, buffers.streams[1])
            action = pick(mask, tree.visits[node], tree.wins[node], usual, buffers.streams[1])
        tree.path[0, length] = node
        tree.path[1, length] = action
        length += 1
        engine.step(buffers.games[0], params, action)
        node_before = node
        node = NOWHERE
        if play_on(buffers, params, seat) == seat:
            observe_next(buffers, params)
            node = find_node(tree, observation_key(buffers.row, node_before, action))
    play_on(buffers, params, NOWHERE)
    won = worth(buffers, params, seat)
    tree.won[tree.path[1, 0], world] = won
    for place in range(length):
        tree.visits[tree.path[0, place], tree.path[1, place]] += 1
        tree.wins[tree.path[0, place], tree.path[1, place]] += won


@kernel
def halve(
    tree: Tree,
    buffers: RolloutBuffers,
    view: Record,
    params: Record,
    mask: Vector,
    usual: int,
    seed: int,
    worlds: int,
    turns: int,
) -> None:
    """Spend about `worlds` worlds on the actions at the root, most of them on the best actions.

    turns: turns for which a world is played on, the current one included. Every action plays the worlds in the same
    order, so the remaining actions have played the same ones.
    """
    buffers.last_turn[0] = int(view["table"]["turn"]) + turns
    left = mask.astype(np.bool_)
    choices = left.sum()
    halvings = max(1, math.ceil(math.log2(choices)))
    for _ in range(halvings):
        each = max(1, worlds // (halvings * left.sum()))
        for action in range(NUM_ACTIONS):
            if left[action]:
                for _ in range(min(each, tree.won.shape[1] - tree.visits[0, action])):
                    try_world(tree, buffers, view, params, seed, action)
        keep_better(tree, left, usual, max(2, (left.sum() + 1) // 2))
