"""The batch: the same games as the AEC environment's, whatever the batch size, the threads or the process."""

from __future__ import annotations

import copy
import hashlib
import os
import pickle
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conformance_kit import PLAYER_COUNTS, assert_same, is_over, meaning, new_env, record_of

import riverbed_env
from riverbed_env.core.batch import Batch
from riverbed_env.core.compile import compiled
from riverbed_env.core.errors import IllegalActionError, OptionError, StateError
from riverbed_env.envs.aec import TurnEnv

Records = npt.NDArray[np.void]

two_threads = pytest.mark.skipif(
    not compiled() or (os.cpu_count() or 1) < 2, reason="needs compiled kernels and two processor cores"
)


def make(n: int, **options: Any) -> Batch:
    return riverbed_env.make_batch("riverbed_hunt_v0", n, **{"seed": 5, **options})


def arrays(batch: Batch) -> dict[str, Any]:
    """All that a batch shows, copied; records as bytes, padding too."""
    shown = ("seat", "observation", "action_mask", "done", "truncated", "payoff", "game_number", "acting")
    return {**{name: getattr(batch, name).copy() for name in shown}, "records": batch.get_state().tobytes()}


def trace(batch: Batch, last_game: int) -> dict[int, tuple[str, bytes]]:
    """Play games 0 … last_game with the games' own random actions: a hash of each one's every moment, its payoffs."""
    hashes: dict[int, Any] = {}
    payoffs: dict[int, bytes] = {}
    while not set(range(last_game + 1)) <= payoffs.keys():
        actions = batch.random_actions()
        numbers = batch.game_number.copy()
        records = meaning(batch.get_state())
        for lane in np.flatnonzero(numbers <= last_game):
            told = hashes.setdefault(int(numbers[lane]), hashlib.sha256())
            told.update(records[lane].tobytes())
            told.update(batch.observation[lane].tobytes() + batch.action_mask[lane].tobytes())
            told.update(f"{batch.seat[lane]} {actions[lane]}".encode())
        batch.step(actions)
        for lane in np.flatnonzero(batch.done):
            payoffs[int(numbers[lane])] = batch.payoff[lane].tobytes() + batch.truncated[lane].tobytes()
    return {number: (hashes[number].hexdigest(), payoffs[number]) for number in range(last_game + 1)}


def play_out(batch: Batch) -> Records:
    """Play every game of a batch without auto_reset to its end; the final records."""
    while batch.acting.any():
        batch.step(some_actions(batch))
    return batch.get_state()


def some_actions(batch: Batch) -> npt.NDArray[np.int64]:
    """Random actions where games go on, nonsense where they are over."""
    actions = batch.random_actions()
    actions[~batch.acting] = 12345
    return actions


# --- one game is one game --------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [4, 7, 9])
def test_a_game_is_the_same_in_every_batch_size(count: int) -> None:
    one, three, many = (trace(make(n, num_players=count, layout="random"), 5) for n in (1, 3, 64))
    assert one == three == many
    assert len({told for told, _ in one.values()}) == 6


@two_threads
@pytest.mark.parametrize("n", [1, 3, 64])
def test_a_game_is_the_same_in_two_threads(n: int) -> None:
    assert trace(make(n, threads=2), 4) == trace(make(n, threads=1), 4)


@pytest.mark.parametrize("count", [5, 7])
def test_final_records_are_the_same_in_every_batch_size(count: int) -> None:
    options = {"num_players": count, "auto_reset": False}
    many = meaning(play_out(make(64, **options)), agents=False)
    for start in (0, 3, 60):
        three = meaning(play_out(make(3, first_game=start, **options)), agents=False)
        assert three.tobytes() == many[start : start + 3].tobytes()
        one = meaning(play_out(make(1, first_game=start, **options)), agents=False)
        assert one.tobytes() == many[start : start + 1].tobytes()


