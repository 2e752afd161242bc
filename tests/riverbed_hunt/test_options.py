"""The options that only Riverbed Hunt has, layouts and roles, and what its camps are paid."""

from __future__ import annotations

import functools
import tomllib
from typing import Any

import numpy as np
import pytest

from riverbed_env.core.packs import PACKS
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.riverbed_hunt_v0 import raw_env
from riverbed_env.errors import OptionError
from riverbed_env.testing.bombardment import bombardment_test, state_test
from riverbed_env.testing.conformance.kit import api_test, play, seed_test

PLAYER_COUNTS = tuple(range(4, 10))
PACK_FILE = PACKS / "riverbed_hunt" / "default.toml"
PACK: dict[str, Any] = tomllib.loads(PACK_FILE.read_text(encoding="utf-8"))
TILES = {players["count"]: len(players["tiles"]) for players in PACK["players"]}

# The roles of each player count, one a seat (with 4 players the last is one of two).
ROLES = {players["count"]: [*players["roles"], *players.get("one_of", [])[:1]] for players in PACK["players"]}

CAMPS = {"chief": "m", "merchant": "m", "leader": "s", "separatist": "s", "profiteer": "p"}
ROLE_NAMES = ("chief", "merchant", "leader", "separatist", "profiteer")


def layout_names(num_players: int) -> list[str]:
    """The named layouts of a player count."""
    return [layout["name"] for layout in PACK["layout"] if layout["tiles"] == TILES[num_players]]


def roles_of(env: TurnEnv) -> list[str]:
    """Every seat's role, read from the full state."""
    one_hot = env.game.state.named(env.state())["roles"][: env.num_players]
    assert (one_hot.sum(axis=1) == 1).all()
    return [ROLE_NAMES[int(place)] for place in one_hot.argmax(axis=1)]


# --- PettingZoo's tests and ours at every player count ---------------------------------------------------


def own_options(num_players: int) -> list[dict[str, Any]]:
    """Every value of the options that only this game has, for a player count."""
    return [
        {},
        {"layout": "random"},
        *({"layout": name} for name in layout_names(num_players)),
        {"roles": ROLES[num_players]},
        {"roles": [None, "chief", *[None] * (num_players - 2)]},
        {"roles": {0: "leader", "player_2": "profiteer"}},
    ]


@pytest.mark.filterwarnings("ignore:reset option 'options' is unknown:UserWarning")
@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_every_layout_and_role_passes_the_tests(count: int) -> None:
    for options in own_options(count):
        make = functools.partial(raw_env, num_players=count, **options)
        api_test(make(), num_cycles=100)
        seed_test(make, num_cycles=100)
        bombardment_test(make(), 100)
        state_test(make(), 100)


# --- what the options do ---------------------------------------------------------------------------------


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_a_named_layout_is_the_one_played(count: int) -> None:
    empty = {layout["name"]: layout["empty"] for layout in PACK["layout"] if layout["tiles"] == TILES[count]}
    for layout in [None, *layout_names(count)]:
        env = raw_env(num_players=count, layout=layout)
        env.reset(seed=1)
        occupied = env.game.state.named(env.state())["occupied"]
        name = layout_names(count)[0] if layout is None else layout
        assert [space + 1 for space in np.flatnonzero(occupied == 0)] == empty[name]


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_a_random_layout_is_drawn_from_all_of_them_by_the_seed(count: int) -> None:
    env = raw_env(num_players=count, layout="random")
    found = []
    for _ in range(2):
        env.reset(seed=5)
        drawn = []
        for _ in range(60):
            drawn.append(env.game.state.named(env.state())["occupied"].tobytes())
            env.reset()
        found.append(drawn)
    assert found[0] == found[1]
    assert len(set(found[0])) == len(layout_names(count))


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_pinned_roles_are_dealt_in_every_game(count: int) -> None:
    pinned = list(reversed(ROLES[count]))
    all_pinned = raw_env(num_players=count, roles=pinned)
    some_pinned = raw_env(num_players=count, roles={1: "profiteer", f"player_{count - 1}": "chief"})
    for env in (all_pinned, some_pinned):
        env.reset(seed=3)
    for _ in range(30):
        assert roles_of(all_pinned) == pinned
        found = roles_of(some_pinned)
        assert found[1] == "profiteer"
        assert found[count - 1] == "chief"
        assert sorted(found) == sorted(ROLES[count])
        all_pinned.reset()
        some_pinned.reset()


def test_roles_are_dealt_differently_by_different_seeds() -> None:
    env = raw_env(num_players=7)
    found = set()
    for seed in range(40):
        env.reset(seed=seed)
        assert sorted(roles_of(env)) == sorted(ROLES[7])
        found.add(tuple(roles_of(env)))
    assert len(found) > 20


@pytest.mark.parametrize("rewards", ["win", "zero_sum"])
@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_rewards_are_those_of_the_camps(count: int, rewards: str) -> None:
    env = raw_env(num_players=count, rewards=rewards)
    env.reset(seed=count)
    rng = np.random.default_rng(count)
    winners_seen = set()
    for _ in range(60):
        play(env, rng)
        camps = [CAMPS[role] for role in roles_of(env)]
        tracks = env.game.state.named(env.state())
        reached = np.flatnonzero(tracks["tracks"] >= tracks["endpoints"])
        paid = [env.rewards[agent] for agent in env.agents]
        if len(reached) == 0:
            assert set(env.truncations.values()) == {True}
            assert set(paid) == {0.0}
        else:
            winner = "msp"[int(reached[0])]
            winners_seen.add(winner)
            winners = camps.count(winner)
            lost = count - winners
            if rewards == "win":
                wanted = [1.0 if camp == winner else -1.0 for camp in camps]
            elif winners == 0:
                wanted = [0.0] * count
            else:
                wanted = [1 / winners if camp == winner else -1 / lost for camp in camps]
            np.testing.assert_allclose(paid, wanted, rtol=1e-6)
            assert set(env.terminations.values()) == {True}
            assert set(env.truncations.values()) == {False}
        env.reset()
    assert len(winners_seen) == 3


# --- wrong ones ------------------------------------------------------------------------------------------

WRONG_OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    # what is given, what the message must say
    ({"layout": "moon"}, ["layout", "'full'", "'random'", "not 'moon'"]),
    ({"layout": "bends"}, ["layout", "'full'", "7 players", "not 'bends'"]),
    ({"num_players": 5, "layout": "corners"}, ["layout", "'springs'", "'bends'", "'islands'", "not 'corners'"]),
    ({"layout": "Random"}, ["layout", "'random'", "not 'Random'"]),
    ({"layout": ""}, ["layout", "not ''"]),
    ({"layout": 0}, ["layout", "not 0"]),
    ({"layout": ["full"]}, ["layout", "not ['full']"]),
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
    with pytest.raises(OptionError) as caught:
        raw_env(**options)
    for word in words:
        assert word in str(caught.value)


@pytest.mark.parametrize(
    "options",
    [
        {"roles": []},
        {"roles": {}},
        {"roles": (None,) * 7},
        {"roles": {0: None, "player_1": "chief", "2": "leader"}},
        {"roles": {np.int64(1): "chief"}},
        pytest.param({"roles": iter(["chief", None, None, None, None, None, None])}, id="an iterator of roles"),
    ],
    ids=str,
)
def test_what_is_only_unusual_is_taken_or_refused(options: dict[str, Any]) -> None:
    try:
        env = raw_env(**options)
    except OptionError:
        return
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
