"""The kit compares by content: values, types, dtypes, shapes, the order of keys, what objects hold."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from random import Random
from typing import Any

import gymnasium.spaces
import numpy as np
import pytest

from riverbed_env.testing.leaks import differences
from riverbed_env.testing.leaks.compare import ContentError, freeze, same


@dataclass
class Card:
    suit: str
    rank: int


class Slotted:
    __slots__ = ("left", "right")

    def __init__(self, left: int) -> None:
        self.left = left


class Colour(Enum):
    RED = 1
    BLUE = 2


PAIR = np.dtype([("hand", np.int8, (3,)), ("size", np.int8)], align=True)

ALIKE = [
    (1.0, 1.0),
    (float("nan"), float("nan")),
    (np.zeros(3), np.zeros(3)),
    (np.array([np.nan]), np.array([np.nan])),
    (np.zeros(2, PAIR), np.zeros(2, PAIR)),
    (np.zeros(1, PAIR)[0], np.zeros(1, PAIR)[0]),
    ({"a": [1, (2, 3)]}, {"a": [1, (2, 3)]}),
    ({1, 2}, {2, 1}),
    (Card("spade", 1), Card("spade", 1)),
    (Slotted(1), Slotted(1)),
    (Colour.RED, Colour.RED),
    (Random(1), Random(1)),
    (np.random.default_rng(1), np.random.default_rng(1)),
    (gymnasium.spaces.Discrete(3), gymnasium.spaces.Discrete(3)),
    (np.array([Card("spade", 1)], object), np.array([Card("spade", 1)], object)),
    (len, len),
]

APART = [
    (1, 2, ""),
    (1, True, ""),
    (1, 1.0, ""),
    (None, 0, ""),
    (0.0, float("nan"), ""),
    (np.zeros(3), np.zeros(4), ""),
    (np.zeros(3), np.zeros(3, np.int8), ""),
    (np.zeros((2, 3)), np.eye(2, 3), "[0, 0]"),
    (np.float32(0), np.float32(1), ""),
    (np.zeros(2, PAIR), np.ones(2, PAIR), " hand[0, 0]"),
    (np.zeros(1, PAIR)[0], np.ones(1, PAIR)[0], " hand[0]"),
    ({"a": 1, "b": 2}, {"a": 1, "b": 3}, " b"),
    ({"a": 1, "b": 2}, {"b": 2, "a": 1}, " order of keys"),
    ({"a": 1}, {"a": 1, "b": 2}, " keys"),
    ({"a": {"b": [0, 1]}}, {"a": {"b": [0, 2]}}, " a b[1]"),
    ([1], [1, 2], ""),
    ((1, "x"), (1, "y"), "[1]"),
    ({1, 2}, {1, 3}, ""),
    (Card("spade", 1), Card("spade", 2), " rank"),
    (Slotted(1), Slotted(2), " left"),
    (Colour.RED, Colour.BLUE, ""),
    (Random(1), Random(2), ""),
    (np.random.default_rng(1), np.random.default_rng(2), ""),
    (np.random.RandomState(1), np.random.RandomState(2), ""),  # environments of others hold these
    (gymnasium.spaces.Discrete(3), gymnasium.spaces.Discrete(4), ""),
    (np.array([Card("spade", 1)], object), np.array([Card("club", 1)], object), " suit[0]"),
    (len, max, ""),
]


@pytest.mark.parametrize(("one", "two"), ALIKE)
def test_what_holds_the_same_is_the_same(one: Any, two: Any) -> None:
    assert differences(one, two, "it") == []


@pytest.mark.parametrize(("one", "two", "where"), APART)
def test_a_difference_is_named_with_its_place(one: Any, two: Any, where: str) -> None:
    first, *_ = differences(one, two, "it")
    assert f"{first.name}{first.place}" == f"it{where}"
    assert first.one != first.two


def test_the_first_different_entry_of_an_array_is_named_and_the_others_counted() -> None:
    (difference,) = differences(np.zeros(5, np.int8), np.array([0, 0, 7, 7, 7], np.int8), "counts")
    assert str(difference) == "counts[2]: 0 in one world, 7 (and 2 more entries) in the other"


def test_circles_end() -> None:
    one: list[Any] = [1]
    two: list[Any] = [1]
    one.append(one)
    two.append(two)
    assert same(one, two)


def test_what_shows_no_content_cant_be_compared() -> None:
    with pytest.raises(ContentError, match="shows no content"):
        differences((part for part in "a"), (part for part in "a"))


def test_what_is_frozen_keeps() -> None:
    held = {"array": np.zeros(2), "card": Card("spade", 1), "list": [[1], (2, [3])]}
    kept = freeze(held)
    held["array"][0] = 1
    held["card"].rank = 2
    held["list"][1][1].append(4)
    assert same(kept, {"array": np.zeros(2), "card": Card("spade", 1), "list": [[1], (2, [3])]})
