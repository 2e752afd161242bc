"""Content packs drawn by number: tiles, texts, hunt icons, cards of the deck and layouts, on the rulebook's frame.

The rulebook's part stays as it is: roles, which tiles a player count uses, the full river, the cards' own texts.
A draw depends on its number alone and works on integers from the counter-based streams, so it is the same everywhere.
A change here, or of the default pack's entries, changes the packs: the table of `generated.npz` must be made again.
"""

from collections.abc import Mapping, Sequence
from copy import deepcopy
from functools import cache
from typing import Any, TypeVar

import numpy as np

from riverbed_env.core.files import read_text
from riverbed_env.core.packs import find_pack, parse_toml
from riverbed_env.kernels.random import PACKS, STREAM, below, open_stream

from ..rules import vocab as v
from ..rules.board import ORTHOGONAL

SEED = 2026  # of all draws; another one makes other packs of the same numbers
DRAWN = "reconstructed"  # what drawn entries give as their source

Item = TypeVar("Item")

# Texts beside those of the default pack.
MORE_TEXTS: Sequence[Mapping[str, Any]] = (
    {
        "name": "V",
        "words": "the revealer may view a face-down tile orthogonally adjacent to this one",
        "effects": [{"effect": "view", "scope": "orthogonal", "may": True}],
        "source": DRAWN,
    },
    {
        "name": "C",
        "words": "the revealer draws a card",
        "effects": [{"effect": "draw", "amount": 1}],
        "source": DRAWN,
    },
    {
        "name": "R",
        "words": "the revealer refreshes Dive and Swim",
        "effects": [{"effect": "refresh"}],
        "source": DRAWN,
    },
)

# Weights from which each pack draws one row: how rich, tall and mixed its tiles are.
AMOUNTS = ((6, 3, 1), (5, 4, 1), (4, 4, 2))  # of 1, 2, 3 kelp or logs on a layer
COINS = ((6, 1), (4, 1), (3, 2))  # of 1, 2 coins
HEIGHTS = ((5, 4, 1), (4, 5, 1), (2, 5, 3))  # of 1, 2, 3 elements on a tile
ELEMENTS = ((4, 4, 3), (5, 4, 3), (4, 5, 3), (3, 3, 3))  # of kelp, log, coin as a tile's next element
ICONS = (2, 3, 4)  # quarters of the tiles with logs that bear the hunt icon; of the others it is an eighth
TEXTS = (2, 7)  # tiles with a text
NAMES = ("kelp", "log", "coin")

COPIES = (3, 2, 5, 2)  # weights of 0, 1, 2, 3 copies of a card
DECKS = {4: (12, 18), 6: (18, 28), 9: (22, v.MAX_DECK)}  # the smallest and largest deck by the number of players
LAYOUTS = ("first", "second", "third")  # of 12 tiles, and of 14


class Dice:
    """Draws from the stream of one number."""

    def __init__(self, number: int) -> None:
        self.stream = np.zeros(1, STREAM)[0]
        open_stream(self.stream, SEED, number, PACKS)

    def below(self, bound: int) -> int:
        """A number from 0 to bound - 1."""
        return int(below(self.stream, bound))

    def one_of(self, items: Sequence[Item]) -> Item:
        """One of the items."""
        return items[self.below(len(items))]

    def weighted(self, weights: Sequence[int]) -> int:
        """The place of a weight, by the weights."""
        drawn = self.below(sum(weights))
        return next(place for place in range(len(weights)) if drawn < sum(weights[: place + 1]))

    def several(self, items: Sequence[Item], count: int) -> list[Item]:
        """So many different items."""
        left = list(items)
        return [left.pop(self.below(len(left))) for _ in range(count)]


def draw_content(number: int, name: str, endpoints: Sequence[Sequence[int]]) -> dict[str, Any]:
    """The content of a draw, as a pack's file holds it.

    Args:
        number: of the draw, 0 to 2**62.
        name: the pack's name.
        endpoints: of kelp, log and coin for 4 to 9 players; the draw itself says nothing of them.

    Returns:
        The content, of which not all need be legal: an element may be too scarce for its endpoint.
    """
    dice = Dice(number)
    content = deepcopy(_frame())
    content["pack"] = {"game": "riverbed_hunt", "name": name}
    content["text"] += MORE_TEXTS
    content["tile"] = _tiles(dice, [text["name"] for text in content["text"]])
    _deal_copies(dice, content["card"])
    full = [layout for layout in content["layout"] if layout["tiles"] == v.NUM_SPACES]
    content["layout"] = [*(layout for tiles in (12, 14) for layout in _layouts(dice, tiles)), *full]
    for players, ends in zip(content["players"], endpoints, strict=True):
        players |= {"endpoints": dict(zip(NAMES, ends)), "note": "roles and tiles are the rulebook's"}
    return content


@cache
def _frame() -> dict[str, Any]:
    """The content of the default pack."""
    path = find_pack("riverbed_hunt", "default")
    return parse_toml(path, read_text(path, f"{path}:"))


def _tiles(dice: Dice, texts: Sequence[str]) -> list[dict[str, Any]]:
    amounts, coins, heights, elements = (dice.one_of(rows) for rows in (AMOUNTS, COINS, HEIGHTS, ELEMENTS))
    quarters = dice.one_of(ICONS)
    numbers = range(1, v.NUM_TILES + 1)
    low, high = TEXTS
    bearing = dice.several(numbers, low + dice.below(high - low + 1))
    bare = bearing[: dice.below(3)]  # tiles with no element
    tiles = []
    for number in numbers:
        layers: list[str] = []
        left = list(elements)
        for _ in range(0 if number in bare else 1 + dice.weighted(heights)):
            element = dice.weighted(left)
            left[element] = 0
            layers.append(f"{1 + dice.weighted(coins if NAMES[element] == 'coin' else amounts)} {NAMES[element]}")
        has_log = any(layer.endswith("log") for layer in layers)
        hunt = dice.below(8) < (2 * quarters if has_log else 1)
        if number in bearing:
            layers.insert(dice.below(len(layers) + 1), f"text {dice.one_of(texts)}")
        tiles.append({"number": number, "layers": layers, "hunt": hunt, "source": DRAWN})
    return tiles


def _deal_copies(dice: Dice, cards: list[dict[str, Any]]) -> None:
    """Draw the copies of each card, then add or take single ones until every deck has an allowed size."""
    for card in cards:
        card["copies"] = dice.weighted(COPIES)
    for count, (low, high) in DECKS.items():
        there = [card for card in cards if card["from"] <= count]
        while sum(card["copies"] for card in there) < low:
            dice.one_of([card for card in there if 0 < card["copies"] < 4] or there)["copies"] += 1
        while sum(card["copies"] for card in there) > high:
            dice.one_of([card for card in there if card["copies"] > 0])["copies"] -= 1


def _layouts(dice: Dice, tiles: int) -> list[dict[str, Any]]:
    """Different sets of empty spaces, no two of them neighbours (RH-2.3)."""
    found: list[list[int]] = []
    while len(found) < len(LAYOUTS):
        empty = sorted(dice.several(range(v.NUM_SPACES), v.NUM_SPACES - tiles))
        if empty not in found and not any(ORTHOGONAL[space] & set(empty) for space in empty):
            found.append(empty)
    return [
        {"name": name, "tiles": tiles, "empty": [space + 1 for space in empty], "source": DRAWN}
        for name, empty in zip(LAYOUTS, found)
    ]
