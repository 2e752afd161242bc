"""Riverbed Hunt, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A hidden-role game for 4 to 9 players in three camps; docs/games/riverbed_hunt.md is its card.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path

from riverbed_env.core.options import one_cap
from riverbed_env.games.riverbed_hunt.game import RIVERBED_HUNT
from riverbed_env.games.riverbed_hunt.rules.vocab import DEFAULT_MAX_DECISIONS

from .aec import TurnEnv

__all__ = ["env", "raw_env"]


class raw_env(TurnEnv):  # noqa: N801  # the name PettingZoo's users call
    """Riverbed Hunt as a turn-based environment.

    num_players: 4 to 9. pack: name of a content pack or path to its file. layout: a layout's name, None for the first
    of the player count, "random" for one drawn by the seed. roles: "random", one role name or None a seat, or a
    mapping seat -> role ("chief", "merchant", "leader", "separatist", "profiteer"). view: "history" or "now".
    rewards: "win" or "zero_sum". on_illegal: "raise" or "terminate". auto_forced: "public", "all" or "none".
    max_decisions: the cap after which a game is truncated; max_cycles is another name for it. render_mode: "ansi",
    "human" (prints all there is at each step, for a spectator; `render(viewer=seat)` prints what a seat knows) or
    None. Raises OptionError and PackError.
    """

    def __init__(
        self,
        num_players: int = 7,
        pack: str | Path = "default",
        layout: str | None = None,
        roles: str | Mapping[int | str, str] | Iterable[str | None] = "random",
        view: str = "history",
        rewards: str = "win",
        on_illegal: str = "raise",
        auto_forced: str = "public",
        max_decisions: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            RIVERBED_HUNT,
            view=view,
            rewards=rewards,
            on_illegal=on_illegal,
            render_mode=render_mode,
            num_players=num_players,
            pack=pack,
            layout=layout,
            roles=roles,
            auto_forced=auto_forced,
            max_decisions=one_cap("max_decisions", max_decisions, max_cycles, DEFAULT_MAX_DECISIONS),
        )


env = raw_env  # PettingZoo's three customary wrappers are built in
