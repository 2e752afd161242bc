"""What a policy is worth on a tree: values, best responses and gaps, in float64 over all leaves.

A policy is one float64 number for each sequence, the probability of its action in its information set; the number of
sequence 0 isn't read. It holds the policies of all seats.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Whole

from .tree import Tree

TOLERANCE = 1e-9  # of the sum of a set's probabilities
STARTS = 8  # random policies from which a camp's joint best response is sought, beside its own
ROUNDS = 50  # of best responses in turn


def uniform_policy(tree: Tree) -> Floats:
    """Every legal action with the same probability, (S,)."""
    widths = np.diff(tree.first)
    return np.concatenate([[1.0], np.repeat(1 / widths, widths)])


def paying_wins(tree: Tree) -> Tree:
    """The same tree with the returns that self-play learns from.

    Args:
        tree: the tree.

    Returns:
        It pays 1 to each seat of the camp that wins and 0 to the others; where nobody wins, all seats get 1 divided by
        the number of the game's camps.
    """
    rules = tree.small.rules
    won = rules.camps_of(tree.roles.astype(np.int8)) == tree.winners[:, None]
    return replace(tree, returns=np.where(tree.winners[:, None] < 0, 1 / len(rules.camps), won.astype(np.float64)))


def check_policy(tree: Tree, policy: npt.ArrayLike) -> Floats:
    """The policy as (S,) float64. Raises OptionError unless each set has probabilities that sum to 1."""
    given = np.asarray(policy, np.float64)
    if given.shape != (tree.num_sequences,):
        raise OptionError(f"a policy needs {tree.num_sequences:,} probabilities, one a sequence, not {given.shape}")
    sums = np.add.reduceat(given, tree.first[:-1]) if tree.num_sets else np.ones(0)
    wrong = np.flatnonzero(~(np.abs(sums - 1) <= TOLERANCE) | (np.minimum.reduceat(given, tree.first[:-1]) < 0))
    if len(wrong):
        raise OptionError(
            f"the policy misses {len(wrong):,} of {tree.num_sets:,} information sets: in set {wrong[0]} its "
            f"probabilities sum to {sums[wrong[0]]:.6g} or aren't all from 0 to 1"
        )
    return given


def plans_of(tree: Tree, policy: Floats) -> Floats:
    """The realization plan of each seat, (S,): the product of a seat's own probabilities along each sequence."""
    plans = policy.copy()
    plans[0] = 1
    for bounds in tree.levels:
        for begin, end in pairwise(bounds):
            span = slice(tree.first[begin], tree.first[end])
            plans[span] *= np.repeat(plans[tree.parent[begin:end]], np.diff(tree.first[begin : end + 1]))
    return plans


def reaches(tree: Tree, plans: Floats, seat: int | None = None) -> Floats:
    """The probability that chance and all seats but one, or all where it is None, come to each leaf, (Z,)."""
    product = tree.chances.copy()
    for other in range(tree.small.num_players):
        if other != seat:
            product *= plans[tree.ends[:, other]]
    return product


def returns_by_sequence(tree: Tree, reach: Floats, paid: Floats, seat: int) -> Floats:
    """The sum over the leaves after each sequence of a seat, (S,), and not after a longer one. reach, paid: (Z,)."""
    return np.bincount(tree.ends[:, seat], reach * paid, tree.num_sequences).astype(np.float64)


def back_up(
    tree: Tree, seat: int, own: Floats, policy: Floats | None, fixed: npt.NDArray[np.bool_] | None = None
) -> tuple[Floats, Floats]:
    """The values of a seat's sequences, (S,), and sets, (I,), from what follows each sequence at once.

    Args:
        tree: the tree.
        seat: the seat.
        own: see `returns_by_sequence`.
        policy: what the seat plays; None for a best response.
        fixed: (I,), sets in which it plays `policy` although it responds best elsewhere; None if it does one alone.

    Returns:
        The values, weighted by how likely the others and chance make them.
    """
    sequences, sets = own.copy(), np.zeros(tree.num_sets)
    bounds = tree.levels[seat]
    for begin, end in reversed(list(pairwise(bounds))):
        span, starts = slice(tree.first[begin], tree.first[end]), tree.first[begin:end] - tree.first[begin]
        if policy is None or fixed is not None:
            sets[begin:end] = np.maximum.reduceat(sequences[span], starts)
        if policy is not None:
            means = np.add.reduceat(sequences[span] * policy[span], starts)
            sets[begin:end] = means if fixed is None else np.where(fixed[begin:end], means, sets[begin:end])
        sequences += np.bincount(tree.parent[begin:end], sets[begin:end], tree.num_sequences)
    return sequences, sets


