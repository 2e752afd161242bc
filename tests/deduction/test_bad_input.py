"""Deduction refuses bad input and says what is allowed."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from deduction.positions import GAME
from riverbed_env.core.batch import Batch
from riverbed_env.deduction.service import Deduction
from riverbed_env.errors import OptionError, SeedError

pytestmark = pytest.mark.compiled


def seen(num_players: int = 5, n: int = 3) -> np.ndarray:
    return Batch(GAME, n, seed=1, num_players=num_players).look(0)


ASKED: tuple[Callable[[Deduction, Any], Any], ...] = (
    lambda service, views: service.roles(views),
    lambda service, views: service.resample(views, 1),
)


@pytest.mark.parametrize("ask", ASKED)
@pytest.mark.parametrize(
    "wrong",
    [
        lambda: Batch(GAME, 3, seed=1, num_players=5).get_state(),
        lambda: np.zeros((3, 40), np.int8),
        lambda: seen().reshape(3, 1),
        lambda: seen()[0],
        lambda: seen()[0:1].reshape(()),
        lambda: list(seen()),
        lambda: None,
        lambda: seen().tobytes(),
    ],
    ids=["states", "numbers", "two axes", "one record", "no axis", "a list", "nothing", "bytes"],
)
def test_other_things_than_views_are_refused(wrong: Callable[[], Any], ask: Callable[[Deduction, Any], Any]) -> None:
    with pytest.raises(OptionError, match=r"views must be an array of view records, shape \(n,\)"):
        ask(Deduction(num_players=5), wrong())


@pytest.mark.parametrize("ask", ASKED)
def test_views_of_another_number_of_players_are_refused(ask: Callable[[Deduction, Any], Any]) -> None:
    with pytest.raises(OptionError, match="must be of games of 7 players"):
        ask(Deduction(num_players=7), seen(5))
    mixed = seen(5)
    mixed["table"]["num_players"][1] = 6
    with pytest.raises(OptionError, match="must be of games of 5 players"):
        ask(Deduction(num_players=5), mixed)


def test_unknown_models_and_options_are_refused() -> None:
    with pytest.raises(OptionError, match="playing") as refused:
        Deduction(model="plaing", num_players=5)
    assert "plaing" in str(refused.value)
    assert "uniform" in str(refused.value)
    for model in (None, 1, ["playing"]):
        with pytest.raises(OptionError, match="model"):
            Deduction(model=model, num_players=5)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="players"):
        Deduction(players=5)
    with pytest.raises(OptionError, match="num_players"):
        Deduction(num_players=3)
    with pytest.raises(OptionError, match="layout"):
        Deduction(num_players=5, layout="spring")


@pytest.mark.parametrize("views", [3, 0])
@pytest.mark.parametrize("seed", [-1, 1.5, None, "1", True, 2**63])
def test_a_seed_that_is_none_is_refused(seed: Any, views: int) -> None:
    with pytest.raises(SeedError, match="seed must be"):
        Deduction(num_players=5).resample(seen()[:views], seed)


@pytest.mark.parametrize("first", [-1, 1.5, None, "1"])
def test_a_first_number_that_is_none_is_refused(first: Any) -> None:
    with pytest.raises(OptionError, match="first"):
        Deduction(num_players=5).resample(seen(), 1, first=first)


@pytest.mark.slow
def test_views_that_are_strided_or_read_only_are_accepted() -> None:
    service, views = Deduction(num_players=5), seen(5, 6)
    whole = service.roles(views)
    np.testing.assert_array_equal(service.roles(views[::2]), whole[::2])
    np.testing.assert_array_equal(service.roles(views[::-1]), whole[::-1])
    drawn = service.resample(views, 1)
    views.flags.writeable = False
    np.testing.assert_array_equal(service.roles(views), whole)
    assert service.resample(views, 1).tobytes() == drawn.tobytes()


def test_no_views_give_no_rows() -> None:
    assert Deduction(num_players=5).roles(seen()[:0]).shape == (0, 5, 5)
