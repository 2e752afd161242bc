"""Games with simultaneous choices: nobody sees what others choose in a step, and both environments play one game."""

import copy
from typing import Any

import numpy as np
import pettingzoo
import pytest
from conformance.options import GAMES, SIMULTANEOUS, every_simultaneous_game, game_name, rich_tables, tables

from riverbed_env.envs.parallel import SimultaneousEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError
from riverbed_env.registry import entry_points, find_game
from riverbed_env.testing.conformance.kit import (
    assert_same,
    is_over,
    new_env,
    parallel_api_test,
    parallel_seed_test,
    play,
    split_state,
    waiting_mask,
    with_registry,
)
from riverbed_env.testing.conformance.options import Options, cap_of, cases, player_counts

every_case = pytest.mark.parametrize(("game_id", "options"), tables(SIMULTANEOUS, lambda game_id: cases(game_id, {})))
every_table = pytest.mark.parametrize(("game_id", "count"), tables(SIMULTANEOUS, player_counts))
every_rich_table = pytest.mark.parametrize(("game_id", "options"), tables(SIMULTANEOUS, rich_tables))
ignore_unknown_option = pytest.mark.filterwarnings("ignore:reset option 'options' is unknown:UserWarning")


def parallel(game_id: str, **options: Any) -> SimultaneousEnv:
    """The game's parallel environment of these options."""
    env: SimultaneousEnv = entry_points(find_game(game_id)).parallel_env(**options)
    return env


def choices(env: SimultaneousEnv, rng: np.random.Generator) -> dict[str, int]:
    """A random legal action of every agent, WAIT for those without a choice."""
    return {agent: int(rng.choice(env.legal_actions(agent))) for agent in env.possible_agents}


def go_on(env: SimultaneousEnv, rng: np.random.Generator, steps: int | None = None) -> None:
    """Random legal choices up to the end of the game, at most `steps` of them."""
    taken = 0
    while env.agents and (steps is None or taken < steps):
        env.step(choices(env, rng))
        taken += 1


def started(game_id: str, steps: int = 12, **options: Any) -> SimultaneousEnv:
    """A parallel environment in mid-game."""
    env = parallel(game_id, **options)
    env.reset(seed=1)
    go_on(env, np.random.default_rng(1), steps)
    assert env.agents
    return env


def observable(env: SimultaneousEnv) -> dict[str, Any]:
    """All that can be observed of a parallel environment."""
    return {
        "agents": list(env.agents),
        "pending": env.pending_agents(),
        "seen": {agent: copy.deepcopy(env.observe(agent)) for agent in env.possible_agents},
        "state": env.state(),
        "bytes": env.get_state(),
        "said": [env.describe_state(viewer) for viewer in (None, *env.possible_agents)],
        "events": env.describe_events(),
    }


# --- PettingZoo's own tests ------------------------------------------------------------------------------


@ignore_unknown_option
@every_case
def test_parallel_api(game_id: str, options: Options) -> None:
    """PettingZoo's test draws actions without looking at masks."""
    parallel_api_test(parallel(game_id, **{**options, "on_illegal": "terminate"}), num_cycles=100)


@every_case
def test_parallel_seed(game_id: str, options: Options) -> None:
    parallel_seed_test(lambda: parallel(game_id, **{**options, "on_illegal": "terminate"}), num_cycles=50)


@with_registry
@every_simultaneous_game
def test_the_registry_makes_the_parallel_environment(game_id: str) -> None:
    game = find_game(game_id)
    env = pettingzoo.make("parallel", game.registry_id, num_players=game.max_players, **{cap_of(game_id): 2})
    assert isinstance(env, entry_points(game).parallel_env)
    assert env.metadata["name"] == game_id
    env.reset(seed=1)
    go_on(env, np.random.default_rng(1))
    assert not env.agents


