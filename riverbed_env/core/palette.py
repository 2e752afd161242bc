"""The colours of a scene: what each class of shape looks like, on a light and on a dark ground.

One table serves the page (`stylesheet`) and the raster. Colour never stands alone: every meaning also has a shape, a
sign or a word of its own.
"""

from collections.abc import Iterator
from functools import lru_cache

Style = dict[str, str]  # properties of CSS, which are attributes of SVG too

# By class; where a shape has several, a later row of this table wins over an earlier one.
# Each colour is a pair: on a light ground, on a dark one.
_ROWS: dict[str, tuple[tuple[str, str], tuple[str, str], float]] = {
    # class: fill, outline, width of the outline
    "text": (("#22313b", "#e6edf0"), ("none", "none"), 0),
    "muted": (("#5b6b75", "#a3b4bd"), ("none", "none"), 0),
    "ground": (("#ffffff", "#1d282f"), ("#d5dee2", "#38474f"), 1),
    "water": (("#cfe6ef", "#20414f"), ("none", "none"), 0),
    "stream": (("none", "none"), ("#a9d3e3", "#2c5a6e"), 22),
    "current": (("none", "none"), ("#7fb7cc", "#4b8299"), 2),
    "flow": (("#7fb7cc", "#4b8299"), ("none", "none"), 0),
    "bank": (("#e9e2cf", "#3a3a2e"), ("none", "none"), 0),
    "path": (("none", "none"), ("#a58e63", "#8b7a55"), 3),
    "space": (("#e3f1f6", "#22404c"), ("#8fbfd2", "#44798d"), 1),
    "stop": (("#ffffff", "#1d282f"), ("#5f8fa3", "#7fb0c4"), 1.5),
    "here": (("#1f6f8b", "#7cc7e2"), ("#123f50", "#e8f6fb"), 1.5),
    "tile": (("#fffaf0", "#39424a"), ("#8c7a55", "#b7a57c"), 1.5),
    "back": (("#5d7f91", "#3c5766"), ("#3d5a6a", "#7d9dac"), 1.5),
    "backline": (("none", "none"), ("#7596a6", "#52707f"), 1),
    "inset": (("#eef5f8", "#2a3a43"), ("#3d5a6a", "#7d9dac"), 1),
    "onback": (("#ffffff", "#eef5f8"), ("none", "none"), 0),
    "slot": (("#f4f6f7", "#27333a"), ("#9fb0b8", "#5c6f79"), 1),
    "filled": (("#2f5d73", "#8cc3da"), ("#1d3c4b", "#d3eaf4"), 1),
    "kelp": (("#2f8f5b", "#56c088"), ("#14502f", "#c9f2db"), 1),
    "log": (("#9a6233", "#d39a66"), ("#55330f", "#f5ddc4"), 1),
    "coin": (("#f2c230", "#f2c230"), ("#7d5f00", "#fff2bf"), 1),
    "mark": (("#ece7f8", "#3d3560"), ("#5b4b9a", "#b3a5ea"), 1),
    "hunt": (("none", "none"), ("#b3261e", "#ff9d94"), 1.8),
    "eye": (("#ffffff", "#10181c"), ("#22313b", "#e6edf0"), 1),
    "pupil": (("#22313b", "#e6edf0"), ("none", "none"), 0),
    "seat0": (("#0b5fa5", "#0b5fa5"), ("#ffffff", "#ffffff"), 1.2),
    "seat1": (("#b5460f", "#b5460f"), ("#ffffff", "#ffffff"), 1.2),
    "seat2": (("#1c7a4d", "#1c7a4d"), ("#ffffff", "#ffffff"), 1.2),
    "seat3": (("#7b3fa0", "#7b3fa0"), ("#ffffff", "#ffffff"), 1.2),
    "seat4": (("#a3174f", "#a3174f"), ("#ffffff", "#ffffff"), 1.2),
    "seat5": (("#5a5f12", "#5a5f12"), ("#ffffff", "#ffffff"), 1.2),
    "seat6": (("#0e6f75", "#0e6f75"), ("#ffffff", "#ffffff"), 1.2),
    "seat7": (("#4a4a4a", "#5e5e5e"), ("#ffffff", "#ffffff"), 1.2),
    "seat8": (("#7a4b2a", "#7a4b2a"), ("#ffffff", "#ffffff"), 1.2),
    "onseat": (("#ffffff", "#ffffff"), ("none", "none"), 0),
    "row": (("#f7f9fa", "#232f36"), ("#dfe6e9", "#38474f"), 1),
    "mine": (("#eaf4ee", "#22382d"), ("#4d9a70", "#5fb388"), 1.2),
    "turn": (("#fff3cf", "#4a4020"), ("#b58a00", "#e0bd4a"), 1.5),
    "arrow": (("#b58a00", "#e0bd4a"), ("none", "none"), 0),
    "ready": (("#dff1e6", "#254737"), ("#2f8f5b", "#56c088"), 1.2),
    "spent": (("#eceff1", "#2a343a"), ("#a7b3b9", "#5c6a72"), 1),
    "strike": (("none", "none"), ("#7f8c93", "#8b99a1"), 1.2),
    "card": (("#ffffff", "#f1f4f5"), ("#7c8b93", "#c9d3d8"), 1.2),
    "cardback": (("#4a6f86", "#41627a"), ("#29485a", "#9dbccd"), 1.2),
    "joker": (("#f4ecd8", "#f4ecd8"), ("#8c6d1f", "#c9a540"), 1.2),
    "red": (("#b3202a", "#b3202a"), ("none", "none"), 0),
    "black": (("#1b262c", "#1b262c"), ("none", "none"), 0),
    "salmon": (("#e9806a", "#f0937f"), ("#7d2414", "#ffe1da"), 1.2),
    "eelback": (("none", "none"), ("#ffffff", "#10182b"), 2.4),
    "eel": (("#4b5d8a", "#7f93c6"), ("#1d2947", "#dfe6fb"), 1.2),
    "bear": (("#6b4a33", "#b18a6c"), ("#2f1d10", "#f3e4d8"), 1.2),
    "token": (("#fdf6e3", "#4a4535"), ("#8a6d1f", "#d3b45a"), 1.6),
    "barred": (("none", "none"), ("#b3261e", "#ff9d94"), 2.4),
    "white": (("#ffffff", "#f2f2f2"), ("#4e5a60", "#8a979e"), 1.3),
    "yellow": (("#f5cf3d", "#f5cf3d"), ("#6f5800", "#fff2bf"), 1.3),
    "brown": (("#9c6a43", "#b98359"), ("#4a2c12", "#f1dfd0"), 1.3),
    "blue": (("#3f79c4", "#5b93dc"), ("#173a68", "#d9e8fb"), 1.3),
    "pink": (("#e58ab4", "#ec9cc1"), ("#7d2450", "#ffe3ef"), 1.3),
    "church": (("#6b5fa8", "#9a8fd6"), ("#332a66", "#e6e1ff"), 1.3),
    "green": (("#3d9a57", "#56b271"), ("#164a26", "#d9f5e1"), 1.3),
    "pip": (("#1b262c", "#1b262c"), ("none", "none"), 0),
    "pipdark": (("#ffffff", "#ffffff"), ("none", "none"), 0),
    "fire": (("#d8501e", "#f07a4c"), ("#7a2406", "#ffd9c9"), 1),
    "cross": (("none", "none"), ("#1b262c", "#e6edf0"), 1.8),
    "crown": (("#d39e00", "#f0c24a"), ("#6b5000", "#fff2bf"), 1),
    "won": (("#e4f4e9", "#22382d"), ("#2f8f5b", "#56c088"), 1.5),
    "empty": (("none", "none"), ("#9fb0b8", "#5c6f79"), 1),
    "choice": (("", ""), ("#0a7d4f", "#66e0a9"), 2.6),
}
_DASHED = frozenset({"path", "empty", "strike"})
CLASSES = (*_ROWS, "bold")
GROUND = {False: "#f3f6f7", True: "#141c21"}  # behind the panels, by whether it is dark


def _rows(dark: bool) -> Iterator[tuple[str, Style]]:
    for name, (fill, stroke, width) in _ROWS.items():
        style = {
            "fill": fill[dark],
            "stroke": stroke[dark],
            "stroke-width": str(width or ""),
            "stroke-linejoin": "round" if width > 4 else "",
            "stroke-dasharray": "4 3" if name in _DASHED else "",
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
