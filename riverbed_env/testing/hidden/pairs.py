"""Paired worlds: what differs only in what a seat may not know must look the same to it, at once and played on."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from typing import Any

import numpy as np

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.compare import Difference, differences, freeze, same

Sights = dict[str, Any]  # what an agent gets by each channel
Channel = Callable[[TurnEnv, str], Any]
Rng = np.random.Generator
Policy = Callable[[TurnEnv, list[int], Rng], int]


@dataclass(frozen=True)
class Channels:
    """Named ways in which something reaches an agent.

    Args:
        functions: called in their order as `function(env, agent)`; they return plain content.
        decoders: each splits the value of the channel of its name into named pieces, so that a leak names the piece.
    """

    functions: Mapping[str, Channel]
    decoders: Mapping[str, Callable[[Any], Mapping[str, Any]]] = field(default_factory=dict)

    def adding(self, functions: Mapping[str, Channel]) -> Channels:
        """With more channels.

        Args:
            functions: the channels by name; they replace those of the same name.

        Returns:
            New channels.
        """
        return replace(self, functions={**self.functions, **functions})

    def without(self, *names: str) -> Channels:
        """Without some channels.

        Args:
            names: of the channels to leave out.

        Returns:
            New channels.

        Raises:
            KeyError: a name isn't known.
        """
        left = dict(self.functions)
        for name in names:
            del left[name]
        return replace(self, functions=left)

    def take(self, env: TurnEnv, agent: str) -> Sights:
        """All that reaches the agent now.

        Args:
            env: the environment.
            agent: the agent, like "player_0".

        Returns:
            Copies of what each channel gives, by its name.
        """
        return {name: freeze(channel(env, agent)) for name, channel in self.functions.items()}

    def apart(self, one: Sights, two: Sights) -> list[Difference]:
        """Where two results of `take` differ, by piece where there is a decoder.

        Args:
            one: what `take` gave in one world.
            two: what it gave in the other.

        Returns:
            The differences; none if the results are the same.
        """
        apart: list[Difference] = []
        for name in one:
            whole = differences(one[name], two[name], name)
            if whole and name in self.decoders:
                decode = self.decoders[name]
                whole = differences(dict(decode(one[name])), dict(decode(two[name])), name) or whole
            apart += whole
        return apart


class Leak(AssertionError):  # noqa: N818  # named for what it is
    """An agent can know more than it may.

    Args:
        message: says who can tell what by what.
        names: the channels, with their pieces, that show it.
    """

    def __init__(self, message: str, names: Sequence[str]) -> None:
        super().__init__(message)
        self.names = list(names)


def names_of(apart: Sequence[Difference]) -> list[str]:
    """The names of differences, each once, in their order."""
    return list(dict.fromkeys(difference.name for difference in apart))


def check_alike(apart: Sequence[Difference], agent: str, where: str) -> None:
    """Raise Leak if the agent can tell two worlds apart."""
    if apart:
        names = names_of(apart)
        raise Leak(f"{agent} can tell by {', '.join(names)} ({where}); {apart[0]}", names)


def compare_worlds(one: TurnEnv, two: TurnEnv, agent: str, channels: Channels) -> None:
    """Compare what reaches an agent in two environments.

    Args:
        one: an environment.
        two: the other.
        agent: the agent, like "player_0".
        channels: what is compared.

    Raises:
        Leak: the agent can tell them apart.
    """
    check_alike(channels.apart(channels.take(one, agent), channels.take(two, agent)), agent, "at once")


# --- moments of games ----------------------------------------------------------------------------------------------


def any_legal(env: TurnEnv, legal: list[int], rng: Rng) -> int:
    """A uniformly drawn legal action.

    Args:
        env: the environment, which isn't looked at.
        legal: the legal actions.
        rng: what is drawn from.

    Returns:
        The action.
    """
    return legal[int(rng.integers(len(legal)))]


def is_done(env: TurnEnv, agent: str) -> bool:
    """Whether the agent has finished."""
    return bool(env.terminations[agent] or env.truncations[agent])


def random_moments(
    env: TurnEnv, rng: Rng, *, policy: Policy = any_legal, moments: float | Callable[[TurnEnv, Rng], bool] = 0.3
) -> Iterator[int]:
    """Play an environment from its reset to its end, stopping at random decisions.

    Agents that are done aren't stopped at.

    Args:
        env: the environment, just reset.
        rng: what is drawn from.
        policy: `policy(env, legal, rng) -> action`, how the game is played.
        moments: the share of decisions to stop at, by default 0.3, or a function `moments(env, rng)` that says so.

    Yields:
        The numbers of the decisions stopped at, from 0.
    """
    number = 0
    while env.agents:
        agent = env.agent_selection
        if is_done(env, agent):
            env.step(None)
            continue
        if moments(env, rng) if callable(moments) else rng.random() < moments:
            yield number
        env.step(policy(env, env.legal_actions(agent).tolist(), rng))
        number += 1


# --- playing on ----------------------------------------------------------------------------------------------------


class Disclosure(Enum):
    """Whom a step rightly showed something that differs between two worlds."""

    NOTHING = "nothing that differs"
    ALONE = "something that differs, to the agent alone"
    OPENLY = "something that differs, and others see it too"


@dataclass(frozen=True)
class Step:
    """A decision in one of two worlds: the agent and its action, the note taken before it, the environment after it."""

    env: TurnEnv
    asked: str
    action: Any
    noted: Any


@dataclass(frozen=True)
class Follow:
    """How two worlds are followed.

    told: `told(one, two, agent)` says whom two Steps rightly told something that differs. It may raise Leak if
    something differs that never should. note: `note(env)` is called before each action, for `told`. steps: how many
    decisions. channels: compared after each of them; at_the_end: once after all of them, if nothing that differs was
    told. private: names of channels and pieces that may differ once the agent alone was told something; the others must
    still agree. must_notice: whether a channel must show what the agent was told.
    """

    told: Callable[[Step, Step, str], Disclosure]
    note: Callable[[TurnEnv], Any]
    steps: int
    channels: Channels
    at_the_end: Channels
    private: Collection[str] = ()
    must_notice: bool = False

    def play(self, one: TurnEnv, two: TurnEnv, agent: str, policy: Policy, rng: Rng) -> tuple[int, str]:
        """Play the same in two worlds that look the same to the agent, and compare after each decision.

        Returns how many decisions were played and why it ended: "steps" (all played), "over" (the agent's game ended),
        "told" (something that differs was rightly shown), "stuck" (nothing is legal in both). Raises Leak.
        """
        alone = False
        for step in range(self.steps):
            if agent not in one.agents or is_done(one, agent):
                return step, "over"
            action = common_action(one, two, policy, rng)
            if action is _STUCK:
                return step, "stuck"
            later = f"{step + 1} decisions later"
            first, second = self._step_both(one, two, action)
            disclosed = self.told(first, second, agent)
            apart = _apart(one, two, agent, self.channels)
            if disclosed is not Disclosure.NOTHING and self.must_notice and not apart:
                raise AssertionError(f"{later}: {agent} was told something that differs, and no channel shows it")
            if disclosed is Disclosure.OPENLY:
                return step + 1, "told"
            alone = alone or disclosed is Disclosure.ALONE
            check_alike([each for each in apart if not (alone and each.name in self.private)], agent, later)
        if not alone:
            check_alike(_apart(one, two, agent, self.at_the_end), agent, f"{self.steps} decisions later")
        return self.steps, "steps"

    def _step_both(self, one: TurnEnv, two: TurnEnv, action: Any) -> tuple[Step, Step]:
        asked, noted = one.agent_selection, [self.note(env) for env in (one, two)]
        for env in (one, two):
            env.step(action)
        return Step(one, asked, action, noted[0]), Step(two, asked, action, noted[1])


_STUCK = object()


def _apart(one: TurnEnv, two: TurnEnv, agent: str, channels: Channels) -> list[Difference]:
    """Where what reaches the agent differs; for an agent that has left, whether it has left in both worlds."""
    here, there = agent in one.agents, agent in two.agents
    if here and there:
        return channels.apart(channels.take(one, agent), channels.take(two, agent))
    return differences(here, there, "who plays")


def common_action(one: TurnEnv, two: TurnEnv, policy: Policy, rng: Rng) -> Any:
    """An action of the selected agent that is legal in both worlds; None if it is done."""
    agent = one.agent_selection
    if agent != two.agent_selection or is_done(one, agent) != is_done(two, agent):
        return _STUCK
    if is_done(one, agent):
        return None
    legal = [env.legal_actions(agent).tolist() for env in (one, two)]
    both = [action for action in legal[0] if action in legal[1]]
    return policy(one, both, rng) if both else _STUCK


@dataclass
class Report:
    """What a search over paired worlds did.

    compared: the pairs of worlds; alike: those that didn't differ in anything, and so prove nothing; varied: in how
    many pairs each hidden part differed; decisions: how many were played on in pairs; ends: why that ended, see
    `Follow.play`.
    """

    compared: int = 0
    alike: int = 0
    varied: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    ends: Counter[str] = field(default_factory=Counter)


# --- what reaches an agent of any turn-based environment -----------------------------------------------------------


def last(env: TurnEnv, agent: str) -> Any:
    """What `last` gives the selected agent and the other channels don't; None for other agents."""
    if env.agent_selection != agent:
        return None
    seen, gathered, terminated, truncated, info = env.last()
    here = seen, gathered, (terminated, truncated), info
    elsewhere = env.observe(agent), reward(env, agent)[1], done(env, agent), env.infos.get(agent)
    names = "observation", "reward", "flags", "info"
    return {name: value for name, value, known in zip(names, here, elsewhere) if not same(value, known)}


def reward(env: TurnEnv, agent: str) -> tuple[Any, Any]:
    """The agent's last reward and the sum since its last step."""
    return env.rewards.get(agent), env._cumulative_rewards.get(agent)


def done(env: TurnEnv, agent: str) -> tuple[Any, Any]:
    """Whether the agent is terminated, truncated."""
    return env.terminations.get(agent), env.truncations.get(agent)


def form(env: TurnEnv, agent: str) -> Any:
    """The agent's spaces and the environment's metadata."""
    return env.observation_space(agent), env.action_space(agent), dict(env.metadata)


def observation(env: TurnEnv, agent: str) -> Any:
    """What `observe` gives, without its mask; the bare array if there is nothing else."""
    rest = {name: value for name, value in env.observe(agent).items() if name != "action_mask"}
    return rest["observation"] if list(rest) == ["observation"] else rest


def masks(env: TurnEnv, agent: str) -> Any:
    """The agent's action masks, in its observation and its info."""
    places = {"in observation": env.observe(agent), "in info": env.infos.get(agent, {})}
    return {name: held["action_mask"] for name, held in places.items() if "action_mask" in held}


TURNS = Channels(
    {
        "observation": observation,
        "mask": masks,
        "info": lambda env, agent: {k: v for k, v in env.infos.get(agent, {}).items() if k != "action_mask"},
        "reward": reward,
        "done": done,
        "last": last,
        "who is asked": lambda env, agent: env.agent_selection,
        "who plays": lambda env, agent: (list(env.agents), list(env.possible_agents)),
        "all rewards": lambda env, agent: dict(env.rewards),
        "all flags": lambda env, agent: (dict(env.terminations), dict(env.truncations)),
        "form": form,
    }
)