@pytest.mark.parametrize("game_id", [game_id for game_id in GAMES if game_id not in SIMULTANEOUS], ids=game_name)
def test_other_games_have_none(game_id: str) -> None:
    assert not hasattr(entry_points(find_game(game_id)), "parallel_env")
    with pytest.raises(OptionError, match=f"{game_id} has no simultaneous choices"):
        SimultaneousEnv(find_game(game_id))


# --- what is seen ----------------------------------------------------------------------------------------


@every_rich_table
def test_what_is_seen_lies_in_the_spaces(game_id: str, options: Options) -> None:
    env = parallel(game_id, **options)
    observations, infos = env.reset(seed=2)
    rng = np.random.default_rng(2)
    while True:
        pending = env.pending_agents()
        assert bool(pending) == bool(env.agents)
        for agent in env.possible_agents:
            seen = observations[agent]
            assert env.observation_space(agent).contains(seen)
            assert not np.shares_memory(infos[agent]["action_mask"], seen["action_mask"])
            assert_same(infos[agent]["action_mask"], seen["action_mask"])
            assert_same(env.observe(agent), seen)
            if agent in pending:
                assert seen["action_mask"][0] == 0
                assert seen["action_mask"].any()
            else:
                np.testing.assert_array_equal(seen["action_mask"], waiting_mask(env.game))
        assert env.state_space.contains(env.state())
        if not env.agents:
            break
        observations, rewards, terminations, truncations, infos = env.step(choices(env, rng))
        assert set(rewards) == set(terminations) == set(truncations) == set(infos) == set(env.possible_agents)
        if env.agents:
            assert set(rewards.values()) == {0.0}
            assert not any((*terminations.values(), *truncations.values()))


# --- one game --------------------------------------------------------------------------------------------


@pytest.mark.parametrize("rewards", ["win", "zero_sum"])
@pytest.mark.parametrize("forced", ["public", "none"])
@pytest.mark.parametrize("cap", [3, None])
@every_table
def test_the_same_choices_give_the_same_game(
    game_id: str, count: int, cap: int | None, forced: str, rewards: str
) -> None:
    options: Options = {"num_players": count, "auto_forced": forced, "rewards": rewards}
    options |= {} if cap is None else {cap_of(game_id): cap}
    together, turns = parallel(game_id, **options), new_env(game_id, **options)
    for seed in range(2):
        together.reset(seed=seed)
        turns.reset(seed=seed)
        rng = np.random.default_rng(seed)
        paid: dict[str, float] = {}
        while together.agents:
            assert together.get_state() == turns.get_state()
            chosen = choices(together, rng)
            for agent in together.pending_agents():
                assert turns.agent_selection == agent
                assert_same(turns.observe(agent), together.observe(agent))  # as when the step began
                turns.step(chosen[agent])
            _, paid, terminations, truncations, _ = together.step(chosen)
        assert is_over(turns)
        assert split_state(together.get_state())[2] == split_state(turns.get_state())[2]
        assert paid == turns.rewards
        assert terminations == turns.terminations
        assert truncations == turns.truncations
        np.testing.assert_array_equal(together.state(), turns.state())


@every_simultaneous_game
def test_states_go_from_one_environment_to_the_other(game_id: str) -> None:
    """Also from the middle of a step: those who answered aren't asked again."""
    turns, together = new_env(game_id), parallel(game_id)
    turns.reset(seed=3)
    rng = np.random.default_rng(3)
    while not is_over(turns):
        together.set_state(turns.get_state())
        assert together.get_state() == turns.get_state()
        assert together.agents == together.possible_agents
        back = new_env(game_id)
        back.set_state(together.get_state())
        assert back.get_state() == turns.get_state()
        assert back.agent_selection == turns.agent_selection == together.pending_agents()[0]
        play(turns, rng, 1)
    together.set_state(turns.get_state())
    assert not together.agents
    assert together.pending_agents() == []
    with pytest.raises(EpisodeOverError):
        together.step({})


