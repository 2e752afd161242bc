"""Content packs of Riverbed Hunt: the format of the file, its checks, and the tables made from it."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt
from pydantic import Field, SerializerFunctionWrapHandler, model_serializer

from riverbed_env.core.generated import GeneratedPacks
from riverbed_env.core.options import check_choice, check_forced, check_whole
from riverbed_env.core.packs import PACKS, CheckedPack, Entry, PackLoader, Provenance, by_name, one_of
from riverbed_env.errors import OptionError

from ..rules import vocab as v
from ..rules.acts import action_programs
from ..rules.board import DIAGONAL, ORTHOGONAL, bits, layout_tables
from ..rules.state import CARD_PROGRAM, PARAMS, TEXT_PROGRAM
from .generator import draw_content

MAX_CAP = 10**8  # decisions; the counters of a record can't overflow within this many

EFFECTS = by_name(effect for effect in v.Effect if v.Effect.VIEW <= effect <= v.Effect.REDIRECT)
SCOPES = by_name(scope for scope in v.Scope if scope != v.Scope.NONE)
PEOPLE = by_name(v.Who)
ROLES: dict[str, v.Role] = by_name(v.Role(role) for role in range(v.NUM_ROLES))
ELEMENTS = by_name(element for element in v.Element if element != v.Element.TEXT)
RoleName = Annotated[str, one_of(ROLES)]

_BOARD = frozenset({"own space", "within reach", "orthogonal", "diagonal", "any"})
_SEVERAL = _BOARD - {"own space"}  # scopes that can hold two tiles
_MOVES = frozenset({"step", "swim", "land"})
# What each effect may be combined with: its scopes, its people, and whether it can be optional ("may").
_GRAMMAR: Mapping[str, tuple[frozenset[str], frozenset[str], bool]] = {
    "view": (_BOARD | {"swapped"}, frozenset({"self", "another", "self and another"}), True),
    "reveal": (_BOARD | {"swapped"}, frozenset({"self", "another"}), True),
    "flip down": (_BOARD, frozenset({"self"}), True),
    "swap": (_SEVERAL, frozenset({"self"}), False),
    "shuffle": (_SEVERAL, frozenset({"self"}), False),
    "move": (_MOVES, frozenset({"self", "another", "anyone"}), True),
    "draw": (frozenset(), frozenset({"self"}), False),
    "discard": (frozenset(), frozenset({"self", "another"}), False),
    "refresh": (frozenset(), frozenset({"self"}), False),
    "look at role": (frozenset({"own space", "any"}), frozenset({"another"}), True),
    "redirect": (frozenset(), frozenset({"self"}), False),
}
_TILES_BY_COUNT = {4: 12, 5: 14, 6: 14, 7: 16, 8: 16, 9: 16}  # RH-1.4


class Instruction(Entry):
    """One step of what a card or a text does."""

    effect: Annotated[str, one_of(EFFECTS)]
    scope: Annotated[str, one_of(SCOPES)] | None = None
    who: Annotated[str, one_of(PEOPLE)] = "self"
    amount: Annotated[int, Field(ge=0, le=3)] | None = None
    may: bool = False
    another: bool = False
    random: bool = False


Program = Annotated[list[Instruction], Field(min_length=1, max_length=v.MAX_INSTRUCTIONS)]


class Text(Entry):
    """A tile's text; layers name it as "text NAME"."""

    name: str
    words: str
    effects: Program
    source: Provenance
    note: str = ""


class Tile(Entry):
    """A river tile; its layers are "2 kelp", "1 log", "1 coin" or "text NAME", from the top down."""

    number: Annotated[int, Field(ge=1, le=v.NUM_TILES)]
    layers: Annotated[list[str], Field(min_length=1, max_length=v.MAX_LAYERS)]
    hunt: bool
    source: Provenance
    note: str = ""


class Card(Entry):
    """An ability card: what it does in its player's turn and, for some, in answer to a co-op."""

    name: str
    copies: Annotated[int, Field(ge=0, le=v.MAX_DECK)]  # 0 keeps the number of a kind that no deck holds
    from_players: Annotated[int, Field(ge=v.MIN_PLAYERS, le=v.MAX_SEATS, alias="from")]
    words: str
    active: Program
    non_active: Program | None = None
    source: Provenance
    note: str = ""


