"""PettingZoo's own tests and ours, for every game and every value of every option; the registry and the names."""

from __future__ import annotations

import functools
import zlib
from collections.abc import Iterator
from itertools import pairwise
from typing import Any

import gymnasium.spaces
import numpy as np
import pettingzoo
import pytest
from conformance.conformance_kit import (
    api_test,
    assert_same,
    illegal_action,
    is_over,
    new_env,
    observable,
    play,
    random_action,
    render_test,
    seed_test,
)
from conformance.options import (
    CASES,
    FORCED,
    GAMES,
    Options,
    cap_of,
    every_case,
    every_game,
    every_table,
    game_name,
    player_counts,
)
from pettingzoo.utils import wrappers

import riverbed_env
from riverbed_env.entries import ENTRIES
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.bombardment import bombardment_test, state_test

# render_test sets the mode itself.
every_drawn_case = pytest.mark.parametrize(
    ("game_id", "options"), [case for case in CASES if "render_mode" not in str(case.id)]
)

# api_test resets with an option that no environment knows, to see that it is taken.
ignore_unknown_option = pytest.mark.filterwarnings("ignore:reset option 'options' is unknown:UserWarning")

# It also advises against observations that aren't arrays; ours are masked dictionaries by design.
pytestmark = pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")


@ignore_unknown_option
@every_case
def test_api(game_id: str, options: Options) -> None:
    api_test(new_env(game_id, **options), num_cycles=300)


@every_case
def test_seed(game_id: str, options: Options) -> None:
    seed_test(functools.partial(new_env, game_id, **options), num_cycles=200)


@every_drawn_case
def test_render(game_id: str, options: Options, capsys: pytest.CaptureFixture[str]) -> None:
    render_test(functools.partial(new_env, game_id, **options))
    assert find_game(game_id).title in capsys.readouterr().out


@every_case
def test_bombardment(game_id: str, options: Options) -> None:
    bombardment_test(new_env(game_id, **options), 100)


@pytest.mark.slow
@every_table
def test_long_bombardment(game_id: str, count: int) -> None:
    variant = dict(find_game(game_id).variants[-1])
    bombardment_test(new_env(game_id, num_players=count, **variant), 800, seed=count)


@every_case
def test_state(game_id: str, options: Options) -> None:
    state_test(new_env(game_id, **options), 200)


# --- the registry and the names --------------------------------------------------------------------------


@every_game
def test_the_registry_makes_the_environment(game_id: str) -> None:
    game = find_game(game_id)
    env = pettingzoo.make("aec", game.registry_id)
    assert isinstance(env, entry_points(game).raw_env)
    assert env.num_players == game.default_players
    assert ENTRIES[game_id].registry_id == game.registry_id
    assert ENTRIES[game_id].simultaneous == game.simultaneous == hasattr(entry_points(game), "parallel_env")


@every_game
def test_the_registry_takes_max_cycles_and_options(game_id: str) -> None:
    game = find_game(game_id)
    env = pettingzoo.make(
        "aec", game.registry_id, max_cycles=2, num_players=game.min_players, auto_forced="none", view="now"
    )
    env.reset(seed=0)
    assert env.num_players == game.min_players
    play(env, np.random.default_rng(0))
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@ignore_unknown_option
@every_game
def test_what_the_registry_makes_passes_the_tests(game_id: str) -> None:
    make = functools.partial(pettingzoo.make, "aec", find_game(game_id).registry_id, max_cycles=100)
    api_test(make(), num_cycles=200)
    seed_test(make, num_cycles=200)
    bombardment_test(make(), 200)
    state_test(make(), 200)


def test_the_package_says_what_it_has() -> None:
    ours = {game_id for game_id in GAMES if ENTRIES[game_id].env.startswith("riverbed_env.")}
    assert len(ours) == 4
    assert {*ours, "make_batch", "register_game", "Batch"} <= set(dir(riverbed_env))
    for game_id in ours:
        assert getattr(riverbed_env, game_id) is entry_points(find_game(game_id))
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = riverbed_env.no_such_thing


@every_table
def test_agents_are_named_by_seat(game_id: str, count: int) -> None:
    env = new_env(game_id, num_players=count)
    assert env.possible_agents == [f"player_{seat}" for seat in range(count)]
    assert env.metadata["name"] == game_id
    assert env.metadata["is_parallelizable"] is False
    assert str(env) == game_id