def test_records_are_the_same_bytes_whatever_was_played_in_the_lane_before() -> None:
    """Records are compared, hashed and saved as bytes, so nothing may be left over of the game before."""
    used = make(4)
    while used.game_number.min() < 12:
        used.step(used.random_actions())
    used.reset(first_game=0)
    fresh = make(4)
    for _ in range(80):
        assert used.get_state().tobytes() == fresh.get_state().tobytes()
        for batch in (used, fresh):
            batch.step(batch.random_actions())


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_final_records_are_those_of_the_aec_environment(count: int) -> None:
    numbers = (0, 1, 17)
    for number in numbers:
        batch = make(1, num_players=count, first_game=number, auto_reset=False)
        env = new_env(num_players=count)
        env.reset(seed=5, options={"game_number": number})
        while batch.acting.all():
            actions = batch.random_actions()
            np.testing.assert_array_equal(batch.seat, [env.possible_agents.index(env.agent_selection)])
            batch.step(actions)
            env.step(int(actions[0]))
        assert is_over(env)
        records = record_of(env)
        records["agents"] = batch.get_state()["agents"]  # the environment's actions weren't drawn from its stream
        assert records.tobytes() == batch.get_state().tobytes()


@pytest.mark.parametrize("view", ["history", "now"])
@pytest.mark.parametrize("rewards", ["win", "zero_sum"])
@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_rows_and_payoffs_are_those_of_the_aec_environment(count: int, rewards: str, view: str) -> None:
    options = {"num_players": count, "rewards": rewards, "view": view, "max_decisions": 90}
    batch = make(3, **options)
    envs = [dealt(number, **options) for number in range(3)]
    ended = 0
    while ended < 9:
        for lane, env in enumerate(envs):
            assert_lane_is(batch, lane, env)
        actions = batch.random_actions()
        for lane, env in enumerate(envs):
            env.step(int(actions[lane]))
        batch.step(actions)
        for lane, env in enumerate(envs):
            assert batch.done[lane] == is_over(env)
            assert batch.truncated[lane] == env.truncations["player_0"]
            if batch.done[lane]:
                ended += 1
                paid = [np.float32(env.rewards[agent]) for agent in env.possible_agents]
                np.testing.assert_array_equal(batch.payoff[lane], paid)
                envs[lane] = dealt(int(batch.game_number[lane]), **options)


def dealt(number: int, **options: Any) -> TurnEnv:
    env = new_env(**options)
    env.reset(seed=5, options={"game_number": number})
    return env


def assert_lane_is(batch: Batch, lane: int, env: TurnEnv) -> None:
    """The lane's row is what the AEC environment's selected agent sees."""
    assert env.agent_selection == f"player_{batch.seat[lane]}"
    seen, *_ = env.last()
    assert seen is not None
    assert_same(batch.observation[lane].copy(), seen["observation"])
    assert_same(batch.action_mask[lane].copy(), seen["action_mask"])


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_observe_is_the_aec_environments_for_every_seat(count: int) -> None:
    batch = make(2, num_players=count)
    envs = [dealt(number, num_players=count) for number in range(2)]
    for _ in range(40):
        for seat in range(count):
            observations, masks = batch.observe(seat)
            for lane, env in enumerate(envs):
                seen = env.observe(f"player_{seat}")
                assert_same(observations[lane].copy(), seen["observation"])
                assert_same(masks[lane].copy(), seen["action_mask"])
        seats = np.array([count - 1, 0])
        np.testing.assert_array_equal(batch.observe(seats)[0][0], envs[0].observe(f"player_{count - 1}")["observation"])
        np.testing.assert_array_equal(batch.observe(seats)[0][1], envs[1].observe("player_0")["observation"])
        actions = batch.random_actions()
        for lane, env in enumerate(envs):
            env.step(int(actions[lane]))
        batch.step(actions)
        if batch.done.any():
            break


def test_observe_of_the_asked_seats_is_the_batchs_own_row_and_changes_nothing() -> None:
    batch = make(16)
    for _ in range(60):
        before = arrays(batch)
        observations, masks = batch.observe(batch.seat)
        np.testing.assert_array_equal(observations, batch.observation)
        np.testing.assert_array_equal(masks, batch.action_mask)
        np.testing.assert_array_equal(batch.legal(), batch.action_mask)
        batch.observe(0)
        assert_same(arrays(batch), before)
        assert not np.shares_memory(observations, batch.observation)
        batch.step(batch.random_actions())


def test_options_mean_the_same_as_in_the_aec_environment() -> None:
    cases: list[dict[str, Any]] = [
        {"auto_forced": "all"},
        {"auto_forced": "none"},
        {"layout": "random", "num_players": 5},
        {"layout": "islands", "num_players": 6},
        {"roles": {0: "profiteer"}},
        {"max_decisions": 30},
    ]
    for options in cases:
        batch = make(1, auto_reset=False, **options)
        env = dealt(0, **options)
        while batch.acting.all():
            assert_lane_is(batch, 0, env)
            actions = batch.random_actions()
            batch.step(actions)
            env.step(int(actions[0]))
        assert is_over(env)
        np.testing.assert_array_equal(batch.payoff[0], [np.float32(reward) for reward in env.rewards.values()])


