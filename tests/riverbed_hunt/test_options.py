"""The options that only Riverbed Hunt has, layouts and roles."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import pytest

from riverbed_env.envs.riverbed_hunt_v1 import raw_env
from riverbed_env.games.riverbed_hunt.content.pack import ROLES, load_pack
from riverbed_env.testing.conformance.kit import api_test, assert_options_refused, record_of, seed_test
from riverbed_hunt.dealt import SEATS
from riverbed_hunt.scene import LETTERS


def roles_dealt(num_players: int) -> list[str]:
    """The roles of a player count, one a seat; with 4 players the last is one of two."""
    return [LETTERS[letter] for letter in SEATS[num_players].split()]


def own_options(num_players: int) -> list[dict[str, Any]]:
    """Every value of the options that only this game has, for a player count."""
    return [
        {},
        {"layout": "random"},
        *({"layout": layout.name} for layout in load_pack().layouts(num_players)),
        {"roles": roles_dealt(num_players)},
        {"roles": [None, "chief", *[None] * (num_players - 2)]},
        {"roles": {0: "leader", "player_2": "profiteer"}},
    ]


@pytest.mark.filterwarnings("ignore:reset option 'options' is unknown:UserWarning")
@pytest.mark.parametrize("count", [4, 6, 9])  # between them they have every board
def test_every_layout_and_role_passes_the_tests(count: int) -> None:
    for options in own_options(count):
        make = functools.partial(raw_env, num_players=count, **options)
        api_test(make(), num_cycles=100)
        seed_test(make, num_cycles=100)


@pytest.mark.parametrize("count", SEATS)
def test_pinned_roles_are_dealt_in_every_game(count: int) -> None:
    pinned = roles_dealt(count)[::-1]
    some = {1: "profiteer", f"player_{count - 1}": "chief"}
    for given, expected in ((pinned, dict(enumerate(pinned))), (some, {1: "profiteer", count - 1: "chief"})):
        env = raw_env(num_players=count, roles=given)
        env.reset(seed=3)
        for _ in range(30):
            roles = record_of(env)["private"]["role"][0, :count].tolist()
            assert {seat: roles[seat] for seat in expected} == {seat: ROLES[name] for seat, name in expected.items()}
            assert sorted(roles) == sorted(ROLES[name] for name in pinned)
            env.reset()


WRONG_OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    # what is given, what the message must say
    ({"layout": "moon"}, ["layout", "'full'", "'random'", "not 'moon'"]),
    ({"layout": "bends"}, ["layout", "'full'", "7 players", "not 'bends'"]),
    ({"num_players": 5, "layout": "corners"}, ["layout", "'springs'", "'bends'", "'islands'", "not 'corners'"]),
    ({"layout": "Random"}, ["layout", "'random'", "not 'Random'"]),
    ({"layout": ""}, ["layout", "not ''"]),
    ({"layout": 0}, ["layout", "not 0"]),
    ({"roles": np.array("chief")}, ["roles", "'random'"]),
    ({"layout": np.array(["bends", "full"])}, ["layout must be"]),
    ({"roles": "chief"}, ["roles", "'random'", "not 'chief'"]),
    ({"roles": None}, ["roles", "None"]),
    ({"roles": 5}, ["roles", "5"]),
    ({"roles": ["chief"]}, ["roles", "1 roles", "7 players"]),
    ({"roles": [None] * 8}, ["roles", "8 roles", "7 players"]),
    ({"roles": ["chief"] * 7}, ["roles", "chief, chief", "7 players", "profiteer"]),
    ({"roles": {0: "chief", 1: "chief"}}, ["roles", "chief, chief"]),
    ({"roles": {0: "profiteer", 3: "profiteer"}}, ["roles", "profiteer, profiteer"]),
    ({"roles": {0: "leader", 1: "leader"}, "num_players": 9}, ["roles", "leader, leader", "9 players"]),
    ({"roles": {0: "merchant", 1: "merchant"}, "num_players": 5}, ["roles", "merchant, merchant", "5 players"]),
    ({"roles": {0: "profiteer", 1: "separatist"}, "num_players": 4}, ["roles", "profiteer, separatist", "4 players"]),
    ({"roles": {0: "king"}}, ["roles", "'king'", "chief, merchant, leader, separatist, profiteer"]),
    ({"roles": {0: "Chief"}}, ["roles", "'Chief'"]),
    ({"roles": {0: 0}}, ["roles", "0 is no role"]),
    ({"roles": {0: ["chief"]}}, ["roles", "['chief']"]),
    ({"roles": {7: "chief"}}, ["roles", "seat 7", "0 to 6"]),
    ({"roles": {-1: "chief"}}, ["roles", "seat -1", "0 to 6"]),
    ({"roles": {0.5: "chief"}}, ["roles", "seat 0.5"]),
    ({"roles": {True: "chief"}}, ["roles", "seat True"]),
    ({"roles": {"player_7": "chief"}}, ["roles", "'player_7'", "0 to 6"]),
    ({"roles": {"player_": "chief"}}, ["roles", "'player_'"]),
    ({"roles": {"seat_1": "chief"}}, ["roles", "'seat_1'"]),
    ({"roles": {"nobody": "chief"}}, ["roles", "'nobody'"]),
    ({"roles": {0: "chief", "player_0": "leader"}}, ["roles", "player_0"]),
    ({"max_decisions": 2**31}, ["max_decisions", "1 to", str(10**8), f"not {2**31}"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG_OPTIONS, ids=lambda value: str(value)[:60])
def test_wrong_options_are_refused_by_name(options: dict[str, Any], words: list[str]) -> None:
    assert_options_refused("riverbed_hunt_v1", options, words)
