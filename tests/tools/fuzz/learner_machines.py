"""Learners in any order of calls: the batch that all their environments are made of, and Gymnasium's environments.

The twin is a batch of learners. That a batch plays the turn-based environment's games is tested in `tests/learner`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np
from fuzz.machine import Call, Machine, SavingMachine, Wrong, answer, given, refusal, whole_and_within
from fuzz.values import (
    MOST_SEED,
    NOT_OF_BATCHES,
    Options,
    allowed_options,
    game_numbers,
    of_machine,
    salts,
    seeds,
    strange,
    wrong_numbers,
    wrong_seeds,
)
from hypothesis import strategies as st
from hypothesis.stateful import initialize, precondition, rule
from learner.learner_kit import Hashing, Remembering, chosen, hashed, sights

from riverbed_env.envs.learner import AUTORESET, ON_ILLEGAL, LearnerBatch
from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.envs.learner_vector import LearnerVectorEnv
from riverbed_env.errors import EpisodeOverError, IllegalActionError, OptionError
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import assert_same

if TYPE_CHECKING:
    from riverbed_env.envs.sb3 import LearnerVecEnv

OPPONENTS: dict[str, Callable[[], Any]] = {"random": lambda: "random", "hashing": Hashing, "remembering": Remembering}


@st.composite
def learner_options(draw: st.DrawFn, game_id: str) -> Options:
    """Options of a learner that go together, most likely; the opponents by the name of their kind."""
    options = draw(allowed_options(game_id, *NOT_OF_BATCHES, "view"))
    options["opponents"] = draw(st.sampled_from(sorted(OPPONENTS)))
    if options["opponents"] == "random":  # the others would look at what the turn-based environment shows in this view
        options["view"] = draw(st.sampled_from(sorted(find_game(game_id).views)))
    options["role"] = draw(st.sampled_from([None, *find_game(game_id).roles]))
    options["on_illegal"] = draw(st.sampled_from(ON_ILLEGAL))
    return options


class LearnersMachine(Machine):
    """What all machines of learners share: an environment of `n` learners and `batch`, in which their games are seen.

    The batch is the twin, or, where the environment under test is a batch itself, that environment.
    """

    modes: ClassVar[tuple[str, ...]] = ("off",)  # of dealing the next game, of AUTORESET
    most_envs: ClassVar[int] = 4
    twin: LearnerBatch

    @initialize(
        options=of_machine(lambda machine: learner_options(machine.game_id)),
        n=of_machine(lambda machine: st.integers(1, machine.most_envs)),
        seed=seeds,
        mode=of_machine(lambda machine: st.sampled_from(machine.modes)),
    )
    def begin(self, options: Options, n: int, seed: int, mode: str) -> None:
        """Make the environment and the twin; with few options where these don't go together."""
        self.n, self.mode, self.options = n, mode, {"seed": seed, **options}
        kind, error, words = answer(lambda: self.make(**self.made()) is None)
        if kind == "raises":  # a role that isn't dealt, or a cap that ends all games before the learner is asked
            assert issubclass(error, OptionError), words
            self.options = {name: self.options[name] for name in ("seed", "opponents", "on_illegal")}
        self.env, self.twin = self.make(**self.made()), self.new()

    def made(self) -> Options:
        """The options, with the opponents themselves."""
        return {**self.options, "opponents": OPPONENTS[self.options["opponents"]]()}

    def make(self, **options: Any) -> Any:
        """An environment of the kind under test."""
        raise NotImplementedError

    def new(self) -> LearnerBatch:
        return LearnerBatch(find_game(self.game_id), self.n, autoreset=self.mode, **self.made())

    @property
    def batch(self) -> LearnerBatch:
        return self.twin

    def choose(self, salt: int) -> Any:
        return chosen(self.batch, lambda row, mask: hashed(row, mask, salt))

    def step(self, actions: Any) -> Any:
        """Step the environment under test."""
        return self.env.step(actions)

    def take(self, actions: Any) -> None:
        """Step both, and compare what is returned."""
        kept = actions.copy()
        self.on_twin(lambda batch: batch.step(kept.copy()))
        self.check_returned(given(lambda: self.step(actions)))

    def check_returned(self, answered: Any) -> None:
        raise NotImplementedError

    @precondition(lambda self: self.playing)
    @rule(index=st.integers(0, 3), place=st.integers(0, 200), other=st.integers(-5, 300), salt=salts)
    def step_that_isnt_legal(self, index: int, place: int, other: int, salt: int) -> None:
        index %= self.n
        batch, actions, over = self.batch, self.choose(salt), bool(self.batch.over[index])
        illegal = np.flatnonzero(batch.action_mask[index] == 0)
        inside = over or 0 <= other < batch.action_mask.shape[1]
        actions[index] = illegal[place % len(illegal)] if inside else other
        if batch.on_illegal == "raise" and not over:
            words = refusal(lambda: self.step(actions), IllegalActionError)
            assert f"seat {batch.seat[index]} " in words
            assert "legal: " in words
            return
        counted = batch.illegal
        self.take(actions)
        assert self.batch.illegal == counted + (not over)
        if batch.on_illegal == "terminate" and not over:
            assert self.batch.terminated[index]
            assert not self.batch.truncated[index]
            assert self.batch.reward[index] == -1

    def wrong(self) -> dict[str, Wrong]:
        every = super().wrong()
        if self.playing:
            actions = strange | st.lists(st.integers() | st.floats() | st.none(), max_size=6)
            every["actions"] = Wrong(actions.filter(self.is_no_row), self.env.step, IllegalActionError)
        return every

    def is_no_row(self, actions: Any) -> bool:
        """Whether these aren't integers in a shape that actions may have."""
        return not any(whole_and_within(actions, shape, -(2**63), 2**64) for shape in self.shapes())

    def shapes(self) -> list[tuple[int, ...]]:
        """The shapes that actions may have."""
        return [(self.n,)]

    def compare(self) -> None:
        assert_same(sights(self.env.learner), sights(self.twin))
        assert_same(self.env.learner.get_state(), self.twin.get_state())