# --- what the arrays say ---------------------------------------------------------------------------------


def test_lanes_go_on_in_steps_of_n() -> None:
    for n, first in ((1, 0), (3, 0), (8, 100)):
        batch = make(n, first_game=first)
        wanted = first + np.arange(n)
        np.testing.assert_array_equal(batch.game_number, wanted)
        for _ in range(500):
            batch.step(batch.random_actions())
            wanted = wanted + n * batch.done
            np.testing.assert_array_equal(batch.game_number, wanted)
            np.testing.assert_array_equal(batch.get_state()["number"], wanted)
            assert (batch.get_state()["seed"] == 5).all()
        assert (batch.game_number >= first + n).all()


def test_shapes_and_dtypes() -> None:
    for count in PLAYER_COUNTS:
        batch = make(6, num_players=count)
        env = new_env(num_players=count)
        env.reset(seed=0)
        seen = env.observe("player_0")
        for _ in range(3):
            assert batch.observation.shape == (6, *seen["observation"].shape)
            assert batch.action_mask.shape == (6, *seen["action_mask"].shape)
            assert batch.observation.dtype == batch.action_mask.dtype == np.int8
            assert batch.seat.shape == batch.done.shape == batch.truncated.shape == (6,)
            assert batch.payoff.shape == (6, count)
            assert batch.payoff.dtype == np.float32
            assert batch.done.dtype == batch.truncated.dtype == np.bool_
            assert batch.random_actions().dtype == np.int64
            batch.step(batch.random_actions())


def test_masks_are_never_empty_and_observations_lie_in_their_space() -> None:
    env = new_env()
    space = env.observation_space("player_0")
    batch = make(32)
    for _ in range(150):
        assert (batch.action_mask[:, 1:].sum(axis=1) > 0).all()
        assert (batch.action_mask[:, 0] == 0).all()
        for lane in range(0, 32, 8):
            assert space.contains({"observation": batch.observation[lane], "action_mask": batch.action_mask[lane]})
        batch.step(batch.random_actions())


@pytest.mark.parametrize("rewards", ["win", "zero_sum"])
def test_payoffs_where_done(rewards: str) -> None:
    batch = make(64, rewards=rewards, max_decisions=120, num_players=4)
    ended = truncated = 0
    for _ in range(400):
        batch.step(batch.random_actions())
        assert not (batch.truncated & ~batch.done).any()
        for lane in np.flatnonzero(batch.done).tolist():
            ended += 1
            truncated += int(batch.truncated[lane])
            payoff = batch.payoff[lane]
            if batch.truncated[lane]:
                assert (payoff == 0).all()
            elif rewards == "win":
                assert set(payoff.tolist()) <= {1.0, -1.0}
            else:
                assert abs(payoff.sum()) < 1e-6
    assert ended > 100
    assert 0 < truncated < ended


def test_games_may_end_and_begin_in_the_same_step_in_every_lane() -> None:
    batch = make(5, max_decisions=1, auto_forced="none")
    for step in range(4):
        batch.step(batch.random_actions())
        assert batch.done.all()
        assert batch.truncated.all()
        np.testing.assert_array_equal(batch.game_number, np.arange(5) + 5 * (step + 1))
        assert (batch.payoff == 0).all()


def test_random_actions_are_legal_and_the_games_own() -> None:
    batch, twin = make(16), make(16)
    for _ in range(100):
        actions = batch.random_actions()
        assert (batch.action_mask[np.arange(16), actions] == 1).all()
        np.testing.assert_array_equal(actions, twin.random_actions())
        batch.step(actions)
        twin.step(actions)


def test_random_actions_are_uniform_over_the_legal_ones() -> None:
    batch = make(1, num_players=7)
    batch_actions = np.array([batch.random_actions()[0] for _ in range(4000)])
    legal = np.flatnonzero(batch.action_mask[0])
    counts = np.array([(batch_actions == action).sum() for action in legal])
    assert counts.sum() == 4000
    expected = 4000 / len(legal)
    assert ((counts - expected) ** 2 / expected).sum() < 60  # 15 degrees of freedom


