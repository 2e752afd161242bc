"""Deep River, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A game of perfect information for 2, salmon against eels; docs/games/deep_river.md is its card.
"""

from riverbed_env.games.deep_river.game import DEEP_RIVER

from .aec import TurnEnv
from .single import GameEnv

__all__ = ["env", "raw_env"]


class raw_env(GameEnv, TurnEnv, game=DEEP_RIVER):  # noqa: N801  # the name PettingZoo's users call
    """Deep River as a turn-based environment; player_0 is the salmon, player_1 the eel.

    Args:
        num_players: 2.
        pack: Name of a content pack or path to its file.
        tiles: Seven letters from the salmon's side, like "bdsDtsb": b bear, d drift, s swap, t tilt, with D, the double
            tile, in the middle; None for tiles dealt by the seed.
        faces: Three digits, 0 or 1, the face of each token that is up at first; None for faces drawn by the seed.
        first: "salmon", "eel", or None for one drawn by the seed.
        rewards: "win" or "zero_sum", which say the same here.
        max_turns: The cap in turns after which a game is truncated, 1 to 1,000.
        options: Those of every environment, see `GameEnv`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
