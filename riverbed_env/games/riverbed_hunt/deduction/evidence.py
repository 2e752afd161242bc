"""The evidence that an observer may use: of roles, the input of the posterior; RH-9: and of words.

The model of talk: given the roles, each seat's claims are independent. A claim of one's own camp, tile claims that the
listener knows to be true or false, and the elements claimed of unknown tiles multiply the odds of the speaker's role; a
claim about another seat multiplies the odds of both roles; and a claim about an unknown tile multiplies the odds of
what lies there by a factor of the speaker's role, weaker the more often the speaker was found to be wrong. The factors
are fitted to games; see `weights`. Nobody learns from their own words.
"""

from enum import IntEnum

import numpy as np

from riverbed_env.kernels.compile import Record, Vector

from ..rules import vocab as v
from ..rules.stack import signed_byte_of
from . import kernel

Words = Vector


class Heard(IntEnum):
    """What is counted of each seat's words."""

    IS_MERCHANT = 0  # claims to be of the merchants
    IS_SEPARATIST = 1
    IS_PROFITEER = 2
    TRUE_TILES = 3  # tile claims that the listener knows to be true
    FALSE_TILES = 4
    KELPS = 5  # claims of kelp on tiles that the listener doesn't know
    LOGS = 6
    COINS = 7


NUM_HEARD = len(Heard)
NUM_TALLIES = v.NUM_DEEDS + v.NUM_CHOICES  # without what was heard
NUM_CLAIMED = 4  # what a tile may be said to bear: kelp, log, coin, none of them
UNKNOWN_TILE = 0
assert v.NUM_CAMPS == Heard.TRUE_TILES
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
        # What the evidence has of words beside what was heard of each seat, which follows its tallies.
        ("words", np.int64),  # 0: there are none
        ("said", np.int8, (v.MAX_SEATS, v.MAX_SEATS)),  # 1 + the camp that the first seat claims the second to be of
        ("tile_said", np.int8, (v.MAX_SEATS, v.NUM_SPACES)),  # what each claims of a tile unknown to the listener
        ("credence", np.float64, (v.MAX_SEATS,)),  # how far each seat's claims about tiles can be believed, 0 to 1
    ],
    align=True,
)


@kernel
def truth_of(first_element: int) -> int:
    """The true claim about a tile with this feature `first`: 1 + kelp, log, coin, none of them."""
    if first_element == 0:
        return NUM_CLAIMED
    return first_element


@kernel
def hear(evidence: Record, tile_words: Words, seat_words: Words, truths: Words, listener: int) -> None:
    """Write the evidence of the words that stand, except for the listener's own.

    tile_words (MAX_SEATS, NUM_SPACES), seat_words (MAX_SEATS, MAX_SEATS): the words by speaker, in the code of the
    observation. truths (NUM_SPACES,): the true claim about each tile that the listener knows, UNKNOWN_TILE else.
    listener: its seat as the evidence counts seats; -1 for the public.
    """
    num_players = int(evidence["num_players"])
    evidence["words"] = 1
    for speaker in range(num_players):
        if speaker == listener:
            continue
        for about in range(num_players):
            camp = int(seat_words[speaker, about]) & 3
            if camp > 0 and about == speaker:
                evidence["tallies"][speaker, NUM_TALLIES + Heard.IS_MERCHANT + camp - 1] = 1.0
            elif camp > 0:
                evidence["said"][speaker, about] = camp
        hear_of_tiles(evidence, tile_words, truths, speaker)


@kernel
def hear_of_tiles(evidence: Record, tile_words: Words, truths: Words, speaker: int) -> None:
    """Write a seat's claims about tiles, and how far it can be believed."""
    heard = evidence["tallies"][speaker, NUM_TALLIES:]
    for space in range(v.NUM_SPACES):
        word = int(tile_words[speaker, space]) & 15
        if word == 0:
            continue
        truth = int(truths[space])
        if truth != UNKNOWN_TILE:
            if (word - 1) % NUM_CLAIMED + 1 == truth:
                heard[Heard.TRUE_TILES] += 1.0
            else:
                heard[Heard.FALSE_TILES] += 1.0
        elif word <= NUM_CLAIMED:
            evidence["tile_said"][speaker, space] = word
            if word < NUM_CLAIMED:
                heard[Heard.KELPS + word - 1] += 1.0
    right, wrong = heard[Heard.TRUE_TILES], heard[Heard.FALSE_TILES]
    evidence["credence"][speaker] = (1.0 + right) / (1.0 + right + 2.0 * wrong)


@kernel
def hear_nothing(evidence: Record) -> None:
    """Clear the evidence of all words."""
    evidence["words"] = 0
    evidence["tallies"][:, NUM_TALLIES:] = 0.0
    evidence["said"][:] = 0
    evidence["tile_said"][:] = 0
    evidence["credence"][:] = 1.0


@kernel
def gather(view: Record, params: Record, evidence: Record) -> None:
    """RH-8.1, RH-8.2: write the evidence of a view, by seat number: public tallies and roles the observer knows."""
    num_players = int(view["table"]["num_players"])
    gather_public(view["table"], params, evidence)
    for seat in range(num_players):
        evidence["known"][seat] = max(int(evidence["known"][seat]), int(view["private"]["looked"][seat]))
    if 0 <= int(view["seat"]) < num_players:
        evidence["known"][int(view["seat"])] = int(view["private"]["role"])
    if params["talk"]:  # RH-9.7: what the others claim
        truths = np.zeros(v.NUM_SPACES, np.int8)
        for space in range(v.NUM_SPACES):
            tile = int(view["private"]["known"][space])
            truths[space] = UNKNOWN_TILE if tile == v.NO_TILE else truth_of(int(params["features"][tile, FIRST]))
        hear(evidence, view["table"]["tile_words"], view["table"]["seat_words"], truths, int(view["seat"]))


@kernel
def gather_public(table: Record, params: Record, evidence: Record) -> None:
    """RH-8.1: write the public evidence, by seat number."""
    num_players = int(table["num_players"])
    evidence["num_players"] = num_players
    evidence["cards"][:] = 0  # RH-1.2
    evidence["may_be_spare"][:] = 0
    for place in range(num_players):
        if params["role_cards"][place] != v.Role.UNKNOWN:
            evidence["cards"][int(params["role_cards"][place])] += 1
    for choice in range(2):
        role = int(params["role_choice"][choice])
        if role != v.Role.UNKNOWN:
            evidence["cards"][role] += 1
            evidence["may_be_spare"][role] = 1
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
