"""The batch in any order of calls. Any of its games can be compared with the turn-based environment that plays it."""

from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
from fuzz.machine import Call, CopyingMachine, Wrong, whole_and_within
from fuzz.values import (
    NOT_OF_BATCHES,
    Options,
    allowed_options,
    game_numbers,
    of_machine,
    seeds,
    strange,
    wrong_numbers,
)
from hypothesis import strategies as st
from hypothesis.stateful import initialize, rule
from learner.learner_kit import hashed

from riverbed_env import Batch, make_batch
from riverbed_env.errors import IllegalActionError, OptionError, StateError
from riverbed_env.kernels.compile import Whole
from riverbed_env.testing.conformance.kit import assert_same, new_env, record_of, undrawn, waiting_mask

STEPPED = ("done", "truncated", "returns")  # what the last step did
SHOWN = ("seat", "observation", "action_mask", "game_number", "acting", *STEPPED)
OF_BATCHES = ("num_envs", "seed", "first_game", "auto_reset")


@dataclass(frozen=True)
class Played:
    """A game of the batch: its number and the actions so far."""

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
        self.games = [Played(first_game + index) for index in range(n)]

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
        self.games = [Played(number) for number in self.env.game_number.tolist()]

    @rule(numbers=of_machine(lambda machine: st.lists(game_numbers, min_size=machine.n, max_size=machine.n)))
    def deal(self, numbers: list[int]) -> None:
        self.on_both(lambda batch: batch.deal(numbers))
        np.testing.assert_array_equal(self.env.game_number, numbers)
        self.games = [Played(number) for number in numbers]

    # --- playing

    def choose(self, salt: int) -> Whole:
        rows = zip(self.env.observation, self.env.action_mask, self.env.acting)
        return np.array([hashed(row, mask, salt) if acting else salt for row, mask, acting in rows], np.int64)

    def take(self, actions: Whole) -> None:
        """Step both with legal actions, and follow what that does to each game."""
        kept = actions.copy()
        acting, numbers = self.env.acting.copy(), self.env.game_number.copy()
        self.on_both(lambda batch: batch.step(kept.copy()))
        done = self.env.done
        assert not (done & ~acting).any()
        assert not (self.env.truncated & ~done).any()
        dealt = done if self.auto_reset else np.zeros_like(done)
        np.testing.assert_array_equal(self.env.game_number, numbers + self.n * dealt)
        for index in np.flatnonzero(acting):
            before = self.games[index]
            after = Played(before.number, (*before.actions, int(actions[index])))
            self.games[index] = Played(before.number + self.n) if dealt[index] else after

    @rule(number=st.integers(1, 10))
    def play_at_random(self, number: int) -> None:
        """Random legal actions, drawn from the streams of both."""
        for _ in range(number):
            drawn: list[Whole] = []
            self.on_both(lambda batch, drawn=drawn: drawn.append(batch.random_actions()))
            np.testing.assert_array_equal(*drawn)
            assert self.is_legal(drawn[0])
            self.take(drawn[0])

    def is_legal(self, actions: Any) -> bool:
        """Whether a step takes these; any integer will do where a game is over."""
        size = self.env.action_mask.shape[1]
        if not whole_and_within(actions, (self.n,), -(2**63), 2**64):
            return False
        rows = zip(np.asarray(actions), self.env.action_mask, self.env.acting)
        return all(not acting or (0 <= action < size and mask[action]) for action, mask, acting in rows)

    # --- refusals

    def wrong(self) -> dict[str, Wrong]:
        env = self.env
        seats = strange.filter(lambda value: not self.is_one_or_each(value, env.num_players - 1))
        numbers = (strange | st.lists(wrong_numbers, min_size=1, max_size=5)).filter(
            lambda value: not self.is_one_or_each(value, 2**62)
        )
        indices = (strange | st.lists(st.integers(), min_size=1, max_size=3)).filter(
            lambda value: not (value is None or is_indices(value, self.n))
        )
        number = wrong_numbers.filter(lambda value: value is not None)
        return {
            **super().wrong(),
            "number": Wrong(number, lambda value: env.reset(first_game=value), OptionError, "game"),
            "numbers": Wrong(numbers, env.deal, OptionError, "number"),
            "actions": Wrong(self.illegal_actions(), env.step, IllegalActionError, "action"),
            "seats": Wrong(seats, env.observe, OptionError, "seats"),
            "seats to look from": Wrong(seats, env.look, OptionError, "seats"),
            "indices": Wrong(indices, lambda value: env.observe(0, value), OptionError, "indices"),
            "indices of states": Wrong(indices, env.states, OptionError, "indices"),
            "streams": Wrong(strange, env.put_agent_streams, (OptionError, StateError)),
        }

    def is_one_or_each(self, value: Any, high: int) -> bool:
        """Whether a value is an integer from 0 to `high`, or one for each environment."""
        return any(whole_and_within(value, shape, 0, high) for shape in ((self.n,), ()))

    def illegal_actions(self) -> st.SearchStrategy[Any]:
        """What no step takes: of another type or shape, or with one illegal action."""
        actions = self.choose(1)
        kinds = [actions.astype(kind) for kind in (float, bool, str)]
        shapes = [actions[:, None], actions[1:], np.append(actions, 1)]
        values = [actions.astype(object) + 2**70, [None] * self.n, [2**64 - 1] * self.n]

        def with_one(index: int, action: int) -> list[int]:
            return [*actions[:index].tolist(), action, *actions[index + 1 :].tolist()]

        one = st.builds(with_one, st.integers(0, self.n - 1), st.integers(0, 200) | st.integers())
        wrong = strange | st.sampled_from([*kinds, *shapes, *values]) | one
        return wrong.filter(lambda value: not self.is_legal(value))

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

    @rule(index=st.integers(0, 4))
    def compare_a_game_with_the_turn_based_environment(self, index: int) -> None:
        index %= self.n
        options = {name: value for name, value in self.options.items() if name not in OF_BATCHES}
        env, played = new_env(self.game_id, **options), self.games[index]
        env.reset(seed=self.seed, options={"game_number": played.number})
        for action in played.actions:
            env.step(action)
        record = undrawn(self.env.game, self.env.get_state()[index : index + 1])
        assert record.tobytes() == record_of(env).tobytes()
        if self.env.acting[index]:
            assert env.possible_agents[self.env.seat[index]] == env.agent_selection
        elif self.env.done[index] and not self.restored:
            np.testing.assert_array_equal(self.env.returns[index], list(env.rewards.values()))
            assert self.env.truncated[index] == all(env.truncations.values())
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

    @rule()
    def put_streams_back(self) -> None:
        self.env.put_agent_streams(self.env.agent_streams())

    # --- what holds always

    def compare(self) -> None:
        left_out = STEPPED if self.restored else ()
        one, other = self.shown(self.env), self.shown(self.twin)
        assert_same(*({name: every[name] for name in every if name not in left_out} for every in (one, other)))
        np.testing.assert_array_equal(self.env.game_number, [game.number for game in self.games])
        check_rows(self.env)


def is_indices(value: Any, n: int) -> bool:
    """Whether a value is one or several indices of n environments."""
    return any(whole_and_within(value, shape, 0, n - 1) for shape in ((np.asarray(value).size,), ()))


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
