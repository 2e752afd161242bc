"""A batch plays the AEC environment's games, for any batch size, number of threads and process."""

import itertools
import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numba
import numpy as np
import numpy.typing as npt
import pytest
from conformance.options import (
    GAMES,
    KINDS,
    OWN_VALUES,
    every_game,
    every_table,
    one_of_each_kind,
    tables,
)
from pack_changes import default_text, replaced, written
from repetitions import repetitions

import riverbed_env
from riverbed_env.core.batch import Batch
from riverbed_env.core.features import write_features
from riverbed_env.core.game import NO_ROLE
from riverbed_env.core.state_features import FullStates
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.errors import IllegalActionError, OptionError, SeedError, StateError
from riverbed_env.players.features import find_state_features
from riverbed_env.players.specs import find_agent
from riverbed_env.registry import find_game
from riverbed_env.testing.conformance.kit import (
    assert_same,
    is_over,
    new_env,
    record_of,
    undrawn,
    waiting_mask,
)
from riverbed_env.testing.conformance.options import Options, cap_of, option_values, player_counts, rich_options
from riverbed_env.worlds import beliefs, resample

Records = npt.NDArray[np.void]


def views_of_tables(game_id: str) -> list[Options]:
    """Every view of every player count and of tables with little that is the default."""
    chosen = [{"num_players": count} for count in player_counts(game_id)] + rich_options(find_game(game_id))
    return [{**options, "view": view} for options in chosen for view in find_game(game_id).views]


every_view_of_every_table = pytest.mark.parametrize(("game_id", "options"), tables(GAMES, views_of_tables))


def make(game_id: str, n: int, **options: Any) -> Batch:
    return riverbed_env.make_batch(game_id, n, **{"seed": 5, **options})


def arrays(batch: Batch) -> dict[str, Any]:
    """Copies of all that a batch shows; records as bytes, with their padding."""
    shown = ("seat", "observation", "action_mask", "done", "truncated", "returns", "game_number", "acting")
    return {**{name: getattr(batch, name).copy() for name in shown}, "records": batch.get_state().tobytes()}


def step_randomly(batch: Batch, steps: int = 1) -> None:
    """Take this many steps of random actions."""
    for _ in range(steps):
        batch.step(some_actions(batch))


def some_actions(batch: Batch) -> npt.NDArray[np.int64]:
    """Random actions for games in play, nonsense for those that are over."""
    actions = batch.random_actions()
    actions[~batch.acting] = 12345
    return actions


def play_out(batch: Batch) -> Records:
    """Play a batch without auto_reset until all games are over; returns the final records."""
    while batch.acting.any():
        step_randomly(batch)
    return batch.get_state()


# --- one game is one game --------------------------------------------------------------------------------


@every_game
def test_records_are_the_same_bytes_whatever_was_played_there_before(game_id: str) -> None:
    """Records are compared, hashed and saved as bytes, so nothing of an earlier game may remain in them."""
    used = make(game_id, 4)
    while used.game_number.min() < 8:
        step_randomly(used)
    used.reset(first_game=0)
    fresh = make(game_id, 4)
    for _ in range(80):
        assert used.get_state().tobytes() == fresh.get_state().tobytes()
        for batch in (used, fresh):
            step_randomly(batch)


PLAYED_OTHERWISE = {  # edits of default packs that change what is played
    "riverbed_hunt": ("kelp = 7, log = 7", "kelp = 3, log = 3"),
    "riverside": ("reward = 15", "reward = 3"),
    "deep_river": ("faces = [1, 4]", "faces = [3, 4]"),
}


def several_values(game_id: str, folder: Path) -> dict[str, list[Any]]:
    """Several values of the options that change what is played."""
    name, several = find_game(game_id).name, {"num_players": player_counts(game_id), cap_of(game_id): [9, 500]}
    if name in PLAYED_OTHERWISE:
        several["pack"] = ["default", written(replaced(PLAYED_OTHERWISE[name])(default_text(name)), folder)]
    return several | {"auto_forced": ["none", "all"]}


