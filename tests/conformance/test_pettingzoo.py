"""PettingZoo's own tests and ours, for every player count and every value of every option."""

from __future__ import annotations

import functools
from collections.abc import Callable
from itertools import pairwise
from typing import Any

import gymnasium.spaces
import numpy as np
import pettingzoo
import pytest
from conformance_kit import (
    CAMPS,
    PACK,
    PLAYER_COUNTS,
    ROLES,
    TILES,
    api_test,
    assert_same,
    illegal_action,
    is_over,
    layout_names,
    new_env,
    observable,
    option_id,
    option_values,
    play,
    random_action,
    render_test,
    roles_of,
    seed_test,
)
from pettingzoo.utils import wrappers

import riverbed_env
from riverbed_env import riverbed_hunt_v0
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.bombardment import bombardment_test, state_test

CASES = [
    pytest.param({"num_players": count, **options}, id=f"{count}-{option_id(options)}")
    for count in PLAYER_COUNTS
    for options in option_values(count)
]
# render_test sets the mode itself.
DRAWN = [case for case in CASES if "render_mode" not in str(case.id)]

# api_test resets with an option that no environment knows, to see that it is taken.
ignore_unknown_option = pytest.mark.filterwarnings("ignore:reset option 'options' is unknown:UserWarning")

# It also advises against observations that aren't arrays; ours are masked dictionaries by design.
pytestmark = pytest.mark.filterwarnings("ignore:Observation is not a NumPy array:UserWarning")


@ignore_unknown_option
@pytest.mark.parametrize("options", CASES)
def test_api(options: dict[str, Any]) -> None:
    api_test(new_env(**options), num_cycles=1000)


@pytest.mark.parametrize("options", CASES)
def test_seed(options: dict[str, Any]) -> None:
    seed_test(functools.partial(riverbed_hunt_v0.env, **options))


@pytest.mark.parametrize("options", DRAWN)
def test_render(options: dict[str, Any], capsys: pytest.CaptureFixture[str]) -> None:
    render_test(functools.partial(riverbed_hunt_v0.env, **options))
    assert "Riverbed Hunt" in capsys.readouterr().out


@pytest.mark.parametrize("options", CASES)
def test_bombardment(options: dict[str, Any]) -> None:
    bombardment_test(new_env(**options), 100)


@pytest.mark.slow
@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_long_bombardment(count: int) -> None:
    bombardment_test(new_env(num_players=count, layout="random"), 3000, seed=count)


@pytest.mark.parametrize("options", CASES)
def test_state(options: dict[str, Any]) -> None:
    state_test(new_env(**options), 300)


# --- the registry and the names --------------------------------------------------------------------------


def test_the_registry_makes_the_environment() -> None:
    env = pettingzoo.make("aec", "riverbed/Hunt-v0")
    assert isinstance(env, riverbed_hunt_v0.raw_env)
    assert env.num_players == 7


def test_the_registry_takes_max_cycles_and_options() -> None:
    env = pettingzoo.make("aec", "riverbed/Hunt-v0", max_cycles=12, num_players=5, auto_forced="none", view="now")
    env.reset(seed=0)
    assert len(play(env, np.random.default_rng(0))) == 12
    assert all(env.truncations.values())
    assert not any(env.terminations.values())


@ignore_unknown_option
def test_what_the_registry_makes_passes_the_tests() -> None:
    make = functools.partial(pettingzoo.make, "aec", "riverbed/Hunt-v0", max_cycles=100)
    api_test(make(), num_cycles=300)
    seed_test(make)
    bombardment_test(make(), 300)
    state_test(make(), 300)


def test_the_package_says_what_it_has() -> None:
    assert {"riverbed_hunt_v0", "make_batch", "Batch"} <= set(dir(riverbed_env))
    assert riverbed_env.riverbed_hunt_v0 is riverbed_hunt_v0
    with pytest.raises(AttributeError, match="no_such_thing"):
        _ = riverbed_env.no_such_thing


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_agents_are_named_by_seat(count: int) -> None:
    env = new_env(num_players=count)
    assert env.possible_agents == [f"player_{seat}" for seat in range(count)]
    assert env.metadata["name"] == "riverbed_hunt_v0"
    assert env.metadata["is_parallelizable"] is False
    assert str(env) == "riverbed_hunt_v0"


