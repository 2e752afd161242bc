"""Wrong options, seeds, actions, states and packs: each is refused by name, and nothing changes."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conformance_kit import (
    PACK_FILE,
    assert_same,
    forged,
    illegal_action,
    is_over,
    new_env,
    observable,
    play,
    record_of,
    split_state,
)

import riverbed_env
from riverbed_env.core.errors import (
    EpisodeOverError,
    IllegalActionError,
    OptionError,
    PackError,
    RiverbedError,
    StateError,
)
from riverbed_env.envs.aec import TurnEnv


def begun(steps: int = 20, seed: int = 1, **options: Any) -> TurnEnv:
    """An environment in mid-game."""
    env = new_env(**options)
    env.reset(seed=seed)
    play(env, np.random.default_rng(seed), steps)
    assert not is_over(env)
    return env


def assert_still_usable(env: TurnEnv, before: dict[str, Any]) -> None:
    """It is as it was, and can be played to the end and dealt anew."""
    assert_same(observable(env), before)
    play(env, np.random.default_rng(0))
    assert is_over(env)
    env.reset(seed=3)
    play(env, np.random.default_rng(0), 3)


# --- options ---------------------------------------------------------------------------------------------

WRONG_OPTIONS: list[tuple[dict[str, Any], list[str]]] = [
    # what is given, what the message must say
    ({"num_players": 3}, ["num_players", "4 to 9", "not 3"]),
    ({"num_players": 10}, ["num_players", "4 to 9", "not 10"]),
    ({"num_players": -5}, ["num_players", "4 to 9", "not -5"]),
    ({"num_players": "7"}, ["num_players", "4 to 9", "not '7'"]),
    ({"num_players": 7.0}, ["num_players", "4 to 9", "not 7.0"]),
    ({"num_players": True}, ["num_players", "4 to 9", "not True"]),
    ({"num_players": None}, ["num_players", "4 to 9", "not None"]),
    ({"num_players": [7]}, ["num_players", "4 to 9", "not [7]"]),
    ({"num_players": np.array([5, 6])}, ["num_players", "4 to 9"]),
    ({"layout": "moon"}, ["layout", "'full'", "'random'", "not 'moon'"]),
    ({"layout": "bends"}, ["layout", "'full'", "7 players", "not 'bends'"]),
    ({"num_players": 5, "layout": "corners"}, ["layout", "'springs'", "'bends'", "'islands'", "not 'corners'"]),
    ({"layout": "Random"}, ["layout", "'random'", "not 'Random'"]),
    ({"layout": ""}, ["layout", "not ''"]),
    ({"layout": 0}, ["layout", "not 0"]),
    ({"layout": ["full"]}, ["layout", "not ['full']"]),
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
    ({"view": "then"}, ["view", "'history'", "'now'", "not 'then'"]),
    ({"view": None}, ["view", "not None"]),
    ({"view": 1}, ["view", "not 1"]),
    ({"rewards": "loss"}, ["rewards", "'win'", "'zero_sum'", "not 'loss'"]),
    ({"rewards": "zero-sum"}, ["rewards", "'zero_sum'", "not 'zero-sum'", "did you mean 'zero_sum'"]),
    ({"rewards": None}, ["rewards", "not None"]),
    ({"rewards": 1.0}, ["rewards", "not 1.0"]),
    ({"on_illegal": "random"}, ["on_illegal", "'raise'", "'terminate'", "not 'random'"]),
    ({"on_illegal": None}, ["on_illegal", "not None"]),
    ({"on_illegal": ["raise"]}, ["on_illegal", "not ['raise']"]),
    ({"auto_forced": "some"}, ["auto_forced", "'public'", "'all'", "'none'", "not 'some'"]),
    ({"auto_forced": None}, ["auto_forced", "not None"]),
    ({"auto_forced": True}, ["auto_forced", "not True"]),
    ({"auto_forced": ["public"]}, ["auto_forced", "not ['public']"]),
    ({"render_mode": "rgb_array"}, ["render_mode", "'ansi'", "'human'", "not 'rgb_array'"]),
    ({"render_mode": 1}, ["render_mode", "not 1"]),
    ({"render_mode": True}, ["render_mode", "not True"]),
    ({"max_decisions": 0}, ["max_decisions", "1 to", "not 0"]),
    ({"max_decisions": -1}, ["max_decisions", "1 to", "not -1"]),
    ({"max_decisions": 1.5}, ["max_decisions", "not 1.5"]),
    ({"max_decisions": "9"}, ["max_decisions", "not '9'"]),
    ({"max_decisions": True}, ["max_decisions", "not True"]),
    ({"max_decisions": 2**31}, ["max_decisions", str(10**8), f"not {2**31}"]),
    ({"max_cycles": 0}, ["max_", "not 0"]),
    ({"max_cycles": 1.5}, ["max_", "not 1.5"]),
    ({"max_decisions": 5, "max_cycles": 6}, ["max_decisions 5", "max_cycles 6"]),
    ({"max_decisions": 0, "max_cycles": 6}, ["max_decisions"]),
]


@pytest.mark.parametrize(("options", "words"), WRONG_OPTIONS, ids=lambda value: str(value)[:60])
def test_wrong_options_are_refused_by_name(options: dict[str, Any], words: list[str]) -> None:
    with pytest.raises(OptionError) as caught:
        new_env(**options)
    assert isinstance(caught.value, RiverbedError)
    assert isinstance(caught.value, ValueError)
    for word in words:
        assert word in str(caught.value)


def test_unknown_options_are_refused() -> None:
    with pytest.raises(TypeError, match="players"):
        new_env(players=7)
    with pytest.raises((TypeError, OptionError), match="players"):
        riverbed_env.make_batch("riverbed_hunt_v0", 2, players=7)


@pytest.mark.parametrize(
    "options",
    [
        {"num_players": np.int64(5)},
        {"max_decisions": np.int32(50)},
        {"max_decisions": 50, "max_cycles": 50},
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
        env = new_env(**options)
    except OptionError:
        return
    env.reset(seed=1)
    play(env, np.random.default_rng(1))


@pytest.mark.parametrize(
    ("pack", "words"),
    [
        ("nope", ["'nope'", "default"]),
        ("Default", ["'Default'", "did you mean 'default'"]),
        ("", ["''", "default"]),
        (".", ["'.'"]),
        ("default.toml", ["default.toml", "no such pack file"]),
        ("no/such/pack.toml", ["no/such/pack.toml", "no such pack file"]),
        (Path("/no/such/pack.toml"), ["/no/such/pack.toml", "no such pack file"]),
        (PACK_FILE.parent, [str(PACK_FILE.parent)]),
        (str(PACK_FILE.parent) + "/", [str(PACK_FILE.parent)]),
        ("a\0b.toml", ["a"]),
        ("x" * 3000, ["xxx"]),
        (3, ["3"]),
        (None, ["None"]),
        (b"default", ["default"]),
        (["default"], ["default"]),
    ],
    ids=lambda value: str(value)[:40] if not isinstance(value, list) else "",
)
def test_packs_that_are_not_there(pack: Any, words: list[str]) -> None:
    with pytest.raises((PackError, OptionError)) as caught:
        new_env(pack=pack)
    for word in words:
        assert word in str(caught.value)


def test_a_pack_that_is_a_folder(tmp_path: Path) -> None:
    folder = tmp_path / "pack.toml"
    folder.mkdir()
    with pytest.raises(PackError, match=str(folder)):
        new_env(pack=folder)


# --- seeds and reset -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seed", "error"),
    [
        (-1, ValueError),
        (2**63, ValueError),
        (10**40, ValueError),
        (np.uint64(2**63), ValueError),
        (1.5, TypeError),
        (1.0, TypeError),
        ("x", TypeError),
        ("1", TypeError),
        (True, TypeError),
        ([1], TypeError),
        (float("nan"), TypeError),
        (np.array([1, 2]), TypeError),
    ],
    ids=str,
)
def test_wrong_seeds(seed: Any, error: type[Exception]) -> None:
    env = begun()
    before = observable(env)
    with pytest.raises(error, match=f"seed must be .*{2**63 - 1}"):
        env.reset(seed=seed)
    assert_still_usable(env, before)


@pytest.mark.parametrize("seed", [0, 1, 2**32, 2**63 - 1, np.int32(4), np.uint64(7)], ids=str)
def test_right_seeds(seed: Any) -> None:
    env, other = new_env(), new_env()
    env.reset(seed=seed)
    other.reset(seed=int(seed))
    assert_same(observable(env), observable(other))


@pytest.mark.parametrize("number", [-1, -7, 2**63, 2**70, 1.5, "x", None, [1]], ids=str)
def test_wrong_game_numbers(number: Any) -> None:
    env = begun()
    before = observable(env)
    with pytest.raises((OptionError, TypeError, ValueError)):
        env.reset(seed=99, options={"game_number": number})
    assert_same(observable(env), before)
    env.reset()
    other = new_env()
    other.reset(seed=1, options={"game_number": 1})
    assert_same(observable(env), observable(other))


def test_unknown_reset_options_are_warned_of() -> None:
    env = begun()
    with pytest.warns(UserWarning, match="'colour' is unknown.*'game_number'"):
        env.reset(seed=1, options={"colour": "red"})


# --- actions ---------------------------------------------------------------------------------------------

NO_ACTIONS: list[Any] = [
    -1,
    78,
    10_000,
    2**31,
    2**62,
    2**63 - 1,
    2**63,
    2**70,
    -(2**63),
    -(2**70),
    -1 << 40,  # what means a deal inside
    3.0,
    13.0,
    float("nan"),
    float("inf"),
    None,
    "x",
    "13",
    b"1",
    True,
    False,
    [13],
    (13,),
    {},
    np.float32(13),
    np.array([13]),
    np.array([13, 14]),
    np.bool_(True),
    1 + 0j,
    print,
]


@pytest.mark.parametrize("action", NO_ACTIONS, ids=lambda action: str(action)[:20])
def test_what_is_no_action_raises_and_changes_nothing(action: Any) -> None:
    env = begun()
    before = observable(env)
    with pytest.raises(IllegalActionError) as caught:
        env.step(action)
    assert env.agent_selection in str(caught.value)
    assert "legal: " in str(caught.value)
    assert_still_usable(env, before)


@pytest.mark.parametrize("action", NO_ACTIONS, ids=lambda action: str(action)[:20])
def test_what_is_no_action_terminates(action: Any) -> None:
    env = begun(on_illegal="terminate")
    offender = env.agent_selection
    env.step(action)
    assert_ended_by(env, offender)


def test_every_illegal_action_raises_with_the_reason_and_what_is_legal() -> None:
    env = begun(0, num_players=6)
    rng = np.random.default_rng(5)
    while not is_over(env):
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"]
        state = env.get_state()
        legal = [f"{action} ({env.describe_action(int(action))})" for action in np.flatnonzero(mask)]
        for action in np.flatnonzero(mask == 0):
            with pytest.raises(IllegalActionError) as caught:
                env.step(int(action))
            message = str(caught.value)
            assert message.startswith(f"{agent} can't take action {action} ")
            assert message.endswith(f"legal: {', '.join(legal)}")
        assert env.get_state() == state
        env.step(int(rng.choice(np.flatnonzero(mask))))


def test_what_is_legal_for_others_is_refused() -> None:
    """WAIT is all that others can do; the asked seat can't."""
    env = begun()
    with pytest.raises(IllegalActionError, match="must answer"):
        env.step(0)
    ended = begun(on_illegal="terminate")
    offender = ended.agent_selection
    ended.step(0)
    assert_ended_by(ended, offender)


