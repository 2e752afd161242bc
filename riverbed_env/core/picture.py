"""A frame as one picture: its panels side by side in SVG, and the same in pixels.

resvg paints the pixels (extra "draw"). The font lies beside this module, so that they look the same everywhere.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.errors import OptionError

from .files import write_whole
from .frame import Frame
from .options import check_choice, check_whole
from .palette import GROUND, style_of
from .scene import WIDTH, Panel, Shape, panel, paragraph, text, text_width, wrapped

SIZE = (1280, 800)  # width and height
PANELS = ("all", "board")
SMALLEST, LARGEST = 160, 8192  # of either side

_FONTS = sorted(str(path) for path in (Path(__file__).parent / "fonts").glob("*.ttf"))
_FAMILY = "Riverbed Sans"  # DejaVu Sans Condensed, with the signs that we draw
_MARGIN, _TITLE, _LEADING = 10, 24, 15
_MOST_EVENTS = 10
_UNPRINTABLE = re.compile("[^\t\n\r -\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")  # in XML


@dataclass(frozen=True)
class Picture:
    """A picture; a notebook shows it.

    Args:
        svg: The picture as SVG, an XML text.
    """

    svg: str = field(repr=False)

    def pixels(self) -> npt.NDArray[np.uint8]:
        """The picture as an array of pixels.

        Returns:
            (height, width, 3) uint8, red, green and blue from 0 to 255.

        Raises:
            OptionError: The extra "draw" isn't installed.
        """
        png = self.png()  # the extra brings Pillow too
        from PIL import Image

        return np.array(Image.open(BytesIO(png)).convert("RGB"), np.uint8)

    def png(self) -> bytes:
        """The picture as a PNG file.

        Returns:
            The file's bytes.

        Raises:
            OptionError: The extra "draw" isn't installed.
        """
        try:
            import resvg_py
        except ImportError as error:
            raise OptionError("a picture in pixels needs resvg: pip install '.[draw]' in the checkout") from error
        return bytes(resvg_py.svg_to_bytes(svg_string=self.svg, skip_system_fonts=True, font_files=_FONTS))

    def save(self, path: str | Path) -> None:
        """Write the picture to a file, as its name says.

        Args:
            path: The file, which ends with .svg or .png.

        Raises:
            OptionError: The name ends otherwise, or a .png is asked for without the extra "draw".
            WriteError: The file can't be written.
        """
        path = Path(path)
        if path.suffix not in (".svg", ".png"):
            raise OptionError(f"a picture is saved as .svg or .png, not {path.name!r}")
        content = self.svg.encode() if path.suffix == ".svg" else self.png()
        write_whole(path, lambda partial: partial.write_bytes(content))

    def _repr_svg_(self) -> str:
        return self.svg


def picture(frame: Frame, size: Sequence[int] = SIZE, panels: str = "all", *, dark: bool = False) -> Picture:
    """The picture of a frame.

    Args:
        frame: What `env.frame` gives.
        size: Width and height in pixels, each 160 to 8192.
        panels: "all", or "board" for the middle of the table alone, which stays legible in small pictures.
        dark: Whether the ground is dark.

    Returns:
        The picture.

    Raises:
        OptionError: A size or a choice of panels that isn't possible.
    """
    check_size("size", size)
    check_choice("panels", panels, PANELS)
    width, height = size
    every: list[Panel] = frame["scene"]["panels"]
    board = [{**each, "title": ""} for each in every if each["place"] == "board"]
    shown = board if panels == "board" else [_head(frame), *every, _events(frame)]
    scale, places = _arranged(shown, width, height)
    parts = [_drawn(each, *place, scale, dark) for each, place in zip(shown, places, strict=True)]
    ground = f'<rect width="{width}" height="{height}" fill="{GROUND[dark]}"/>'
    return Picture(
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" viewBox="0 0 {width} {height}" '
        f'font-family="{_FAMILY}, Arial, sans-serif">{ground}{"".join(parts)}</svg>'
    )


def check_size(name: str, size: Any) -> None:
    """Raise OptionError unless these are a width and a height."""
    if not isinstance(size, Sequence) or isinstance(size, str) or len(size) != 2:
        raise OptionError(f"{name} must be (width, height), not {size!r}")
    for side in size:
        check_whole(name, side, SMALLEST, LARGEST)


# --- panels -----------------------------------------------------------------------------------------------------------


def _head(frame: Frame) -> Panel:
    """The game, its clock, and whose turn it is, without a heading."""
    lines = paragraph("text", 2, 34, frame["headline"], 13, WIDTH - 4, most=3)
    title = text("text bold", 2, 15, ": ".join(filter(None, (frame["title"], frame["clock"]))), 14, w=WIDTH - 4)
    return panel("head", "", frame["headline"], 24 + 17 * len(lines), [title, *lines])


def _events(frame: Frame) -> Panel:
    """The last events; it is as high whatever they are, so that other panels stay where they are."""
    said = frame["events"][-_MOST_EVENTS:]
    lines: list[str] = []
    for event in said:
        first, *others = wrapped(event["text"], WIDTH - 30, 12)
        lines += [first, *(f"\u2003{line}" for line in others)]  # all but the first indented by an em
    lines = lines[-2 * _MOST_EVENTS :]
    shapes = [text("text", 8, 18 + _LEADING * at, words, 12, w=WIDTH - 16) for at, words in enumerate(lines)]
    return panel("events", "What happened", " ".join(lines), 12 + _LEADING * 2 * _MOST_EVENTS, shapes)


def _arranged(panels: Sequence[Panel], width: int, height: int) -> tuple[float, list[tuple[float, float]]]:
    """The largest scale at which the panels fit, column by column in the middle, and where each goes at scale 1."""
    scale = LARGEST / WIDTH
    while (places := _columns(panels, width / scale, height / scale)) is None:
        scale *= 0.98
    right = max(x + each["width"] for each, (x, _) in zip(panels, places, strict=True))
    aside = (width / scale - right - _MARGIN) / 2
    return scale, [(x + aside, y) for x, y in places]


def _columns(panels: Sequence[Panel], width: float, height: float) -> list[tuple[float, float]] | None:
    """The panels from the top down in columns; None if they don't fit."""
    places: list[tuple[float, float]] = []
    x, y, widest = float(_MARGIN), 0.0, 0.0
    for each in panels:
        title = _TITLE if each["title"] else _MARGIN
        if y and y + title + each["height"] + _MARGIN > height:
            x, y, widest = x + widest + _MARGIN, 0.0, 0.0
        if y + title + each["height"] + _MARGIN > height or x + each["width"] + _MARGIN > width:
            return None
        places.append((x, y + title))
        y, widest = y + title + each["height"], max(widest, each["width"])
    return places


