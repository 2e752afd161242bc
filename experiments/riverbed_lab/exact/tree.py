"""The tree of a small game in sequence form, compiled from the engine.

An information set is all that a seat saw and did at its decisions, and what it sees now: perfect recall. A sequence is
an information set of a seat and an action there; it stands for the seat's whole line of play up to that action.
Sequence 0 is every seat's empty one. (Koller, Megiddo and von Stengel, "Fast algorithms for finding randomized
strategies in game trees", 1994.)
"""

from __future__ import annotations

import hashlib
from array import array
from dataclasses import dataclass, field
from typing import Any, NamedTuple

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import take_records
from riverbed_env.errors import OptionError
from riverbed_env.kernels.compile import Floats, Whole
from riverbed_env.small import SmallGame

CHUNK = 1024  # positions taken on at once; the deepest first, so that few wait
PROBES = 2000  # random games that estimate the size
MOST_BYTES = 8 * 2**30
SET_BYTES = 200  # of a decision while the tree is built: a set's key, example and numbers
LEAF_BYTES = 46  # of a leaf besides its sequences, with what sorting them takes
DIGEST = 16  # bytes of the key of an information set


class Size(NamedTuple):
    """How large a tree is, or is estimated to be.

    Args:
        histories: positions, ended ones too.
        decisions: those in which a seat chooses.
        bytes: memory while it is built, at most.
    """

    histories: float
    decisions: float
    bytes: float


@dataclass(frozen=True, eq=False)
class Tree:
    """A small game's tree. Information sets are sorted by seat, then by how many decisions of the seat come before.

    Args:
        small: the game.
        histories: how many positions it has, ended ones too.
        deals: how many deals it begins with.
        seat: the seat of each information set, (I,) int8.
        role: the role that the seat has there, (I,) int8; a seat knows its own.
        parent: the seat's own sequence before the set, (I,) int64.
        first: the first sequence of each set, (I + 1,) int64; those of set i are first[i] to first[i + 1] - 1.
        actions: the action of each sequence, (S,) int64; -1 for sequence 0.
        clock: how many decisions, forced ones too, were taken in the game before each set, (I,) int64.
        levels: for each seat, where each of its levels begins, and the end.
        ends: the last sequence of each seat at each leaf, (Z, seats) int32.
        chances: the probability of the chance before each leaf, (Z,) float64.
        outcomes: which outcome a leaf has, (Z,) int64.
        returns: of each outcome, (O, seats) float64.
        winners: the camp that wins in each outcome, -1 for none, (O,) int64.
        roles: who holds which role in each outcome, (O, seats) int64.
        deal: the deal of an example of each set, (I,) int32.
        path: the actions from that deal to the set, one example after the other, uint8.
        path_first: where each set's begins, (I + 1,) int64.
    """

    small: SmallGame
    histories: int
    deals: int
    seat: npt.NDArray[np.int8]
    role: npt.NDArray[np.int8]
    parent: Whole
    first: Whole
    actions: Whole
    clock: Whole
    levels: tuple[tuple[int, ...], ...]
    ends: npt.NDArray[np.int32]
    chances: Floats
    outcomes: Whole
    returns: Floats
    winners: Whole
    roles: Whole
    deal: npt.NDArray[np.int32]
    path: npt.NDArray[np.uint8]
    path_first: Whole

    @property
    def num_sets(self) -> int:
        """How many information sets there are."""
        return len(self.seat)

    @property
    def num_sequences(self) -> int:
        """How many sequences there are, the empty one included."""
        return len(self.actions)

    @property
    def nbytes(self) -> int:
        """The bytes of its arrays."""
        return sum(each.nbytes for each in vars(self).values() if isinstance(each, np.ndarray))

    def set_of(self) -> Whole:
        """The information set of each sequence but the empty one, (S - 1,)."""
        return np.repeat(np.arange(self.num_sets), np.diff(self.first))

    def example(self, number: int) -> tuple[int, bytes]:
        """A deal and the actions from it to an information set."""
        return int(self.deal[number]), self.path[self.path_first[number] : self.path_first[number + 1]].tobytes()

    def positions(self, sets: Whole) -> npt.NDArray[np.void]:
        """A position of each of these information sets; those of a set look the same to its seat.

        Args:
            sets: (n,), all with examples of the same length.

        Returns:
            (n,) game records.
        """
        games, _ = self.small.deals()
        games = take_records(games, self.deal[sets].astype(np.int64))
        begins = self.path_first[sets]
        for step in range(self.path_first[sets[0] + 1] - begins[0]):
            taken = self.path[begins + step].astype(np.int64)
            games = self.small.after(games, np.arange(len(games)), taken)[0]
        return games


