"""Searching a game for leaks: twins compared by what reaches a seat, at once and played on."""

from __future__ import annotations

from typing import Any

import numpy as np

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv

from .channels import everything, numbers
from .pairs import Channels, Follow, Report, check_alike, random_moments
from .records import fields_apart, with_record
from .worlds import HiddenWorlds, Stops, make, twin_env


def varied(one: TurnEnv, two: TurnEnv) -> set[str]:
    """In which fields two worlds differ, and whether their `state()` does."""
    names = {name for name, _ in fields_apart(one._games[0], two._games[0])}
    return names | ({"state()"} if not np.array_equal(one.state(), two.state()) else set())


def follow(worlds: HiddenWorlds, steps: int) -> Follow:
    """Play on as long as nothing that differs is shown; what a seat alone was told may differ in its own channels.

    Args:
        worlds: what the game hides.
        steps: how many decisions to play.

    Returns:
        How two worlds are followed, as `searched` takes it.
    """
    return Follow(
        told=worlds.told,
        note=lambda env: copy_records(env._games)[0],
        steps=steps,
        channels=numbers(worlds),
        at_the_end=everything(worlds),
        private=worlds.private,
        must_notice=worlds.must_notice,
    )


def searched(
    worlds: HiddenWorlds,
    num_players: int,
    games: int,
    *,
    channels: Channels | None = None,
    follow: Follow | None = None,
    moments: Any = None,
    make: Any = make,
    twin: Any = twin_env,
    **options: Any,
) -> Report:
    """At random moments of random games, compare the world with a twin of it for every seat.

    Args:
        worlds: what the game hides.
        num_players: how many play.
        games: how many games are played, times `worlds.games`.
        channels: compared at once, by default `numbers`.
        follow: how to play on in both worlds, if at all.
        moments: when to stop, see `random_moments`; by default as `worlds` says.
        make: makes another kind of environment.
        twin: makes another kind of twins.
        options: the game's own.

    Returns:
        What was compared: how many pairs of worlds, in what they differed, how many decisions followed.

    Raises:
        Leak: a seat can tell two worlds apart.
        AssertionError: observing changes what a seat sees, or no two worlds differed.
    """
    channels, report = channels or numbers(worlds), Report()
    rng, stops = np.random.default_rng(num_players), moments or worlds.stop or Stops(worlds, num_players)
    env = make(worlds.game, num_players, **options)
    for number in range(games * worlds.games):
        env.reset(seed=int(rng.integers(2**31)))
        for decision in random_moments(env, rng, policy=worlds.policy, moments=stops):
            where = f"game {number}, decision {decision}"
            sights = {agent: channels.take(env, agent) for agent in env.agents}
            for agent, seen in sights.items():
                other = twin(worlds, env, agent, rng)
                names = varied(env, other)
                report.compared += 1
                report.alike += not names
                report.varied.update(names)
                check_alike(channels.apart(seen, channels.take(other, agent)), agent, where)
                if follow is not None:
                    steps, end = follow.play(with_record(env, env._games), other, agent, worlds.policy, rng)
                    report.decisions += steps
                    report.ends[end] += 1
            for agent, seen in sights.items():
                changed = channels.apart(seen, channels.take(env, agent))
                assert not changed, f"{where}: observing, or making a twin, changes what {agent} sees: {changed[0]}"
    assert report.compared > report.alike, f"none of {report.compared} pairs of worlds differed: nothing is proved"
    return report
