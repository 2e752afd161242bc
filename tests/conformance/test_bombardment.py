"""The library's tests of environments find planted faults, and accept PettingZoo's own games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium.spaces
import numpy as np
import pettingzoo
import pytest

from riverbed_env import riverbed_hunt_v1
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.testing.bombardment import bombardment_test, state_test


def pettingzoos(name: str) -> Any:
    """One of PettingZoo's classic games; they need more than PettingZoo alone."""
    pytest.importorskip("pygame", reason="PettingZoo's classic games aren't installed")
    return pettingzoo.make("aec", f"classic/{name}")


@pytest.mark.parametrize("name", ["connect_four_v3", "leduc_holdem_v4", "texas_holdem_v4"])
def test_bombardment_runs_on_pettingzoos_own(name: str) -> None:
    bombardment_test(pettingzoos(name), 1000, wait_action=None, masks_in_infos=False)


def test_bombardment_can_tell_that_others_have_no_wait_action() -> None:
    with pytest.raises(AssertionError, match=r"empty|isn't asked"):
        bombardment_test(pettingzoos("connect_four_v3"), 100, masks_in_infos=False)


def test_bombardment_can_tell_that_others_have_no_masks_in_infos() -> None:
    with pytest.raises(AssertionError, match="infos"):
        bombardment_test(pettingzoos("connect_four_v3"), 100, wait_action=None)


class Planted(riverbed_hunt_v1.raw_env):
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


Change = Callable[[Any, str, Any], Any]


def observing(change: Change, *, at_once: bool = False, masks: Any = None) -> type[Planted]:
    """What `change(env, agent, seen)` makes of observations. at_once: from the first on. masks: their space."""

    class Fault(Planted):
        def observation_space(self, agent: str) -> Any:
            space = super().observation_space(agent)
            return gymnasium.spaces.Dict({**space, "action_mask": masks}) if masks is not None else space

        def observe(self, agent: str) -> Any:
            seen = super().observe(agent)
            return change(self, agent, seen) if at_once or self.bad else seen

    return Fault


def masked(mask: Callable[[Any], Any], of: Callable[[Any, str], bool] = lambda env, agent: True, **more: Any) -> Any:
    """A fault in masks; of: of these agents alone."""

    def change(env: Any, agent: str, seen: Any) -> Any:
        return {**seen, "action_mask": mask(seen["action_mask"])} if of(env, agent) else seen

    return observing(change, **more)


def vectored(vector: Callable[[Any], Any]) -> type[Planted]:
    """A fault in observation vectors."""
    return observing(lambda env, agent, seen: {**seen, "observation": vector(seen["observation"])})


def stepping(change: Callable[[Any], object]) -> type[Planted]:
    """What `change(env)` does after each step."""

    class Fault(Planted):
        def step(self, action: int | None) -> None:
            super().step(action)
            if self.bad and self.agents:
                change(self)

    return Fault


def stated(state: Callable[[Any], Any]) -> type[Planted]:
    """A fault in full states."""

    class Fault(Planted):
        def state(self) -> Any:
            return state(super().state()) if self.bad else super().state()

    return Fault


def is_asked(env: Any, agent: str) -> bool:
    return bool(agent == env.agent_selection)


def isnt_asked(env: Any, agent: str) -> bool:
    return not is_asked(env, agent)


def with_entry(place: int, value: int) -> Callable[[Any], Any]:
    """The same vector with another number in a place."""

    def changed(vector: Any) -> Any:
        vector = vector.copy()
        vector[place] = value
        return vector

    return changed


class NoMask(Planted):
    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]["observation"]

    def observe(self, agent: str) -> Any:
        return super().observe(agent)["observation"]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        super().reset(seed, options)
        self.infos = {agent: {} for agent in self.agents}


class OthersMayActToo(Planted):
    def _see(self, seat: int) -> Any:
        seen = super()._see(seat)
        if self.bad:
            self.infos[f"player_{seat}"] = {"action_mask": np.ones_like(seen["action_mask"])}
            seen["action_mask"] = self.infos[f"player_{seat}"]["action_mask"]
        return seen


class LostLastReward(Planted):
    """The best-known mistake: `last()` never returns what the last mover wins."""

    def step(self, action: int | None) -> None:
        mover = self.agent_selection
        super().step(action)
        if action is not None and self._asked < 0:
            self._cumulative_rewards[mover] = 0.0


class SeedIsIgnored(Planted):
    deals = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deals += 1
        super().reset(self.deals, options)


def put_mask_in_info(owner: int) -> Callable[[Any], None]:
    """The first agent's info holds a copy of an agent's mask."""

    def change(env: Any) -> None:
        env.infos[env.agents[0]] = {"action_mask": env.observe(env.agents[owner])["action_mask"].copy()}

    return change


def let_it_wait_only(env: Any) -> None:
    if env._asked >= 0:
        env.observe(env.agent_selection)["action_mask"][:] = env._waiting["action_mask"]


def reward_a_look(env: Any, agent: str, seen: Any) -> Any:
    env.rewards = {**env.rewards, agent: 0.5}
    return seen


