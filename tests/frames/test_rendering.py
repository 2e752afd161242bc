"""Images of the table, for recorders and for people."""

import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import gymnasium
import numpy as np
import pytest
from frames_kit import random_game, seen

from riverbed_env.core.frame import TRUTH
from riverbed_env.core.picture import SIZE, SMALLEST, Picture, picture
from riverbed_env.core.scene import all_shapes
from riverbed_env.corpus.recorded import RecordedGame
from riverbed_env.envs import rendering
from riverbed_env.envs.aec import TurnEnv
from riverbed_env.envs.learner_env import LearnerEnv
from riverbed_env.errors import OptionError
from riverbed_env.registry import find_game, game_ids, make_batch


def new_env(game_id: str, **options: Any) -> TurnEnv:
    return TurnEnv(find_game(game_id), **options)


def words_of(svg: str) -> list[str]:
    """The texts of a picture."""
    return [each.text or "" for each in ElementTree.fromstring(svg).iter("{http://www.w3.org/2000/svg}text")]


def words_in(panels: list[dict[str, Any]]) -> list[str]:
    """The texts of panels, without their titles."""
    return [shape["text"] for panel in panels for shape in all_shapes(panel["shapes"]) if shape["kind"] == "text"]


@pytest.mark.filterwarnings("ignore:The old environment creation API:DeprecationWarning")  # its own games
def test_pettingzoo_accepts_every_render_mode() -> None:
    from pettingzoo.test.render_test import render_test

    render_test(lambda **options: new_env("deep_river", **options))


@pytest.mark.parametrize("game_id", game_ids())
@pytest.mark.parametrize(("size", "panels"), [(SIZE, "all"), ((320, 240), "board")])
def test_every_game_gives_an_image_for_a_spectator_and_for_a_seat(
    game_id: str, size: tuple[int, int], panels: str
) -> None:
    env = new_env(game_id, render_mode="rgb_array", render_size=size, render_panels=panels)
    env.reset(seed=1)
    for viewer in (None, 0):
        image = env.render(viewer)
        assert isinstance(image, np.ndarray)
        assert image.shape == (size[1], size[0], 3)
        assert image.dtype == np.uint8
        assert len(np.unique(image)) > 20


@pytest.mark.parametrize("game_id", game_ids())
def test_a_picture_has_all_panels_or_the_board_alone(game_id: str) -> None:
    env = new_env(game_id, num_players=find_game(game_id).max_players)
    for number in random_game(env, seed=2):
        if number > 12:
            break
    shown = seen(env, TRUTH)
    every = shown["scene"]["panels"]
    whole, board = words_of(picture(shown).svg), words_of(picture(shown, panels="board").svg)
    assert board == words_in([panel for panel in every if panel["place"] == "board"])
    assert set(words_in(every)) | {panel["title"] for panel in every} <= set(whole)
    assert shown["headline"].split()[0] in " ".join(whole)
    assert shown["events"][-1]["text"].split()[0] in " ".join(whole)
    assert picture(shown, (SMALLEST, SMALLEST)).pixels().shape == (SMALLEST, SMALLEST, 3)
    assert picture(shown, dark=True).svg != picture(shown).svg == picture(shown).svg


def test_every_sign_that_pictures_write_has_a_shape_in_the_font() -> None:
    def drawn(sign: str, weight: str) -> bytes:
        text = f'<text fill="white" x="4" y="40" font-size="32" font-weight="{weight}">{sign}</text>'
        style = 'width="64" height="64" font-family="Riverbed Sans"'
        return Picture(f'<svg xmlns="http://www.w3.org/2000/svg" {style}>{text}</svg>').pixels().tobytes()

    signs = "AZaz09?#+x\u00d7\u2665\u2660\u2663\u2666\u2026\u2013\u00b7\ufffd"
    for weight in ("normal", "bold"):
        shapes = [drawn(sign, weight) for sign in f" {signs}\u4e00"]  # the font lacks the last one
        assert len(set(shapes)) == len(shapes)
    assert drawn("A", "normal") != drawn("A", "bold")


