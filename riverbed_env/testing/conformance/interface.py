"""PettingZoo's tests and ours, the registry, and the options that all games share."""

import functools
import zlib
from itertools import pairwise
from typing import Any

import gymnasium.spaces
import numpy as np
import pettingzoo
import pytest
from pettingzoo.utils import wrappers

from riverbed_env.entries import ENTRIES
from riverbed_env.kernels.vocab import FORCED_NAMES
from riverbed_env.registry import entry_points, find_game, make_batch

from . import kit
from .options import COUNTED, OneGame, Options, cap_of, player_counts

# api_test resets with an option that no environment knows, to see that it is taken.
ignore_unknown_option = pytest.mark.filterwarnings("ignore:reset option 'options' is unknown:UserWarning")


def answer(env: Any) -> int:
    """The selected agent's action: a function of its observation."""
    seen = env.observe(env.agent_selection)
    legal = np.flatnonzero(seen["action_mask"])
    key = zlib.crc32(seen["observation"].tobytes(), env.possible_agents.index(env.agent_selection))
    return int(legal[key % len(legal)])


# PettingZoo advises against observations that aren't arrays; ours are masked dictionaries by design.
@pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")
@pytest.mark.filterwarnings("ignore:Observation space for each agent probably should be:UserWarning")
class InterfaceTests(OneGame):
    """The turn-based environment conforms to PettingZoo with every value of every option."""

    @ignore_unknown_option
    def test_api(self, game_id: str, case: Options) -> None:
        kit.api_test(kit.new_env(game_id, **case), num_cycles=300)

    def test_seed(self, game_id: str, case: Options) -> None:
        kit.seed_test(functools.partial(kit.new_env, game_id, **case), num_cycles=200)

    def test_render(self, game_id: str, options: Options, capsys: pytest.CaptureFixture[str]) -> None:
        kit.render_test(functools.partial(kit.new_env, game_id, **options))
        assert find_game(game_id).title in capsys.readouterr().out

    @kit.with_registry
    def test_the_registry_makes_the_environment_with_its_options(self, game_id: str) -> None:
        game = find_game(game_id)
        assert pettingzoo.make("aec", game.registry_id).num_players == game.default_players
        options: dict[str, Any] = {cap_of(game_id): 2, "num_players": game.min_players, "auto_forced": "none"}
        env = pettingzoo.make("aec", game.registry_id, **options)
        assert isinstance(env, entry_points(game).raw_env)
        assert ENTRIES[game_id].registry_id == game.registry_id
        assert ENTRIES[game_id].simultaneous == game.simultaneous == hasattr(entry_points(game), "parallel_env")
        env.reset(seed=0)
        assert env.num_players == game.min_players
        kit.play(env, np.random.default_rng(0))
        assert all(env.truncations.values())
        assert not any(env.terminations.values())

    def test_agents_are_named_by_seat(self, game_id: str, count: int) -> None:
        env = kit.new_env(game_id, num_players=count)
        assert env.possible_agents == [f"player_{seat}" for seat in range(count)]
        assert env.metadata["name"] == game_id
        assert env.metadata["is_parallelizable"] is False
        assert str(env) == game_id

    def test_spaces_are_the_same_for_every_seat_and_player_count(self, game_id: str) -> None:
        envs = [kit.new_env(game_id, num_players=count) for count in player_counts(game_id)]
        spaces = [
            (env.observation_space(agent), env.action_space(agent)) for env in envs for agent in env.possible_agents
        ]
        assert all(one == other for one, other in pairwise(spaces))
        observation, action = spaces[0]
        assert isinstance(action, gymnasium.spaces.Discrete)
        assert action.n == find_game(game_id).actions.size
        assert isinstance(observation, gymnasium.spaces.Dict)
        assert {space.dtype for space in observation.values()} == {np.dtype(np.int8)}
        assert len({env.state_space.shape for env in envs}) == 1

    @ignore_unknown_option
    def test_it_can_be_wrapped_by_pettingzoo(self, game_id: str) -> None:
        terminating = wrappers.TerminateIllegalWrapper(kit.new_env(game_id), illegal_reward=-1)
        env = wrappers.AssertOutOfBoundsWrapper(terminating)
        kit.api_test(wrappers.OrderEnforcingWrapper(env), num_cycles=200)

    def test_view_now_is_the_beginning_of_view_history(self, game_id: str, count: int) -> None:
        views = find_game(game_id).views
        if "now" not in views:
            pytest.skip("it has one view")
        assert views["now"] < views["history"]
        table: dict[str, Any] = {"seed": count, "num_players": count, "auto_reset": False}
        now, history = (make_batch(game_id, 2, view=view, **table) for view in ("now", "history"))
        while now.acting.any():
            for seat in range(count):
                (short, mask), (long, same) = now.observe(seat), history.observe(seat)
                np.testing.assert_array_equal(short, long[:, : views["now"]])
                np.testing.assert_array_equal(mask, same)
            for batch in (now, history):
                batch.step(batch.random_actions())
        assert not history.acting.any()

    @pytest.mark.parametrize("cap", [1, 2, 7])
    def test_the_cap_truncates_and_pays_nobody_and_the_columns_say_so(self, game_id: str, count: int, cap: int) -> None:
        env = kit.new_env(game_id, num_players=count, auto_forced="none", **{cap_of(game_id): cap})
        env.reset(seed=1)
        kit.play(env, np.random.default_rng(1))
        assert set(env.truncations.values()) == {True}
        assert set(env.terminations.values()) == {False}
        assert set(env.rewards.values()) == {0.0}
        columns = env.columns()
        assert (columns[COUNTED[cap_of(game_id)]], columns["winner"]) == (cap, -1)

    @pytest.mark.parametrize("cap", [7, 31, None])
    def test_every_auto_forced_plays_the_same_game(self, game_id: str, count: int, cap: int | None) -> None:
        capped = {} if cap is None else {cap_of(game_id): cap}
        for seed in range(2):
            envs = {
                forced: kit.new_env(game_id, num_players=count, auto_forced=forced, **capped) for forced in FORCED_NAMES
            }
            asked = dict.fromkeys(envs, 0)
            for forced, env in envs.items():
                env.reset(seed=seed)
                while not kit.is_over(env):
                    env.step(answer(env))
                    asked[forced] += 1
            assert asked["none"] >= asked["public"] >= asked["all"] >= 0
            for forced in ("public", "all"):
                np.testing.assert_array_equal(envs[forced].state(), envs["none"].state())
                assert envs[forced].rewards == envs["none"].rewards
                assert envs[forced].truncations == envs["none"].truncations

    def test_reset_goes_on_to_the_next_game_of_the_seed(self, game_id: str) -> None:
        env, other = kit.new_env(game_id), kit.new_env(game_id)
        env.reset(seed=11)
        states = [env.get_state()]
        for _ in range(4):
            kit.play(env, np.random.default_rng(len(states)), 20)
            env.reset()
            states.append(env.get_state())
        for number, state in enumerate(states):
            other.reset(seed=11, options={"game_number": number})
            assert other.get_state() == state
        assert len(set(states)) == 5

    def test_seeds_deal_differently_and_so_do_resets_without_one(self, game_id: str) -> None:
        for seeds in (range(30), [None] * 8):
            states = []
            for seed in seeds:
                env = kit.new_env(game_id)
                env.reset(seed=seed)
                states.append(env.get_state() if seed is None else env.state().tobytes())
            assert len(set(states)) > 5