def test_spaces_are_the_same_for_every_seat_and_player_count() -> None:
    spaces = [
        (env.observation_space(agent), env.action_space(agent))
        for env in (new_env(num_players=count) for count in PLAYER_COUNTS)
        for agent in env.possible_agents
    ]
    assert all(one == other for one, other in pairwise(spaces))
    observation, action = spaces[0]
    assert isinstance(action, gymnasium.spaces.Discrete)
    assert action.n < 120
    assert isinstance(observation, gymnasium.spaces.Dict)
    assert {space.dtype for space in observation.values()} == {np.dtype(np.int8)}
    assert len({new_env(num_players=count).state_space.shape for count in PLAYER_COUNTS}) == 1


@ignore_unknown_option
def test_pettingzoo_wrappers_may_still_be_put_round_it() -> None:
    def wrapped() -> Any:
        env = wrappers.TerminateIllegalWrapper(new_env(num_players=5), illegal_reward=-1)
        return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(env))

    api_test(wrapped(), num_cycles=300)
    seed_test(wrapped)
    bombardment_test(wrapped(), 300)
    state_test(wrapped(), 300)


# --- what the options do ---------------------------------------------------------------------------------


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_view_now_is_the_beginning_of_view_history(count: int) -> None:
    now, history = new_env(num_players=count, view="now"), new_env(num_players=count, view="history")
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


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_a_named_layout_is_the_one_played(count: int) -> None:
    empty = {layout["name"]: layout["empty"] for layout in PACK["layout"] if layout["tiles"] == TILES[count]}
    for layout in [None, *layout_names(count)]:
        env = new_env(num_players=count, layout=layout)
        env.reset(seed=1)
        occupied = env.game.state.named(env.state())["occupied"]
        name = layout_names(count)[0] if layout is None else layout
        assert [space + 1 for space in np.flatnonzero(occupied == 0)] == empty[name]


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_a_random_layout_is_drawn_from_all_of_them_by_the_seed(count: int) -> None:
    env = new_env(num_players=count, layout="random")
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
    all_pinned = new_env(num_players=count, roles=pinned)
    some_pinned = new_env(num_players=count, roles={1: "profiteer", f"player_{count - 1}": "chief"})
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
    env = new_env(num_players=7)
    found = set()
    for seed in range(40):
        env.reset(seed=seed)
        assert sorted(roles_of(env)) == sorted(ROLES[7])
        found.add(tuple(roles_of(env)))
    assert len(found) > 20


@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_the_cap_truncates_and_pays_nobody(count: int) -> None:
    env = new_env(num_players=count, max_decisions=count + 2, auto_forced="none")
    env.reset(seed=1)
    assert len(play(env, np.random.default_rng(1))) == count + 2
    assert set(env.truncations.values()) == {True}
    assert set(env.terminations.values()) == {False}
    assert set(env.rewards.values()) == {0.0}


@pytest.mark.parametrize("cap", [7, 23, 60, 1000])
@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_every_auto_forced_plays_the_same_game(count: int, cap: int) -> None:
    asking, public, knowing = (
        new_env(num_players=count, auto_forced=forced, max_decisions=cap) for forced in ("none", "public", "all")
    )
    rng = np.random.default_rng(cap)
    for seed in range(5):
        taken = 0
        for env in (asking, public, knowing):
            env.reset(seed=seed)
        while not is_over(asking):
            action = random_action(asking, rng)
            state = asking.state()
            for env in (public, knowing):
                if not is_over(env) and np.array_equal(env.state(), state):
                    env.step(action)
                    taken += 1
            asking.step(action)
        assert taken > 0
        assert is_over(public)
        assert is_over(knowing)
        for env in (public, knowing):
            np.testing.assert_array_equal(env.state(), asking.state())
            assert env.rewards == asking.rewards
            assert env.truncations == asking.truncations


@pytest.mark.parametrize("rewards", ["win", "zero_sum"])
@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_rewards_are_those_of_the_camps(count: int, rewards: str) -> None:
    env = new_env(num_players=count, rewards=rewards)
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


