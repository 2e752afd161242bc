"""The pawns, tokens and bear of Deep River. A salmon's pawn is round, an eel's is square; fish on it are counted."""

from riverbed_env.core.scene import Shape, circle, line, moved, polygon, rect, text

_SALMON = (
    polygon("onseat", [0, -6, 3.2, -2, 2.4, 2.5, 0, 4, -2.4, 2.5, -3.2, -2]),
    polygon("onseat", [0, 3, 3.2, 7, -3.2, 7]),
)
_EEL = (line("eelback", [0, -7, 2, -4, -2, -1, 2, 2, -2, 5, 0, 7]),)


def pawn(number: int, x: float, y: float) -> list[Shape]:
    """A pawn around (x, y), 32 wide, with one fish or two."""
    salmon = number > 0
    body = circle("salmon", x, y, 16) if salmon else rect("eel", x - 15, y - 15, 30, 30, 6)
    fish = _SALMON if salmon else _EEL
    places = [0] if abs(number) == 1 else [-5.5, 5.5]
    return [body, *(part for at in places for part in moved(fish, x + at, y))]


def pile(top: int, under: int, x: float, y: float) -> list[Shape]:
    """The pawn of a slot, and the one that it covers, which shows below it."""
    if not top:
        return []
    if not under:
        return pawn(top, x, y)
    return [*pawn(under, x + 6, y + 6), *pawn(top, x - 3, y - 4)]


def bear(x: float, y: float) -> list[Shape]:
    """The bear's head around (x, y), 26 wide."""
    head = [circle("bear", x + dx, y + dy, r) for dx, dy, r in ((-9, -8, 5), (9, -8, 5), (0, 0, 12))]
    return head + [circle("onseat", x + dx, y + dy, r) for dx, dy, r in ((-4, -2, 1.8), (4, -2, 1.8), (0, 5, 2.6))]


def token(up: str, down: str, barred: bool, outline: str, x: float, y: float) -> list[Shape]:
    """A current token around (x, y), 32 wide: the face that is up, the other one small below it."""
    ring = [circle("turn", x, y, 19)] if "turn" in outline else []
    shapes = [
        *ring,
        circle(f"token{outline}", x, y, 16),
        text("text bold", x, y + 2, up, 10 if len(up) > 2 else 15, anchor="middle", w=28),
        text("muted", x, y + 11, down, 8 if len(down) < 3 else 7, anchor="middle", w=22),
    ]
    return [*shapes, line("barred", [x - 12, y + 12, x + 12, y - 12])] if barred else shapes
