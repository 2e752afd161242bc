"""A game as RLlib's MultiAgentEnv: one seat acts at a time, and player counts vary from game to game."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from ray.rllib.env.multi_agent_env import MultiAgentEnv

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import OptionError
from riverbed_env.integrations.lanes import player_counts
from riverbed_env.kernels.random import MAX_SEED, check_seed, fresh_seed
from riverbed_env.registry import entry_points, find_game

from .names import agent_names
from .spaces import MaskedDiscrete, observation_space_of

Values = dict[str, Any]
LARGEST_WORKER = 10**6  # environments of one seed get games of their own


class RiverbedMultiAgentEnv(MultiAgentEnv):
    """A game for RLlib. Each observation is that of the one agent that has to act.

    config: "game", a versioned name; "num_players", a number or several, of which each game takes the next in turn;
    "seed"; and the options of the game's environment, like "view" and "rewards". Agents are named by role and seat,
    "merchant_3", so that a policy mapping can go by role; `infos` hold the "seat".

    An agent's reward comes with its own next observation, or with the end; RLlib adds up what comes between. At the end
    every agent sees its last observation. Raises OptionError for options that the game doesn't have.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        options = dict(config or {})
        self.game = find_game(options.pop("game", "riverbed_hunt_v1"))
        self.counts = player_counts(self.game, options.pop("num_players", None))
        self.seed = self._own_seed(options.pop("seed", None), config)
        for name in {"mask_in", "dtype"} & options.keys():
            raise OptionError(f"RLlib's environment has no option {name!r}: modules take int8 and masks")
        make = entry_points(self.game).raw_env
        self._games: dict[int, TurnEnv] = {count: make(num_players=count, **options) for count in set(self.counts)}
        self._game = self._games[self.counts[0]]
        self._number = -1
        self.names = agent_names(self.game, max(self.counts))
        self._by_seat: list[str] = []
        self.possible_agents = [name for names in self.names for name in names]
        self.agents = list(self.possible_agents)
        seen = observation_space_of(self.game, self._game.view)
        self.observation_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, seen)
        self._actions = MaskedDiscrete(self.game.actions.size)
        self.action_spaces: dict[str, Any] = dict.fromkeys(self.possible_agents, self._actions)
        super().__init__()

    @staticmethod
    def _own_seed(seed: int | None, config: Any) -> int:
        """The seed, different in each environment of each of RLlib's workers."""
        place = getattr(config, "worker_index", 0) * LARGEST_WORKER + getattr(config, "vector_index", 0)
        return fresh_seed() if seed is None else (check_seed(seed) + place) % MAX_SEED

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Values, Values]:
        """Deal game 0 of a new seed, or the next game of the old one; see the class."""
        if seed is not None:
            self.seed, self._number = check_seed(seed), -1
        self._number += 1
        self._game = self._games[self.counts[self._number % len(self.counts)]]
        self._game.reset(seed=self.seed, options={"game_number": self._number})
        roles = self.game.roles_of(self._game._games)[0]
        self._by_seat = [self.names[role][seat] for seat, role in enumerate(roles)]
        self.agents = list(self._by_seat)
        return self._ask()

    def _ask(self) -> tuple[Values, Values]:
        """The observation and info of the agent that has to act."""
        agent = self._game.agent_selection
        seat = self._game.possible_agents.index(agent)
        seen = self._game.observe(agent)
        self._actions.allow(seen["action_mask"])
        return {self._by_seat[seat]: seen}, {self._by_seat[seat]: {"seat": seat}}

    def step(self, action_dict: Mapping[str, Any]) -> tuple[Values, Values, Values, Values, Values]:
        """Take the acting agent's action. Raises OptionError unless there is one action, of that agent."""
        asked = self._by_seat[self._game.possible_agents.index(self._game.agent_selection)]
        if set(action_dict) != {asked}:
            raise OptionError(f"{asked} has to act, and nobody else; actions came from {', '.join(action_dict)}")
        self._game.step(action_dict[asked])
        over = any(self._game.terminations.values()) or any(self._game.truncations.values())
        if not over:
            observations, infos = self._ask()
            return observations, dict.fromkeys(observations, 0.0), {"__all__": False}, {"__all__": False}, infos
        return self._end()

    def _end(self) -> tuple[Values, Values, Values, Values, Values]:
        """The last observations, the returns and the flags of all agents."""
        inside = dict(zip(self._by_seat, self._game.possible_agents))
        observations = {name: self._game.observe(agent) for name, agent in inside.items()}
        rewards = {name: self._game.rewards[agent] for name, agent in inside.items()}
        terminated = {name: bool(self._game.terminations[agent]) for name, agent in inside.items()}
        truncated = {name: bool(self._game.truncations[agent]) for name, agent in inside.items()}
        for flags in (terminated, truncated):
            flags["__all__"] = any(flags.values())
        infos = {name: {"seat": seat} for seat, name in enumerate(self._by_seat)}
        return observations, rewards, terminated, truncated, infos

    def close(self) -> None:
        """Does nothing: no resource is held."""
