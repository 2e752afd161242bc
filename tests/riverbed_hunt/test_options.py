"""The options that only Riverbed Hunt has, layouts and roles."""

from __future__ import annotations

import functools
from typing import Any

import pytest

from riverbed_env.envs.riverbed_hunt_v1 import raw_env
from riverbed_env.games.riverbed_hunt.content.pack import ROLES, load_pack
from riverbed_env.testing.conformance.kit import api_test, record_of, seed_test
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
