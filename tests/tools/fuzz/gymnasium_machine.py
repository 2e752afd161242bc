"""Gymnasium's environments of a learner in any order of calls, beside the batch that they say they are made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from fuzz.batch_machine import whole_and_within
from fuzz.fuzz_answers import answer, refusal
from fuzz.fuzz_values import Options, game_numbers, of_machine, salts, seeds, strange, wrong_numbers, wrong_seeds
from fuzz.learner_machine import learner_options, made
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from learner.learner_kit import chosen, hashed, sights

from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.envs.learner_vector import LearnerVectorEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import assert_same

QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "masks": lambda env: env.action_masks(),
    "spaces": lambda env: (env.observation_space, env.action_space),
    "render": lambda env: env.render(),
    "describe": lambda env: env.describe_action(1),
    "close": lambda env: env.close(),
}


class _Learners(RuleBasedStateMachine):
    """What both machines share: an environment, and a batch to hold it against."""

    game_id: ClassVar[str]
    examples: ClassVar[int] = 0  # of the machine so far, and their calls and decisions
    calls: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    env: Any
    batch: LearnerBatch

    def __init__(self) -> None:
        super().__init__()
        type(self).examples += 1

    def sit(self, options: Options, make: Callable[..., Any], n: int, seed: int, autoreset: str) -> None:
        """The environment and the batch; of the options what they hang on where all of them can't be."""
        kind, error, words = answer(lambda: bool(make(seed=seed, **made(options))))
        if kind == "raises":
            assert issubclass(error, OptionError), words
            options = {"opponents": options["opponents"], "on_illegal": options["on_illegal"]}
        self.on_illegal = options["on_illegal"]
        self.env = make(seed=seed, **made(options))
        self.batch = LearnerBatch(find_game(self.game_id), n, seed=seed, autoreset=autoreset, **made(options))
        self.n = n

    @rule(question=st.sampled_from(sorted(QUESTIONS)))
    def ask(self, question: str) -> None:
        if hasattr(self.env, "describe_action") or question != "describe":
            answer(lambda: QUESTIONS[question](self.env))
        np.testing.assert_array_equal(np.atleast_2d(self.env.action_masks()), self.batch.action_mask)

    @rule(seed=wrong_seeds)
    def reset_with_a_wrong_seed(self, seed: Any) -> None:
        assert "seed" in refusal(lambda: self.env.reset(seed=seed), OptionError)

    @invariant()
    def the_batch_is_the_same(self) -> None:
        type(self).calls += 1
        if hasattr(self, "batch"):
            assert_same(sights(self.env.learner), sights(self.batch))
            assert_same(self.env.learner.get_state(), self.batch.get_state())


