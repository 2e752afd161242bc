"""Riverside, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

Dice drafted in common, own score sheets, choices made unseen; for 1 to 6. `parallel_env()` asks all who choose
at the same time at once. docs/games/riverside.md is its card.
"""

from __future__ import annotations

from pathlib import Path

from riverbed_env.core.options import one_cap
from riverbed_env.games.riverside.game import RIVERSIDE
from riverbed_env.games.riverside.rules.vocab import DEFAULT_MAX_STEPS, DEFAULT_PLAYERS

from .aec import TurnEnv
from .parallel import SimultaneousEnv
from .single import SingleGame

__all__ = ["env", "parallel_env", "raw_env"]


class _Riverside(SingleGame):
    """The options that both environments take."""

    def __init__(
        self,
        num_players: int = DEFAULT_PLAYERS,
        pack: str | Path = "default",
        extension: bool = False,
        view: str = "history",
        rewards: str = "win",
        on_illegal: str = "raise",
        auto_forced: str = "public",
        max_steps: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            RIVERSIDE,
            view=view,
            rewards=rewards,
            on_illegal=on_illegal,
            render_mode=render_mode,
            num_players=num_players,
            pack=pack,
            extension=extension,
            auto_forced=auto_forced,
            max_steps=one_cap("max_steps", max_steps, max_cycles, DEFAULT_MAX_STEPS),
        )


class raw_env(_Riverside, TurnEnv):  # noqa: N801  # the name PettingZoo's users call
    """Riverside as a turn-based environment: those who choose at the same time are asked one after the other.

    num_players: 1 to 6. pack: name of a content pack or path to its file. extension: two more tiles. view: "history"
    or "now". rewards: "win" or "zero_sum". on_illegal: "raise" or "terminate". auto_forced: "public", "all" or
    "none". max_steps: the cap after which a game is truncated, in steps in which every pending seat answers once;
    max_cycles is another name for it. render_mode: "ansi", "human" (prints all there is at each step, for a
    spectator; `render(viewer=seat)` prints what a seat knows) or None. Raises OptionError and PackError.
    """


class parallel_env(_Riverside, SimultaneousEnv):  # noqa: N801  # the name PettingZoo's users call
    """Riverside as a parallel environment: those who choose at the same time are asked at once.

    It takes the same options as `raw_env`, and plays the same games for the same choices.
    """


env = raw_env  # PettingZoo's three customary wrappers are built in
