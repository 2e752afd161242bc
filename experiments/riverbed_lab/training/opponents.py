"""Agents in the seats that don't learn, among which a learner that values all actions plays."""

from collections.abc import Mapping

import numpy as np
import numpy.typing as npt

from riverbed_env.core.batch import Batch
from riverbed_env.core.files import Arrays
from riverbed_env.kernels.compile import Whole
from riverbed_env.kernels.random import end_decisions
from riverbed_env.players.agents import answers_of
from riverbed_env.players.arena import OUTSIDE
from riverbed_env.players.lineups import NOBODY, drawn_holders, lineups, seating_uniforms

from .config import ALL_SEATS, CAMP, TrainingConfig


class Opponents:
    """The agents at a batch's tables, and who learns there: one seat of a role, its whole camp, or everybody.

    The game's number decides who learns and which agents sit in the other seats, as in `LearnerBatch`. `learns`
    (n, seats) bool are the seats that learn.

    Args:
        config: the settings.
        batch: the games, which deal themselves again.
    """

    def __init__(self, config: TrainingConfig, batch: Batch) -> None:
        self.config, self.batch, self.game = config, batch, batch.game
        self.lineups = lineups(self.game, config.opponents)
        self.learns = np.ones((batch.num_envs, batch.num_players), np.bool_)
        self._agents = dict(enumerate(self.lineups.agents)) if config.seats != ALL_SEATS else {}
        self._seats = np.full(self.learns.shape, OUTSIDE)
        self._memories = {
            number: np.zeros((*self._seats.shape, agent.memory_size), np.int32)
            for number, agent in self._agents.items()
        }
        if self._agents:
            self.seat(np.arange(batch.num_envs))

    def seat(self, indices: Whole) -> None:
        """Seat agents and learners in the games just dealt in these environments, (indices,) int64."""
        if not self._agents or not len(indices):
            return
        batch, roles = self.batch, self.batch.roles(indices)
        uniforms = seating_uniforms(batch.seed, batch.game_number[indices], batch.num_players)
        drawn = drawn_holders(self.game, roles, self.config.role, uniforms[:, 0])
        learns = (np.arange(batch.num_players) == drawn[:, None]) & (drawn != NOBODY)[:, None]
        if self.config.seats == CAMP:
            camps = self.game.camps_of(roles)
            own = np.take_along_axis(camps, np.maximum(drawn, 0)[:, None], axis=1)
            learns = (camps == own) & learns.any(axis=1, keepdims=True)
        seats = self.lineups.draw(roles, uniforms[:, 1:])
        self.learns[indices], self._seats[indices] = learns, np.where(learns, OUTSIDE, seats)
        for memory in self._memories.values():
            memory[indices] = 0

    def learning(self) -> npt.NDArray[np.bool_]:
        """In which environments a learning seat has to choose, (n,)."""
        return np.asarray(self.learns[np.arange(len(self.learns)), self.batch.seat])

    def answer(self, learning: npt.NDArray[np.bool_], actions: Whole) -> None:
        """Write the agents' actions where they have to choose. learning: as `learning` says; actions: (n,) int64."""
        if not self._agents:
            return
        streams, asked = self.batch.agent_streams(), np.flatnonzero(~learning)
        for _, mine, given in answers_of(self._agents, self.batch, self._seats, asked, self._memories, streams):
            actions[mine] = given
        learners = streams[learning]
        end_decisions(learners, learners["drawn"].copy())  # so that others' draws don't depend on who decides
        streams[learning] = learners
        self.batch.put_agent_streams(streams)

    def get_state(self) -> Arrays:
        """What the agents remember, by name; who sits where follows from the games."""
        return {f"memory_{number}": memory.copy() for number, memory in self._memories.items()}

    def set_state(self, state: Mapping[str, npt.NDArray[np.int32]]) -> None:
        """Restore what `get_state` gave; the games must have been restored before."""
        self.seat(np.arange(self.batch.num_envs))
        for number, memory in self._memories.items():
            memory[:] = state[f"memory_{number}"]