@pytest.mark.parametrize("steps", [0, 5, 20, 33])
def test_illegal_actions_terminate(steps: int) -> None:
    env = begun(steps, on_illegal="terminate")
    offender = env.agent_selection
    env.step(illegal_action(env))
    assert_ended_by(env, offender)


def assert_ended_by(env: TurnEnv, offender: str) -> None:
    """PettingZoo's values: -1 to the offender, 0 to the others, all flags set; then None for each, then a new game."""
    agents = env.possible_agents
    assert env.agents == agents
    assert env.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in agents}
    assert env.terminations == env.truncations == dict.fromkeys(agents, True)
    for agent in agents:
        assert np.flatnonzero(env.observe(agent)["action_mask"]).tolist() == [0]
    for agent in agents:
        assert env.agent_selection == agent
        assert env.last(observe=False)[1:4] == (-1.0 if agent == offender else 0.0, True, True)
        env.step(None)
    assert not env.agents
    env.reset()
    assert env.agents == agents
    play(env, np.random.default_rng(1))
    assert is_over(env)


@pytest.mark.parametrize("action", [1, None, "x"])
def test_steps_before_reset(action: Any) -> None:
    env = new_env()
    with pytest.raises(EpisodeOverError, match=r"before reset\(\)"):
        env.step(action)
    env.reset(seed=1)
    play(env, np.random.default_rng(1))


