"""Tabular solvers on a tree: CFR, CFR+ and magnetic mirror descent.

Zinkevich et al., "Regret minimization in games with incomplete information", 2007; Tammelin, "Solving large imperfect
information games using CFR+", 2014; Sokota et al., "A unified approach to reinforcement learning, quantal response
equilibria, and two-player zero-sum games", 2023. With more than two seats none of them need come to an equilibrium.
"""

from __future__ import annotations

from abc import ABC, abstractmethod

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Floats

from .tree import Tree
from .values import back_up, plans_of, reaches, returns_by_sequence, uniform_policy

NOISE = 1e-14  # regrets below it are rounding errors: regret matching would make a choice of them


def normalized(tree: Tree, weights: Floats) -> Floats:
    """The weights of each set's sequences, (S,), as probabilities; equal ones where all are 0."""
    widths = np.diff(tree.first)
    sums = np.repeat(np.add.reduceat(weights, tree.first[:-1]), widths)
    even = np.repeat(1 / widths, widths)
    policy = np.ones(tree.num_sequences)
    policy[1:] = np.divide(weights[1:], sums, out=even, where=sums > 0)
    return policy


class Solver(ABC):
    """Changes the policy of one seat after another, once an iteration.

    Args:
        tree: the tree.
        seed: of the policy that it begins with, drawn uniformly in each set; None for uniform play.

    Attributes:
        current: the policy that it plays now, (S,).
        iterations: how many it has done.
    """

    def __init__(self, tree: Tree, seed: int | None = None) -> None:
        self.tree = tree
        self.current = uniform_policy(tree)
        if seed is not None:
            self.current = normalized(tree, np.random.default_rng(seed).exponential(size=tree.num_sequences))
        self.iterations = 0
        self._seat_of = np.concatenate([[-1], np.repeat(tree.seat, np.diff(tree.first))])

    def run(self, iterations: int) -> None:
        """Do some iterations.

        Args:
            iterations: how many.
        """
        for _ in range(iterations):
            self.iterations += 1
            for seat in range(self.tree.small.num_players):
                values, reach = self._values(seat)
                sets = np.add.reduceat(values * self.current, self.tree.first[:-1])
                gains = np.zeros(self.tree.num_sequences)
                gains[1:] = values[1:] - np.repeat(sets, np.diff(self.tree.first))
                self._update(self._seat_of == seat, gains, reach)

    def _values(self, seat: int) -> tuple[Floats, Floats]:
        """The values of a seat's sequences, (S,), and how likely chance and the others make each leaf, (Z,)."""
        reach = reaches(self.tree, plans_of(self.tree, self.current), seat)
        own = returns_by_sequence(self.tree, reach, self.tree.returns[self.tree.outcomes, seat], seat)
        return back_up(self.tree, seat, own, self.current)[0], reach

    @abstractmethod
    def _update(self, own: npt.NDArray[np.bool_], gains: Floats, reach: Floats) -> None:
        """Change `current` in a seat's sequences, `own`, by what each gains on the policy, weighted by the others."""

    @abstractmethod
    def policy(self) -> Floats:
        """The policy that the solver has come to, (S,)."""


class CFR(Solver):
    """Counterfactual regret minimization with alternating updates; the average policy counts."""

    floor = -np.inf  # of the sums of regrets

    def __init__(self, tree: Tree, seed: int | None = None) -> None:
        super().__init__(tree, seed)
        self.regrets, self.plans = np.zeros(tree.num_sequences), np.zeros(tree.num_sequences)

    def _weight(self) -> float:
        """The weight of this iteration in the average."""
        return 1.0

    def _update(self, own: npt.NDArray[np.bool_], gains: Floats, reach: Floats) -> None:
        self.plans[own] += self._weight() * plans_of(self.tree, self.current)[own]
        self.regrets[own] = np.maximum(self.regrets[own] + gains[own], self.floor)
        self.current[own] = normalized(self.tree, np.where(self.regrets > NOISE, self.regrets, 0))[own]

    def policy(self) -> Floats:
        """The average policy, (S,)."""
        return normalized(self.tree, self.plans)


class CFRPlus(CFR):
    """CFR+: regrets never fall below 0, and iteration t has weight t in the average."""

    floor = 0.0

    def _weight(self) -> float:
        return float(self.iterations)


class MirrorDescent(Solver):
    """Magnetic mirror descent in each set, with the uniform policy as its magnet; the policy of the moment counts.

    Args:
        tree: the tree.
        seed: of the first policy, as every solver's.
        step: of the first iteration, in returns; it falls with the square root of the iterations.
        pull: of the magnet, which falls likewise.
    """

    def __init__(self, tree: Tree, seed: int | None = None, step: float = 10.0, pull: float = 0.1) -> None:
        super().__init__(tree, seed)
        self.step, self.pull = step, pull
        self._logits = np.log(self.current)

    def _update(self, own: npt.NDArray[np.bool_], gains: Floats, reach: Floats) -> None:
        step, pull = (each / np.sqrt(self.iterations) for each in (self.step, self.pull))
        self._logits[own] = (self._logits[own] + step * (gains / self._likely(reach, own))[own]) / (1 + step * pull)
        raised = self._logits[1:] - np.repeat(
            np.maximum.reduceat(self._logits, self.tree.first[:-1]), np.diff(self.tree.first)
        )
        self.current[own] = normalized(self.tree, np.concatenate([[1.0], np.exp(raised)]))[own]

    def _likely(self, reach: Floats, own: npt.NDArray[np.bool_]) -> Floats:
        """How likely chance and the others make each sequence's set, (S,); 1 where they never come there."""
        seat = int(self._seat_of[own][0])
        certain = returns_by_sequence(self.tree, reach, np.ones(len(reach)), seat)
        _, sets = back_up(self.tree, seat, certain, self.current)
        likely = np.concatenate([[1.0], np.repeat(sets, np.diff(self.tree.first))])
        return np.where(likely > 0, likely, 1.0)

    def policy(self) -> Floats:
        """The policy of the moment, (S,)."""
        return self.current
