"""The batch of learners in any order of calls. Gymnasium's and Stable-Baselines3's environments are made of it.

That it plays the turn-based environment's games, and these environments the batch's, is tested in `tests/learner`.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from fuzz.machine import Call, SavingMachine, Wrong, answer, refusal, whole_and_within
from fuzz.values import (
    NOT_OF_BATCHES,
    Options,
    allowed_options,
    game_numbers,
    of_machine,
    salts,
    seeds,
    strange,
    wrong_numbers,
)
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule
from learner.learner_kit import Hashing, Remembering, chosen, hashed, sights

from riverbed_env.envs.learner import AUTORESET, ON_ILLEGAL, LearnerBatch
from riverbed_env.errors import IllegalActionError, OptionError
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import assert_same

OPPONENTS: dict[str, Callable[[], Any]] = {"random": lambda: "random", "hashing": Hashing, "remembering": Remembering}
OF_GAMES = ("observation", "action_mask", "seat", "game_number", "over", "illegal", "passed_over", "seed")


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


class LearnerMachine(SavingMachine):
    """Calls of the batch of learners of one game."""

    env: LearnerBatch
    twin: LearnerBatch
    restored = False  # a state was loaded since the last step, whose results then mean nothing

    @initialize(
        options=of_machine(lambda machine: learner_options(machine.game_id)),
        n=st.integers(1, 4),
        seed=seeds,
        mode=st.sampled_from(AUTORESET),
    )
    def begin(self, options: Options, n: int, seed: int, mode: str) -> None:
        """Make both; with few options where these don't go together."""
        self.n, self.options = n, {"seed": seed, "autoreset": mode, **options}
        kind, error, words = answer(lambda: self.new() is None)
        if kind == "raises":  # a role that isn't dealt, or a cap that ends all games before the learner is asked
            assert issubclass(error, OptionError), words
            self.options = {name: self.options[name] for name in ("seed", "autoreset", "opponents", "on_illegal")}
        self.env, self.twin = self.new(), self.new()

    def new(self) -> LearnerBatch:
        opponents = OPPONENTS[self.options["opponents"]]()
        return LearnerBatch(find_game(self.game_id), self.n, **{**self.options, "opponents": opponents})

    def on_both(self, call: Call) -> None:
        super().on_both(call)
        self.restored = False

    def choose(self, salt: int) -> Any:
        return chosen(self.env, lambda row, mask: hashed(row, mask, salt))

    def take(self, actions: Any) -> None:
        kept = actions.copy()
        self.on_both(lambda batch: batch.step(kept.copy()))

    @rule(seed=st.none() | seeds, first=st.none() | game_numbers)
    def reset(self, seed: int | None, first: int | None) -> None:
        self.on_both(lambda batch: batch.reset(seed=seed, first_game=first))
        assert seed is None or (self.env.seed, self.env.illegal) == (seed, 0)
        assert not self.env.over.any()

    @rule(index=st.integers(0, 3), place=st.integers(0, 200), other=st.integers(-5, 300), salt=salts)
    def step_that_isnt_legal(self, index: int, place: int, other: int, salt: int) -> None:
        index %= self.n
        batch, actions, over = self.env, self.choose(salt), bool(self.env.over[index])
        illegal = np.flatnonzero(batch.action_mask[index] == 0)
        inside = over or 0 <= other < batch.action_mask.shape[1]
        actions[index] = illegal[place % len(illegal)] if inside else other
        if batch.on_illegal == "raise" and not over:
            words = refusal(lambda: batch.step(actions), IllegalActionError)
            assert f"seat {batch.seat[index]} " in words
            assert "legal: " in words
            return
        counted = batch.illegal
        self.take(actions)
        assert batch.illegal == counted + (not over)
        if batch.on_illegal == "terminate" and not over:
            assert batch.terminated[index]
            assert not batch.truncated[index]
            assert batch.reward[index] == -1

    def wrong(self) -> dict[str, Wrong]:
        number = wrong_numbers.filter(lambda value: value is not None)
        actions = (strange | st.lists(st.integers() | st.floats() | st.none(), max_size=6)).filter(
            lambda value: not whole_and_within(value, (self.n,), -(2**63), 2**64)
        )
        return {
            **super().wrong(),
            "number": Wrong(number, lambda value: self.env.reset(first_game=value), OptionError, "game"),
            "actions": Wrong(actions, self.env.step, IllegalActionError),
        }

    def restore(self, state: Any, history: tuple[Call, ...], note: Any) -> None:
        super().restore(state, history, note)
        self.restored = True

    def compare(self) -> None:
        one, other = sights(self.env), sights(self.twin)
        compared = OF_GAMES if self.restored else one
        assert_same(*({name: every[name] for name in compared} for every in (one, other)))
        assert_same(self.env.get_state(), self.twin.get_state())
        for index in np.flatnonzero(~self.env.over):
            assert self.env.action_mask[index].any()
            assert self.env.action_mask[index][0] == 0
