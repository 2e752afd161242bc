"""A game as RLlib's MultiAgentEnv: one seat acts at a time, and player counts vary from game to game.

Agents are called by role and seat, like "merchant_3"; their spaces are the same for every role and player count.
"""

from collections.abc import Mapping
from typing import Any

import gymnasium.spaces
import numpy as np
import numpy.typing as npt
from ray.rllib.env.multi_agent_env import MultiAgentEnv

from riverbed_env.core.options import check_integers
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import MAX_SEED, check_seed, fresh_seed
from riverbed_env.registry import entry_points, find_game

OBSERVATION, ACTION_MASK = "observation", "action_mask"
LARGEST_WORKER = 10**6  # environments of one seed get games of their own
Values = dict[str, Any]


def policy_by_role(agent: str, episode: Any, **more: Any) -> str:
    """RLlib's `policy_mapping_fn` for one policy a role, named like the role.

    Args:
        agent: the agent's name, like "merchant_3".
        episode: not used.
        more: not used.

    Returns:
        The policy's name, like "merchant".
    """
    return agent.rpartition("_")[0]


class MaskedDiscrete(gymnasium.spaces.Discrete):
    """`Discrete` whose `sample()` draws only what is `allowed`, (n,) of 0 and 1; without that it draws from all.

    RLlib's check of environments and its random actions sample without a mask; so they play legally too.
    """

    allowed: npt.NDArray[np.int8] | None = None

    def sample(self, mask: Any | None = None, probability: Any | None = None) -> np.int64:
        """A random action; see `Discrete.sample`.

        Args:
            mask: in place of `allowed`.
            probability: of each action; then `allowed` doesn't count.

        Returns:
            The action's number.
        """
        return super().sample(self.allowed if mask is None and probability is None else mask, probability)


class RiverbedMultiAgentEnv(MultiAgentEnv):
    """A game for RLlib. Each observation is that of the one agent that has to act.

    Agents are named by role and seat, "merchant_3", so that a policy mapping can go by role; `infos` hold the "seat",
    and at the end the game's "columns": winner, decisions, roles and more.

    An agent's reward comes with its own next observation, or with the end; RLlib adds up what comes between. At the end
    every agent sees its last observation.

    Args:
        config: "game", a versioned name, by default "riverbed_hunt_v1"; "num_players", a number or several, of which
            each game takes the next in turn, by default the game's usual; "seed"; and the options of the game's
            environment, like "view" and "rewards".

    Raises:
        OptionError: the game doesn't have an option, or a value isn't allowed.
    """

    def __init__(self, config: Mapping[str, Any] | None = None) -> None:
        options = dict(config or {})
        self.game = find_game(options.pop("game", "riverbed_hunt_v1"))
        players = options.pop("num_players", None)
        given, game = self.game.default_players if players is None else players, self.game
        self.counts: list[int] = check_integers("num_players", given, game.min_players, game.max_players).tolist()
        if not self.counts:
            raise OptionError("num_players must be a number or several")
        seed = options.pop("seed", None)
        # The seed differs in each environment of each of RLlib's workers.
        place = getattr(config, "worker_index", 0) * LARGEST_WORKER + getattr(config, "vector_index", 0)
        self.seed = fresh_seed() if seed is None else (check_seed(seed) + place) % MAX_SEED
        for name in {"mask_in", "dtype"} & options.keys():
            raise OptionError(f"RLlib's environment has no option {name!r}: modules take int8 and masks")
        make = entry_points(self.game).raw_env
        self._games: dict[int, TurnEnv] = {count: make(num_players=count, **options) for count in set(self.counts)}
        self._game = self._games[self.counts[0]]
        self._number = -1
        self.names = [[f"{role}_{seat}" for seat in range(max(self.counts))] for role in self.game.roles]
        self.possible_agents = [name for names in self.names for name in names]
        self.agents = list(self.possible_agents)
        self._actions = MaskedDiscrete(self.game.actions.size)
        self.observation_spaces: Values = dict.fromkeys(self.possible_agents, self._game.observation_space("player_0"))
        self.action_spaces: Values = dict.fromkeys(self.possible_agents, self._actions)
        super().__init__()

    def reset(self, *, seed: int | None = None, options: Mapping[str, Any] | None = None) -> tuple[Values, Values]:
        """Deal game 0 of a new seed, or the next game of the old one; see the class.

        Args:
            seed: the new seed; None keeps the old one.
            options: not used.

        Returns:
            The observation and the info of the agent that has to act, each by its name.
        """
        if seed is not None:
            self.seed, self._number = check_seed(seed), -1
        self._number += 1
        self._game = self._games[self.counts[self._number % len(self.counts)]]
        self._game.reset(seed=self.seed, options={"game_number": self._number})
        roles = self.game.roles_of(self._game._games)[0]
        self.agents = [self.names[role][seat] for seat, role in enumerate(roles)]
        return self._ask()

    def _ask(self) -> tuple[Values, Values]:
        """The observation and info of the agent that has to act."""
        agent = self._game.agent_selection
        seat = self._game.possible_agents.index(agent)
        seen = self._game.observe(agent)
        self._actions.allowed = seen[ACTION_MASK].copy()
        return {self.agents[seat]: seen}, {self.agents[seat]: {"seat": seat}}

    def step(self, action_dict: Mapping[str, Any]) -> tuple[Values, Values, Values, Values, Values]:
        """Take the acting agent's action.

        Args:
            action_dict: the action, by the agent's name.

        Returns:
            Observations, rewards, terminated, truncated and infos: of the agent that has to act, at the end of all.

        Raises:
            OptionError: there isn't one action, of that agent.
        """
        asked = self.agents[self._game.possible_agents.index(self._game.agent_selection)]
        if set(action_dict) != {asked}:
            raise OptionError(f"{asked} has to act, and nobody else; actions came from {', '.join(action_dict)}")
        self._game.step(action_dict[asked])
        if not any(self._game.terminations.values()) and not any(self._game.truncations.values()):
            observations, infos = self._ask()
            return observations, dict.fromkeys(observations, 0.0), {"__all__": False}, {"__all__": False}, infos
        inside = dict(zip(self.agents, self._game.possible_agents))
        observations = {name: self._game.observe(agent) for name, agent in inside.items()}
        rewards = {name: self._game.rewards[agent] for name, agent in inside.items()}
        terminated, truncated = (
            dict.fromkeys((*inside, "__all__"), any(flags.values()))
            for flags in (self._game.terminations, self._game.truncations)
        )
        columns = {name: each.item() for name, each in self.game.ended_columns(self._game._games).items()}
        infos = {name: {"seat": seat, "columns": dict(columns)} for seat, name in enumerate(self.agents)}
        return observations, rewards, terminated, truncated, infos
