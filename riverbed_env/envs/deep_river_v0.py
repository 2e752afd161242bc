"""Deep River, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A game of perfect information for 2, salmon against eels; docs/games/deep_river.md is its card.
"""

from __future__ import annotations

from pathlib import Path

from riverbed_env.core.options import one_cap
from riverbed_env.games.deep_river.game import DEEP_RIVER
from riverbed_env.games.deep_river.rules.vocab import DEFAULT_MAX_TURNS, NUM_SEATS

from .aec import TurnEnv

__all__ = ["env", "raw_env"]


class raw_env(TurnEnv):  # noqa: N801  # the name PettingZoo's users call
    """Deep River as a turn-based environment; player_0 is the salmon, player_1 the eel.

    num_players: 2. pack: name of a content pack or path to its file. tiles: seven letters from the salmon's side, like
    "bdsDtsb", or None for tiles dealt by the seed. faces: three digits, the face of each token that is up at first, or
    None. first: "salmon", "eel", or None for one drawn by the seed. view: "history" or "now". rewards: "win" or
    "zero_sum", which say the same here. on_illegal: "raise" or "terminate". auto_forced: "public", "all" or "none".
    max_turns: the cap after which a game is truncated; max_cycles is another name for it. render_mode: "ansi",
    "human" (prints the table at each step) or None. Raises OptionError and PackError.
    """

    def __init__(
        self,
        num_players: int = NUM_SEATS,
        pack: str | Path = "default",
        tiles: str | None = None,
        faces: str | None = None,
        first: str | None = None,
        view: str = "history",
        rewards: str = "win",
        on_illegal: str = "raise",
        auto_forced: str = "public",
        max_turns: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            DEEP_RIVER,
            view=view,
            rewards=rewards,
            on_illegal=on_illegal,
            render_mode=render_mode,
            num_players=num_players,
            pack=pack,
            tiles=tiles,
            faces=faces,
            first=first,
            auto_forced=auto_forced,
            max_turns=one_cap("max_turns", max_turns, max_cycles, DEFAULT_MAX_TURNS),
        )


env = raw_env  # PettingZoo's three customary wrappers are built in