@every_game
def test_spaces_are_the_same_for_every_seat_and_player_count(game_id: str) -> None:
    envs = [new_env(game_id, num_players=count) for count in player_counts(game_id)]
    spaces = [(env.observation_space(agent), env.action_space(agent)) for env in envs for agent in env.possible_agents]
    assert all(one == other for one, other in pairwise(spaces))
    observation, action = spaces[0]
    assert isinstance(action, gymnasium.spaces.Discrete)
    assert action.n == find_game(game_id).actions.size < 120
    assert isinstance(observation, gymnasium.spaces.Dict)
    assert {space.dtype for space in observation.values()} == {np.dtype(np.int8)}
    assert len({env.state_space.shape for env in envs}) == 1


@ignore_unknown_option
@every_game
def test_pettingzoo_wrappers_may_still_be_put_round_it(game_id: str) -> None:
    def wrapped() -> Any:
        env = wrappers.TerminateIllegalWrapper(new_env(game_id), illegal_reward=-1)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))

    api_test(wrapped(), num_cycles=200)
    seed_test(wrapped, num_cycles=200)
    bombardment_test(wrapped(), 200)
    state_test(wrapped(), 200)


# --- what the options do ---------------------------------------------------------------------------------


@every_table
def test_view_now_is_the_beginning_of_view_history(game_id: str, count: int) -> None:
    now, history = (new_env(game_id, num_players=count, view=view) for view in ("now", "history"))
    for env in (now, history):
        env.reset(seed=count)
    rng = np.random.default_rng(count)
    while not is_over(now):
        for agent in now.agents:
            short, long = now.observe(agent), history.observe(agent)
            np.testing.assert_array_equal(short["observation"], long["observation"][: len(short["observation"])])
            np.testing.assert_array_equal(short["action_mask"], long["action_mask"])
        action = random_action(now, rng)
        now.step(action)
        history.step(action)
    assert is_over(history)
    assert len(short["observation"]) == now.game.views["now"] < now.game.views["history"] == len(long["observation"])


@pytest.mark.parametrize("cap", [1, 2, 7])
@every_table
def test_the_cap_truncates_and_pays_nobody(game_id: str, count: int, cap: int) -> None:
    env = new_env(game_id, num_players=count, auto_forced="none", **{cap_of(game_id): cap})
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert set(env.rewards.values()) == {0.0}


def answer(env: Any) -> int:
    """What the selected agent answers to what it sees: always the same to the same."""
    seen = env.observe(env.agent_selection)
    legal = np.flatnonzero(seen["action_mask"])
    key = zlib.crc32(seen["observation"].tobytes(), env.possible_agents.index(env.agent_selection))
    return int(legal[key % len(legal)])


def answered(env: Any) -> int:
    """Play a game with these answers; how many were asked."""
    asked = 0
    while not is_over(env):
        env.step(answer(env))
        asked += 1
    return asked


@pytest.mark.parametrize("cap", [7, 31, None])
@every_table
def test_every_auto_forced_plays_the_same_game(game_id: str, count: int, cap: int | None) -> None:
    capped = {} if cap is None else {cap_of(game_id): cap}
    for seed in range(3):
        envs = {forced: new_env(game_id, num_players=count, auto_forced=forced, **capped) for forced in FORCED}
        asked = {}
        for forced, env in envs.items():
            env.reset(seed=seed)
            asked[forced] = answered(env)
        assert asked["none"] >= asked["public"] >= asked["all"] >= 0
        for forced in ("public", "all"):
            np.testing.assert_array_equal(envs[forced].state(), envs["none"].state())
            assert envs[forced].rewards == envs["none"].rewards
            assert envs[forced].truncations == envs["none"].truncations


REWARDS = [
    pytest.param(game_id, rewards, id=f"{game_name(game_id)}-{rewards}")
    for game_id in GAMES
    for rewards in find_game(game_id).rewards
]


