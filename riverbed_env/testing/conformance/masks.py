"""Masks, refusals and rewards."""

from typing import Any

import numpy as np
import pytest

import riverbed_env
from riverbed_env.errors import IllegalActionError
from riverbed_env.kernels.actions import WAIT
from riverbed_env.registry import find_game

from . import kit
from .options import OneGame


class MaskTests(OneGame):
    """What a mask says is what a step accepts; rewards agree everywhere."""

    def test_a_mask_holds_what_a_batch_accepts(self, game_id: str, options: dict[str, Any]) -> None:
        batch = riverbed_env.make_batch(game_id, 1, seed=3, **options)
        for _ in range(12):
            for action in range(batch.action_mask.shape[1]):
                twin = batch.clone()
                try:
                    twin.step([action])
                except IllegalActionError:
                    assert not batch.action_mask[0, action]
                    assert twin.get_state().tobytes() == batch.get_state().tobytes()
                else:
                    assert batch.action_mask[0, action]
            for _ in range(3):
                batch.step(batch.random_actions())

    def test_every_seats_mask_is_what_the_rules_dont_refuse(self, game_id: str, count: int) -> None:
        env = kit.new_env(game_id, num_players=count, auto_forced="none")
        env.reset(seed=count)
        rng = np.random.default_rng(count)
        refusal, params = env.game.kernels.refusal, riverbed_env.make_batch(game_id, 1, num_players=count).params
        for _ in range(60):
            if kit.is_over(env):
                break
            record = kit.record_of(env)[0]
            for seat, agent in enumerate(env.agents):
                mask = env.observe(agent)["action_mask"]
                assert env.legal_actions(agent).tolist() == np.flatnonzero(mask).tolist()
                refused = [int(refusal(record, params[0], seat, action)) for action in range(len(mask))]
                assert [reason == 0 for reason in refused] == mask.astype(bool).tolist()
                assert all(env.game.words.describe_refusal(reason) for reason in refused)
                if agent != env.agent_selection:
                    np.testing.assert_array_equal(mask, kit.waiting_mask(env.game))
            kit.play(env, rng, 1)

    def test_a_pending_seat_has_the_mask_with_which_it_will_be_asked(self, game_id: str, count: int) -> None:
        """For simultaneous choices: a seat's mask doesn't depend on what others choose in the same step."""
        game = find_game(game_id)
        if not game.simultaneous:
            pytest.skip("no choices are simultaneous")
        env = kit.new_env(game_id, num_players=count)
        env.reset(seed=count)
        rng = np.random.default_rng(count)
        params, _ = game.make_params(num_players=count)
        pending, write = game.kernels.pending, game.kernels.write_pending_mask
        assert pending is not None
        assert write is not None
        promised: dict[int, np.ndarray[Any, Any]] = {}
        for _ in range(200):
            if kit.is_over(env):
                break
            record, seat = kit.record_of(env)[0], env.possible_agents.index(env.agent_selection)
            bits = int(pending(record, params[0]))
            assert bits >> seat & 1
            assert bits & ((1 << seat) - 1) == 0  # they are asked in ascending order
            for each in range(0 if promised else count):
                if bits >> each & 1:
                    promised[each] = np.zeros(game.actions.size, np.int8)
                    write(record, params[0], each, promised[each])
            np.testing.assert_array_equal(env.observe(env.agent_selection)["action_mask"], promised.pop(seat))
            kit.play(env, rng, 1)

    def test_env_batch_and_pay_give_the_same_rewards(self, game_id: str, count: int, rewards: str) -> None:
        game = find_game(game_id)
        options = {"num_players": count, "rewards": rewards}
        batch = riverbed_env.make_batch(game_id, 4, seed=9, auto_reset=False, **options)
        envs = [kit.new_env(game_id, **options) for _ in range(4)]
        for number, env in enumerate(envs):
            env.reset(seed=9, options={"game_number": number})
        while batch.acting.any():
            actions = batch.random_actions()
            for index in np.flatnonzero(batch.acting).tolist():
                assert set(envs[index].rewards.values()) == {0.0}
                envs[index].step(int(actions[index]))
            batch.step(actions)
        games = batch.get_state()
        paid = np.zeros((4, count), np.float32)
        game.loops.returns_of_all(games, int(rewards == "zero_sum"), paid)
        for index, env in enumerate(envs):
            one = np.zeros(count, np.float32)
            ending = int(game.loops.returns_of_one(games[index : index + 1], int(rewards == "zero_sum"), one))
            assert ending == (2 if env.truncations["player_0"] else 1)
            np.testing.assert_array_equal(one, paid[index])
            np.testing.assert_array_equal([np.float32(env.rewards[agent]) for agent in env.possible_agents], one)
            np.testing.assert_array_equal(batch.returns[index], one)
            if ending == 1 and rewards == "win":
                assert set(one.tolist()) <= {1.0, 0.0, -1.0}
            assert np.abs(one).max() <= 1
            assert rewards == "win" or one.sum() == pytest.approx(0, abs=1e-6)

    def test_what_anybody_sees_lies_in_its_space_and_looking_has_no_side_effect(
        self, game_id: str, options: dict[str, Any]
    ) -> None:
        """Two environments of one game stay alike, though one is observed from all sides; who isn't asked can wait."""
        watched, alone = kit.new_env(game_id, render_mode="ansi", **options), kit.new_env(game_id, **options)
        for env in (watched, alone):
            env.reset(seed=4)
        rng = np.random.default_rng(4)
        while True:
            over = kit.is_over(alone)
            looking = watched.num_players if over else 2 if rng.random() < 0.2 else 0
            for agent in rng.permutation(watched.possible_agents)[:looking].tolist():
                first = {name: part.copy() for name, part in watched.observe(agent).items()}
                legal = np.flatnonzero(first["action_mask"]).tolist()
                assert legal
                assert (legal != [WAIT]) == (agent == alone.agent_selection and not over)
                assert watched.observation_space(agent).contains(first)
                assert watched.state_space.contains(watched.state())
                kit.assert_same(watched.infos[agent]["action_mask"], first["action_mask"])
                watched.describe_state(agent)
                watched.render(agent)
                kit.assert_same(watched.observe(agent), first)
            assert watched.get_state() == alone.get_state()
            if over:
                break
            action = kit.random_action(alone, rng)
            alone.step(action)
            watched.step(action)
        while alone.agents:  # those that are gone can still look
            alone.step(None)
        for agent in alone.possible_agents:
            kit.assert_same(alone.observe(agent), watched.observe(agent))
