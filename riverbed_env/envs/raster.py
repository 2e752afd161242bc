"""A frame as an image: the panels of its scene side by side, what is asked above them, what happened last beside them.

Pillow paints it (extra "draw"); its own font is used, so that a picture looks the same everywhere.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt

from riverbed_env.core.frame import Frame
from riverbed_env.core.palette import GROUND, Style, style_of
from riverbed_env.core.scene import Panel, Shape, wrapped
from riverbed_env.errors import OptionError

if TYPE_CHECKING:
    from PIL import Image, ImageDraw, ImageFont

Pixels = npt.NDArray[np.uint8]
_FINER = 2  # painted so many times larger, then reduced: smooth edges
_MARGIN, _HEAD, _TITLE = 14, 58, 26
_MOST_EVENTS = 12
# Signs that the font lacks, in words.
_SPELT = str.maketrans({"♥": " of hearts", "♠": " of spades", "♣": " of clubs", "♦": " of diamonds", "–": "-"})


def to_pixels(frame: Frame, width: int = 1280, height: int = 800, *, dark: bool = False) -> Pixels:
    """The frame as an image of this size, (height, width, 3) uint8. Raises OptionError without Pillow."""
    return np.asarray(to_image(frame, width, height, dark=dark), np.uint8)


def to_image(frame: Frame, width: int = 1280, height: int = 800, *, dark: bool = False) -> Image.Image:
    """The frame as a Pillow image. Raises OptionError without Pillow."""
    try:
        from PIL import Image, ImageDraw
    except ImportError as error:
        raise OptionError("drawing a picture needs Pillow: pip install '.[draw]' in the checkout") from error
    panels = [*frame["scene"]["panels"], *_events(frame)]
    scale, places = arranged(panels, width, height)
    picture = Image.new("RGB", (width * _FINER, height * _FINER), GROUND[dark])
    brush = _Brush(ImageDraw.Draw(picture), dark)
    brush.words(f"{frame['title']}   {frame['clock']}", 22, "text bold", _MARGIN, 28, 1)
    brush.words(frame["headline"], 16, "text", _MARGIN, 52, 1)
    for panel, (x, y) in zip(panels, places, strict=True):
        brush.panel(panel, x, y, scale)
    return picture.resize((width, height), Image.Resampling.LANCZOS)


def _events(frame: Frame) -> list[Panel]:
    """The last events as a panel of their own."""
    said = frame["events"][-_MOST_EVENTS:]
    lines = [line for event in said for line in _hanging(event["text"])][-2 * _MOST_EVENTS :]
    shapes = [
        {"kind": "text", "class": "text", "x": 8, "y": 18 + 15 * at, "text": words, "size": 12, "w": 344}
        for at, words in enumerate(lines)
    ]
    height = 12 + 15 * 2 * _MOST_EVENTS
    return [
        {"id": "events", "title": "What happened", "place": "side", "width": 360, "height": height, "shapes": shapes}
    ]


def _hanging(words: str) -> list[str]:
    """A sentence in lines, all but the first indented."""
    first, *others = wrapped(words.translate(_SPELT), 330, 12)
    return [first, *(f"   {line}" for line in others)]


# --- where panels go --------------------------------------------------------------------------------------------------


def arranged(panels: Sequence[Panel], width: int, height: int) -> tuple[float, list[tuple[float, float]]]:
    """The largest scale at which the panels fit, column by column, and where each goes."""
    for percent in range(170, 20, -2):
        places = _columns(panels, width, height, percent / 100)
        if places is not None:
            return percent / 100, places
    raise ValueError(f"a picture of {width} x {height} is too small for this table")


def _columns(panels: Sequence[Panel], width: int, height: int, scale: float) -> list[tuple[float, float]] | None:
    """The panels from the top down in columns; None if they don't fit."""
    places: list[tuple[float, float]] = []
    x, y, widest = float(_MARGIN), float(_HEAD), 0.0
    for panel in panels:
        tall, wide = _TITLE + panel["height"] * scale + _MARGIN, panel["width"] * scale
        if y > _HEAD and y + tall > height:
            x, y, widest = x + widest + _MARGIN, float(_HEAD), 0.0
        if y + tall > height or x + wide + _MARGIN > width:
            return None
        places.append((x, y + _TITLE))
        y, widest = y + tall, max(widest, wide)
    return places


# --- painting ---------------------------------------------------------------------------------------------------------


@lru_cache(maxsize=64)
def _font(size: float) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    from PIL import ImageFont

    return ImageFont.load_default(size)