@every_simultaneous_game
def test_a_state_of_a_table_that_asks_more_can_be_played_on(game_id: str) -> None:
    """The seat that is asked may have one legal action only, which this table would take for it."""
    env, rng = parallel(game_id, auto_forced="none"), np.random.default_rng(3)
    env.reset(seed=3)
    twin = parallel(game_id, auto_forced="all")
    while env.agents:
        twin.set_state(env.get_state())
        go_on(twin, rng, 1)
        go_on(env, rng, 1)


# --- refusals --------------------------------------------------------------------------------------------


def wrong_choices(env: SimultaneousEnv, rng: np.random.Generator) -> list[tuple[str, dict[str, Any]]]:
    """Whose choice is wrong, and all choices; every other seat's are legal."""
    fine = choices(env, rng)
    found: list[tuple[str, dict[str, Any]]] = []
    pending = env.pending_agents()
    for agent in env.possible_agents:
        illegal = np.flatnonzero(env.observe(agent)["action_mask"] == 0)
        wrong: list[Any] = [int(action) for action in rng.permutation(illegal)[:3]]
        wrong += [-1, env.game.actions.size, 2**70, 1.5, "x", None, True]
        found += [(agent, {**fine, agent: action}) for action in wrong]
        found.append((agent, {other: action for other, action in fine.items() if other != agent}))
    assert pending
    return found


@every_table
def test_a_bad_action_in_one_seat_changes_nothing(game_id: str, count: int) -> None:
    env = parallel(game_id, num_players=count)
    env.reset(seed=count)
    rng = np.random.default_rng(count)
    for _ in range(3):
        before = observable(env)
        for agent, chosen in wrong_choices(env, rng):
            with pytest.raises(IllegalActionError, match=rf"^{agent} can't take .*; legal: "):
                env.step(chosen)
            assert env.get_state() == before["bytes"]
        assert_same(observable(env), before)
        go_on(env, rng, 9)
        if not env.agents:
            break


@every_table
def test_a_bad_action_terminates_with_pettingzoos_values(game_id: str, count: int) -> None:
    start = started(game_id, num_players=count, on_illegal="terminate")
    for agent, chosen in wrong_choices(start, np.random.default_rng(count)):
        env = start.clone()
        observations, rewards, terminations, truncations, infos = env.step(chosen)
        assert rewards == {each: -1.0 if each == agent else 0.0 for each in env.possible_agents}
        assert terminations == truncations == dict.fromkeys(env.possible_agents, True)
        assert not env.agents
        for each in env.possible_agents:
            np.testing.assert_array_equal(observations[each]["action_mask"], waiting_mask(env.game))
            assert_same(infos[each]["action_mask"], observations[each]["action_mask"])
        with pytest.raises(EpisodeOverError, match=r"after the end of the game: call reset\(\)"):
            env.step(chosen)
        env.reset()
        assert env.agents == env.possible_agents


@every_simultaneous_game
def test_unknown_agents_and_calls_out_of_order(game_id: str) -> None:
    env = parallel(game_id)
    for call in (lambda: env.observe("player_0"), env.state, env.get_state, env.pending_agents, env.describe_state):
        with pytest.raises(EpisodeOverError, match="reset"):
            call()
    with pytest.raises(EpisodeOverError, match=r"before reset\(\)"):
        env.step({})
    env = started(game_id)
    before = observable(env)
    fine = choices(env, np.random.default_rng(1))
    for agent in (f"player_{env.num_players}", "nobody", 7, None):
        with pytest.raises(OptionError, match="agents are"):
            env.step({**fine, agent: 0})  # type: ignore[dict-item]  # a likely mistake
        with pytest.raises(OptionError, match="agents are"):
            env.observe(agent)  # type: ignore[arg-type]  # a likely mistake
    no_mapping: list[Any] = [None, "", b"", [1], 3]
    for chosen in no_mapping:
        with pytest.raises(IllegalActionError, match="mapping"):
            env.step(chosen)
    assert_same(observable(env), before)