@every_game
def test_a_mixed_batch_plays_each_environment_as_an_unmixed_one_would(game_id: str, tmp_path: Path) -> None:
    several = several_values(game_id, tmp_path)
    sets = [dict(zip(several, values)) for values in itertools.product(*several.values())]
    mixed = make(game_id, len(sets), **several)
    given = make(game_id, len(sets), **{name: [each[name] for each in sets] for name in several})
    assert mixed.get_state().tobytes() == given.get_state().tobytes()
    mixed = pickle.loads(pickle.dumps(mixed)).clone()
    unmixed = [make(game_id, 1, first_game=place, auto_reset=False, **each) for place, each in enumerate(sets)]
    ended = 0
    for _ in range(repetitions(60, 12)):
        roles, views, states = mixed.roles(), mixed.look(0), mixed.states()
        for place, batch in enumerate(unmixed):
            assert mixed.games[place].tobytes() == batch.games[0].tobytes()
            assert views[place].tobytes() == batch.look(0)[0].tobytes()
            np.testing.assert_array_equal(states[place], batch.states()[0])
            np.testing.assert_array_equal(roles[place, : batch.num_players], batch.roles()[0])
            assert (roles[place, batch.num_players :] == NO_ROLE).all()
        step_randomly(mixed)
        for place, batch in enumerate(unmixed):
            step_randomly(batch)
            np.testing.assert_array_equal(mixed.returns[place, : batch.num_players], batch.returns[0])
            assert not mixed.returns[place, batch.num_players :].any()
            assert (mixed.done[place], mixed.truncated[place]) == (batch.done[0], batch.truncated[0])
            if batch.done[0]:
                ended += 1
                batch.deal(batch.game_number + len(sets))
            np.testing.assert_array_equal(mixed.rows[place], batch.rows[0])
        mixed.set_state(mixed.get_state())
    assert ended


@every_game
def test_afterstates_are_the_games_that_each_legal_action_leads_to(game_id: str, tmp_path: Path) -> None:
    """Ends too; trying actions changes nothing."""
    several = several_values(game_id, tmp_path)
    several[cap_of(game_id)] = [9, 500]
    rewards = find_game(game_id).rewards[-1]
    batch = make(game_id, 16, auto_reset=False, rewards=rewards, **several)
    endings: set[int] = set()
    for step in itertools.count():
        if not batch.acting.any():
            break
        if step % 7 < 2 or (step > 100 and step % 3 == 0):
            endings |= assert_afterstates(batch)
        step_randomly(batch)
    assert endings == {0, 1, 2}
    after = batch.afterstates(*np.zeros((2, 0), np.int64))
    assert [len(each) for each in after] == [0, 0, 0, 0]


def assert_afterstates(batch: Batch) -> set[int]:
    """Compare what each legal action leads to with a step of a clone; returns how games ended."""
    before = arrays(batch)
    places, actions = np.nonzero(batch.action_mask * batch.acting[:, None])
    after = batch.afterstates(places, actions)
    assert_same(arrays(batch), before)
    tried = np.frombuffer(after.games.tobytes(), np.uint8).reshape(len(places), -1)
    nth = np.arange(len(places)) - np.searchsorted(places, places)  # among the actions of its environment
    for number in range(nth.max() + 1):
        rows = np.flatnonzero(nth == number)
        there, twin = places[rows], batch.clone()
        chosen = batch.action_mask.argmax(axis=1)
        chosen[there] = actions[rows]
        twin.step(chosen)
        np.testing.assert_array_equal(tried[rows], bytes_of(twin)[there])
        np.testing.assert_array_equal(after.seat[rows], twin.seat[there])
        np.testing.assert_array_equal(after.ended[rows], (twin.done.astype(int) + twin.truncated)[there])
        paid = np.where(twin.done[:, None], twin.returns, 0)
        np.testing.assert_array_equal(after.returns[rows], paid[there])
    return set(after.ended.tolist())


@pytest.mark.slow  # compiles for threads
def test_afterstates_and_state_features_are_the_same_for_any_number_of_threads() -> None:
    batch, many = (make("ford_v0", 12, threads=threads, num_players=[2, 3]) for threads in (1, 2))
    places, actions = np.nonzero(batch.action_mask)
    for one, other in zip(batch.afterstates(places, actions), many.afterstates(places, actions), strict=True):
        assert one.tobytes() == other.tobytes()
    for each in (batch, make(KINDS[0], 12, num_players=[4, 9])):  # the full state, and features of it
        step_randomly(each, 4)
        state, given = find_state_features(each.game), (each.games, each.params, each.which)
        np.testing.assert_array_equal(state.of(*given, 1), state.of(*given, 2))