class LearnerMachine(LearnersMachine, SavingMachine):
    """Calls of the batch of learners of one game."""

    env: LearnerBatch
    modes = AUTORESET
    restored = False  # a state was loaded since the last step, whose results then mean nothing

    def make(self, **options: Any) -> LearnerBatch:
        return LearnerBatch(find_game(self.game_id), **{"num_envs": self.n, "autoreset": self.mode, **options})

    @property
    def batch(self) -> LearnerBatch:
        return self.env

    def on_both(self, call: Call) -> None:
        super().on_both(call)
        self.restored = False

    @rule(seed=st.none() | seeds, first=st.none() | game_numbers)
    def reset(self, seed: int | None, first: int | None) -> None:
        self.on_both(lambda batch: batch.reset(seed=seed, first_game=first))
        assert seed is None or (self.env.seed, self.env.illegal) == (seed, 0)
        assert not self.env.over.any()

    def take(self, actions: Any) -> None:
        kept = actions.copy()
        self.on_both(lambda batch: batch.step(kept.copy()))

    def wrong(self) -> dict[str, Wrong]:
        number = wrong_numbers.filter(lambda value: value is not None)
        return {
            **super().wrong(),
            "number": Wrong(number, lambda value: self.env.reset(first_game=value), OptionError, "game"),
            "actions to check": Wrong(strange.filter(self.is_no_row), self.env.check, IllegalActionError),
        }

    def restore(self, state: Any, history: tuple[Call, ...], note: Any) -> None:
        super().restore(state, history, note)
        self.restored = True

    def compare(self) -> None:
        assert_same(self.shown(self.env), self.shown(self.twin))
        assert_same(self.env.get_state(), self.twin.get_state())
        for index in np.flatnonzero(~self.env.over):
            assert self.env.action_mask[index].any()
            assert self.env.action_mask[index][0] == 0

    def shown(self, batch: LearnerBatch) -> dict[str, Any]:
        """What a batch shows; after `set_state` what depends on the games alone."""
        every = sights(batch)
        alone = ("observation", "action_mask", "seat", "game_number", "over", "illegal", "passed_over", "seed")
        return {name: every[name] for name in alone} if self.restored else every


QUESTIONS: dict[str, Callable[[Any], Any]] = {
    "spaces": lambda env: (env.observation_space, env.action_space),
    "render": lambda env: env.render(),
    "describe": lambda env: getattr(env, "describe_action", str)(1),
    "close": lambda env: env.close(),
}


class GymnasiumMachine(LearnersMachine):
    """What both of Gymnasium's environments share."""

    @rule(question=st.sampled_from(sorted(QUESTIONS)))
    def ask(self, question: str) -> None:
        answer(lambda: QUESTIONS[question](self.env))
        np.testing.assert_array_equal(np.atleast_2d(self.env.action_masks()), self.twin.action_mask)

    def check_seen(self, observations: Any, infos: Any) -> None:
        """What is seen is what the twin shows, which has an axis more for a single environment."""
        assert observations in self.env.observation_space
        np.testing.assert_array_equal(np.atleast_2d(observations), self.twin.observation)
        np.testing.assert_array_equal(np.atleast_2d(infos["action_mask"]), self.twin.action_mask)
        np.testing.assert_array_equal(np.atleast_1d(infos["game_number"]), self.twin.game_number)
        assert infos["illegal"] == self.twin.illegal

    def check_returned(self, answered: Any) -> None:
        observations, rewards, terminated, truncated, infos = answered
        self.check_seen(observations, infos)
        np.testing.assert_array_equal(np.atleast_1d(rewards), self.twin.reward)
        np.testing.assert_array_equal(np.atleast_1d(terminated), self.twin.terminated)
        np.testing.assert_array_equal(np.atleast_1d(truncated), self.twin.truncated)


