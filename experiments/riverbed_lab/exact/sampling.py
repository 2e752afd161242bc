"""External-sampling MCCFR on a tree: the others' actions are drawn, all deals and all own actions are followed.

Lanctot et al., "Monte Carlo sampling for regret minimization in extensive games", 2009.
"""

from __future__ import annotations

from pathlib import Path
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Floats, KernelFamily, Whole
from riverbed_env.kernels.random import AGENTS, STREAM, open_stream, uniform

from .solvers import CFR
from .tree import Tree

kernel = KernelFamily("exact", Path(__file__).parent)


class Lines(NamedTuple):
    """All lines of play as nodes, breadth first; deals that no seat tells apart share them. Node 0 is the beginning.

    first: the first child of each node, (N + 1,) int64; sequence: the one that ends in each node, (N,) int64; pay: the
    returns of what ends there, weighted by chance, (N, seats); seat: of each sequence, (S,); begin, end: the first
    sequence of its set, and the first after it, (S,).
    """

    first: Whole
    sequence: Whole
    pay: Floats
    seat: Whole
    begin: Whole
    end: Whole


class Visited(NamedTuple):
    """Room for the nodes that a sample visits, (N,) each: their numbers, whence each was reached, and their values."""

    nodes: Whole
    above: Whole
    values: Floats


def lines_of(tree: Tree) -> Lines:
    """The lines of play of a tree."""
    paths = _paths(tree)
    order = np.lexsort(paths.T[::-1])
    paths = paths[order]
    changed = np.zeros(len(paths), np.bool_)
    changed[:1] = True
    last = np.zeros(len(paths), np.int64)  # the deepest node of each leaf so far
    sequences, parents = [np.zeros(1, np.int64)], [np.zeros(0, np.int64)]
    count = 1
    for column in paths.T:
        changed[1:] |= column[1:] != column[:-1]
        new = np.flatnonzero(changed & (column > 0))
        sequences.append(column[new].astype(np.int64))
        parents.append(last[new])
        last = np.where(column > 0, count - 1 + (changed & (column > 0)).cumsum(), last)
        count += len(new)
    weighted = tree.chances[:, None] * tree.returns[tree.outcomes]
    pay = np.stack([np.bincount(last, each, count).astype(np.float64) for each in weighted[order].T], axis=1)
    above = np.concatenate(parents)  # ascending, since the nodes come breadth first
    owner = np.concatenate([[0], tree.set_of()])
    return Lines(
        1 + np.searchsorted(above, np.arange(count + 1)),
        np.concatenate(sequences),
        pay,
        np.concatenate([[-1], tree.seat[owner[1:]]]),
        tree.first[owner],
        tree.first[owner + 1],
    )


def _paths(tree: Tree) -> npt.NDArray[np.int32]:
    """The sequences of all seats before each leaf by the clock, (Z, decisions); 0 after the last."""
    owner = np.concatenate([[-1], tree.set_of()])
    chains, times = list[Whole](), list[Whole]()
    for ends in tree.ends.T.astype(np.int64):
        chain = ends
        while chain.any():
            chains.append(chain)
            times.append(np.where(chain > 0, tree.clock[owner[chain]], np.iinfo(np.int64).max))
            chain = np.where(chain > 0, tree.parent[owner[chain]], 0)
    order = np.argsort(np.stack(times, axis=1), axis=1, kind="stable")
    paths = np.take_along_axis(np.stack(chains, axis=1), order, axis=1)
    return paths[:, paths.any(axis=0)].astype(np.int32)


@kernel
def add_sampled(
    lines: Lines, policy: Floats, seat: int, streams: npt.NDArray[np.void], visited: Visited, out: Floats
) -> None:
    """Draw the others' actions and add what a seat's sequences gain by them to `out`, (S,)."""
    nodes, above, values = visited
    nodes[0], count, place = 0, 1, 0
    while place < count:
        node = nodes[place]
        values[place] = lines.pay[node, seat]
        child, stop = lines.first[node], lines.first[node + 1]
        while child < stop:
            begin, end = lines.begin[lines.sequence[child]], lines.end[lines.sequence[child]]
            own = lines.seat[begin] == seat
            taken = begin
            if not own:
                left = uniform(streams[0])
                while taken < end - 1 and left >= policy[taken]:
                    left -= policy[taken]
                    taken += 1
            while child < stop and lines.sequence[child] < end:
                if own or lines.sequence[child] == taken:
                    nodes[count], above[count] = child, place
                    count += 1
                child += 1
        place += 1
    for place in range(count - 1, 0, -1):
        sequence, value = lines.sequence[nodes[place]], values[place]
        if lines.seat[sequence] == seat:
            out[sequence] += value
            value *= policy[sequence]
        values[above[place]] += value
    out[0] += values[0]


class MCCFR(CFR):
    """CFR with sampled regrets, without bias: a seat follows all of its own actions, against drawn ones of the others.

    The average policy is exact, as CFR's.

    Args:
        tree: the tree.
        seed: of the first policy, as every solver's, and of the draws; None: uniform play, and the draws of seed 0.
    """

    def __init__(self, tree: Tree, seed: int | None = None) -> None:
        super().__init__(tree, seed)
        self._lines = lines_of(tree)
        count = len(self._lines.sequence)
        self._visited = Visited(np.zeros(count, np.int64), np.zeros(count, np.int64), np.zeros(count))
        self._streams = np.zeros(1, STREAM)
        open_stream(self._streams[0], seed or 0, 0, AGENTS)

    def _values(self, seat: int) -> tuple[Floats, Floats]:
        values = np.zeros(self.tree.num_sequences)
        add_sampled(self._lines, self.current, seat, self._streams, self._visited, values)
        return values, np.zeros(0)
