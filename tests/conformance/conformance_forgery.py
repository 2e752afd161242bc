"""A script: saved states with one field changed and the right checksum. Run uncompiled, where bad indexes raise.

    NUMBA_DISABLE_JIT=1 python conformance_forgery.py

Each is refused with StateError and changes nothing, or else can be played on: observations lie in their spaces, masks
aren't empty, what is said can be said. A line is printed for every one that does neither.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
from conformance_kit import forged, is_over, new_env, play, random_action, record_of, split_state

from riverbed_env.core.errors import StateError
from riverbed_env.envs.aec import TurnEnv

STEPS = 8  # how long what is accepted is played on


def leaves(record: Any, path: str = "") -> list[tuple[str, Any, str]]:
    """Every plain field of a record: its name in full, the record it lies in, its name there."""
    found = []
    for name in record.dtype.names:
        value = record[name]
        if not value.dtype.names:
            found.append((path + name, record, name))
        elif value.shape == ():
            found += leaves(value, f"{path}{name}.")
        else:
            for place in np.ndindex(value.shape):
                found += leaves(value[place], f"{path}{name}[].")
    return found


def values(dtype: Any) -> list[int]:
    """Numbers to try in a field."""
    bounds = np.iinfo(dtype)
    return [bounds.min, bounds.max, *(value for value in (-1, 0, 1, 2, 5, 16, 100) if value >= bounds.min)]


def changed(records: npt.NDArray[np.void], chosen: str, choice: int, rng: np.random.Generator) -> str:
    """Put the value of that place in `values` into one of the fields of a name; says which and what, or nothing."""
    places = [field for field in leaves(records[0]) if field[0] == chosen]
    if "frames" in chosen:
        places = places[:2]  # those in use
    path, record, name = places[int(rng.integers(len(places)))]
    numbers = values(record[name].dtype)
    place = tuple(int(rng.integers(size)) for size in record[name].shape)
    before, value = int(record[name][place]), numbers[choice % len(numbers)]
    if before == value:
        return ""
    if place:
        record[name][place] = value
    else:
        record[name] = value
    return f"{path}{list(place) if place else ''}: {before} made {value}"


def play_on(env: TurnEnv, rng: np.random.Generator) -> None:
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
    """What is wrong with how a forged state is taken, or nothing."""
    before = env.get_state()
    try:
        env.set_state(state)
    except StateError:
        return "" if env.get_state() == before else "refused, but the environment changed"
    except Exception as error:  # whatever it is, it is to be reported
        return f"set_state raised {type(error).__name__}: {error}"
    try:
        play_on(env, rng)
    except Exception as error:
        return f"accepted, then {type(error).__name__}: {error}"
    return ""


def saved_games(rng: np.random.Generator) -> list[tuple[TurnEnv, bytes]]:
    """An environment to put states into, and a state of mid-game, half of them in the middle of an effect."""
    found = []
    for number in range(12):
        env, other = (new_env(num_players=4 + number % 6) for _ in range(2))
        env.reset(seed=number)
        play(env, rng, int(rng.integers(20, 50)))
        while not is_over(env) and (record_of(env)["table"]["depth"][0] == 0) != (number < 6):
            play(env, rng, 1)
        other.reset(seed=1)
        found.append((other, env.get_state()))
    return found


def main() -> None:
    rng = np.random.default_rng(1)
    games = saved_games(rng)
    names = sorted({path for path, _, _ in leaves(np.zeros(1, games[0][0].game.dtype)[0])})
    for name in names:
        for choice in range(9):
            env, state = games[int(rng.integers(len(games)))]
            records = np.frombuffer(split_state(state)[2], np.uint8).copy().view(env.game.dtype)
            what = changed(records, name, choice, rng)
            found = verdict(env, forged(state, body=records.tobytes()), rng) if what else ""
            if found:
                print(f"{what}: {found}")
            env.reset(seed=1)


if __name__ == "__main__":
    main()
