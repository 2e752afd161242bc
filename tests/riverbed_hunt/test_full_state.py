"""The full state as a vector: all that everybody sees, as seat 0 does, and behind it every secret."""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import pytest

from riverbed_env.games.riverbed_hunt import observe
from riverbed_env.games.riverbed_hunt.pieces import OBSERVATION, STATE
from riverbed_env.games.riverbed_hunt.state import VIEW
from riverbed_hunt.dealt import SEATS, Dealt, play_randomly

Pieces = dict[str, npt.NDArray[np.int8]]


def vectors(scene: Dealt) -> tuple[Pieces, Pieces]:
    """The full state, and seat 0's observation, by piece."""
    view = np.zeros(1, VIEW)[0]
    state, scratch, seen = (np.full(size, 9, np.int8) for size in (STATE.size, OBSERVATION.size, OBSERVATION.size))
    observe.write_state(scene.game, scene.setting, view, scratch, state)
    observe.observe(scene.game, scene.setting, 0, view, seen)
    return STATE.named(state), OBSERVATION.named(seen)


def one_hot(numbers: list[int], length: int) -> list[list[int]]:
    return [[int(place == number) for place in range(length)] for number in numbers]


@pytest.mark.parametrize("num_players", SEATS)
def test_the_full_state_holds_all_that_is_public_and_every_secret(num_players: int) -> None:
    scene = Dealt(num_players, seed=num_players)
    while not scene.over:
        state, seen = vectors(scene)
        own = scene.game["private"][:num_players]
        for piece in OBSERVATION.pieces:
            if piece.sight == "all":
                assert np.array_equal(state[piece.name], seen[piece.name]), piece.name
        assert state["roles"][:num_players].tolist() == one_hot(own["role"].tolist(), 5)
        assert state["hands"][:num_players].tolist() == own["hand"].tolist()
        assert not state["roles"][num_players:].any()
        assert not state["hands"][num_players:].any()
        assert state["tiles"].tolist() == one_hot([tile - 1 for tile in scene.game["tile_at"].tolist()], 18)
        pile = scene.game["deck"][: int(scene.table["draw_pile"])].tolist()
        assert state["deck"].tolist() == [card + 1 for card in reversed(pile)] + [0] * (28 - len(pile))
        play_randomly(scene, num_players)
