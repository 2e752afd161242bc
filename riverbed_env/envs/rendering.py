"""What `render` gives: the table as text or as an image."""

from collections.abc import Sequence
from dataclasses import dataclass
from importlib.util import find_spec
from textwrap import wrap
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.frame import TRUTH, frame
from riverbed_env.core.game import Game
from riverbed_env.core.options import check_choice
from riverbed_env.core.picture import PANELS, SIZE, check_size, picture
from riverbed_env.errors import OptionError

RENDER_MODES = ("ansi", "rgb_array", "human")
RENDER_FPS = 2  # how fast a person can follow
COLUMNS = 80  # of a text
EVENTS = 8  # the last ones are told

Records = npt.NDArray[np.void]


def available_modes() -> list[str]:
    """The render modes that work here: an image needs the extra "draw"."""
    return [mode for mode in RENDER_MODES if mode != "rgb_array" or (_has("resvg_py") and _has("PIL"))]


def _has(module: str) -> bool:
    """Whether a module can be imported; one that is barred counts as missing."""
    try:
        return find_spec(module) is not None
    except (ImportError, ValueError):
        return False


@dataclass(frozen=True)
class Rendering:
    """How an environment is rendered.

    mode: "ansi" (text), "rgb_array" (an image, (height, width, 3) uint8), "human" (the text is printed) or None. size:
    width and height of an image in pixels. panels: "all", or "board" for the middle of the table alone. Raises
    OptionError for other values, and for "rgb_array" without the extra "draw".
    """

    mode: str | None
    size: Sequence[int] = SIZE
    panels: str = "all"

    def __post_init__(self) -> None:
        check_size("render_size", self.size)
        check_choice("render_panels", self.panels, PANELS)
        if self.mode is not None:
            check_choice("render_mode", self.mode, RENDER_MODES)
            if self.mode not in available_modes():
                raise OptionError("render_mode='rgb_array' needs the extra draw: pip install '.[draw]' in the checkout")

    def render(
        self, game: Game, pack: Any, games: Records, params: Records, viewer: int | None
    ) -> str | npt.NDArray[np.uint8] | None:
        """The table as a seat knows it, with everything hidden for None."""
        if self.mode == "rgb_array":
            seen = frame(game, pack, games, params, TRUTH if viewer is None else viewer)
            return picture(seen, self.size, self.panels).pixels()
        words = table_text(game, pack, games, params, viewer)
        if self.mode == "ansi":
            return words
        print(words, flush=True)
        return None


def table_text(game: Game, pack: Any, games: Records, params: Records, viewer: int | None) -> str:
    """The first game in words as a seat knows it, with everything hidden for None; 80 columns wide."""
    shown = "everything is shown" if viewer is None else f"as player_{viewer} sees it"
    events = game.words.describe_events(pack, games[0], viewer=viewer)[-EVENTS:]
    return folded(
        [
            f"{game.title} ({shown})",
            *game.words.describe_state(pack, games, params, viewer).splitlines(),
            "Last events:",
            *(f"  {words}" for words in events),
        ]
    )


def folded(lines: Sequence[str]) -> str:
    """Lines of at most 80 columns, where one goes on it is indented."""
    rows = []
    for line in lines:
        indent = " " * (len(line) - len(line.lstrip()) + 4)
        rows += wrap(line, COLUMNS, subsequent_indent=indent, break_on_hyphens=False) or [""]
    return "\n".join(rows)
