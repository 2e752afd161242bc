"""PettingZoo's turn-based environment (AEC) over any game."""

from typing import Any, Self

import numpy as np
import numpy.typing as npt
from pettingzoo import AECEnv

from riverbed_env.core.game import Game
from riverbed_env.errors import EpisodeOverError
from riverbed_env.kernels.actions import WAIT
from riverbed_env.kernels.loops import DEAL, OVER, REFUSED

from .rendering import RENDER_MODES
from .single import ON_ILLEGAL, Observation, SingleGame, Vector

__all__ = ["ON_ILLEGAL", "RENDER_MODES", "Observation", "TurnEnv"]


class TurnEnv(SingleGame, AECEnv[str, Any, int]):
    """One game whose players take turns, as PettingZoo's AEC interface.

    Order, bounds and legality are checked here, so no wrappers are needed. All agents end together. Games of a seed are
    numbered from 0; `reset` without a seed deals the next number.

    Args:
        game: The game, as `find_game` gives it.
        options: view, rewards, on_illegal, render_mode, mask_in, dtype, render_size, render_panels, and those of the
            game's `make_params`.

    Raises:
        OptionError: An option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        super().__init__(game, **options)
        self._row = np.zeros(self._row_length, np.int8)
        self._asked = OVER

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal game 0 of a new seed, or the next game of the old one.

        Args:
            seed: 0 to 2**63 - 1; None keeps the seed, and draws one the first time.
            options: {"game_number": k} deals game k instead, 0 to 2**62; others are ignored with a warning.

        Raises:
            SeedError: The seed isn't an integer or is out of range. It is a TypeError and a ValueError.
            OptionError: The options aren't a mapping, or the number is out of range.
        """
        self._deal(*self._next_game(seed, options))
        if self.render_mode == "human":
            self.render()

    def _deal(self, seed: int, number: int) -> None:
        """Deal game `number` of the seed."""
        self._number = number
        self._row = np.zeros(self._row_length, np.int8)
        asked = self.game.loops.serve(self._games, self._params, self._views, seed, number, DEAL, self._row, self._size)
        self.agents = self.possible_agents[:]
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self._offender = None
        self.infos = {agent: self._waiting_info() for agent in self.agents}
        self._ask(asked)

    def _waiting_info(self) -> dict[str, npt.NDArray[np.int8]]:
        """A new info of an agent that isn't asked: only WAIT is legal."""
        mask = np.zeros(self.game.actions.size, np.int8)
        mask[WAIT] = 1
        return {"action_mask": mask}

    def _ask(self, asked: int) -> None:
        """Select the seat that is asked now, or finish the game."""
        self._asked = asked
        if asked == OVER:
            self._finish()
            return
        self.agent_selection = self._agent_of[asked]
        self.infos[self.agent_selection] = {"action_mask": self._mask_in(self._row).copy()}

    def _finish(self) -> None:
        """Set flags and rewards at the end of the game, by the rules or by an illegal action."""
        returns, terminated, truncated = self._results()
        for agent, reward in zip(self.possible_agents, returns, strict=True):
            self.rewards[agent] = reward
            self._cumulative_rewards[agent] += reward
            self.terminations[agent], self.truncations[agent] = terminated, truncated
            self.infos[agent] = self._waiting_info()
        self.agent_selection = self.agents[0]
        self._skip_agent_selection = None

    def step(self, action: int | None) -> None:
        """Take the selected agent's action; after the end None, for each agent in turn.

        Args:
            action: The id of the action, an integer; None after the end.

        Raises:
            IllegalActionError: The action is illegal and `on_illegal="raise"`; nothing has changed.
            EpisodeOverError: Before `reset`, after the last agent's None, and for an action other than None after the
                end.
        """
        if self._asked == OVER:
            self._step_after_the_end(action)
            return
        chosen, wrong = self._read_action(action)
        if wrong:
            self._refuse(action, wrong)
            return
        row = np.zeros(self._row_length, np.int8)
        asked = self.game.loops.serve(self._games, self._params, self._views, 0, 0, chosen, row, self._size)
        if asked <= REFUSED:
            self._refuse(chosen, self.game.words.describe_refusal(REFUSED - asked))
            return
        self._row = row
        before = self.agent_selection
        self.infos[before] = self._waiting_info()
        self._cumulative_rewards[before] = 0.0
        self._ask(asked)
        if self.render_mode == "human":
            self.render()

    def _refuse(self, action: object, reason: str) -> None:
        """Handle an illegal action as `on_illegal` says."""
        if self.on_illegal == "raise":
            raise self._refusal(self._asked, action, reason)
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._offender = self._asked
        self._ask(OVER)

    def _step_after_the_end(self, action: int | None) -> None:
        self._check_playing()
        if action is not None:
            raise EpisodeOverError(
                f"the game is over: step(None) for {self.agent_selection}, not {action!r}, or call reset()"
            )
        self._was_dead_step(None)

    def last(self, observe: bool = True) -> tuple[Any, float, bool, bool, dict[str, Any]]:
        """The selected agent's observation, reward, termination, truncation and info.

        Args:
            observe: Whether to give the observation; None stands in its place otherwise.

        Returns:
            The selected agent's observation, reward since its last step, termination, truncation and info.

        Raises:
            EpisodeOverError: Before `reset`, and after the last agent's None, when no agent is left to select.
        """
        self._check_dealt("last")
        if self.agent_selection not in self._cumulative_rewards:
            raise EpisodeOverError("last() after the end of the game, when all agents are gone: call reset()")
        seen: tuple[Any, float, bool, bool, dict[str, Any]] = super().last(observe)
        return seen

    def _row_of(self, seat: int) -> Vector:
        if seat == self._asked:
            return self._row.copy()
        row = np.zeros(self._row_length, np.int8)
        self._sight_of(self._games, seat, row)
        row[self._size :] = 0
        row[self._size + WAIT] = 1
        return row

    def _asked_first(self) -> int:
        return max(self._asked, 0)

    def clone(self) -> Self:
        """As `SingleGame`'s."""
        twin = super().clone()
        if self._number >= 0:
            twin.infos = {agent: {"action_mask": info["action_mask"].copy()} for agent, info in self.infos.items()}
        return twin

    def _put(self, header: dict[str, Any], games: npt.NDArray[np.void]) -> None:
        self._seed = int(games["seed"][0])
        self._deal(self._seed, int(games["number"][0]))
        self._games = games
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.infos = {agent: self._waiting_info() for agent in self.agents}
        self._offender = header["offender"]
        asked = OVER if self._offender is not None else int(self.game.kernels.current_seat(games[0]))
        if asked != OVER:
            self._sight_of(games, asked, self._row)
        self._ask(asked)
        while len(self.agents) > header["agents"]:
            self._was_dead_step(None)
