"""Searching a game for leaks: twins compared by what reaches a seat, at once and played on."""

from __future__ import annotations

from typing import Any

import numpy as np

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.leaks import Follow, Report, paired_worlds_test

from .channels import everything, numbers
from .records import fields_apart, with_record
from .worlds import HiddenWorlds, Stops, make, twin_env

OF_A_SEARCH = ("channels", "follow", "moments", "make", "twin")  # options of a search; the others are the game's


def varied(one: TurnEnv, two: TurnEnv) -> set[str]:
    """In which fields two worlds differ, and whether their `state()` does."""
    names = {name for name, _ in fields_apart(one._games[0], two._games[0])}
    return names | ({"state()"} if not np.array_equal(one.state(), two.state()) else set())


def follow(worlds: HiddenWorlds, steps: int) -> Follow:
    """Play on as long as nothing that differs is shown; what a seat alone was told may differ in its own channels."""
    return Follow(
        told=worlds.told,
        note=lambda env, agent: copy_records(env._games)[0],
        steps=steps,
        channels=numbers(worlds),
        at_the_end=everything(worlds),
        private=worlds.private,
        must_notice=worlds.must_notice,
    )


def searched(worlds: HiddenWorlds, num_players: int, games: int, **options: Any) -> Report:
    """Search games with this many players for leaks, as `paired_worlds_test` does. Raises Leak.

    options: of that function, `make` for another kind of environment, and the game's own.
    """
    given = {name: options.pop(name) for name in list(options) if name not in OF_A_SEARCH}
    maker, twin = options.pop("make", make), options.pop("twin", twin_env)
    return paired_worlds_test(
        lambda: maker(worlds.game, num_players, **given),
        lambda env, agent, rng: twin(worlds, env, agent, rng),
        **{"channels": numbers(worlds), "moments": worlds.stop or Stops(worlds, num_players), **options},
        policy=worlds.policy,
        games=games * worlds.games,
        seed=num_players,
        varied=varied,
        copy=lambda env: with_record(env, env._games),
    )