@every_game
def test_state_features_hold_each_number_once_by_seat_or_not(game_id: str) -> None:
    batch = make(game_id, 6, num_players=player_counts(game_id))
    step_randomly(batch, 5)
    full = FullStates(batch.game)
    np.testing.assert_array_equal(full.of(batch.games, batch.params, batch.which), batch.states())
    for state in (full, find_state_features(batch.game)):
        told, (seats, others) = state.of(batch.games, batch.params, batch.which), state.columns()
        assert sorted([*seats.ravel(), *others]) == list(range(state.pieces.size))
        assert len(seats) == batch.game.max_players
        assert ((told >= state.pieces.low()) & (told <= state.pieces.high())).all()
        assert state.scale().shape == (state.pieces.size,)
        assert (state.scale() >= 1).all()
        for seat in range(batch.game.max_players):
            for piece in (piece for piece in state.pieces.pieces if len(piece.shape) > 1):
                place = state.pieces.start(piece.name)
                of_seat = place + seat * piece.size // piece.shape[0]
                assert (of_seat in seats[seat]) is (piece.axes[0].partition(" ")[0] in ("seat", "side"))


@every_game
def test_values_are_shared_out_or_drawn_by_the_seed(game_id: str) -> None:
    counts = player_counts(game_id)
    several = {"num_players": counts, cap_of(game_id): (7, 8, 9)}
    total = 3 * len(counts)
    assert make(game_id, 2 * total, **several).which.tolist() == np.repeat(np.arange(total), 2).tolist()
    drawn = [make(game_id, 1, seed=seed, **several).params.tobytes() for seed in (1, 1, *range(20))]
    assert drawn[0] == drawn[1]
    assert len(set(drawn)) > 1
    with pytest.raises(OptionError, match="num_players must be a value or several, not"):
        make(game_id, 4, num_players=())


READ_ONE_SET: dict[str, Callable[[Batch, Records], object]] = {
    "deduction": lambda batch, views: beliefs(batch.game, views, batch.params),
    "resampling": lambda batch, views: resample(batch.game, views, batch.params, 1),
    "an agent": lambda batch, views: find_agent("rule_based", batch.game.name).act(
        batch.observation, batch.action_mask, np.zeros((4, 1), np.int32), batch.agent_streams(), views, batch.params
    ),
    "features": lambda batch, views: write_features(
        (), views, batch.params, batch.observation, batch.action_mask, batch.agent_streams()
    ),
}


@pytest.mark.parametrize(
    ("reader", "game_id"), [*((name, "riverbed_hunt") for name in READ_ONE_SET), ("resampling", "river_rats")]
)
def test_who_reads_one_set_of_params_refuses_those_of_a_mixed_batch(reader: str, game_id: str) -> None:
    batch = make(game_id, 4, num_players=player_counts(game_id)[:2])
    with pytest.raises(OptionError, match=r"params must be those of one set of options, not of 2: see Batch\.by_set"):
        READ_ONE_SET[reader](batch, batch.look(0))


def dealt(game_id: str, number: int, **options: Any) -> TurnEnv:
    env = new_env(game_id, **options)
    env.reset(seed=5, options={"game_number": number})
    return env


def assert_row_is(batch: Batch, index: int, env: TurnEnv) -> None:
    """The environment's row is what the AEC environment's selected agent sees."""
    assert env.agent_selection == f"player_{batch.seat[index]}"
    seen, *_ = env.last()
    assert seen is not None
    assert_same(batch.observation[index].copy(), seen["observation"])
    assert_same(batch.action_mask[index].copy(), seen["action_mask"])


