"""What Riverbed Hunt adds to its card: players, codes, content and origins, written from the tables of the game."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from riverbed_env.core.card import (
    CardSections,
    Sourced,
    code,
    code_table,
    event_section,
    literals,
    origins,
    question_table,
    ranges,
    span,
    table,
)
from riverbed_env.core.game import Game

from ..content.pack import ROLES, Layout, Pack, Players, Tile, make_params
from ..rules.board import SIDE, place_of
from ..rules.pieces import OBSERVATION
from ..rules.state import NUM_FEATURES
from ..rules.vocab import CAMP_OF, MAX_SEATS, MIN_PLAYERS, NUM_CAMPS, NUM_ROLES, NUM_SPACES, Element, Event, Role, Stage
from .text import EVENTS, QUESTIONS, ROLE_WORDS, SOURCE_WORDS, TRACKS, describe_layers

COUNTS = range(MIN_PLAYERS, MAX_SEATS + 1)
FEATURE_NAMES = ("kelp", "log", "coin", "icon", "text", "layers", "first", "known")

SUMMARY = """\
A hidden-role board game in which tritons search a river of face-down tiles. Merchants want kelp, separatists want
logs, a lone profiteer wants coins; each tile turned up moves one or more of three tracks, and the first track at its
endpoint ends the game. Only the chief merchant's role is open. Everybody knows a little about the tiles, and whoever
asks another player for a co-op lets that player decide what is turned up. Every rule is stated, with its id (RH-…),
in [the rules](../rules/riverbed_hunt.md)."""

POWERS = """\
When a co-op asks them, the separatist leader may declare the Hunt (RH-5.1) and the profiteer the Con (RH-5.3), each
once a game and for a card; both reveal the role. After a Hunt that ends badly the chief merchant turns a tile
face-down (RH-5.2). At the deal everybody knows their own role and the chief's, and nothing else about roles
(RH-1.3)."""

ACTIONS_NOTE = """\
A decision is either a verb (dive, swim, …) or an object for what is under way (a space, a player, a card). `STOP` can
answer as well where the last of the `flags` is 1. The mask is made from what the player asked may know (RH-8.4)."""

READING = """\
- **Action `SEAT`** counts seats from the one who chooses, argument 0.
- **Spaces**: entry 0 is the first space of the river, which people and the rules call space 1.
- **Tiles**: row 0 of `possible` is tile 1. A row is all 0 for a tile that isn't in play.
- **Cards**: entry 0 is card kind 0 of the pack; see [ability cards](#ability-cards).
- **Face-up tiles** are known to everybody, so `known_tiles` describes them too.
- **When the game is over**, `question` is the first, `asked`, `hunted` and `slipped` are all 0, `source` is the first
  (nothing is under way) and no Hunt is; `roles_shown` holds every role unless the game was cut off."""

EVENT_NOTE = """\
A field that its sentence doesn't name tells nothing more: it is 0 or repeats the actor or, for RESHUFFLE, names the
active player."""

END = """\
The game ends as soon as a track reaches its endpoint, even in the middle of a tile (RH-6.2). The track's camp wins,
also where nobody plays it: without a profiteer, which can happen with four players, everybody loses when the coins
get there first (RH-6.4). Then all roles are public (RH-8.5)."""

FORCED = """\
The spaces and players among which to choose are always public, so a single one that can't be declined is never asked
for. A turn's verb and the answer to a co-op are publicly forced where everybody can work out that there is one: the
hand is empty or the turn's card is played, or the asked player can be neither leader nor profiteer nor hold a card
to slip away with. A discard is publicly forced where it is the hand's last card. A hand of cards none of which can
be played now is an example of what only its holder knows."""

RECONSTRUCTED = """\
Some of the printed game exists only in pictures. Each entry of the pack names its source; a player count is
reconstructed where its endpoints are, while its roles and tiles are the rulebook's."""


def card_sections(game: Game, pack: Pack) -> CardSections:
    """The game's parts of its card, for a content pack."""
    layouts = literals(dict.fromkeys(layout.name for layout in pack.content.layout))
    return CardSections(
        summary=SUMMARY,
        options={
            "layout": (
                f'`None`, `"random"`, or one of the player count: {layouts}',
                'which spaces stay empty; `None` is the first of the player count, `"random"` one drawn by the seed',
            ),
            "roles": (
                '`"random"`, one name or `None` a seat, or a mapping from seats to names',
                f"who gets which role: {literals(ROLES)}; seats without a name are dealt the rest",
            ),
        },
        players=players_sections(game, pack),
        actions=f"{ACTIONS_NOTE}\n\n{question_table(QUESTIONS)}",
        reading=READING,
        codes=f"{codes_section()}\n\n{event_section(EVENTS, Event, OBSERVATION, EVENT_NOTE)}",
        nobody_wins="the coins reach their endpoint in a four-player game without a profiteer (RH-6.4)",
        end=END,
        forced=FORCED,
        content="\n\n".join([river_section(pack), tiles_section(pack), cards_section(pack), origins_section(pack)]),
    )


def players_sections(game: Game, pack: Pack) -> str:
    """Role cards, tiles, layouts and endpoints of every player count; the camps."""
    roles = [Role(role) for role in range(NUM_ROLES)]
    dealt = table(
        ["players", *(ROLE_WORDS[role] for role in roles)],
        ([count, *(role_cards(pack.players(count), role) for role in roles)] for count in COUNTS),
    )
    river = table(
        ["players", "tiles in play", "layouts", "cards in the deck", *(f"{name} ends at" for name in TRACKS)],
        (river_row(pack, count) for count in COUNTS),
    )
    camps = table(["number", "camp", "roles", "wins when"], (camp_row(game, camp) for camp in range(NUM_CAMPS)))
    return f"""\
## Players and roles

{dealt}

Where two role cards are given as 0 or 1, one of the two is drawn unseen and joins the deal (RH-1.2).

{river}

Brackets: what all tiles in play bear together. Bold: the layout used unless another is named.

## Camps

{camps}

{POWERS}"""


def role_cards(players: Players, role: Role) -> str:
    """How many cards of a role are dealt with a player count."""
    name = role.name.lower()
    certain = players.roles.count(name)  # type: ignore[arg-type]  # RoleName as str
    return f"{certain} or {certain + 1}" if name in (players.one_of or ()) else str(certain)


def river_row(pack: Pack, count: int) -> list[object]:
    """Tiles, layouts, deck and endpoints of a player count."""
    players = pack.players(count)
    first, *others = (layout.name for layout in pack.layouts(count))
    deck = sum(card.copies for card in pack.cards if card.from_players <= count)
    ends = [
        f"{getattr(players.endpoints, name)} ({pack.total(players.tiles, Element(track))})"
        for track, name in enumerate(TRACKS)
    ]
    return [count, ranges(players.tiles), ", ".join([f"**{first}**", *others]), deck, *ends]


def camp_row(game: Game, camp: int) -> list[object]:
    """A camp, who is in it and what it needs."""
    roles = ", ".join(ROLE_WORDS[Role(role)] for role in range(NUM_ROLES) if CAMP_OF[role] == camp)
    return [camp, code(game.camps[camp]), roles, f"the {TRACKS[camp]} track is the first at its endpoint (RH-6.2)"]


def codes_section() -> str:
    """The numbers of stages, roles and sources."""
    roles = table(
        ["role", "name", "in words", "camp"],
        (
            [role, Role(role).name.lower(), ROLE_WORDS[Role(role)], CAMP_OF[role].name.lower()]
            for role in range(NUM_ROLES)
        ),
    )
    return f"""\
### Stages, roles and sources

{table(["stage", "name"], ([stage.value, stage.name] for stage in Stage))}

{roles}

{code_table("source", SOURCE_WORDS, "what is under way comes from", SOURCE_WORDS)}"""


# --- content ----------------------------------------------------------------------------------------------------------


def river_section(pack: Pack) -> str:
    """The grid of spaces, and the layouts."""
    rows = [["" for _ in range(SIDE)] for _ in range(SIDE)]
    for space in range(NUM_SPACES):
        row, column = place_of(space)
        rows[row][column] = f"{space + 1:>2}"
    grid = "\n".join("   " + "  ".join(row) for row in rows)
    layouts = table(
        ["tiles", "layout", "empty spaces", "source"],
        ([layout.tiles, layout.name, ranges(layout.empty), layout.source] for layout in pack.content.layout),
    )
    return f"""\
## The river

The river runs from space 1 to space 16, as people count them; land joins the other orthogonal neighbours.

```text
{grid}
```

{layouts}"""


def tiles_section(pack: Pack) -> str:
    """Every tile, the numbers `known_tiles` gives for it, and the texts."""
    features = make_params(pack=pack.file)[0][0]["features"]
    tiles = table(
        ["tile", "layers from the top", "players", *FEATURE_NAMES, "source"],
        (tile_row(pack, number, features[number]) for number in sorted(pack.tiles)),
    )
    texts = table(
        ["text", "what it does", "source"], ([text.name, text.words, text.source] for text in pack.texts.values())
    )
    first = OBSERVATION.start("known_tiles")
    last = first + NUM_FEATURES * (NUM_SPACES - 1)
    elements = ", ".join(f"{1 + track} {name}" for track, name in enumerate(TRACKS))
    return f"""\
## River tiles

`known_tiles` gives the {NUM_FEATURES} numbers under {FEATURE_NAMES[0]} … {FEATURE_NAMES[-1]} for a tile that the
observer knows: for the first space at indexes {span(first, NUM_FEATURES)}, for the last at {span(last, NUM_FEATURES)}.
*icon* is the hunt icon; *first* is the first element from the top: {elements}, 0 none. {twins_note(features, pack)}

{tiles}

{texts}"""


def tile_row(pack: Pack, number: int, features: npt.NDArray[np.int8]) -> list[object]:
    """A tile in words and in numbers."""
    counts = [count for count in COUNTS if number in pack.players(count).tiles]
    layers = ", ".join(describe_layers(pack, number))
    return [number, layers, ranges(counts), *features.tolist(), pack.tiles[number].source]


def twins_note(features: npt.NDArray[np.int8], pack: Pack) -> str:
    """Which tiles these numbers don't tell apart."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for number in sorted(pack.tiles):
        groups.setdefault(tuple(features[number].tolist()), []).append(number)
    twins = [" and ".join(map(str, group)) for group in groups.values() if len(group) > 1]
    if not twins:
        return "No two tiles have the same numbers."
    return f"Tiles with the same numbers ({'; '.join(twins)}) are told apart by `possible`."


def cards_section(pack: Pack) -> str:
    """The ability cards by kind."""
    rows = (
        [kind, card.name, card.copies, card.from_players, card.words, card.source]
        for kind, card in enumerate(pack.cards)
    )
    return f"""\
## Ability cards

The kind is the card's place in the pack: the argument of action `CARD`, and its entry in `own_hand`, `discard_pile`,
`used_cards` and `source_card`. It is in the deck from the player count given on (RH-7.6).

{table(["kind", "card", "copies", "from", "what it does", "source"], rows)}"""


def origins_section(pack: Pack) -> str:
    """How much of the pack is the rulebook's, and which entries."""
    content = pack.content
    kinds: dict[str, Sequence[Sourced]] = {
        "texts of tiles": content.text,
        "river tiles": content.tile,
        "ability cards": content.card,
        "layouts": content.layout,
        "player counts": content.players,
    }
    return origins("riverbed_hunt", RECONSTRUCTED, kinds, entry_name)


def entry_name(entry: Any) -> str:
    """What people call an entry of the pack."""
    if isinstance(entry, Tile):
        return f"tile {entry.number}"
    if isinstance(entry, Players):
        return f"{entry.count} players"
    if isinstance(entry, Layout):
        return f"layout {entry.name} for {entry.tiles} tiles"
    return f"{type(entry).__name__.lower()} {entry.name}"
