"""Exact answers on small games: the whole tree, what a policy is worth in it, and solvers."""

from .agents import exact_rows, policy_of
from .sampling import MCCFR
from .solvers import CFR, CFRPlus, MirrorDescent, Solver
from .tree import Size, Tree, build_tree, estimate_size
from .values import CampGain, Exact, evaluate_exactly, exact_beliefs, paying_wins, uniform_policy

__all__ = [
    "CFR",
    "MCCFR",
    "CFRPlus",
    "CampGain",
    "Exact",
    "MirrorDescent",
    "Size",
    "Solver",
    "Tree",
    "build_tree",
    "estimate_size",
    "evaluate_exactly",
    "exact_beliefs",
    "exact_rows",
    "paying_wins",
    "policy_of",
    "uniform_policy",
]