class Layout(Entry):
    """The empty spaces of a layout for a number of tiles; spaces are 1 to 16 along the river."""

    name: str
    tiles: Annotated[int, Field(ge=2, le=v.NUM_SPACES)]
    empty: list[Annotated[int, Field(ge=1, le=v.NUM_SPACES)]]
    source: Provenance
    note: str = ""


class Endpoints(Entry):
    """RH-6.2: where each track ends the game."""

    kelp: Annotated[int, Field(ge=1, le=60)]
    log: Annotated[int, Field(ge=1, le=60)]
    coin: Annotated[int, Field(ge=1, le=60)]


class Players(Entry):
    """The content for a player count; `one_of` holds two role cards, and one is drawn unseen (RH-1.2)."""

    count: Annotated[int, Field(ge=v.MIN_PLAYERS, le=v.MAX_SEATS)]
    roles: list[RoleName]
    one_of: Annotated[list[RoleName], Field(min_length=2, max_length=2)] | None = None
    tiles: list[Annotated[int, Field(ge=1, le=v.NUM_TILES)]]
    endpoints: Endpoints
    source: Provenance
    note: str = ""


class Header(Entry):
    """The pack's game and names; a `small` pack is a cut of the game, free in its tiles, layouts and player counts."""

    game: Literal["riverbed_hunt"]
    name: str
    title: str = ""
    small: bool = False

    @model_serializer(mode="wrap")
    def _only_if_small(self, plain: SerializerFunctionWrapHandler) -> dict[str, Any]:
        """As a dictionary; whole packs are hashed without the key, as they were before it came."""
        return {name: value for name, value in plain(self).items() if name != "small" or value}


class PackFile(Entry):
    """A whole pack file."""

    pack: Header
    text: Annotated[list[Text], Field(max_length=v.MAX_TEXTS)] = Field(default_factory=list)
    tile: list[Tile]
    card: Annotated[list[Card], Field(min_length=1, max_length=v.MAX_CARD_KINDS)]
    layout: list[Layout]
    players: list[Players]


class Layer(NamedTuple):
    """A layer of a tile: an amount of an element, or a text."""

    element: v.Element
    amount: int
    text: Text | None


@dataclass(frozen=True)
class Pack(CheckedPack[PackFile]):
    """A checked content pack."""

    @property
    def contents(self) -> str:
        """How many tiles and cards it holds, as a phrase."""
        return f"{len(self.tiles)} tiles, {sum(card.copies for card in self.cards)} cards of {len(self.cards)} kinds"

    @cached_property
    def tiles(self) -> dict[int, Tile]:
        """Tiles by number."""
        return {tile.number: tile for tile in self.content.tile}

    @cached_property
    def texts(self) -> dict[str, Text]:
        """Texts by name."""
        return {text.name: text for text in self.content.text}

    @property
    def cards(self) -> list[Card]:
        """Cards in the order of their kinds, which is the order of the file."""
        return self.content.card

    @property
    def small(self) -> bool:
        """Whether it is a cut of the game, which RH-1.1 to RH-1.4 and RH-2.3 bind in part only."""
        return self.content.pack.small

    @property
    def counts(self) -> list[int]:
        """The player counts that it is for."""
        return sorted(players.count for players in self.content.players) if self.small else list(_TILES_BY_COUNT)

    def num_tiles(self, count: int) -> int:
        """RH-1.4: how many tiles a player count needs; in a small pack as many as it lists."""
        return len(self.players(count).tiles) if self.small else _TILES_BY_COUNT[count]

    def players(self, count: int) -> Players:
        """The content for a player count. Raises OptionError for one that a small pack doesn't have."""
        if count not in self.counts:
            allowed = " or ".join(map(str, self.counts))
            raise OptionError(f"num_players must be {allowed} with the pack {self.name!r}, not {count}")
        return next(players for players in self.content.players if players.count == count)

    def layouts(self, count: int) -> list[Layout]:
        """The layouts of a player count; the first is the default."""
        return [layout for layout in self.content.layout if layout.tiles == self.num_tiles(count)]

    def layers(self, number: int) -> list[Layer]:
        """The layers of a tile, from the top."""
        parts = (words.split(maxsplit=1) for words in self.tiles[number].layers)
        return [
            Layer(v.Element.TEXT, 0, self.texts[last]) if first == "text" else Layer(ELEMENTS[last], int(first), None)
            for first, last in parts
        ]

    def total(self, numbers: Iterable[int], element: v.Element) -> int:
        """The number of an element on the tiles together."""
        return sum(layer.amount for number in numbers for layer in self.layers(number) if layer.element == element)


