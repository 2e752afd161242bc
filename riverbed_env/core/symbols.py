"""Small pictures that several games draw, each around or from (0, 0)."""

from collections.abc import Iterable, Sequence

from .scene import WIDTH, Shape, circle, group, polygon, rect, text, tidy


def moved(shapes: Iterable[Shape], x: float, y: float, by: float = 1) -> list[Shape]:
    """The same shapes, `by` times as large, moved by (x, y)."""
    return [
        shape | {"points": [tidy(at * by + (y if odd % 2 else x)) for odd, at in enumerate(shape["points"])]}
        if "points" in shape
        else shape
        | {each: tidy(shape[each] * by) for each in ("w", "h", "r", "size") if each in shape}
        | {"x": tidy(shape["x"] * by + x), "y": tidy(shape["y"] * by + y)}
        for shape in shapes
    ]


def seat_disc(seat: int, x: float, y: float, r: float = 9) -> list[Shape]:
    """A player's piece: a disc in the seat's colour with the seat's number on it."""
    size = 12 if r < 10 else 13
    return [circle(f"seat{seat}", x, y, r), text("onseat bold", x, y + size * 0.36, str(seat), size, anchor="middle")]


_BODY = [-4, -4, 4, -4, 11, 0, 11, 4, 6, 4.5, 9, 11, 2, 11, 0, 7.5, -2, 11, -9, 11, -6, 4.5, -11, 4, -11, 0]


def meeple(seat: int) -> list[Shape]:
    """A player's piece on the board, 22 wide and high around (0, 0), with the seat's number on it."""
    number = text("onseat bold", 0, 6, str(seat), 12, anchor="middle")
    return [polygon(f"seat{seat}", _BODY), circle(f"seat{seat}", 0, -7, 5), number]


def eye(x: float, y: float, half: float = 7) -> list[Shape]:
    """An open eye: somebody has looked at this."""
    lid = half * 0.62
    points = [-half, 0, -half * 0.5, -lid, half * 0.5, -lid, half, 0, half * 0.5, lid, -half * 0.5, lid]
    return moved([polygon("eye", points), circle("pupil", 0, 0, round(half * 0.36, 1))], x, y)


def arrow(look: str, x: float, y: float, size: float = 5) -> Shape:
    """A triangle that points to the right, its tip at (x, y)."""
    return polygon(look, [x - size * 1.6, y - size, x, y, x - size * 1.6, y + size])


def track(name: str, words: str, look: str, reached: int, end: int, y: float, sign: Sequence[Shape] = ()) -> Shape:
    """How far something is on its way to an end: a line of words, and boxes, the first `reached` filled with `look`."""
    step = (WIDTH - 12) / max(end, 1)
    gap = 2 if step > 8 else 0.5
    shapes = [
        *sign,
        text("text bold", 26 if sign else 6, 15, words, 12),
        text("text bold", WIDTH - 6, 15, f"{reached} of {end}", 12, anchor="end"),
        *(
            rect(look if at < reached else "slot", round(6 + at * step, 1), 21, round(step - gap, 1), 12, 2)
            for at in range(end)
        ),
    ]
    return group(name, "", 0, y, shapes, label=f"{words}: {reached} of {end}")
