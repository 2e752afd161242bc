"""Paired worlds: what differs only in what an agent may not know must look the same to it, and go on doing so."""

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
    """What two environments differ in: the attributes, by name, and "state()" where there is one that differs."""
    found = set()
    held = attributes(one.unwrapped) or {}, attributes(two.unwrapped) or {}
    for name in held[0].keys() | held[1].keys():
        if _apart(held[0].get(name), held[1].get(name)):
            found.add(name)
    if type(one.unwrapped).state not in _NO_STATE and _apart(one.state(), two.state()):
        found.add("state()")
    return found


def _apart(one: Any, two: Any) -> bool:
    try:
        return not same(one, two)
    except ContentError:
        return False


@dataclass(frozen=True)
class _Search:
    """What the public functions were asked to do; the report is filled on the way."""

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

    make_env: gives an environment; it is reset with a seed for each game. twin: `twin(env, agent, rng)` gives a
    second environment, independent of the first, at the same moment, equal in all that the agent may know and
    redrawn in all it may not; or None where there is none. It must leave `env` as it is.

    agents: whose channels are compared: all in play, these, or those that a function of the environment names.
    channels: `aec_channels()` unless given. policy: chooses an action out of the legal ones, `policy(env, legal, rng)`;
    `legal` is None where there is no mask. moments: the share of decisions at which worlds are compared, or a function
    of the environment and a generator. follow: how to play on in both worlds; only compared at once without it. varied:
    names what differs between two environments; by their attributes and `state()` unless given. collect: gather the
    leaks in the report instead of raising the first. copy: copies an environment, for following.

    Also checked: looking twice shows the same, and looking for one agent changes nothing for the others.

    Raises Leak; SideEffectError; BlindnessError if `follow` asks for it; NoTwinError where there was never a
    twin; TwinError where no pair of worlds differed at all, or where a pair differs in what `follow.knows` says the
    agent knows.
    """
    search = _Search(
        channels=channels or aec_channels(),
        varied=varied,
        policy=policy,
        follow=follow,
        collect=collect,
        copy=copy,
        rng=np.random.default_rng(seed),
    )
    env = as_aec(make_env())
    for number in range(games):
        search.report.games += 1
        env.reset(seed=int(search.rng.integers(2**31)))
        for decision in random_moments(env, search.rng, policy=policy, moments=moments):
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

    make_pair: `make_pair(agent, rng)` gives two environments, both reset and at their first decision, that differ
    only in what that agent may not know: from paired seeds, other deals, other builds. They are followed as
    `follow` says. The other parameters, and what is raised, are as for `paired_worlds_test`.
    """
    search = _Search(
        channels=channels or aec_channels(),
        varied=varied,
        policy=policy,
        follow=follow,
        collect=collect,
        copy=_itself,
        rng=np.random.default_rng(seed),
    )
    for number in range(games):
        search.report.games += 1
        for agent in agents:
            search.report.moments += 1
            one, two = (as_aec(env) for env in make_pair(agent, search.rng))
            _compare_pair(search, one, two, agent, search.channels.take(one, agent), f"pair {number}")
    _check_worth(search.report)
    return search.report


def compare_worlds(one: Env, two: Env, agent: Agent, channels: Channels, where: str = "at once") -> None:
    """Raise Leak if the agent can tell two environments apart."""
    _compare_sights(channels, channels.take(one, agent), channels.take(two, agent), agent, where)


def _compare_sights(channels: Channels, one: Sights, two: Sights, agent: Agent, where: str) -> None:
    found = channels.apart(one, two)
    if found:
        raise told_apart(agent, found, where)


def _itself(env: Env) -> Env:
    return env


# --- one moment ----------------------------------------------------------------------------------------------------


def _compare_all(search: _Search, env: Env, twin: Twin, agents: Whose, where: str) -> None:
    """Compare the world with a twin for every agent; looking at all of them twice must show the same."""
    sights = {agent: search.channels.take(env, agent) for agent in whose(agents, env)}
    for agent, seen in sights.items():
        other = twin(env, agent, search.rng)
        if other is not None:
            _compare_pair(search, env, as_aec(other), agent, seen, where)
    for agent, seen in sights.items():
        found = search.channels.apart(seen, search.channels.take(env, agent))
        if found:
            raise SideEffectError(f"{where}: looking, or making a twin, changes what {agent} has to see: {found[0]}")


def _compare_pair(search: _Search, one: Env, two: Env, agent: Agent, seen: Sights, where: str) -> None:
    """Compare two worlds at once, then follow them if they look the same."""
    _note_varied(search, one, two)
    _check_fair(search, one, two, agent, where)
    try:
        _compare_sights(search.channels, seen, search.channels.take(two, agent), agent, where)
        if search.follow is not None:
            _go_on(search, search.copy(one), two, agent, where)
    except Leak as leak:
        search.note(leak)


def _go_on(search: _Search, one: Env, two: Env, agent: Agent, where: str) -> None:
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
