"""Features: numbers worked out from a learner's view alone, and what an agent would advise."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conformance.options import GAMES, every_game
from leaks.hidden import HIDDEN
from learner.learner_kit import (
    HUNT,
    TOY,
    Hashing,
    Remembering,
    Replay,
    chosen,
    first_episodes,
    hashed,
    installed,
    learner,
)

from riverbed_env.core.batch import Batch
from riverbed_env.core.features import table_of, write_features
from riverbed_env.errors import OptionError
from riverbed_env.kernels.random import STREAM, open_stream
from riverbed_env.players.agents import CompiledAgent, choose_uniformly
from riverbed_env.players.features import advice, feature_names, find_feature_set, find_feature_sets
from riverbed_env.registry import find_game, make_batch
from riverbed_env.testing.conformance.options import player_counts
from riverbed_env.testing.hidden import Channels, compare_worlds
from riverbed_env.testing.hidden.worlds import make, moments_of, twin_env

GAME = find_game(HUNT)
SIZE = GAME.views["history"]
ADVISERS = {HUNT: "simple", "river_rats": "simple", "deep_river": "greedy", "riverside": "greedy"}  # they compile
BOTH = ("outlook", "advice:simple")
Rows = npt.NDArray[np.int8]
Sight = tuple[npt.NDArray[np.void], npt.NDArray[np.void], Rows, Rows]


def streams(n: int, seed: int) -> npt.NDArray[np.void]:
    """Streams that have nothing to do with any game."""
    found = np.zeros(n, STREAM)
    for number in range(n):
        open_stream(found[number], seed, number, 99)
    return found


def met(features: Any, steps: int = 25, **options: Any) -> tuple[Sight, Rows]:
    """What learners of the Hunt see, views, params, observations and masks, and what the features tell."""
    batch = learner(HUNT, 8, features=features, opponents="simple", **options)
    size = GAME.views[options.get("view", "history")]
    rows = []
    for _ in range(steps):
        views = batch.tables.batch.look(batch.seat)
        rows.append((views, batch.observation.copy(), batch.action_mask.copy()))
        batch.step([hashed(row[:size], mask) for row, mask in zip(batch.observation, batch.action_mask)])
    views, observations, masks = (np.concatenate(part) for part in zip(*rows))
    return (views, batch.tables.batch.params, observations[:, :size], masks), observations[:, size:]


def test_a_game_names_its_features() -> None:
    assert "outlook" in feature_names(GAME)
    for game_id in GAMES:
        if game_id != HUNT:
            assert feature_names(find_game(game_id)) == []


@pytest.mark.parametrize(("name", "num_players"), [("outlook", 4), ("outlook", 9), ("camps", 7)])
def test_features_depend_on_the_view_alone(name: str, num_players: int) -> None:
    """The same rows in another order, with other streams, tell the same."""
    (views, params, observations, masks), told = met((name,), num_players=num_players)
    features = find_feature_set(name, GAME)
    assert told.shape[1] == features.pieces.size
    order = np.random.default_rng(0).permutation(len(told))
    for seed in (1, 2):
        seen = views[order], params, observations[order], masks[order]
        again = write_features((features,), *seen, streams(len(told), seed))
        np.testing.assert_array_equal(again, told[order])
    assert len(np.unique(told, axis=0)) > 40


@pytest.mark.parametrize(
    ("name", "opponents"),
    [
        pytest.param("rule_based", "rule_based", marks=pytest.mark.slow),
        ("simple", Hashing()),
        ("random", "random"),
    ],
)
def test_advice_is_what_the_agent_would_do(name: str, opponents: Any) -> None:
    agent = installed(name, HUNT)
    batch = learner(HUNT, 3, features=(f"advice:{name}",), opponents=opponents)
    sat = installed(opponents, HUNT) if isinstance(opponents, str) else opponents
    found = first_episodes(batch, 3)
    for number, episode in found.items():
        replay = Replay(HUNT, 1, number, lambda seat, role: sat)
        for place in replay.decisions(episode.seat, episode.actions):
            row, mask = replay.sight(episode.seat)
            memory, streams = np.zeros((1, agent.memory_size), np.int32), replay.streams.copy()
            sight = {"views": replay.env.look(replay.env.possible_agents[episode.seat]), "params": replay.env.params}
            would = agent.act(row[None], mask[None], memory, streams, **sight if agent.by_view else {})
            told = episode.observations[place][SIZE:]
            assert told.sum() == 1
            assert told.argmax() == would[0]


def test_advice_of_any_game() -> None:
    batch = learner(TOY, 4, features=("advice:random",), opponents=Remembering())
    size = find_game(TOY).views["history"]
    for _ in range(10):
        told = batch.observation[:, size:]
        assert told.shape[1] == find_game(TOY).actions.size
        np.testing.assert_array_equal(told.sum(axis=1), 1)
        assert (batch.action_mask[told == 1] == 1).all()
        batch.step(told.argmax(axis=1))


def test_features_stand_in_the_order_asked_for_and_before_the_secrets() -> None:
    size = find_feature_set("outlook", GAME).pieces.size
    one, other = met(BOTH, steps=5), met(BOTH[::-1], steps=5)
    np.testing.assert_array_equal(one[1][:, :size], other[1][:, -size:])
    np.testing.assert_array_equal(one[1][:, size:], other[1][:, :-size])
    batch, plain = (learner(HUNT, 2, features=BOTH, secrets=secrets, opponents="simple") for secrets in (True, False))
    np.testing.assert_array_equal(batch.observation[:, : -batch.num_secrets], plain.observation)


def test_features_keep_within_their_bounds() -> None:
    found = find_feature_sets(BOTH, GAME)
    low, high = table_of(found).low(), table_of(found).high()
    assert low.shape == high.shape == (table_of(found).size,)
    for num_players in (4, 9):
        _, told = met(BOTH, num_players=num_players)
        assert (told >= low).all()
        assert (told <= high).all()


@pytest.mark.parametrize("game_id", [HUNT, TOY])
def test_a_learners_pieces_name_all_its_numbers(game_id: str) -> None:
    features = ("advice:random", *feature_names(game_id))
    batch = learner(game_id, 2, features=features, secrets=True, view="now")
    game, inside = batch.game, batch.tables.batch
    named, whole = batch.pieces.named(batch.observation[0]), game.observation.named(inside.observe(batch.seat)[0][0])
    assert batch.pieces.size == batch.observation.shape[1]
    assert set(named) > {"advice:random.advice", *(piece.name for piece in game.state.secrets)}
    for piece in game.observation.within(game.views["now"]):
        np.testing.assert_array_equal(named[piece.name], whole[piece.name])
    told = inside.feature_pieces.named(inside.features_of(batch.seat)[0])
    assert {name.partition(".")[0] for name in told} == set(features)
    for name, values in told.items():
        np.testing.assert_array_equal(named[name], values)


@pytest.mark.parametrize("view", ["history", "now"])
@every_game
def test_a_mixed_batch_gives_every_seats_features_beside_its_observation(game_id: str, view: str) -> None:
    """They are those of the same games played alone, whatever the view, and asking for them draws nothing."""
    counts, features = player_counts(game_id)[-2:], ["advice:random", *feature_names(game_id)]
    mixed = make_batch(game_id, len(counts), seed=3, num_players=counts, view=view, features=features)
    alone = [
        make_batch(game_id, 1, seed=3, first_game=place, num_players=count, auto_reset=False, features=features)
        for place, count in enumerate(counts)
    ]
    random = installed("random", game_id)
    for _ in range(6):
        before, told = mixed.get_state().tobytes(), mixed.features_of()
        assert told.shape == (len(counts), mixed.feature_pieces.size)
        named = [mixed.feature_pieces.named(row)["advice:random.advice"] for row in told]
        would = random.act(*mixed.observe(mixed.seat), np.zeros((len(counts), 0), np.int32), mixed.agent_streams())
        np.testing.assert_array_equal([row.argmax() for row in named], would)
        for seat in range(mixed.num_players):
            rows = mixed.features_of(seat)
            for place, single in enumerate(alone):
                there = seat < single.num_players
                np.testing.assert_array_equal(rows[place], single.features_of(seat)[0] if there else 0 * rows[place])
                np.testing.assert_array_equal(rows[place], mixed.features_of(seat, np.array([place]))[0])
        np.testing.assert_array_equal(mixed.states(), np.concatenate([single.states() for single in alone]))
        assert mixed.get_state().tobytes() == before
        mixed.step(would)
        for place, single in enumerate(alone):
            single.step(would[place : place + 1])


@pytest.mark.parametrize(
    ("game_id", "name"),
    [
        *((HUNT, name) for name in feature_names(HUNT)),
        *(pytest.param(game_id, f"advice:{name}", marks=pytest.mark.slow) for game_id, name in ADVISERS.items()),
    ],
)
def test_features_are_the_same_in_worlds_the_seat_cannot_tell_apart(
    game_id: str, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    worlds = HIDDEN[find_game(game_id).id]
    env = make(worlds.game, worlds.game.default_players)
    batch = make_batch(worlds.game, 1, num_players=env.num_players, features=[name])
    monkeypatch.setattr(batch, "agent_streams", lambda: streams(1, 7))  # advisers draw; no seat sees the draws

    def told(world: Any, agent: str) -> Rows:
        batch.set_state(world._games)
        return batch.features_of(world.possible_agents.index(agent))

    compared = 0
    for rng in moments_of(worlds, env):
        for agent in env.possible_agents:
            compare_worlds(env.clone(), twin_env(worlds, env, agent, rng), agent, Channels({name: told}))
            compared += 1
    assert compared > 5


def test_make_batch_refuses_an_unknown_feature_set_and_gives_none_unasked() -> None:
    assert make_batch(HUNT, 2, seed=0).features_of().shape == (2, 0)
    with pytest.raises(OptionError, match=r"no feature set 'outlok' .did you mean 'outlook'"):
        make_batch(HUNT, 2, features=["outlok"])
    with pytest.raises(OptionError, match=r"must be feature sets, not .*: make_batch takes names"):
        Batch(GAME, 2, features=["outlook"])  # type: ignore[list-item]


def test_the_last_sight_has_features_too() -> None:
    batch = learner(HUNT, 4, features=("outlook",), opponents="simple", autoreset="off", max_decisions=60)
    for _ in range(60):
        batch.step(chosen(batch))
    assert batch.over.all()
    rows, masks = batch.final_observation[:, :SIZE], batch.final_mask
    seen = batch.tables.batch.look(batch.seat), batch.tables.batch.params, rows, masks
    again = write_features((find_feature_set("outlook", GAME),), *seen, streams(4, 3))
    np.testing.assert_array_equal(batch.final_observation[:, SIZE:], again)


@pytest.mark.parametrize("name", ["foresight", "advice", "advice:", "advice:nobody", "advice:search", "", "outlook.py",
                                  "advice:riverbed_agents.riverbed_hunt.simple:SIMPLE",
                                  "advice:policy.npz"])  # fmt: skip
def test_unknown_feature_sets_are_refused_by_name(name: str) -> None:
    with pytest.raises(OptionError, match=name.partition(":")[2] or name or "feature"):
        find_feature_set(name, GAME)
    with pytest.raises(OptionError):
        learner(HUNT, features=("outlook", name))


def test_a_feature_set_of_another_game_is_refused() -> None:
    with pytest.raises(OptionError, match="outlook"):
        learner(TOY, features=("outlook",))


def test_agents_that_remember_give_no_advice() -> None:
    with pytest.raises(OptionError, match="mindful"):
        advice(CompiledAgent("mindful", choose_uniformly, memory_size=2), GAME)


@pytest.mark.parametrize("features", [None, "outlook", b"outlook", 5, [1], {"outlook"}])
def test_features_must_be_a_list(features: Any) -> None:
    with pytest.raises(OptionError, match="features must be a list of names"):
        learner(HUNT, features=features)


@pytest.mark.parametrize("secrets", [None, 1, "yes", np.array([1, 2])])
def test_secrets_are_given_or_not(secrets: Any) -> None:
    with pytest.raises(OptionError, match="secrets must be True or False"):
        learner(TOY, secrets=secrets)


def test_a_feature_set_asked_for_twice_is_refused() -> None:
    with pytest.raises(OptionError, match="outlook"):
        find_feature_sets(("outlook", "outlook"), GAME)
