"""What reaches an agent through an environment, by named channels."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, TypeAlias

import numpy as np
from pettingzoo import AECEnv, ParallelEnv
from pettingzoo.utils.conversions import parallel_to_aec

from .compare import Difference, differences, freeze, same

Env: TypeAlias = AECEnv[Any, Any, Any]
Agent: TypeAlias = Any
Whose: TypeAlias = Collection[Agent] | Callable[[Env], Iterable[Agent]] | None  # these, a function of env, or all
Sights: TypeAlias = dict[str, Any]  # what an agent gets by each channel
Channel: TypeAlias = Callable[[Env, Agent], Any]
Decoder: TypeAlias = Callable[[Any], Mapping[str, Any]]  # a value's pieces by name


@dataclass(frozen=True)
class Channels:
    """Named ways in which something reaches an agent.

    `functions` are called in their order as `function(env, agent)` and return plain content; a decoder splits the value
    of the channel of its name into named pieces, so that a leak names the piece.
    """

    functions: Mapping[str, Channel]
    decoders: Mapping[str, Decoder] = field(default_factory=dict)

    def adding(self, functions: Mapping[str, Channel]) -> Channels:
        """With more channels; they replace those of the same name."""
        return replace(self, functions={**self.functions, **functions})

    def without(self, *names: str) -> Channels:
        """Without some channels. Raises KeyError for an unknown name."""
        missing = [name for name in names if name not in self.functions]
        if missing:
            raise KeyError(f"no channel is called {missing[0]!r}; there are {', '.join(self.functions)}")
        return replace(self, functions={name: use for name, use in self.functions.items() if name not in names})

    def decoding(self, decoders: Mapping[str, Decoder]) -> Channels:
        """With the values of some channels split into pieces: {"observation": decoder}."""
        return replace(self, decoders={**self.decoders, **decoders})

    def take(self, env: Env, agent: Agent) -> Sights:
        """All that reaches the agent now, as copies."""
        return {name: freeze(channel(env, agent)) for name, channel in self.functions.items()}

    def by_piece(self, sights: Sights) -> Sights:
        """What `take` returned, with the values that have decoders split into pieces."""
        return {name: self._decoded(name, value) for name, value in sights.items()}

    def _decoded(self, name: str, value: Any) -> Any:
        return dict(self.decoders[name](value)) if name in self.decoders else value

    def apart(self, one: Sights, two: Sights) -> list[Difference]:
        """Where two results of `take` differ, by piece where there is a decoder."""
        apart: list[Difference] = []
        for name in one:
            whole = differences(one[name], two[name], name)
            if whole and name in self.decoders:
                whole = differences(self._decoded(name, one[name]), self._decoded(name, two[name]), name) or whole
            apart += whole
        return apart


def aec_channels(
    *,
    rendering: Channel | None = None,
    words: Mapping[str, Channel] | None = None,
    pieces: Decoder | None = None,
) -> Channels:
    """The channels of any turn-based environment of PettingZoo.

    "observation" (without its mask; the bare array if the observation is {"observation", "action_mask"}), "mask",
    "info", "reward" (the agent's own, and the sum since its last step), "done" (its own flags), "last" (while it is
    selected), "who is asked", "who plays", "all rewards", "all flags" (of all agents, as in the environment's
    dictionaries), "form" (spaces, metadata).

    rendering: the agent's own picture, like `lambda env, agent: env.render()`; leave it out if pictures are for
    spectators. words: more channels, such as texts, refusals, replays. pieces: splits an observation into named pieces.
    """
    functions: dict[str, Channel] = {
        "observation": observation,
        "mask": masks,
        "info": info,
        "reward": reward,
        "done": done,
        "last": last,
        "who is asked": asked,
        "who plays": players,
        "all rewards": all_rewards,
        "all flags": all_flags,
        "form": form,
    }
    if rendering is not None:
        functions["rendering"] = rendering
    return Channels({**functions, **(words or {})}, {"observation": pieces} if pieces is not None else {})


def as_aec(env: Env | ParallelEnv[Any, Any, Any]) -> Env:
    """The environment itself, or a parallel one in turns: its agents are asked one after another."""
    return parallel_to_aec(env) if isinstance(env, ParallelEnv) else env


# --- the channels of any environment ---------------------------------------------------------------------------------


def observation(env: Env, agent: Agent) -> Any:
    """What `observe` gives, without its mask."""
    seen = env.observe(agent)
    if not isinstance(seen, Mapping) or "action_mask" not in seen:
        return seen
    rest = {name: value for name, value in seen.items() if name != "action_mask"}
    return rest["observation"] if list(rest) == ["observation"] else rest


def masks(env: Env, agent: Agent) -> dict[str, Any]:
    """The agent's action masks, in its observation and its info."""
    seen, given = env.observe(agent), env.infos.get(agent)
    places = {"in observation": seen, "in info": given}
    return {name: held["action_mask"] for name, held in places.items() if _has_mask(held)}