class SingleMachine(_Learners):
    """Calls of the single environment of one game."""

    dealt = False

    @initialize(
        options=of_machine(lambda machine: learner_options(machine.game_id)),
        seed=seeds,
        render_mode=st.sampled_from([None, "ansi", "human"]),
    )
    def begin(self, options: Options, seed: int, render_mode: str | None) -> None:
        def make(**more: Any) -> LearnerEnv:
            return LearnerEnv(self.game_id, render_mode=render_mode, **more)

        self.sit(options, make, 1, seed, "off")

    def told(self, answered: Any) -> None:
        """An observation and an info as the batch has them."""
        observation, info = answered
        assert observation in self.env.observation_space
        np.testing.assert_array_equal(observation, self.batch.observation[0])
        np.testing.assert_array_equal(info["action_mask"], self.batch.action_mask[0])
        assert info["game_number"] == self.batch.game_number[0]
        assert info["illegal"] == self.batch.illegal

    @rule(seed=st.none() | seeds, number=st.none() | game_numbers, other=st.none() | strange)
    def reset(self, seed: int | None, number: int | None, other: Any) -> None:
        options = None if number is None and other is None else {"game_number": number}
        self.batch.begin(seed, number)
        self.told(self.env.reset(seed=seed, options=options))
        self.dealt = True

    @rule(number=wrong_numbers.filter(lambda value: value is not None), seed=st.none() | seeds)
    def reset_to_a_wrong_number(self, number: Any, seed: int | None) -> None:
        assert "game_number" in refusal(lambda: self.env.reset(seed=seed, options={"game_number": number}), OptionError)

    @rule(options=strange.filter(lambda value: value is not None and not isinstance(value, dict)))
    def reset_with_options_that_are_none(self, options: Any) -> None:
        assert "options" in refusal(lambda: self.env.reset(seed=1, options=options), OptionError)

    @rule(number=st.integers(1, 30), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            if not self.dealt or self.batch.over[0]:
                refusal(lambda: self.env.step(1), EpisodeOverError)
                return
            self.take(hashed(self.batch.observation[0], self.batch.action_mask[0], salt))

    def take(self, action: int) -> None:
        """An action in both."""
        type(self).steps += 1
        self.batch.step([action])
        kind, value, words = answer(lambda: self.env.step(action))
        assert kind == "gives", words
        observation, reward, terminated, truncated, info = value
        self.told((observation, info))
        assert (reward, terminated, truncated) == (
            float(self.batch.reward[0]),
            bool(self.batch.terminated[0]),
            bool(self.batch.truncated[0]),
        )

    @rule(place=st.integers(0, 200), other=st.integers(-3, 200))
    def step_that_isnt_legal(self, place: int, other: int) -> None:
        illegal = np.flatnonzero(self.batch.action_mask[0] == 0)
        action = int(illegal[place % len(illegal)]) if other < self.batch.action_mask.shape[1] else other
        if not self.dealt or self.batch.over[0]:
            refusal(lambda: self.env.step(action), EpisodeOverError)
        elif self.on_illegal == "raise":
            refusal(lambda: self.env.step(action), IllegalActionError)
        else:
            self.take(action)

    @rule(action=strange)
    def step_with_no_action(self, action: Any) -> None:
        whole = any(whole_and_within(action, shape, -(2**63), 2**64) for shape in ((), (1,)))
        if not whole:
            refusal(lambda: self.env.step(action), IllegalActionError, EpisodeOverError)


class VectorMachine(_Learners):
    """Calls of the vector environment of one game, in both ways to deal anew."""

    @initialize(
        options=of_machine(lambda machine: learner_options(machine.game_id)),
        n=st.integers(1, 4),
        seed=seeds,
        mode=st.sampled_from(["SameStep", "NextStep"]),
    )
    def begin(self, options: Options, n: int, seed: int, mode: str) -> None:
        def make(**more: Any) -> LearnerVectorEnv:
            return LearnerVectorEnv(self.game_id, n, autoreset_mode=mode, **more)

        self.mode = mode
        self.sit(options, make, n, seed, {"SameStep": "same_step", "NextStep": "next_step"}[mode])

    def told(self, observations: Any, infos: dict[str, Any]) -> None:
        assert observations in self.env.observation_space
        np.testing.assert_array_equal(observations, self.batch.observation)
        np.testing.assert_array_equal(infos["action_mask"], self.batch.action_mask)
        np.testing.assert_array_equal(infos["game_number"], self.batch.game_number)
        assert infos["illegal"] == self.batch.illegal

    @rule(seed=st.none() | seeds)
    def reset(self, seed: int | None) -> None:
        self.batch.begin(seed)
        self.told(*self.env.reset(seed=seed))

    @rule(seed=st.lists(st.integers(), max_size=4))
    def reset_with_several_seeds(self, seed: list[int]) -> None:
        assert "seed" in refusal(lambda: self.env.reset(seed=seed), OptionError)

    @rule(number=st.integers(1, 15), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            self.take(chosen(self.batch, lambda row, mask: hashed(row, mask, salt)))

    def take(self, actions: Any) -> None:
        """Actions in both."""
        type(self).steps += self.n
        self.batch.step(actions.copy())
        kind, value, words = answer(lambda: self.env.step(actions))
        assert kind == "gives", words
        observations, rewards, terminated, truncated, infos = value
        self.told(observations, infos)
        np.testing.assert_array_equal(rewards, self.batch.reward)
        np.testing.assert_array_equal(terminated, self.batch.terminated)
        np.testing.assert_array_equal(truncated, self.batch.truncated)
        ended = terminated | truncated
        assert ("final_obs" in infos) == (self.mode == "SameStep" and bool(ended.any()))
        if "final_obs" in infos:
            np.testing.assert_array_equal(infos["_final_obs"], ended)
            for index in np.flatnonzero(ended):
                np.testing.assert_array_equal(infos["final_obs"][index], self.batch.final_observation[index])

    @rule(index=st.integers(0, 3), place=st.integers(0, 200), salt=salts)
    def step_that_isnt_legal(self, index: int, place: int, salt: int) -> None:
        index %= self.n
        actions = chosen(self.batch, lambda row, mask: hashed(row, mask, salt))
        illegal = np.flatnonzero(self.batch.action_mask[index] == 0)
        actions[index] = illegal[place % len(illegal)]
        if self.on_illegal == "raise" and not self.batch.over[index]:
            refusal(lambda: self.env.step(actions), IllegalActionError)
        else:
            self.take(actions)

    @rule(actions=strange | st.lists(st.integers() | st.floats() | st.none(), max_size=6))
    def step_with_no_actions(self, actions: Any) -> None:
        if not whole_and_within(actions, (self.n,), -(2**63), 2**64):
            refusal(lambda: self.env.step(actions), IllegalActionError)

    @rule(mode=strange, which=st.sampled_from(["autoreset_mode", "render_mode", "num_envs"]))
    def make_one_with_a_strange_option(self, mode: Any, which: str) -> None:
        kind, error, words = answer(lambda: LearnerVectorEnv(self.game_id, **{which: mode, "seed": 1}) is None)
        assert kind == "gives" or issubclass(error, OptionError), words
