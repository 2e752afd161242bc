"""The library's own tests of environments find what is wrong: planted faults, and PettingZoo's own games."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import gymnasium.spaces
import numpy as np
import pettingzoo
import pytest

from riverbed_env import riverbed_hunt_v0
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
