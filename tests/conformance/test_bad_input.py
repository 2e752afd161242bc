"""Wrong options, seeds, actions and agents, of every game: each is refused by name, and nothing changes."""

from collections.abc import Callable
from operator import methodcaller
from typing import Any

import numpy as np
import pytest
from conformance.options import one_of_each_kind

import riverbed_env
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError, RiverbedError, SeedError
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
        "mask_in": ["info", "observation"],
        "dtype": ["int8", "float32"],
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
    for options in ({"num_players": np.int64(game.max_players)}, {cap: np.int32(50)}):
        env = new_env(game_id, **options)
        env.reset(seed=1)
        play(env, np.random.default_rng(1))


# --- seeds and reset -------------------------------------------------------------------------------------


@one_of_each_kind
def test_right_seeds(game_id: str) -> None:
    env, other = new_env(game_id), new_env(game_id)
    for seed in (0, 1, 2**32, 2**63 - 1, np.int32(4), np.uint64(7)):
        env.reset(seed=seed)
        other.reset(seed=int(seed))
        assert_same(observable(env), observable(other))


@one_of_each_kind
def test_unknown_reset_options_are_warned_of(game_id: str) -> None:
    env = begun(game_id)
    with pytest.warns(UserWarning, match="'colour' is unknown.*'game_number'"):
        env.reset(seed=1, options={"colour": "red"})


# --- actions ---------------------------------------------------------------------------------------------


def no_actions(env: TurnEnv) -> list[Any]:
    """WAIT, which is all that others can do, and values that are no action of the game."""
    return [
        *(0, -1, env.game.actions.size, 10_000, 2**31, 2**62, 2**63 - 1, 2**63, 2**70, -(2**63), -(2**70)),
        -1 << 40,  # what means a deal inside
        *(3.0, 1.0, True, float("nan"), float("inf"), None, "x", "1", b"1", [1], (1,), {}),
        *(np.float32(1), np.array([1]), np.array([1, 2]), np.bool_(True), 1 + 0j, print),
    ]


@one_of_each_kind
def test_invalid_actions_terminate(game_id: str) -> None:
    start = begun(game_id, on_illegal="terminate")
    offender = start.agent_selection
    for action in no_actions(start):
        env = start.clone()
        env.step(action)
        assert_ended_by(env, offender)


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


BEFORE_RESET: dict[str, Callable[[TurnEnv], Any]] = {
    "observe": lambda env: env.observe("player_0"),
    "last": lambda env: env.last(),
    "last unseen": lambda env: env.last(observe=False),
    "describe_action": lambda env: env.describe_action(1),
    **{name: methodcaller(name) for name in ("state", "get_state", "render", "describe_state", "describe_events")},
}


@pytest.mark.parametrize("call", BEFORE_RESET)
@one_of_each_kind
def test_questions_before_reset(game_id: str, call: str) -> None:
    with pytest.raises(EpisodeOverError, match="reset"):
        BEFORE_RESET[call](new_env(game_id, render_mode="ansi"))


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


# --- what is wrong at any time ---------------------------------------------------------------------------


def no_agents(env: TurnEnv) -> list[Any]:
    count = env.num_players
    return [f"player_{count}", "player_-1", "player_00", "nobody", "", count, -1, 1.5, True, ("player_0",), []]


def values(*given: Any) -> Callable[[TurnEnv], list[Any]]:
    return lambda env: list(given)


SEEDS = values(-1, 2**63, 10**40, np.uint64(2**63), 1.5, 1.0, "x", "1", True, [1], float("nan"), np.array([1, 2]))
NUMBERS = values(-1, -7, 2**63, 2**70, 1.5, "x", None, [1], True)
REFUSED: dict[str, tuple[Callable[[TurnEnv, Any], Any], Callable[[TurnEnv], list[Any]], type[Exception], str]] = {
    # how it is given, what is wrong, the error and its words
    "seed": (lambda env, given: env.reset(seed=given), SEEDS, SeedError, f"seed must be .*{2**63 - 1}"),
    "game number": (
        *(lambda env, given: env.reset(seed=99, options={"game_number": given}), NUMBERS),
        *(OptionError, "game_number must be"),
    ),
    "reset options": (
        *(lambda env, given: env.reset(seed=2, options=given), values("game_number", 5, [("game_number", 1)])),
        *(OptionError, "options of reset"),
    ),
    "action": (TurnEnv.step, no_actions, IllegalActionError, "^player_[0-9]+ can't take action .*; legal: "),
    "agent of a space": (TurnEnv.action_space, lambda env: [*no_agents(env), None], OptionError, "agents are"),
    "agent of observations": (TurnEnv.observation_space, no_agents, OptionError, "agents are"),
    "agent": (TurnEnv.observe, lambda env: [*no_agents(env), None], OptionError, "agents are"),
    "agent of an action": (lambda env, given: env.describe_action(1, given), no_agents, OptionError, "agents are"),
    "viewer of a picture": (TurnEnv.render, no_agents, OptionError, "agents are"),
    "viewer": (TurnEnv.describe_state, no_agents, OptionError, "agents are"),
    "described action": (
        *(TurnEnv.describe_action, lambda env: [-1, env.game.actions.size, 1.0, "x", None, True]),
        *(OptionError, "action must be an integer from 0 to [0-9]+, not"),
    ),
    "since": (TurnEnv.describe_events, values(-1, 1.5, "x", None), OptionError, "since must be"),
}


@pytest.mark.parametrize("what", REFUSED)
@one_of_each_kind
def test_what_is_wrong_is_refused_by_name_and_changes_nothing(game_id: str, what: str) -> None:
    give, wrong, error, words = REFUSED[what]
    env = begun(game_id, render_mode="ansi")
    before = observable(env)
    for given in wrong(env):
        with pytest.raises(error, match=words):
            give(env, given)
        assert_same(observable(env), before)
    assert_still_usable(env, before)


@one_of_each_kind
def test_a_seat_number_means_the_agent_of_that_seat(game_id: str) -> None:
    env = begun(game_id)
    for seat, agent in enumerate(env.possible_agents):
        assert_same(env.observe(seat), env.observe(agent))  # type: ignore[arg-type]  # a likely mistake
