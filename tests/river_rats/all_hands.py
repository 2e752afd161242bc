"""Many hands valued at once."""

from __future__ import annotations

from itertools import combinations

import numpy as np
import numpy.typing as npt

from riverbed_env.games.river_rats.rules import kernel
from riverbed_env.games.river_rats.rules.hands import hand_value
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS

Hands = npt.NDArray[np.int64]  # (n, cards): 13 * suit + rank


@kernel
def write_values(joker: int, hands: Hands, out: Hands) -> None:
    """The engine's value of each hand with a joker (1) or without one (0). out: (n,)."""
    for place in range(len(hands)):
        held = 0
        for card in hands[place]:
            held |= 1 << card
        out[place] = hand_value(held, joker)


def values_of(hands: Hands, joker: int = 0) -> Hands:
    """The engine's value of each hand, (n,)."""
    values = np.zeros(len(hands), np.int64)
    write_values(joker, hands, values)
    return values


def every_hand(size: int) -> Hands:
    """All hands of `size` cards, sorted, in lexicographic order."""
    return np.array(list(combinations(range(NUM_CARDS), size)), np.int64)
