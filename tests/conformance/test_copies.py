"""Copies of environments and batches, of every kind and at any moment, show and play the same and are independent."""

import copy
import pickle
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, NamedTuple

import numpy as np
import pytest
from conformance.options import KINDS, SIMULTANEOUS, named, one_of_each_kind, rich_tables, slow
from conformance.test_batch import arrays, step_randomly
from conformance.test_parallel import go_on, parallel
from conformance.test_parallel import observable as observable_at_once

from riverbed_env.errors import EpisodeOverError
from riverbed_env.registry import find_game, make_batch
from riverbed_env.testing.conformance.kit import assert_same, begun, new_env, observable, random_action
from riverbed_env.testing.conformance.options import Options, player_counts

Seen = dict[str, Any]
AT_MOST = 600  # steps of a game, or of a batch that never ends
LATER = 60  # steps from a copy on


class Door(NamedTuple):
    """An interface to games. new: an object of it, dealt by its seed; step: at random; shown: all, texts if wanted."""

    new: Callable[..., Any]
    step: Callable[[Any, np.random.Generator], None]
    shown: Callable[[Any, bool], Seen]
    is_batch: bool = False

    def goes_on(self, env: Any) -> bool:
        """Whether there is a step to take."""
        return self.is_batch or bool(env.agents)

    def play(self, env: Any, rng: np.random.Generator, steps: int) -> int:
        """Take random steps, at most so many; returns their number."""
        for taken in range(steps):
            if not self.goes_on(env):
                return taken
            self.step(env, rng)
        return steps

    def restored(self, seen: Seen) -> Seen:
        """What is shown where only the state comes from elsewhere: a batch's state says nothing of its last step."""
        of_step = ("done", "truncated", "returns") if self.is_batch else ()
        return {name: part for name, part in seen.items() if name not in of_step}


def turns(game_id: str, seed: int, **options: Any) -> Any:
    env = new_env(game_id, **options)
    env.reset(seed=seed)
    return env


def at_once(game_id: str, seed: int, **options: Any) -> Any:
    env = parallel(game_id, **options)
    env.reset(seed=seed)
    return env


def batch(game_id: str, seed: int, **options: Any) -> Any:
    return make_batch(game_id, 6, seed=seed, **options)


def of_batch(batch: Any) -> Seen:
    shown = arrays(batch)
    return {**shown, "returns": np.where(batch.done[:, None], shown["returns"], 0)}  # of the games that ended


DOORS = {
    "turns": Door(
        turns,
        lambda env, rng: env.step(random_action(env, rng)),
        lambda env, words: observable(env, words=words),
    ),
    "at once": Door(at_once, lambda env, rng: go_on(env, rng, 1), lambda env, words: observable_at_once(env)),
    "batch": Door(batch, lambda env, rng: step_randomly(env), lambda env, words: of_batch(env), is_batch=True),
}


def by_state(door: Door, env: Any, game_id: str, options: Options) -> Any:
    """Into one in the middle of another game."""
    twin = door.new(game_id, 987, **options)
    door.play(twin, np.random.default_rng(3), 17)
    twin.set_state(env.get_state())
    return twin


WAYS: dict[str, Callable[[Door, Any, str, Options], Any]] = {
    "clone": lambda door, env, *_: env.clone(),
    "deepcopy": lambda door, env, *_: copy.deepcopy(env),
    "pickle": lambda door, env, *_: pickle.loads(pickle.dumps(env)),
    "state": by_state,
}
every_way = pytest.mark.parametrize("way", [*slow(["deepcopy"]), *(way for way in WAYS if way != "deepcopy")])


def tables(name: str) -> Iterator[tuple[str, Options]]:
    """The games and options of an interface."""
    if name == "turns":
        yield from ((game_id, {**rich_tables(game_id)[-1], "render_mode": "ansi"}) for game_id in KINDS)
    elif name == "at once":
        yield from ((game_id, {"num_players": count}) for game_id in SIMULTANEOUS for count in player_counts(game_id))
    else:
        for game_id in KINDS:
            rewards = find_game(game_id).rewards[-1]
            yield from ((game_id, {"rewards": rewards, "view": "now", "auto_reset": again}) for again in (True, False))