# --- without auto_reset ----------------------------------------------------------------------------------


@pytest.mark.parametrize("rewards", ["win", "zero_sum"])
def test_without_auto_reset_each_game_is_played_to_its_end_and_left(rewards: str) -> None:
    batch = make(12, auto_reset=False, rewards=rewards, max_decisions=150)
    ended: dict[int, tuple[bytes, bytes, bytes]] = {}
    for _ in range(200):
        acting = batch.acting.copy()
        batch.step(some_actions(batch))
        np.testing.assert_array_equal(batch.game_number, np.arange(12))
        records = meaning(batch.get_state(), agents=False)
        for lane in range(12):
            kept = (records[lane].tobytes(), batch.payoff[lane].tobytes(), batch.truncated[lane].tobytes())
            if lane in ended:
                assert kept == ended[lane]
                assert batch.seat[lane] == -1
            elif not batch.acting[lane]:
                assert acting[lane]
                assert batch.done[lane]
                ended[lane] = kept
    assert len(ended) == 12
    assert not batch.acting.any()
    again = make(12, rewards=rewards, max_decisions=150)
    found: dict[int, bytes] = {}
    while len(found) < 12:
        numbers = again.game_number.copy()
        again.step(again.random_actions())
        for lane in np.flatnonzero(again.done).tolist():
            found.setdefault(int(numbers[lane]), again.payoff[lane].tobytes())
    assert {number: found[number] for number in range(12)} == {number: kept[1] for number, kept in ended.items()}


def test_without_auto_reset_done_says_that_the_last_step_ended_a_game() -> None:
    """As it is documented: "the last step ended a game"."""
    batch = make(8, auto_reset=False)
    while batch.acting.any():
        acting = batch.acting.copy()
        batch.step(some_actions(batch))
        np.testing.assert_array_equal(batch.done, acting & ~batch.acting)


def test_drawing_actions_leaves_ended_games_alone() -> None:
    """The record of a game that is over is a result: it can't depend on how long other games go on."""
    batch = make(8, auto_reset=False)
    while batch.acting.all():
        batch.step(batch.random_actions())
    over = np.flatnonzero(~batch.acting)
    before = batch.get_state()[over].tobytes()
    batch.random_actions()
    assert batch.get_state()[over].tobytes() == before


def test_ended_games_can_be_observed_and_reset() -> None:
    batch = make(4, auto_reset=False)
    play_out(batch)
    waiting = np.zeros(batch.action_mask.shape[1], np.int8)
    waiting[0] = 1
    for seat in range(7):
        observations, masks = batch.observe(seat)
        assert (masks == waiting).all()
        assert observations.any()
    batch.step(np.full(4, -99))
    assert not batch.acting.any()
    batch.reset()
    np.testing.assert_array_equal(batch.game_number, [4, 5, 6, 7])
    assert batch.acting.all()
    assert not batch.done.any()
    batch.reset(seed=6)
    np.testing.assert_array_equal(batch.game_number, [0, 1, 2, 3])
    assert meaning(batch.get_state()).tobytes() == meaning(make(4, seed=6).get_state()).tobytes()


# --- copies ----------------------------------------------------------------------------------------------


def by_set_state(batch: Batch) -> Batch:
    twin = make(batch.n, **batch.options, rewards=batch.rewards, view=batch.view, auto_reset=batch.auto_reset)
    for _ in range(17):
        twin.step(twin.random_actions())
    twin.set_state(batch.get_state())
    return twin


def by_bytes(batch: Batch) -> Batch:
    twin = make(batch.n, **batch.options, rewards=batch.rewards, view=batch.view, auto_reset=batch.auto_reset)
    twin.set_state(np.frombuffer(batch.get_state().tobytes(), batch.game.dtype))
    return twin


def pickled(protocol: int) -> Callable[[Batch], Batch]:
    def through(batch: Batch) -> Batch:
        twin = pickle.loads(pickle.dumps(batch, protocol))
        assert isinstance(twin, Batch)
        return twin

    return through


COPIES: dict[str, Callable[[Batch], Batch]] = {
    "clone": Batch.clone,
    "deepcopy": copy.deepcopy,
    "pickle 2": pickled(2),
    "pickle 4": pickled(4),
    "pickle 5": pickled(5),
    "set_state": by_set_state,
    "bytes": by_bytes,
}


