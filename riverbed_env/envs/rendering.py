"""What `render` gives: the table as text, as an image, or before a person's eyes."""

from __future__ import annotations

import sys
from typing import Any
from weakref import WeakKeyDictionary

import numpy as np
import numpy.typing as npt

from riverbed_env.core.frame import TRUTH, frame
from riverbed_env.core.game import Game

from .ansi import draw
from .window import Window, open_window

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 2  # how fast a person can follow
WIDTH, HEIGHT = 1280, 800  # of an image

_WINDOWS: WeakKeyDictionary[object, Window | None] = WeakKeyDictionary()  # by environment; copies open their own


def render(
    env: object,
    mode: str,
    game: Game,
    pack: Any,
    games: npt.NDArray[np.void],
    params: npt.NDArray[np.void],
    viewer: int | None,
) -> str | npt.NDArray[np.uint8] | None:
    """The table as `viewer` knows it, None with everything hidden: text ("ansi") or an image ("rgb_array").

    "human" shows the image in a window of the environment's own and returns None; without a display, or without
    Pillow, it prints the text. Raises OptionError for "rgb_array" without Pillow.
    """
    if mode == "ansi":
        return draw(game, pack, games, params, viewer)
    if mode == "rgb_array":
        return picture(game, pack, games, params, viewer)
    window = _window_of(env, game.title)
    if window is None or not window.show(lambda: picture(game, pack, games, params, viewer)):
        sys.stdout.write(draw(game, pack, games, params, viewer) + "\n")
        sys.stdout.flush()
    return None


def picture(
    game: Game, pack: Any, games: npt.NDArray[np.void], params: npt.NDArray[np.void], viewer: int | None
) -> npt.NDArray[np.uint8]:
    """The table as an image, (HEIGHT, WIDTH, 3) uint8."""
    from .raster import to_pixels

    return to_pixels(frame(game, pack, games, params, TRUTH if viewer is None else viewer), WIDTH, HEIGHT)


def _window_of(env: object, title: str) -> Window | None:
    if env not in _WINDOWS:
        _WINDOWS[env] = open_window(title, WIDTH, HEIGHT, RENDER_FPS)
    return _WINDOWS[env]


def close(env: object) -> None:
    """Close the environment's window, if it has one."""
    window = _WINDOWS.pop(env, None)
    if window is not None:
        window.close()
