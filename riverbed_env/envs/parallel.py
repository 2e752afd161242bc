"""The parallel environment of PettingZoo over games with simultaneous choices."""

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
from pettingzoo import ParallelEnv

from riverbed_env.core.game import Game, copy_records
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.kernels.actions import WAIT
from riverbed_env.kernels.loops import OVER, SEAT_CODES

from .single import FIRST, SingleGame, Vector

Infos = dict[str, dict[str, Vector]]
PerAgent = tuple[dict[str, Any], dict[str, float], dict[str, bool], dict[str, bool], Infos]


class SimultaneousEnv(SingleGame, ParallelEnv[str, Any, int]):
    """One game in which every seat that has a choice pending is asked at once, as PettingZoo's parallel interface.

    The mask of a seat without a choice allows WAIT alone. The same choices give the same game as in the turn-based
    environment, and each takes the other's saved states. All agents end together.

    Args:
        game: A game with simultaneous choices, as `find_game` gives it.
        options: view, rewards, on_illegal, render_mode, mask_in, dtype, render_size, render_panels, and those of the
            game's `make_params`.

    Raises:
        OptionError: The game has no simultaneous choices, an option isn't known, or its value isn't allowed.
        PackError: The content pack can't be read or breaks a rule.
    """

    def __init__(self, game: Game, **options: Any) -> None:
        if not game.simultaneous:
            raise OptionError(f"{game.id} has no simultaneous choices: use its turn-based env")
        super().__init__(game, **options)
        if "at_once" in (self._params.dtype.names or ()):
            self._params = self._params.copy()
            self._params["at_once"] = 1
        self._rows = np.zeros((self.num_players, self._row_length), np.int8)
        self._pending = 0

    # --- a game -------------------------------------------------------------------------------------------------

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> tuple[dict[str, Any], Infos]:
        """Deal game 0 of a new seed, or the next game of the old one.

        Args:
            seed: 0 to 2**63 - 1; None keeps the seed, and draws one the first time.
            options: {"game_number": k} deals game k instead, 0 to 2**62; others are ignored with a warning.

        Returns:
            Observations and infos of all agents, by name; `infos[agent]["action_mask"]` is (A,) int8.

        Raises:
            SeedError: The seed isn't an integer or is out of range. It is a TypeError and a ValueError.
            OptionError: The options aren't a mapping, or the number is out of range.
        """
        self._deal(*self._next_game(seed, options))
        if self.render_mode == "human":
            self.render()
        return self._observations(), self._infos()

    def _deal(self, seed: int, number: int) -> None:
        self._number = number
        self.game.loops.deal_games(self._games, self._params, FIRST, seed, np.full(1, number), FIRST)
        self.agents = self.possible_agents[:]
        self._offender = None
        self._ask()

    def _ask(self) -> None:
        """Write every seat's row, and note who has a choice pending."""
        self._rows = np.zeros((self.num_players, self._row_length), np.int8)
        self._pending = int(self.game.loops.ask_all(self._games, self._params, self._views, self._rows, self._size))

    def step(self, actions: Mapping[str, int]) -> PerAgent:
        """Take every agent's action at once.

        Args:
            actions: The id of each agent's action, by name; WAIT (0) for agents without a choice.

        Returns:
            Observations, rewards, terminations, truncations and infos of all agents, each by name.

        Raises:
            IllegalActionError: An action is missing or illegal and `on_illegal="raise"`, or this isn't a mapping;
                nothing has changed.
            OptionError: There is no such agent.
            EpisodeOverError: Before `reset` and after the end.
        """
        self._check_playing()
        if not isinstance(actions, Mapping):
            raise IllegalActionError(f"actions must be a mapping from every agent to its action, not {actions!r}")
        for agent in actions:
            self._seat(agent)
        chosen = np.zeros(self.num_players, np.int64)
        for seat, agent in enumerate(self.possible_agents):
            reason = self._choose(seat, actions, chosen)
            if reason:
                return self._refuse(seat, actions.get(agent), reason)
        before = copy_records(self._games)
        refused = int(self.game.loops.step_pending(self._games, self._params, chosen))
        if refused != OVER:
            self._games = before
            seat = refused % SEAT_CODES
            reason = self.game.words.describe_refusal(refused // SEAT_CODES)
            return self._refuse(seat, int(chosen[seat]), reason)
        self._ask()
        if self.render_mode == "human":
            self.render()
        return self._outcome()

    def _choose(self, seat: int, actions: Mapping[str, int], chosen: npt.NDArray[np.int64]) -> str:
        """Note a seat's action. Returns why it can't be taken; "" leaves that to the rules."""
        agent = self._agent_of[seat]
        if agent not in actions:
            return "it has no action; every agent needs one, WAIT (0) where it has no choice"
        chosen[seat], wrong = self._read_action(actions[agent])
        if not wrong and not self._pending >> seat & 1 and chosen[seat] != WAIT:
            return "it has no choice now"
        return wrong

    def _outcome(self) -> PerAgent:
        """What a step returns, with flags and rewards if it ended the game."""
        returns, *flags = self._results()
        if any(flags):
            self.agents = []
            self._pending = 0
        agents = self.possible_agents
        terminated, truncated = (dict.fromkeys(agents, flag) for flag in flags)
        return self._observations(), dict(zip(agents, returns, strict=True)), terminated, truncated, self._infos()

    def _refuse(self, seat: int, action: object, reason: str) -> PerAgent:
        """Handle an illegal action as `on_illegal` says."""
        if self.on_illegal == "raise":
            raise self._refusal(seat, action, reason)
        self._offend(seat)
        return self._outcome()

    def _offend(self, seat: int) -> None:
        """End the game for an illegal action: nobody has a choice any more."""
        self._offender = seat
        self.agents = []
        self._pending = 0
        self._rows[:, self._size :] = 0
        self._rows[:, self._size + WAIT] = 1

    # --- what is seen -------------------------------------------------------------------------------------------

    def pending_agents(self) -> list[str]:
        """The agents that have a choice now.

        Returns:
            Their names, by seat; none when the game is over.

        Raises:
            EpisodeOverError: Before `reset`.
        """
        self._check_dealt("pending_agents")
        return [agent for seat, agent in enumerate(self.possible_agents) if self._pending >> seat & 1]

    def _row_of(self, seat: int) -> Vector:
        return np.array(self._rows[seat])

    def _observations(self) -> dict[str, Any]:
        return {agent: self._show(row) for agent, row in zip(self.possible_agents, self._rows.copy())}

    def _infos(self) -> Infos:
        masks = self._mask_in(self._rows).copy()
        return {agent: {"action_mask": mask} for agent, mask in zip(self.possible_agents, masks)}

    def _asked_first(self) -> int:
        return next((seat for seat in range(self.num_players) if self._pending >> seat & 1), 0)

    def _put(self, header: dict[str, Any], games: npt.NDArray[np.void]) -> None:
        self._seed = int(games["seed"][0])
        self._number = int(games["number"][0])
        self._games = games
        self._offender = None
        self._ask()
        _, terminated, truncated = self._results()
        self.agents = [] if terminated or truncated else self.possible_agents[:]
        if header["offender"] is not None:
            self._offend(int(header["offender"]))
