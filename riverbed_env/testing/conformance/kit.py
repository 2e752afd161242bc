"""Helpers of the conformance tests: environments, random play, everything observable about an environment."""

import json
import warnings
import zlib
from functools import cache
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from riverbed_env.core.game import Game, copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.kernels.actions import WAIT
from riverbed_env.kernels.compile import Records, Vector
from riverbed_env.kernels.random import STREAM
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.compare import differences

with_registry = pytest.mark.skipif(
    find_spec("pettingzoo.env_registry") is None, reason="PettingZoo has a registry from version 1.27 on"
)

with warnings.catch_warnings():
    # PettingZoo's tests import its own deprecated names, for a fixture.
    warnings.simplefilter("ignore", DeprecationWarning)
    from pettingzoo.test import api_test, parallel_api_test, parallel_seed_test, render_test, seed_test

__all__ = ["api_test", "parallel_api_test", "parallel_seed_test", "render_test", "seed_test"]

Leaf = tuple[str, int | None, int, np.dtype[Any]]


def new_env(game_id: str, **options: Any) -> TurnEnv:
    """The game's turn-based environment with these options."""
    env: TurnEnv = entry_points(find_game(game_id)).env(**options)
    return env


def random_action(env: TurnEnv, rng: np.random.Generator) -> int | None:
    """A random legal action of the selected agent, None if it is done."""
    observation, _, terminated, truncated, _ = env.last()
    assert observation is not None
    return None if terminated or truncated else int(rng.choice(np.flatnonzero(observation["action_mask"])))


def is_over(env: TurnEnv) -> bool:
    """Whether the game has ended, even if its agents are still there."""
    return not env.agents or env.terminations[env.agents[0]] or env.truncations[env.agents[0]]


def play(env: TurnEnv, rng: np.random.Generator, steps: int | None = None) -> list[int]:
    """Play random legal actions until the game ends, without dead steps; at most `steps` of them."""
    actions: list[int] = []
    while not is_over(env) and (steps is None or len(actions) < steps):
        action = random_action(env, rng)
        assert action is not None
        actions.append(action)
        env.step(action)
    return actions


def begun(game_id: str, part: float = 0.5, seed: int = 1, **options: Any) -> TurnEnv:
    """An environment in mid-game: this part of its random game is played."""
    env = new_env(game_id, **options)
    env.reset(seed=seed)
    whole = len(play(env.clone(), np.random.default_rng(seed)))
    play(env, np.random.default_rng(seed), int(part * whole))
    assert not is_over(env)
    return env


def observable(env: TurnEnv, *, words: bool = False) -> dict[str, Any]:
    """All that can be observed of an environment; with `words` its texts and pictures too."""
    seen: dict[str, Any] = {
        "agents": list(env.agents),
        "selected": env.agent_selection,
        "rewards": dict(env.rewards),
        "terminations": dict(env.terminations),
        "truncations": dict(env.truncations),
        "infos": {agent: {name: value.copy() for name, value in info.items()} for agent, info in env.infos.items()},
        "last": env.last(observe=False)[1:4] if env.agents else None,
        "seen": {agent: {k: v.copy() for k, v in env.observe(agent).items()} for agent in env.possible_agents},
        "state": env.state(),
        "bytes": env.get_state(),
    }
    if words:
        viewers = [None, *env.possible_agents]
        seen["said"] = [env.describe_state(viewer) for viewer in viewers]
        seen["drawn"] = [env.render(viewer) for viewer in viewers]
        seen["events"] = env.describe_events()
    return seen


def assert_same(one: Any, other: Any) -> None:
    """Equal in every part; arrays bit by bit, and in dtype too."""
    assert not differences(one, other)


def assert_still_usable(env: TurnEnv, before: dict[str, Any]) -> None:
    """The environment is as it was, and can be played to the end and dealt again."""
    assert_same(observable(env), before)
    play(env, np.random.default_rng(0))
    assert is_over(env)
    env.reset(seed=3)
    play(env, np.random.default_rng(0), 3)


def record_of(env: TurnEnv) -> Records:
    """The game's record, from the end of its saved state."""
    body = env.get_state()[-env.game.dtype.itemsize :]
    return np.frombuffer(body, np.uint8).copy().view(env.game.dtype)


def undrawn(game: Game, records: Records) -> Records:
    """Records with unused player streams: the players of an environment don't draw from them."""
    clean = copy_records(records)
    game.loops.put_streams(clean, np.zeros(len(clean), STREAM))
    return clean


def waiting_mask(game: Game) -> Vector:
    """The mask of a seat without a choice: WAIT alone."""
    mask = np.zeros(game.actions.size, np.int8)
    mask[WAIT] = 1
    return mask


def split_state(state: bytes) -> tuple[bytes, dict[str, Any], bytes]:
    """The first line, the header and the body of a saved state."""
    first, _, rest = state.partition(b"\n")
    header, _, body = rest.partition(b"\n")
    return first, json.loads(header), body


@cache
def leaves(dtype: np.dtype[Any], path: str = "", at: int = 0, place: int | None = None) -> tuple[Leaf, ...]:
    """Every plain field of a record: its full name, its place in an array of records, its offset in bytes, its type."""
    found: list[Leaf] = []
    for name, (kind, offset, *_) in (dtype.fields or {}).items():
        if kind.base.names is None:
            found.append((path + name, place, at + offset, kind))
            continue
        for index in range(int(np.prod(kind.shape))):
            outer = index if kind.shape and place is None else place
            found += leaves(kind.base, f"{path}{name}.", at + offset + index * kind.base.itemsize, outer)
    return tuple(found)


def forged(state: bytes, *, body: bytes | None = None, **header: Any) -> bytes:
    """A saved state with another body or other header entries (`...` removes one), and a right checksum."""
    first, kept, old = split_state(state)
    new = old if body is None else body
    entries = {name: value for name, value in {**kept, **header}.items() if value is not ...}
    if "checksum" not in header:
        rest = {name: value for name, value in entries.items() if name != "checksum"}
        entries["checksum"] = zlib.crc32(json.dumps(rest, sort_keys=True).encode() + new)
    elif header["checksum"] is ...:
        entries.pop("checksum", None)
    return first + b"\n" + json.dumps(entries).encode() + b"\n" + new
