"""The search over frames finds a drawing that shows a secret, and nothing in ours."""

from __future__ import annotations

from dataclasses import replace
from types import SimpleNamespace

import pytest
from frames import run

from riverbed_env.core.frame import Table


@pytest.mark.parametrize("game_id", ["riverbed_hunt_v1", "river_rats_v0"])
def test_a_drawing_that_reads_what_others_hold_is_found(game_id: str) -> None:
    worlds = run.HIDDEN[game_id]
    drawing = worlds.game.drawing

    def headline(table: Table) -> str:
        return str(table.game["private"]["hand"].tolist())

    names = {name: getattr(drawing, name) for name in drawing.__all__}
    leaky = SimpleNamespace(**(names | {"shown": lambda games, viewer: games, "headline": headline}))
    planted = replace(worlds, game=replace(worlds.game, load_drawing=lambda: leaky))
    assert any(position.differs for position in run.positions(planted, worlds.game.default_players, 0))


def test_our_frames_show_no_secret() -> None:
    counts, other = run.chunk(0, 150)
    assert counts.total() == 150
    assert set(counts) == set(run.DRAWN)
    assert other is None