def _check_whole(pack: Pack) -> None:
    """Numbers and names are each used once; all 18 tiles and all player counts 4 to 9 are given, unless it is small."""
    content = pack.content
    numbers, counts = [tile.number for tile in content.tile], [players.count for players in content.players]
    pack.check_unique("text", (text.name for text in content.text))
    pack.check_unique("card", (card.name for card in content.card))
    pack.check_unique("layout", ((layout.name, layout.tiles) for layout in content.layout))
    for kind, given, wanted in (("tile", numbers, range(1, v.NUM_TILES + 1)), ("players", counts, _TILES_BY_COUNT)):
        pack.check_unique(kind, given)
        for number in () if pack.small else wanted:
            missing = f"is missing; {min(wanted)} to {max(wanted)} are needed"
            pack.check(f"{kind} {number}", {missing: number not in given})


def _check_layers(pack: Pack) -> None:
    """Each layer is an amount of one element or a text that the pack has."""
    known = f"1 to 9 kelp, log or coin nor a text of this pack ({', '.join(pack.texts) or 'none'})"
    for tile in pack.content.tile:
        for words in tile.layers:
            first, _, second = words.partition(" ")
            known_text = first == "text" and second in pack.texts
            element = first in "123456789" and len(first) == 1 and second in ELEMENTS
            pack.check(f"tile {tile.number}", {f"layer {words!r} is neither {known}": not known_text and not element})


def _check_players(pack: Pack) -> None:
    """RH-1.4: as many tiles as spaces; RH-1.1, RH-1.2: a role for every player; RH-6.2: endpoints can be reached."""
    for players in pack.content.players:
        roles, drawn, tiles, wanted = players.roles, players.one_of or [], players.tiles, pack.num_tiles(players.count)
        dealt = len(roles) + bool(drawn)
        faults: dict[str, object] = {
            "a tile is listed twice": len(set(tiles)) != len(tiles),
            "a tile is listed that the pack doesn't have": not set(tiles) <= set(pack.tiles),
            f"{len(tiles)} tiles, but RH-1.4 needs {wanted}": len(tiles) != wanted,
            f"{dealt} role cards are dealt to {players.count} players": dealt != players.count,
            "there must be exactly one chief": roles.count("chief") != 1 or "chief" in drawn,
            "there must be exactly one leader": roles.count("leader") != 1 or "leader" in drawn,
            "there can be at most one profiteer": [*roles, *drawn].count("profiteer") > 1,
        }
        for name, element in ELEMENTS.items():
            total, end = pack.total(set(tiles) & set(pack.tiles), element), getattr(players.endpoints, name)
            unused = pack.small and total == 0  # its track never moves
            faults[f"{name} ends at {end}, but its tiles bear {total} in all"] = total < end and not unused
        pack.check(f"players {players.count}", faults)