def large(seed: object) -> bool:
    """Whether it is a seed that Gymnasium allows though it is larger than ours."""
    return isinstance(seed, int | np.integer) and int(seed) > MOST_SEED


class SingleMachine(GymnasiumMachine):
    """Calls of the single environment of one game."""

    env: LearnerEnv
    most_envs = 1
    was_reset = False

    def make(self, **options: Any) -> LearnerEnv:
        return LearnerEnv(self.game_id, **{"render_mode": "ansi", **options})

    @property
    def playing(self) -> bool:
        return self.was_reset and not self.twin.over[0]

    @rule(
        seed=st.none() | seeds,
        number=st.none() | game_numbers,
        empty=st.booleans(),
        then=st.integers(0, 30),
        salt=salts,
    )
    def reset(self, seed: int | None, number: int | None, empty: bool, then: int, salt: int) -> None:
        """And play on into the middle of the game."""
        nothing = {} if empty else None
        options = nothing if number is None else {"game_number": number}
        self.on_twin(lambda batch: batch.begin(seed, number))
        self.check_seen(*self.env.reset(seed=seed, options=options))
        self.was_reset = True
        self.play(then, salt)

    def wrong(self) -> dict[str, Wrong]:
        env = self.env
        given = strange.filter(lambda value: value is not None and not isinstance(value, dict))
        numbers = wrong_numbers.map(lambda value: {"game_number": value})
        every = {
            **super().wrong(),
            "seed": Wrong(
                wrong_seeds.filter(lambda seed: not large(seed)),
                lambda seed: env.reset(seed=seed),
                OptionError,
                "seed",
            ),
            "options": Wrong(given, lambda value: env.reset(seed=1, options=value), OptionError, "options"),
            "number": Wrong(numbers, lambda value: env.reset(options=value), OptionError, "game_number"),
        }
        if not self.playing:
            every["step where no game is played"] = Wrong(st.integers(-3, 200), env.step, EpisodeOverError)
        return every

    def step(self, actions: Any) -> Any:
        return self.env.step(int(actions[0]))

    def shapes(self) -> list[tuple[int, ...]]:
        return [(), (1,)]


class VectorMachine(GymnasiumMachine):
    """Calls of the vector environment of one game, in both ways of dealing the next game."""

    env: LearnerVectorEnv
    modes = ("same_step", "next_step")

    def make(self, **options: Any) -> LearnerVectorEnv:
        named = {"same_step": "SameStep", "next_step": "NextStep"}[self.mode]
        return LearnerVectorEnv(self.game_id, **{"num_envs": self.n, "autoreset_mode": named, **options})

    @rule(seed=st.none() | seeds)
    def reset(self, seed: int | None) -> None:
        self.on_twin(lambda batch: batch.begin(seed))
        self.check_seen(*self.env.reset(seed=seed))

    def wrong(self) -> dict[str, Wrong]:
        several = st.lists(st.integers(), max_size=4)
        wrong = {
            "seed": wrong_seeds.filter(lambda seed: not isinstance(seed, Sequence | np.ndarray) and not large(seed)),
            "seeds": several.filter(lambda seeds: len(seeds) != self.n),
        }
        reset = self.env.reset
        refused = {
            name: Wrong(each, lambda seed: reset(seed=seed), OptionError, "seed") for name, each in wrong.items()
        }
        return {**super().wrong(), **refused}

    def check_returned(self, answered: Any) -> None:
        super().check_returned(answered)
        infos = answered[-1]
        ended = self.twin.terminated | self.twin.truncated
        assert ("final_obs" in infos) == (self.mode == "same_step" and bool(ended.any()))
        if "final_obs" in infos:
            np.testing.assert_array_equal(infos["_final_obs"], ended)
            for index in np.flatnonzero(ended):
                np.testing.assert_array_equal(infos["final_obs"][index], self.twin.final_observation[index])


class VecEnvMachine(LearnersMachine, SavingMachine):
    """Calls of Stable-Baselines3's environment of one game."""

    env: LearnerVecEnv
    modes = ("same_step",)

    def make(self, **options: Any) -> LearnerVecEnv:
        from riverbed_env.envs.sb3 import LearnerVecEnv  # which imports torch

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
        part = self.env.learner
        assert_same(part.get_state(), self.twin.get_state())