@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize("way", COPIES)
def test_a_copy_goes_on_alike(way: str, auto_reset: bool) -> None:
    batch = make(6, num_players=5, rewards="zero_sum", view="now", auto_reset=auto_reset, max_decisions=200)
    for steps in (0, 1, 13, 30, 45):
        for _ in range(steps):
            batch.step(some_actions(batch))
        twin = COPIES[way](batch)
        assert_goes_on_alike(batch.clone(), twin, whole=way not in ("set_state", "bytes"))


def assert_goes_on_alike(batch: Batch, twin: Batch, *, whole: bool) -> None:
    """Both say the same and go on to. whole: also of the step before the copy (done, truncated, payoff)."""
    told = arrays(batch)
    if not whole:
        told = {name: told[name] for name in ("seat", "observation", "action_mask", "game_number", "acting", "records")}
    assert_same({name: arrays(twin)[name] for name in told}, told)
    for _ in range(90):
        actions = some_actions(batch)
        np.testing.assert_array_equal(some_actions(twin), actions)
        batch.step(actions)
        twin.step(actions)
        there, here = arrays(twin), arrays(batch)
        if not whole:
            for shown in (there, here):
                shown["payoff"] = np.where(batch.done[:, None], shown["payoff"], 0)  # the payoffs of games that ended
        assert_same(there, here)


def test_set_state_goes_on_alike_in_a_batch_of_another_seed() -> None:
    """A state is exact: what it goes on to can't depend on the batch it is put into."""
    batch = make(3, seed=5)
    for _ in range(40):
        batch.step(batch.random_actions())
    twin = make(3, seed=99)
    twin.set_state(batch.get_state())
    for _ in range(200):
        actions = batch.random_actions()
        np.testing.assert_array_equal(twin.random_actions(), actions)
        batch.step(actions)
        twin.step(actions)
        assert meaning(twin.get_state()).tobytes() == meaning(batch.get_state()).tobytes()


@pytest.mark.parametrize("way", COPIES)
def test_copies_are_independent(way: str) -> None:
    batch = make(4)
    for _ in range(25):
        batch.step(batch.random_actions())
    twin = COPIES[way](batch)
    before = arrays(batch)
    for _ in range(60):
        twin.step(twin.random_actions())
    twin.reset(seed=1)
    assert_same(arrays(batch), before)
    before = arrays(twin)
    for _ in range(60):
        batch.step(batch.random_actions())
    assert_same(arrays(twin), before)


@pytest.mark.skipif(not compiled(), reason="needs compiled kernels")
def test_copies_need_no_new_compilation() -> None:
    batch = make(4)
    batch.step(batch.random_actions())
    batch.observe(0)
    step = batch.game.loop("step_lanes")
    before = list(step.signatures)
    for way in COPIES.values():
        twin = way(batch)
        twin.step(twin.random_actions())
        twin.observe(0)
        twin.reset()
    for actions in (np.int32, np.int8, np.uint16):
        batch.step(batch.random_actions().astype(actions))
    batch.step(batch.random_actions().tolist())
    batch.step(np.repeat(batch.random_actions(), 2)[::2])
    assert list(step.signatures) == before


def test_get_state_is_a_copy() -> None:
    batch = make(4)
    before = arrays(batch)
    state = batch.get_state()
    state["table"]["tracks"] = 77
    assert_same(arrays(batch), before)
    given = batch.get_state()
    batch.set_state(given)
    given["table"]["tracks"] = 77
    assert batch.get_state().tobytes() == before["records"]


# --- refusals --------------------------------------------------------------------------------------------


def one_illegal(batch: Batch) -> npt.NDArray[np.int64]:
    actions = batch.random_actions()
    actions[-1] = np.flatnonzero(batch.action_mask[-1] == 0)[-1]
    return actions


