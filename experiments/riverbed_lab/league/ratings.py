"""Ratings over time: strengths by camp, and the main agents' gains over the reference in each role.

All play the same deals. Strengths are those of `riverbed_lab.evaluation.ratings`, relative to the reference, so that
different rounds compare.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.errors import OptionError
from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import Lineups

from ..evaluation.ratings import fit_ratings
from ..playing.play import deal, play_seated
from ..training.config import TrainingConfig
from ..training.evaluation import SEED, Evaluation, compare, evaluations_for
from .config import roles_dealt
from .matchmaking import MAINS

RESAMPLES = 200
NOBODY = -1
PURPOSE_OF_RATINGS = 7

Whole = npt.NDArray[np.int64]
Side = tuple[str, ...]  # the name of who plays each camp, in the game's order


def sides(names: Sequence[str], camps: int, reference: str) -> list[Side]:
    """Who plays each camp in the games that ratings are made of.

    Each alone in all camps; and each in one camp among the reference and among the main agents. These link all to the
    reference in every camp, with far fewer designs than all combinations.
    """
    designs = [(name,) * camps for name in names]
    for among in (reference, *(name for name in names if name == MAINS)):
        for name in names:
            for camp in range(camps):
                designs.append(tuple(name if place == camp else among for place in range(camps)))
    return list(dict.fromkeys(designs))


@dataclass(frozen=True)
class Rated:
    """A group of agents rated as one: the agent that holds each role, by name."""

    name: str
    by_role: Mapping[str, str]


def spread_out(born: Sequence[int], count: int) -> list[int]:
    """At most `count` of the rounds, evenly spread; the first is among them, and the last if there are two."""
    if not born:
        return []
    places = np.linspace(0, len(born) - 1, min(count, len(born))).round()
    return [born[int(place)] for place in places]


def strengths(
    rated: Sequence[Rated], agents: Sequence[Agent], reference: str, games: int, config: TrainingConfig
) -> tuple[list[dict[str, Any]], str]:
    """Rows of strengths, one for each rated group and camp; or no rows and the reason.

    games: deals of each player count; 0 for no rows.
    """
    game = config.known_game()
    if not games:
        return [], ""
    if len(game.camps) < 2:
        return [], f"{game.title} has one camp: nobody wins against anybody"
    designs = sides([each.name for each in rated], len(game.camps), reference)
    parts = [
        _played(game, rated, agents, designs, games, count, place * games, config)
        for place, count in enumerate(config.counts())
    ]
    agent, winner, players, block = (np.concatenate(column) for column in zip(*parts, strict=True))
    try:
        ratings = fit_ratings(
            *(agent, winner, players, block),
            names=[each.name for each in rated],
            camps=game.camps,
            reference=reference,
            seed=PURPOSE_OF_RATINGS,
            resamples=RESAMPLES,
        )
    except OptionError as error:  # too few deals for all camps to have played
        return [], str(error)
    return [asdict(strength) for strength in ratings.strengths], ""


def _played(
    game: Game,
    rated: Sequence[Rated],
    agents: Sequence[Agent],
    designs: Sequence[Side],
    games: int,
    count: int,
    first: int,
    config: TrainingConfig,
) -> tuple[Whole, Whole, Whole, Whole]:
    """Who played each camp, (n, camps), which camp won, the player count and the deal, (n,), of all designs."""
    options = {"num_players": count, **config.options}
    numbers = np.arange(games)
    roles = game.roles_of(deal(game, numbers, SEED, **options)).astype(np.int64)
    camp_of = np.array([game.camps.index(game.camp_of_role[role]) for role in game.roles])
    places = {agent.name: number for number, agent in enumerate(agents)}
    holders = {each.name: np.array([places[each.by_role[role]] for role in game.roles]) for each in rated}
    by_role = [np.array([holders[side[camp_of[role]]][role] for role in range(len(game.roles))]) for side in designs]
    seats = np.concatenate([held[roles] for held in by_role])
    played = play_seated(game, agents, seats, np.tile(numbers, len(designs)), SEED, threads=config.threads, **options)
    paid = game.returns(played.games, count) > 0
    camps = np.tile(camp_of[roles], (len(designs), 1))
    won = np.stack([(paid & (camps == camp)).any(axis=1) for camp in range(len(game.camps))], axis=1)
    there = np.stack([(camps == camp).any(axis=1) for camp in range(len(game.camps))], axis=1)
    names = [each.name for each in rated]
    who = np.repeat(np.array([[names.index(name) for name in side] for side in designs]), games, axis=0)
    return (
        np.where(there, who, NOBODY),
        np.where(won.sum(axis=1) == 1, won.argmax(axis=1), NOBODY),
        np.full(len(who), count),
        first + np.tile(numbers, len(designs)),
    )


class Gains:
    """Gains of agents over the reference, in one seat of a role among the reference, which plays its deals once."""

    def __init__(self, config: TrainingConfig, installed: Sequence[Agent]) -> None:
        self._config = config
        self._installed = tuple(installed)
        self._evaluations: dict[tuple[str, int], Evaluation] = {}

    def rows(self, mains: Mapping[str, Agent]) -> list[dict[str, Any]]:
        """A row for each role and each player count that deals it. mains: the agent that holds each role."""
        config = self._config
        if not config.evaluation_games:
            return []
        return [self._row(role, count, mains[role]) for count in config.counts() for role in roles_dealt(config, count)]

    def _row(self, role: str, count: int, agent: Agent) -> dict[str, Any]:
        key = (role, count)
        if key not in self._evaluations:
            self._evaluations[key] = self._evaluation(role, count)
        evaluation = self._evaluations[key]
        row = compare([(evaluation.won(agent), evaluation.won_by_reference)]).row()
        numbers = {name: row[name] for name in ("games", "won", "reference", "gain", "gain_low", "gain_high")}
        return {"role": role, "players": count, **numbers}

    def _evaluation(self, role: str, count: int) -> Evaluation:
        place = [agent.name for agent in self._installed].index(self._config.reference)
        lineup = Lineups(self._installed, (((place,),) * len(self._config.known_game().roles),), (1.0,))
        config = replace(self._config, role=role, players=(count,))
        (evaluation,) = evaluations_for(config, lineup, self._installed[place], config.evaluation_games)
        return evaluation