@pytest.mark.parametrize("steps", [0, 1, 9, 20])
@pytest.mark.parametrize("offence", ["not legal", "out of range"])
@pytest.mark.parametrize("count", PLAYER_COUNTS)
def test_terminate_says_what_pettingzoos_wrapper_says(count: int, offence: str, steps: int) -> None:
    ours = new_env(num_players=count, on_illegal="terminate")
    theirs = wrappers.TerminateIllegalWrapper(new_env(num_players=count), illegal_reward=-1)
    for env in (ours, theirs):
        env.reset(seed=7)
    rng = np.random.default_rng(steps)
    for _ in range(steps):
        action = random_action(ours, rng)
        ours.step(action)
        theirs.step(action)
    assert not is_over(ours)
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


def test_reset_goes_on_to_the_next_game_of_the_seed() -> None:
    env, other = new_env(), new_env()
    env.reset(seed=11)
    states = [env.state()]
    for _ in range(4):
        play(env, np.random.default_rng(len(states)), 20)
        env.reset()
        states.append(env.state())
    for number, state in enumerate(states):
        other.reset(seed=11, options={"game_number": number})
        np.testing.assert_array_equal(other.state(), state)
    assert len({state.tobytes() for state in states}) == 5


def test_without_a_seed_games_differ() -> None:
    found = set()
    for _ in range(8):
        env = new_env()
        env.reset()
        found.add(env.state().tobytes())
    assert len(found) == 8


def test_observations_handed_out_do_not_change_later() -> None:
    env = new_env(num_players=6)
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    kept, copies = [], []
    while env.agents:
        for agent in env.agents:
            seen = env.observe(agent)
            kept.append(seen)
            copies.append({name: part.copy() for name, part in seen.items()})
        env.step(random_action(env, rng))
    assert_same(kept, copies)


def test_observing_leaves_the_saved_state_alone() -> None:
    env = new_env(num_players=8, render_mode="ansi")
    env.reset(seed=1)
    rng = np.random.default_rng(1)
    while env.agents:
        before = env.get_state()
        observable(env, words=True)
        assert env.get_state() == before
        env.step(random_action(env, rng))


def test_any_agent_can_be_observed_after_the_end() -> None:
    env = new_env()
    env.reset(seed=1)
    play(env, np.random.default_rng(1))
    at_the_end = {agent: env.observe(agent) for agent in env.possible_agents}
    while env.agents:
        env.step(None)
    for agent in env.possible_agents:
        seen = env.observe(agent)
        assert env.observation_space(agent).contains(seen)
        assert_same(seen, at_the_end[agent])


# --- bombardment_test itself -----------------------------------------------------------------------------


@pytest.mark.parametrize("name", ["classic/connect_four_v3", "classic/leduc_holdem_v4", "classic/texas_holdem_v4"])
def test_bombardment_runs_on_pettingzoos_own(name: str) -> None:
    bombardment_test(pettingzoo.make("aec", name), 1000, wait_action=None, masks_in_infos=False)


def test_bombardment_can_tell_that_others_have_no_wait_action() -> None:
    with pytest.raises(AssertionError, match=r"empty|isn't asked"):
        bombardment_test(pettingzoo.make("aec", "classic/connect_four_v3"), 100, masks_in_infos=False)


def test_bombardment_can_tell_that_others_have_no_masks_in_infos() -> None:
    with pytest.raises(AssertionError, match="infos"):
        bombardment_test(pettingzoo.make("aec", "classic/connect_four_v3"), 100, wait_action=None)


def with_mask_space(space: Any, masks: gymnasium.spaces.Space[Any]) -> gymnasium.spaces.Dict:
    """The observation space with another one for masks."""
    return gymnasium.spaces.Dict({"observation": space["observation"], "action_mask": masks})


class Planted(riverbed_hunt_v0.raw_env):
    """An environment with a fault that shows from the sixth step of an episode on."""

    def __init__(self) -> None:
        super().__init__(num_players=5)
        self.steps = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.steps = 0
        super().reset(seed=seed, options=options)

    def step(self, action: int | None) -> None:
        self.steps += 1
        super().step(action)

    @property
    def bad(self) -> bool:
        return self.steps > 5


class EmptyMask(Planted):
    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        if self.bad and agent == self.agent_selection:
            return {**seen, "action_mask": np.zeros_like(seen["action_mask"])}
        return seen


class EmptyMaskOfAnother(Planted):
    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        if self.bad and agent != self.agent_selection:
            return {**seen, "action_mask": np.zeros_like(seen["action_mask"])}
        return seen