@pytest.mark.parametrize(("game_id", "rewards"), REWARDS)
def test_rewards_come_at_the_end_only_and_are_those_of_the_kind(game_id: str, rewards: str) -> None:
    for count in player_counts(game_id):
        env = new_env(game_id, num_players=count, rewards=rewards)
        env.reset(seed=count)
        rng = np.random.default_rng(count)
        for _ in range(4):
            while not is_over(env):
                assert set(env.rewards.values()) == {0.0}
                env.step(random_action(env, rng))
            paid = list(env.rewards.values())
            if not any(env.truncations.values()):
                assert all(env.terminations.values())
                if rewards == "win":
                    assert set(paid) <= {1.0, 0.0, -1.0}
                else:
                    assert sum(paid) == pytest.approx(0, abs=1e-6)
                    assert max(map(abs, paid)) <= 1
            env.reset()


def offended_moments(game_id: str, count: int) -> Iterator[tuple[Any, Any]]:
    """The environment and PettingZoo's wrapper round another, at the same moments of the same game."""
    for part in (0, 1, 9, 20):
        ours = new_env(game_id, num_players=count, on_illegal="terminate")
        theirs = wrappers.TerminateIllegalWrapper(new_env(game_id, num_players=count), illegal_reward=-1)
        for env in (ours, theirs):
            env.reset(seed=7)
        rng = np.random.default_rng(part)
        for _ in range(part):
            action = random_action(ours, rng)
            ours.step(action)
            theirs.step(action)
            if is_over(ours):
                return
        yield ours, theirs


@pytest.mark.parametrize("offence", ["not legal", "out of range"])
@every_table
def test_terminate_says_what_pettingzoos_wrapper_says(game_id: str, count: int, offence: str) -> None:
    for ours, theirs in offended_moments(game_id, count):
        offender = ours.agent_selection
        wrong = illegal_action(ours)
        ours.step(wrong if offence == "not legal" else 10_000)
        theirs.step(wrong)
        assert ours.rewards == {agent: -1.0 if agent == offender else 0.0 for agent in ours.possible_agents}
        while theirs.agents:
            assert ours.agents == theirs.agents
            assert ours.agent_selection == theirs.agent_selection
            assert ours.rewards == theirs.rewards
            assert ours.terminations == theirs.terminations
            assert ours.truncations == theirs.truncations
            assert ours.last()[1:4] == theirs.last()[1:4]
            ours.step(None)
            theirs.step(None)
        assert not ours.agents
        ours.reset(seed=8)
        theirs.reset(seed=8)
        assert ours.agents == theirs.agents
        assert not any(ours.terminations.values())


# --- games and looks -------------------------------------------------------------------------------------


@every_game
def test_reset_goes_on_to_the_next_game_of_the_seed(game_id: str) -> None:
    env, other = new_env(game_id), new_env(game_id)
    env.reset(seed=11)
    states = [env.get_state()]
    for _ in range(4):
        play(env, np.random.default_rng(len(states)), 20)
        env.reset()
        states.append(env.get_state())
    for number, state in enumerate(states):
        other.reset(seed=11, options={"game_number": number})
        assert other.get_state() == state
    assert len(set(states)) == 5


@every_game
def test_without_a_seed_games_differ(game_id: str) -> None:
    found = set()
    for _ in range(8):
        env = new_env(game_id)
        env.reset()
        found.add(env.get_state())
    assert len(found) == 8


@every_game
def test_seeds_deal_differently(game_id: str) -> None:
    env = new_env(game_id)
    found = set()
    for seed in range(30):
        env.reset(seed=seed)
        found.add(env.state().tobytes())
    assert len(found) > 5


@every_game
def test_observations_handed_out_do_not_change_later(game_id: str) -> None:
    env = new_env(game_id)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    kept, copies = [], []
    while env.agents and len(kept) < 500:
        for agent in env.agents:
            seen = env.observe(agent)
            kept.append(seen)
            copies.append({name: part.copy() for name, part in seen.items()})
        env.step(random_action(env, rng))
    assert_same(kept, copies)


@every_game
def test_observing_leaves_the_saved_state_alone(game_id: str) -> None:
    env = new_env(game_id, render_mode="ansi")
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    for _ in range(60):
        before = env.get_state()
        observable(env, words=True)
        assert env.get_state() == before
        if not env.agents:
            break
        env.step(random_action(env, rng))


@every_game
def test_any_agent_can_be_observed_after_the_end(game_id: str) -> None:
    env = new_env(game_id)
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    at_the_end = {agent: env.observe(agent) for agent in env.possible_agents}
    while env.agents:
        env.step(None)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert_same(seen, at_the_end[agent])
