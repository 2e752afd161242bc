"""With `secrets`, a learner's observation ends with the full state's secret pieces, for a critic."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from conformance.options import every_game
from learner.learner_kit import (
    HUNT,
    TOY,
    Hashing,
    Replay,
    chosen,
    first_episodes,
    learner,
)

from riverbed_env.core.game import Game
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.registry import find_game


def turned(values: npt.NDArray[np.int8], seat: int, num_players: int) -> npt.NDArray[np.int8]:
    """The rows of the players turned round until the seat's is the first."""
    return np.concatenate([np.roll(values[:num_players], -seat, axis=0), values[num_players:]])


def secret_part(env: TurnEnv, seat: int) -> npt.NDArray[np.int8]:
    """The secret pieces of the full state, the seat's own rows first."""
    table = env.game.state
    named = table.named(env.state())
    parts = [np.zeros(0, np.int8)]
    for piece in table.pieces:
        if piece.visibility == "nobody":
            values = named[piece.name]
            by_seat = bool(piece.axes) and piece.axes[0].split(" (")[0] == "seat"
            parts.append((turned(values, seat, env.num_players) if by_seat else values).ravel())
    return np.concatenate(parts)


def num_secrets(game: Game) -> int:
    return sum(piece.size for piece in game.state.pieces if piece.visibility == "nobody")


@every_game
def test_the_secrets_behind_an_observation_are_those_of_the_full_state(game_id: str) -> None:
    game = find_game(game_id)
    options: dict[str, Any] = {"opponents": Hashing(), "num_players": game.max_players}
    batch = learner(game_id, 2, secrets=True, **options)
    plain = learner(game_id, 2, **options)
    assert batch.num_secrets == num_secrets(game)
    assert plain.num_secrets == 0
    size = plain.observation.shape[1]
    assert batch.observation.shape[1] == size + batch.num_secrets
    found = first_episodes(batch, 2, lambda row, mask: int(mask.argmax()))
    for number, episode in found.items():
        replay = Replay(game_id, 1, number, lambda seat, role: Hashing(), num_players=game.max_players)
        for place in replay.decisions(episode.seat, episode.actions):
            row = episode.observations[place]
            np.testing.assert_array_equal(row[:size], replay.sight(episode.seat)[0])
            np.testing.assert_array_equal(row[size:], secret_part(replay.env, episode.seat))
        assert episode.last_observation is not None
        np.testing.assert_array_equal(episode.last_observation[:size], replay.sight(episode.seat)[0])
        np.testing.assert_array_equal(episode.last_observation[size:], secret_part(replay.env, episode.seat))


@pytest.mark.parametrize(
    ("game_id", "more"),
    [
        (HUNT, {"secrets": True}),
        pytest.param(HUNT, {"features": ("outlook", "advice:simple")}, marks=pytest.mark.slow),  # compiles them
        ("riverside", {"secrets": True}),
    ],
)
def test_asking_for_secrets_or_features_changes_nothing_else(game_id: str, more: dict[str, Any]) -> None:
    batches = [learner(game_id, 3, opponents=Hashing(), **options) for options in ({}, more)]
    size = batches[0].observation.shape[1]
    for _ in range(30):
        np.testing.assert_array_equal(batches[0].observation, batches[1].observation[:, :size])
        np.testing.assert_array_equal(batches[0].final_observation, batches[1].final_observation[:, :size])
        np.testing.assert_array_equal(batches[0].action_mask, batches[1].action_mask)
        np.testing.assert_array_equal(batches[0].reward, batches[1].reward)
        actions = chosen(batches[0])
        for batch in batches:
            batch.step(actions)


@every_game
def test_observations_are_within_the_bounds(game_id: str) -> None:
    batch = learner(game_id, 6, secrets=True, opponents="random")
    assert batch.low.shape == batch.high.shape == batch.observation.shape[1:]
    for _ in range(60):
        for told in (batch.observation, batch.final_observation):
            assert (told >= batch.low).all()
            assert (told <= batch.high).all()
        batch.step(chosen(batch))


def test_an_observation_without_secrets_is_the_same_in_worlds_that_differ_in_them() -> None:
    """Another player of the toy game holds another stone; only who asks for secrets can tell."""
    game = find_game(TOY)
    for secrets in (False, True):
        batch = learner(TOY, 4, opponents=Hashing(), secrets=secrets)
        state = batch.get_state()
        records = state["games"].reshape(-1).view(game.dtype)
        for record, seat in zip(records, batch.seat):
            unused = next(stone for stone in range(1, 7) if stone not in record["stones"])
            record["stones"][(seat + 1) % 3] = unused
        before = batch.observation.copy(), batch.action_mask.copy()
        batch.set_state(state)
        np.testing.assert_array_equal(batch.action_mask, before[1])
        assert (batch.observation != before[0]).any(axis=1).all() == secrets
        assert np.sum(batch.observation != before[0]) == 4 * secrets