@pytest.mark.parametrize(
    "call",
    [
        lambda env: env.observe("player_0"),
        lambda env: env.state(),
        lambda env: env.get_state(),
        lambda env: env.render(),
        lambda env: env.last(),
        lambda env: env.last(observe=False),
        lambda env: env.describe_state(),
        lambda env: env.describe_events(),
    ],
    ids=["observe", "state", "get_state", "render", "last", "last unseen", "describe_state", "events"],
)
def test_questions_before_reset(call: Callable[[TurnEnv], Any]) -> None:
    with pytest.raises(EpisodeOverError, match="reset"):
        call(new_env(render_mode="ansi"))


@pytest.mark.parametrize("on_illegal", ["raise", "terminate"])
def test_steps_after_the_end(on_illegal: str) -> None:
    env = new_env(num_players=4, on_illegal=on_illegal)
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    for left in range(4, 0, -1):
        before = observable(env)
        not_none: list[Any] = [0, 1, 13, "x", 2.0]
        for wrong in not_none:
            with pytest.raises(EpisodeOverError, match="over"):
                env.step(wrong)
        assert_same(observable(env), before)
        assert len(env.agents) == left
        env.step(None)
    before = observable(env)
    for action in (None, 0, 5):
        with pytest.raises(EpisodeOverError, match="reset"):
            env.step(action)
    with pytest.raises((EpisodeOverError, KeyError)):
        env.last()
    assert_same(observable(env), before)
    env.reset()
    play(env, np.random.default_rng(1))


@pytest.mark.parametrize(
    "agent", ["player_7", "player_-1", "player_00", "nobody", "", None, 7, -1, 1.5, ("player_0",)], ids=str
)
def test_unknown_agents(agent: Any) -> None:
    env = begun(render_mode="ansi")
    before = observable(env)
    calls: list[Callable[[Any], Any]] = [env.observe, lambda name: env.describe_action(1, name)]
    if agent is not None:
        calls += [env.render, env.describe_state]
    for call in calls:
        if call is calls[1] and agent is None:
            continue
        with pytest.raises(OptionError, match=r"agent|seat"):
            call(agent)
    assert_still_usable(env, before)


def test_a_seat_number_is_refused_or_means_the_agent_of_that_seat() -> None:
    env = begun()
    for seat, agent in enumerate(env.possible_agents):
        try:
            seen = env.observe(seat)  # type: ignore[arg-type]  # a likely mistake
        except OptionError:
            continue
        assert_same(seen, env.observe(agent))


# --- states ----------------------------------------------------------------------------------------------


def assert_refused(env: TurnEnv, state: Any, match: str = "state") -> None:
    before = env.get_state()
    with pytest.raises(StateError, match=match):
        env.set_state(state)
    assert env.get_state() == before


@pytest.mark.parametrize("state", [None, "x", 3, b"", b"riverbed", [], bytearray(b"riverbed state 1\n"), {}], ids=str)
def test_what_is_no_state(state: Any) -> None:
    env = begun()
    before = observable(env)
    with pytest.raises(StateError, match="state"):
        env.set_state(state)
    assert_still_usable(env, before)


def test_truncated_states() -> None:
    env = begun()
    before = observable(env)
    state = begun(30, seed=2).get_state()
    for length in [*range(0, 400, 3), *range(400, len(state), 37), len(state) - 1]:
        assert_refused(env, state[:length])
    for extra in (b"\0", b"\n", b"x" * 100):
        assert_refused(env, state + extra)
    assert_still_usable(env, before)


def test_flipped_bits_in_the_body() -> None:
    env = begun()
    before = observable(env)
    state = begun(30, seed=2).get_state()
    start = len(state) - env.game.dtype.itemsize
    for place in range(start, len(state)):
        flipped = bytearray(state)
        flipped[place] ^= 1 << (place % 8)
        assert_refused(env, bytes(flipped))
    assert_still_usable(env, before)


def test_flipped_bits_in_the_header() -> None:
    env = begun()
    kept = env.get_state()
    state = begun(30, seed=2).get_state()
    accepted: list[str] = []
    other: list[str] = []
    for place in range(len(state) - env.game.dtype.itemsize):
        for bit in range(8):
            flipped = bytearray(state)
            flipped[place] ^= 1 << bit
            around = bytes(flipped[max(0, place - 12) : place + 4]).decode("latin-1")
            try:
                env.set_state(bytes(flipped))
            except StateError:
                if env.get_state() != kept:
                    other.append(f"{around!r}: refused, but changed")
            except Exception as error:  # whatever it is, it is the wrong one
                other.append(f"{around!r}: {type(error).__name__}: {error}")
            else:
                accepted.append(repr(around))
            env.set_state(kept)
    assert not other, f"{len(other)} of another kind: {other[:5]}"
    assert not accepted, f"{len(accepted)} accepted: {accepted[:5]} … {accepted[-5:]}"


