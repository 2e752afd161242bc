"""Wrong options, seeds, actions and agents, of every game: each is refused by name, and nothing changes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conformance.options import one_of_each_kind

import riverbed_env
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, RiverbedError
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import (
    assert_same,
    assert_still_usable,
    begun,
    is_over,
    new_env,
    observable,
    play,
)
from riverbed_env.testing.conformance.options import cap_of

# --- options ---------------------------------------------------------------------------------------------

Wrong = list[tuple[dict[str, Any], list[str]]]  # what is given, what the message must say


def wrong_player_counts(game_id: str) -> Wrong:
    game = find_game(game_id)
    allowed = ["num_players", str(game.min_players), str(game.max_players)]
    given: list[Any] = [
        *(game.min_players - 1, game.max_players + 1, -5, 10**30, str(game.default_players)),
        *(float(game.default_players), True, None, [game.default_players]),
    ]
    arrays = np.array([game.min_players, game.max_players])
    return [
        *(({"num_players": count}, [*allowed, f"not {count!r}"]) for count in given),
        ({"num_players": arrays}, allowed),
    ]


def wrong_choices(game_id: str) -> Wrong:
    """Options that take one of a few words."""
    allowed: dict[str, list[str]] = {
        "view": list(find_game(game_id).views),
        "rewards": list(find_game(game_id).rewards),
        "on_illegal": ["raise", "terminate"],
        "auto_forced": ["public", "all", "none"],
        "render_mode": ["ansi", "human"],
    }
    given: list[Any] = ["other", "", 1, 1.0, True, None, ["now"], b"win", np.array(["win", "now"])]
    return [
        ({name: value}, [name, *map(repr, words), "not "])
        for name, words in allowed.items()
        for value in given
        if (name, value is None) != ("render_mode", True)
    ]


def wrong_caps(game_id: str) -> Wrong:
    cap = cap_of(game_id)
    given: list[Any] = [0, -1, 1.5, "9", True, 2**31, [5]]
    return [
        *(({cap: value}, [cap, "1 to", f"not {value!r}"]) for value in given),
        *(({"max_cycles": value}, ["max_", f"not {value!r}"]) for value in given),
        ({cap: 5, "max_cycles": 6}, [f"{cap} 5", "max_cycles 6"]),
        ({cap: 0, "max_cycles": 6}, [cap]),
    ]


@pytest.mark.parametrize("wrong", [wrong_player_counts, wrong_choices, wrong_caps])
@one_of_each_kind
def test_wrong_options_are_refused_by_name(game_id: str, wrong: Callable[[str], Wrong]) -> None:
    for options, words in wrong(game_id):
        with pytest.raises(OptionError) as caught:
            new_env(game_id, **options)
        assert isinstance(caught.value, RiverbedError)
        assert isinstance(caught.value, ValueError)
        for word in words:
            assert word in str(caught.value), f"{options}: {caught.value}"


@one_of_each_kind
def test_a_near_miss_is_pointed_at(game_id: str) -> None:
    with pytest.raises(OptionError, match="did you mean 'win'"):
        new_env(game_id, rewards="wins")
    with pytest.raises(OptionError, match="did you mean 'history'"):
        new_env(game_id, view="histroy")


@one_of_each_kind
def test_unknown_options_are_refused(game_id: str) -> None:
    message = "has no option 'num_player' .did you mean 'num_players'"
    with pytest.raises(OptionError, match=message):
        new_env(game_id, num_player=7)
    with pytest.raises(OptionError, match=message):
        riverbed_env.make_batch(game_id, 2, num_player=7)


@one_of_each_kind
def test_numbers_of_numpy_are_taken(game_id: str) -> None:
    game, cap = find_game(game_id), cap_of(game_id)
    for options in ({"num_players": np.int64(game.max_players)}, {cap: np.int32(50)}, {cap: 50, "max_cycles": 50}):
        env = new_env(game_id, **options)
        env.reset(seed=1)
        play(env, np.random.default_rng(1))


# --- seeds and reset -------------------------------------------------------------------------------------

WRONG_SEEDS: list[tuple[Any, type[Exception]]] = [
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
]


@one_of_each_kind
def test_wrong_seeds(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    for seed, error in WRONG_SEEDS:
        with pytest.raises(error, match=f"seed must be .*{2**63 - 1}"):
            env.reset(seed=seed)
        assert_same(observable(env), before)
    assert_still_usable(env, before)


@one_of_each_kind
def test_right_seeds(game_id: str) -> None:
    env, other = new_env(game_id), new_env(game_id)
    for seed in (0, 1, 2**32, 2**63 - 1, np.int32(4), np.uint64(7)):
        env.reset(seed=seed)
        other.reset(seed=int(seed))
        assert_same(observable(env), observable(other))


@one_of_each_kind
def test_wrong_game_numbers(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    numbers: list[Any] = [-1, -7, 2**63, 2**70, 1.5, "x", None, [1], True]
    for number in numbers:
        with pytest.raises((OptionError, TypeError, ValueError)):
            env.reset(seed=99, options={"game_number": number})
        assert_same(observable(env), before)
    env.reset()
    other = new_env(game_id)
    other.reset(seed=1, options={"game_number": 1})
    assert_same(observable(env), observable(other))


@one_of_each_kind
def test_unknown_reset_options_are_warned_of(game_id: str) -> None:
    env = begun(game_id)
    with pytest.warns(UserWarning, match="'colour' is unknown.*'game_number'"):
        env.reset(seed=1, options={"colour": "red"})


@one_of_each_kind
def test_reset_options_that_are_none_are_refused(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    wrong: list[Any] = ["game_number", 5, [("game_number", 1)]]
    for options in wrong:
        with pytest.raises(OptionError, match="options of reset"):
            env.reset(seed=2, options=options)
    assert_same(observable(env), before)


# --- actions ---------------------------------------------------------------------------------------------


def no_actions(size: int) -> list[Any]:
    """Values that are no action of a game with `size` actions."""
    return [
        *(-1, size, 10_000, 2**31, 2**62, 2**63 - 1, 2**63, 2**70, -(2**63), -(2**70)),
        -1 << 40,  # what means a deal inside
        *(3.0, 1.0, float("nan"), float("inf"), None, "x", "1", b"1", [1], (1,), {}),
        *(np.float32(1), np.array([1]), np.array([1, 2]), np.bool_(True), 1 + 0j, print),
    ]


@one_of_each_kind
def test_what_is_no_action_raises_and_changes_nothing(game_id: str) -> None:
    env = begun(game_id)
    before = observable(env)
    for action in [0, *no_actions(env.game.actions.size)]:  # WAIT is all that others can do
        with pytest.raises(IllegalActionError) as caught:
            env.step(action)
        assert env.agent_selection in str(caught.value), f"{action!r}"
        assert "legal: " in str(caught.value)
        assert_same(observable(env), before)
    assert_still_usable(env, before)


@one_of_each_kind
def test_what_is_no_action_terminates(game_id: str) -> None:
    start = begun(game_id, on_illegal="terminate")
    offender = start.agent_selection
    for action in [0, *no_actions(start.game.actions.size)]:
        env = start.clone()
        env.step(action)
        assert_ended_by(env, offender)


@one_of_each_kind
def test_a_flag_is_no_action(game_id: str) -> None:
    """As it is no seed, number of players or agent: True isn't taken for action 1, where that is legal."""
    env = new_env(game_id)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    while is_over(env) or not env.observe(env.agent_selection)["action_mask"][1]:
        if is_over(env):
            env.reset()
        play(env, rng, 1)
    before = observable(env)
    for flag in (True, False):
        with pytest.raises(IllegalActionError, match="legal: "):
            env.step(flag)
        assert_same(observable(env), before)


