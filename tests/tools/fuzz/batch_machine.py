"""The batch in any order of calls. Any of its games can be compared with the turn-based environment that plays it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
from fuzz.machine import Call, CopyingMachine, answer, refusal, whole_and_within
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
from learner.learner_kit import hashed

from riverbed_env import Batch, make_batch
from riverbed_env.errors import IllegalActionError, OptionError, PackError, StateError
from riverbed_env.registry import game_ids
from riverbed_env.testing.conformance.kit import assert_same, new_env, record_of, undrawn, waiting_mask
from riverbed_env.testing.conformance.options import parameters

Whole = npt.NDArray[np.int64]

STEPPED = ("done", "truncated", "returns")  # what the last step did
SHOWN = ("seat", "observation", "action_mask", "game_number", "acting", *STEPPED)
STRANGE: dict[str, st.SearchStrategy[Any]] = {
    "num_envs": st.integers(-3, 5) | strange,
    "threads": strange | st.integers(-5, 1) | st.integers(min_value=2**16),
    "first_game": wrong_numbers,
    **dict.fromkeys(("seed", "auto_reset", "view", "rewards", "players", "on_illegal", "render_mode"), strange),
}


@dataclass(frozen=True)
class Game:
    """How the game of an environment came to where it is."""

    number: int
    actions: tuple[int, ...] = ()


class BatchMachine(CopyingMachine):
    """Calls of the batch of one game."""

    most_threads: ClassVar[int] = 1
    env: Batch
    twin: Batch
    restored = False  # the last call was a set_state, after which the results of a step mean nothing

    @initialize(
        options=of_machine(lambda machine: allowed_options(machine.game_id, *NOT_OF_BATCHES)),
        n=st.integers(1, 5),
        threads=of_machine(lambda machine: st.integers(1, machine.most_threads)),
        seed=seeds,
        first_game=game_numbers,
        auto_reset=st.booleans(),
    )
    def begin(self, options: Options, n: int, threads: int, seed: int, first_game: int, auto_reset: bool) -> None:
        self.n, self.seed, self.auto_reset = n, seed, auto_reset
        self.options = {**options, "num_envs": n, "seed": seed, "first_game": first_game, "auto_reset": auto_reset}
        self.env, self.twin = make_batch(self.game_id, **self.options, threads=threads), self.new()
        self.games = [Game(first_game + index) for index in range(n)]

    def new(self) -> Batch:
        return make_batch(self.game_id, **self.options)

    def shown(self, env: Batch) -> dict[str, Any]:
        shown = {name: getattr(env, name).copy() for name in SHOWN}
        shown["returns"][~env.done] = 0  # they mean something where a game ended
        return shown | {"bytes": env.get_state().tobytes()}

    def on_both(self, call: Call) -> None:
        super().on_both(call)
        self.restored = False

    # --- dealing

    @rule(seed=st.none() | seeds, first=st.none() | game_numbers)
    def reset(self, seed: int | None, first: int | None) -> None:
        self.on_both(lambda batch: batch.reset(seed=seed, first_game=first))
        self.seed = self.seed if seed is None else seed
        if first is not None or seed is not None:
            assert self.env.game_number[0] == (first or 0)
        np.testing.assert_array_equal(np.diff(self.env.game_number), 1)
        self.games = [Game(number) for number in self.env.game_number.tolist()]

    @rule(numbers=of_machine(lambda machine: st.lists(game_numbers, min_size=machine.n, max_size=machine.n)))
    def deal(self, numbers: list[int]) -> None:
        self.on_both(lambda batch: batch.deal(numbers))
        np.testing.assert_array_equal(self.env.game_number, numbers)
        self.games = [Game(number) for number in numbers]

    @rule(seed=seeds | st.none(), first=wrong_numbers.filter(lambda value: value is not None))
    def reset_to_a_wrong_number(self, seed: int | None, first: Any) -> None:
        assert "game" in refusal(lambda: self.env.reset(seed=seed, first_game=first), OptionError)

    @rule(numbers=strange | st.lists(wrong_numbers, min_size=1, max_size=5))
    def deal_wrong_numbers(self, numbers: Any) -> None:
        if not any(whole_and_within(numbers, shape, 0, 2**62) for shape in ((self.n,), ())):
            assert "number" in refusal(lambda: self.env.deal(numbers), OptionError)

    # --- playing

    def choose(self, salt: int) -> Whole:
        rows = zip(self.env.observation, self.env.action_mask, self.env.acting)
        return np.array([hashed(row, mask, salt) if acting else salt for row, mask, acting in rows], np.int64)

    def take(self, actions: Whole) -> None:
        kept = actions.copy()
        self.step(kept, lambda batch: batch.step(kept.copy()))

    def step(self, actions: Whole, call: Call) -> None:
        """A call that takes legal actions, in both, and what it did to each game."""
        acting, numbers = self.env.acting.copy(), self.env.game_number.copy()
        type(self).steps += int(acting.sum())
        self.on_both(call)
        done = self.env.done
        assert not (done & ~acting).any()
        assert not (self.env.truncated & ~done).any()
        dealt = self.n * done if self.auto_reset else 0 * numbers
        np.testing.assert_array_equal(self.env.game_number, numbers + dealt)
        for index in np.flatnonzero(acting):
            before = self.games[index]
            after = Game(before.number, (*before.actions, int(actions[index])))
            if done[index]:
                self.compare_end(int(index), after)
            self.games[index] = Game(before.number + self.n) if done[index] and self.auto_reset else after

    def turn_based(self, game: Game) -> Any:
        """The turn-based environment in which a game was played."""
        own = ("num_envs", "seed", "first_game", "auto_reset")
        env = new_env(self.game_id, **{name: value for name, value in self.options.items() if name not in own})
        env.reset(seed=self.seed, options={"game_number": game.number})
        for action in game.actions:
            env.step(action)
        return env

    def compare_end(self, index: int, game: Game) -> None:
        """The turn-based environment pays the same."""
        env = self.turn_based(game)
        np.testing.assert_array_equal(self.env.returns[index], list(env.rewards.values()))
        assert self.env.truncated[index] == all(env.truncations.values())
        assert self.env.truncated[index] != all(env.terminations.values())

    @rule(number=st.integers(1, 10))
    def play_at_random(self, number: int) -> None:
        """Random legal actions, drawn from the streams of both."""
        for _ in range(number):
            drawn: list[Whole] = []
            self.on_both(lambda batch, drawn=drawn: drawn.append(batch.random_actions()))
            np.testing.assert_array_equal(*drawn)
            legal = self.env.action_mask[np.arange(self.n), drawn[0] % self.env.action_mask.shape[1]] == 1
            assert (legal | ~self.env.acting).all()
            self.take(drawn[0])

    @rule(kind=st.sampled_from(["int32", "uint8", "list", "strided"]), salt=salts)
    def play_with_other_integers(self, kind: str, salt: int) -> None:
        actions = self.choose(salt % 50)
        if kind == "list":
            self.step(actions, lambda batch: batch.step(actions.tolist()))
        elif kind == "strided":
            self.step(actions, lambda batch: batch.step(np.repeat(actions, 3)[::3]))
        else:
            self.step(actions, lambda batch: batch.step(actions.astype(kind)))

    @rule(actions=strange)
    def step_with_no_actions(self, actions: Any) -> None:
        self.refuse(actions)

    @rule(
        kind=st.sampled_from(["floats", "flags", "words", "objects", "deep", "few", "many", "none", "huge"]), salt=salts
    )
    def step_with_actions_of_a_wrong_kind(self, kind: str, salt: int) -> None:
        actions = self.choose(salt)
        wrong: dict[str, Callable[[], Any]] = {
            "floats": lambda: actions.astype(float),
            "flags": lambda: actions.astype(bool),
            "words": lambda: actions.astype(str),
            "objects": lambda: actions.astype(object) + 2**70,
            "deep": lambda: actions[:, None],
            "few": lambda: actions[1:],
            "many": lambda: np.append(actions, 1),
            "none": lambda: [None] * self.n,
            "huge": lambda: [2**64 - 1] * self.n,
        }
        self.refuse(wrong[kind]())

    @rule(index=st.integers(0, 4), place=st.integers(0, 200), far=st.integers(), salt=salts)
    def step_that_isnt_legal(self, index: int, place: int, far: int, salt: int) -> None:
        actions = self.choose(salt).astype(object)
        illegal = np.flatnonzero(self.env.action_mask[index % self.n] == 0)
        actions[index % self.n] = int(illegal[place % len(illegal)]) if place % 2 else far
        self.refuse(actions.tolist())

    def refuse(self, actions: Any) -> None:
        """Refused, unless it happens to be legal."""
        size = self.env.action_mask.shape[1]
        if whole_and_within(actions, (self.n,), -(2**63), 2**64):
            rows = zip(np.asarray(actions), self.env.action_mask)
            legal = np.array([0 <= action < size and bool(mask[action]) for action, mask in rows])
            if (legal | ~self.env.acting).all():
                return
        assert "action" in refusal(lambda: self.env.step(actions), IllegalActionError)

    # --- looking

    @rule(seats=of_machine(lambda m: st.lists(st.integers(0, m.env.num_players - 1), min_size=m.n, max_size=m.n)))
    def observe(self, seats: list[int]) -> None:
        for given in (seats, seats[0]):
            for call in (Batch.observe, Batch.look):
                assert_same(call(self.env, given), call(self.twin.clone(), given))

    @rule(
        indices=of_machine(lambda machine: st.lists(st.integers(0, machine.n - 1), max_size=6)), seat=st.integers(0, 8)
    )
    def observe_some_environments(self, indices: list[int], seat: int) -> None:
        seat %= self.env.num_players
        chosen = np.array(indices, np.int64)
        rows, masks = self.env.observe(seat, chosen)
        every_row, every_mask = self.twin.clone().observe(seat)
        np.testing.assert_array_equal(rows, every_row[chosen])
        np.testing.assert_array_equal(masks, every_mask[chosen])
        np.testing.assert_array_equal(self.env.states(chosen), self.twin.clone().states()[chosen])

    @rule(seats=strange, call=st.sampled_from(["observe", "look"]))
    def observe_wrong_seats(self, seats: Any, call: str) -> None:
        if not any(whole_and_within(seats, shape, 0, self.env.num_players - 1) for shape in ((self.n,), ())):
            assert "seats" in refusal(lambda: getattr(self.env, call)(seats), OptionError)

    @rule(indices=strange | st.lists(st.integers(), min_size=1, max_size=3))
    def observe_wrong_environments(self, indices: Any) -> None:
        shapes = ((np.asarray(indices).size,), ())
        if indices is not None and not any(whole_and_within(indices, shape, 0, self.n - 1) for shape in shapes):
            for call in (lambda: self.env.observe(0, indices), lambda: self.env.states(indices)):
                assert "indices" in refusal(call, OptionError)

    @rule(index=st.integers(0, 4))
    def compare_a_game_with_the_turn_based_environment(self, index: int) -> None:
        index %= self.n
        env = self.turn_based(self.games[index])
        record = undrawn(self.env.game, self.env.get_state()[index : index + 1])
        assert record.tobytes() == record_of(env).tobytes()
        if self.env.acting[index]:
            assert env.possible_agents[self.env.seat[index]] == env.agent_selection
        for seat, agent in enumerate(env.possible_agents):
            rows, masks = self.env.observe(seat)
            seen = env.observe(agent)
            np.testing.assert_array_equal(rows[index], seen["observation"])
            np.testing.assert_array_equal(masks[index], seen["action_mask"])
        np.testing.assert_array_equal(self.env.states()[index], env.state())

    # --- states

    def note(self) -> Any:
        return list(self.games), self.seed

    def restore(self, state: Any, history: tuple[Call, ...], note: Any) -> None:
        games, seed = note
        self.env.set_state(state)
        if seed != self.seed:  # the batch's own seed stays, whatever games are put into it
            self.env.reset(seed=seed)
            self.env.set_state(state)
        self.replay(history)
        self.games, self.seed, self.restored = list(games), seed, True

    @rule(kept=CopyingMachine.saved)
    def load_through_bytes(self, kept: Any) -> None:
        self.restore(np.frombuffer(kept[0].tobytes(), self.env.game.dtype), *kept[1:])

    @rule(place=st.integers(0, 30), way=st.sampled_from(["game", "size", "bytes", "shape", "zeros", "number"]))
    def load_a_state_of_others(self, place: int, way: str) -> None:
        state = self.env.get_state()
        numbered = state.copy()
        numbered["number"][place % self.n] = -5
        others = [game_id for game_id in game_ids() if game_id != self.game_id]
        wrong: dict[str, Callable[[], Any]] = {
            "game": lambda: make_batch(others[place % len(others)], self.n, seed=place).get_state(),
            "size": lambda: make_batch(self.game_id, **{**self.options, "num_envs": self.n + 1}).get_state(),
            "bytes": state.tobytes,
            "shape": lambda: state[:, None],
            "zeros": lambda: np.zeros(self.n, np.float64),
            "number": lambda: numbered,
        }
        refusal(lambda: self.env.set_state(wrong[way]()), StateError)

    @rule()
    def put_streams_back(self) -> None:
        self.env.put_agent_streams(self.env.agent_streams())

    @rule(streams=strange)
    def put_wrong_streams(self, streams: Any) -> None:
        refusal(lambda: self.env.put_agent_streams(streams), OptionError, StateError)

    # --- options

    @rule(data=st.data(), own=st.booleans())
    def make_one_with_a_strange_option(self, data: st.DataObject, own: bool) -> None:
        """An option of batches, or one of the game's own."""
        names = STRANGE if own else set(parameters(self.game_id)) - set(NOT_OF_BATCHES)
        name = data.draw(st.sampled_from(sorted(names)))
        value = data.draw(STRANGE.get(name, strange))
        made: list[Batch] = []
        options = {"num_envs": 2, "seed": 1, name: value}
        kind, error, words = answer(lambda: made.append(make_batch(self.game_id, **options)))
        if kind == "raises":
            assert issubclass(error, OptionError | PackError), words
            assert name in words or (name, "pack" in words) == ("layout", True), words
        for batch in made:
            batch.step(batch.random_actions())
            check_rows(batch)

    def compare(self) -> None:
        left_out = STEPPED if self.restored else ()
        one, other = self.shown(self.env), self.shown(self.twin)
        assert_same(*({name: every[name] for name in every if name not in left_out} for every in (one, other)))
        np.testing.assert_array_equal(self.env.game_number, [game.number for game in self.games])
        check_rows(self.env)


def check_rows(batch: Batch) -> None:
    """Masks are those of the current seat, and of nobody where the game is over."""
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
