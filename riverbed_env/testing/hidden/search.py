"""Searching a game for leaks: twins compared by what reaches a seat, at once and played on."""

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.conformance.kit import is_over

from .channels import Channels, check_alike, compare_worlds, everything, numbers
from .worlds import Disclosure, HiddenWorlds, Rng, Step, fields_apart, make, random_moments, twin_env, with_record


@dataclass
class Report:
    """What a search over paired worlds did.

    compared: the pairs of worlds; alike: those that didn't differ in anything, and so prove nothing; varied: in how
    many pairs each hidden part differed; decisions: how many were played on in pairs; ends: why that ended, see
    `follow`.
    """

    compared: int = 0
    alike: int = 0
    varied: Counter[str] = field(default_factory=Counter)
    decisions: int = 0
    ends: Counter[str] = field(default_factory=Counter)


def varied(one: TurnEnv, two: TurnEnv) -> set[str]:
    """In which fields two worlds differ, and whether their `state()` does."""
    names = {name for name, _ in fields_apart(one._games[0], two._games[0])}
    return names | ({"state()"} if not np.array_equal(one.state(), two.state()) else set())


def follow(
    worlds: HiddenWorlds, one: TurnEnv, two: TurnEnv, agent: str, rng: Rng, steps: int, whole: Channels
) -> tuple[int, str]:
    """Play the same in two worlds that look the same to the agent, and compare after each decision.

    What a seat alone was told may differ in its own channels. Returns how many decisions were played and why it ended:
    "steps" (all played), "over" (a game ended), "told" (something that differs was rightly shown), "stuck" (nothing is
    legal in both). whole: compared after all steps. Raises Leak, and AssertionError if no
    channel shows what was told.
    """
    alone, channels = False, numbers(worlds)
    for step in range(steps):
        if is_over(one) or is_over(two):
            return step, "over"
        asked = one.agent_selection
        both = np.intersect1d(one.legal_actions(asked), two.legal_actions(asked)).tolist()
        if asked != two.agent_selection or not both:
            return step, "stuck"
        action = worlds.policy(one, both, rng)
        first, second = (_played(env, action) for env in (one, two))
        disclosed = worlds.told(first, second, agent)
        apart = channels.apart(channels.take(one, agent), channels.take(two, agent))
        later = f"{step + 1} decisions later"
        if disclosed is not Disclosure.NOTHING and not apart:
            raise AssertionError(f"{later}: {agent} was told something that differs, and no channel shows it")
        if disclosed is Disclosure.OPENLY:
            return step + 1, "told"
        alone = alone or disclosed is Disclosure.ALONE
        check_alike([each for each in apart if not (alone and each.name in worlds.private)], agent, later)
    if not alone:
        compare_worlds(one, two, agent, whole, f"{steps} decisions later")
    return steps, "steps"


def _played(env: TurnEnv, action: int) -> Step:
    before = copy_records(env._games)[0]
    env.step(action)
    return Step(env, action, before)


def searched(
    worlds: HiddenWorlds,
    num_players: int,
    games: int,
    *,
    channels: Channels | None = None,
    steps: int = 0,
    parts: Sequence[str] | None = None,
    stop: Callable[[TurnEnv, Rng], bool] | None = None,
    make: Any = make,
    **options: Any,
) -> Report:
    """At random moments of random games, compare the world with a twin of it for every seat.

    Args:
        worlds: what the game hides.
        num_players: how many play.
        games: how many games are played, times `worlds.games`.
        channels: compared at once, by default `numbers`.
        steps: how many decisions to play on in both worlds.
        parts: which parts of the twins are drawn again, see `twin_env`.
        stop: when to stop, see `random_moments`; by default as `worlds` says.
        make: makes another kind of environment.
        options: the game's own.

    Returns:
        What was compared: how many pairs of worlds, in what they differed, how many decisions followed.

    Raises:
        Leak: a seat can tell two worlds apart.
        AssertionError: observing changes what a seat sees, or no two worlds differed.
    """
    channels, report, rng = channels or numbers(worlds), Report(), np.random.default_rng(num_players)
    stop = stop or worlds.stop or worlds.stops(num_players)
    env, whole = make(worlds.game, num_players, **options), everything(worlds)
    for number in range(games * worlds.games):
        env.reset(seed=int(rng.integers(2**31)))
        for decision in random_moments(env, rng, policy=worlds.policy, stop=stop):
            where = f"game {number}, decision {decision}"
            sights = {agent: channels.take(env, agent) for agent in env.agents}
            for agent, seen in sights.items():
                other = twin_env(worlds, env, agent, rng, parts)
                names = varied(env, other)
                report.compared += 1
                report.alike += not names
                report.varied.update(names)
                check_alike(channels.apart(seen, channels.take(other, agent)), agent, where)
                if steps:
                    played, end = follow(worlds, with_record(env, env._games), other, agent, rng, steps, whole)
                    report.decisions += played
                    report.ends[end] += 1
            for agent, seen in sights.items():
                changed = channels.apart(seen, channels.take(env, agent))
                assert not changed, f"{where}: observing, or making a twin, changes what {agent} sees: {changed[0]}"
    assert report.compared > report.alike, f"none of {report.compared} pairs of worlds differed: nothing is proved"
    return report