# --- SVG --------------------------------------------------------------------------------------------------------------


def _drawn(each: Panel, x: float, y: float, scale: float, dark: bool) -> str:
    """A panel under its title; all but the head have a ground of their own."""
    width, height = each["width"], each["height"]
    ground: Shape = {"kind": "rect", "class": "ground", "x": 0, "y": 0, "w": width, "h": height, "r": 8}
    title = [text("text bold", 0, -7, each["title"], 13)] if each["title"] else []
    shapes = [*([] if each["id"] == "head" else [ground]), *each["shapes"], *title]
    place = f"scale({scale:.4g}) translate({x:.5g} {y:.5g})"
    return f'<g transform="{place}">{"".join(_elements(shapes, dark))}</g>'


def _elements(shapes: Iterable[Shape], dark: bool) -> Iterator[str]:
    """Each shape as an element of SVG."""
    for shape in shapes:
        kind = shape["kind"]
        if kind == "group":
            inner = "".join(_elements(shape["shapes"], dark))
            yield f'<g transform="translate({shape["x"]} {shape["y"]})">{inner}</g>'
            continue
        look = "".join(f' {name}="{value}"' for name, value in style_of(shape["class"], dark).items())
        if kind == "rect":
            size = f'width="{shape["w"]}" height="{shape["h"]}" rx="{shape.get("r", 0)}"'
            yield f'<rect x="{shape["x"]}" y="{shape["y"]}" {size}{look}/>'
        elif kind == "circle":
            yield f'<circle cx="{shape["x"]}" cy="{shape["y"]}" r="{shape["r"]}"{look}/>'
        elif kind == "text":
            yield _text(shape, look)
        else:
            name = "polygon" if kind == "polygon" else "polyline"
            yield f'<{name} points="{" ".join(map(str, shape["points"]))}"{look}/>'


def _text(shape: Shape, look: str) -> str:
    """A line of text, smaller where it would be wider than it may."""
    words, size = shape["text"], shape["size"]
    wide = text_width(words, size) * (1.08 if "bold" in shape["class"] else 1)
    size = size * min(1, shape["w"] / wide) if shape.get("w") and wide else size
    at = f'x="{shape["x"]}" y="{shape["y"]}" font-size="{size:.4g}" text-anchor="{shape.get("anchor", "start")}"'
    words = escape(_UNPRINTABLE.sub("\ufffd", words), quote=False)
    return f"<text {at}{look}>{words}</text>"