@every_table
def test_observe_is_the_aec_environments_for_every_seat(game_id: str, count: int) -> None:
    batch = make(game_id, 2, num_players=count)
    envs = [dealt(game_id, number, num_players=count) for number in range(2)]
    for _ in range(40):
        for seat in range(count):
            observations, masks = batch.observe(seat)
            for index, env in enumerate(envs):
                seen = env.observe(f"player_{seat}")
                assert_same(observations[index].copy(), seen["observation"])
                assert_same(masks[index].copy(), seen["action_mask"])
        rows, _ = batch.observe(np.array([count - 1, 0]))
        np.testing.assert_array_equal(rows[0], envs[0].observe(f"player_{count - 1}")["observation"])
        np.testing.assert_array_equal(rows[1], envs[1].observe("player_0")["observation"])
        actions = batch.random_actions()
        for index, env in enumerate(envs):
            env.step(int(actions[index]))
        batch.step(actions)
        if batch.done.any():
            break


@every_view_of_every_table
def test_rows_of_steps_are_those_that_observe_writes_from_nothing(game_id: str, options: Options) -> None:
    batch = make(game_id, 5, **options)
    for _ in range(120):
        step_randomly(batch)
        before = arrays(batch)
        observations, masks = batch.observe(batch.seat)
        np.testing.assert_array_equal(batch.observation, observations)
        np.testing.assert_array_equal(batch.action_mask, masks)
        assert_same(arrays(batch), before)
        assert not np.shares_memory(observations, batch.observation)


@every_game
def test_options_mean_the_same_as_in_the_aec_environment(game_id: str) -> None:
    of_env_alone = {"on_illegal", "render_mode", "render_size", "render_panels"}
    every_value = option_values(game_id, OWN_VALUES.get(game_id, {}))
    for options in [*every_value, *rich_options(find_game(game_id))]:
        if of_env_alone & set(options):
            continue
        batch = make(game_id, 1, auto_reset=False, **options)
        env = dealt(game_id, 0, **options)
        while batch.acting.all():
            assert_row_is(batch, 0, env)
            actions = batch.random_actions()
            batch.step(actions)
            env.step(int(actions[0]))
        assert is_over(env)
        assert batch.truncated[0] == env.truncations["player_0"]
        np.testing.assert_array_equal(batch.returns[0], [np.float32(reward) for reward in env.rewards.values()])
        game = env.game
        assert undrawn(game, record_of(env)).tobytes() == undrawn(game, batch.get_state()).tobytes()


# --- what the arrays say ---------------------------------------------------------------------------------


@one_of_each_kind
def test_games_may_end_and_begin_in_the_same_step_in_every_environment(game_id: str) -> None:
    """SAME_STEP: what an environment shows after the step is the next game's first moment."""
    batch = make(game_id, 5, auto_forced="none", **{cap_of(game_id): 1})
    ended = np.zeros(5, np.int64)
    while ended.min() < 3:
        step_randomly(batch)
        ended += batch.done
        np.testing.assert_array_equal(batch.truncated, batch.done)
        np.testing.assert_array_equal(batch.game_number, np.arange(5) + 5 * ended)
        assert (batch.returns[batch.done] == 0).all()
        assert batch.acting.all()
        for index in np.flatnonzero(batch.done):
            fresh = make(
                game_id, 1, first_game=int(batch.game_number[index]), auto_forced="none", **{cap_of(game_id): 1}
            )
            np.testing.assert_array_equal(batch.observation[index], fresh.observation[0])
            np.testing.assert_array_equal(batch.action_mask[index], fresh.action_mask[0])
            assert batch.get_state()[index].tobytes() == fresh.get_state()[0].tobytes()


@pytest.mark.parametrize("game_id", KINDS[:1])
def test_random_actions_are_uniform_over_the_legal_ones(game_id: str) -> None:
    batch = make(game_id, 1)
    while batch.action_mask.sum() < 2:
        step_randomly(batch)
    drawn = np.array([batch.random_actions()[0] for _ in range(3000)])
    legal = np.flatnonzero(batch.action_mask[0])
    counts = np.array([(drawn == action).sum() for action in legal])
    assert counts.sum() == 3000
    expected, degrees = 3000 / len(legal), len(legal) - 1
    assert ((counts - expected) ** 2 / expected).sum() < degrees + 6 * np.sqrt(2 * degrees) + 8


# --- without auto_reset ----------------------------------------------------------------------------------


