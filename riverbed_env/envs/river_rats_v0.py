"""River Rats, version 0: `env()`, `raw_env()` and `make_batch`'s game of the same name.

A cooperative poker game with hidden hands for 1 to 4 players; docs/games/river_rats.md is its card.
"""

from __future__ import annotations

from riverbed_env.core.options import one_cap
from riverbed_env.games.river_rats.game import RIVER_RATS
from riverbed_env.games.river_rats.rules.vocab import DEFAULT_MAX_DECISIONS

from .aec import TurnEnv

__all__ = ["env", "raw_env"]


class raw_env(TurnEnv):  # noqa: N801  # the name PettingZoo's users call
    """River Rats as a turn-based environment.

    num_players: 1 to 4. mode: "first_game", "standard", "advanced" or "expert". prediction: "exactly", or
    "at_least_form" for hands that could be laid as predicted. view: "history" or "now". rewards: "win" alone, since all
    win or lose together. on_illegal: "raise" or "terminate". auto_forced: "public",
    "all" (the same here) or "none". max_decisions: the cap after which a game is truncated; max_cycles is another name
    for it. render_mode: "ansi", "human" (prints all there is at each step, for a spectator; `render(viewer=seat)`
    prints what a seat knows) or None. Raises OptionError.
    """

    def __init__(
        self,
        num_players: int = 3,
        mode: str = "standard",
        prediction: str = "exactly",
        view: str = "history",
        rewards: str = "win",
        on_illegal: str = "raise",
        auto_forced: str = "public",
        max_decisions: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            RIVER_RATS,
            view=view,
            rewards=rewards,
            on_illegal=on_illegal,
            render_mode=render_mode,
            num_players=num_players,
            mode=mode,
            prediction=prediction,
            auto_forced=auto_forced,
            max_decisions=one_cap("max_decisions", max_decisions, max_cycles, DEFAULT_MAX_DECISIONS),
        )


env = raw_env  # PettingZoo's three customary wrappers are built in
