"""A window that shows images one after the other, by Tk, which comes with Python."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from importlib.util import find_spec
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

if TYPE_CHECKING:
    import tkinter


def open_window(title: str, width: int, height: int, fps: float) -> Window | None:
    """A window, or None where there is no display, no Tk or no Pillow to paint with."""
    if not _has_display() or find_spec("tkinter") is None or find_spec("PIL") is None:
        return None
    import tkinter

    try:
        return Window(tkinter.Tk(), title, width, height, fps)
    except tkinter.TclError:  # the display that is named can't be opened
        return None


def _has_display() -> bool:
    """Whether a window could be seen; elsewhere than on X or Wayland it always can."""
    elsewhere = sys.platform in ("darwin", "win32")
    return elsewhere or any(os.environ.get(name) for name in ("DISPLAY", "WAYLAND_DISPLAY"))


class Window:
    """Shows images no faster than `fps` a second, until it is closed, by `close` or by who looks at it."""

    def __init__(self, root: tkinter.Tk, title: str, width: int, height: int, fps: float) -> None:
        import tkinter

        self._root: tkinter.Tk | None = root
        root.title(title)
        root.geometry(f"{width}x{height}")
        root.protocol("WM_DELETE_WINDOW", self.close)
        self._label = tkinter.Label(root, borderwidth=0)
        self._label.pack()
        self._image: tkinter.PhotoImage | None = None  # Tk keeps none itself
        self._pause, self._next = 1 / fps, 0.0

    def show(self, paint: Callable[[], npt.NDArray[np.uint8]]) -> bool:
        """Show what `paint` gives, (height, width, 3) uint8; False, with nothing painted, if the window is closed."""
        import tkinter

        while self._root is not None and time.monotonic() < self._next:
            self._root.update()  # who looks may move or close the window meanwhile
            time.sleep(0.01)
        if self._root is None:
            return False
        pixels = paint()
        height, width, _ = pixels.shape
        self._image = tkinter.PhotoImage(
            master=self._root, data=b"P6 %d %d 255\n" % (width, height) + pixels.tobytes(), format="PPM"
        )
        self._label.configure(image=self._image)
        self._root.update()
        self._next = time.monotonic() + self._pause
        return True

    def close(self) -> None:
        """Close the window."""
        root, self._root = self._root, None
        if root is not None:
            root.destroy()
