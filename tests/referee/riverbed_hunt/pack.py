"""Content packs as plain objects, read from the TOML file itself (docs/guides/packs.md)."""

import tomllib
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from ..asking import made_of


@dataclass(frozen=True)
class Effect:
    """RH-7: one effect of a card or of a tile's text, in the vocabulary of the guide."""

    effect: str
    scope: str | None = None
    who: str = "self"
    may: bool = False
    another: bool = False
    amount: int | None = None
    random: bool = False


@dataclass(frozen=True)
class Text:
    """RH-6.1: the text of a tile."""

    name: str
    effects: tuple[Effect, ...]


@dataclass(frozen=True)
class Layer:
    """RH-6.1: one layer of a tile, either some of one element or a text."""

    element: str | None
    amount: int
    text: Text | None


@dataclass(frozen=True)
class Tile:
    """RH-6: a river tile, its layers from the top."""

    number: int
    layers: tuple[Layer, ...]
    hunt: bool

    def has(self, element: str) -> bool:
        """RH-5.2: whether the tile bears the element on any layer."""
        return any(layer.element == element for layer in self.layers)


@dataclass(frozen=True)
class Card:
    """RH-7: a kind of ability card."""

    name: str
    copies: int
    from_players: int
    active: tuple[Effect, ...]
    non_active: tuple[Effect, ...]

    @property
    def slips_away(self) -> bool:
        """RH-7.5: whether a non-active player may answer a co-op with it."""
        return any(effect.effect == "redirect" for effect in self.non_active)


@dataclass(frozen=True)
class Layout:
    """RH-2.3: which spaces stay empty."""

    name: str
    tiles: int
    empty: frozenset[int]


@dataclass(frozen=True)
class Players:
    """RH-1.2, RH-1.4, RH-6: what a player count uses."""

    count: int
    roles: tuple[str, ...]
    one_of: tuple[str, ...]
    tiles: tuple[int, ...]
    endpoints: dict[str, int]


@dataclass(frozen=True)
class Pack:
    """A content pack."""

    name: str
    tiles: dict[int, Tile]
    texts: dict[str, Text]
    cards: dict[str, Card]
    layouts: tuple[Layout, ...]
    players: dict[int, Players]

    def deck(self, num_players: int) -> list[str]:
        """RH-7.6: the ability deck of a player count, in the order of the file, copies together."""
        kinds = [card for card in self.cards.values() if card.from_players <= num_players]
        return [card.name for card in kinds for _ in range(card.copies)]

    def in_pack_order(self, cards: list[str]) -> list[str]:
        """Cards in the order of the file, copies together."""
        return [name for name in self.cards for _ in range(cards.count(name))]

    def layouts_for(self, num_players: int) -> list[Layout]:
        """RH-2.3: the layouts of a player count; the first is the default."""
        tiles = len(self.players[num_players].tiles)
        return [layout for layout in self.layouts if layout.tiles == tiles]


def read_pack(path: str | Path) -> Pack:
    """Read a pack from its file. Assumes that it is valid; `riverbed games` checks packs."""
    with Path(path).open("rb") as file:
        data = tomllib.load(file)
    texts = {entry["name"]: Text(entry["name"], _effects(entry["effects"])) for entry in data.get("text", [])}
    return Pack(
        name=data["pack"]["name"],
        tiles={entry["number"]: _tile(entry, texts) for entry in data["tile"]},
        texts=texts,
        cards={entry["name"]: _card(entry) for entry in data["card"]},
        layouts=tuple(Layout(entry["name"], entry["tiles"], frozenset(entry["empty"])) for entry in data["layout"]),
        players={entry["count"]: _players(entry) for entry in data["players"]},
    )


def _effects(entries: list[dict[str, Any]]) -> tuple[Effect, ...]:
    return tuple(made_of(Effect, entry) for entry in entries)


def _tile(entry: dict[str, Any], texts: dict[str, Text]) -> Tile:
    return Tile(entry["number"], tuple(_layer(words, texts) for words in entry["layers"]), entry["hunt"])


def _layer(words: str, texts: dict[str, Text]) -> Layer:
    first, rest = words.split(" ", 1)
    if first == "text":
        return Layer(element=None, amount=0, text=texts[rest])
    return Layer(element=rest, amount=int(first), text=None)


def _card(entry: dict[str, Any]) -> Card:
    return Card(
        name=entry["name"],
        copies=entry["copies"],
        from_players=entry["from"],
        active=_effects(entry.get("active", [])),
        non_active=_effects(entry.get("non_active", [])),
    )


def _players(entry: dict[str, Any]) -> Players:
    return Players(
        count=entry["count"],
        roles=tuple(entry["roles"]),
        one_of=tuple(entry.get("one_of", [])),
        tiles=tuple(entry["tiles"]),
        endpoints=dict(entry["endpoints"]),
    )
