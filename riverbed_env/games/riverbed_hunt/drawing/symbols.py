"""The signs of Riverbed Hunt: elements, the hunt icon, texts, camps. Each element has a shape of its own."""

from riverbed_env.core.scene import Shape, circle, line, moved, polygon, rect, text

from ..content.pack import Layer, Pack
from ..rules.vocab import CAMP_OF, Element, Role

SIZE = 14  # of an element's sign

_KELP = polygon("kelp", [7, 0, 10, 3, 8.5, 6, 11.5, 9, 7, 14, 2.5, 9, 5.5, 6, 4, 3])
_SIGNS = {
    Element.KELP: [_KELP],
    Element.LOG: [rect("log", 0, 3, 14, 8, 4), circle("log", 11, 7, 2.6)],
    Element.COIN: [circle("coin", 7, 7, 6.2), circle("coin", 7, 7, 3)],
}
_TRIDENT = [line("hunt", [5, 1, 5, 13]), line("hunt", [0, 1, 0, 5, 10, 5, 10, 1])]  # a Hunt may go on after this tile


def element(which: int, x: float, y: float) -> list[Shape]:
    """A kelp's leaf, a log or a coin in a box of 14 with its corner at (x, y)."""
    return moved(_SIGNS[Element(which)], x, y)


def layer_signs(layer: Layer, x: float, y: float, room: float) -> list[Shape]:
    """A layer of a tile in a line: as many signs as it has elements, or the letter of its text."""
    if layer.text:
        name = text("text bold", x + 17, y + 11, layer.text.name, 11, anchor="middle", w=30)
        return [rect("mark", x, y, 34, 14, 4), name]
    if layer.amount * (SIZE + 1) <= room:
        return [sign for at in range(layer.amount) for sign in element(layer.element, x + at * (SIZE + 1), y)]
    return [*element(layer.element, x, y), text("text bold", x + SIZE + 3, y + 11, f"x {layer.amount}", 11)]


def tile_face(pack: Pack, tile: int, x: float, y: float, room: float) -> list[Shape]:
    """The layers of a tile from the top, and its hunt icon on the right."""
    layers = pack.layers(tile)
    step = 15 if len(layers) < 4 else 12.5
    shapes = [sign for at, layer in enumerate(layers) for sign in layer_signs(layer, x, y + at * step, room - 14)]
    return shapes + (moved(_TRIDENT, x + room - 11, y + 1) if pack.tiles[tile].hunt else [])


def role_sign(role: Role, x: float, y: float) -> list[Shape]:
    """The element that a role's camp wants, or a question mark."""
    if role == Role.UNKNOWN:
        return [circle("slot", x + 7, y + 7, 7), text("muted bold", x + 7, y + 11, "?", 11, anchor="middle")]
    return element(int(CAMP_OF[role]), x, y)
