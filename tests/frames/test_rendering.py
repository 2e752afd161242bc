"""Images of the table, for recorders and for people."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import gymnasium
import numpy as np
import pytest
from gymnasium.utils.env_checker import check_env

from riverbed_env.envs import rendering, window
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game, game_ids


def new_env(game_id: str, **options: Any) -> TurnEnv:
    return TurnEnv(find_game(game_id), **options)


SHAPE = (rendering.HEIGHT, rendering.WIDTH, 3)


@pytest.fixture(autouse=True)
def no_display(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(window, "_has_display", lambda: False)


@pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning")  # its own games
def test_pettingzoo_accepts_every_render_mode() -> None:
    from pettingzoo.test.render_test import render_test

    render_test(lambda **options: new_env("deep_river_v0", **options))


@pytest.mark.parametrize("game_id", game_ids())
def test_every_game_gives_an_image_for_a_spectator_and_for_a_seat(game_id: str) -> None:
    env = new_env(game_id, render_mode="rgb_array")
    env.reset(seed=1)
    for viewer in (None, 0):
        image = env.render(viewer)
        assert isinstance(image, np.ndarray)
        assert image.shape == SHAPE
        assert image.dtype == np.uint8
        assert len(np.unique(image)) > 20


def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    env = gymnasium.wrappers.RecordVideo(LearnerEnv("deep_river_v0", render_mode="rgb_array"), str(tmp_path / "videos"))
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))  # type: ignore[attr-defined]
    env.close()
    assert [path.stat().st_size > 1000 for path in tmp_path.glob("videos/*.mp4")] == [True]


def test_without_pillow_a_line_says_how_to_get_it(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    for make in (new_env, LearnerEnv):
        with pytest.raises(OptionError, match=r"'rgb_array' needs Pillow: pip install '\.\[draw\]'"):
            make("deep_river_v0", render_mode="rgb_array")


def test_without_pillow_the_modes_in_the_metadata_can_be_rendered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    env = gymnasium.make("riverbed/DeepRiver-v0", on_illegal="terminate").unwrapped
    assert env.metadata["render_modes"] == ["ansi", "human"]
    check_env(env)
    env.metadata["render_modes"].append("a caller's")
    assert new_env("deep_river_v0").metadata["render_modes"] == ["ansi", "human"]


def test_human_shows_each_step_in_one_window_until_it_is_closed(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    shown: list[Any] = []

    class Pane:
        open = True

        def show(self, paint: Any) -> bool:
            shown.append(paint().shape)
            return self.open

        def close(self) -> None:
            self.open = False

    pane = Pane()
    monkeypatch.setattr(rendering, "open_window", lambda *arguments: pane)
    env = new_env("deep_river_v0", render_mode="human")
    env.reset(seed=1)
    env.step(int(np.flatnonzero(env.observe(env.agent_selection)["action_mask"])[0]))
    assert shown == [SHAPE, SHAPE]
    assert capsys.readouterr().out == ""
    env.close()
    assert not pane.open