@one_of_each_kind
def test_without_auto_reset_each_game_is_played_to_its_end_and_left(game_id: str) -> None:
    game = find_game(game_id)
    batch = make(game_id, 12, auto_reset=False)
    ended: dict[int, tuple[bytes, bytes, bytes]] = {}
    for extra in (False, True):
        while batch.acting.any() or extra:
            acting = batch.acting.copy()
            step_randomly(batch)
            np.testing.assert_array_equal(batch.game_number, np.arange(12))
            np.testing.assert_array_equal(batch.done, acting & ~batch.acting)
            records = undrawn(game, batch.get_state())
            for index in range(12):
                kept = (records[index].tobytes(), batch.returns[index].tobytes(), batch.truncated[index].tobytes())
                if index in ended:
                    assert kept[:2] == ended[index][:2]
                    assert batch.seat[index] == -1
                elif not batch.acting[index]:
                    ended[index] = kept
            if extra:
                break
    assert len(ended) == 12
    again = make(game_id, 12)
    found: dict[int, bytes] = {}
    while not set(range(12)) <= found.keys():
        numbers = again.game_number.copy()
        step_randomly(again)
        for index in np.flatnonzero(again.done).tolist():
            found.setdefault(int(numbers[index]), again.returns[index].tobytes())
    assert {number: found[number] for number in range(12)} == {number: kept[1] for number, kept in ended.items()}


@one_of_each_kind
def test_drawing_actions_leaves_ended_games_alone(game_id: str) -> None:
    """The record of an ended game is a result: it can't depend on how long other games last."""
    batch = make(game_id, 8, auto_reset=False)
    while batch.acting.all():
        step_randomly(batch)
    over = np.flatnonzero(~batch.acting)
    before = bytes_of(batch)[over]
    batch.random_actions()
    assert (bytes_of(batch)[over] == before).all()


def bytes_of(batch: Batch) -> npt.NDArray[np.uint8]:
    """The bytes of each game, (n, bytes): choosing among records would leave their padding behind."""
    return np.frombuffer(batch.get_state().tobytes(), np.uint8).reshape(batch.num_envs, -1)


@one_of_each_kind
def test_ended_games_can_be_observed_and_reset(game_id: str) -> None:
    batch = make(game_id, 4, auto_reset=False)
    play_out(batch)
    for seat in range(batch.num_players):
        observations, masks = batch.observe(seat)
        assert (masks == waiting_mask(batch.game)).all()
        assert observations.any()
    batch.step(np.full(4, -99))
    assert not batch.acting.any()
    batch.reset()
    np.testing.assert_array_equal(batch.game_number, [4, 5, 6, 7])
    assert batch.acting.all()
    assert not batch.done.any()
    batch.reset(seed=6)
    np.testing.assert_array_equal(batch.game_number, [0, 1, 2, 3])
    assert batch.get_state().tobytes() == make(game_id, 4, seed=6).get_state().tobytes()


# --- states ----------------------------------------------------------------------------------------------


@one_of_each_kind
def test_get_state_is_a_copy(game_id: str) -> None:
    batch = make(game_id, 4)
    before = arrays(batch)
    state = batch.get_state()
    state.view(np.uint8)[:] = 77
    assert_same(arrays(batch), before)
    given = batch.get_state()
    batch.set_state(given)
    given.view(np.uint8)[:] = 77
    assert batch.get_state().tobytes() == before["records"]


# --- refusals --------------------------------------------------------------------------------------------


def one_illegal(batch: Batch) -> npt.NDArray[np.int64]:
    actions = batch.random_actions()
    actions[-1] = np.flatnonzero(batch.action_mask[-1] == 0)[-1]
    return actions


def with_entry(array: npt.NDArray[Any], name: str, place: int, value: int) -> npt.NDArray[Any]:
    array[name][place] = value
    return array


