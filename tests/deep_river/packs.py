"""Changed content packs of Deep River: what breaks which rule, and what breaks none."""

from pack_changes import Change, Refused, added, in_entry, replaced, without


def tile(effect: str, old: str, new: str) -> Change:
    """A small tile's entry with another text."""
    return in_entry("tile", f'effect = "{effect}"', old, new)


def token(name: str, old: str, new: str) -> Change:
    """A token's entry with another text."""
    return in_entry("token", f'name = "{name}"', old, new)


TOKEN = '[[token]]\nname = "E"\nfaces = [1, 2]\nsource = "reconstructed"'
TILE = '[[tile]]\neffect = "bear"\ncopies = 1\nsource = "reconstructed"'

REFUSED_PACKS: Refused = {
    # shapes
    "no name": (replaced(('name = "default"\n', "")), "pack name", "missing"),
    "one face": (token("A", "[1, 4]", "[1]"), "token 'A' faces", "at least 2"),
    "eight steps": (token("A", "[1, 4]", "[1, 8]"), "token 'A' faces", "less than or equal to 7"),
    "unknown face": (token("B", '"bear"', '"fish"'), "token 'B' faces", "twice"),
    "two tokens": (without("token", 'name = "C"'), "token", "at least 3"),
    "a double tile": (tile("swap", '"swap"', '"double"'), "effect", "'bear', 'drift', 'swap' or 'tilt'"),
    "no small tiles": (
        lambda text: "\n[[tile]]".join(text.split("\n[[tile]]")[:1]) + "\n[rules]\nsmall_slots = 1\n",
        "tile",
        "missing",
    ),
    "no double slots": (
        replaced(("double_slots = 2", "double_slots = 0")),
        "rules double_slots",
        "greater than or equal to 1",
    ),
    # used once
    "a token twice": (token("B", 'name = "B"', 'name = "A"'), "token 'A'", "is given twice"),
    "a tile twice": (added(TILE), "tile 'bear'", "is given twice"),
    # whole
    "five small tiles": (tile("bear", "copies = 2", "copies = 1"), "tiles", "5 small tiles; DR-1.1 needs 6"),
    "seven small tiles": (tile("bear", "copies = 2", "copies = 3"), "tiles", "7 small tiles; DR-1.1 needs 6"),
    "no drift tile": (without("tile", 'effect = "drift"'), "tiles", "5 small tiles; DR-1.1 needs 6"),
}


ACCEPTED_PACKS: dict[str, Change] = {
    "the default": lambda text: text,
    "no rules": lambda text: text.split("\n[rules]")[0] + "\n",
    "one double slot": replaced(("double_slots = 2", "double_slots = 1")),
    "a free choice of slots": replaced(("single_may_choose_empty = false", "single_may_choose_empty = true")),
    "one kind of tile": lambda text: (
        text.split("\n[[tile]]")[0] + '\n[[tile]]\neffect = "tilt"\ncopies = 6\nsource = "spec"\n'
    ),
    "faces all alike": replaced(("[1, 4]", "[1, 1]"), ('[1, "bear"]', "[1, 1]"), ('[1, "twice"]', "[1, 1]")),
    "special faces alone": replaced(("[1, 4]", '["twice", "bear"]'), ('[1, "bear"]', '["bear", "bear"]')),
    "the longest way": replaced(("[1, 4]", "[7, 7]")),
}
