"""A drawing of a table as data: panels of plain shapes, for a page, for a picture, and for a screen reader.

A shape is a dict with a `kind` ("rect", "circle", "polygon", "line", "text" or "group"), an `id` that is unique in the
scene and stays the same from frame to frame, and a `class`: names of meanings, which `palette` colours. Shapes that
matter have a `label` in words; shapes that can be clicked have `choices`, the action ids that a click stands for.
Lengths are pixels at the size of a phone; panels are at most 360 wide. Shapes are painted in their order.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import Any

Shape = dict[str, Any]
Panel = dict[str, Any]

WIDTH = 360  # of a panel, so that it fits a phone
SMALL, NORMAL = 12, 14  # sizes of text

_NARROW = frozenset("iljtfrI.,:;'|!()[]/·- ")
_WIDE = frozenset("mwMW@%…–—")


# --- shapes -----------------------------------------------------------------------------------------------------------


def rect(look: str, x: float, y: float, w: float, h: float, r: float = 0) -> Shape:
    """A rectangle with its upper left corner at (x, y); r rounds its corners."""
    shape: Shape = {"kind": "rect", "class": look, "x": x, "y": y, "w": w, "h": h}
    if r:
        shape["r"] = r
    return shape


def circle(look: str, x: float, y: float, r: float) -> Shape:
    """A circle around (x, y)."""
    return {"kind": "circle", "class": look, "x": x, "y": y, "r": r}


def polygon(look: str, points: Sequence[float]) -> Shape:
    """A filled polygon through points x1, y1, x2, y2 and so on."""
    return {"kind": "polygon", "class": look, "points": list(points)}


def line(look: str, points: Sequence[float]) -> Shape:
    """An open line through points x1, y1, x2, y2 and so on."""
    return {"kind": "line", "class": look, "points": list(points)}


def text(
    look: str, x: float, y: float, words: str, size: float = NORMAL, *, anchor: str = "start", w: float = 0
) -> Shape:
    """A line of text on the baseline y; w is the width it may take, which cuts it short."""
    shape: Shape = {"kind": "text", "class": look, "x": x, "y": y, "text": words, "size": size}
    if anchor != "start":
        shape["anchor"] = anchor
    if w:
        shape["w"] = w
        shape["text"] = cut(words, w, size)
    return shape


def group(
    name: str, look: str, x: float, y: float, shapes: Iterable[Shape], *, label: str = "", choices: Sequence[int] = ()
) -> Shape:
    """Shapes moved by (x, y) together; its label and its choices are theirs. name: its id within the panel.

    One of its shapes, of the class "choice", is the outline that shows that there is a choice.
    """
    shape: Shape = {"kind": "group", "class": look, "name": name, "x": x, "y": y, "shapes": list(shapes)}
    if label:
        shape["label"] = label
    if choices:
        shape["choices"] = list(choices)
    return shape


def tidy(number: float) -> float:
    """A number with one digit after the point at most; a whole one is an int, so that JSON is the same everywhere."""
    rounded = round(number, 1)
    return int(rounded) if rounded == int(rounded) else rounded


# --- panels -----------------------------------------------------------------------------------------------------------


def panel(name: str, title: str, label: str, height: float, shapes: Iterable[Shape], *, board: bool = False) -> Panel:
    """A part of a table with a heading. label: what it shows now, for a screen reader. board: the middle of the table.

    Gives every shape its id: the panel's and its own name, or its place among the shapes around it.
    """
    placed = [_identified(shape, f"{name}.", at) for at, shape in enumerate(shapes)]
    return {
        "id": name,
        "title": title,
        "label": label,
        "place": "board" if board else "side",
        "width": WIDTH,
        "height": tidy(height),
        "shapes": placed,
    }


def _identified(shape: Shape, prefix: str, at: int) -> Shape:
    """The shape with its id."""
    named = shape.copy()
    own = named.pop("name", "")
    named["id"] = f"{prefix}{own or at}"
    if named["kind"] == "group":
        inner = f"{named['id']}/"
        named["shapes"] = [_identified(part, inner, place) for place, part in enumerate(named["shapes"])]
    return named


def all_shapes(shapes: Iterable[Shape]) -> Iterable[Shape]:
    """The shapes and those in their groups, each group before its own."""
    for shape in shapes:
        yield shape
        if shape["kind"] == "group":
            yield from all_shapes(shape["shapes"])


# --- text that fits ---------------------------------------------------------------------------------------------------


@lru_cache(maxsize=4096)
def _units(words: str) -> float:
    """The width at size 1; the same words come back in every frame."""
    kinds = ((0.31 if at in _NARROW else 0.86 if at in _WIDE else 0.66 if at.isupper() else 0.55) for at in words)
    return sum(kinds)


def text_width(words: str, size: float) -> float:
    """About how wide a line of text is, in pixels."""
    return size * _units(words)


def cut(words: str, width: float, size: float) -> str:
    """The words, cut short with … where they don't fit."""
    if text_width(words, size) <= width:
        return words
    while words and text_width(words + "…", size) > width:
        words = words[:-1]
    return words.rstrip() + "…"


@lru_cache(maxsize=1024)
def wrapped(words: str, width: float, size: float, most: int = 99) -> tuple[str, ...]:
    """The words in lines that fit, at most so many; the last one is cut short if there are more."""
    lines = [""]
    for word in words.split():
        longer = f"{lines[-1]} {word}".strip()
        if text_width(longer, size) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    if len(lines) > most:
        lines = [*lines[: most - 1], cut(" ".join(lines[most - 1 :]), width, size)]
    return tuple(lines)


def paragraph(
    look: str, x: float, y: float, words: str, size: int, w: float, *, most: int = 99, leading: float = 1.3
) -> list[Shape]:
    """Text in lines that fit the width, the first on the baseline y."""
    lines = wrapped(words, w, size, most)
    return [text(look, x, tidy(y + at * size * leading), words, size, w=w) for at, words in enumerate(lines)]