def _check_layouts(pack: Pack) -> None:
    """RH-2.3: empty spaces fit the number of tiles, and no two of them are orthogonal neighbours."""
    for layout in pack.content.layout:
        empty, wanted = {space - 1 for space in layout.empty}, v.NUM_SPACES - layout.tiles
        near = [(space + 1, other + 1) for space in sorted(empty) for other in sorted(empty & ORTHOGONAL[space])]
        both = f"{near[0][0]} and {near[0][1]}" if near else ""
        odd = layout.tiles not in _TILES_BY_COUNT.values() and not pack.small
        pack.check(f"layout {layout.name!r} tiles", {f"should be 12, 14 or 16, not {layout.tiles}": odd})
        faults = {
            "the name 'random' stands for a layout drawn by the seed": layout.name == "random",
            f"needs {wanted} different empty spaces, not {layout.empty}": {len(empty), len(layout.empty)} != {wanted},
            f"empty spaces {both} are orthogonal neighbours (RH-2.3)": near and not pack.small,
        }
        pack.check(f"layout {layout.name!r} for {layout.tiles} tiles", faults)


def _check_counts(pack: Pack) -> None:
    """RH-2.3: each player count has layouts; RH-1.5, RH-7.6: every player gets a card, and a record holds the deck."""
    for count in pack.counts:
        layouts, tiles = len(pack.layouts(count)), pack.num_tiles(count)
        size = sum(card.copies for card in pack.cards if card.from_players <= count)
        remedy = "lower the copies or raise the from of a card" if size > v.MAX_DECK else "add cards"
        allowed = f"{count} to {v.MAX_DECK} are allowed: {remedy}"
        faults = {
            f"{layouts} layouts with {tiles} tiles; 1 to {v.MAX_LAYOUTS} allowed": not 1 <= layouts <= v.MAX_LAYOUTS,
            f"the deck has {size} cards, but {allowed}": not count <= size <= v.MAX_DECK,
        }
        pack.check(f"players {count}", faults)


def _check_words(pack: Pack) -> None:
    """RH-7: each instruction belongs to the vocabulary."""
    for card in pack.cards:
        _check_program(pack, f"card {card.name!r}", card.active)
    for text in pack.content.text:
        _check_program(pack, f"text {text.name!r}", text.effects)
    redirecting = [card for card in pack.cards if card.non_active is not None]
    for card in redirecting:
        others = [instruction.effect for instruction in card.non_active or ()] != ["redirect"]
        faults = {
            "the non-active occasion can only be a redirect": others,
            f"only one card can redirect, and {redirecting[0].name!r} does already": card is not redirecting[0],
        }
        pack.check(f"card {card.name!r}", faults)


def _check_program(pack: Pack, entry: str, program: list[Instruction]) -> None:
    swapped = False
    for place, each in enumerate(program):
        effect, scope, amount = each.effect, each.scope, each.amount
        pack.check(entry, {"redirect belongs to the non-active occasion of a card": effect == "redirect"})
        scopes, people, may = _GRAMMAR[effect]
        no_tiles = not scopes & _BOARD or effect == "look at role"
        faults = {
            f"{effect} has scope {scope!r}; allowed: {', '.join(sorted(scopes))}": scopes and scope not in scopes,
            f"{effect} takes no scope": not scopes and scope is not None,
            f"{effect} concerns {each.who!r}; allowed: {', '.join(sorted(people))}": each.who not in people,
            f"{effect} can't be optional": each.may and not may,
            "'another = true' is for an effect on tiles that has an effect before it": each.another
            and (place == 0 or no_tiles),
            "scope 'swapped' needs a swap before it": scope == "swapped" and not swapped,
            "only another player's discard can be random": each.random and (effect, each.who) != ("discard", "another"),
            f"{effect} takes no amount": amount is not None and effect not in {"draw", "refresh"},
            "draw needs an amount of 1 to 3": effect == "draw" and not amount,
            "refresh takes no amount (all) or 1 (one of them)": effect == "refresh" and amount not in {None, 1},
        }
        pack.check(entry, faults)
        swapped = swapped or effect == "swap"


