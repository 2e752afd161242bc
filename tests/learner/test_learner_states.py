"""Restored states of learners play the same bit for bit; unsound states are refused and change nothing."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from conformance.options import one_of_each_kind
from learner.learner_kit import HUNT, PLAIN, TOY, Hashing, Remembering, chosen, learner, sights

from riverbed_env.envs.learner import LearnerBatch
from riverbed_env.errors import StateError
from riverbed_env.registry import find_game

State = dict[str, Any]


REMEMBERING, HASHING = Remembering(), Hashing()


def played(batch: LearnerBatch, steps: int) -> list[dict[str, Any]]:
    """What a batch shows after each of `steps` steps."""
    shown = []
    for _ in range(steps):
        batch.step(chosen(batch))
        shown.append(sights(batch))
    return shown


def opposite(game_id: str) -> list[Any]:
    """Lineups of compiled agents, of agents in Python, and of those that remember."""
    plain = PLAIN[game_id]
    return [plain, REMEMBERING, {camp: [HASHING, plain, REMEMBERING] for camp in find_game(game_id).camps}]


assert_same = np.testing.assert_equal


@one_of_each_kind
@pytest.mark.parametrize("autoreset", ["same_step", "off"])
def test_a_restored_batch_plays_the_same_games(game_id: str, autoreset: str) -> None:
    batch = learner(game_id, 3, opponents=opposite(game_id), autoreset=autoreset)
    played(batch, 7)
    kept = batch.get_state()
    first = played(batch, 30)
    ended = batch.get_state()
    batch.set_state(kept)
    assert_same(batch.get_state(), kept)
    assert_same(played(batch, 30), first)
    assert_same(batch.get_state(), ended)


@one_of_each_kind
def test_another_batch_plays_the_same_games_from_a_state(game_id: str) -> None:
    """Its seed comes with the state."""
    batch = learner(game_id, 3, opponents=opposite(game_id), on_illegal="terminate", seed=4)
    batch.step([-1, -1, -1])
    played(batch, 20)
    kept = batch.get_state()
    other = learner(game_id, 3, opponents=opposite(game_id), on_illegal="terminate", seed=5)
    played(other, 3)
    other.set_state(kept)
    assert (other.seed, other.illegal) == (4, 3)
    assert_same(other.observation, batch.observation)
    assert_same(other.action_mask, batch.action_mask)
    assert_same(other.seat, batch.seat)
    assert_same(other.game_number, batch.game_number)
    assert_same(played(other, 25), played(batch, 25))


def test_states_are_copies() -> None:
    batch = learner(TOY, 3, opponents=Remembering())
    played(batch, 3)
    kept = batch.get_state()
    again = batch.get_state()
    for array in kept.values():
        array[...] = np.zeros_like(array)
    assert_same(batch.get_state(), again)
    batch.set_state(again)
    for array in again.values():
        array[...] = np.zeros_like(array)
    assert_same(played(batch, 5), played_from(batch))


def played_from(batch: LearnerBatch) -> list[dict[str, Any]]:
    """What a twin that never was put back shows after the same steps."""
    twin = learner(TOY, 3, opponents=Remembering())
    played(twin, 3)
    return played(twin, 5)


# --- what isn't sound -----------------------------------------------------------------------------------------------


def begun(game_id: str = TOY, num_envs: int = 3, **options: Any) -> LearnerBatch:
    """A batch in mid-play against agents of all kinds."""
    batch = learner(game_id, num_envs, **{"opponents": opposite(game_id), **options})
    played(batch, 9)
    return batch


def assert_refused(batch: LearnerBatch, state: Any) -> None:
    before = batch.get_state(), sights(batch)
    with pytest.raises(StateError):
        batch.set_state(state)
    assert_same((batch.get_state(), sights(batch)), before)


def altered(state: State, name: str, change: Callable[[Any], Any]) -> State:
    """A state with one array changed."""
    return {**state, name: change(state[name].copy())}


def put(value: Any, place: Any = ...) -> Callable[[Any], Any]:
    """A change of an array's entries."""

    def change(array: Any) -> Any:
        array[place] = value
        return array

    return change


@one_of_each_kind
def test_arrays_that_are_missing_or_of_another_shape_or_kind_are_refused(game_id: str) -> None:
    batch = begun(game_id)
    state = begun(game_id, seed=2).get_state()
    for name, array in state.items():
        assert_refused(batch, {other: kept for other, kept in state.items() if other != name})
        wrong = [array[:-1], array[..., None], array.ravel()[:-1], np.concatenate([array, array]), None, "x", 3]
        wrong += [array.astype(np.float64), array.astype(object), array.astype(str)]
        for each in wrong:
            assert_refused(batch, {**state, name: each})
    batch.set_state(state)
    played(batch, 3)


@pytest.mark.parametrize("state", [None, {}, [], "state", b"", 3])
def test_other_objects_are_refused_as_states(state: Any) -> None:
    assert_refused(begun(), state)


ABSURD = [
    ("seat", put(3, 0)),
    ("seat", put(-1, 0)),
    ("seat", put(-5)),
    ("seat", put(2**40)),
    ("seat", lambda seat: (seat + 1) % 3),
    ("lineups", put(99, 0)),
    ("lineups", put(-2, 0)),
    ("lineups", put(-1)),
    ("lineups", put(0)),
    ("_next", put(-1, 2)),
    ("_next", put(-(2**63))),
    ("_over", put(True, 0)),
    ("counters", put(-1)),
    ("games", put(255)),
    ("games", put(7)),
    ("games", put(0)),
]


@pytest.mark.parametrize(("name", "change"), ABSURD, ids=[f"{name}-{at}" for at, (name, _) in enumerate(ABSURD)])
def test_absurd_states_are_refused(name: str, change: Callable[[Any], Any]) -> None:
    batch = begun()
    state = begun(seed=2).get_state()
    assert_refused(batch, altered(state, name, change))
    batch.set_state(state)
    played(batch, 3)


@one_of_each_kind
def test_states_of_another_game_are_refused(game_id: str) -> None:
    assert_refused(begun(game_id), begun(TOY).get_state())


def test_states_of_another_table_are_refused() -> None:
    batch = begun()
    assert_refused(batch, begun(num_players=2).get_state())
    assert_refused(batch, begun(num_envs=2).get_state())
    assert_refused(batch, begun(num_envs=4).get_state())
    assert_refused(batch, begun(view="now").get_state())
    assert_refused(batch, begun(secrets=True).get_state())
    assert_refused(batch, begun(max_decisions=7, seed=2, opponents="random").get_state() | {"lineups": None})


def test_states_against_more_agents_are_refused() -> None:
    agents = [Hashing(salt) for salt in range(4)]
    many = begun(num_envs=8, opponents=agents)
    few = begun(num_envs=8, opponents=agents[:1])
    assert_refused(few, many.get_state())


def test_a_learner_in_a_seat_without_its_role_is_refused() -> None:
    options: dict[str, Any] = {"opponents": "simple", "num_players": 5}
    leader, profiteer = (begun(HUNT, role=role, **options) for role in ("leader", "profiteer"))
    assert_refused(leader, profiteer.get_state())
