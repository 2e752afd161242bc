"""Ratings over time: what the main agents gain over older agents, in one seat among them, on common deals."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import lineups

from ..training.config import TrainingConfig
from ..training.evaluation import Evaluation, compare, evaluations_for
from .config import roles_dealt

Held = Mapping[str, Agent]  # the agent that holds each role
FIGURES = ("games", "won", "reference", "gain", "gain_low", "gain_high")


def spread_out(born: Sequence[int], count: int) -> list[int]:
    """At most `count` of the rounds, evenly spread; the first is among them, and the last if there are two."""
    if not born:
        return []
    places = np.linspace(0, len(born) - 1, min(count, len(born))).round()
    return [born[int(place)] for place in places]


class Gains:
    """Gains of agents over those of a lineup, in one seat of a role among it, which plays its deals once."""

    def __init__(self, config: TrainingConfig) -> None:
        self._config = config
        self._known: dict[tuple[str, str, int], Evaluation] = {}

    def rows(self, mains: Held, among: Mapping[str, Held]) -> Iterator[dict[str, Any]]:
        """A row for each lineup, player count and role that it deals; none if the config asks for no deals.

        mains: the agents that are rated; among: lineups by name.
        """
        config = self._config
        for name, held in among.items() if config.evaluation_games else ():
            for count in config.counts():
                for role in roles_dealt(config, count):
                    evaluation = self._evaluation(name, held, role, count)
                    row = compare([(evaluation.won(mains[role]), evaluation.won_by_reference)]).row()
                    numbers = {figure: row[figure] for figure in FIGURES}
                    yield {"among": name, "role": role, "players": count, **numbers}

    def _evaluation(self, name: str, held: Held, role: str, count: int) -> Evaluation:
        key = (name, role, count)
        if key not in self._known:
            config = replace(self._config, role=role, players=(count,))
            seated = lineups(config.known_game(), held)
            (self._known[key],) = evaluations_for(config, seated, None, config.evaluation_games)
        return self._known[key]