@dataclass
class _Front:
    """Positions of one depth that wait to be taken on; the arrays have a row for each.

    sequences: the last sequence of each seat; paths: the actions from the deal on.
    """

    games: npt.NDArray[np.void]
    seats: Whole
    deals: Whole
    sequences: npt.NDArray[np.int32]
    paths: npt.NDArray[np.uint8]

    def __getitem__(self, places: Any) -> _Front:
        chosen = np.arange(len(self.seats))[places]
        rest = (each[chosen] for each in (self.seats, self.deals, self.sequences, self.paths))
        return _Front(take_records(self.games, chosen), *rest)


class _Sets:
    """The information sets found so far, by key, in arrays that grow: a list's numbers take up to ten times the room.

    owner: the set of each sequence; deal, path and path_first: of an example of each set, as in `Tree`.
    """

    def __init__(self) -> None:
        self.numbers: dict[bytes, int] = {}
        self.seat, self.parent, self.level, self.clock, self.deal = (array("i") for _ in range(5))
        self.first, self.actions, self.owner = array("i", [1]), array("i", [-1]), array("i", [-1])
        self.path, self.path_first = bytearray(), array("q", [0])

    def firsts_of(self, front: _Front, seen: npt.NDArray[np.int8], masks: npt.NDArray[np.int8], clock: Whole) -> Whole:
        """The first sequence of each position's information set, (n,); new sets are added."""
        found = np.zeros(len(seen), np.int64)
        own = front.sequences[np.arange(len(seen)), front.seats]
        for place, (seat, before) in enumerate(zip(front.seats.tolist(), own.tolist(), strict=True)):
            told = before.to_bytes(4, "little") + bytes([seat]) + seen[place].tobytes()
            key = hashlib.blake2b(told, digest_size=DIGEST).digest()
            number = self.numbers.get(key)
            if number is None:
                number = self.numbers[key] = len(self.seat)
                self._add(seat, before, np.flatnonzero(masks[place]).tolist())
                self.clock.append(int(clock[place]))
                self.deal.append(int(front.deals[place]))
                self.path += front.paths[place].tobytes()
                self.path_first.append(len(self.path))
            found[place] = self.first[number]
        return found

    def _add(self, seat: int, before: int, actions: list[int]) -> None:
        self.owner.extend([len(self.seat)] * len(actions))
        self.level.append(self.level[self.owner[before]] + 1 if before else 0)
        self.seat.append(seat)
        self.parent.append(before)
        self.actions.extend(actions)
        self.first.append(len(self.actions))


@dataclass
class _Leaves:
    """The leaves found so far, chunk by chunk; an outcome is who has which role, and who wins.

    kinds: who has which role in each deal, as a number; returns: by outcome.
    """

    kinds: Whole
    ends: list[npt.NDArray[np.int32]] = field(default_factory=list)
    deals: list[npt.NDArray[np.int32]] = field(default_factory=list)
    outcomes: list[npt.NDArray[np.int32]] = field(default_factory=list)
    returns: dict[int, Floats] = field(default_factory=dict)

    def add(self, ends: npt.NDArray[np.int32], deals: Whole, winners: Whole, returns: npt.NDArray[np.float32]) -> None:
        """Add leaves with what each is worth."""
        outcomes = (self.kinds[deals] << 8) + winners + 1
        for outcome, place in zip(*np.unique(outcomes, return_index=True), strict=True):
            self.returns.setdefault(int(outcome), returns[place].astype(np.float64))
        self.ends.append(ends)
        self.deals.append(deals.astype(np.int32))
        self.outcomes.append(outcomes.astype(np.int32))

    def taken(self, name: str) -> npt.NDArray[np.int32]:
        """An array of all leaves, whose chunks are given up."""
        chunks = getattr(self, name)
        whole: npt.NDArray[np.int32] = np.concatenate(chunks)
        chunks.clear()
        return whole


