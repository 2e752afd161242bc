"""Copies of the AEC environment, at any moment and of any kind: they say the same and go on alike, apart."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest
from conformance_kit import (
    PLAYER_COUNTS,
    assert_same,
    illegal_action,
    is_over,
    new_env,
    observable,
    play,
    random_action,
)

from riverbed_env.core.compile import compiled
from riverbed_env.core.errors import EpisodeOverError
from riverbed_env.envs.aec import TurnEnv

Options = dict[str, Any]
Copier = Callable[[TurnEnv, Options], TurnEnv]


def by_clone(env: TurnEnv, options: Options) -> TurnEnv:
    return env.clone()


def by_deepcopy(env: TurnEnv, options: Options) -> TurnEnv:
    return copy.deepcopy(env)


def by_deepcopy_of_clone(env: TurnEnv, options: Options) -> TurnEnv:
    return copy.deepcopy(env.clone().clone())


def by_pickle(protocol: int) -> Copier:
    def through(env: TurnEnv, options: Options) -> TurnEnv:
        twin = pickle.loads(pickle.dumps(env, protocol))
        assert isinstance(twin, TurnEnv)
        return twin

    return through


def by_state_into_new(env: TurnEnv, options: Options) -> TurnEnv:
    twin = new_env(**options)
    twin.set_state(env.get_state())
    return twin


def by_state_into_used(env: TurnEnv, options: Options) -> TurnEnv:
    """Into an environment in the middle of another game."""
    twin = new_env(**options)
    twin.reset(seed=987)
    play(twin, np.random.default_rng(3), 31)
    twin.set_state(env.get_state())
    return twin


def by_state_into_ended(env: TurnEnv, options: Options) -> TurnEnv:
    """Into an environment whose game is over, some of its agents gone."""
    twin = new_env(**options)
    twin.reset(seed=987)
    play(twin, np.random.default_rng(3))
    twin.step(None)
    twin.step(None)
    twin.set_state(env.get_state())
    return twin


def by_state_into_offended(env: TurnEnv, options: Options) -> TurnEnv:
    """Into an environment whose game an illegal action ended."""
    twin = new_env(**{**options, "on_illegal": "terminate"})
    twin.reset(seed=987)
    twin.step(0)
    twin.step(None)
    twin.on_illegal = env.on_illegal
    twin.set_state(env.get_state())
    return twin


def by_state_of_pickle(env: TurnEnv, options: Options) -> TurnEnv:
    twin = by_pickle(5)(new_env(**options), options)
    twin.set_state(copy.deepcopy(env).get_state())
    return twin


WAYS: dict[str, Copier] = {
    "clone": by_clone,
    "deepcopy": by_deepcopy,
    "deepcopy of clone": by_deepcopy_of_clone,
    "pickle 2": by_pickle(2),
    "pickle 5": by_pickle(5),
    "state into new": by_state_into_new,
    "state into used": by_state_into_used,
    "state into ended": by_state_into_ended,
    "state into offended": by_state_into_offended,
    "state of pickle": by_state_of_pickle,
}

OPTIONS: list[Options] = [
    {"num_players": 4, "render_mode": "ansi"},
    {"num_players": 5, "layout": "random", "rewards": "zero_sum", "render_mode": "ansi"},
    {"num_players": 7, "view": "now", "auto_forced": "none", "render_mode": "ansi"},
    {"num_players": 9, "auto_forced": "all", "max_decisions": 60, "render_mode": "ansi"},
]


def step_both(env: TurnEnv, twin: TurnEnv, rng: np.random.Generator) -> None:
    action = random_action(env, rng)
    env.step(action)
    twin.step(action)


def assert_go_on_alike(env: TurnEnv, twin: TurnEnv, seed: int) -> None:
    """Both say the same to the end of the game, through the dead steps, and into the next game of the seed."""
    rng = np.random.default_rng(seed)
    number = 0
    while env.agents:
        if number < 30 or number % 5 == 0 or is_over(env):
            assert_same(observable(twin, words=number % 25 == 0), observable(env, words=number % 25 == 0))
        step_both(env, twin, rng)
        number += 1
    for each in (env, twin):
        with pytest.raises(EpisodeOverError):
            each.step(None)
    assert_same(observable(twin, words=True), observable(env, words=True))
    env.reset()
    twin.reset()
    for _ in range(5):
        assert_same(observable(twin), observable(env))
        step_both(env, twin, rng)
    env.reset(seed=4)
    twin.reset(seed=4)
    assert_same(observable(twin, words=True), observable(env, words=True))


def moments(env: TurnEnv, rng: np.random.Generator) -> Iterator[TurnEnv]:
    """The environment at several random moments, over and in the dead-step phase too; go on with copies of it only."""
    env.reset(seed=int(rng.integers(1000)))
    yield env
    while not is_over(env):
        play(env, rng, int(rng.integers(1, 45)))
        yield env
    while env.agents:
        env.step(None)
        if len(env.agents) in (0, 1, env.num_players - 1):
            yield env


@pytest.mark.parametrize("options", OPTIONS, ids=lambda options: str(options["num_players"]))
@pytest.mark.parametrize("way", WAYS)
def test_a_copy_goes_on_alike(way: str, options: Options) -> None:
    rng = np.random.default_rng(options["num_players"])
    for number, env in enumerate(moments(new_env(**options), rng)):
        twin = WAYS[way](env, options)
        assert_same(observable(twin, words=True), observable(env, words=True))
        assert_go_on_alike(env.clone(), twin, number)


@pytest.mark.parametrize("way", WAYS)
def test_a_copy_of_a_game_that_an_offence_ended_goes_on_alike(way: str) -> None:
    options: Options = {"num_players": 6, "on_illegal": "terminate", "render_mode": "ansi"}
    rng = np.random.default_rng(1)
    for seed, dead_steps in enumerate((0, 0, 1, 2, 5, 6)):
        env = new_env(**options)
        env.reset(seed=seed)
        play(env, rng, 4 * seed)
        offender = env.agent_selection
        env.step(illegal_action(env))
        assert env.rewards[offender] == -1.0
        for _ in range(dead_steps):
            env.step(None)
        twin = WAYS[way](env, options)
        assert_same(observable(twin, words=True), observable(env, words=True))
        assert_go_on_alike(env.clone(), twin, seed)


@pytest.mark.parametrize("way", WAYS)
def test_a_truncated_game_is_copied_as_truncated(way: str) -> None:
    options: Options = {"num_players": 5, "max_decisions": 20, "render_mode": "ansi"}
    env = new_env(**options)
    env.reset(seed=3)
    play(env, np.random.default_rng(3))
    assert all(env.truncations.values())
    twin = WAYS[way](env, options)
    assert twin.truncations == env.truncations
    assert twin.terminations == env.terminations
    assert_go_on_alike(env, twin, 0)


@pytest.mark.parametrize("way", WAYS)
def test_copies_are_apart(way: str) -> None:
    options: Options = {"num_players": 7, "render_mode": "ansi"}
    env = new_env(**options)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    play(env, rng, 30)
    twin = WAYS[way](env, options)
    before = observable(env, words=True)
    while twin.agents:
        twin.step(random_action(twin, rng))
    twin.reset(seed=77)
    assert_same(observable(env, words=True), before)
    twin = WAYS[way](env, options)
    before = observable(twin, words=True)
    while env.agents:
        env.step(random_action(env, rng))
    env.reset()
    assert_same(observable(twin, words=True), before)


@pytest.mark.parametrize("way", ["deepcopy", "pickle 2", "pickle 5", "state into new"])
def test_what_a_copy_hands_out_is_its_own(way: str) -> None:
    """Python's deep copies share nothing that can be changed: writing into one's arrays leaves the other alone."""
    env = new_env(num_players=5)
    env.reset(seed=2)
    play(env, np.random.default_rng(2), 20)
    for agent in env.possible_agents:
        env.observe(agent)
    twin = WAYS[way](env, {"num_players": 5})
    before = observable(env)
    for agent in twin.possible_agents:
        for array in twin.observe(agent).values():
            array[:] = 1
        twin.infos[agent]["action_mask"][:] = 1
        twin.infos[agent]["note"] = np.zeros(1, np.int8)
        twin.rewards[agent] = 9.0
    assert_same(observable(env), before)


@pytest.mark.parametrize("way", ["clone", "deepcopy", "pickle 2", "pickle 5"])
def test_before_the_first_reset_too(way: str) -> None:
    env = new_env(num_players=6)
    twin = WAYS[way](env, {"num_players": 6})
    for each in (env, twin):
        with pytest.raises(EpisodeOverError):
            each.step(1)
        with pytest.raises(EpisodeOverError):
            each.get_state()
        each.reset(seed=5)
    assert_same(observable(twin), observable(env))


@pytest.mark.parametrize("way", ["clone", "deepcopy", "pickle 5"])
def test_a_copy_keeps_its_options(way: str) -> None:
    options: Options = {
        "num_players": 5,
        "view": "now",
        "rewards": "zero_sum",
        "on_illegal": "terminate",
        "layout": "islands",
        "roles": {0: "leader"},
        "max_decisions": 33,
        "render_mode": "ansi",
    }
    env = new_env(**options)
    env.reset(seed=1)
    twin = WAYS[way](env, options)
    assert type(twin) is type(env)
    assert twin.view == "now"
    assert twin.on_illegal == "terminate"
    assert twin.render_mode == "ansi"
    assert twin.metadata == env.metadata
    assert twin.possible_agents == env.possible_agents
    assert twin.observation_spaces == env.observation_spaces
    assert twin.action_spaces == env.action_spaces
    assert twin.state_space == env.state_space
    assert twin.pack.hash == env.pack.hash
    for number in range(10):
        for each in (env, twin):
            each.reset(seed=number)
        rng = np.random.default_rng(number)
        while not is_over(env):
            step_both(env, twin, rng)
        assert_same(observable(twin), observable(env))


def test_deep_copies_have_samplers_of_their_own() -> None:
    env = new_env()
    env.action_space("player_0").seed(1)
    twin = copy.deepcopy(env)
    other = copy.deepcopy(env)
    drawn = [twin.action_space("player_0").sample() for _ in range(20)]
    assert [other.action_space("player_0").sample() for _ in range(20)] == drawn
    assert [env.action_space("player_0").sample() for _ in range(20)] == drawn


def test_masks_in_infos_are_those_of_the_copys_observations() -> None:
    env = new_env()
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(6):
        play(env, rng, 11)
        for way in WAYS.values():
            twin = way(env, {})
            for agent in twin.agents:
                assert twin.infos[agent]["action_mask"] is twin.observe(agent)["action_mask"]


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_a_saved_state_is_the_same_bytes_after_going_through_an_environment(count: int) -> None:
    env, other = new_env(num_players=count), new_env(num_players=count)
    rng = np.random.default_rng(count)
    for moment in moments(env, rng):
        state = moment.get_state()
        assert isinstance(state, bytes)
        other.set_state(state)
        assert other.get_state() == state
        assert moment.get_state() == state


def test_the_same_game_has_the_same_bytes_whatever_was_played_before() -> None:
    """States are compared, hashed and looked up by their bytes."""
    used, fresh = new_env(), new_env()
    used.reset(seed=1)
    for _ in range(3):
        play(used, np.random.default_rng(0))
        used.reset()
    for env in (used, fresh):
        env.reset(seed=6)
    rng = np.random.default_rng(6)
    while not is_over(used):
        assert used.get_state() == fresh.get_state()
        step_both(used, fresh, rng)


def test_set_state_prints_nothing_but_the_state(capsys: pytest.CaptureFixture[str]) -> None:
    """With render_mode "human" no game is printed that isn't played."""
    env = new_env(num_players=4, render_mode="human")
    env.reset(seed=1)
    play(env, np.random.default_rng(1), 25)
    state = env.get_state()
    capsys.readouterr()
    env.render()
    shown = capsys.readouterr().out
    new_env(num_players=4, render_mode="human").set_state(state)
    assert capsys.readouterr().out in ("", shown)


@pytest.mark.skipif(not compiled(), reason="needs compiled kernels")
def test_copies_need_no_new_compilation() -> None:
    env = new_env()
    env.reset(seed=1)
    env.observe("player_0")
    env.state()
    names = ("serve", "sight", "full_state", "faults", "pay")
    env.set_state(env.get_state())
    clone = env.clone()
    play(clone, np.random.default_rng(1))
    before = [list(env.game.loop(name).signatures) for name in names]
    for way in WAYS.values():
        twin = way(env, {})
        twin.state()
        play(twin, np.random.default_rng(2))
        twin.set_state(twin.get_state())
    assert [list(env.game.loop(name).signatures) for name in names] == before
