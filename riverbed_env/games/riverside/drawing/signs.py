"""The signs of Riverside: boats by colour and shape, dice, the ship, fire."""

from riverbed_env.core.scene import Shape, circle, moved, polygon, rect

from ..rules.vocab import Boat

_SIGNS = {  # in a box of 12 around (0, 0); each colour has a shape of its own
    Boat.WHITE: [circle("white", 0, 0, 5.6)],
    Boat.YELLOW: [polygon("yellow", [0, -6.6, 6.6, 0, 0, 6.6, -6.6, 0])],
    Boat.BROWN: [rect("brown", -5, -5, 10, 10)],
    Boat.BLUE: [polygon("blue", [0, -6, 6.2, 5, -6.2, 5])],
    Boat.PINK: [polygon("pink", [0, -6.2, 6, -1.8, 3.8, 5.2, -3.8, 5.2, -6, -1.8])],
    Boat.CHURCH: [
        polygon(
            "church",
            [-2, -6.5, 2, -6.5, 2, -3, 5.5, -3, 5.5, 1, 2, 1, 2, 6.5, -2, 6.5, -2, 1, -5.5, 1, -5.5, -3, -2, -3],
        )
    ],
}
LOOKS = ("white", "yellow", "brown", "blue", "pink", "green")  # of the dice
_DARK = frozenset({"brown", "blue", "green"})  # dice with light pips


def boat_sign(boat: int, x: float, y: float) -> list[Shape]:
    """A boat's sign around (x, y)."""
    return moved(_SIGNS[Boat(boat)], x, y)


def die(look: str, pips: int, outline: str, x: float, y: float, size: float = 38) -> list[Shape]:
    """A die with its corner at (x, y)."""
    at = [(0, 0)] * (pips % 2) + [(-1, -1), (1, 1)] * (pips > 1) + [(-1, 1), (1, -1)] * (pips > 3)
    at += [(-1, 0), (1, 0)] * (pips == 6)
    far, half = size * 0.27, size / 2
    dot = "pipdark" if look in _DARK else "pip"
    spots = [circle(dot, round(x + half + a * far, 1), round(y + half + b * far, 1), 3.4) for a, b in at]
    return [rect(f"{look}{outline}", x, y, size, size, 8), *spots]


def flame(x: float, y: float) -> Shape:
    """A flame, 14 high, its foot at (x, y)."""
    return polygon(
        "fire", [x, y - 14, x + 3, y - 9, x + 5, y - 11, x + 6, y - 4, x + 3, y, x - 3, y, x - 6, y - 4, x - 3, y - 8]
    )


def ship() -> list[Shape]:
    """The cruise ship around (0, 0), 24 wide."""
    return [
        polygon("here", [-13, 1, 13, 1, 9, 8, -9, 8]),
        rect("here", -7, -5, 13, 6),
        rect("here", -2, -11, 4, 6),
    ]