def _check_nesting(pack: Pack) -> None:
    """Effects must fit on the stack: a tile's text may reveal a tile whose text reveals another, and so on.

    A tile under way is face-up and can't be revealed again unless it is turned down in between. If no text turns tiles
    down, or if no tile reveals or turns down more than once, the tiles under way are at most those with a text that
    reveals, and one more.
    """
    turning, revealing = {}, {}
    for number in pack.tiles:
        texts = [layer.text for layer in pack.layers(number) if layer.text is not None]
        effects = [instruction.effect for text in texts for instruction in text.effects]
        turning[number], revealing[number] = effects.count("flip down"), effects.count("reveal")
    nested = (
        "where a tile's text turns tiles down, no tile may reveal or turn down more than once, or effects could nest"
    )
    for number in pack.tiles if any(turning.values()) else ():
        pack.check(f"tile {number}", {f"{nested} without end": turning[number] + revealing[number] > 1})
    deepest = 2 + sum(1 for times in revealing.values() if times) + 1
    deep = f"effects could nest {deepest} deep; at most {v.MAX_FRAMES} are allowed"
    pack.check("texts", {deep: deepest > v.MAX_FRAMES})


_CHECKS = (_check_whole, _check_layers, _check_players, _check_layouts, _check_counts, _check_words, _check_nesting)

GENERATED = GeneratedPacks(PACKS / "riverbed_hunt" / "generated.npz", draw_content)

load_pack = PackLoader("riverbed_hunt", Pack, PackFile, _CHECKS, GENERATED)


def _write_program(row: npt.NDArray[np.void], program: list[Instruction]) -> None:
    for step, instruction in enumerate(program):
        scope = SCOPES[instruction.scope] if instruction.scope else v.Scope.NONE
        flags = instruction.may, instruction.another, instruction.random
        row[step] = EFFECTS[instruction.effect], scope, PEOPLE[instruction.who], instruction.amount or 0, *flags


def _write_tiles(params: np.void, pack: Pack) -> None:
    texts = list(pack.texts)
    for number in pack.tiles:
        layers = pack.layers(number)
        params["num_layers"][number] = len(layers)
        for place, layer in enumerate(layers):
            params["layer_kind"][number, place] = layer.element
            program = TEXT_PROGRAM + texts.index(layer.text.name) if layer.text else 0
            params["layer_amount"][number, place] = program if layer.text else layer.amount
        elements = [pack.total([number], v.Element(track)) for track in range(v.NUM_TRACKS)]
        has_text = any(layer.text for layer in layers)
        first = next((1 + layer.element for layer in layers if layer.text is None), 0)
        params["features"][number] = [*elements, pack.tiles[number].hunt, has_text, len(layers), first, 1]
    params["feature_words"] = params["features"].copy().view(np.int64)[:, 0]


def _write_programs(params: np.void, pack: Pack) -> None:
    programs = params["programs"]
    programs[:CARD_PROGRAM] = action_programs()
    params["redirect_card"] = v.NO_CARD
    for kind, card in enumerate(pack.cards):
        _write_program(programs[CARD_PROGRAM + kind], card.active)
        if card.non_active is not None:
            params["redirect_card"] = kind
    for place, text in enumerate(pack.texts.values()):
        _write_program(programs[TEXT_PROGRAM + place], text.effects)


def _write_board(params: np.void, pack: Pack, count: int) -> None:
    layouts = pack.layouts(count)
    params["num_layouts"] = len(layouts)
    for row, layout in enumerate(layouts):
        empty = frozenset(space - 1 for space in layout.empty)
        params["layout_spaces"][row] = v.ALL_SPACES & ~bits(empty)
        for name, table in layout_tables(empty).items():
            params[name][row] = table
    params["orthogonal"] = [bits(near) for near in ORTHOGONAL]
    params["diagonal"] = [bits(near) for near in DIAGONAL]


def _layout_row(pack: Pack, count: int, layout: str | None) -> int:
    """The row of a layout given by name; the first for None, -1 for "random"."""
    if layout is None:
        return 0
    names = [known.name for known in pack.layouts(count)]
    check_choice(f"layout with {count} players", layout, (*names, "random"))
    return names.index(layout) if layout in names else -1


TALK = tuple(setting.name.lower() for setting in v.Talk)
SPEAKERS = ("table", "active")
RolesOption = str | Mapping[int | str, str] | Iterable[str | None]