@one_of_each_kind
def test_every_illegal_action_raises_with_the_reason_and_what_is_legal(game_id: str) -> None:
    env = new_env(game_id)
    env.reset(seed=1)
    rng = np.random.default_rng(5)
    for _ in range(40):
        if is_over(env):
            break
        agent = env.agent_selection
        mask = env.observe(agent)["action_mask"]
        state = env.get_state()
        legal = [f"{action} ({env.describe_action(int(action))})" for action in np.flatnonzero(mask)]
        for action in np.flatnonzero(mask == 0):
            with pytest.raises(IllegalActionError) as caught:
                env.step(int(action))
            message = str(caught.value)
            assert message.startswith(f"{agent} can't take action {action} ({env.describe_action(int(action))}): ")
            assert message.endswith(f"; legal: {', '.join(legal)}")
        assert env.get_state() == state
        env.step(int(rng.choice(np.flatnonzero(mask))))


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
    play(env, np.random.default_rng(1), 5)


@pytest.mark.parametrize("action", [1, None, "x"])
@one_of_each_kind
def test_steps_before_reset(game_id: str, action: Any) -> None:
    env = new_env(game_id)
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
        lambda env: env.describe_action(1),
    ],
    ids=[
        "observe",
        "state",
        "get_state",
        "render",
        "last",
        "last unseen",
        "describe_state",
        "events",
        "describe_action",
    ],
)
@one_of_each_kind
def test_questions_before_reset(game_id: str, call: Callable[[TurnEnv], Any]) -> None:
    with pytest.raises(EpisodeOverError, match="reset"):
        call(new_env(game_id, render_mode="ansi"))


