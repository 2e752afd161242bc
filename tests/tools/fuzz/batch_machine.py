"""The batch in any order of calls, beside a second one that only ever gets what changes the games.

As with the turn-based environment, the second one is made anew from what was done where a state is put back. Besides,
any environment can be held against the turn-based environment that plays the same game.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from fuzz.fuzz_answers import answer, refusal
from fuzz.fuzz_values import (
    COPIERS,
    Options,
    allowed_options,
    copiers,
    game_numbers,
    of_machine,
    salts,
    seeds,
    strange,
    wrong_numbers,
    wrong_seeds,
)
from hypothesis import strategies as st
from hypothesis.stateful import Bundle, RuleBasedStateMachine, initialize, invariant, precondition, rule
from learner.learner_kit import hashed

from riverbed_env import Batch, make_batch
from riverbed_env.errors import IllegalActionError, OptionError, PackError, StateError
from riverbed_env.registry import game_ids
from riverbed_env.testing.conformance.kit import assert_same, new_env, record_of, undrawn, waiting_mask
from riverbed_env.testing.conformance.options import parameters

Whole = npt.NDArray[np.int64]
Call = Callable[[Batch], Any]

NOT_OF_BATCHES = ("on_illegal", "max_cycles", "render_mode")
STEPPED = ("done", "truncated", "returns")  # what the last step did


@dataclass(frozen=True)
class Lane:
    """How the game of an environment came to where it is."""

    number: int
    actions: tuple[int, ...] = ()


def arrays(batch: Batch) -> dict[str, Any]:
    """Copies of all that a batch shows."""
    names = ("seat", "observation", "action_mask", "done", "truncated", "returns", "game_number", "acting")
    shown = {name: getattr(batch, name).copy() for name in names}
    shown["returns"][~batch.done] = 0  # it says what a game paid where one ended
    return shown


class_options = {
    "n": st.integers(-3, 5) | strange,
    "seed": strange,
    "threads": strange | st.integers(-5, 1) | st.integers(min_value=2**16),
    "first_game": wrong_numbers,
    "auto_reset": strange,
    "view": strange,
    "rewards": strange,
    "players": strange,
    "on_illegal": strange,
    "render_mode": strange,
}


class BatchMachine(RuleBasedStateMachine):
    """Calls of the batch of one game."""

    game_id: ClassVar[str]
    most_threads: ClassVar[int] = 1
    examples: ClassVar[int] = 0  # of the machine so far, and their calls and decisions
    calls: ClassVar[int] = 0
    steps: ClassVar[int] = 0
    saved = Bundle("saved")

    def __init__(self) -> None:
        super().__init__()
        type(self).examples += 1
        self.history: tuple[Call, ...] = ()
        self.left: list[tuple[Batch, dict[str, Any]]] = []
        self.put_back = False  # the last call was a set_state, which tells of no step

    @initialize(
        options=of_machine(lambda machine: allowed_options(machine.game_id, *NOT_OF_BATCHES)),
        n=st.integers(1, 5),
        threads=of_machine(lambda machine: st.integers(1, machine.most_threads)),
        seed=seeds,
        first_game=game_numbers,
        auto_reset=st.booleans(),
    )
    def begin(self, options: Options, n: int, threads: int, seed: int, first_game: int, auto_reset: bool) -> None:
        self.options, self.n, self.threads = options, n, threads
        self.own = {"seed": seed, "first_game": first_game, "auto_reset": auto_reset}
        self.seed, self.auto_reset = seed, auto_reset
        self.batch, self.twin = self.new(threads=threads), self.new()
        self.dealt(first_game)

    def new(self, **other: Any) -> Batch:
        return make_batch(self.game_id, **{"n": self.n, **self.own, **self.options, **other})

    def dealt(self, first: int) -> None:
        """Every environment has been dealt its game, of consecutive numbers."""
        self.indices = [Lane(first + index) for index in range(self.n)]

    def both(self, call: Call) -> None:
        """What changes the games, in both."""
        said = answer(lambda: call(self.batch))
        assert said[0] == "gives", said[2]
        assert_same(said, answer(lambda: call(self.twin)))
        self.history = (*self.history, call)
        self.put_back = False

    def chosen(self, salt: int) -> Whole:
        """A legal action in every environment."""
        rows = zip(self.batch.observation, self.batch.action_mask, self.batch.acting)
        return np.array([hashed(row, mask, salt) if acting else salt for row, mask, acting in rows], np.int64)

    def take(self, actions: Whole) -> None:
        """Legal actions in both, and what they did to each environment."""
        acting, numbers = self.batch.acting.copy(), self.batch.game_number.copy()
        kept = actions.copy()
        type(self).steps += int(acting.sum())
        self.both(lambda batch: batch.step(kept.copy()))
        done = self.batch.done
        assert not (done & ~acting).any()
        assert not (self.batch.truncated & ~done).any()
        went_on = self.n * done if self.auto_reset else 0 * numbers
        np.testing.assert_array_equal(self.batch.game_number, numbers + went_on)
        for index in np.flatnonzero(acting):
            before = self.indices[index]
            after = Lane(before.number, (*before.actions, int(kept[index])))
            if done[index]:
                self.compare_end(int(index), after)
            self.indices[index] = Lane(before.number + self.n) if done[index] and self.auto_reset else after

    def turn_based(self, index: Lane) -> Any:
        """The turn-based environment in which the game of an environment was played."""
        env = new_env(self.game_id, **self.options)
        env.reset(seed=self.seed, options={"game_number": index.number})
        for action in index.actions:
            env.step(action)
        return env

    def compare_end(self, place: int, index: Lane) -> None:
        """What a game paid is what the turn-based environment paid."""
        env = self.turn_based(index)
        np.testing.assert_array_equal(self.batch.returns[place], list(env.rewards.values()))
        assert self.batch.truncated[place] == all(env.truncations.values())
        assert self.batch.truncated[place] != all(env.terminations.values())

    # --- dealing

    @rule(seed=st.none() | seeds, first=st.none() | game_numbers)
    def reset(self, seed: int | None, first: int | None) -> None:
        self.both(lambda batch: batch.reset(seed=seed, first_game=first))
        self.seed = self.seed if seed is None else seed
        if first is not None or seed is not None:
            assert self.batch.game_number[0] == (first or 0)
        np.testing.assert_array_equal(np.diff(self.batch.game_number), 1)
        self.dealt(int(self.batch.game_number[0]))

    @rule(
        numbers=of_machine(lambda machine: st.lists(game_numbers, min_size=machine.num_envs, max_size=machine.num_envs))
    )
    def deal(self, numbers: list[int]) -> None:
        self.both(lambda batch: batch.deal(numbers))
        np.testing.assert_array_equal(self.batch.game_number, numbers)
        self.indices = [Lane(number) for number in numbers]

    @rule(seed=wrong_seeds)
    def reset_with_a_wrong_seed(self, seed: Any) -> None:
        assert "seed" in refusal(lambda: self.batch.reset(seed=seed), OptionError)

    @rule(seed=seeds | st.none(), first=wrong_numbers.filter(lambda value: value is not None))
    def reset_to_a_wrong_number(self, seed: int | None, first: Any) -> None:
        assert "game" in refusal(lambda: self.batch.reset(seed=seed, first_game=first), OptionError)

    @rule(numbers=strange | st.lists(wrong_numbers, min_size=1, max_size=5))
    def deal_wrong_numbers(self, numbers: Any) -> None:
        if not whole_and_within(numbers, (self.n,), 0, 2**62) and not whole_and_within(numbers, (), 0, 2**62):
            assert "number" in refusal(lambda: self.batch.deal(numbers), OptionError)

    # --- playing

    @rule(number=st.integers(1, 40), salt=salts)
    def play(self, number: int, salt: int) -> None:
        for _ in range(number):
            self.take(self.chosen(salt))

    @rule(number=st.integers(1, 10))
    def play_at_random(self, number: int) -> None:
        for _ in range(number):
            self.take(self.drawn())

    def drawn(self) -> Whole:
        """Random legal actions, drawn from the streams of both."""
        actions = self.batch.random_actions()
        np.testing.assert_array_equal(actions, self.twin.random_actions())
        self.history = (*self.history, lambda batch: batch.random_actions())
        legal = self.batch.action_mask[np.arange(self.n), actions % self.batch.action_mask.shape[1]] == 1
        assert (legal | ~self.batch.acting).all()
        return actions

    @rule(kind=st.sampled_from(["int32", "uint8", "list", "strided"]), salt=salts)
    def play_with_other_integers(self, kind: str, salt: int) -> None:
        actions = self.chosen(salt % 50)
        if kind == "list":
            self.both(lambda batch: batch.step(actions.tolist()))
        elif kind == "strided":
            self.both(lambda batch: batch.step(np.repeat(actions, 3)[::3]))
        else:
            self.both(lambda batch: batch.step(actions.astype(kind)))
        self.untold(actions)

    def untold(self, actions: Whole) -> None:
        """The environments after a step that wasn't looked into."""
        for index, (before, action) in enumerate(zip(self.indices, actions.tolist())):
            if self.batch.done[index] and self.auto_reset:
                self.indices[index] = Lane(before.number + self.n)
            elif self.batch.acting[index] or self.batch.done[index]:
                self.indices[index] = Lane(before.number, (*before.actions, action))

    @rule(actions=strange)
    def step_with_no_actions(self, actions: Any) -> None:
        self.refused(actions)

    @rule(
        kind=st.sampled_from(["floats", "flags", "words", "objects", "deep", "few", "many", "none", "huge"]), salt=salts
    )
    def step_with_actions_of_a_wrong_kind(self, kind: str, salt: int) -> None:
        fine = self.chosen(salt)
        wrong: dict[str, Callable[[], Any]] = {
            "floats": lambda: fine.astype(float),
            "flags": lambda: fine.astype(bool),
            "words": lambda: fine.astype(str),
            "objects": lambda: fine.astype(object) + 2**70,
            "deep": lambda: fine[:, None],
            "few": lambda: fine[1:],
            "many": lambda: np.append(fine, 1),
            "none": lambda: [None] * self.n,
            "huge": lambda: [2**64 - 1] * self.n,
        }
        self.refused(wrong[kind]())

    @rule(index=st.integers(0, 4), place=st.integers(0, 200), far=st.integers(), salt=salts)
    def step_that_isnt_legal(self, index: int, place: int, far: int, salt: int) -> None:
        actions = self.chosen(salt).astype(object)
        index %= self.n
        illegal = np.flatnonzero(self.batch.action_mask[index] == 0)
        actions[index] = int(illegal[place % len(illegal)]) if place % 2 else far
        self.refused(actions.tolist())

    def refused(self, actions: Any) -> None:
        """Refused, unless it happens to be legal."""
        size = self.batch.action_mask.shape[1]
        if whole_and_within(actions, (self.n,), -(2**63), 2**64):
            given = np.asarray(actions)
            legal = [0 <= action < size and bool(mask[action]) for action, mask in zip(given, self.batch.action_mask)]
            if (np.array(legal) | ~self.batch.acting).all():
                return
        words = refusal(lambda: self.batch.step(actions), IllegalActionError)
        assert "action" in words

    # --- looking

    @rule(seats=of_machine(lambda m: st.lists(st.integers(0, m.batch.num_players - 1), min_size=m.n, max_size=m.n)))
    def observe(self, seats: list[int]) -> None:
        for given in (seats, seats[0]):
            for call in (Batch.observe, Batch.look):
                assert_same(call(self.batch, given), call(self.twin.clone(), given))

    @rule(
        indices=of_machine(lambda machine: st.lists(st.integers(0, machine.num_envs - 1), max_size=6)),
        seat=st.integers(0, 8),
    )
    def observe_some_lanes(self, indices: list[int], seat: int) -> None:
        seat %= self.batch.num_players
        chosen = np.array(indices, np.int64)
        rows, masks = self.batch.observe(seat, chosen)
        every_row, every_mask = self.twin.clone().observe(seat)
        np.testing.assert_array_equal(rows, every_row[chosen])
        np.testing.assert_array_equal(masks, every_mask[chosen])
        np.testing.assert_array_equal(self.batch.states(chosen), self.twin.clone().states()[chosen])

    @rule(seats=strange, call=st.sampled_from(["observe", "look"]))
    def observe_wrong_seats(self, seats: Any, call: str) -> None:
        most = self.batch.num_players - 1
        if not whole_and_within(seats, (self.n,), 0, most) and not whole_and_within(seats, (), 0, most):
            assert "seats" in refusal(lambda: getattr(self.batch, call)(seats), OptionError)

    @rule(indices=strange | st.lists(st.integers(), min_size=1, max_size=3))
    def observe_wrong_lanes(self, indices: Any) -> None:
        count = np.asarray(indices).size
        fine = whole_and_within(indices, (count,), 0, self.n - 1) or whole_and_within(indices, (), 0, self.n - 1)
        if indices is not None and not fine:
            for call in (lambda: self.batch.observe(0, indices), lambda: self.batch.states(indices)):
                assert "environments" in refusal(call, OptionError)

    @rule(place=st.integers(0, 4))
    def hold_a_lane_against_the_turn_based_environment(self, place: int) -> None:
        place %= self.n
        env = self.turn_based(self.indices[place])
        game = self.batch.game
        assert undrawn(game, self.batch.get_state()[place : place + 1]).tobytes() == record_of(env).tobytes()
        if self.batch.acting[place]:
            assert env.possible_agents[self.batch.seat[place]] == env.agent_selection
        for seat, agent in enumerate(env.possible_agents):
            rows, masks = self.batch.observe(seat)
            seen = env.observe(agent)
            np.testing.assert_array_equal(rows[place], seen["observation"])
            np.testing.assert_array_equal(masks[place], seen["action_mask"])
        np.testing.assert_array_equal(self.batch.states()[place], env.state())

    # --- copies and states

    @rule(copier=copiers, which=st.sampled_from(["batch", "twin"]))
    def go_on_with_a_copy(self, copier: str, which: str) -> None:
        before = getattr(self, which)
        setattr(self, which, COPIERS[copier](before))
        self.left = [*self.left[-2:], (before, arrays(before) | {"bytes": before.get_state().tobytes()})]

    @precondition(lambda self: self.left)
    @rule()
    def what_was_copied_is_as_it_was(self) -> None:
        for batch, shown in self.left:
            assert_same(arrays(batch) | {"bytes": batch.get_state().tobytes()}, shown)

    @rule(target=saved)
    def save(self) -> Any:
        return self.batch.get_state(), self.history, list(self.indices), self.seed

    @rule(kept=saved, through_bytes=st.booleans())
    def load(self, kept: Any, through_bytes: bool) -> None:
        state, history, indices, seed = kept
        if through_bytes:
            state = np.frombuffer(state.tobytes(), self.batch.game.dtype)
        self.batch.set_state(state)
        if seed != self.seed:  # the batch's own seed stays, whatever game is put into it
            self.batch.reset(seed=seed)
            self.batch.set_state(state)
        self.twin = self.new()
        for call in history:
            call(self.twin)
        self.history, self.indices, self.seed, self.put_back = history, list(indices), seed, True

    @rule(state=strange, data=st.integers(0, 3))
    def load_what_is_no_state(self, state: Any, data: int) -> None:
        refusal(lambda: self.batch.set_state(state), StateError)

    @rule(place=st.integers(0, 30), way=st.sampled_from(["game", "size", "bytes", "shape", "zeros", "number"]))
    def load_a_state_of_others(self, place: int, way: str) -> None:
        state = self.batch.get_state()
        others = [game_id for game_id in game_ids() if game_id != self.game_id]
        wrong: dict[str, Callable[[], Any]] = {
            "game": lambda: make_batch(others[place % len(others)], self.n, seed=place).get_state(),
            "size": lambda: make_batch(self.game_id, self.n + 1, seed=place, **self.options).get_state(),
            "bytes": state.tobytes,
            "shape": lambda: state[:, None],
            "zeros": lambda: np.zeros(self.n, np.float64),
            "number": lambda: with_number(state, place % self.n),
        }
        refusal(lambda: self.batch.set_state(wrong[way]()), StateError)

    @rule()
    def put_streams_back(self) -> None:
        self.batch.put_agent_streams(self.batch.agent_streams())

    @rule(streams=strange)
    def put_wrong_streams(self, streams: Any) -> None:
        refusal(lambda: self.batch.put_agent_streams(streams), OptionError, StateError)

    # --- options

    @rule(data=st.data(), name=st.sampled_from(sorted(class_options)))
    def make_one_with_a_strange_option(self, data: st.DataObject, name: str) -> None:
        value = data.draw(class_options[name])
        self.make_strange({"n": 2, "seed": 1, name: value}, name)

    @rule(data=st.data())
    def make_one_with_a_strange_option_of_the_game(self, data: st.DataObject) -> None:
        names = sorted(set(parameters(self.game_id)) - set(NOT_OF_BATCHES))
        name = data.draw(st.sampled_from(names))
        self.make_strange({"n": 2, "seed": 1, name: data.draw(strange)}, name)

    def make_strange(self, options: Options, name: str) -> None:
        made: list[Batch] = []
        kind, error, words = answer(lambda: made.append(make_batch(self.game_id, **options)))
        if kind == "raises":
            assert issubclass(error, OptionError | PackError), words
            assert name in words or (name, "pack" in words) == ("layout", True), words
        for batch in made:
            batch.step(batch.random_actions())
            check_rows(batch)

    # --- what holds always

    @invariant()
    def both_show_the_same(self) -> None:
        type(self).calls += 1
        if not hasattr(self, "batch"):
            return
        one, other = arrays(self.batch), arrays(self.twin)
        if self.put_back:
            one, other = ({name: shown[name] for name in shown if name not in STEPPED} for shown in (one, other))
        assert_same(one, other)
        assert self.batch.get_state().tobytes() == self.twin.get_state().tobytes()
        np.testing.assert_array_equal(self.batch.game_number, [index.number for index in self.indices])
        check_rows(self.batch)


def check_rows(batch: Batch) -> None:
    """Masks are those of a seat that is asked, and of nobody where the game is over."""
    for seat, mask, acting in zip(batch.seat, batch.action_mask, batch.acting):
        if acting:
            assert 0 <= seat < batch.num_players
            assert mask.any()
            assert mask[0] == 0
        else:
            assert seat == -1
    assert set(np.unique(batch.action_mask)) <= {0, 1}
    rows, masks = batch.observe(0)
    for seat, mask in zip(batch.seat, masks):
        if seat != 0:
            np.testing.assert_array_equal(mask, waiting_mask(batch.game))
    assert rows.shape == batch.observation.shape


def with_number(state: npt.NDArray[np.void], place: int) -> npt.NDArray[np.void]:
    """Records one of which has a number that no game has."""
    state["number"][place] = -5
    return state


def whole_and_within(value: Any, shape: tuple[int, ...], low: int, high: int) -> bool:
    """Whether a value is an array of integers of the shape, from low to high."""
    try:
        given = np.asarray(value)
    except ValueError:
        return False
    if given.shape != shape or given.dtype.kind not in "iu":
        return False
    return bool(((given >= low) & (given <= high)).all())
