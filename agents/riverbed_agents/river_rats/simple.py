"""The agent `simple` for River Rats: it follows the rules of thumb.

It plays towards the collective hand most likely to beat the rat's, adds debt if it expects to win, and keeps cards that
the round can't use for later.
"""

import numpy as np

from riverbed_env.games.river_rats.rules.observe import unseen
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS
from riverbed_env.kernels.compile import Record, Records, Vector
from riverbed_env.players.agents import CompiledAgent, Memory

from .kernels import kernel
from .outlook import SCENE, RatHands, draw_rat_hands, list_cards
from .rules import decide

NUM_RAT_HANDS = 48  # possible hands of the rat, sampled for each decision


@kernel
def choose(view: Record, params: Record, observation: Vector, mask: Vector, memory: Memory, stream: Record) -> int:
    """The agent's action."""
    rat_hands = np.zeros(NUM_RAT_HANDS, np.int64)
    return by_rule(view, params, stream, np.zeros(1, SCENE), rat_hands)


@kernel
def by_rule(view: Record, params: Record, stream: Record, scenes: Records, rat_hands: RatHands) -> int:
    """The action by the rules of thumb. scenes: (1,) SCENE, scratch kept by the caller; rat_hands: written."""
    table, own = view["table"], view["private"]
    pool = unseen(table, own)
    cards = np.zeros(NUM_CARDS, np.int8)
    draw_rat_hands(table, cards, list_cards(pool, cards), stream, rat_hands)
    return decide(table, own, params, pool, scenes[0], rat_hands)


SIMPLE = CompiledAgent.of(kernel, "simple", choose, "rule-based: plays towards the hand most likely to beat the rat's")
