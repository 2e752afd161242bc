"""RH-9: what a listener takes from what is said: the words that stand as evidence about roles and tiles.

The model of talk: given the roles, each seat's claims are independent. A claim of one's own camp, tile claims that the
listener knows to be true or false, and the elements claimed of unknown tiles multiply the odds of the speaker's role; a
claim about another seat multiplies the odds of both roles; and a claim about an unknown tile multiplies the odds of
what lies there by a factor of the speaker's role, weaker the more often the speaker was found to be wrong. The factors
are fitted to games; see `weights`. Nobody learns from their own words.
"""

from enum import IntEnum

import numpy as np
import numpy.typing as npt

from riverbed_env.kernels.compile import Record

from ..rules.vocab import MAX_SEATS, NUM_CAMPS, NUM_CHOICES, NUM_DEEDS, NUM_SPACES
from . import kernel

Words = npt.NDArray[np.int8]


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
NUM_TALLIES = NUM_DEEDS + NUM_CHOICES  # without what was heard
NUM_CLAIMED = 4  # what a tile may be said to bear: kelp, log, coin, none of them
UNKNOWN_TILE = 0


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
    evidence["words"] = 1
    for speaker in range(int(evidence["num_players"])):
        if speaker != listener:
            hear_of_seats(evidence, seat_words, speaker)
            hear_of_tiles(evidence, tile_words, truths, speaker)


@kernel
def hear_of_seats(evidence: Record, seat_words: Words, speaker: int) -> None:
    """Write a seat's claims of camps."""
    for about in range(int(evidence["num_players"])):
        camp = int(seat_words[speaker, about]) & 3
        if camp > 0 and about == speaker:
            evidence["tallies"][speaker, NUM_TALLIES + Heard.IS_MERCHANT + camp - 1] = 1.0
        elif camp > 0:
            evidence["said"][speaker, about] = camp


@kernel
def hear_of_tiles(evidence: Record, tile_words: Words, truths: Words, speaker: int) -> None:
    """Write a seat's claims about tiles, and how far it can be believed."""
    heard = evidence["tallies"][speaker, NUM_TALLIES:]
    for space in range(NUM_SPACES):
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


# What the evidence has of words beside what was heard of each seat, which follows its tallies. Seats as in the rest.
HEARD_FIELDS: list[tuple[str, type[np.generic], tuple[int, ...]]] = [
    ("words", np.int64, ()),  # 0: there are none
    ("said", np.int8, (MAX_SEATS, MAX_SEATS)),  # 1 + the camp that the first seat claims the second to be of; 0 none
    ("tile_said", np.int8, (MAX_SEATS, NUM_SPACES)),  # what each seat claims of a tile unknown to the listener
    ("credence", np.float64, (MAX_SEATS,)),  # how far each seat's claims about tiles can be believed, 0 to 1
]
assert NUM_CAMPS == Heard.TRUE_TILES
