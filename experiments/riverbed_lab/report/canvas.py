"""What all figures share: size, type, colours, and the conversion to SVG.

A figure is as wide as a phone's screen, so that its words stay legible there; a wide page shows several side by side.
"""

from __future__ import annotations

import io
import re
from collections.abc import Iterable, Sequence
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from matplotlib.figure import Figure

WIDTH = 3.5  # inches: 336 CSS pixels
NAME_LENGTH = 15  # characters of a name in a figure
KEPT = 7  # of these at either end of a longer name
COLOURS = {
    "merchants": "#2a9d8f", "separatists": "#9c5c34", "profiteer": "#e0a80d", "salmon": "#e76f51", "eel": "#3a6ea5",
}  # fmt: skip
INK, QUIET, FAINT = "#222222", "#6b6b6b", "#d9d9d9"
AGENT_COLOURS = ("#222222", "#c2475d", "#3a6ea5", "#7d5ba6", "#6b8e23", "#8a8a8a", "#b5651d", "#1f8a8a")
OTHER_CAMPS = ("#2a9d8f", "#9c5c34", "#e0a80d", "#3a6ea5", "#e76f51")
FONTS = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, 'DejaVu Sans', sans-serif"
STYLE: dict[str, Any] = {
    "font.family": "DejaVu Sans",  # it measures wide: what fits in it fits in the reader's font
    "font.size": 8.0,
    "axes.edgecolor": QUIET,
    "axes.labelcolor": QUIET,
    "axes.linewidth": 0.6,
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.labelsize": 7.5,
    "xtick.color": QUIET,
    "ytick.color": INK,
    "xtick.labelsize": 7.5,
    "ytick.labelsize": 8.0,
    "xtick.major.width": 0.6,
    "ytick.major.size": 0,
    "text.color": INK,
    "svg.fonttype": "none",
    "svg.hashsalt": "riverbed",  # the same results give the same file
}
NO_METADATA: dict[str, Any] = {"Creator": None, "Date": None, "Format": None, "Type": None}


def style() -> AbstractContextManager[None]:
    """A context in which figures are drawn in the common style."""
    import matplotlib as mpl

    return mpl.rc_context(STYLE)  # type: ignore[arg-type]


def new_figure(height: float) -> Figure:
    """An empty figure of the common width and this height in inches."""
    from matplotlib.figure import Figure

    return Figure(figsize=(WIDTH, height), layout="constrained")


def to_svg(figure: Figure) -> str:
    """The figure as SVG whose words are set in the reader's own font."""
    buffer = io.StringIO()
    figure.savefig(buffer, format="svg", metadata=NO_METADATA)
    text = buffer.getvalue()
    return re.sub(r"'DejaVu Sans'(, [^;\"]*)?", FONTS, text[text.index("<svg") :])


def camp_colour(camp: str, camps: Sequence[str]) -> str:
    """The colour of a camp, the same in all figures."""
    return COLOURS.get(camp, OTHER_CAMPS[camps.index(camp) % len(OTHER_CAMPS)])


def short_names(names: Iterable[str]) -> dict[str, str]:
    """Names of at most 15 characters for figures: the end of a path, cut in the middle if that is longer.

    Names that would be the same end in their number instead.
    """
    shortened: dict[str, str] = {}
    for name in names:
        if name not in shortened:
            short = _cut(name)
            shortened[name] = short if short not in shortened.values() else f"{short[:KEPT]}…{len(shortened) + 1}"
    return shortened


def _cut(name: str) -> str:
    if len(name) <= NAME_LENGTH:
        return name
    path, *rest = name.split(":", 1)
    last = ":".join([path.removesuffix(".py").removesuffix(".npz").replace("/", ".").split(".")[-1], *rest])
    return last if len(last) <= NAME_LENGTH else f"{last[:KEPT]}…{last[-KEPT:]}"
