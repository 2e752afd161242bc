"""RH-8.3: evidence about tiles from the seats that looked at them and left them face-down.

A seat turns up tiles that help its camp, so a tile that it knows and leaves face-down probably doesn't help. The model
of looks: given the roles, each seat that has looked at the tile on a space multiplies the odds of the tile by a factor.
Its logarithm is linear in the tile's elements, Hunt icon and text, and depends on the seat's role and situation. The
weights are fitted to games; see `weights`. A placement's probability is proportional to the product over spaces.
What seats claim of the tile multiplies its odds too; see `evidence`.
"""

import math
from enum import IntEnum

import numpy as np

from riverbed_env.kernels.compile import Floats, Record, Records
from riverbed_env.kernels.random import below, uniform

from ..rules import vocab as v
from ..rules.board import within_reach
from . import kernel
from .evidence import FIRST, NUM_CLAIMED, truth_of
from .weights import BEARS, LOOKS


class Situation(IntEnum):
    """The situation of a seat that has looked at a tile which is still face-down."""

    AWAY = 0  # the tile is no longer within its reach
    NOT_ASKED = 1  # within reach, but nobody has asked the seat for a co-op
    ASKED = 2  # … somebody has
    PASSED_OVER = 3  # … and the seat has turned up an unseen tile although it had looked at one within reach


NUM_SITUATIONS = len(Situation)
NUM_LEANINGS = 5  # features of a tile that count: kelp, log, coin, Hunt icon, text
NUM_WITH_TRUTH = NUM_LEANINGS + NUM_CLAIMED  # … and which claim about it would be true
ROUNDS = 16  # proposed exchanges for each tile looked at


@kernel
def conduct(evidence: Record, seat: int) -> int:
    """The situation of a seat that has looked at a tile within its reach."""
    if evidence["tallies"][seat, v.NUM_DEEDS + v.Choice.PASSED_OVER] > 0.0:
        return Situation.PASSED_OVER
    for other in range(int(evidence["num_players"])):
        if evidence["asks"][other, seat] > 0:
            return Situation.ASKED
    return Situation.NOT_ASKED


@kernel
def count_lookers(view: Record, params: Record, evidence: Record, private: Records, lookers: Floats) -> None:
    """Count the seats that have looked at each face-down tile, except the view's own.

    private: (MAX_SEATS + 1,), the seats' roles. lookers: (NUM_SPACES, NUM_SITUATIONS, NUM_ROLES), written.
    """
    lookers[:] = 0.0
    table = view["table"]
    for seat in range(int(table["num_players"])):
        seen = int(table["seen"][seat]) & int(table["face_down"])
        if seat == view["seat"] or seen == 0:
            continue
        situation_in_reach = conduct(evidence, seat)
        reach = within_reach(table, params, seat)
        role = int(private[seat]["role"])
        for space in range(v.NUM_SPACES):
            if (seen >> space) & 1:
                situation: int = Situation.AWAY
                if (reach >> space) & 1:
                    situation = situation_in_reach
                lookers[space, situation, role] += 1.0


@kernel
def count_claimers(view: Record, evidence: Record, private: Records, claimers: Floats) -> None:
    """RH-9.7: count the seats that claim something of each tile that the view's seat doesn't know, by their credence.

    private: as for `count_lookers`. claimers: (NUM_SPACES, 2 NUM_CLAIMED, NUM_ROLES), written: what is claimed by seats
    that haven't looked at the tile, then by those that have.
    """
    claimers[:] = 0.0
    for seat in range(int(evidence["num_players"])):
        seen = int(view["table"]["seen"][seat])
        for space in range(v.NUM_SPACES):
            said = int(evidence["tile_said"][seat, space])
            if said > 0:
                saw = (seen >> space) & 1
                claimers[space, NUM_CLAIMED * saw + said - 1, int(private[seat]["role"])] += evidence["credence"][seat]


@kernel
def lean(counts: Floats, weights: Floats, first: int, leanings: Floats) -> None:
    """Add the log odds of a unit of each feature, from `first` on, of the tile on each space.

    counts: (NUM_SPACES, kinds, NUM_ROLES), of seats; weights: (kinds, NUM_ROLES, features). leanings: (NUM_SPACES,
    NUM_WITH_TRUTH).
    """
    for space in range(v.NUM_SPACES):
        for kind in range(counts.shape[1]):
            for role in range(v.NUM_ROLES):
                if counts[space, kind, role] > 0.0:
                    for feature in range(weights.shape[2]):
                        leanings[space, first + feature] += counts[space, kind, role] * weights[kind, role, feature]


@kernel
def odds_of_exchange(params: Record, first: int, second: int, at_first: Floats, at_second: Floats) -> float:
    """The log odds of exchanging two tiles that lie on spaces with these leanings; see `lean`."""
    log_odds = 0.0
    for feature in range(NUM_LEANINGS):
        more = int(params["features"][second, feature]) - int(params["features"][first, feature])
        log_odds += (at_first[feature] - at_second[feature]) * more
    first_truth = NUM_LEANINGS - 1 + truth_of(int(params["features"][first, FIRST]))
    second_truth = NUM_LEANINGS - 1 + truth_of(int(params["features"][second, FIRST]))
    log_odds += at_first[second_truth] - at_first[first_truth]
    log_odds += at_second[first_truth] - at_second[second_truth]
    return float(log_odds)


@kernel
def weigh_looks(view: Record, params: Record, evidence: Record, stream: Record, game: Record) -> None:
    """Turn a uniform placement of the tiles into one drawn under the model of looks, given the game's roles.

    A Metropolis walk: an exchange of two tiles that may lie on each other's spaces is accepted by its odds. It
    proposes ROUNDS exchanges for each tile looked at, enough to be indistinguishable from an exact draw. evidence: of
    the view. game: `tile_at` is written.
    """
    lookers = np.empty((v.NUM_SPACES, NUM_SITUATIONS, v.NUM_ROLES), np.float64)
    claimers = np.empty((v.NUM_SPACES, 2 * NUM_CLAIMED, v.NUM_ROLES), np.float64)
    leanings = np.zeros((v.NUM_SPACES, NUM_WITH_TRUTH), np.float64)
    count_lookers(view, params, evidence, game["private"], lookers)
    count_claimers(view, evidence, game["private"], claimers)
    count = int(view["table"]["num_players"]) - v.MIN_PLAYERS
    lean(lookers, LOOKS[count], 0, leanings)
    lean(claimers, BEARS[count], NUM_LEANINGS, leanings)
    possible = view["private"]["possible"]
    tile_at = game["tile_at"]
    unknown = np.empty(v.NUM_SPACES, np.int64)
    looked_at = np.empty(v.NUM_SPACES, np.int64)
    size = 0
    looks = 0
    for space in range(v.NUM_SPACES):
        if tile_at[space] != v.NO_TILE and view["private"]["known"][space] == v.NO_TILE:
            unknown[size] = space
            size += 1
            if lookers[space].sum() + claimers[space].sum() > 0.0:
                looked_at[looks] = space
                looks += 1
    for _ in range(ROUNDS * looks):
        first = looked_at[below(stream, looks)]
        second = unknown[below(stream, size)]
        first_tile = int(tile_at[first])
        second_tile = int(tile_at[second])
        if (int(possible[first_tile - 1]) >> second) & (int(possible[second_tile - 1]) >> first) & 1:
            log_odds = odds_of_exchange(params, first_tile, second_tile, leanings[first], leanings[second])
            if log_odds >= 0.0 or uniform(stream) < math.exp(log_odds):
                tile_at[first] = second_tile
                tile_at[second] = first_tile
