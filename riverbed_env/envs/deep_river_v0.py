"""Deep River, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A game of perfect information for 2, salmon against eels; docs/games/deep_river.md is its card.
"""

from __future__ import annotations

from riverbed_env.games.deep_river.game import DEEP_RIVER

from .aec import TurnEnv
from .game_options import GameEnv

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
        view: "history", or "now", a shorter one.
        rewards: "win" or "zero_sum", which say the same here.
        on_illegal: "raise", or "terminate" (the game ends: -1 for the offender, 0 for the others).
        auto_forced: "public", "all" or "none", the forced decisions that are taken for the player.
        max_turns: The cap in turns after which a game is truncated, 1 to 1,000; None is 200.
        max_cycles: Another name for `max_turns`.
        render_mode: "ansi", "rgb_array" (an image), "human" (prints the table at each step) or None.
        mask_in: "observation", or "info" alone, where the action mask is.
        dtype: "int8" or "float32", of the observation's vector.
        render_size: Width and height of an image in pixels, each 160 to 8192.
        render_panels: "all", or "board" for the middle of the table alone.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
