"""Stable-Baselines3's environment of learners in any order of calls. It imports torch, so it has a file of its own."""

from __future__ import annotations

from typing import Any

import numpy as np
from fuzz.learner_machines import LearnersMachine, learner_options
from fuzz.machine import Call, SavingMachine, Wrong
from fuzz.values import Options, of_machine, seeds, wrong_seeds
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule

from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.errors import OptionError
from riverbed_env.testing.conformance.kit import assert_same


class VecEnvMachine(LearnersMachine, SavingMachine):
    """Calls of Stable-Baselines3's environment of one game."""

    env: LearnerVecEnv
    mode = "same_step"

    @initialize(options=of_machine(lambda machine: learner_options(machine.game_id)), n=st.integers(1, 4), seed=seeds)
    def begin(self, options: Options, n: int, seed: int) -> None:
        self.sit(options, n, seed)

    def make(self, **options: Any) -> LearnerVecEnv:
        return LearnerVecEnv(self.game_id, **{"num_envs": self.n, **options})

    def wrong(self) -> dict[str, Wrong]:
        return {**super().wrong(), "seed": Wrong(wrong_seeds, self.env.seed, OptionError, "seed")}

    @rule(seed=st.none() | seeds)
    def reset(self, seed: int | None) -> None:
        if seed is not None:
            self.env.seed(seed)
        self.on_twin(lambda batch: batch.begin(seed))
        np.testing.assert_array_equal(self.env.reset(), self.twin.observation)

    def check_returned(self, answered: Any) -> None:
        observations, rewards, dones, infos = answered
        np.testing.assert_array_equal(observations, self.twin.observation)
        np.testing.assert_array_equal(rewards, self.twin.reward)
        np.testing.assert_array_equal(dones, self.twin.terminated | self.twin.truncated)
        for index, info in enumerate(infos):
            assert ("terminal_observation" in info) == bool(dones[index])
            if dones[index]:
                np.testing.assert_array_equal(info["terminal_observation"], self.twin.final_observation[index])
                assert info["TimeLimit.truncated"] is bool(self.twin.truncated[index])

    @rule(indices=st.none() | st.integers(0, 0), close=st.booleans())
    def ask(self, indices: int | None, close: bool) -> None:
        masks = self.env.env_method("action_masks", indices=indices)
        np.testing.assert_array_equal(masks, self.twin.action_mask if indices is None else self.twin.action_mask[:1])
        assert self.env.has_attr("action_masks")
        assert self.env.env_is_wrapped(object) == [False] * self.n
        if close:
            self.env.close()

    def restore(self, state: Any, history: tuple[Call, ...], note: Any) -> None:
        observations = self.env.set_state(state)
        self.replay(history)
        self.on_twin(lambda batch: batch.set_state(batch.get_state()))  # the games of a state are dealt already
        np.testing.assert_array_equal(observations, self.twin.observation)

    def compare(self) -> None:
        (part,) = self.env.parts
        assert_same(part.get_state(), self.twin.get_state())