WRONG_ACTIONS: list[Any] = [
    one_illegal,
    lambda batch: np.zeros(batch.num_envs, np.int64),  # waiting
    lambda batch: np.full(batch.num_envs, -1),
    lambda batch: np.full(batch.num_envs, -1 << 40),  # what means a deal inside
    lambda batch: np.full(batch.num_envs, batch.action_mask.shape[1]),
    lambda batch: np.full(batch.num_envs, 2**62),
    lambda batch: np.full(batch.num_envs, 2**64 - 1, np.uint64),
    lambda batch: batch.random_actions() + 2**32,  # legal in 32 bits
    lambda batch: batch.random_actions()[:-1],
    lambda batch: np.append(batch.random_actions(), 1),
    lambda batch: int(batch.random_actions()[0]),
    lambda batch: [[1]] * (batch.num_envs - 1) + [[1, 2]],
    lambda batch: batch.random_actions()[:, None],
    lambda batch: batch.random_actions().astype(float),
    lambda batch: np.ones(batch.num_envs, np.bool_),
    lambda batch: np.array(["1"] * batch.num_envs),
    lambda batch: np.array([None] * batch.num_envs),
    *(None, "x"),
]
WRONG_STATES: list[Any] = [
    lambda batch: make(batch.game.id, batch.num_envs + 1).get_state(),
    lambda batch: batch.get_state()[:-1],
    lambda batch: batch.get_state().tobytes(),
    lambda batch: list(batch.get_state()),
    *(np.zeros(2), None),
]
UNSOUND_STATES: list[Any] = [
    lambda batch: with_entry(batch.get_state(), "seed", 1, -1),
    lambda batch: with_entry(batch.get_state(), "number", 1, -5),
]
WRONG_STREAMS: list[Any] = [
    lambda batch: batch.agent_streams()[:1],
    lambda batch: with_entry(batch.agent_streams(), "drawn", 1, -1),
    *([], None, np.zeros(2)),
]
INDICES = [[-1], [2], 2**63, "x", [0.0], [[0], [1]], [[0], [0, 1]], True, [None]]
NUMBERS = [[0, -1], [0, 2**63], [0.5, 1.0], float("nan"), [1, 2, 3], [[1, 2]], [[1], [1, 2]], "1", None]
SEATS = [-1, [0, 9], 1.5, [0.0, 1.0], float("nan"), "x", None, [0, 0, 0], [[0], [0]], [[0], [0, 1]], 2**64]
SEEDS = [-1, 2**63, 1.5, "x", True]
REFUSED: dict[str, tuple[Callable[[Batch, Any], Any], list[Any], type[Exception], str]] = {
    # how it is given, what is wrong (or a function of the batch that gives it), the error and its words
    "actions": (Batch.step, WRONG_ACTIONS, IllegalActionError, "can't take action|actions must"),
    "seats": (Batch.observe, [*SEATS, lambda batch: batch.num_players], OptionError, "seat"),
    "indices": (lambda batch, given: batch.observe(0, given), INDICES, OptionError, "indices must be .* from 0 to 1"),
    "indices of afterstates": (
        lambda batch, given: batch.afterstates(given, batch.action_mask.argmax(axis=1)),
        INDICES,
        OptionError,
        "^indices must be .* from 0 to 1",
    ),
    "actions of afterstates": (
        lambda batch, given: batch.afterstates([0, 1], given),
        WRONG_ACTIONS,
        IllegalActionError,
        "^game [01]: .*can't take action .*; legal: |^actions must",
    ),
    "indices of states": (Batch.states, INDICES, OptionError, "indices must be integers from 0 to 1"),
    "numbers": (Batch.deal, NUMBERS, OptionError, "numbers must be integers from 0 to"),
    "seeds": (Batch.reset, SEEDS, SeedError, "seed"),
    "first games": (lambda batch, given: batch.reset(8, given), [1.5, "x", 2**63, -1], OptionError, "first_game"),
    "streams": (Batch.put_agent_streams, WRONG_STREAMS, StateError, "stream"),
    "states": (Batch.set_state, WRONG_STATES, StateError, "2 games"),
    "unsound states": (Batch.set_state, UNSOUND_STATES, StateError, "game 1 isn't sound"),
}


@pytest.mark.parametrize("auto_reset", [True, False])
@pytest.mark.parametrize("what", REFUSED)
@one_of_each_kind
def test_what_is_wrong_is_refused_and_changes_nothing(game_id: str, what: str, auto_reset: bool) -> None:
    give, wrong, error, words = REFUSED[what]
    batch = make(game_id, 2, auto_reset=auto_reset)
    step_randomly(batch, 6)
    for each in wrong:
        given = each(batch) if callable(each) else each
        before = arrays(batch), batch.seed
        with pytest.raises(error, match=words):
            give(batch, given)
        assert_same((arrays(batch), batch.seed), before)
    step_randomly(batch)


