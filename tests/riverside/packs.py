"""Changed content packs of Riverside: what breaks which rule, and what breaks none."""

from pack_changes import (
    Change,
    Refused,
    entry,
    in_entry,
    replaced,
    twice,
    without,
)


def boat(colour: str, old: str, new: str) -> Change:
    """A guide boat's entry with another text."""
    return in_entry("boat", f'colour = "{colour}"', old, new)


def village(number: int, old: str, new: str) -> Change:
    """A village's entry with another text."""
    return in_entry("village", f"tile = {number}", old, new)


def bands(numbers: str) -> Change:
    return replaced(("[200, 225, 250, 275, 300, 325, 350, 375, 400]", f"[{numbers}]"))


ROW = '    { seats = 6, points = 9, bonus = 2, bonus_colour = "white" },\n'
MORE = '{ seats = 1, points = 1, bonus = 1, bonus_colour = "pink" },\n]'

REFUSED_PACKS: Refused = {
    # shapes
    "unknown key": (replaced(("east_tile =", "west_tile = 1\neast_tile =")), "route west_tile", "unknown key"),
    "no route": (lambda text: text.replace(text[text.index("[route]") : text.index("[fire]")], ""), "route", "missing"),
    "two spaces a tile": (replaced(("spaces_a_tile = 3", "spaces_a_tile = 2")), "route spaces_a_tile", "1, 3, 5 or 7"),
    "a long east": (replaced(("east_tile = 2", "east_tile = 21")), "route east_tile", "less than or equal to 20"),
    "half a symbol": (replaced(("symbols = 3\n", "symbols = 3.5\n")), "plus_one symbols", "integer"),
    "eight bands": (bands("200, 225, 250, 275, 300, 325, 350, 375"), "achievements bands", "at least 9"),
    "unknown colour": (boat("pink", '"pink"\npower', '"green"\npower'), "colour", "white"),
    "three rows": (boat("white", ROW, ""), "rows", "at least 4"),
    "21 seats": (boat("white", "seats = 6", "seats = 21"), "rows #1 seats", "less than or equal to 20"),
    "a bonus of three": (boat("white", "points = 9, bonus = 2", "points = 9, bonus = 3"), "rows #1 bonus", "1 or 2"),
    "a bonus for the church": (
        boat("white", 'bonus_colour = "pink"', 'bonus_colour = "church"'),
        "rows #2 bonus_colour",
        "pink",
    ),
    "tile 13": (village(12, "tile = 12", "tile = 13"), "village", "less than or equal to 12"),
    "an unknown boat": (village(1, "yellow = 11", "green = 11"), "values green", "yellow"),
    "a number for a flag": (village(12, "passage = false", "passage = 0"), "passage", "a valid boolean"),
    # whole
    "a boat missing": (without("boat", 'colour = "brown"'), "boat 'brown'", "is missing"),
    "a boat twice": (twice("boat", 'colour = "blue"'), "boat 'blue'", "is given twice"),
    "a village missing": (without("village", "tile = 7"), "village of tile 7", "is missing"),
    "a village twice": (village(7, "tile = 7", "tile = 8"), "village of tile 7", "is missing"),
    "a tile twice": (twice("village", "tile = 3"), "village of tile 3", "is given twice"),
    # boats
    "one royal seat": (boat("white", ", royal = 4", ""), "boat 'white'", "1 rows have a royal seat; two are needed"),
    "three royal seats": (
        boat("white", '"yellow" }', '"yellow", royal = 1 }'),
        "boat 'white'",
        "3 rows have a royal seat; two are needed (RS-2.3)",
    ),
    "a royal seat outside": (
        boat("white", "royal = 4", "royal = 6"),
        "boat 'white'",
        "row 2 has 5 seats, so its royal seat can't be 6",
    ),
    "a power twice": (boat("pink", '"Speed boat"', '"Warm night"'), "power 'Warm night'", "belongs to two boats"),
    # villages
    "a village for nobody": (village(1, "yellow = 11", ""), "village of tile 1", "worth nothing to any boat"),
    "a church with colours": (
        village(9, "church = 2", "church = 2, pink = 3"),
        "village of tile 9",
        "a stave church and has colours too (RS-2.4)",
    ),
    "the extension's in the base game": (
        village(1, 'source = "rulebook"', 'extension = true\nsource = "rulebook"'),
        "village of tile 1",
        "tiles 1 to 10 are the base game's",
    ),
    "the base game's in the extension": (
        village(12, "extension = true\n", ""),
        "village of tile 12",
        "the others the extension's (RS-1.1)",
    ),
    # bands
    "bands that fall": (
        bands("200, 225, 250, 275, 300, 325, 350, 375, 374"),
        "achievements",
        "bands must rise, but 374 follows 375 (RS-4.1)",
    ),
    "bands that stand": (
        bands("200, 200, 250, 275, 300, 325, 350, 375, 400"),
        "achievements",
        "bands must rise, but 200 follows 200",
    ),
}


ACCEPTED_PACKS: dict[str, Change] = {
    "the default": lambda text: text,
    "one space a tile": replaced(("spaces_a_tile = 3", "spaces_a_tile = 1")),
    "seven spaces a tile": replaced(("spaces_a_tile = 3", "spaces_a_tile = 7")),
    "the longest ways": replaced(
        ("east_tile = 2", "east_tile = 20"),
        ("middle_to_hub = 1", "middle_to_hub = 9"),
        ("hub_to_village = 1", "hub_to_village = 9"),
    ),
    "the shortest ways": replaced(
        ("east_tile = 2", "east_tile = 0"),
        ("middle_to_hub = 1", "middle_to_hub = 0"),
        ("hub_to_village = 1", "hub_to_village = 0"),
    ),
    "no symbols": replaced(("symbols = 14", "symbols = 0"), ("symbols = 3\n", "symbols = 0\n")),
    "99 symbols": replaced(("symbols = 14", "symbols = 99"), ("symbols = 3\n", "symbols = 99\n")),
    "boats of one seat a row": boat("white", "seats = 6", "seats = 1"),
    "a royal seat at the end": boat("white", "royal = 4", "royal = 5"),
    "no way through": village(1, "values = { yellow = 11 }", "values = { yellow = 11 }\npassage = false"),
    "another order": lambda text: (
        text.replace(entry("village", "tile = 1", text), "") + "\n" + entry("village", "tile = 1", text)
    ),
    "a village for all colours": village(1, "yellow = 11", "white = 99, yellow = 99, brown = 99, blue = 99, pink = 99"),
    "bands of one step": bands("0, 1, 2, 3, 4, 5, 6, 7, 8"),
}
