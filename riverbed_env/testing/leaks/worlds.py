"""Paired worlds: what differs only in what an agent may not know must look the same to it, now and later."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Collection, Iterator
from dataclasses import dataclass, field
from typing import Any, TypeAlias

import numpy as np
from pettingzoo import AECEnv, ParallelEnv

from .channels import Agent, Channels, Env, Sights, Whose, aec_channels, as_aec, is_done, whose
from .compare import ContentError, attributes, same
from .copies import copy_env
from .following import Follow, Policy, any_legal, choose, follow_worlds
from .report import Leak, NoTwinError, Report, SideEffectError, TwinError, told_apart

Rng: TypeAlias = np.random.Generator
Twin: TypeAlias = Callable[[Env, Agent, Rng], Env | None]
Varied: TypeAlias = Callable[[Env, Env], Collection[str]]

_NO_STATE = (AECEnv.state, ParallelEnv.state)  # these raise NotImplementedError


def hidden_differences(one: Env, two: Env) -> set[str]:
    """What two environments differ in: the attributes, by name, and "state()" if there is one that differs."""
    here, there = attributes(one.unwrapped) or {}, attributes(two.unwrapped) or {}
    names = {name for name in here.keys() | there.keys() if _apart(here.get(name), there.get(name))}
    if type(one.unwrapped).state not in _NO_STATE and _apart(one.state(), two.state()):
        names.add("state()")
    return names


def _apart(one: Any, two: Any) -> bool:
    try:
        return not same(one, two)
    except ContentError:
        return False


@dataclass(frozen=True)
class _Search:
    """The arguments of the public functions, and the report so far."""

    channels: Channels
    varied: Varied
    policy: Policy
    follow: Follow | None
    collect: bool
    copy: Callable[[Env], Env]
    rng: Rng
    report: Report = field(default_factory=Report)

    def note(self, leak: Leak) -> None:
        """Raise the leak, or keep it."""
        if not self.collect:
            raise leak
        self.report.leaks.append(leak)


def paired_worlds_test(
    make_env: Callable[[], Any],
    twin: Twin,
    *,
    games: int = 20,
    seed: int = 0,
    agents: Whose = None,
    channels: Channels | None = None,
    policy: Policy = any_legal,
    moments: float | Callable[[Env, Rng], bool] = 0.3,
    follow: Follow | None = None,
    varied: Varied = hidden_differences,
    collect: bool = False,
    copy: Callable[[Env], Env] = copy_env,
) -> Report:
    """At random moments of random games, compare the world with a twin of it for every agent.

    make_env: makes an environment; it is reset with a seed for each game. twin: `twin(env, agent, rng)` returns a
    second environment, independent of the first, at the same moment, equal in all that the agent may know and drawn
    again in all it may not; or None if there is none. It must not change `env`.

    agents: whose channels are compared: all in play, these, or those that a function of the environment returns.
    channels: `aec_channels()` by default. policy: `policy(env, legal, rng)` chooses a legal action; `legal` is None if
    there is no mask. moments: the share of decisions at which worlds are compared, or a function of the environment and
    a generator. follow: how to play on in both worlds; without it they are compared at once only. varied: names what
    differs between two environments, by default their attributes and `state()`. collect: gather the leaks in the report
    instead of raising the first. copy: copies an environment, for following.

    Also checked: observing twice shows the same, and observing for one agent changes nothing for the others.

    Raises Leak; SideEffectError; BlindnessError if `follow` asks for it; NoTwinError if there was never a twin;
    TwinError if no pair of worlds differed at all, or if a pair differs in what `follow.knows` says the agent knows.
    """
    rng = np.random.default_rng(seed)
    search = _Search(channels or aec_channels(), varied, policy, follow, collect, copy, rng)
    env = as_aec(make_env())
    for number in range(games):
        search.report.games += 1
        env.reset(seed=int(rng.integers(2**31)))
        for decision in random_moments(env, rng, policy=policy, moments=moments):
            search.report.moments += 1
            _compare_all(search, env, twin, agents, f"game {number}, decision {decision}")
    _check_worth(search.report)
    return search.report


def paired_games_test(
    make_pair: Callable[[Agent, Rng], tuple[Any, Any]],
    agents: Collection[Agent],
    *,
    follow: Follow,
    games: int = 20,
    seed: int = 0,
    channels: Channels | None = None,
    policy: Policy = any_legal,
    varied: Varied = hidden_differences,
    collect: bool = False,
) -> Report:
    """Compare games that were built in pairs: for environments whose state can't be set.

    make_pair: `make_pair(agent, rng)` returns two environments, both reset and at their first decision, that differ
    only in what that agent may not know: from paired seeds, for example. They are followed as `follow` says. The other
    parameters and the errors are those of `paired_worlds_test`.
    """
    rng = np.random.default_rng(seed)
    search = _Search(channels or aec_channels(), varied, policy, follow, collect, lambda env: env, rng)
    for number in range(games):
        search.report.games += 1
        for agent in agents:
            search.report.moments += 1
            one, two = (as_aec(env) for env in make_pair(agent, rng))
            _compare_pair(search, one, two, agent, search.channels.take(one, agent), f"pair {number}")
    _check_worth(search.report)
    return search.report


def compare_worlds(one: Env, two: Env, agent: Agent, channels: Channels, where: str = "at once") -> None:
    """Raise Leak if the agent can tell two environments apart."""
    _compare_sights(channels, channels.take(one, agent), channels.take(two, agent), agent, where)


def _compare_sights(channels: Channels, one: Sights, two: Sights, agent: Agent, where: str) -> None:
    apart = channels.apart(one, two)
    if apart:
        raise told_apart(agent, apart, where)


# --- one moment ----------------------------------------------------------------------------------------------------


def _compare_all(search: _Search, env: Env, twin: Twin, agents: Whose, where: str) -> None:
    """Compare the world with a twin for every agent; looking at all of them twice must show the same."""
    sights = {agent: search.channels.take(env, agent) for agent in whose(agents, env)}
    for agent, seen in sights.items():
        other = twin(env, agent, search.rng)
        if other is not None:
            _compare_pair(search, env, as_aec(other), agent, seen, where)
    for agent, seen in sights.items():
        changed = search.channels.apart(seen, search.channels.take(env, agent))
        if changed:
            raise SideEffectError(f"{where}: observing, or making a twin, changes what {agent} sees: {changed[0]}")


def _compare_pair(search: _Search, one: Env, two: Env, agent: Agent, seen: Sights, where: str) -> None:
    """Compare two worlds at once, then follow them if they look the same."""
    _note_varied(search, one, two)
    _check_fair(search, one, two, agent, where)
    try:
        _compare_sights(search.channels, seen, search.channels.take(two, agent), agent, where)
        if search.follow is not None:
            _follow_both(search, search.copy(one), two, agent, where)
    except Leak as leak:
        search.note(leak)


def _follow_both(search: _Search, one: Env, two: Env, agent: Agent, where: str) -> None:
    assert search.follow is not None
    steps, end = follow_worlds(one, two, agent, search.channels, search.follow, search.policy, search.rng, where)
    search.report.decisions += steps
    search.report.ends[end] += 1


def _note_varied(search: _Search, one: Env, two: Env) -> None:
    names = Counter(set(search.varied(one, two)))
    search.report.compared += 1
    search.report.alike += not names
    search.report.varied += names


def _check_fair(search: _Search, one: Env, two: Env, agent: Agent, where: str) -> None:
    """A pair must agree in what the agent knows, where that can be asked."""
    if search.follow is None or search.follow.knows is None:
        return
    knows = search.follow.knows
    if not same(knows(one, agent), knows(two, agent)):
        raise TwinError(f"{where}: the two worlds already differ in what {agent} knows")


def _check_worth(report: Report) -> None:
    if report.compared == 0:
        raise NoTwinError(f"in {report.moments} moments there was no twin at all: nothing was compared")
    if report.compared == report.alike:
        raise TwinError(f"of {report.compared} pairs of worlds none differed in anything: the test proves nothing")


# --- moments of games ----------------------------------------------------------------------------------------------


def random_moments(
    env: Env, rng: Rng, *, policy: Policy = any_legal, moments: float | Callable[[Env, Rng], bool] = 0.3
) -> Iterator[int]:
    """Play an environment from its reset to its end, stopping at random decisions; gives their numbers.

    policy, moments: as for `paired_worlds_test`. Agents that are done aren't stopped at.
    """
    number = 0
    while env.agents:
        if is_done(env, env.agent_selection):
            env.step(None)
            continue
        if moments(env, rng) if callable(moments) else rng.random() < moments:
            yield number
        env.step(choose(env, policy, rng))
        number += 1
