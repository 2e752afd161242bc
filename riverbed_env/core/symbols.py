"""Small pictures that several games draw, each around or from (0, 0)."""

from __future__ import annotations

from .scene import Shape, circle, polygon, rect, text


def seat_disc(seat: int, x: float, y: float, r: float = 9) -> list[Shape]:
    """A player's piece: a disc in the seat's colour with the seat's number on it."""
    size = 11 if r < 10 else 13
    return [
        circle(f"seat{seat}", x, y, r),
        text("onseat bold", x, y + size * 0.36, str(seat), size, anchor="middle"),
    ]


def eye(x: float, y: float, half: float = 7) -> list[Shape]:
    """An open eye: somebody has looked at this."""
    lid = half * 0.62
    points = [-half, 0, -half * 0.5, -lid, half * 0.5, -lid, half, 0, half * 0.5, lid, -half * 0.5, lid]
    moved = [round(at + (y if odd % 2 else x), 1) for odd, at in enumerate(points)]
    return [polygon("eye", moved), circle("pupil", x, y, round(half * 0.36, 1))]


def arrow(look: str, x: float, y: float, size: float = 5) -> Shape:
    """A triangle that points to the right, its tip at (x, y)."""
    return polygon(look, [x - size * 1.6, y - size, x, y, x - size * 1.6, y + size])


def bar(look: str, x: float, y: float, w: float, h: float, reached: int, end: int) -> list[Shape]:
    """A row of boxes from 1 to `end`, the first `reached` of them filled with `look`."""
    step = w / max(end, 1)
    gap = 2 if step > 8 else 0.5
    return [
        rect(look if at < reached else "slot", round(x + at * step, 1), y, round(step - gap, 1), h, 2)
        for at in range(end)
    ]