@pytest.mark.parametrize("on_illegal", ["raise", "terminate"])
@one_of_each_kind
def test_steps_after_the_end(game_id: str, on_illegal: str) -> None:
    env = new_env(game_id, on_illegal=on_illegal)
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    for left in range(env.num_players, 0, -1):
        before = observable(env)
        not_none: list[Any] = [0, 1, 2, "x", 2.0]
        for wrong in not_none:
            with pytest.raises(EpisodeOverError, match="over"):
                env.step(wrong)
        assert_same(observable(env), before)
        assert len(env.agents) == left
        env.step(None)
    before = observable(env)
    for action in (None, 0, 2):
        with pytest.raises(EpisodeOverError, match="reset"):
            env.step(action)
    for observe in (True, False):
        with pytest.raises(EpisodeOverError, match="all agents are gone"):
            env.last(observe)
    assert_same(observable(env), before)
    env.reset()
    play(env, np.random.default_rng(1))


@one_of_each_kind
def test_unknown_agents(game_id: str) -> None:
    env = begun(game_id, render_mode="ansi")
    before = observable(env)
    count = env.num_players
    agents: list[Any] = [f"player_{count}", "player_-1", "player_00", "nobody", "", count, -1, 1.5, True, ("player_0",)]
    for agent in [*agents, None, []]:
        for space in (env.action_space, env.observation_space):
            with pytest.raises(OptionError, match="agents are"):
                space(agent)
    for agent in agents:
        for call in (env.observe, lambda name: env.describe_action(1, name), env.render, env.describe_state):
            with pytest.raises(OptionError, match=r"agent|seat"):
                call(agent)
    with pytest.raises(OptionError, match=r"agent|seat"):
        env.observe(None)  # type: ignore[arg-type]  # what describe_state takes for everybody
    assert_still_usable(env, before)


@one_of_each_kind
def test_there_are_no_words_for_what_there_isnt(game_id: str) -> None:
    env = begun(game_id)
    size = env.game.actions.size
    for action in (-1, size, 1.0, "x", None, True):
        with pytest.raises(OptionError, match=f"action must be an integer from 0 to {size - 1}"):
            env.describe_action(action)  # type: ignore[arg-type]  # wrong on purpose
    for since in (-1, 1.5, "x", None):
        with pytest.raises(OptionError, match="since must be"):
            env.describe_events(since)  # type: ignore[arg-type]  # wrong on purpose
    row = env.observe(env.agent_selection)["observation"]
    wrong: list[Any] = [row[:-1], row[None], row.astype(float), row.tolist(), None, {}, {"observation": "x"}]
    for observation in wrong:
        with pytest.raises(OptionError, match="observation must be a vector"):
            env.describe_observation(observation)


@one_of_each_kind
def test_a_seat_number_means_the_agent_of_that_seat(game_id: str) -> None:
    env = begun(game_id)
    for seat, agent in enumerate(env.possible_agents):
        assert_same(env.observe(seat), env.observe(agent))  # type: ignore[arg-type]  # a likely mistake
