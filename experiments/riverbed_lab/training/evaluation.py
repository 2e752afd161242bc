"""Evaluates a learner on common deals: the learner and a reference agent take the same seat of the same games."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import Game
from riverbed_env.players.agents import Agent
from riverbed_env.players.lineups import NOBODY, Lineups, holders, nth_of, seating_uniforms

from ..playing.play import deal, play_seated
from ..statistics import Difference, Rate, paired_difference, rate
from .config import LearnerConfig

SEED = 2**61  # of the deals that every run is evaluated on; training uses other seeds
SEED_OF_CHOICE = SEED + 1  # of the deals by which one of several runs is chosen: no result is measured on them
PURPOSE_OF_INTERVALS = 6

Won = npt.NDArray[np.bool_]


@dataclass(frozen=True)
class SeatGain:
    """The win rates of the learner and of the reference in a seat, and their paired difference."""

    learner: Rate
    reference: Rate
    gain: Difference

    def row(self) -> dict[str, Any]:
        """The same as numbers by name: of a curve and of best responses."""
        return {
            "games": self.learner.games,
            "won": self.learner.value,
            "low": self.learner.low,
            "high": self.learner.high,
            "reference": self.reference.value,
            "gain": self.gain.value,
            "gain_low": self.gain.low,
            "gain_high": self.gain.high,
        }


class Evaluation:
    """Common deals of one player count, the opponents in each, and which of them the reference won.

    opponents: lineups, drawn for each deal as in training; reference: the agent compared with, in the learner's seat,
    None: the lineup's own agent there; role: the learner's, None for any seat in turn; seed: of the deals;
    options: of the game, with num_players.
    """

    def __init__(
        self,
        game: Game,
        opponents: Lineups,
        reference: Agent | None,
        *,
        role: str | None,
        games: int,
        threads: int,
        seed: int = SEED,
        **options: Any,
    ) -> None:
        self.game, self.opponents = game, opponents
        self.options = options
        self.threads, self.seed = threads, seed
        numbers = np.arange(games)
        roles = game.roles_of(deal(game, numbers, seed, **self.options))
        held = holders(game, roles, role)
        seats = nth_of(held, numbers % np.maximum(held.sum(axis=1), 1))  # of the seats with the role each in turn
        there = seats != NOBODY
        self.numbers, self.seats = numbers[there], seats[there]
        uniforms = seating_uniforms(seed, self.numbers, options["num_players"])
        self._others = opponents.draw(roles[there], uniforms[:, 1:])
        self.won_by_reference = self.won(reference)

    def won(self, agent: Agent | None) -> npt.NDArray[np.bool_]:
        """Which of the games an agent wins in the learner's seat, (games,).

        agent: None for the lineup's own agent there.
        """
        name = None if agent is None else agent.name
        own = [] if agent is None else [agent]
        agents = [*(each for each in self.opponents.agents if each.name != name), *own]
        places = {each.name: number for number, each in enumerate(agents)}
        seats = np.array([places[each.name] for each in self.opponents.agents], np.int64)[self._others]
        indices = np.arange(len(seats))
        if agent is not None:
            seats[indices, self.seats] = places[agent.name]
        played = play_seated(self.game, agents, seats, self.numbers, self.seed, threads=self.threads, **self.options)
        returns = self.game.returns(played.games, seats.shape[1])
        return np.asarray(returns[indices, self.seats] > 0)


def evaluations(
    game: Game, opponents: Lineups, reference: Agent | None, *, players: Sequence[int], games: int, **more: Any
) -> list[Evaluation]:
    """Common deals of several player counts, `games` in all; more: arguments of each `Evaluation`."""
    each = max(1, games // len(players))
    return [Evaluation(game, opponents, reference, games=each, num_players=count, **more) for count in players]


def evaluations_for(config: LearnerConfig, opponents: Lineups, reference: Agent | None, games: int) -> list[Evaluation]:
    """Common deals of a config's player counts in its learner's seat, `games` in all."""
    return evaluations(
        *(config.known_game(), opponents, reference),
        role=config.role,
        games=games,
        players=config.counts(),
        threads=config.threads,
        **config.options,
    )


def compare(won: Sequence[tuple[Won, Won]]) -> SeatGain:
    """Rates and paired difference over all games of several evaluations, (the learner's, the reference's wins)."""
    learner = np.concatenate([mine for mine, _ in won])
    reference = np.concatenate([theirs for _, theirs in won])
    return SeatGain(
        rate(int(learner.sum()), len(learner)),
        rate(int(reference.sum()), len(reference)),
        lead(learner, reference),
    )


def lead(first: Won, second: Won) -> Difference:
    """The paired difference of two win rates on the same deals, (games,) each."""
    deals = np.arange(len(first))
    return paired_difference(first, deals, second, deals, PURPOSE_OF_INTERVALS)
