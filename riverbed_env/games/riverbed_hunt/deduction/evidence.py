"""The evidence about roles that an observer may use: the input of the posterior."""

import numpy as np

from riverbed_env.kernels.compile import Record

from ..rules import vocab as v
from ..rules.stack import signed_byte_of
from . import kernel
from .claims import HEARD_FIELDS, NUM_HEARD, NUM_TALLIES, UNKNOWN_TILE, hear, hear_nothing, truth_of

FIRST = 6  # the feature of a tile with its first element from the top
MOST = 8  # tallies are clipped to -MOST … MOST

# Seats are by seat number or counted from the observer, as the code that fills the evidence chooses.
EVIDENCE = np.dtype(
    [
        ("num_players", np.int64),
        ("cards", np.int64, (v.NUM_ROLES,)),  # role cards of this player count, including the one left over
        ("may_be_spare", np.int64, (v.NUM_ROLES,)),  # 1 if the card left over may be of this role (RH-1.2)
        ("known", np.int64, (v.MAX_SEATS,)),  # the Role if the observer knows it, else UNKNOWN
        ("tallies", np.float64, (v.MAX_SEATS, NUM_TALLIES + NUM_HEARD)),  # Deeds and Choices, -MOST to MOST; Heard
        ("asks", np.int8, (v.MAX_SEATS, v.MAX_SEATS)),  # co-ops in which the first seat asked the second
        *HEARD_FIELDS,
    ],
    align=True,
)


@kernel
def lay_out_cards(params: Record, evidence: Record) -> None:
    """RH-1.2: write the role cards for this number of players, and which of them may be left over."""
    evidence["num_players"] = params["num_players"]
    evidence["cards"][:] = 0
    evidence["may_be_spare"][:] = 0
    for place in range(int(params["num_players"])):
        if params["role_cards"][place] != v.Role.UNKNOWN:
            evidence["cards"][int(params["role_cards"][place])] += 1
    for choice in range(2):
        role = int(params["role_choice"][choice])
        if role != v.Role.UNKNOWN:
            evidence["cards"][role] += 1
            evidence["may_be_spare"][role] = 1


@kernel
def gather(view: Record, params: Record, evidence: Record) -> None:
    """RH-8.1, RH-8.2: write the evidence of a view, by seat number: public tallies and roles the observer knows."""
    num_players = int(view["table"]["num_players"])
    gather_public(view["table"], params, evidence)
    for seat in range(num_players):
        evidence["known"][seat] = max(int(evidence["known"][seat]), int(view["private"]["looked"][seat]))
    if 0 <= int(view["seat"]) < num_players:
        evidence["known"][int(view["seat"])] = int(view["private"]["role"])
    if params["talk"]:
        gather_words(view, params, evidence)


@kernel
def gather_words(view: Record, params: Record, evidence: Record) -> None:
    """RH-9.7: write the evidence of what the others claim."""
    truths = np.zeros(v.NUM_SPACES, np.int8)
    for space in range(v.NUM_SPACES):
        tile = int(view["private"]["known"][space])
        truths[space] = UNKNOWN_TILE if tile == v.NO_TILE else truth_of(int(params["features"][tile, FIRST]))
    hear(evidence, view["table"]["tile_words"], view["table"]["seat_words"], truths, int(view["seat"]))


@kernel
def gather_public(table: Record, params: Record, evidence: Record) -> None:
    """RH-8.1: write the public evidence, by seat number."""
    num_players = int(table["num_players"])
    lay_out_cards(params, evidence)
    evidence["known"][:] = v.Role.UNKNOWN
    evidence["tallies"][:] = 0.0
    evidence["asks"][:] = 0
    hear_nothing(evidence)
    for seat in range(num_players):
        evidence["known"][seat] = table["role"][seat]
        deeds = int(table["deeds"][seat])
        choices = int(table["choices"][seat])
        for deed in range(v.NUM_DEEDS):
            evidence["tallies"][seat, deed] = max(-MOST, min(MOST, signed_byte_of(deeds, deed)))
        for choice in range(v.NUM_CHOICES):
            evidence["tallies"][seat, v.NUM_DEEDS + choice] = max(-MOST, min(MOST, signed_byte_of(choices, choice)))
        asked = seat
        for place in range(num_players - 1):
            asked = 0 if asked == num_players - 1 else asked + 1
            evidence["asks"][seat, asked] = signed_byte_of(int(table["asks"][seat]), place)
    for place in range(int(table["depth"])):  # RH-5.6: a power is declared before the role card is turned
        frame = table["frames"][place]
        if frame["source"] == v.Source.HUNT:
            evidence["known"][int(frame["carrier"])] = v.Role.LEADER
        elif frame["source"] == v.Source.CON:
            evidence["known"][int(frame["carrier"])] = v.Role.PROFITEER