def test_flipped_bits_in_the_header_do_no_other_harm() -> None:
    """Whether or not they are noticed: StateError with nothing changed, or a state that can be played on."""
    env = begun()
    state = begun(30, seed=2).get_state()
    rng = np.random.default_rng(0)
    for place in range(len(state) - env.game.dtype.itemsize):
        flipped = bytearray(state)
        flipped[place] ^= 1 << int(rng.integers(7))
        before = env.get_state()
        try:
            env.set_state(bytes(flipped))
        except StateError:
            assert env.get_state() == before
        observable(env)
    play(env, rng)


def test_states_of_another_player_count() -> None:
    env = begun(num_players=7)
    for count in (4, 6, 8, 9):
        assert_refused(env, begun(10, num_players=count).get_state(), match=f"num_players {count}.*7")


def test_states_of_another_pack(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text(PACK_FILE.read_text().replace("kelp = 7, log = 7, coin = 5", "kelp = 7, log = 7, coin = 6"))
    env, twin = begun(), begun(pack=other)
    assert_refused(env, twin.get_state(), match=f"pack '{twin.pack.hash}'.*'{env.pack.hash}'")
    assert_refused(twin, env.get_state(), match="pack")


def test_a_pack_that_differs_in_comments_only_is_the_same(tmp_path: Path) -> None:
    other = tmp_path / "other.toml"
    other.write_text("# a comment\n" + PACK_FILE.read_text().replace("\n[[tile]]", "\n\n# a tile\n[[tile]]"))
    env, twin = begun(), new_env(pack=other)
    twin.set_state(env.get_state())
    assert_same(observable(twin), observable(env))


@pytest.mark.parametrize(
    "header",
    [
        {"game": "chess"},
        {"game": None},
        {"pack": 3},
        {"num_players": "7"},
        {"agents": []},
        {"agents": ["player_6"]},
        {"agents": ["player_1", "player_2", "player_3", "player_4", "player_5", "player_6"]},
        {"agents": ["player_0"]},
        {"agents": [f"player_{seat}" for seat in range(8)]},
        {"agents": "player_6"},
        {"agents": None},
        {"agents": 8},
        {"agents": -1},
        {"agents": 3},
        {"agents": True},
        {"agents": {"player_6": 1}},
        {"offender": 7},
        {"offender": -1},
        {"offender": "player_1"},
        {"offender": "nobody"},
        {"offender": 1.5},
        {"offender": [1]},
        {"checksum": 0},
        {"checksum": None},
        {"checksum": "x"},
        *({name: ...} for name in ("game", "pack", "num_players", "agents")),
        {"checksum": ...},
    ],
    ids=str,
)
def test_wrong_headers(header: dict[str, Any]) -> None:
    env = begun()
    before = observable(env)
    state = begun(30, seed=2).get_state()
    assert set(header) <= set(split_state(state)[1])
    with pytest.raises(StateError):
        env.set_state(forged(state, **header))
    assert_still_usable(env, before)


@pytest.mark.parametrize("header", [b"[]", b"3", b"null", b'"x"', b"{", b"\xff\xfe", b""], ids=lambda h: str(h)[:12])
def test_headers_that_are_no_object(header: bytes) -> None:
    env = begun()
    before = observable(env)
    first, _, body = split_state(env.get_state())
    with pytest.raises(StateError):
        env.set_state(first + b"\n" + header + b"\n" + body)
    assert_still_usable(env, before)


# Each breaks one identity, by numbers that are all within their ranges; the record is of the 7-player game.
Edit = Callable[[Any], None]


def wrong_range(game: Any) -> None:
    game["table"]["question"] = 90


def wrong_seat(game: Any) -> None:
    game["table"]["asked"] = 7


def wrong_layout(game: Any) -> None:
    game["table"]["layout"] = 1


def wrong_flag(game: Any) -> None:
    game["table"]["dive_ready"][2] = 2


def wrong_frames(game: Any) -> None:
    game["table"]["depth"] = 1
    game["table"]["frames"][0] = np.zeros((), game["table"]["frames"].dtype)


def tile_twice(game: Any) -> None:
    game["tile_at"][3] = game["tile_at"][4]


def tile_missing(game: Any) -> None:
    game["tile_at"][0] = 0


def face_up_tile_shown_wrong(game: Any) -> None:
    down = next(space for space in range(16) if game["table"]["tile"][space] == 0)
    game["table"]["tile"][down] = 1


def face_up_tile_unshown(game: Any) -> None:
    down = next(space for space in range(16) if game["table"]["tile"][space] == 0)
    game["table"]["face_down"] &= ~(1 << down)


def track_too_far(game: Any) -> None:
    game["table"]["tracks"][0] += 1


def hand_too_big(game: Any) -> None:
    game["table"]["hand_size"][1] += 1


def card_exchanged(game: Any) -> None:
    game["deck"][0] = (game["deck"][0] + 1) % 10


def card_lost(game: Any) -> None:
    game["table"]["draw_pile"] -= 1


def card_used_twice(game: Any) -> None:
    game["table"]["discard_pile"][2] += 1


def two_chiefs(game: Any) -> None:
    other = next(seat for seat in range(7) if game["private"][seat]["role"] != 0)
    game["private"][other]["role"] = 0


def role_shown_wrong(game: Any) -> None:
    other = next(seat for seat in range(7) if game["private"][seat]["role"] == 1)
    game["table"]["role"][other] = 2


def chief_hidden(game: Any) -> None:
    game["table"]["role"][:] = -1


def meeple_lost(game: Any) -> None:
    game["table"]["position"][0] = -1


def nobody_asked(game: Any) -> None:
    game["table"]["asked"] = -1


def nothing_asked(game: Any) -> None:
    game["table"]["question"] = 0


def won_for_nothing(game: Any) -> None:
    game["table"]["ending"] = 1
    game["table"]["winner"] = 0
    game["table"]["asked"] = -1
    game["table"]["question"] = 0


def winner_while_playing(game: Any) -> None:
    game["table"]["winner"] = 1


def no_answer(game: Any) -> None:
    game["table"]["question"] = 6
    game["table"]["spaces"] = 0
    game["table"]["seats"] = 0
    game["table"]["optional"] = 0


def truth_excluded(game: Any) -> None:
    game["private"][2]["possible"][game["tile_at"][5] - 1] = 0


def known_wrong(game: Any) -> None:
    game["private"][3]["known"][5] = game["tile_at"][6]


def too_many_decisions(game: Any) -> None:
    game["table"]["decisions"] = 1001


IDENTITIES: list[Edit] = [
    wrong_range,
    wrong_seat,
    wrong_layout,
    wrong_flag,
    wrong_frames,
    tile_twice,
    tile_missing,
    face_up_tile_shown_wrong,
    face_up_tile_unshown,
    track_too_far,
    hand_too_big,
    card_exchanged,
    card_lost,
    card_used_twice,
    two_chiefs,
    role_shown_wrong,
    chief_hidden,
    meeple_lost,
    nobody_asked,
    nothing_asked,
    won_for_nothing,
    winner_while_playing,
    no_answer,
    truth_excluded,
    known_wrong,
    too_many_decisions,
]


def at_a_turn() -> TurnEnv:
    """A game at a plain turn: all meeples placed, no effect under way."""
    env = new_env()
    env.reset(seed=2)
    rng = np.random.default_rng(2)
    while True:
        play(env, rng, 1)
        table = record_of(env)["table"][0]
        if table["turn"] >= 4 and table["stage"] == 1 and table["depth"] == 0:
            return env


@pytest.mark.parametrize("edit", IDENTITIES, ids=lambda edit: edit.__name__)
def test_records_that_break_an_identity(edit: Edit) -> None:
    source, env = at_a_turn(), begun()
    before = observable(env)
    records: npt.NDArray[np.void] = record_of(source)
    env.set_state(forged(source.get_state(), body=records.tobytes()))  # as it is, it is sound
    env = begun()
    edit(records[0])
    with pytest.raises(StateError, match=r"isn't sound: .{10}"):
        env.set_state(forged(source.get_state(), body=records.tobytes()))
    assert_still_usable(env, before)
    batch = riverbed_env.make_batch("riverbed_hunt_v0", 1, seed=1)
    kept = batch.get_state().tobytes()
    with pytest.raises(StateError, match=r"isn't sound: .{10}"):
        batch.set_state(records)
    assert batch.get_state().tobytes() == kept


def test_every_reachable_state_is_sound() -> None:
    for count in (4, 5, 9):
        env = new_env(num_players=count, layout="random", auto_forced="none")
        other = new_env(num_players=count, layout="random", auto_forced="none")
        env.reset(seed=count)
        rng = np.random.default_rng(count)
        for _ in range(12):
            while not is_over(env):
                other.set_state(env.get_state())
                play(env, rng, 1)
            other.set_state(env.get_state())
            env.reset()


@pytest.mark.slow
def test_forged_records_are_refused_or_can_be_played() -> None:
    """In a process of its own and uncompiled: compiled, a bad index reads or writes beside the record."""
    done = subprocess.run(
        [sys.executable, str(Path(__file__).parent / "conformance_forgery.py")],
        env={**os.environ, "NUMBA_DISABLE_JIT": "1", "PYTHONPATH": str(Path(riverbed_env.__file__).parents[1])},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    found = done.stdout.splitlines()
    assert not found, "\n".join([f"{len(found)} in all:", *found])


# --- packs -----------------------------------------------------------------------------------------------

TEXT = PACK_FILE.read_text(encoding="utf-8")
Change = Callable[[str], str]


def replaced(*changes: tuple[str, str]) -> Change:
    """Each old text, which must occur once, by the new one."""

    def change(text: str) -> str:
        for old, new in changes:
            assert text.count(old) == 1, f"{old!r} occurs {text.count(old)} times"
            text = text.replace(old, new)
        return text

    return change


def entry(kind: str, mark: str, text: str = TEXT) -> str:
    """The block of one entry, found by a line of it."""
    blocks = [f"[[{kind}]]\n" + block.split("\n[[")[0] for block in text.split(f"[[{kind}]]\n")[1:]]
    found = [block for block in blocks if f"\n{mark}\n" in block]
    assert len(found) == 1, f"{len(found)} entries have {mark!r}"
    return found[0]


def in_entry(kind: str, mark: str, old: str, new: str) -> Change:
    """Old text by new in one entry only."""

    def change(text: str) -> str:
        block = entry(kind, mark, text)
        assert block.count(old) == 1, f"{old!r} occurs {block.count(old)} times in {mark!r}"
        return text.replace(block, block.replace(old, new))

    return change


def twice(kind: str, mark: str) -> Change:
    return lambda text: f"{text}\n{entry(kind, mark, text)}\n"


def without(kind: str, mark: str) -> Change:
    return lambda text: text.replace(entry(kind, mark, text), "")


def added(more: str) -> Change:
    return lambda text: f"{text}\n{more}\n"


def card(name: str = "New", active: str = '{ effect = "draw", amount = 1 }', **more: str) -> str:
    fields = {"copies": "1", "from": "9", "words": '"w"', "source": '"reconstructed"', "active": f"[{active}]", **more}
    return f'[[card]]\nname = "{name}"\n' + "".join(f"{key} = {value}\n" for key, value in fields.items())


def tile_text(name: str, effects: str) -> str:
    return f'[[text]]\nname = "{name}"\nwords = "w"\neffects = [{effects}]\nsource = "reconstructed"\n'


def layout(name: str, tiles: int, empty: str) -> str:
    return f'[[layout]]\nname = "{name}"\ntiles = {tiles}\nempty = [{empty}]\nsource = "reconstructed"\n'


def active(effects: str) -> Change:
    """What the card Silt does."""
    return in_entry("card", 'name = "Silt"', '[{ effect = "flip down", scope = "within reach" }]', f"[{effects}]")


def lighter(change: Change) -> Change:
    """With one copy of each card, so that there is room for more."""
    return lambda text: re.sub(r"copies = \d", "copies = 1", change(text))


def revealing_tiles(count: int, effects: str) -> Change:
    """So many tiles whose text reveals."""

    def change(text: str) -> str:
        for number in [number for number in range(1, 19) if number != 12][:count]:
            block = entry("tile", f"number = {number}", text)
            first, rest = block.split("layers = [", 1)
            text = text.replace(block, f'{first}layers = ["text R", {rest}')
        return text + tile_text("R", effects)

    return change


REFUSED_PACKS: dict[str, tuple[Change, str, str]] = {
    # what is changed: how, which entry the message names, what it says
    # the file
    "not TOML": (added("[[tile"), "TOML", "line"),
    "empty": (lambda text: "", "pack", "required"),
    "key twice": (replaced(('name = "default"', 'name = "default"\nname = "x"')), "TOML", "line 10"),
    # shapes
    "another game": (replaced(('game = "riverbed_hunt"', 'game = "chess"')), "pack game", "riverbed_hunt"),
    "unknown table": (added("[[boat]]\nname = 1"), "boat", "not permitted"),
    "unknown key": (in_entry("tile", "number = 1", "hunt =", "hunts ="), "tile", "hunt"),
    "no source": (
        in_entry("card", 'name = "Silt"', 'source = "reconstructed"\n', ""),
        "card 'Silt' source",
        "required",
    ),
    "unknown source": (
        in_entry("card", 'name = "Silt"', '"reconstructed"', '"guess"'),
        "card 'Silt' source",
        "rulebook",
    ),
    "a word for a number": (in_entry("tile", "number = 3", "number = 3", 'number = "3"'), "tile '3' number", "integer"),
    "a number for a flag": (in_entry("tile", "number = 3", "hunt = false", "hunt = 0"), "tile 3 hunt", "boolean"),
    "tile 19": (in_entry("tile", "number = 18", "number = 18", "number = 19"), "tile 19 number", "18"),
    "tile 0": (in_entry("tile", "number = 18", "number = 18", "number = 0"), "tile 0 number", "1"),
    "no layers": (in_entry("tile", "number = 1", '"1 kelp"', ""), "tile 1 layers", "at least 1"),
    "five layers": (
        in_entry("tile", "number = 1", '"1 kelp"', ", ".join(['"1 kelp"'] * 5)),
        "tile 1 layers",
        "at most 4",
    ),
    "no copies": (in_entry("card", 'name = "Silt"', "copies = 2", "copies = 0"), "card 'Silt' copies", "1"),
    "from 3 players": (in_entry("card", 'name = "Silt"', "from = 5", "from = 3"), "card 'Silt' from", "4"),
    "from 10 players": (in_entry("card", 'name = "Silt"', "from = 5", "from = 10"), "card 'Silt' from", "9"),
    "no effects": (active(""), "card 'Silt' active", "at least 1"),
    "seven effects": (active(", ".join(['{ effect = "refresh" }'] * 7)), "card 'Silt' active", "at most 6"),
    "unknown effect": (active('{ effect = "sink" }'), "card 'Silt' active", "flip down"),
    "unknown scope": (active('{ effect = "view", scope = "moon" }'), "card 'Silt' active", "within reach"),
    "unknown people": (active('{ effect = "move", scope = "step", who = "all" }'), "card 'Silt' active", "another"),
    "draws four": (active('{ effect = "draw", amount = 4 }'), "card 'Silt' active", "3"),
    "no cards": (
        lambda text: "\n[[".join(part for part in text.split("\n[[") if not part.startswith("card]]")),
        "card",
        "required",
    ),
    "29 kinds of cards": (added("\n".join(card(f"New {number}") for number in range(15))), "card", "at most 28"),
    "13 tiles": (added(layout("odd", 13, "1, 3, 9")), "layout 'odd' tiles", "12, 14 or 16"),
    "space 17": (added(layout("far", 14, "1, 17")), "layout 'far' empty", "16"),
    "endpoint 0": (replaced(("kelp = 7, log = 7", "kelp = 0, log = 7")), "players 7 endpoints kelp", "1"),
    "endpoint 61": (replaced(("kelp = 7, log = 7", "kelp = 61, log = 7")), "players 7 endpoints kelp", "60"),
    "no endpoint": (
        replaced(("kelp = 7, log = 7, coin = 5", "kelp = 7, log = 7")),
        "players 7 endpoints coin",
        "required",
    ),
    "unknown role": (
        in_entry("players", "count = 5", '"chief"', '"king"'),
        "players 5 roles",
        "chief",
    ),
    "one of three": (
        replaced(('one_of = ["profiteer", "separatist"]', 'one_of = ["profiteer", "separatist", "merchant"]')),
        "players 4 one_of",
        "at most 2",
    ),
    "3 players": (in_entry("players", "count = 4", "count = 4", "count = 3"), "players 3 count", "4"),
    # used once
    "tile twice": (twice("tile", "number = 5"), "tile 5", "twice"),
    "text twice": (twice("text", 'name = "S"'), "text 'S'", "twice"),
    "card twice": (twice("card", 'name = "Silt"'), "card 'Silt'", "twice"),
    "layout twice": (twice("layout", 'name = "full"'), "layout ('full', 16)", "twice"),
    "players twice": (twice("players", "count = 6"), "players 6", "twice"),
    # whole
    "tile missing": (without("tile", "number = 5"), "tile 5", "missing"),
    "players missing": (without("players", "count = 6"), "players 6", "missing"),
    "21 texts": (
        added("\n".join(tile_text(f"T{number}", '{ effect = "draw", amount = 1 }') for number in range(18))),
        "texts",
        "at most 20",
    ),
    # layers
    "unknown element": (in_entry("tile", "number = 1", "1 kelp", "1 gold"), "tile 1", "'1 gold'"),
    "no amount": (in_entry("tile", "number = 1", "1 kelp", "kelp"), "tile 1", "'kelp'"),
    "amount 0": (in_entry("tile", "number = 1", "1 kelp", "0 kelp"), "tile 1", "'0 kelp'"),
    "amount 10": (in_entry("tile", "number = 1", "1 kelp", "10 kelp"), "tile 1", "'10 kelp'"),
    "amount -1": (in_entry("tile", "number = 1", "1 kelp", "-1 kelp"), "tile 1", "'-1 kelp'"),
    "unknown text": (in_entry("tile", "number = 1", "1 kelp", "text Z"), "tile 1", "O, D, S"),
    "nameless text": (in_entry("tile", "number = 1", "1 kelp", "text"), "tile 1", "'text'"),
    "empty layer": (in_entry("tile", "number = 1", "1 kelp", ""), "tile 1", "''"),
    # tiles
    "tile listed twice": (
        in_entry("players", "count = 4", "10, 11, 12]", "10, 11, 11]"),
        "players 4",
        "a tile is listed twice",
    ),
    "a tile too few": (in_entry("players", "count = 4", "10, 11, 12]", "10, 11]"), "players 4", "RH-1.4 needs 12"),
    "a tile too many": (in_entry("players", "count = 4", "11, 12]", "11, 12, 13]"), "players 4", "RH-1.4 needs 12"),
    "tile 19 listed": (in_entry("players", "count = 4", "11, 12]", "11, 19]"), "players 4 tiles", "18"),
    # roles
    "a role too few": (in_entry("players", "count = 5", ', "profiteer"', ""), "players 5", "4 role cards"),
    "a role too many": (
        in_entry("players", "count = 5", '"profiteer"]', '"profiteer", "merchant"]'),
        "players 5",
        "6 role cards",
    ),
    "no chief": (in_entry("players", "count = 5", '"chief"', '"merchant"'), "players 5", "exactly one chief"),
    "two chiefs": (in_entry("players", "count = 5", '"merchant"', '"chief"'), "players 5", "exactly one chief"),
    "no leader": (in_entry("players", "count = 5", '"leader"', '"separatist"'), "players 5", "exactly one leader"),
    "two leaders": (in_entry("players", "count = 5", '"separatist"', '"leader"'), "players 5", "exactly one leader"),
    "two profiteers": (
        in_entry("players", "count = 5", '"separatist"', '"profiteer"'),
        "players 5",
        "at most one profiteer",
    ),
    "a leader by chance": (
        replaced(('one_of = ["profiteer", "separatist"]', 'one_of = ["profiteer", "leader"]')),
        "players 4",
        "exactly one leader",
    ),
    # endpoints
    "out of reach": (replaced(("kelp = 7, log = 7", "kelp = 60, log = 7")), "players 7", "kelp ends at 60"),
    "coins out of reach": (replaced(("log = 7, coin = 5", "log = 7, coin = 40")), "players 7", "coin ends at 40"),
    # layouts
    "too few empty": (added(layout("odd", 14, "1")), "layout 'odd' for 14 tiles", "2 different empty spaces"),
    "too many empty": (added(layout("odd", 16, "1")), "layout 'odd' for 16 tiles", "0 different empty spaces"),
    "empty twice": (added(layout("odd", 14, "3, 3")), "layout 'odd' for 14 tiles", "2 different empty spaces"),
    "empty neighbours": (added(layout("odd", 14, "2, 3")), "layout 'odd' for 14 tiles", "2 and 3"),
    "no layout": (without("layout", 'name = "full"'), "players 7", "0 layouts with 16 tiles"),
    "seven layouts": (
        added("\n".join(layout(f"l{number}", 14, f"{number}, 16") for number in range(1, 6))),
        "players 5",
        "layouts with 14 tiles",
    ),
    "a layout called random": (added(layout("random", 14, "3, 16")), "layout 'random'", "random"),
    # deck
    "a deck too small": (
        lambda text: (
            "\n[[".join(part for part in text.split("\n[[") if not part.startswith("card]]"))
            + card("Only", copies="3", **{"from": "4"})
        ),
        "players 4",
        "the deck has 3 cards",
    ),
    "a deck too big": (
        in_entry("card", 'name = "Silt"', "copies = 2", "copies = 28"),
        "players 5",
        "cards; 5 to 28 allowed",
    ),
    # words
    "an active redirect": (active('{ effect = "redirect" }'), "card 'Silt'", "non-active"),
    "a non-active draw": (
        in_entry("card", 'name = "Slip Away"', '[{ effect = "redirect" }]', '[{ effect = "draw", amount = 1 }]'),
        "card 'Slip Away'",
        "can only be a redirect",
    ),
    "two redirects": (lighter(added(card(non_active='[{ effect = "redirect" }]'))), "card 'New'", "'Slip Away'"),
    "a redirecting tile": (added(tile_text("R", '{ effect = "redirect" }')), "text 'R'", "can't redirect"),
    "a wrong scope": (active('{ effect = "view", scope = "swim" }'), "card 'Silt'", "view has scope 'swim'"),
    "no scope": (active('{ effect = "view" }'), "card 'Silt'", "view has scope None"),
    "a needless scope": (active('{ effect = "refresh", scope = "any" }'), "card 'Silt'", "takes no scope"),
    "wrong people": (
        active('{ effect = "swap", scope = "any", who = "another" }'),
        "card 'Silt'",
        "swap concerns 'another'",
    ),
    "a role of one's own": (active('{ effect = "look at role", scope = "any" }'), "card 'Silt'", "concerns 'self'"),
    "a wrong may": (active('{ effect = "swap", scope = "any", may = true }'), "card 'Silt'", "can't be optional"),
    "swapped without a swap": (active('{ effect = "view", scope = "swapped" }'), "card 'Silt'", "needs a swap"),
    "swapped before the swap": (
        active('{ effect = "view", scope = "swapped" }, { effect = "swap", scope = "any" }'),
        "card 'Silt'",
        "needs a swap",
    ),
    "a random discard of one's own": (active('{ effect = "discard", random = true }'), "card 'Silt'", "can be random"),
    "a random view": (active('{ effect = "view", scope = "any", random = true }'), "card 'Silt'", "can be random"),
    "a needless amount": (active('{ effect = "view", scope = "any", amount = 2 }'), "card 'Silt'", "takes no amount"),
    "a draw without amount": (active('{ effect = "draw" }'), "card 'Silt'", "amount of 1 to 3"),
    "a draw of none": (active('{ effect = "draw", amount = 0 }'), "card 'Silt'", "amount of 1 to 3"),
    "another than nothing": (
        active('{ effect = "view", scope = "any", another = true }'),
        "card 'Silt'",
        "has an effect before it",
    ),
    "another card": (
        active('{ effect = "view", scope = "any" }, { effect = "draw", amount = 1, another = true }'),
        "card 'Silt'",
        "for an effect on tiles",
    ),
    "another role": (
        active(
            '{ effect = "view", scope = "any" }, '
            '{ effect = "look at role", scope = "any", who = "another", another = true }'
        ),
        "card 'Silt'",
        "for an effect on tiles",
    ),
    "a swap with oneself": (active('{ effect = "swap", scope = "own space" }'), "card 'Silt'", "has scope 'own space'"),
    "a refresh of two": (active('{ effect = "refresh", amount = 2 }'), "card 'Silt'", "refresh takes no amount"),
    "a tile's text with a wrong scope": (
        added(tile_text("R", '{ effect = "view", scope = "land" }')),
        "text 'R'",
        "view has scope 'land'",
    ),
    # nesting
    "texts that nest too deep": (
        revealing_tiles(17, '{ effect = "reveal", scope = "any" }'),
        "texts",
        "at most 12",
    ),
    "texts that nest without end": (
        revealing_tiles(2, '{ effect = "flip down", scope = "any" }, { effect = "reveal", scope = "any" }'),
        "tile 1",
        "without end",
    ),
}


@pytest.mark.parametrize("what", REFUSED_PACKS)
def test_packs_that_break_a_rule(what: str, tmp_path: Path) -> None:
    change, named, reason = REFUSED_PACKS[what]
    path = tmp_path / "broken.toml"
    path.write_text(change(TEXT), encoding="utf-8")
    with pytest.raises(PackError) as caught:
        new_env(num_players=4, pack=path)
    message = str(caught.value)
    assert message.startswith(f"{path}: ")
    assert named in message
    assert reason in message.removeprefix(str(path))
    with pytest.raises(PackError):
        riverbed_env.make_batch("riverbed_hunt_v0", 2, pack=path)


ACCEPTED_PACKS: dict[str, Change] = {
    "the default": lambda text: text,
    "another card": lighter(added(card())),
    "28 kinds of cards": lighter(added("\n".join(card(f"New {number}") for number in range(14)))),
    "six layouts": added("\n".join(layout(f"l{number}", 14, f"{number}, 16") for number in (1, 3, 5))),
    "no texts that nest": revealing_tiles(3, '{ effect = "draw", amount = 1 }'),
    "texts that nest": revealing_tiles(6, '{ effect = "reveal", scope = "any", may = true }'),
    "texts that turn tiles down": revealing_tiles(4, '{ effect = "flip down", scope = "within reach", may = true }'),
    "every effect": active(
        '{ effect = "swap", scope = "any" }, { effect = "reveal", scope = "swapped" }, '
        '{ effect = "draw", amount = 3 }, { effect = "discard", who = "another", random = true }, '
        '{ effect = "refresh", amount = 1 }, '
        '{ effect = "look at role", scope = "any", who = "another", may = true }'
    ),
    "no note": in_entry("tile", "number = 7", "note = ", "#"),
}


@pytest.mark.parametrize("what", ACCEPTED_PACKS)
def test_packs_that_break_none_can_be_played(what: str, tmp_path: Path) -> None:
    path = tmp_path / "good.toml"
    path.write_text(ACCEPTED_PACKS[what](TEXT), encoding="utf-8")
    for count in (4, 5, 9):
        env = new_env(num_players=count, pack=path, layout="random")
        env.reset(seed=1)
        rng = np.random.default_rng(count)
        for _ in range(15):
            play(env, rng)
            env.reset()


def test_files_that_are_not_text(tmp_path: Path) -> None:
    path = tmp_path / "bytes.toml"
    path.write_bytes(b"\xff\xfe\x00\x01")
    with pytest.raises(PackError, match=f"{path}.*TOML"):
        new_env(pack=path)


def test_a_pack_is_read_again_when_its_file_changes(tmp_path: Path) -> None:
    path = tmp_path / "pack.toml"
    path.write_text(TEXT, encoding="utf-8")
    first = new_env(pack=path).pack.hash
    path.write_text(TEXT.replace("kelp = 7, log = 7, coin = 5", "kelp = 7, log = 7, coin = 6"), encoding="utf-8")
    os.utime(path, ns=(1, 10**18))
    assert new_env(pack=path).pack.hash != first
