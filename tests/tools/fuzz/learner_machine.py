"""Learners in any order of calls: the batch that all their environments are made of, beside a second one.

Games that end are held against the turn-based environment, where the learner's actions are taken again and the other
agents asked anew.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar

import numpy as np
from fuzz.batch_machine import NOT_OF_BATCHES, whole_and_within
from fuzz.fuzz_answers import answer, refusal
from fuzz.fuzz_values import (
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
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, rule
from learner.learner_kit import (
    Episode,
    Hashing,
    Remembering,
    Replay,
    assert_same_episode,
    chosen,
    hashed,
    installed,
    replayed,
    sights,
)

from riverbed_env.envs.learner import AUTORESET, ON_ILLEGAL, LearnerBatch
from riverbed_env.errors import IllegalActionError, OptionError, PackError, StateError
from riverbed_env.registry import find_game, game_ids
from riverbed_env.testing.conformance.kit import assert_same

Call = Callable[[LearnerBatch], Any]

REPLAYS = 3  # games of an example that are played again turn by turn
OPPONENTS: dict[str, Callable[[], Any]] = {"random": lambda: "random", "hashing": Hashing, "remembering": Remembering}
STRANGE_OPTIONS = (
    "n",
    "role",
    "opponents",
    "seed",
    "view",
    "features",
    "secrets",
    "on_illegal",
    "autoreset",
    "first_game",
)


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


def made(options: Options) -> Options:
    """The options with the opponents themselves."""
    return {**options, "opponents": OPPONENTS[options["opponents"]]()}


def is_like(other: Any, array: Any) -> bool:
    """Whether a value is such an array, which may be sound."""
    return isinstance(other, np.ndarray) and (other.shape, other.dtype) == (array.shape, array.dtype)


class LearnerMachine(RuleBasedStateMachine):
    """Calls of the batch of learners of one game."""

    game_id: ClassVar[str]
    examples: ClassVar[int] = 0  # of the machine so far, and their calls and decisions
    calls: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    saved = Bundle("saved")

    def __init__(self) -> None:
        super().__init__()
        type(self).examples += 1
        self.history: tuple[Call, ...] = ()
        self.replays = REPLAYS
        self.loaded = False  # a state was put back since the last step, of which nothing is told then

    @initialize(
        options=of_machine(lambda machine: learner_options(machine.game_id)),
        n=st.integers(1, 4),
        seed=seeds,
        autoreset=st.sampled_from(AUTORESET),
    )
    def begin(self, options: Options, n: int, seed: int, autoreset: str) -> None:
        self.n, self.autoreset = n, autoreset
        self.options, self.own = options, {"seed": seed, "autoreset": autoreset}
        kind, error, words = answer(lambda: bool(self.new()))
        if kind == "raises":  # a role that isn't dealt, or a cap that ends all games before the learner is asked
            assert issubclass(error, OptionError), words
            self.options = {"opponents": options["opponents"], "on_illegal": options["on_illegal"]}
        self.batch, self.twin = self.new(), self.new()
        self.open_all()

    def new(self, **other: Any) -> LearnerBatch:
        return LearnerBatch(find_game(self.game_id), self.n, **{**self.own, **made(self.options), **other})

    def open_all(self) -> None:
        """Every environment holds a game that begins."""
        self.episodes: list[Episode | None] = [self.opened(index) for index in range(self.n)]

    def opened(self, index: int) -> Episode | None:
        if self.batch.over[index]:
            return None
        return Episode(int(self.batch.game_number[index]), int(self.batch.seat[index]))

    def both(self, call: Call) -> None:
        said = answer(lambda: call(self.batch))
        assert said[0] == "gives", said[2]
        assert_same(said, answer(lambda: call(self.twin)))
        self.history = (*self.history, call)
        self.loaded = False

    # --- dealing

    @rule(seed=st.none() | seeds, first=st.none() | game_numbers)
    def reset(self, seed: int | None, first: int | None) -> None:
        self.both(lambda batch: batch.reset(seed=seed, first_game=first))
        assert seed is None or self.batch.seed == seed
        assert seed is None or self.batch.illegal == 0
        assert not self.batch.over.any()
        self.open_all()

    @rule(seed=wrong_seeds)
    def reset_with_a_wrong_seed(self, seed: Any) -> None:
        assert "seed" in refusal(lambda: self.batch.reset(seed=seed), OptionError)

    @rule(seed=seeds | st.none(), first=wrong_numbers.filter(lambda value: value is not None))
    def reset_to_a_wrong_number(self, seed: int | None, first: Any) -> None:
        assert "game" in refusal(lambda: self.batch.reset(seed=seed, first_game=first), OptionError)

    # --- playing

    @rule(number=st.integers(1, 15), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            actions = chosen(self.batch, lambda row, mask: hashed(row, mask, salt))
            self.take(actions, np.zeros(self.n, np.bool_))

    @rule(index=st.integers(0, 3), place=st.integers(0, 200), other=st.integers(-5, 300), salt=salts)
    def step_that_isnt_legal(self, index: int, place: int, other: int, salt: int) -> None:
        index %= self.n
        actions = chosen(self.batch, lambda row, mask: hashed(row, mask, salt))
        illegal = np.flatnonzero(self.batch.action_mask[index] == 0)
        if self.batch.over[index] or not len(illegal):
            return
        size = self.batch.action_mask.shape[1]
        actions[index] = other if not 0 <= other < size else illegal[place % len(illegal)]
        if self.batch.on_illegal == "raise":
            words = refusal(lambda: self.batch.step(actions), IllegalActionError)
            assert f"seat {self.batch.seat[index]} " in words
            assert "legal: " in words
            return
        counted = self.batch.illegal
        self.take(actions, np.arange(self.n) == index)
        assert self.batch.illegal == counted + 1
        if self.batch.on_illegal == "terminate":
            assert self.batch.truncated[index]
            assert not self.batch.terminated[index]
            assert self.batch.reward[index] == -1

    def take(self, actions: Any, offended: Any) -> None:
        """The same actions in both, and what they did to each environment. offended: (n,), environments with an illegal
        one.
        """
        over = self.batch.over.copy()
        type(self).steps += int((~over).sum())
        for index in np.flatnonzero(~over):
            episode = self.episodes[index]
            if episode is not None and not offended[index]:
                episode.observations.append(self.batch.observation[index].copy())
                episode.masks.append(self.batch.action_mask[index].copy())
                episode.actions.append(int(actions[index]))
            else:
                self.episodes[index] = None
        kept = actions.copy()
        self.both(lambda batch: batch.step(kept.copy()))
        for index in range(self.n):
            self.follow(index, bool(over[index]))

    def follow(self, index: int, was_over: bool) -> None:
        """Note what an environment's learner was paid, and see to games that ended or began."""
        batch, episode = self.batch, self.episodes[index]
        if was_over:
            if self.autoreset == "next_step":
                assert batch.reward[index] == 0
                self.episodes[index] = self.opened(index)
            return
        ended = bool(batch.terminated[index] or batch.truncated[index])
        assert ended or batch.reward[index] == 0
        if episode is not None:
            episode.rewards.append(float(batch.reward[index]))
            episode.terminated, episode.truncated = bool(batch.terminated[index]), bool(batch.truncated[index])
        if not ended:
            return
        assert batch.over[index] == (self.autoreset != "same_step")
        if episode is not None:
            assert batch.ended_game[index] == episode.number
            episode.last_observation = batch.final_observation[index].copy()
            episode.last_mask = batch.final_mask[index].copy()
            self.compare(episode)
        self.episodes[index] = self.opened(index)

    def compare(self, episode: Episode) -> None:
        """The turn-based environment tells the same of a whole game."""
        if not self.replays:
            return
        self.replays -= 1
        kind = self.options["opponents"]
        others = installed("random", self.game_id) if kind == "random" else OPPONENTS[kind]()
        own = ("opponents", "role", "on_illegal")
        options = {name: value for name, value in self.options.items() if name not in own}
        replay = Replay(self.game_id, self.batch.seed, episode.number, lambda seat, role: others, **options)
        assert_same_episode(replayed(replay, episode), episode)

    @rule(actions=strange | st.lists(st.integers() | st.floats() | st.none(), max_size=6))
    def step_with_no_actions(self, actions: Any) -> None:
        if not whole_and_within(actions, (self.n,), -(2**63), 2**64):
            refusal(lambda: self.batch.step(actions), IllegalActionError)
            refusal(lambda: self.batch.check(actions), IllegalActionError)

    # --- states

    @rule(target=saved)
    def save(self) -> Any:
        return self.batch.get_state(), self.history

    @rule(kept=saved)
    def load(self, kept: Any) -> None:
        state, history = kept
        self.batch.set_state(state)
        self.twin = self.new()
        for call in history:
            call(self.twin)
        self.history = history
        self.episodes = [None] * self.n
        self.loaded = True

    @rule(state=strange)
    def load_what_is_no_state(self, state: Any) -> None:
        refusal(lambda: self.batch.set_state(state), StateError)

    @rule(
        place=st.integers(0, 50),
        other=strange,
        way=st.sampled_from(["without", "other", "shape", "kind", "longer", "game"]),
    )
    def load_a_damaged_state(self, place: int, other: Any, way: str) -> None:
        state = self.batch.get_state()
        name = sorted(state)[place % len(state)]
        array = state[name]
        if way == "other" and is_like(other, array):
            return
        games = [game_id for game_id in game_ids() if game_id != self.game_id]
        wrong: dict[str, Callable[[], Any]] = {
            "without": lambda: {each: value for each, value in state.items() if each != name},
            "other": lambda: {**state, name: other},
            "shape": lambda: {**state, name: array[None]},
            "kind": lambda: {**state, name: array.astype(complex)},
            "longer": lambda: {**state, name: np.concatenate([np.ravel(array)] * 2)},
            "game": lambda: LearnerBatch(find_game(games[place % len(games)]), self.n, seed=1).get_state(),
        }
        refusal(lambda: self.batch.set_state(wrong[way]()), StateError)

    # --- options

    @rule(name=st.sampled_from(STRANGE_OPTIONS), value=strange)
    def make_one_with_a_strange_option(self, name: str, value: Any) -> None:
        options = {"n": 1, "seed": 1, name: value}
        kept: list[LearnerBatch] = []
        kind, error, words = answer(lambda: kept.append(LearnerBatch(find_game(self.game_id), **options)))
        if kind == "raises":
            assert issubclass(error, OptionError | PackError), words
        for batch in kept:
            batch.step(chosen(batch))

    # --- what holds always

    @invariant()
    def both_show_the_same(self) -> None:
        type(self).calls += 1
        if not hasattr(self, "batch"):
            return
        assert_same(self.shown(self.batch), self.shown(self.twin))
        assert_same(self.batch.get_state(), self.twin.get_state())
        for index in np.flatnonzero(~self.batch.over):
            assert self.batch.action_mask[index].any()
            assert self.batch.action_mask[index][0] == 0

    def shown(self, batch: LearnerBatch) -> dict[str, Any]:
        """What a batch shows; after `set_state` what hangs on the games alone."""
        every = sights(batch)
        alone = ("observation", "action_mask", "seat", "game_number", "over", "illegal", "passed_over", "seed")
        return {name: every[name] for name in alone} if self.loaded else every
