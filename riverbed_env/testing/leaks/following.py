"""Playing on in two worlds that look the same to an agent, until something that differs is rightly shown."""

from __future__ import annotations

from collections.abc import Callable, Collection
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import numpy as np

from .channels import Agent, Channels, Env, is_done, legal_actions
from .compare import Difference, differences, same
from .report import BlindnessError, told_apart

Rng: TypeAlias = np.random.Generator
Policy: TypeAlias = Callable[[Env, list[int] | None, Rng], Any]


class Disclosure(Enum):
    """Whom a step rightly showed something that differs between two worlds."""

    NOTHING = "nothing that differs"
    ALONE = "something that differs, to the agent alone"
    OPENLY = "something that differs, and others see it too"


@dataclass(frozen=True)
class Step:
    """A decision in one of two worlds: the agent and its action, the note taken before it, the environment after it."""

    env: Env
    asked: Agent
    action: Any
    noted: Any


@dataclass(frozen=True)
class Follow:
    """How two worlds are followed; needs either `knows` or `told`.

    steps: how many decisions. channels: compared after each of them. at_the_end: compared once after all of them, if
    nothing that differs was told. Both default to the channels of the test.

    knows: `knows(env, agent)` returns all that the agent may know by now, as plain content, written from the rules and
    not from observations. While it agrees in both worlds all channels must; when it differs the following ends. told:
    `told(one, two, agent)` says whom two Steps rightly told something that differs. It may raise Leak if something
    differs that never should. note: `note(env, agent)` is called before each action, for `told`.

    private: names of channels and pieces that may differ once the agent alone was told something; the others must still
    agree. must_notice: raise BlindnessError if the agent was told something that differs and no channel shows it.
    """

    knows: Callable[[Env, Agent], Any] | None = None
    told: Callable[[Step, Step, Agent], Disclosure] | None = None
    note: Callable[[Env, Agent], Any] | None = None
    steps: int = 20
    channels: Channels | None = None
    at_the_end: Channels | None = None
    private: Collection[str] = ()
    must_notice: bool = False

    def __post_init__(self) -> None:
        if (self.knows is None) == (self.told is None):
            raise ValueError("give either knows or told")

    def learnt(self, one: Step, two: Step, agent: Agent) -> Disclosure:
        """Whom the step rightly told something that differs."""
        if self.told is not None:
            return self.told(one, two, agent)
        assert self.knows is not None
        return Disclosure.NOTHING if same(self.knows(one.env, agent), self.knows(two.env, agent)) else Disclosure.OPENLY


def any_legal(env: Env, legal: list[int] | None, rng: Rng) -> Any:
    """A uniformly drawn legal action of the selected agent; any action of its space if it has no mask."""
    if legal is not None:
        return legal[int(rng.integers(len(legal)))]
    space = env.action_space(env.agent_selection)
    space.seed(int(rng.integers(2**31)))
    return space.sample()


def choose(env: Env, policy: Policy, rng: Rng) -> Any:
    """The selected agent's action. Raises AssertionError if its mask is empty."""
    legal = legal_actions(env, env.agent_selection)
    if legal is not None and not legal:
        raise AssertionError(f"{env.agent_selection} is selected and its mask is empty")
    return policy(env, legal, rng)


def follow_worlds(
    one: Env, two: Env, agent: Agent, channels: Channels, follow: Follow, policy: Policy, rng: Rng, where: str
) -> tuple[int, str]:
    """Play the same in two worlds that look the same to the agent, and compare after each decision.

    Returns how many decisions were played and why it ended: "steps" (all played), "over" (the agent's game ended),
    "told" (something that differs was rightly shown), "stuck" (nothing is legal in both).
    """
    watched, lastly = follow.channels or channels, follow.at_the_end or channels
    alone = False
    for step in range(follow.steps):
        if _over(one, agent):
            return step, "over"
        action = _common_action(one, two, policy, rng)
        if action is _STUCK:
            return step, "stuck"
        later = f"{where}, then {step + 1} decisions later"
        disclosed = follow.learnt(*_step_both(one, two, agent, action, follow), agent)
        apart = _apart(one, two, agent, watched)
        if disclosed is not Disclosure.NOTHING and follow.must_notice and not apart:
            raise BlindnessError(f"{later}: {agent} was told something that differs, and no channel shows it")
        if disclosed is Disclosure.OPENLY:
            return step + 1, "told"
        alone = alone or disclosed is Disclosure.ALONE
        _check(agent, [each for each in apart if not (alone and each.name in follow.private)], later)
    if lastly is not watched and not alone:
        _check(agent, _apart(one, two, agent, lastly), f"{where}, then {follow.steps} decisions later")
    return follow.steps, "steps"


def _apart(one: Env, two: Env, agent: Agent, channels: Channels) -> list[Difference]:
    """Where what reaches the agent differs; for an agent that has left, whether it has left in both worlds."""
    here, there = agent in one.agents, agent in two.agents
    if here and there:
        return channels.apart(channels.take(one, agent), channels.take(two, agent))
    return differences(here, there, "who plays")


_STUCK = object()


def _over(env: Env, agent: Agent) -> bool:
    return agent not in env.agents or is_done(env, agent)


def _common_action(one: Env, two: Env, policy: Policy, rng: Rng) -> Any:
    """An action of the selected agent that is legal in both worlds; None if it is done."""
    if one.agent_selection != two.agent_selection:
        return _STUCK
    finished = [is_done(env, env.agent_selection) for env in (one, two)]
    if any(finished):
        return None if all(finished) else _STUCK
    legal = [legal_actions(env, env.agent_selection) for env in (one, two)]
    if legal[0] is None or legal[1] is None:
        return policy(one, None, rng)
    both = [action for action in legal[0] if action in legal[1]]
    return policy(one, both, rng) if both else _STUCK


def _step_both(one: Env, two: Env, agent: Agent, action: Any, follow: Follow) -> tuple[Step, Step]:
    asked = one.agent_selection
    noted = [follow.note(env, agent) if follow.note is not None else None for env in (one, two)]
    for env in (one, two):
        env.step(action)
    return Step(one, asked, action, noted[0]), Step(two, asked, action, noted[1])


def _check(agent: Agent, apart: list[Difference], where: str) -> None:
    if apart:
        raise told_apart(agent, apart, where)