class UnsignedMask(Planted):
    def observation_space(self, agent: str) -> Any:
        masks = gymnasium.spaces.Box(0, 1, (self.game.actions.size,), np.uint8)
        return with_mask_space(super().observation_space(agent), masks)

    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        return {**seen, "action_mask": seen["action_mask"].astype(np.uint8)}


class ShortMask(Planted):
    def observation_space(self, agent: str) -> Any:
        return with_mask_space(super().observation_space(agent), gymnasium.spaces.Box(0, 1, (5,), np.int8))

    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        return {**seen, "action_mask": seen["action_mask"][:5]}


class NoMask(Planted):
    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]["observation"]

    def observe(self, agent: str) -> Any:
        return super().observe(agent)["observation"]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self.infos = {agent: {} for agent in self.agents}


class TwoInMask(Planted):
    def observation_space(self, agent: str) -> Any:
        wide = gymnasium.spaces.Box(0, 2, (self.game.actions.size,), np.int8)
        return with_mask_space(super().observation_space(agent), wide)

    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        return {**seen, "action_mask": seen["action_mask"] * np.int8(2)} if self.bad else seen


class OutOfSpace(Planted):
    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        if not self.bad:
            return seen
        vector = seen["observation"].copy()
        vector[17] = 99
        return {**seen, "observation": vector}


class WiderNumbers(Planted):
    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        return {**seen, "observation": seen["observation"].astype(np.int32)} if self.bad else seen


class MaskOfAnotherInInfo(Planted):
    def step(self, action: int | None) -> None:
        super().step(action)
        if self.bad and self.agents:
            self.infos[self.agents[0]] = {"action_mask": self.observe(self.agents[-1])["action_mask"].copy()}


class CopiedMaskInInfo(Planted):
    def step(self, action: int | None) -> None:
        super().step(action)
        if self.bad and self.agents:
            self.infos[self.agents[0]] = {"action_mask": self.observe(self.agents[0])["action_mask"].copy()}


class OthersMayActToo(Planted):
    def _see(self, seat: int) -> Any:
        seen = super()._see(seat)
        if self.bad:
            self.infos[f"player_{seat}"] = {"action_mask": np.ones_like(seen["action_mask"])}
            seen["action_mask"] = self.infos[f"player_{seat}"]["action_mask"]
        return seen


class OnlyWaits(Planted):
    def step(self, action: int | None) -> None:
        super().step(action)
        if self.bad and self._asked >= 0:
            self.observe(self.agent_selection)["action_mask"][:] = self._waiting["action_mask"]


class ObserveChangesRewards(Planted):
    def observe(self, agent: str) -> Any:
        if self.bad:
            self.rewards = {**self.rewards, agent: 0.5}
        return super().observe(agent)


class ObserveSelects(Planted):
    def observe(self, agent: str) -> Any:
        if self.bad and agent == self.agents[0]:
            self.agent_selection = agent
        return super().observe(agent)


class ObserveCounts(Planted):
    looks = 0

    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        self.looks += 1
        if self.bad and agent != self.agent_selection:
            vector = seen["observation"].copy()
            vector[0] = self.looks % 2
            return {**seen, "observation": vector}
        return seen


class ObserveDraws(Planted):
    """Looking at anybody but the selected agent uses up chance: nothing to be seen at once."""

    def observe(self, agent: str) -> Any:
        if self.agents and agent != self.agent_selection:
            self._games[0]["chance"]["drawn"] += 1
        return super().observe(agent)


class ObserveChangesState(Planted):
    def observe(self, agent: str) -> Any:
        if self.bad:
            self._games[0]["table"]["tally"][0] += 1
            self._games[0]["table"]["asks"][0] = 1
            self._cache = {}
        return super().observe(agent)


class DoubledRewards(Planted):
    def step(self, action: int | None) -> None:
        super().step(action)
        if self.bad:
            self.rewards = {agent: 2 * reward for agent, reward in self.rewards.items()}


class LostLastReward(Planted):
    """The best-known mistake: what the last mover wins is never told it."""

    def step(self, action: int | None) -> None:
        mover = self.agent_selection
        super().step(action)
        if action is not None and self._asked < 0:
            self._cumulative_rewards[mover] = 0.0