def greedy_in(tree: Tree, sequences: Floats, policy: Floats, changing: npt.NDArray[np.bool_]) -> Floats:
    """The policy with the best sequence taken in the `changing` sets, (I,)."""
    best = np.maximum.reduceat(sequences, tree.first[:-1])
    owner = tree.set_of()
    ties = np.flatnonzero(sequences[1:] >= best[owner]) + 1
    chosen = np.zeros(tree.num_sequences)
    chosen[ties[np.unique(owner[ties - 1], return_index=True)[1]]] = 1
    return np.where(np.concatenate([[False], changing[owner]]), chosen, policy)


def exact_beliefs(tree: Tree, policy: npt.ArrayLike) -> Floats:
    """What a seat that knows the policy concludes about roles in each information set, by Bayes' rule.

    Args:
        tree: the tree.
        policy: (S,), what all seats play.

    Returns:
        The probability of each seat's role, (I, seats, roles) float64; NaN in sets that the policy never comes to.

    Raises:
        OptionError: the policy misses information sets.
    """
    likely = reaches(tree, plans_of(tree, check_policy(tree, policy)))
    deals, kind = np.unique(tree.roles, axis=0, return_inverse=True)
    beliefs = np.zeros((tree.num_sets, *deals.shape[1:], len(tree.small.rules.roles)))
    seats, every = range(deals.shape[1]), np.ones(tree.num_sequences)
    for number, roles in enumerate(deals):
        given = likely * (kind.reshape(-1)[tree.outcomes] == number)
        come = np.zeros(tree.num_sets)
        for seat in seats:
            come += back_up(tree, seat, returns_by_sequence(tree, given, every[:1], seat), every)[1]
        beliefs[:, seats, roles] += come[:, None]
    totals = beliefs.sum(axis=2, keepdims=True)
    shares: Floats = np.divide(beliefs, totals, out=np.full_like(beliefs, np.nan), where=totals > 0)
    return shares


@dataclass(frozen=True)
class CampGain:
    """What the seats of a camp gain when they change their policies together, each on what it sees alone.

    Args:
        low: what best responses in turn found, from several starts: a policy attains it.
        high: a bound that no policies exceed.
    """

    low: float
    high: float


@dataclass(frozen=True)
class Exact:
    """What a policy is worth.

    Args:
        values: each seat's expected return, (seats,).
        best: each seat's return when it alone responds best, (seats,).
        by_role: role -> its value, and what the seats gain by responding best where they have it, each given that the
            role is dealt.
        wins: camp -> how often it wins; "nobody" -> how often none does.
        camps: camp -> what its seats gain together, on average of its members' returns.
    """

    values: Floats
    best: Floats
    by_role: dict[str, tuple[float, float]]
    wins: dict[str, float]
    camps: dict[str, CampGain]

    @property
    def gains(self) -> Floats:
        """What each seat gains by responding best, (seats,)."""
        return self.best - self.values

    @property
    def nash_conv(self) -> float:
        """The sum of the seats' gains."""
        return float(self.gains.sum())

    @property
    def cce_gap(self) -> float:
        """The largest gain of a seat: how far the policies are from a coarse correlated equilibrium."""
        return float(self.gains.max())


def evaluate_exactly(tree: Tree, policy: npt.ArrayLike, *, camps: bool = True) -> Exact:
    """What a policy is worth, and what each seat and camp could gain against it.

    Args:
        tree: the tree.
        policy: (S,), the probability of each sequence's action in its set.
        camps: whether to seek the camps' joint gains too, which takes most of the time.

    Returns:
        The values. Sums over leaves in float64: rounding errors are below 1e-15 times the number of leaves.

    Raises:
        OptionError: the policy misses information sets.
    """
    given = check_policy(tree, policy)
    plans, seats = plans_of(tree, given), range(tree.small.num_players)
    values, best = np.zeros(len(seats)), np.zeros(len(seats))
    rules = tree.small.rules
    gains = np.zeros(len(rules.roles))
    for seat in seats:
        reach, paid = reaches(tree, plans, seat), tree.returns[tree.outcomes, seat]
        own = returns_by_sequence(tree, reach, paid, seat)
        values[seat] = (reach * plans[tree.ends[:, seat]] * paid).sum()
        roots = np.flatnonzero((tree.seat == seat) & (tree.parent == 0))
        gain = (back_up(tree, seat, own, None)[1] - back_up(tree, seat, own, given)[1])[roots]
        best[seat] = values[seat] + gain.sum()
        gains += np.bincount(tree.role[roots], gain, len(gains))
    likely = reaches(tree, plans)
    share = np.bincount(tree.outcomes, likely, len(tree.winners))  # of each outcome
    by_role = {}
    for number, name in enumerate(rules.roles):
        held = tree.roles == number
        dealt = share @ held.sum(axis=1)
        if dealt > 0:
            by_role[name] = (float(share @ (held * tree.returns).sum(axis=1) / dealt), float(gains[number] / dealt))
    wins = {name: float(share[tree.winners == number].sum()) for number, name in enumerate(rules.camps)}
    wins["nobody"] = float(share[tree.winners < 0].sum())
    together = {name: camp_gain(tree, given, number) for number, name in enumerate(rules.camps)} if camps else {}
    return Exact(values, best, by_role, wins, {name: gain for name, gain in together.items() if gain is not None})


