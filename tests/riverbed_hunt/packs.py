"""Changed content packs of Riverbed Hunt: what breaks which rule, and what breaks none."""

import re

from pack_changes import (
    Change,
    Refused,
    added,
    entry,
    in_entry,
    replaced,
    twice,
    without,
)


def card(name: str = "New", active: str = '{ effect = "draw", amount = 1 }', **more: str) -> str:
    fields = {"copies": "1", "from": "9", "words": '"w"', "source": '"reconstructed"', "active": f"[{active}]", **more}
    return f'[[card]]\nname = "{name}"\n' + "".join(f"{key} = {value}\n" for key, value in fields.items())


def tile_text(name: str, effects: str) -> str:
    return f'[[text]]\nname = "{name}"\nwords = "w"\neffects = [{effects}]\nsource = "reconstructed"\n'


def layout(name: str, tiles: int, empty: str) -> str:
    return f'[[layout]]\nname = "{name}"\ntiles = {tiles}\nempty = [{empty}]\nsource = "reconstructed"\n'


def tile(number: int, old: str, new: str) -> Change:
    """A tile's entry with another text."""
    return in_entry("tile", f"number = {number}", old, new)


def layer(new: str) -> Change:
    """What the one layer of tile 1 says."""
    return tile(1, "1 kelp", new)


def players(count: int, old: str, new: str) -> Change:
    """A player count's entry with another text."""
    return in_entry("players", f"count = {count}", old, new)


def silt(old: str, new: str) -> Change:
    """The entry of the card Silt with another text."""
    return in_entry("card", 'name = "Silt"', old, new)


def active(effects: str) -> Change:
    """What the card Silt does."""
    return silt('[{ effect = "flip down", scope = "within reach" }]', f"[{effects}]")


def without_cards(text: str) -> str:
    return "\n[[".join(part for part in text.split("\n[[") if not part.startswith("card]]"))


def lighter(change: Change) -> Change:
    """With one copy of each card, so that there is room for more."""
    return lambda text: re.sub(r"copies = \d", "copies = 1", change(text))


def revealing_tiles(count: int, effects: str) -> Change:
    """So many tiles whose text reveals."""

    def change(text: str) -> str:
        for number in [number for number in range(1, 19) if number != 12][:count]:
            block = entry("tile", f"number = {number}", text)
            first, rest = block.split("layers = [", 1)
            text = text.replace(block, f'{first}layers = ["text R", {rest}')
        return text + tile_text("R", effects)

    return change


REFUSED_PACKS: Refused = {
    # the file
    "not TOML": (added("[[tile"), "TOML", "line"),
    "key twice": (replaced(('name = "default"', 'name = "default"\nname = "x"')), "TOML", "line 10"),
    # shapes
    "tile 19": (tile(18, "number = 18", "number = 19"), "tile 19 number", "18"),
    "from 10 players": (silt("from = 5", "from = 10"), "card 'Silt' from", "9"),
    "29 kinds of cards": (added("\n".join(card(f"New {number}") for number in range(15))), "card", "at most 28"),
    "13 tiles": (added(layout("odd", 13, "1, 3, 9")), "layout 'odd' tiles", "12, 14 or 16"),
    "endpoint 61": (replaced(("kelp = 7, log = 7", "kelp = 61, log = 7")), "players 7 endpoints kelp", "60"),
    # used once
    "tile twice": (twice("tile", "number = 5"), "tile 5", "twice"),
    "text twice": (twice("text", 'name = "S"'), "text 'S'", "twice"),
    "card twice": (twice("card", 'name = "Silt"'), "card 'Silt'", "twice"),
    "layout twice": (twice("layout", 'name = "full"'), "layout ('full', 16)", "twice"),
    "players twice": (twice("players", "count = 6"), "players 6", "twice"),
    # whole
    "tile missing": (without("tile", "number = 5"), "tile 5", "missing"),
    "players missing": (without("players", "count = 6"), "players 6", "missing"),
    "21 texts": (
        added("\n".join(tile_text(f"T{number}", '{ effect = "draw", amount = 1 }') for number in range(18))),
        "text",
        "at most 20",
    ),
    # tiles
    "tile listed twice": (players(4, "10, 11, 12]", "10, 11, 11]"), "players 4", "a tile is listed twice"),
    "a tile too few": (players(4, "10, 11, 12]", "10, 11]"), "players 4", "RH-1.4 needs 12"),
    "a tile too many": (players(4, "11, 12]", "11, 12, 13]"), "players 4", "RH-1.4 needs 12"),
    "tile 19 listed": (players(4, "11, 12]", "11, 19]"), "players 4 tiles", "18"),
    # roles
    "a role too few": (players(5, ', "profiteer"', ""), "players 5", "4 role cards"),
    "a role too many": (players(5, '"profiteer"]', '"profiteer", "merchant"]'), "players 5", "6 role cards"),
    "no chief": (players(5, '"chief"', '"merchant"'), "players 5", "exactly one chief"),
    "two chiefs": (players(5, '"merchant"', '"chief"'), "players 5", "exactly one chief"),
    "no leader": (players(5, '"leader"', '"separatist"'), "players 5", "exactly one leader"),
    "two leaders": (players(5, '"separatist"', '"leader"'), "players 5", "exactly one leader"),
    "two profiteers": (players(5, '"separatist"', '"profiteer"'), "players 5", "at most one profiteer"),
    "a leader by chance": (
        replaced(('one_of = ["profiteer", "separatist"]', 'one_of = ["profiteer", "leader"]')),
        "players 4",
        "exactly one leader",
    ),
    # endpoints
    "out of reach": (replaced(("kelp = 7, log = 7", "kelp = 60, log = 7")), "players 7", "kelp ends at 60"),
    "coins out of reach": (replaced(("log = 7, coin = 5", "log = 7, coin = 40")), "players 7", "coin ends at 40"),
    # layouts
    "too few empty": (added(layout("odd", 14, "1")), "layout 'odd' for 14 tiles", "2 different empty spaces"),
    "too many empty": (added(layout("odd", 16, "1")), "layout 'odd' for 16 tiles", "0 different empty spaces"),
    "empty twice": (added(layout("odd", 14, "3, 3")), "layout 'odd' for 14 tiles", "2 different empty spaces"),
    "empty neighbours": (added(layout("odd", 14, "2, 3")), "layout 'odd' for 14 tiles", "2 and 3"),
    "no layout": (without("layout", 'name = "full"'), "players 7", "0 layouts with 16 tiles"),
    "seven layouts": (
        added("\n".join(layout(f"l{number}", 14, f"{number}, 16") for number in range(1, 6))),
        "players 5",
        "layouts with 14 tiles",
    ),
    "a layout called random": (added(layout("random", 14, "3, 16")), "layout 'random'", "random"),
    # deck
    "a deck too small": (
        lambda text: without_cards(text) + card("Only", copies="3", **{"from": "4"}),
        "players 4",
        "the deck has 3 cards",
    ),
    "a deck too big": (
        silt("copies = 2", "copies = 28"),
        "players 5",
        "cards, but 5 to 28 are allowed: lower the copies",
    ),
    # words
    "a non-active draw": (
        in_entry("card", 'name = "Slip Away"', '[{ effect = "redirect" }]', '[{ effect = "draw", amount = 1 }]'),
        "card 'Slip Away'",
        "can only be a redirect",
    ),
    "two redirects": (lighter(added(card(non_active='[{ effect = "redirect" }]'))), "card 'New'", "'Slip Away'"),
    "a redirecting tile": (added(tile_text("R", '{ effect = "redirect" }')), "text 'R'", "non-active occasion"),
    "a tile's text with a wrong scope": (
        added(tile_text("R", '{ effect = "view", scope = "land" }')),
        "text 'R'",
        "view has scope 'land'",
    ),
    "unknown text": (layer("text Z"), "tile 1", "O, D, S"),
    # nesting
    "texts that nest too deep": (revealing_tiles(17, '{ effect = "reveal", scope = "any" }'), "texts", "at most 12"),
    "texts that nest without end": (
        revealing_tiles(2, '{ effect = "flip down", scope = "any" }, { effect = "reveal", scope = "any" }'),
        "tile 1",
        "without end",
    ),
}