WRONG_ACTIONS: dict[str, Callable[[Batch], Any]] = {
    "one illegal": one_illegal,
    "waiting": lambda batch: np.zeros(batch.n, np.int64),
    "negative": lambda batch: np.full(batch.n, -1),
    "what means a deal inside": lambda batch: np.full(batch.n, -1 << 40),
    "past the end": lambda batch: np.full(batch.n, batch.action_mask.shape[1]),
    "far out": lambda batch: np.full(batch.n, 2**62),
    "unsigned and far out": lambda batch: np.full(batch.n, 2**64 - 1, np.uint64),
    "legal but for 32 bits more": lambda batch: batch.random_actions() + 2**32,
    "too few": lambda batch: batch.random_actions()[:-1],
    "too many": lambda batch: np.append(batch.random_actions(), 1),
    "one number": lambda batch: int(batch.random_actions()[0]),
    "two dimensions": lambda batch: batch.random_actions()[:, None],
    "floats": lambda batch: batch.random_actions().astype(float),
    "booleans": lambda batch: np.ones(batch.n, np.bool_),
    "words": lambda batch: np.array(["1"] * batch.n),
    "objects": lambda batch: np.array([None] * batch.n),
    "nothing": lambda batch: None,
    "a word": lambda batch: "x",
}


@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize("what", WRONG_ACTIONS)
def test_wrong_actions_are_refused_and_change_nothing(what: str, auto_reset: bool) -> None:
    batch = make(3, auto_reset=auto_reset)
    for _ in range(20):
        batch.step(batch.random_actions())
    actions = WRONG_ACTIONS[what](batch)
    before = arrays(batch)
    with pytest.raises(IllegalActionError):
        batch.step(actions)
    assert_same(arrays(batch), before)
    batch.step(batch.random_actions())


def test_a_refusal_says_where_who_what_why_and_what_is_legal() -> None:
    batch = make(5, num_players=4)
    actions = batch.random_actions()
    actions[3] = 2
    legal = ", ".join(str(action) for action in np.flatnonzero(batch.action_mask[3]))
    with pytest.raises(IllegalActionError) as caught:
        batch.step(actions)
    message = str(caught.value)
    assert "game 3" in message
    assert f"seat {batch.seat[3]}" in message
    assert "action 2" in message
    assert legal in message
    actions[:] = 2
    with pytest.raises(IllegalActionError, match="5 games in all"):
        batch.step(actions)


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"n": 0}, "n must be an integer from 1 on, not 0"),
        ({"n": -3}, "n must be"),
        ({"n": 2.0}, "n must be"),
        ({"n": "2"}, "n must be"),
        ({"n": True}, "n must be"),
        ({"n": None}, "n must be"),
        ({"threads": 0}, "threads must be"),
        ({"threads": 1.5}, "threads must be"),
        ({"threads": 10_000}, "threads must be from 1 to"),
        ({"view": "then"}, "view must be 'history' or 'now', not 'then'"),
        ({"rewards": "loss"}, "rewards must be 'win' or 'zero_sum', not 'loss'"),
        ({"num_players": 3}, "num_players must be an integer from 4 to 9, not 3"),
        ({"layout": "moon"}, "layout must be"),
        ({"max_decisions": 0}, "max_decisions must be"),
        ({"auto_forced": "x"}, "auto_forced must be"),
        ({"first_game": -1}, "first_game"),
        ({"first_game": 1.5}, "first_game"),
        ({"first_game": "x"}, "first_game"),
        ({"first_game": 2**63}, "first_game"),
    ],
    ids=str,
)
def test_wrong_options(options: dict[str, Any], words: str) -> None:
    with pytest.raises(OptionError, match=words):
        make(**{"n": 2, **options})


@pytest.mark.parametrize(
    ("seed", "error"),
    [(-1, ValueError), (2**63, ValueError), (1.5, TypeError), ("x", TypeError), (True, TypeError)],
    ids=str,
)
def test_wrong_seeds_are_refused_and_change_nothing(seed: Any, error: type[Exception]) -> None:
    with pytest.raises(error, match="seed"):
        make(2, seed=seed)
    batch = make(2)
    before = arrays(batch)
    with pytest.raises(error, match="seed"):
        batch.reset(seed=seed)
    assert_same(arrays(batch), before)
    assert batch.seed == 5


@pytest.mark.parametrize("first_game", [1.5, "x", 2**63, -1], ids=str)
def test_a_refused_reset_changes_nothing(first_game: Any) -> None:
    batch = make(2)
    before = arrays(batch)
    with pytest.raises((OptionError, TypeError, ValueError)):
        batch.reset(seed=8, first_game=first_game)
    assert_same(arrays(batch), before)
    assert batch.seed == 5