def build_tree(small: SmallGame, most_bytes: int = MOST_BYTES) -> Tree:
    """The whole tree of a small game.

    Args:
        small: the game, see `find_small`.
        most_bytes: how much memory building it may take, by an estimate made before.

    Returns:
        The tree.

    Raises:
        OptionError: the tree is too large, chance is drawn after the deal, or a seat has no action left.
    """
    size = estimate_size(small)
    if size.bytes > most_bytes:
        raise OptionError(
            f"{small.name} has about {size.histories:.2g} histories and needs up to {size.bytes:.2g} bytes, more than "
            f"{most_bytes:,}"
        )
    games, chances = small.deals()
    roles = small.rules.roles_of(games).astype(np.int64)
    count = len(games)
    start = np.zeros((count, small.num_players), np.int32), np.zeros((count, 0), np.uint8)
    waiting = [_Front(games, small.seats(games), np.arange(count), *start)]
    groups, kinds = np.unique(roles, axis=0, return_inverse=True)
    sets, leaves, histories = _Sets(), _Leaves(kinds.reshape(-1)), count
    while waiting:
        front = waiting.pop()
        if len(front.seats) > CHUNK:
            waiting.append(front[CHUNK:])
            front = front[:CHUNK]
        after, reached = _taken_on(small, sets, leaves, front)
        histories += reached
        if len(after.seats):
            waiting.append(after)
    return _compiled(small, sets, leaves, chances, roles, groups, histories)


def _taken_on(small: SmallGame, sets: _Sets, leaves: _Leaves, front: _Front) -> tuple[_Front, int]:
    """What follows on these positions: those in play, and how many there are with the leaves, which are added."""
    seen, masks = _observed(small, front.games, front.seats)
    firsts = sets.firsts_of(front, seen, masks, small.rules.columns(front.games)["decisions"].astype(np.int64))
    places, actions = np.nonzero(masks)
    widths = masks.sum(axis=1, dtype=np.int64)
    rank = np.arange(len(places)) - (widths.cumsum() - widths)[places]
    games, seats, ended, returns = small.after(front.games, places, actions)
    _refuse_chance(small, games)
    sequences = front.sequences[places]
    sequences[np.arange(len(places)), front.seats[places]] = firsts[places] + rank
    deals, paths = front.deals[places], np.column_stack([front.paths[places], actions.astype(np.uint8)])
    over = ended != 0
    if over.any():
        winners = small.rules.columns(take_records(games, np.flatnonzero(over)))["winner"].astype(np.int64)
        leaves.add(sequences[over], deals[over], winners, returns[over])
    return _Front(games, seats, deals, sequences, paths)[~over], len(over)


def _observed(
    small: SmallGame, games: npt.NDArray[np.void], seats: Whole
) -> tuple[npt.NDArray[np.int8], npt.NDArray[np.int8]]:
    """What the seats see and may do; see `SmallGame.observe`. Raises OptionError if a seat may do nothing."""
    seen, masks = small.observe(games, seats)
    if not masks.any(axis=1).all():
        raise OptionError(f"{small.name}: a seat has no action left, since all it could do is barred")
    return seen, masks


def _refuse_chance(small: SmallGame, games: npt.NDArray[np.void]) -> None:
    """Raise OptionError if any game drew from its stream of chance: the tree knows the chance of the deal alone."""
    stream = small.rules.kernels.chance_stream
    drawn = games["chance"]["drawn"] if "chance" in (games.dtype.names or ()) else np.zeros(1)
    if stream is not None and drawn.any():
        raise OptionError(f"{small.name}: chance is drawn after the deal (a shuffle, say), which a tree can't hold")