class RewardIsNotANumber(Planted):
    def step(self, action: int | None) -> None:
        super().step(action)
        if self.bad and self.agents:
            self.rewards[self.agents[0]] = float("nan")


class OneEndsEarly(Planted):
    def step(self, action: int | None) -> None:
        super().step(action)
        if self.bad and self.agents:
            self.terminations[self.agents[0]] = True


class SeedIsIgnored(Planted):
    deals = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deals += 1
        super().reset(self.deals, options)


class ForgetsAnAgent(Planted):
    def step(self, action: int | None) -> None:
        super().step(action)
        if self.bad and len(self.agents) > 1:
            del self.truncations[self.agents[0]]


FAULTS: list[tuple[Callable[[], TurnEnv], str]] = [
    (EmptyMask, "mask of player_. is empty"),
    (EmptyMaskOfAnother, "mask of player_. is empty"),
    (UnsignedMask, "must be an int8 array"),
    (ShortMask, r"must be an int8 array of shape \(\d+,\), not a int8 array of shape \(5,\)"),
    (NoMask, "has an 'action_mask'"),
    (TwoInMask, "other numbers than 0 and 1"),
    (OutOfSpace, r"outside its observation space.*entry \(17,\) is 99"),
    (WiderNumbers, "outside its observation space"),
    (MaskOfAnotherInInfo, r"infos\['player_0'\].*isn't the very mask"),
    (CopiedMaskInInfo, r"infos\['player_0'\].*isn't the very mask"),
    (OthersMayActToo, "isn't asked, but"),
    (OnlyWaits, "can only wait"),
    (ObserveChangesRewards, "side effect: rewards"),
    (ObserveSelects, "agent_selection|isn't asked|can only wait|very mask"),
    (ObserveCounts, "second time"),
    (ObserveDraws, "played again"),
    (ObserveChangesState, "second time|side effect|isn't asked|can only wait"),
    (DoubledRewards, "was given rewards"),
    (LostLastReward, "was given rewards"),
    (RewardIsNotANumber, "isn't a finite number"),
    (OneEndsEarly, "must end together"),
    (SeedIsIgnored, "played again"),
    (ForgetsAnAgent, "truncations is of"),
]


@pytest.mark.parametrize(("fault", "message"), FAULTS, ids=[fault.__name__ for fault, _ in FAULTS])
def test_bombardment_finds(fault: Callable[[], TurnEnv], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        bombardment_test(fault(), 2000)


def test_bombardment_finds_nothing_where_nothing_is_planted() -> None:
    bombardment_test(Planted(), 1000)
    state_test(Planted(), 1000)


class StateOutOfSpace(Planted):
    def state(self) -> Any:
        state = super().state()
        if self.bad:
            state[3] = -77
        return state


class StateOfFloats(Planted):
    def state(self) -> Any:
        return super().state().astype(np.float32) if self.bad else super().state()


class StateShrinks(Planted):
    def state(self) -> Any:
        return super().state()[:-1] if self.bad else super().state()


class StateStands(Planted):
    def state(self) -> Any:
        return np.zeros_like(super().state())


class StateIsReused(Planted):
    def state(self) -> Any:
        if not hasattr(self, "buffer"):
            self.buffer = super().state()
        self.buffer[:] = super().state()
        return self.buffer


class StateCounts(Planted):
    calls = 0

    def state(self) -> Any:
        self.calls += 1
        state = super().state()
        state[0] = self.calls % 2
        return state


class NoStateSpace(Planted):
    def __init__(self) -> None:
        super().__init__()
        del self.state_space


STATE_FAULTS: list[tuple[Callable[[], TurnEnv], str]] = [
    (StateOutOfSpace, r"outside state_space: entry \(3,\) is -77"),
    (StateOfFloats, "must be a int8 array"),
    (StateShrinks, "must be a int8 array of shape"),
    (StateStands, "was the same at all"),
    (StateIsReused, "changed later"),
    (StateCounts, "second time"),
    (NoStateSpace, "state_space must be"),
]


@pytest.mark.parametrize(("fault", "message"), STATE_FAULTS, ids=[fault.__name__ for fault, _ in STATE_FAULTS])
def test_state_test_finds(fault: Callable[[], TurnEnv], message: str) -> None:
    with pytest.raises(AssertionError, match=message):
        state_test(fault(), 500)
