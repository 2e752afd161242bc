"""The picture of the table says what the view knows, and more only where the whole record is given."""

from __future__ import annotations

import numpy as np
import pytest

from riverbed_env.core.batch import Batch
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NO_TILE, Role
from riverbed_env.registry import find_game
from riverbed_lab.table_figure import draw_table

pytestmark = pytest.mark.compiled

GAME = find_game("riverbed_hunt_v1")
SEAT = 2


def words(*arguments: object) -> list[str]:
    """All words of a drawn picture."""
    figure = draw_table(*arguments)  # type: ignore[arg-type]
    figure.canvas.draw()
    return [text.get_text() for axis in figure.axes for text in axis.texts]


@pytest.fixture(scope="module")
def batch() -> Batch:
    """A game of nine in its middle."""
    found = Batch(GAME, 1, seed=10, auto_reset=False, num_players=MAX_SEATS)
    for _ in range(50):
        found.step(found.random_actions())
    assert found.acting.all()
    return found


def test_what_a_seat_can_not_know_is_a_question_mark(batch: Batch) -> None:
    view = batch.look(SEAT)[0]
    face_down = [space for space in range(16) if int(view["table"]["face_down"]) >> space & 1]
    unknown = [space for space in face_down if view["private"]["known"][space] == NO_TILE]
    assert 0 < len(unknown) < len(face_down)
    strangers = [
        seat
        for seat in range(MAX_SEATS)
        if seat != SEAT and view["table"]["role"][seat] == view["private"]["looked"][seat] == Role.UNKNOWN
    ]
    said = words(batch.pack, batch.params, view)
    assert said.count("?") == len(unknown) + len(strangers)
    assert sum("you" in each for each in said) == 1


def test_with_the_whole_record_nothing_is_hidden(batch: Batch) -> None:
    said = words(batch.pack, batch.params, batch.look(SEAT)[0], batch.games[0])
    assert "?" not in said
    roles = [GAME.roles[role] for role in GAME.roles_of(batch.games)[0]]
    assert sum(each.startswith("separatist leader") for each in said) == roles.count("leader")
    assert sum(each.startswith("profiteer") for each in said) == roles.count("profiteer")


def test_tracks_and_endpoints_are_those_of_the_game(batch: Batch) -> None:
    tracks, ends = batch.games["table"]["tracks"][0], batch.params["endpoints"][0]
    said = words(batch.pack, batch.params, batch.look(SEAT)[0])
    assert all(f"{reached} of {end}" in said for reached, end in zip(tracks, ends, strict=True))


def test_all_meeples_find_room_on_one_space(batch: Batch) -> None:
    view = batch.look(SEAT)[0].copy()
    view["table"]["position"][:MAX_SEATS] = 5
    river = draw_table(batch.pack, batch.params, view).axes[0]
    dots = [line.get_xdata()[0] for line in river.lines if len(line.get_xdata()) == 1]
    assert len(dots) == MAX_SEATS
    assert np.ptp(dots) < 0.78  # within the tile
