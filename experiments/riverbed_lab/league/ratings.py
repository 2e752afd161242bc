"""What agents gain in one seat among others, on common deals: ratings over time, and what best responses gain."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import lineups

from ..training.config import TrainingConfig
from ..training.evaluation import Evaluation, compare, evaluations_for


def spread_out(born: Sequence[int], count: int) -> list[int]:
    """At most `count` of the rounds, evenly spread; the first is among them, and the last if there are two."""
    if not born:
        return []
    places = np.linspace(0, len(born) - 1, min(count, len(born))).round()
    return [born[int(place)] for place in places]


class SeatGains:
    """Gains over a lineup's own agent in a seat of a role; each lineup plays its `games` deals once."""

    def __init__(self, config: TrainingConfig, games: int) -> None:
        self._config, self._games = config, games
        self._known: dict[tuple[str, str, int], Evaluation] = {}

    def row(self, name: str, lineup: Any, role: str, count: int, agent: Agent) -> dict[str, Any]:
        """An agent's win rate in that seat, the own agent's, and their difference. name: of the lineup."""
        key = (name, role, count)
        if key not in self._known:
            config = replace(self._config, role=role, players=(count,))
            (self._known[key],) = evaluations_for(config, lineups(config.known_game(), lineup), None, self._games)
        evaluation = self._known[key]
        return compare([(evaluation.won(agent), evaluation.won_by_reference)]).row()
