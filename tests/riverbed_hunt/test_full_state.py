"""The full state as a vector: all that everybody sees, as seat 0 does, and behind it every secret."""

import numpy as np
import pytest
from drawn import one_hot

from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_hunt.dealt import SEATS, Dealt, play_randomly


@pytest.mark.parametrize(("num_players", "talk"), [*((count, "none") for count in SEATS), (5, "claims")])
def test_the_full_state_holds_all_that_is_public_and_every_secret(num_players: int, talk: str) -> None:
    scene = Dealt(num_players, seed=num_players, talk=talk)
    while not scene.over:
        state, seen = scene.full_state(), scene.observed(0)
        own = scene.game["private"][:num_players]
        for piece in OBSERVATION.pieces:
            if piece.visibility == "all":
                assert np.array_equal(state[piece.name], seen[piece.name]), piece.name
        assert state["roles"][:num_players].tolist() == [one_hot(role, 5) for role in own["role"].tolist()]
        assert state["hands"][:num_players].tolist() == own["hand"].tolist()
        assert not state["roles"][num_players:].any()
        assert not state["hands"][num_players:].any()
        assert state["tiles"].tolist() == [one_hot(tile - 1, 18) for tile in scene.game["tile_at"].tolist()]
        pile = scene.game["deck"][: int(scene.table["draw_pile"])].tolist()
        assert state["deck"].tolist() == [card + 1 for card in reversed(pile)] + [0] * (28 - len(pile))
        play_randomly(scene, num_players)