every_door = pytest.mark.parametrize(
    ("name", "game_id", "options"),
    [
        pytest.param(name, game_id, options, id=f"{name}-{game_id}-{named(options)}")
        for name in DOORS
        for game_id, options in tables(name)
    ],
)


def moments(door: Door, game_id: str, options: Options) -> Iterator[Any]:
    """One game, or batch, at several moments, always the same; callers play on with copies only."""
    env = door.new(game_id, 5, **options)
    whole = door.play(env.clone(), np.random.default_rng(0), AT_MOST)
    rng = np.random.default_rng(0)
    for place in range(whole + 1):
        if place in (0, 1, whole // 3, 2 * whole // 3, whole - 2, whole - 1, whole):  # some agents are gone, and all
            yield env
        door.play(env, rng, 1)


def course(door: Door, env: Any) -> Iterator[Seen]:
    """What it shows from here on, and in the next game of the seed."""
    rng = np.random.default_rng(1)
    for number in range(LATER):
        if door.play(env, rng, 1) and (number < 2 or number % 10 == 0):
            yield door.shown(env, number == 0)
    yield door.shown(env, True)
    if not door.is_batch:  # whose own seed isn't in its state
        env.reset()
        yield door.shown(env, False)
        door.play(env, rng, 3)
        yield door.shown(env, False)
    env.reset(seed=4)
    yield door.shown(env, True)


@lru_cache(maxsize=2)  # the ways are tried in turn, and drawing and describing every moment is slow
def originals(name: str, game_id: str, options: tuple[tuple[str, Any], ...]) -> list[tuple[Seen, list[Seen]]]:
    """What is shown at each moment and from there on, to compare copies of every kind with."""
    door = DOORS[name]
    return [(door.shown(env, True), list(course(door, env.clone()))) for env in moments(door, game_id, dict(options))]


@every_door
@every_way
def test_a_copy_plays_the_same_game(name: str, game_id: str, options: Options, way: str) -> None:
    door, expected = DOORS[name], originals(name, game_id, tuple(options.items()))
    for env, (now, later) in zip(moments(door, game_id, options), expected, strict=True):
        twin = WAYS[way](door, env, game_id, options)
        assert_same(door.shown(env, True), now)  # copying leaves it as it was
        seen = door.shown(twin, True)
        assert_same(*(door.restored(each) if way == "state" else each for each in (seen, now)))
        for here, there in zip(course(door, twin), later, strict=True):
            assert_same(here, there)


@every_door
@every_way
def test_copies_are_independent(name: str, game_id: str, options: Options, way: str) -> None:
    door, rng = DOORS[name], np.random.default_rng(1)
    env = door.new(game_id, 5, **options)
    door.play(env, rng, 25)
    twin, before = WAYS[way](door, env, game_id, options), door.shown(env, True)
    door.play(twin, rng, AT_MOST)
    twin.reset(seed=77)
    assert_same(door.shown(env, True), before)
    twin = WAYS[way](door, env, game_id, options)
    before = door.shown(twin, True)
    door.play(env, rng, AT_MOST)
    env.reset()
    assert_same(door.shown(twin, True), before)


@pytest.mark.parametrize("way", ["deepcopy", "pickle", "state"])
@one_of_each_kind
def test_what_a_copy_hands_out_is_its_own(game_id: str, way: str) -> None:
    """Python's deep copies share nothing that can be changed: writing into one's arrays leaves the other alone."""
    env = begun(game_id)
    for agent in env.possible_agents:
        env.observe(agent)
    twin = WAYS[way](DOORS["turns"], env, game_id, {})
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
    twin = WAYS[way](DOORS["turns"], env, game_id, {})
    for each in (env, twin):
        with pytest.raises(EpisodeOverError):
            each.step(1)
        with pytest.raises(EpisodeOverError):
            each.get_state()
        each.reset(seed=5)
    assert_same(observable(twin), observable(env))