def camp_gain(tree: Tree, policy: Floats, camp: int) -> CampGain | None:
    """What the seats of a camp gain together, each on what it sees alone; None for a camp that isn't dealt."""
    paid, several = _paid_to(tree, camp)
    if not several:
        return None
    changing = _camps(tree)[tree.role] == camp
    value = _camp_value(tree, policy, paid)
    best = _in_turn(tree, policy, paid, changing)
    if several == 1:  # its only member responds best alone
        return CampGain(best - value, best - value)
    rng = np.random.default_rng(0)
    for _ in range(STARTS):
        start = greedy_in(tree, rng.random(tree.num_sequences), policy, changing)
        best = max(best, _in_turn(tree, start, paid, changing))
    return CampGain(best - value, joint_bound(tree, policy, paid, camp) - value)


def _camps(tree: Tree) -> Whole:
    """The camp's number of each role."""
    rules = tree.small.rules
    return np.array([rules.camps.index(rules.camp_of_role[role]) for role in rules.roles])


def _paid_to(tree: Tree, camp: int) -> tuple[Floats, int]:
    """The mean return of a camp's members at each leaf, (Z,), and how many members it has at most."""
    members = _camps(tree)[tree.roles] == camp
    counts = members.sum(axis=1)
    return ((tree.returns * members).sum(axis=1) / np.maximum(counts, 1))[tree.outcomes], int(counts.max())


def _camp_value(tree: Tree, policy: Floats, paid: Floats) -> float:
    return float(reaches(tree, plans_of(tree, policy)) @ paid)


def _in_turn(tree: Tree, policy: Floats, paid: Floats, changing: npt.NDArray[np.bool_]) -> float:
    """The value that best responses of one seat after another come to."""
    value = _camp_value(tree, policy, paid)
    for _ in range(ROUNDS):
        before = value
        for seat in range(tree.small.num_players):
            own = returns_by_sequence(tree, reaches(tree, plans_of(tree, policy), seat), paid, seat)
            sequences, _ = back_up(tree, seat, own, policy, ~changing)
            policy = greedy_in(tree, sequences, policy, changing & (tree.seat == seat))
        value = _camp_value(tree, policy, paid)
        if value <= before + TOLERANCE:
            break
    return max(value, before)


def joint_bound(tree: Tree, policy: Floats, paid: Floats, camp: int) -> float:
    """The value of a camp whose members know each other and share all that each saw and did at its decisions.

    That is one player with perfect recall, so its best response is found by backing up, and no policies of members who
    see less are worth more. Where members decide at the same moment of the clock, the bound is the largest return.
    """
    plans, camps = plans_of(tree, policy), _camps(tree)[tree.roles] == camp
    members, group = np.unique(camps, axis=0, return_inverse=True)
    total = 0.0
    for number, team in enumerate(members):
        leaves = np.flatnonzero(group.reshape(-1)[tree.outcomes] == number)
        weights = tree.chances[leaves] * paid[leaves]
        for seat in np.flatnonzero(~team):
            weights *= plans[tree.ends[leaves, seat]]
        if team.any():
            value = _backed_up_together(tree, tree.ends[np.ix_(leaves, team)].astype(np.int64), weights)
            if value is None:
                return float(paid.max())
            total += value
    return total


def _backed_up_together(tree: Tree, rows: Whole, values: Floats) -> float | None:
    """The value of the best joint policy, from values by the last sequences of each member, (n, members).

    None if two members decide at the same moment of the clock, so that their order isn't known.
    """
    owner = np.concatenate([[-1], tree.set_of()])
    clock = np.concatenate([[-1], tree.clock])[owner + 1]
    while True:
        rows, values = _summed(rows, values)
        times = clock[rows]
        latest = times.max()
        if latest < 0:
            return float(values.sum())
        if ((times == latest).sum(axis=1) > 1).any():
            return None
        moved = np.flatnonzero(times.max(axis=1) == latest)
        who, before = times[moved].argmax(axis=1), rows[moved].copy()
        sets = owner[before[np.arange(len(moved)), who]]
        before[np.arange(len(moved)), who] = tree.parent[sets]
        # The rows of one joint information set are the actions there.
        keys, inverse = np.unique(np.column_stack([before, sets]), axis=0, return_inverse=True)
        best = np.full(len(keys), -np.inf)
        np.maximum.at(best, inverse.reshape(-1), values[moved])
        rest = np.ones(len(rows), bool)
        rest[moved] = False
        rows, values = np.concatenate([rows[rest], keys[:, :-1]]), np.concatenate([values[rest], best])


def _summed(rows: Whole, values: Floats) -> tuple[Whole, Floats]:
    """Different rows with the sums of their values."""
    kept, inverse = np.unique(rows, axis=0, return_inverse=True)
    return kept, np.bincount(inverse.reshape(-1), values, len(kept)).astype(np.float64)
