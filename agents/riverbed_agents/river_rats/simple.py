"""The agent `simple` for River Rats: it follows the rules of thumb.

It plays towards the collective hand most likely to beat the rat's, adds debt if it expects to win, and keeps cards that
the round can't use for later. It uses observations and masks only.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.river_rats.rules.observe import unseen
from riverbed_env.games.river_rats.rules.state import PARAMS, VIEW
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS
from riverbed_env.kernels.compile import Record
from riverbed_env.players.agents import CompiledAgent

from .observation_reader import FOLDERS, Vector, kernel, read
from .outlook import SCENE, draw_rat_hands, list_cards
from .rules import decide

Records = npt.NDArray[np.void]

NUM_RAT_HANDS = 48  # possible hands of the rat, sampled for each decision


@kernel
def choose(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The agent's action."""
    views, params, scenes = np.zeros(1, VIEW), np.zeros(1, PARAMS), np.zeros(1, SCENE)
    return follow_rules(observation, stream, views, params, scenes)


@kernel
def follow_rules(observation: Vector, stream: Record, views: Records, params_array: Records, scenes: Records) -> int:
    """The action by the rules of thumb. views, params_array, scenes: scratch of one record each, kept by the caller."""
    view, params, scene = views[0], params_array[0], scenes[0]
    read(observation, view, params)
    table, own = view["table"], view["private"]
    pool = unseen(table, own)
    cards = np.zeros(NUM_CARDS, np.int8)
    rat_hands = np.zeros(NUM_RAT_HANDS, np.int64)
    draw_rat_hands(table, cards, list_cards(pool, cards), stream, rat_hands)
    return decide(table, own, params, pool, scene, rat_hands)


SIMPLE = CompiledAgent(
    "simple", choose, folders=FOLDERS, about="rule-based: plays towards the hand most likely to beat the rat's"
)