def select_by_a_look(env: Any, agent: str, seen: Any) -> Any:
    if agent == env.agents[0]:
        env.agent_selection = agent
    return seen


def count_looks(env: Any, agent: str, seen: Any) -> Any:
    env.looks = getattr(env, "looks", 0) + 1
    return (
        {**seen, "observation": with_entry(0, env.looks % 2)(seen["observation"])} if isnt_asked(env, agent) else seen
    )


def draw_by_a_look(env: Any, agent: str, seen: Any) -> Any:
    """Looking at anybody but the selected agent uses up chance: nothing to be seen at once."""
    if env.agents and isnt_asked(env, agent):
        env._games[0]["chance"]["drawn"] += 1
    return seen


def change_state_by_a_look(env: Any, agent: str, seen: Any) -> Any:
    env._games[0]["table"]["tally"][0] += 1
    env._games[0]["table"]["asks"][0] = 1
    env._cache = {}
    return seen


SIZE = riverbed_hunt_v1.raw_env().game.actions.size
FAULTS: dict[str, tuple[Callable[[], TurnEnv], str]] = {
    "empty mask": (masked(np.zeros_like, is_asked), "mask of player_. is empty"),
    "empty mask of another": (masked(np.zeros_like, isnt_asked), "mask of player_. is empty"),
    "unsigned mask": (
        masked(lambda mask: mask.astype(np.uint8), at_once=True, masks=gymnasium.spaces.Box(0, 1, (SIZE,), np.uint8)),
        "must be an int8 array",
    ),
    "short mask": (
        masked(lambda mask: mask[:5], at_once=True, masks=gymnasium.spaces.Box(0, 1, (5,), np.int8)),
        r"must be an int8 array of shape \(\d+,\), not a int8 array of shape \(5,\)",
    ),
    "no mask": (NoMask, "has an 'action_mask'"),
    "two in mask": (
        masked(lambda mask: mask * np.int8(2), masks=gymnasium.spaces.Box(0, 2, (SIZE,), np.int8)),
        "other numbers than 0 and 1",
    ),
    "out of space": (vectored(with_entry(17, 99)), r"outside its observation space.*entry \(17,\) is 99"),
    "wider numbers": (vectored(lambda vector: vector.astype(np.int32)), "outside its observation space"),
    "another's mask in info": (stepping(put_mask_in_info(-1)), r"infos\['player_0'\].*isn't the very mask"),
    "copied mask in info": (stepping(put_mask_in_info(0)), r"infos\['player_0'\].*isn't the very mask"),
    "others may act too": (OthersMayActToo, "isn't asked, but"),
    "only waits": (stepping(let_it_wait_only), "can only wait"),
    "a look is rewarded": (observing(reward_a_look), "side effect: rewards"),
    "a look selects": (observing(select_by_a_look), "agent_selection|isn't asked|can only wait|very mask"),
    "looks are counted": (observing(count_looks), "second time"),
    "a look draws": (observing(draw_by_a_look, at_once=True), "played again"),
    "a look changes the state": (
        observing(change_state_by_a_look),
        "second time|side effect|isn't asked|can only wait",
    ),
    "doubled rewards": (
        stepping(lambda env: env.rewards.update({agent: 2 * reward for agent, reward in env.rewards.items()})),
        "was given rewards",
    ),
    "lost last reward": (LostLastReward, "was given rewards"),
    "reward is not a number": (
        stepping(lambda env: env.rewards.update(player_0=float("nan"))),
        "isn't a finite number",
    ),
    "one ends early": (stepping(lambda env: env.terminations.update(player_0=True)), "must end together"),
    "seed is ignored": (SeedIsIgnored, "played again"),
    "an agent forgotten": (stepping(lambda env: env.truncations.pop(env.agents[0])), "truncations is of"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_bombardment_finds(fault: str) -> None:
    make, message = FAULTS[fault]
    with pytest.raises(AssertionError, match=message):
        bombardment_test(make(), 2000)


def test_bombardment_finds_nothing_where_nothing_is_planted() -> None:
    bombardment_test(Planted(), 1000)
    state_test(Planted(), 1000)


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
        return with_entry(0, self.calls % 2)(super().state())


class NoStateSpace(Planted):
    def __init__(self) -> None:
        super().__init__()
        del self.state_space


STATE_FAULTS: dict[str, tuple[Callable[[], TurnEnv], str]] = {
    "out of space": (stated(with_entry(3, -77)), r"outside state_space: entry \(3,\) is -77"),
    "floats": (stated(lambda state: state.astype(np.float32)), "must be a int8 array"),
    "shrinks": (stated(lambda state: state[:-1]), "must be a int8 array of shape"),
    "stands": (StateStands, "was the same at all"),
    "is reused": (StateIsReused, "changed later"),
    "counts": (StateCounts, "second time"),
    "no space": (NoStateSpace, "state_space must be"),
}


@pytest.mark.parametrize("fault", STATE_FAULTS)
def test_state_test_finds(fault: str) -> None:
    make, message = STATE_FAULTS[fault]
    with pytest.raises(AssertionError, match=message):
        state_test(make(), 500)
