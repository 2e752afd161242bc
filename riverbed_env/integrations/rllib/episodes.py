"""Chunks of decisions as RLlib's episodes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import groupby
from typing import Any

import numpy as np
import numpy.typing as npt
from ray.rllib.env.multi_agent_episode import MultiAgentEpisode
from ray.rllib.env.single_agent_episode import SingleAgentEpisode
from ray.rllib.env.utils.infinite_lookback_buffer import InfiniteLookbackBuffer

from .rollout import Chunks
from .spaces import ACTION_MASK, OBSERVATION

ACTIONS, REWARDS = "actions", "rewards"
PLACES = ("game", "seat", "role", "time", OBSERVATION, ACTION_MASK, ACTIONS)


class Episodes:
    """RLlib's episodes of games, by the games' numbers.

    names: an agent's name by role and seat; mapping: RLlib's `policy_mapping_fn`; prefix: the start of their ids.
    """

    def __init__(self, names: Sequence[Sequence[str]], mapping: Callable[..., str], prefix: str) -> None:
        self._names, self.mapping, self._prefix = names, mapping, prefix
        self._modules: dict[int, dict[str, str]] = {}

    def begin(self, game: int, roles: Sequence[int]) -> list[str]:
        """Begin the episode of a game; returns the module that plays each seat."""
        episode = self._episode(game)
        modules = [episode.module_for(self._names[role][seat]) for seat, role in enumerate(roles)]
        self._modules[game] = episode._agent_to_module_mapping
        return modules

    def _episode(self, game: int) -> MultiAgentEpisode:
        episode = MultiAgentEpisode(id_=f"{self._prefix}_{game}", agent_to_module_mapping_fn=self.mapping)
        episode._agent_to_module_mapping = self._modules.get(game, {})
        return episode

    def of(self, chunks: Chunks) -> list[MultiAgentEpisode]:
        """An episode, or a part of one, for each game with a chunk; a finished game is forgotten."""
        games = chunks.columns["game"][chunks.starts]
        extras = {name: column for name, column in chunks.columns.items() if name not in PLACES}
        return [
            self._with_agents(int(game), list(numbers), chunks, extras)
            for game, numbers in groupby(range(len(chunks)), key=lambda number: games[number])
        ]

    def _with_agents(
        self, game: int, numbers: Sequence[int], chunks: Chunks, extras: Mapping[str, npt.NDArray[Any]]
    ) -> MultiAgentEpisode:
        episode, times = self._episode(game), chunks.columns["time"]
        episode.env_t_started = min(int(times[chunks.starts[number]]) for number in numbers)
        episode.env_t = max(int(times[chunks.stops[number] - 1]) for number in numbers)
        for number in numbers:
            agent = self._agent(episode, number, chunks, extras)
            episode.agent_episodes[agent.agent_id] = agent
            self._note_times(episode, agent.agent_id, times[chunks.starts[number] : chunks.stops[number]])
        last = numbers[-1]
        episode.is_terminated, episode.is_truncated = bool(chunks.terminated[last]), bool(chunks.truncated[last])
        if episode.is_done:
            del self._modules[game]
        return episode

    def _agent(
        self, episode: MultiAgentEpisode, number: int, chunks: Chunks, extras: Mapping[str, npt.NDArray[Any]]
    ) -> SingleAgentEpisode:
        """A chunk as the episode of one agent."""
        columns, start, stop = chunks.columns, int(chunks.starts[number]), int(chunks.stops[number])
        name = self._names[int(columns["role"][start])][int(columns["seat"][start])]
        rewards = np.zeros(stop - start - 1, np.float32)
        rewards[-1] = chunks.reward[number]
        seen = {key: columns[key][start:stop] for key in (OBSERVATION, ACTION_MASK)}
        return SingleAgentEpisode(
            id_=f"{episode.id_}_{name}",
            observations=InfiniteLookbackBuffer(seen),
            infos=InfiniteLookbackBuffer([{}] * (stop - start)),
            actions=InfiniteLookbackBuffer(columns[ACTIONS][start : stop - 1]),
            rewards=InfiniteLookbackBuffer(rewards),
            extra_model_outputs={
                key: InfiniteLookbackBuffer(column[start : stop - 1]) for key, column in extras.items()
            },
            terminated=bool(chunks.terminated[number]),
            truncated=bool(chunks.truncated[number]),
            len_lookback_buffer=0,
            agent_id=name,
            module_id=episode.module_for(name),
            multi_agent_episode_id=episode.id_,
        )

    @staticmethod
    def _note_times(episode: MultiAgentEpisode, agent: str, times: npt.NDArray[np.int64]) -> None:
        """Which of the agent's own observations came at which of the episode's steps."""
        steps = [episode.SKIP_ENV_TS_TAG] * (episode.env_t - episode.env_t_started + 1)
        for own, time in enumerate(times):
            steps[int(time) - episode.env_t_started] = own
        episode.env_t_to_agent_t[agent] = InfiniteLookbackBuffer(steps)