class _Brush:
    """Paints shapes; all lengths are those of the picture before it is made finer."""

    def __init__(self, draw: ImageDraw.ImageDraw, dark: bool) -> None:
        self.draw, self.dark = draw, dark

    def panel(self, panel: Panel, x: float, y: float, scale: float) -> None:
        """A panel with its heading and its ground."""
        self.words(panel["title"], 15, "text bold", x, y - 8, 1)
        ground = {"kind": "rect", "class": "ground", "x": 0, "y": 0, "w": panel["width"], "h": panel["height"], "r": 8}
        self.shapes([ground, *panel["shapes"]], x, y, scale)

    def shapes(self, shapes: Iterable[Shape], x: float, y: float, scale: float) -> None:
        """Shapes from the corner (x, y), so many times as large."""
        for shape in shapes:
            if shape["kind"] == "group":
                self.shapes(shape["shapes"], x + shape["x"] * scale, y + shape["y"] * scale, scale)
            elif shape["kind"] == "text":
                self._text(shape, x, y, scale)
            else:
                self._figure(shape, x, y, scale)

    def _figure(self, shape: Shape, x: float, y: float, scale: float) -> None:
        style, fine = style_of(shape["class"], self.dark), scale * _FINER
        fill = None if style.fill == "none" else style.fill
        stroke = None if style.stroke == "none" else style.stroke
        wide = max(1, round(style.width * fine)) if stroke else 0
        left, top = x * _FINER, y * _FINER
        if shape["kind"] == "rect":
            box = self._box(left + shape["x"] * fine, top + shape["y"] * fine, shape["w"] * fine, shape["h"] * fine)
            self.draw.rounded_rectangle(box, shape.get("r", 0) * fine, fill, stroke, wide)
        elif shape["kind"] == "circle":
            r = shape["r"] * fine
            box = self._box(left + shape["x"] * fine - r, top + shape["y"] * fine - r, 2 * r, 2 * r)
            self.draw.ellipse(box, fill, stroke, wide)
        else:
            numbers = shape["points"]
            points = [(left + a * fine, top + b * fine) for a, b in zip(numbers[::2], numbers[1::2], strict=True)]
            self._outline(shape["kind"], points, style, fill, stroke, wide)

    def _outline(
        self,
        kind: str,
        points: list[tuple[float, float]],
        style: Style,
        fill: str | None,
        stroke: str | None,
        wide: int,
    ) -> None:
        if kind == "polygon":
            if fill:
                self.draw.polygon(points, fill)
            if stroke:
                self.draw.line([*points, points[0], points[1]], stroke, wide, joint="curve")
        elif stroke and style.dash:
            for dash in _dashes(points, 4 * _FINER):
                self.draw.line(dash, stroke, wide)
        elif stroke:
            self.draw.line(points, stroke, wide, joint="curve")

    @staticmethod
    def _box(left: float, top: float, wide: float, tall: float) -> tuple[float, float, float, float]:
        return (left, top, left + max(wide, 1), top + max(tall, 1))

    def _text(self, shape: Shape, x: float, y: float, scale: float) -> None:
        place = x + shape["x"] * scale, y + shape["y"] * scale
        room = shape.get("w", 0) * scale
        self.words(shape["text"], shape["size"], shape["class"], *place, scale, shape.get("anchor", "start"), room)

    def words(
        self,
        words: str,
        size: float,
        look: str,
        x: float,
        y: float,
        scale: float,
        anchor: str = "start",
        room: float = 0,
    ) -> None:
        """A line of text on the baseline y; smaller where it is wider than `room`."""
        style, fine = style_of(look, self.dark), size * scale * _FINER
        words = words.translate(_SPELT)
        font = _font(round(fine, 1))
        long = font.getlength(words)
        if room and long > room * _FINER:
            font = _font(round(fine * room * _FINER / long, 1))
        side = {"start": "ls", "middle": "ms", "end": "rs"}[anchor]
        bold = max(0.35, fine / 32) if style.bold else 0
        self.draw.text(
            (x * _FINER, y * _FINER), words, style.fill, font, side, stroke_width=bold, stroke_fill=style.fill
        )


def _dashes(points: Sequence[tuple[float, float]], length: float) -> list[list[tuple[float, float]]]:
    """Every other piece, so long, of each stretch of a line."""
    pieces = []
    for (x, y), (u, v) in pairwise(points):
        whole = math.hypot(u - x, v - y)
        count = max(1, round(whole / length))
        for at in range(0, count, 2):
            ends = (at / count, min(1.0, (at + 1) / count))
            pieces.append([(x + (u - x) * part, y + (v - y) * part) for part in ends])
    return pieces