def test_words_of_players_cannot_break_a_picture() -> None:
    env = new_env("riverbed_hunt")
    env.reset(seed=1)
    shown = seen(env, TRUTH)
    shown["events"] = [{"kind": "say_text", "text": 'says: "</text><b>\ufffe & done"'}]
    assert 'says: "</text><b>\ufffd & done"' in words_of(picture(shown).svg)


def test_a_picture_is_saved_as_its_name_says(tmp_path: Path) -> None:
    batch = make_batch("river_rats", 1, seed=3, auto_reset=False)
    actions = []
    for _ in range(6):
        actions += batch.random_actions().tolist()
        batch.step(actions[-1:])
    record = RecordedGame.of(batch, actions)
    record.picture(6, 1).save(tmp_path / "step.svg")
    record.picture(6, 1).save(tmp_path / "step.png")
    assert (tmp_path / "step.svg").read_text(encoding="utf-8") == record.picture(6, 1).svg != record.picture(5, 1).svg
    assert (tmp_path / "step.png").read_bytes().startswith(b"\x89PNG")
    with pytest.raises(OptionError, match=r"saved as \.svg or \.png, not 'step\.jpg'"):
        record.picture(0).save(tmp_path / "step.jpg")
    with pytest.raises(OptionError, match="step must be an integer from 0 to 6, not 7"):
        record.picture(7)


def test_a_notebook_shows_the_table() -> None:
    env = new_env("deep_river")
    assert env._repr_svg_() is None
    env.reset(seed=1)
    assert env._repr_svg_() == picture(env.frame()).svg == picture(env.frame())._repr_svg_()


def test_gymnasium_records_a_video(tmp_path: Path) -> None:
    pytest.importorskip("moviepy")
    env = gymnasium.wrappers.RecordVideo(LearnerEnv("deep_river", render_mode="rgb_array"), str(tmp_path / "videos"))
    env.reset(seed=1)
    for _ in range(3):
        env.step(int(np.flatnonzero(env.unwrapped.action_masks())[0]))  # type: ignore[attr-defined]
    env.close()
    assert [path.stat().st_size > 1000 for path in tmp_path.glob("videos/*.mp4")] == [True]


@pytest.mark.parametrize("size", [320, "320", (320,), (320, 0), (320, 240.5), (9000, 320)])
def test_a_size_that_is_none_is_refused(size: Any) -> None:
    with pytest.raises(OptionError, match="render_size must be"):
        new_env("deep_river", render_size=size)
    with pytest.raises(OptionError, match="render_size must be"):
        LearnerEnv("deep_river", render_size=size)


def test_without_the_extra_no_image_is_offered(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rendering, "find_spec", lambda name: None)
    assert rendering.available_modes() == ["ansi", "human"]
    with pytest.raises(OptionError, match=r"'rgb_array' needs the extra draw: pip install '\.\[draw\]'"):
        new_env("deep_river", render_mode="rgb_array")
    monkeypatch.undo()
    monkeypatch.setitem(sys.modules, "resvg_py", None)
    assert rendering.available_modes() == ["ansi", "human"]
    env = new_env("deep_river")
    env.reset(seed=1)
    with pytest.raises(OptionError, match=r"needs resvg: pip install '\.\[draw\]'"):
        picture(env.frame()).pixels()


CHECKED_WITHOUT_DRAW = """
import importlib.util
found = importlib.util.find_spec
importlib.util.find_spec = lambda name, *more: None if name in ("resvg_py", "PIL") else found(name, *more)
import gymnasium
from gymnasium.utils.env_checker import check_env
env = gymnasium.make("riverbed_env:riverbed/DeepRiver-v0", render_mode="ansi", on_illegal="terminate")
assert "rgb_array" not in env.metadata["render_modes"]
check_env(env.unwrapped)
"""


def test_gymnasium_accepts_an_environment_that_draws_no_images() -> None:
    done = subprocess.run([sys.executable, "-c", CHECKED_WITHOUT_DRAW], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
