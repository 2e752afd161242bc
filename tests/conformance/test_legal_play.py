"""Legal play finds faults planted in an environment."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from riverbed_env import river_rats_v0
from riverbed_env.testing.conformance.legal_play import legal_play_test, state_test


class Planted(river_rats_v0.raw_env):
    """An environment with a fault that shows from the sixth step of a game on."""

    steps = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.steps = 0
        super().reset(seed=seed, options=options)

    def step(self, action: int | None) -> None:
        super().step(action)
        self.steps += 1
        if self.steps > 5 and self.agents:
            self.spoil()

    def observe(self, agent: str) -> Any:
        seen = super().observe(agent)
        return self.spoilt(agent, dict(seen)) if self.steps > 5 else seen

    def spoil(self) -> None:
        """The fault after a step."""

    def spoilt(self, agent: str, seen: dict[str, Any]) -> Any:
        """The fault in an observation."""
        return seen


class EmptyMask(Planted):
    def spoilt(self, agent: str, seen: dict[str, Any]) -> Any:
        mask = np.zeros_like(seen["action_mask"])
        self.infos[agent] = {"action_mask": mask}
        return {**seen, "action_mask": mask}


class OutOfSpace(Planted):
    def spoilt(self, agent: str, seen: dict[str, Any]) -> Any:
        return {**seen, "observation": np.full_like(seen["observation"], 99)}


class AnotherMaskInInfos(Planted):
    def spoil(self) -> None:
        self.infos = {agent: {"action_mask": np.ones(self.game.actions.size, np.int8)} for agent in self.agents}


class ALookIsRewarded(Planted):
    def spoilt(self, agent: str, seen: dict[str, Any]) -> Any:
        self.rewards = {**self.rewards, agent: 0.5}
        return seen


class LooksAreCounted(Planted):
    looks = 0

    def spoilt(self, agent: str, seen: dict[str, Any]) -> Any:
        self.looks += 1
        return {**seen, "observation": np.full_like(seen["observation"], self.looks % 2)}


class ALookDraws(Planted):
    """Looking at anybody but the selected agent uses up chance: nothing to be seen at once."""

    def observe(self, agent: str) -> Any:
        if agent != self.agent_selection:
            self._games[0]["chance"]["drawn"] += 1
        return super().observe(agent)


class DoubledRewards(Planted):
    def spoil(self) -> None:
        self.rewards = {agent: 2 * reward for agent, reward in self.rewards.items()}


class OneEndsEarly(Planted):
    def spoil(self) -> None:
        self.terminations = {**self.terminations, "player_0": True}


class SeedIsIgnored(Planted):
    deals = 0

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        self.deals += 1
        super().reset(self.deals, options)


@pytest.mark.parametrize(
    ("kind", "said"),
    [
        (EmptyMask, r"may take \[\]"),
        (OutOfSpace, "outside its observation space"),
        (AnotherMaskInInfos, "holds another mask"),
        (ALookIsRewarded, "side effect"),
        (LooksAreCounted, "second time"),
        (ALookDraws, "played again"),
        (DoubledRewards, "which was given"),
        (OneEndsEarly, "must end together"),
        (SeedIsIgnored, "played again"),
    ],
)
def test_a_planted_fault_is_found(kind: type[Planted], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        legal_play_test(kind(), 100)


class Constant(Planted):
    def state(self) -> Any:
        return np.zeros_like(super().state())


class SharedState(Planted):
    def state(self) -> Any:
        self.shown = getattr(self, "shown", super().state())
        self.shown[:] = super().state()
        return self.shown


class StateOutOfSpace(Planted):
    def state(self) -> Any:
        return super().state().astype(np.int64)


@pytest.mark.parametrize(
    ("kind", "said"), [(Constant, "at all steps"), (SharedState, "changed later"), (StateOutOfSpace, "outside")]
)
def test_a_planted_fault_in_the_state_is_found(kind: type[Planted], said: str) -> None:
    with pytest.raises(AssertionError, match=said):
        state_test(kind(), 100)