def _pinned_roles(pack: Pack, count: int, roles: RolesOption) -> list[v.Role]:
    """The role pinned to each seat, UNKNOWN if it is dealt. Raises OptionError if the roles don't fit RH-1.2."""
    pinned = [v.Role.UNKNOWN] * v.MAX_SEATS
    if isinstance(roles, str) and roles == "random":
        return pinned
    if isinstance(roles, str | bytes) or not isinstance(roles, Iterable) or getattr(roles, "ndim", 1) == 0:
        raise OptionError(f"roles must be 'random', a mapping seat -> role or one role a seat, not {roles!r}")
    pairs = list(roles.items()) if isinstance(roles, Mapping) else list(enumerate(roles))
    if not isinstance(roles, Mapping) and len(pairs) != count:
        raise OptionError(f"roles: {len(pairs)} roles are given for {count} players (None leaves a seat to the deal)")
    names = [f"player_{number}" for number in range(count)]
    for seat, role in pairs:
        named = names.index(seat) if isinstance(seat, str) and seat in names else seat
        number = check_whole(f"roles: seat {seat!r}", named, 0, count - 1)
        if role is None:
            continue
        if not isinstance(role, str) or role not in ROLES:
            raise OptionError(f"roles: {role!r} is no role; there are {', '.join(ROLES)}")
        if pinned[number] != v.Role.UNKNOWN:
            raise OptionError(f"roles: seat {seat!r} is given two roles")
        pinned[number] = ROLES[role]
    players = pack.players(count)
    given = Counter(role.name.lower() for role in pinned if role != v.Role.UNKNOWN)
    drawn = [[role] for role in players.one_of or ()] or [[]]
    if all(given - Counter([*players.roles, *one]) for one in drawn):
        dealt = ", ".join(players.roles) + (f" and one of {' or '.join(players.one_of)}" if players.one_of else "")
        wanted = ", ".join(given.elements())
        raise OptionError(f"roles: {wanted} can't all be pinned with {count} players, who are dealt {dealt} (RH-1.2)")
    return pinned


def make_params(
    num_players: int = 7,
    pack: str | Path | Pack = "default",
    layout: str | None = None,
    roles: RolesOption = "random",
    talk: str = "none",
    talk_speakers: str = "table",
    talk_budget: int = 1,
    auto_forced: str = "public",
    max_decisions: int = v.DEFAULT_MAX_DECISIONS,
) -> tuple[npt.NDArray[np.void], Pack]:
    """The params of a game for kernels, shape (1,) of PARAMS, and the pack they are made from.

    Raises OptionError for an invalid option and PackError for an invalid pack.
    """
    check_whole("num_players", num_players, v.MIN_PLAYERS, v.MAX_SEATS)
    check_whole("max_decisions", max_decisions, 1, MAX_CAP)
    content = load_pack(pack)
    players = content.players(num_players)
    params_array = np.zeros(1, PARAMS)
    params = params_array[0]
    params["num_players"] = num_players
    params["auto_forced"] = check_forced(auto_forced)
    params["max_decisions"] = max_decisions
    params["fixed_layout"] = _layout_row(content, num_players, layout)
    check_choice("talk", talk, TALK)  # RH-9.1; without talk the others change nothing
    check_choice("talk_speakers", talk_speakers, SPEAKERS)
    check_whole("talk_budget", talk_budget, 1, v.MAX_BUDGET)
    params["talk"] = TALK.index(talk)
    params["talk_active_only"] = talk_speakers == "active"
    params["talk_budget"] = talk_budget
    params["pinned_role"] = _pinned_roles(content, num_players, roles)
    params["role_cards"] = v.Role.UNKNOWN
    params["role_cards"][: len(players.roles)] = [ROLES[role] for role in players.roles]
    params["role_choice"] = [ROLES[role] for role in players.one_of] if players.one_of else v.Role.UNKNOWN
    params["endpoints"] = [getattr(players.endpoints, name) for name in ELEMENTS]
    params["num_tiles"] = len(players.tiles)
    params["tiles"][: len(players.tiles)] = players.tiles
    for kind, card in enumerate(content.cards):
        params["copies"][kind] = card.copies if card.from_players <= num_players else 0
    _write_tiles(params, content)
    _write_programs(params, content)
    _write_board(params, content, num_players)
    return params_array, content