@pytest.mark.parametrize("seats", [-1, 7, [0, 9], 1.5, [0.0, 1.0], float("nan")], ids=str)
def test_wrong_seats(seats: Any) -> None:
    batch = make(2)
    before = arrays(batch)
    with pytest.raises(OptionError, match="seat"):
        batch.observe(seats)
    assert_same(arrays(batch), before)


@pytest.mark.parametrize("seats", ["x", None, [0, 1, 2], [[0], [1]]], ids=str)
def test_seats_of_the_wrong_kind(seats: Any) -> None:
    with pytest.raises((TypeError, ValueError)):
        make(2).observe(seats)


def test_an_unknown_game_is_named_with_those_there_are() -> None:
    with pytest.raises(OptionError, match=r"riverbed_hunt_v9.*did you mean 'riverbed_hunt_v0'"):
        riverbed_env.make_batch("riverbed_hunt_v9", 2)
    assert riverbed_env.make_batch("riverbed_hunt", 2).game.id == "riverbed_hunt_v0"


def test_states_that_are_not_sound_are_refused_and_change_nothing() -> None:
    batch = make(3)
    for _ in range(30):
        batch.step(batch.random_actions())
    before = arrays(batch)
    wrong_track = batch.get_state()
    wrong_track["table"]["tracks"][1, 0] += 1
    wrong_question = batch.get_state()
    wrong_question["table"]["question"][2] = 100
    states: list[tuple[Any, str]] = [
        (wrong_track, "game 1"),
        (wrong_question, "game 2"),
        (make(3, num_players=5).get_state(), "game 0"),
        (make(4).get_state(), "3 games"),
        (batch.get_state()[:2], "3 games"),
        (np.zeros(3), "3 games"),
        (batch.get_state().tobytes(), "state"),
        (None, "state"),
        (list(batch.get_state()), "state"),
    ]
    for state, words in states:
        with pytest.raises(StateError, match=words):
            batch.set_state(state)
        assert_same(arrays(batch), before)
    batch.step(batch.random_actions())


# --- other processes -------------------------------------------------------------------------------------

SCRIPT = """
import hashlib, sys
import riverbed_env
players, games, threads = map(int, sys.argv[1:4])
batch = riverbed_env.make_batch("riverbed_hunt_v0", games, seed=2024, num_players=players, auto_reset=False,
                                threads=threads, layout="random")
total = hashlib.sha256()
while batch.acting.any():
    total.update(batch.observation.tobytes() + batch.action_mask.tobytes() + batch.seat.tobytes())
    batch.step(batch.random_actions())
    total.update(batch.payoff.tobytes())
total.update(batch.get_state().tobytes())
print(total.hexdigest())
"""


def digest(games: int, players: int, threads: int = 1) -> str:
    """What SCRIPT prints, played in this process."""
    batch = make(games, seed=2024, num_players=players, auto_reset=False, threads=threads, layout="random")
    total = hashlib.sha256()
    while batch.acting.any():
        total.update(batch.observation.tobytes() + batch.action_mask.tobytes() + batch.seat.tobytes())
        batch.step(batch.random_actions())
        total.update(batch.payoff.tobytes())
    total.update(batch.get_state().tobytes())
    return total.hexdigest()


def digest_elsewhere(games: int, players: int, threads: int = 1, warnings: str = "error", **environment: str) -> str:
    done = subprocess.run(
        [sys.executable, "-W", warnings, "-c", SCRIPT, str(players), str(games), str(threads)],
        env={**os.environ, **environment},
        cwd=Path(riverbed_env.__file__).parents[1],
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.strip()


@pytest.mark.slow
def test_the_same_games_in_another_process() -> None:
    assert digest_elsewhere(24, 7, PYTHONHASHSEED="1") == digest(24, 7)


@pytest.mark.slow
@two_threads
def test_the_same_games_in_another_process_with_two_threads() -> None:
    assert digest_elsewhere(9, 9, threads=2) == digest(9, 9)


@pytest.mark.slow
@pytest.mark.parametrize("players", [4, 9])
def test_the_same_games_uncompiled(players: int) -> None:
    assert digest_elsewhere(2, players, warnings="default", NUMBA_DISABLE_JIT="1") == digest(2, players)


@pytest.mark.slow
def test_uncompiled_there_are_no_warnings() -> None:
    """Such as of overflows, which would hide a difference to the compiled rules."""
    assert digest_elsewhere(1, 7, warnings="error", NUMBA_DISABLE_JIT="1") == digest(1, 7)
