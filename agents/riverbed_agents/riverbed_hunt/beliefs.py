"""Role posteriors computed from an observation, by the kernels of `riverbed_env.deduction`."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

from riverbed_env.deduction.claims import UNKNOWN_TILE, hear, hear_nothing, truth_of
from riverbed_env.deduction.evidence import EVIDENCE, MOST
from riverbed_env.deduction.posterior import PLAYING, weigh_roles
from riverbed_env.games.riverbed_hunt.content.pack import make_params
from riverbed_env.games.riverbed_hunt.rules.pieces import AT
from riverbed_env.games.riverbed_hunt.rules.vocab import (
    MAX_SEATS,
    MIN_PLAYERS,
    NUM_CHOICES,
    NUM_DEEDS,
    NUM_ROLES,
    NUM_SOURCES,
    NUM_SPACES,
    Role,
    Source,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import Record

from .observation_reader import FIRST, Vector, feature, is_known, kernel, known_role


def _role_cards() -> tuple[npt.NDArray[np.int64], npt.NDArray[np.int64]]:
    """RH-1.2: by (player count, role), the cards of each role, and 1 for roles whose card may be left over."""
    counts = range(MIN_PLAYERS, MAX_SEATS + 1)
    cards, spare = np.zeros((len(counts), NUM_ROLES), np.int64), np.zeros((len(counts), NUM_ROLES), np.int64)
    for place, num_players in enumerate(counts):
        params = make_params(num_players=num_players)[0][0]
        for role in [*params["role_cards"][:num_players], *params["role_choice"]]:
            if role != Role.UNKNOWN:
                cards[place, role] += 1
        for role in params["role_choice"]:
            if role != Role.UNKNOWN:
                spare[place, role] = 1
    return cards, spare


ROLE_CARDS, MAY_BE_SPARE = _role_cards()


@kernel
def gather(observation: Vector, evidence: Record) -> None:
    """Fill `evidence` from an observation of view "history"; seats are counted from the observer."""
    place = one_hot(observation, AT.num_players, MAX_SEATS - MIN_PLAYERS + 1)
    num_players = place + MIN_PLAYERS
    evidence["num_players"] = num_players
    for role in range(NUM_ROLES):
        evidence["cards"][role] = ROLE_CARDS[place, role]
        evidence["may_be_spare"][role] = MAY_BE_SPARE[place, role]
    evidence["known"][:] = Role.UNKNOWN
    evidence["tallies"][:] = 0.0
    evidence["asks"][:] = 0
    for seat in range(num_players):
        evidence["known"][seat] = known_role(observation, seat)
        for deed in range(NUM_DEEDS):
            count = int(observation[AT.deeds + seat * NUM_DEEDS + deed])
            evidence["tallies"][seat, deed] = max(-MOST, min(MOST, count))
        for choice in range(NUM_CHOICES):
            count = int(observation[AT.choices + seat * NUM_CHOICES + choice])
            evidence["tallies"][seat, NUM_DEEDS + choice] = max(-MOST, min(MOST, count))
        asked = seat
        for between in range(num_players - 1):
            asked = 0 if asked == num_players - 1 else asked + 1
            evidence["asks"][seat, asked] = int(observation[AT.asks + seat * (MAX_SEATS - 1) + between])
    source = one_hot(observation, AT.source, NUM_SOURCES)
    if source == Source.HUNT:  # RH-5.6: a power is declared before the role card is turned
        evidence["known"][one_hot(observation, AT.carrier, MAX_SEATS)] = Role.LEADER
    elif source == Source.CON:
        evidence["known"][one_hot(observation, AT.carrier, MAX_SEATS)] = Role.PROFITEER
    evidence["known"][0] = one_hot(observation, AT.own_role, NUM_ROLES)
    hear_nothing(evidence)
    if not observation[AT.talk]:
        gather_words(observation, evidence)


@kernel
def gather_words(observation: Vector, evidence: Record) -> None:
    """RH-9.7: write the evidence of what the others claim."""
    truths = np.zeros(NUM_SPACES, np.int8)
    for space in range(NUM_SPACES):
        truths[space] = UNKNOWN_TILE
        if is_known(observation, space):
            truths[space] = truth_of(feature(observation, space, FIRST))
    tile_words = observation[AT.tile_words : AT.tile_words + MAX_SEATS * NUM_SPACES]
    seat_words = observation[AT.seat_words : AT.seat_words + MAX_SEATS * MAX_SEATS]
    hear(evidence, tile_words.reshape(MAX_SEATS, NUM_SPACES), seat_words.reshape(MAX_SEATS, MAX_SEATS), truths, 0)


@kernel
def believe(observation: Vector, beliefs: npt.NDArray[np.float64], model: int = PLAYING) -> int:
    """Write the probability that each seat has each role; return the number of players.

    observation: of view "history". beliefs (MAX_SEATS, NUM_ROLES): written, the observer in row 0, rows past the
    players 0. Assumes the role cards of the default pack.
    """
    evidence = np.empty(1, EVIDENCE)
    gather(observation, evidence[0])
    weigh_roles(evidence[0], model, beliefs)
    return int(evidence[0]["num_players"])
