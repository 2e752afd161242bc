"""Beliefs and drawn games refuse bad input and say what is allowed."""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
import pytest

from deduction.positions import GAME, believed, drawn_games
from riverbed_env import make_batch
from riverbed_env.core.batch import Batch
from riverbed_env.errors import OptionError, SeedError
from riverbed_env.worlds import beliefs, resample

Ask = Callable[..., Any]

pytestmark = pytest.mark.compiled

both = pytest.mark.parametrize("ask", [believed, partial(drawn_games, seed=1)])


def seen(num_players: int = 5, n: int = 3) -> np.ndarray:
    return Batch(GAME, n, seed=1, num_players=num_players).look(0)


@both
@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Batch(GAME, 3, seed=1, num_players=5).get_state(),
        lambda: make_batch("riverside", 3, seed=1).look(0),
        lambda: np.zeros((3, 40), np.int8),
        lambda: seen().reshape(3, 1),
        lambda: seen()[0],
        lambda: list(seen()),
        lambda: None,
    ],
    ids=["states", "another game's", "numbers", "two axes", "one record", "a list", "nothing"],
)
def test_other_things_than_views_are_refused(wrong: Callable[[], Any], ask: Ask) -> None:
    with pytest.raises(OptionError, match=r"views must be an array of view records, shape \(n,\)"):
        ask(wrong(), num_players=5)


@both
def test_views_of_another_number_of_players_are_refused(ask: Ask) -> None:
    with pytest.raises(OptionError, match="must be of games of 7 players"):
        ask(seen(5), num_players=7)
    mixed = seen(5)
    mixed["table"]["num_players"][1] = 6
    with pytest.raises(OptionError, match="must be of games of 5 players"):
        ask(mixed, num_players=5)


@both
@pytest.mark.parametrize("model", ["plaing", None, ["playing"]])
def test_unknown_models_are_refused(ask: Ask, model: Any) -> None:
    with pytest.raises(OptionError, match="model must be 'playing' or 'uniform' or 'deaf'"):
        ask(seen(), model=model, num_players=5)


@pytest.mark.parametrize("views", [3, 0])
@pytest.mark.parametrize("seed", [-1, 1.5, None, "1", True, 2**63])
def test_a_seed_that_is_none_is_refused(seed: Any, views: int) -> None:
    with pytest.raises(SeedError, match="seed must be"):
        drawn_games(seen()[:views], seed, num_players=5)


@pytest.mark.parametrize("first", [-1, 1.5, None, "1"])
def test_a_first_number_that_is_none_is_refused(first: Any) -> None:
    with pytest.raises(OptionError, match="first"):
        drawn_games(seen(), 1, first=first, num_players=5)


@both
def test_views_that_are_strided_or_read_only_are_accepted(ask: Ask) -> None:
    views = seen(5, 6)
    whole = ask(views, num_players=5)
    assert ask(views[:0], num_players=5).shape == (0, *whole.shape[1:])
    assert ask(views[3::-1][::-1], num_players=5).tobytes() == whole[:4].tobytes()
    views.flags.writeable = False
    assert ask(views, num_players=5).tobytes() == whole.tobytes()


def test_games_that_nothing_can_be_concluded_of_say_so() -> None:
    toy = make_batch("ford", 2, seed=0)
    with pytest.raises(OptionError, match="ford_v0 can't be resampled"):
        resample(toy.game, toy.look(0), toy.params, seed=0)
    with pytest.raises(OptionError, match="ford_v0 has no hidden roles"):
        beliefs(toy.game, toy.look(0), toy.params)


@pytest.mark.parametrize("seat", [-1, 5, 9])
def test_only_seats_have_worlds(seat: int) -> None:
    views = seen()
    views["seat"] = seat
    with pytest.raises(OptionError, match="seats 0 to 4"):
        drawn_games(views, 1, num_players=5)