def _has_mask(held: Any) -> bool:
    return isinstance(held, Mapping) and "action_mask" in held


def info(env: Env, agent: Agent) -> Any:
    """The agent's info without its mask."""
    given = env.infos.get(agent)
    return {name: value for name, value in given.items() if name != "action_mask"} if _has_mask(given) else given


def reward(env: Env, agent: Agent) -> Any:
    """The agent's last reward and the sum since its last step."""
    gathered = getattr(env, "_cumulative_rewards", {})
    return env.rewards.get(agent), gathered.get(agent)


def done(env: Env, agent: Agent) -> Any:
    """Whether the agent is terminated, truncated."""
    return env.terminations.get(agent), env.truncations.get(agent)


def last(env: Env, agent: Agent) -> Any:
    """What `last` gives the selected agent and the other channels don't; None for other agents."""
    if env.agent_selection != agent:
        return None
    seen, gathered, terminated, truncated, given = env.last()
    elsewhere = env.observe(agent), reward(env, agent)[1], done(env, agent), env.infos.get(agent)
    here = seen, gathered, (terminated, truncated), given
    names = "observation", "reward", "flags", "info"
    return {name: value for name, value, known in zip(names, here, elsewhere, strict=True) if not same(value, known)}


def asked(env: Env, agent: Agent) -> Any:
    """The selected agent."""
    return env.agent_selection


def players(env: Env, agent: Agent) -> Any:
    """Who is in play, and who began."""
    return list(env.agents), list(env.possible_agents)


def all_rewards(env: Env, agent: Agent) -> Any:
    """Everybody's last reward."""
    return dict(env.rewards)


def all_flags(env: Env, agent: Agent) -> Any:
    """Everybody's flags."""
    return dict(env.terminations), dict(env.truncations)


def form(env: Env, agent: Agent) -> Any:
    """The agent's spaces and the environment's metadata."""
    return env.observation_space(agent), env.action_space(agent), dict(env.metadata)


# --- what is legal -------------------------------------------------------------------------------------------------


def legal_actions(env: Env, agent: Agent) -> list[int] | None:
    """The actions that the agent's mask allows; None if it has no mask."""
    mask = next(iter(masks(env, agent).values()), None)
    if mask is None:
        return None
    start = int(getattr(env.action_space(agent), "start", 0))
    return [int(place) + start for place in np.flatnonzero(mask)]


def is_done(env: Env, agent: Agent) -> bool:
    """Whether the agent has finished."""
    return bool(env.terminations[agent] or env.truncations[agent])


def whose(agents: Whose, env: Env) -> list[Agent]:
    """The agents whose channels are compared."""
    if callable(agents):
        return list(agents(env))
    return [agent for agent in env.agents if agents is None or agent in agents]


def names_of(apart: Iterable[Difference]) -> list[str]:
    """The names of differences, each once, in their order."""
    return list(dict.fromkeys(difference.name for difference in apart))