def _compiled(
    small: SmallGame, sets: _Sets, leaves: _Leaves, chances: Floats, roles: Whole, groups: Whole, histories: int
) -> Tree:
    """The tree with its sets sorted by seat and level, and like leaves made one."""
    seat, level, first = np.array(sets.seat, np.int8), np.array(sets.level), np.array(sets.first)
    order = np.lexsort((level, seat))
    widths = np.diff(first)
    starts = 1 + np.concatenate([[0], widths[order].cumsum()])
    renamed = np.zeros(len(sets.actions), np.int64)  # the new number of each sequence
    old = np.repeat(first[order], widths[order]) + np.arange(starts[-1] - 1) - np.repeat(starts[:-1] - 1, widths[order])
    renamed[old] = np.arange(1, starts[-1])
    sets.numbers.clear()  # what follows needs the room
    ends, deals = leaves.taken("ends"), leaves.taken("deals")
    for seat_ends in ends.T:
        seat_ends[:] = renamed[seat_ends]
    codes, outcomes = np.unique(leaves.taken("outcomes"), return_inverse=True)
    merged = _merged(ends, outcomes.reshape(-1).astype(np.int16), chances, deals)
    bounds = [np.flatnonzero(seat[order] == each) for each in range(small.num_players)]
    lengths, begins = np.diff(sets.path_first)[order], np.array(sets.path_first)[order]
    path_first = np.concatenate([[0], lengths.cumsum()])
    deal = np.array(sets.deal)[order]
    return Tree(
        small,
        histories,
        len(chances),
        seat[order],
        roles[deal, seat[order]].astype(np.int8),
        renamed[np.array(sets.parent)[order]],
        starts,
        np.concatenate([[-1], np.array(sets.actions)[old]]),
        np.array(sets.clock)[order].astype(np.int64),
        tuple(_levels(level[order], places) for places in bounds),
        *merged,
        _whole_shares(np.array([leaves.returns[code] for code in codes.tolist()])),
        (codes & 255) - 1,
        groups[codes >> 8],
        deal,
        np.frombuffer(sets.path, np.uint8)[np.repeat(begins - path_first[:-1], lengths) + np.arange(path_first[-1])],
        path_first,
    )


def _levels(level: Whole, places: Whole) -> tuple[int, ...]:
    """Where each level of a seat's sets begins, and the end; sorted sets at these places."""
    if not len(places):
        return (0,)
    counted = np.bincount(level[places]).cumsum()
    return (int(places[0]), *(places[0] + counted).tolist())


def _merged(
    ends: npt.NDArray[np.int32], outcomes: npt.NDArray[np.int16], chances: Floats, deals: npt.NDArray[np.int32]
) -> tuple[npt.NDArray[np.int32], Floats, Whole]:
    """Leaves with the same sequences and outcome as one, with the sum of their chances."""
    order = np.lexsort((outcomes, *ends.T))
    begins = np.arange(len(order)) == 0
    for column in (*ends.T, outcomes):
        begins[1:] |= np.diff(column[order]) != 0
    kept = order[begins]
    chance = np.add.reduceat(chances[deals[order]], np.flatnonzero(begins))
    return ends[kept], chance, outcomes[kept].astype(np.int64)


def _whole_shares(returns: Floats) -> Floats:
    """Returns of 0, 1/n or -1/n in double precision, found again from the engine's single one."""
    shares = np.round(1 / np.where(returns == 0, 1, returns))
    return np.where(returns == 0, 0.0, 1 / shares)


def estimate_size(small: SmallGame, probes: int = PROBES, seed: int = 0) -> Size:
    """Estimate the size of a tree by random games (Knuth, "Estimating the efficiency of backtrack programs", 1975).

    Args:
        small: the game.
        probes: how many random games.
        seed: of NumPy's generator.

    Returns:
        The estimate; it has no bias, but few probes may miss what is rare.
    """
    rng = np.random.default_rng(seed)
    games, _ = small.deals()
    weight = np.full(probes, float(len(games)))
    games = take_records(games, rng.integers(len(games), size=probes))
    seats = small.seats(games)
    histories, decisions = float(len(games)), 0.0
    while len(games):
        decisions += weight.sum() / probes
        _, masks = _observed(small, games, seats)
        widths = masks.sum(axis=1)
        chosen = (masks.cumsum(axis=1) > (rng.random(len(games)) * widths)[:, None]).argmax(axis=1)
        games, seats, ended, _ = small.after(games, np.arange(len(games)), chosen)
        weight = weight * widths
        histories += weight.sum() / probes
        playing = np.flatnonzero(ended == 0)
        games, seats, weight = take_records(games, playing), seats[playing], weight[playing]
    leaf = 4 * small.num_players + LEAF_BYTES
    return Size(histories, decisions, (histories - decisions) * leaf + decisions * SET_BYTES)
