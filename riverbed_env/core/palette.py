"""The colours of a scene: what each class of shape looks like, on a light and on a dark ground.

One table serves the page (`stylesheet`) and the raster. Colour never stands alone: every meaning also has a shape, a
sign or a word of its own.
"""

import tomllib
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any

Style = dict[str, str]  # properties of CSS, which are attributes of SVG too

# `palette.toml`, by class; where a shape has several, a later row wins over an earlier one.
_ROWS: dict[str, dict[str, Any]] = tomllib.loads(Path(__file__).with_suffix(".toml").read_text(encoding="utf-8"))
_NOTHING = ("none", "none")
CLASSES = (*_ROWS, "bold")
GROUND = {False: "#f3f6f7", True: "#141c21"}  # behind the panels, by whether it is dark


def _rows(dark: bool) -> Iterator[tuple[str, Style]]:
    for name, row in _ROWS.items():
        style = {
            "fill": row.get("fill", _NOTHING)[dark],
            "stroke": row.get("stroke", _NOTHING)[dark],
            "stroke-width": str(row.get("width", "")),
            "stroke-linejoin": "round" if row.get("width", 0) > 4 else "",
            "stroke-dasharray": row.get("dashes", ""),
        }
        yield name, {each: value for each, value in style.items() if value}
    yield "bold", {"font-weight": "600"}


@lru_cache(maxsize=1024)
def style_of(classes: str, dark: bool = False) -> Style:
    """How a shape with these classes, separated by spaces, is painted. Raises KeyError for an unknown class."""
    given = set(classes.split())
    if given - set(CLASSES):
        raise KeyError(f"unknown classes of shapes: {', '.join(sorted(given - set(CLASSES)))}")
    found = {"fill": "none"}
    for name, style in _rows(dark):
        found |= style if name in given else {}
    return found


def stylesheet() -> str:
    """The palette as CSS for shapes inside `.rb-scene`; dark by the reader's setting or by `data-theme` on the root."""

    def rules(root: str, dark: bool) -> str:
        given = ((name, " ".join(f"{each}: {value};" for each, value in style.items())) for name, style in _rows(dark))
        return "\n".join(f"{root}.rb-scene .{name} {{ {style} }}" for name, style in given)

    by_setting = rules(":root:not([data-theme=light]) ", True)
    asked = rules(":root[data-theme=dark] ", True)
    return f"{rules('', False)}\n{asked}\n@media (prefers-color-scheme: dark) {{\n{by_setting}\n}}\n"
