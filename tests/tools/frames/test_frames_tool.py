"""The search over frames finds a drawing that shows a secret, and nothing in ours."""

from __future__ import annotations

from typing import Any

import pytest
from frames import run

from riverbed_env.core import frame
from riverbed_env.core.frame import Frame, Table, Viewer
from riverbed_env.core.game import Game


@pytest.mark.parametrize("game_id", ["riverbed_hunt_v1", "river_rats_v0"])
def test_a_frame_that_tells_what_others_hold_is_found(game_id: str, monkeypatch: pytest.MonkeyPatch) -> None:
    worlds, whole = run.HIDDEN[game_id], frame._seen

    def leaky(game: Game, table: Table, viewer: Viewer, since: int, games: Any, *more: Any) -> Frame:
        return whole(game, table, viewer, since, games, *more) | {"headline": str(games["private"]["hand"].tolist())}

    monkeypatch.setattr(frame, "_seen", leaky)
    assert any(position.differs for position in run.positions(worlds, worlds.game.default_players, 0))


def test_our_frames_show_no_secret() -> None:
    counts, other = run.chunk(0, 150)
    assert counts.total() == 150
    assert set(counts) == set(run.DRAWN)
    assert other is None
