"""Game records: their fields by name, another record laid before an environment, and the chance still to come."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt

from riverbed_env.core.game import copy_records
from riverbed_env.envs.aec import TurnEnv

Games = npt.NDArray[np.void]  # length 1, as the environments hold it

STREAM_FIELDS = ("key", "block", "drawn")
MOST_DRAWN = 100


def leaves(record: np.void, path: str = "") -> Iterator[tuple[str, int | None, bytes]]:
    """Every plain field of a record.

    Args:
        record: a structured record.
        path: what full names begin with.

    Yields:
        A field's full name, its place in an array of records (None outside of one), its bytes.
    """
    assert record.dtype.names is not None
    for name in record.dtype.names:
        value = record[name]
        if value.dtype.names is None:
            yield path + name, None, np.asarray(value).tobytes()
        elif value.shape == ():
            yield from leaves(value, f"{path}{name}.")
        else:
            for place in range(len(value)):
                for inner, _, content in leaves(value[place], f"{path}{name}."):
                    yield inner, place, content


def fields_apart(one: np.void, two: np.void) -> set[tuple[str, int | None]]:
    """The fields in which two records differ.

    Args:
        one: a record.
        two: another, of the same dtype.

    Returns:
        Full names, each with the seat for fields of a seat's own part, else None.
    """
    pairs = zip(leaves(one), leaves(two), strict=True)
    return {(name, place) for (name, place, here), (_, _, there) in pairs if here != there}


def streams(*names: str) -> frozenset[str]:
    """The fields of these random streams, and the seed and number that they follow from.

    Args:
        names: of the streams in the record.

    Returns:
        The fields' full names.
    """
    return frozenset({"seed", "number", *(f"{name}.{field}" for name in names for field in STREAM_FIELDS)})


def redraw_future(game: np.void, rng: np.random.Generator, *names: str) -> None:
    """Give a record another seed and number, and other random streams: everything that decides its chance to come.

    Args:
        game: the record, which is changed.
        rng: what is drawn from.
        names: of the streams in the record.
    """
    game["seed"] = rng.integers(2**40)
    game["number"] = rng.integers(2**20)
    for name in names:
        game[name]["key"] = rng.integers(2**32)
        game[name]["block"] = rng.integers(2**32)
        game[name]["drawn"] = rng.integers(MOST_DRAWN)


def other_seats(game: np.void, seat: int) -> list[int]:
    """The seats of the other players.

    Args:
        game: the game's record.
        seat: the seat that is left out.

    Returns:
        Their numbers, ascending.
    """
    return [other for other in range(int(game["table"]["num_players"])) if other != seat]


def lay(env: TurnEnv, games: Games) -> TurnEnv:
    """Put an environment into any sound state of a game, as its own saved states do.

    Args:
        env: the environment, which is changed.
        games: the record, (1,).

    Returns:
        The same environment.
    """
    if not env.agents:
        env.reset(seed=0)
    env._games = copy_records(games)
    env.set_state(env.get_state())
    return env


def with_record(env: TurnEnv, games: Games) -> TurnEnv:
    """Another environment like this one, with a game of the same table and so the same rewards so far."""
    other = lay(env.clone(), games)
    other.rewards = dict(env.rewards)
    other._cumulative_rewards = dict(env._cumulative_rewards)
    return other
