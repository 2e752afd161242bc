"""A script: saved states with one field changed and the right checksum. Run uncompiled, where bad indexes raise.

    NUMBA_DISABLE_JIT=1 python -m riverbed_env.testing.conformance.forgery pebbles.game pebbles_v0

The first argument is a module to import, which registers the game. A forged state must be refused with StateError and
change nothing, or be playable: observations in their spaces, masks not empty, everything describable. Prints a line
for every state that is neither.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import StateError

from .kit import begun, forged, is_over, new_env, random_action, record_of
from .options import player_counts

STEPS = 6  # how long what is accepted is played on
SMALL = {"-1": -1, "0": 0, "1": 1, "2": 2, "5": 5, "16": 16, "100": 100}
NUMBERS = ("least", "greatest", *SMALL)

Records = npt.NDArray[np.void]


def leaves(record: Any, path: str = "") -> list[tuple[str, Any, str]]:
    """Every plain field of a record: its full name, the record that holds it, its name there."""
    fields = []
    for name in record.dtype.names:
        value = record[name]
        if not value.dtype.names:
            fields.append((path + name, record, name))
        elif value.shape == ():
            fields += leaves(value, f"{path}{name}.")
        else:
            for place in np.ndindex(value.shape):
                fields += leaves(value[place], f"{path}{name}[].")
    return fields


def number(words: str, dtype: Any) -> int:
    """A number to try in a field."""
    bounds = np.iinfo(dtype)
    return {"least": int(bounds.min), "greatest": int(bounds.max), **SMALL}[words]


def forgeries(
    records: Records, rng: np.random.Generator, numbers: Sequence[str] = NUMBERS
) -> Iterator[tuple[str, Records]]:
    """What is changed, and the changed record: each number in one random place of the fields of each name.

    It is one record, which is restored after each change.
    """
    twin = copy_records(records)
    fields = leaves(twin[0])
    for chosen in sorted({path for path, _, _ in fields}):
        places = [field for field in fields if field[0] == chosen]
        if "frames" in chosen:
            places = places[:2]  # those in use
        for words in numbers:
            path, record, name = places[int(rng.integers(len(places)))]
            place = tuple(int(rng.integers(size)) for size in record[name].shape)
            before, value = int(record[name][place]), number(words, record[name].dtype)
            if before == value or (value < 0 and np.iinfo(record[name].dtype).min == 0):
                continue
            put(record, name, place, value)
            yield f"{path}{list(place) if place else ''}: {before} made {value}", twin
            put(record, name, place, before)


def put(record: Any, name: str, place: tuple[int, ...], value: int) -> None:
    """Write a number into a field, or into a place of it."""
    if place:
        record[name][place] = value
    else:
        record[name] = value


def play_on(env: TurnEnv, rng: np.random.Generator) -> None:
    """Take some steps and check that observations and states lie in their spaces."""
    for step in range(STEPS):
        if is_over(env):
            break
        for agent in env.agents if step == 0 else [env.agent_selection]:
            seen = env.observe(agent)
            if not env.observation_space(agent).contains(seen):
                raise AssertionError("an observation is outside its space")
        if not env.state_space.contains(env.state()):
            raise AssertionError("state() is outside its space")
        if not env.observe(env.agent_selection)["action_mask"].any():
            raise AssertionError("the mask is empty")
        env.step(random_action(env, rng))
    env.describe_state()
    env.describe_events()


def verdict(env: TurnEnv, state: bytes, rng: np.random.Generator) -> str:
    """What goes wrong when a forged state is set and played, or ""."""
    before = env.get_state()
    try:
        env.set_state(state)
    except StateError:
        return "" if env.get_state() == before else "refused, but the environment changed"
    except Exception as error:  # any error is a finding
        return f"set_state raised {type(error).__name__}: {error}"
    try:
        play_on(env, rng)
    except Exception as error:
        return f"accepted, then {type(error).__name__}: {error}"
    return ""


def main(module: str, game_id: str) -> None:
    """Try every field of the game's record at several moments, and print what goes wrong."""
    import_module(module)
    rng = np.random.default_rng(1)
    counts = player_counts(game_id)
    for place, part in enumerate((0.3, 0.6, 0.9)):
        options = {"num_players": counts[place % len(counts)], "auto_forced": "none"}
        source, env = begun(game_id, part, seed=place, **options), new_env(game_id, **options)
        env.reset(seed=1)
        state = source.get_state()
        for what, records in forgeries(record_of(source), rng, NUMBERS[place::3]):
            wrong = verdict(env, forged(state, body=records.tobytes()), rng)
            if wrong:
                sys.stdout.write(f"{what}: {wrong}\n")
            env.reset(seed=1)


if __name__ == "__main__":
    main(*sys.argv[1:])
