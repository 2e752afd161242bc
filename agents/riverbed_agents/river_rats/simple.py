"""A simple rule-based agent for River Rats: it follows the rules of thumb by what its seat knows.

It plays towards the collective hand most likely to beat the rat's, adds debt where it expects to win, and keeps for
later what the round can't use. It sees observations and masks only.
"""

import numpy as np
import numpy.typing as npt

from riverbed_env.games.river_rats.rules.observe import unseen
from riverbed_env.games.river_rats.rules.state import PARAMS, VIEW
from riverbed_env.games.river_rats.rules.vocab import NUM_CARDS
from riverbed_env.kernels.compile import Record
from riverbed_env.players.agents import CompiledAgent

from .observation_reader import FOLDERS, Vector, kernel, read
from .outlook import SCENE, draw_bars, list_cards
from .rules import decide

Records = npt.NDArray[np.void]

BARS = 48  # hands the rat may have, drawn for a decision


@kernel
def choose(observation: Vector, mask: Vector, memory: npt.NDArray[np.int32], stream: Record) -> int:
    """The agent's action for what it is asked."""
    views, params, scenes = np.zeros(1, VIEW), np.zeros(1, PARAMS), np.zeros(1, SCENE)
    return follow_rules(observation, stream, views, params, scenes)


@kernel
def follow_rules(observation: Vector, stream: Record, views: Records, params_array: Records, scenes: Records) -> int:
    """What the rules of thumb say. views, params_array, scenes: scratch of one record each, the caller's."""
    view, params, scene = views[0], params_array[0], scenes[0]
    read(observation, view, params)
    table, own = view["table"], view["private"]
    pool = unseen(table, own)
    cards = np.zeros(NUM_CARDS, np.int8)
    bars = np.zeros(BARS, np.int64)
    draw_bars(table, cards, list_cards(pool, cards), stream, bars)
    return decide(table, own, params, pool, scene, bars)


SIMPLE = CompiledAgent(
    "simple", choose, folders=FOLDERS, about="rule-based: plays towards the hand most likely to beat the rat's"
)
