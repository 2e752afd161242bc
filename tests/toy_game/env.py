"""The entry points of Ford: `env()` and `raw_env()`."""

from __future__ import annotations

from riverbed_env.core.options import one_cap
from riverbed_env.envs.aec import TurnEnv

from .game import FORD
from .tables import DEFAULT_MAX_DECISIONS, MAX_SEATS


class raw_env(TurnEnv):  # noqa: N801  # the name PettingZoo's users call
    """Ford as a turn-based environment."""

    def __init__(
        self,
        num_players: int = MAX_SEATS,
        view: str = "history",
        rewards: str = "win",
        on_illegal: str = "raise",
        auto_forced: str = "public",
        max_decisions: int | None = None,
        max_cycles: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__(
            FORD,
            view=view,
            rewards=rewards,
            on_illegal=on_illegal,
            render_mode=render_mode,
            num_players=num_players,
            auto_forced=auto_forced,
            max_decisions=one_cap("max_decisions", max_decisions, max_cycles, DEFAULT_MAX_DECISIONS),
        )


env = raw_env
