"""Copies of the AEC environment, of every kind and at any moment, show and play the same and are independent."""

import copy
import pickle
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import Any

import numpy as np
import pytest
from conformance.options import one_of_each_kind, one_rich_table_of_each_kind, slow

from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import EpisodeOverError
from riverbed_env.testing.conformance.kit import (
    assert_same,
    begun,
    is_over,
    new_env,
    observable,
    play,
    random_action,
)
from riverbed_env.testing.conformance.options import Options

Copier = Callable[[TurnEnv, Options], TurnEnv]
Seen = dict[str, Any]


def by_clone(env: TurnEnv, options: Options) -> TurnEnv:
    return env.clone()


def by_deepcopy(env: TurnEnv, options: Options) -> TurnEnv:
    return copy.deepcopy(env)


def by_pickle(env: TurnEnv, options: Options) -> TurnEnv:
    twin = pickle.loads(pickle.dumps(env))
    assert isinstance(twin, TurnEnv)
    return twin


def by_state_into_used(env: TurnEnv, options: Options) -> TurnEnv:
    """Into an environment in the middle of another game."""
    twin = new_env(env.game.id, **options)
    twin.reset(seed=987)
    play(twin, np.random.default_rng(3), 5)
    twin.set_state(env.get_state())
    return twin


WAYS: dict[str, Copier] = {
    "clone": by_clone,
    "deepcopy": by_deepcopy,
    "pickle": by_pickle,
    "state into used": by_state_into_used,
}
DRAWN: Options = {"render_mode": "ansi"}

FEW_WAYS = ("clone", "pickle", "state into used")
every_way = pytest.mark.parametrize("way", [*FEW_WAYS, *slow(way for way in WAYS if way not in FEW_WAYS)])


def course(env: TurnEnv, seed: int) -> Iterator[Seen]:
    """What it shows until the end of the game, through the dead steps, and in the next game of the seed."""
    rng = np.random.default_rng(seed)
    number = 0
    while env.agents:
        if number < 2 or number % 100 == 0 or is_over(env):
            yield observable(env, words=number % 100 == 0)
        env.step(random_action(env, rng))
        number += 1
    with pytest.raises(EpisodeOverError):
        env.step(None)
    yield observable(env, words=True)
    env.reset()
    for _ in range(3):
        yield observable(env)
        env.step(random_action(env, rng))
        if is_over(env):
            break
    env.reset(seed=4)
    yield observable(env, words=True)


def assert_plays(twin: TurnEnv, seed: int, expected: Iterable[Seen]) -> None:
    """It shows what the original shows at each moment; its random actions are the same while its masks are."""
    for seen, wanted in zip(course(twin, seed), expected, strict=True):
        assert_same(seen, wanted)


def moments(env: TurnEnv, rng: np.random.Generator) -> Iterator[TurnEnv]:
    """The environment at several random moments, after the end too; callers play on with copies only."""
    env.reset(seed=int(rng.integers(1000)))
    whole = len(play(env.clone(), np.random.default_rng(0)))
    yield env
    while not is_over(env):
        play(env, rng, int(rng.integers(whole // 4, whole // 2 + 2)))
        yield env
    while env.agents:
        env.step(None)
        if len(env.agents) in (0, 1, env.num_players - 1):
            yield env


def played(game_id: str, options: Options) -> Iterator[TurnEnv]:
    """A game of a table at several moments, always the same."""
    return moments(new_env(game_id, **options), np.random.default_rng(options["num_players"]))


@lru_cache(maxsize=2)  # the ways are tried in turn, and drawing and describing every moment is slow
def originals(game_id: str, options: tuple[tuple[str, Any], ...]) -> list[tuple[Seen, list[Seen]]]:
    """What the game shows at each of its moments and from there on, to compare copies of every kind with."""
    return [
        (observable(env, words=True), list(course(env.clone(), number)))
        for number, env in enumerate(played(game_id, dict(options)))
    ]


@every_way
@one_rich_table_of_each_kind
def test_a_copy_plays_the_same_game(game_id: str, options: Options, way: str) -> None:
    all_options = {**options, **DRAWN}
    expected = originals(game_id, tuple(all_options.items()))
    for number, (env, (now, later)) in enumerate(zip(played(game_id, all_options), expected, strict=True)):
        twin = WAYS[way](env, all_options)
        assert_same({**now, **observable(env)}, now)  # copying leaves it as it was
        assert_same(observable(twin, words=True), now)
        for agent in twin.agents:
            assert_same(twin.infos[agent]["action_mask"], twin.observe(agent)["action_mask"])
        assert_plays(twin, number, later)


@every_way
@one_of_each_kind
def test_copies_are_independent(game_id: str, way: str) -> None:
    env = begun(game_id, **DRAWN)
    rng = np.random.default_rng(1)
    twin = WAYS[way](env, DRAWN)
    before = observable(env, words=True)
    while twin.agents:
        twin.step(random_action(twin, rng))
    twin.reset(seed=77)
    assert_same(observable(env, words=True), before)
    twin = WAYS[way](env, DRAWN)
    before = observable(twin, words=True)
    while env.agents:
        env.step(random_action(env, rng))
    env.reset()
    assert_same(observable(twin, words=True), before)


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "state into used"])
@one_of_each_kind
def test_what_a_copy_hands_out_is_its_own(game_id: str, way: str) -> None:
    """Python's deep copies share nothing that can be changed: writing into one's arrays leaves the other alone."""
    env = begun(game_id)
    for agent in env.possible_agents:
        env.observe(agent)
    twin = WAYS[way](env, {})
    before = observable(env)
    for agent in twin.possible_agents:
        for array in twin.observe(agent).values():
            array[:] = 1
        twin.infos[agent]["action_mask"][:] = 1
        twin.infos[agent]["note"] = np.zeros(1, np.int8)
        twin.rewards[agent] = 9.0
    assert_same(observable(env), before)


@pytest.mark.parametrize("way", ["clone", "deepcopy", "pickle"])
@one_of_each_kind
def test_before_the_first_reset_too(game_id: str, way: str) -> None:
    env = new_env(game_id)
    twin = WAYS[way](env, {})
    for each in (env, twin):
        with pytest.raises(EpisodeOverError):
            each.step(1)
        with pytest.raises(EpisodeOverError):
            each.get_state()
        each.reset(seed=5)
    assert_same(observable(twin), observable(env))