# What the card Silt is to do instead, and what is wrong with it.
EFFECTS = {
    '{ effect = "redirect" }': "non-active",
    '{ effect = "view", scope = "swim" }': "view has scope 'swim'",
    '{ effect = "view" }': "view has scope None",
    '{ effect = "refresh", scope = "any" }': "takes no scope",
    '{ effect = "swap", scope = "any", who = "another" }': "swap concerns 'another'",
    '{ effect = "look at role", scope = "any" }': "concerns 'self'",
    '{ effect = "swap", scope = "any", may = true }': "can't be optional",
    '{ effect = "view", scope = "swapped" }': "needs a swap",
    '{ effect = "view", scope = "swapped" }, { effect = "swap", scope = "any" }': "needs a swap",
    '{ effect = "discard", random = true }': "can be random",
    '{ effect = "view", scope = "any", random = true }': "can be random",
    '{ effect = "view", scope = "any", amount = 2 }': "takes no amount",
    '{ effect = "draw" }': "amount of 1 to 3",
    '{ effect = "draw", amount = 0 }': "amount of 1 to 3",
    '{ effect = "view", scope = "any", another = true }': "has an effect before it",
    '{ effect = "view", scope = "any" }, { effect = "draw", amount = 1, another = true }': "for an effect on tiles",
    '{ effect = "view", scope = "any" }, '
    '{ effect = "look at role", scope = "any", who = "another", another = true }': "for an effect on tiles",
    '{ effect = "swap", scope = "own space" }': "has scope 'own space'",
    '{ effect = "refresh", amount = 2 }': "refresh takes no amount",
}
LAYERS = ("1 gold", "kelp", "0 kelp", "10 kelp", "-1 kelp", "text", "")  # what the one layer of tile 1 can't say
REFUSED_PACKS |= {effects: (active(effects), "card 'Silt'", reason) for effects, reason in EFFECTS.items()}
REFUSED_PACKS |= {f"layer {text!r}": (layer(text), "tile 1", repr(text)) for text in LAYERS}


ACCEPTED_PACKS: dict[str, Change] = {
    "the default": lambda text: text,
    "another card": lighter(added(card())),
    "a card that no deck holds": silt("copies = 2", "copies = 0"),
    "28 kinds of cards": lighter(added("\n".join(card(f"New {number}") for number in range(14)))),
    "six layouts": added("\n".join(layout(f"l{number}", 14, f"{number}, 16") for number in (1, 3, 5))),
    "no texts that nest": revealing_tiles(3, '{ effect = "draw", amount = 1 }'),
    "texts that nest": revealing_tiles(6, '{ effect = "reveal", scope = "any", may = true }'),
    "texts that turn tiles down": revealing_tiles(4, '{ effect = "flip down", scope = "within reach", may = true }'),
    "every effect": active(
        '{ effect = "swap", scope = "any" }, { effect = "reveal", scope = "swapped" }, '
        '{ effect = "draw", amount = 3 }, { effect = "discard", who = "another", random = true }, '
        '{ effect = "refresh", amount = 1 }, '
        '{ effect = "look at role", scope = "any", who = "another", may = true }'
    ),
    "no note": tile(7, "note = ", "#"),
}