@one_of_each_kind
def test_states_of_other_games_and_tables_are_refused(game_id: str) -> None:
    batch = make(game_id, 3)
    before = arrays(batch)
    counts = [count for count in player_counts(game_id) if count != batch.num_players]
    others = [(make(game_id, 3, num_players=count), "game 0 isn't sound") for count in counts]
    others += [(make(other, 3), f"3 games of {game_id}") for other in GAMES if other != game_id]
    for other, words in others:
        with pytest.raises(StateError, match=words):
            batch.set_state(other.get_state())
        assert_same(arrays(batch), before)


@one_of_each_kind
def test_a_refusal_says_where_who_what_why_and_what_is_legal(game_id: str) -> None:
    batch = make(game_id, 5)
    actions = batch.random_actions()
    actions[3] = 0
    legal = ", ".join(str(action) for action in np.flatnonzero(batch.action_mask[3]))
    with pytest.raises(IllegalActionError) as caught:
        batch.step(actions)
    message = str(caught.value)
    for words in ("game 3: ", f"seat {batch.seat[3]} can't take action 0: ", "must answer", f"; legal: {legal}"):
        assert words in message
    actions[:] = 0
    with pytest.raises(IllegalActionError, match="5 games in all"):
        batch.step(actions)


@one_of_each_kind
def test_wrong_options(game_id: str) -> None:
    wrong: list[tuple[dict[str, Any], str]] = [
        ({"num_envs": 0}, "num_envs must be an integer from 1 to 2147483647, not 0"),
        *(({"num_envs": n}, "num_envs must be") for n in (-3, 2.0, "2", True, None, 2**63)),
        *(({"auto_reset": flag}, "auto_reset must be True or False") for flag in (None, 0, "no")),
        *(({"threads": threads}, "threads must be") for threads in (0, -1, 1.5)),
        ({"view": "then"}, "view must be 'history' or 'now', not 'then'"),
        *(({"first_game": first}, "first_game") for first in (-1, 1.5, "x", 2**63)),
        *(({"seed": seed}, "seed must be") for seed in SEEDS),
    ]
    for options, words in wrong:
        with pytest.raises(OptionError, match=words):
            riverbed_env.make_batch(game_id, **{"num_envs": 2, **options})


@one_of_each_kind
def test_more_threads_than_may_be_used_are_lowered_with_a_warning(
    game_id: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(numba.config, "NUMBA_NUM_THREADS", 1)
    monkeypatch.setattr("riverbed_env.core.batch.compiled", lambda: True)
    with pytest.warns(UserWarning, match="threads=2 is lowered to 1"):
        assert make(game_id, 2, threads=2).threads == 1


@one_of_each_kind
def test_a_deal_and_a_state_forget_what_the_last_step_paid(game_id: str) -> None:
    batch = make(game_id, 2, **{cap_of(game_id): 1}, rewards="win")
    while not batch.done.any():
        step_randomly(batch)
    batch.returns[:] = 1
    for forget in (batch.reset, lambda: batch.deal([3, 4]), lambda: batch.set_state(batch.get_state())):
        forget()
        assert not batch.done.any()
        assert not batch.returns.any()
        batch.returns[:] = 1


# --- other processes -------------------------------------------------------------------------------------


def test_some_environments_are_dealt_anew_and_the_others_stay() -> None:
    game = find_game("riverbed_hunt")
    batch, fresh = (Batch(game, 4, seed=3, auto_reset=False) for _ in range(2))
    batch.step(batch.random_actions())
    before = batch.observation.copy()
    batch.deal([50, 60], indices=[2, 0])
    fresh.deal([60, 1, 50, 3])
    for index in (0, 2):
        np.testing.assert_array_equal(batch.observation[index], fresh.observation[index])
        assert batch.games[index].tobytes() == fresh.games[index].tobytes()
    np.testing.assert_array_equal(batch.observation[[1, 3]], before[[1, 3]])
    assert batch.game_number.tolist() == [60, 1, 50, 3]
    with pytest.raises(OptionError, match="indices"):
        batch.deal([1], indices=[4])
