"""Stable-Baselines3's environment of learners in any order of calls, beside the batch that it says it is made of.

It is in a file of its own, since it imports torch.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from fuzz.batch_machine import whole_and_within
from fuzz.fuzz_answers import answer, refusal
from fuzz.fuzz_values import Options, of_machine, salts, seeds, strange, wrong_seeds
from fuzz.learner_machine import is_like, learner_options, made
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from learner.learner_kit import chosen, hashed

from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.envs.sb3 import LearnerVecEnv
from riverbed_env.errors import IllegalActionError, OptionError, StateError
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import assert_same


class VecEnvMachine(RuleBasedStateMachine):
    """Calls of Stable-Baselines3's environment of one game."""

    game_id: ClassVar[str]
    examples: ClassVar[int] = 0  # of the machine so far, and their calls and decisions
    calls: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    saved = Bundle("saved")

    def __init__(self) -> None:
        super().__init__()
        type(self).examples += 1
        self.history: tuple[Callable[[LearnerBatch], Any], ...] = ()
        self.next_seed: int | None = None

    @initialize(options=of_machine(lambda machine: learner_options(machine.game_id)), n=st.integers(1, 4), seed=seeds)
    def begin(self, options: Options, n: int, seed: int) -> None:
        kind, error, words = answer(lambda: LearnerVecEnv(self.game_id, n, seed=seed, **made(options)) is None)
        if kind == "raises":
            assert issubclass(error, OptionError), words
            options = {"opponents": options["opponents"], "on_illegal": options["on_illegal"]}
        self.n, self.options, self.seed = n, options, seed
        self.env = LearnerVecEnv(self.game_id, n, seed=seed, **made(options))
        self.batch = self.new()

    def new(self) -> LearnerBatch:
        return LearnerBatch(find_game(self.game_id), self.n, seed=self.seed, **made(self.options))

    def do(self, call: Callable[[LearnerBatch], Any]) -> None:
        """What changes the batch's games."""
        call(self.batch)
        self.history = (*self.history, call)

    @rule(seed=st.none() | seeds)
    def reset(self, seed: int | None) -> None:
        if seed is not None:
            self.env.seed(seed)
        self.do(lambda batch: batch.begin(seed))
        np.testing.assert_array_equal(self.env.reset(), self.batch.observation)

    @rule(seed=wrong_seeds)
    def reset_with_a_wrong_seed(self, seed: Any) -> None:
        assert "seed" in refusal(lambda: self.env.seed(seed), OptionError)

    @rule(number=st.integers(1, 15), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            self.take(chosen(self.batch, lambda row, mask: hashed(row, mask, salt)))

    def take(self, actions: Any) -> None:
        """Actions in both."""
        type(self).steps += self.n
        kept = actions.copy()
        self.do(lambda batch: batch.step(kept.copy()))
        observations, rewards, dones, infos = self.env.step(actions)
        np.testing.assert_array_equal(observations, self.batch.observation)
        np.testing.assert_array_equal(rewards, self.batch.reward)
        np.testing.assert_array_equal(dones, self.batch.terminated | self.batch.truncated)
        for index, info in enumerate(infos):
            assert ("terminal_observation" in info) == bool(dones[index])
            if dones[index]:
                np.testing.assert_array_equal(info["terminal_observation"], self.batch.final_observation[index])
                assert info["TimeLimit.truncated"] is bool(self.batch.truncated[index])

    @rule(index=st.integers(0, 3), place=st.integers(0, 200), salt=salts)
    def step_that_isnt_legal(self, index: int, place: int, salt: int) -> None:
        index %= self.n
        actions = chosen(self.batch, lambda row, mask: hashed(row, mask, salt))
        illegal = np.flatnonzero(self.batch.action_mask[index] == 0)
        actions[index] = illegal[place % len(illegal)]
        if self.options["on_illegal"] == "raise":
            refusal(lambda: self.env.step(actions), IllegalActionError)
        else:
            self.take(actions)

    @rule(actions=strange | st.lists(st.integers() | st.floats() | st.none(), max_size=6))
    def step_with_no_actions(self, actions: Any) -> None:
        if not whole_and_within(actions, (self.n,), -(2**63), 2**64):
            refusal(lambda: self.env.step(actions), IllegalActionError)

    @rule(indices=st.none() | st.integers(0, 0), close=st.booleans())
    def ask(self, indices: int | None, close: bool) -> None:
        masks = self.env.env_method("action_masks", indices=indices)
        np.testing.assert_array_equal(masks, self.batch.action_mask if indices is None else self.batch.action_mask[:1])
        assert self.env.has_attr("action_masks")
        assert self.env.env_is_wrapped(object) == [False] * self.n
        if close:
            self.env.close()

    @rule(target=saved)
    def save(self) -> Any:
        return self.env.get_state(), self.history

    @rule(kept=saved)
    def load(self, kept: Any) -> None:
        state, history = kept
        observations = self.env.set_state(state)
        self.batch = self.new()
        for call in history:
            call(self.batch)
        self.batch.set_state(self.batch.get_state())  # the games of a state are dealt already, as those of a reset are
        self.history = (*history, lambda batch: batch.set_state(batch.get_state()))
        np.testing.assert_array_equal(observations, self.batch.observation)

    @rule(state=strange)
    def load_what_is_no_state(self, state: Any) -> None:
        refusal(lambda: self.env.set_state(state), StateError)

    @rule(place=st.integers(0, 50), other=strange)
    def load_a_damaged_state(self, place: int, other: Any) -> None:
        state = self.env.get_state()
        name = sorted(state)[place % len(state)]
        if is_like(other, state[name]):
            return
        refusal(lambda: self.env.set_state({**state, name: other}), StateError)

    @rule(columns=strange)
    def make_one_with_strange_columns(self, columns: Any) -> None:
        kind, error, words = answer(lambda: LearnerVecEnv(self.game_id, 1, seed=1, columns=columns) is None)
        assert kind == "gives" or issubclass(error, OptionError), words

    @rule(counts=strange | st.lists(st.integers(-1, 10), max_size=3), n=st.integers(0, 3) | strange)
    def make_one_with_strange_player_counts(self, counts: Any, n: Any) -> None:
        kind, error, words = answer(lambda: LearnerVecEnv(self.game_id, n, seed=1, num_players=counts) is None)
        assert kind == "gives" or issubclass(error, OptionError), words

    @invariant()
    def the_batch_is_the_same(self) -> None:
        type(self).calls += 1
        if hasattr(self, "batch"):
            (part,) = self.env.parts
            assert_same(part.get_state(), self.batch.get_state())
