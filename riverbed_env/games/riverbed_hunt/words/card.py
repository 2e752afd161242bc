"""What Riverbed Hunt adds to its card: players, codes, content and origins, written from the tables of the game."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from riverbed_env.core.card import (
    CardSections,
    OptionWords,
    Section,
    code,
    event_field_table,
    literal,
    origin_table,
    placeholders,
    question_table,
    ranges,
    sections,
    span,
    table,
)
from riverbed_env.core.game import Game
from riverbed_env.kernels.vocab import MAX_EVENTS

from ..content.pack import ROLES, Card, Layer, Layout, Pack, Players, Text, Tile, make_params
from ..rules.board import SIDE, place_of
from ..rules.pieces import OBSERVATION
from ..rules.state import NUM_FEATURES
from ..rules.vocab import (
    CAMP_OF,
    MAX_SEATS,
    MIN_PLAYERS,
    NUM_CAMPS,
    NUM_ROLES,
    NUM_SPACES,
    NUM_TRACKS,
    Camp,
    Element,
    Event,
    Question,
    Role,
    Source,
    Stage,
)
from .text import EVENT_WORDS, QUESTION_WORDS, ROLE_WORDS, SOURCE_WORDS
from .versions import VERSION_HISTORY

Entry = Text | Tile | Card | Layout | Players

COUNTS = range(MIN_PLAYERS, MAX_SEATS + 1)

SUMMARY = """\
A hidden-role board game in which tritons search a river of face-down tiles. Merchants want kelp, separatists want
logs, a lone profiteer wants coins; each tile turned up moves one or more of three tracks, and the first track at its
endpoint ends the game. Only the chief merchant's role is open. Everybody knows a little about the tiles, and whoever
asks another player for a co-op lets that player decide what is turned up. Every rule is stated, with its id (RH-…),
in [the rules](../rules/riverbed_hunt.md)."""

ROLE_VALUES = '`"random"`, one name or `None` a seat, or a mapping from seats to names'
LAYOUT_OPTION = 'which spaces stay empty; `None` is the first of the player count, `"random"` one drawn by the seed'

POWERS = """\
When a co-op asks them, the separatist leader may declare the Hunt (RH-5.1) and the profiteer the Con (RH-5.3), each
once a game and for a card; both reveal the role. After a Hunt that ends badly the chief merchant turns a tile
face-down (RH-5.2). At the deal everybody knows their own role and the chief's, and nothing else about roles
(RH-1.3)."""

ANSWERED_BY = {
    Question.NONE: (),
    Question.PLACE: ("SPACE",),
    Question.TURN: ("DIVE", "SWIM", "CO_OP", "UNCOVER", "READY", "END_TURN", "CARD"),
    Question.ANSWER: ("REVEAL", "HUNT", "CON", "SLIP_AWAY"),
    Question.SEAT: ("SEAT",),
    Question.VIEW: ("SPACE",),
    Question.REVEAL: ("SPACE",),
    Question.FLIP_DOWN: ("SPACE",),
    Question.SWAP: ("SPACE",),
    Question.MOVE: ("SPACE",),
    Question.DISCARD: ("CARD",),
    Question.HUNT_ON: ("SPACE",),
    Question.PENALTY: ("SPACE",),
    Question.REFRESH: ("READY",),
}

ACTIONS_NOTE = """\
A decision is either a verb (dive, swim, …) or an object for what is under way (a space, a player, a card). The piece
`question` of the observation says which is asked, and these actions can answer it. `STOP` can answer as well where
the last of the `flags` is 1. The mask says which of them are legal now; it is made from what the player asked may
know (RH-8.4)."""

OBSERVATION_NOTE = """\
- **Seats** are counted from the observer: entry 0 is the observer, entry 1 the next player clockwise, and so on
  round the table. Entries past the number of players are 0. The same holds for action `SEAT`, where 0 is the one who
  chooses.
- **One-hot** pieces hold a 1 at the entry that is meant and 0 elsewhere.
- **Spaces**: entry 0 is the first space of the river, which people and the rules call space 1.
- **Tiles**: row 0 of `possible` is tile 1. A row is all 0 for a tile that isn't in play.
- **Cards**: entry 0 is card kind 0 of the pack; see [ability cards](#ability-cards).
- **Several things in one piece**, such as `flags`, lie in the order in which the meaning lists them.
- **Face-up tiles** are known to everybody, so `known_tiles` describes them too.
- **When the game is over**, `question` says so, `asked` is all 0 and `roles_shown` holds every role."""

FEATURE_NAMES = ("kelp", "log", "coin", "icon", "text", "layers", "first", "known")

EVENT_NOTE = f"""\
`events` has a row for each of the last {MAX_EVENTS} public events, the newest first; rows of zeros are left when
fewer have happened. In the sentences below A is the actor, B the other player, S and T the first and second space, X
the thing. A field that its sentence doesn't name tells nothing more: it is 0 or repeats the actor or, for RESHUFFLE,
names the active player."""

EVENT_COLUMNS = ("kind", "actor A", "other B", "space S", "second space T", "thing X", "turn", "source")

LETTERS = {
    "actor": "A",
    "other": "B",
    "whose": "B's",
    "space": "S",
    "second": "T",
    "card": "card X",
    "tile": "tile X",
    "what": "X",
    "camp": "camp X",
}

THINGS = {
    "card": "card kind, from 0",
    "tile": "number of the tile, from 1",
    "what": "0 Dive and Swim, 1 Dive, 2 Swim",
    "camp": ", ".join(f"{camp} {Camp(camp).name.lower()}" for camp in range(NUM_CAMPS)),
}

FORCED_NOTE = """\
The spaces and players among which to choose are always public, so a single one that can't be declined is never asked
for. A turn's verb and the answer to a co-op are publicly forced where everybody can work out that there is one: the
hand is empty or the turn's card is played, or the asked player can be neither leader nor profiteer nor hold a card
to slip away with. A discard is publicly forced where it is the hand's last card. A hand of cards none of which can
be played now is an example of what only its holder knows."""

END_NOTE = """\
The game ends as soon as a track reaches its endpoint, even in the middle of a tile (RH-6.2). The track's camp wins,
also where nobody plays it: without a profiteer, which can happen with four players, everybody loses when the coins
get there first (RH-6.4). Then all roles are public (RH-8.5)."""

NOBODY_WINS = "the coins reach their endpoint in a four-player game without a profiteer (RH-6.4)"

RECONSTRUCTED_NOTE = """\
Some of the printed game exists only in pictures. What they show is replaced by substitutes that agree with
everything the rulebook's text says; [the rules](../rules/riverbed_hunt.md#what-is-reconstructed-and-why) tell which
and why. Each entry of the pack names its source; a player count is reconstructed where its endpoints are, while its
roles and tiles are the rulebook's. Results obtained with this pack are results about this reconstruction."""


def card_sections(game: Game, pack: Pack) -> CardSections:
    """The game's parts of its card, for a content pack."""
    return CardSections(
        summary=SUMMARY,
        options=option_words(pack),
        players=(
            Section("Players and roles", players_body(pack)),
            Section("Camps", f"{camp_table(game)}\n\n{POWERS}"),
        ),
        actions=f"{ACTIONS_NOTE}\n\n{question_table(Question, QUESTION_WORDS, ANSWERED_BY)}",
        observation=observation_body(),
        nobody_wins=NOBODY_WINS,
        end=END_NOTE,
        forced=FORCED_NOTE,
        content=(
            Section("The river", river_body(pack)),
            Section("River tiles", tiles_body(pack)),
            Section("Ability cards", cards_body(pack)),
            Section("What is reconstructed", origins_body(pack)),
        ),
        versions=VERSION_HISTORY,
    )


def option_words(pack: Pack) -> dict[str, OptionWords]:
    """The options that only this game has."""
    layouts = dict.fromkeys(layout.name for layout in pack.content.layout)
    names = ", ".join(literal(layout) for layout in layouts)
    roles = ", ".join(literal(role) for role in ROLES)
    return {
        "layout": OptionWords(f'`None`, `"random"`, or one of the player count: {names}', LAYOUT_OPTION),
        "roles": OptionWords(ROLE_VALUES, f"who gets which role: {roles}; seats without a name are dealt the rest"),
    }


# --- players and camps ------------------------------------------------------------------------------------------------


def players_body(pack: Pack) -> str:
    """Role cards, tiles, layouts and endpoints of every player count."""
    roles = [Role(role) for role in range(NUM_ROLES)]
    dealt = table(
        ["players", *(ROLE_WORDS[role] for role in roles)],
        ([count, *(role_cards(pack.players(count), role) for role in roles)] for count in COUNTS),
    )
    river = table(
        ["players", "tiles in play", "layouts", "cards in the deck", *(f"{name} ends at" for name in track_names())],
        (river_row(pack, count) for count in COUNTS),
    )
    note = "Where two role cards are given as 0 or 1, one of the two is drawn unseen and joins the deal (RH-1.2)."
    totals = "Brackets: what all tiles in play bear together. Bold: the layout used unless another is named."
    return f"{dealt}\n\n{note}\n\n{river}\n\n{totals}"


def role_cards(players: Players, role: Role) -> str:
    """How many cards of a role are dealt with a player count."""
    name = role.name.lower()
    certain = players.roles.count(name)  # type: ignore[arg-type]  # RoleName as str
    return f"{certain} or {certain + 1}" if name in (players.one_of or ()) else str(certain)


def river_row(pack: Pack, count: int) -> list[object]:
    """Tiles, layouts, deck and endpoints of a player count."""
    players = pack.players(count)
    names = [f"**{layout.name}**" if first == 0 else layout.name for first, layout in enumerate(pack.layouts(count))]
    deck = sum(card.copies for card in pack.cards if card.from_players <= count)
    ends = [
        f"{getattr(players.endpoints, name)} ({pack.total(players.tiles, Element(track))})"
        for track, name in enumerate(track_names())
    ]
    return [count, ranges(players.tiles), ", ".join(names), deck, *ends]


def track_names() -> list[str]:
    """kelp, log, coin."""
    return [Element(track).name.lower() for track in range(NUM_TRACKS)]


def camp_table(game: Game) -> str:
    """The camps, who is in them and what each needs."""
    rows = []
    for camp in range(NUM_CAMPS):
        roles = [ROLE_WORDS[Role(role)] for role in range(NUM_ROLES) if CAMP_OF[role] == camp]
        goal = f"the {track_names()[camp]} track is the first to reach its endpoint (RH-6.2)"
        rows.append([camp, code(game.camps[camp]), ", ".join(roles), goal])
    return table(["number", "camp", "roles", "wins when"], rows)


# --- actions and observation ------------------------------------------------------------------------------------------


def observation_body() -> str:
    """How to read the pieces, then every number that stands for something."""
    fields = event_field_table(OBSERVATION.start("events"), EVENT_COLUMNS, EVENT_CODES)
    parts = (
        Section("How to read it", OBSERVATION_NOTE),
        Section("Stages, roles and sources", codes_body()),
        Section(
            "Public events",
            f"{EVENT_NOTE}\n\n{fields}\n\n{event_table()}",
        ),
    )
    return sections(parts, level=3)


def codes_body() -> str:
    """The numbers of stages, roles and sources; questions have a table of their own."""
    stages = table(["stage", "name"], ([stage.value, stage.name] for stage in Stage))
    roles = table(
        ["role", "name", "in words", "camp"],
        (
            [role, Role(role).name.lower(), ROLE_WORDS[Role(role)], CAMP_OF[role].name.lower()]
            for role in range(NUM_ROLES)
        ),
    )
    sources = table(
        ["source", "name", "what is under way comes from"],
        ([source.value, source.name, SOURCE_WORDS[source] or "nothing is under way"] for source in Source),
    )
    questions = "The numbers of `question` are in the table under [Actions](#actions)."
    return f"{questions}\n\n{stages}\n\n{roles}\n\n{sources}"


EVENT_CODES = {
    "kind": "kind of the event, 0 where there is none",
    "actor A": "1 + seats clockwise from the observer, 0 nobody",
    "other B": "1 + seats clockwise from the observer, 0 nobody",
    "space S": f"1 to {NUM_SPACES}, 0 none",
    "second space T": f"1 to {NUM_SPACES}, 0 none",
    "thing X": "see the table of kinds",
    "turn": "turns begun when it happened, at most 127",
    "source": "source of the effect that was under way, as in the table of sources",
}


def event_table() -> str:
    """Every kind of public event as a sentence, and what its thing is."""
    rows = [[Event.NONE.value, Event.NONE.name, "no event yet", "–"]]
    for event, words in EVENT_WORDS.items():
        named = placeholders(words)
        things = "; ".join(THINGS[name] for name in named if name in THINGS)
        rows.append([event.value, event.name, words.format(**LETTERS), things or "–"])
    return table(["kind", "name", "what everybody saw", "thing X"], rows)


# --- content ----------------------------------------------------------------------------------------------------------


def river_body(pack: Pack) -> str:
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
    note = "The river runs from space 1 to space 16, as people count them; land joins the other orthogonal neighbours."
    return f"{note}\n\n```text\n{grid}\n```\n\n{layouts}"


def tiles_body(pack: Pack) -> str:
    """Every tile, the numbers `known_tiles` gives for it, and the texts."""
    params, _ = make_params(pack=pack.file)
    features = params[0]["features"]
    tiles = table(
        ["tile", "layers from the top", "players", *FEATURE_NAMES, "source"],
        (tile_row(pack, number, features[number]) for number in sorted(pack.tiles)),
    )
    texts = table(
        ["text", "what it does", "source"],
        ([text.name, text.words, text.source] for text in pack.texts.values()),
    )
    first = OBSERVATION.start("known_tiles")
    last = first + NUM_FEATURES * (NUM_SPACES - 1)
    firsts = ", ".join(f"{1 + track} {name}" for track, name in enumerate(track_names()))
    note = (
        f"`known_tiles` gives the {NUM_FEATURES} numbers under {FEATURE_NAMES[0]} … {FEATURE_NAMES[-1]} for a tile "
        f"that the observer knows: for the first space at indexes {span(first, NUM_FEATURES)}, for the last at "
        f"{span(last, NUM_FEATURES)}. *icon* is the hunt icon; *first* is the first element from the top: "
        f"{firsts}, 0 none."
    )
    return f"{note} {twins_note(features, pack)}\n\n{tiles}\n\n{texts}"


def tile_row(pack: Pack, number: int, features: npt.NDArray[np.int8]) -> list[object]:
    """A tile in words and in numbers."""
    layers = ", ".join(layer_words(layer) for layer in pack.layers(number))
    counts = [count for count in COUNTS if number in pack.players(count).tiles]
    return [number, layers, ranges(counts), *features.tolist(), pack.tiles[number].source]


def layer_words(layer: Layer) -> str:
    """A layer of a tile: an amount of an element, or a text."""
    return f"text {layer.text.name}" if layer.text else f"{layer.amount} {layer.element.name.lower()}"


def twins_note(features: npt.NDArray[np.int8], pack: Pack) -> str:
    """Which tiles these numbers don't tell apart."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for number in sorted(pack.tiles):
        groups.setdefault(tuple(features[number].tolist()), []).append(number)
    twins = [" and ".join(map(str, group)) for group in groups.values() if len(group) > 1]
    if not twins:
        return "No two tiles have the same numbers."
    return f"Tiles with the same numbers ({'; '.join(twins)}) are told apart by `possible`."


def cards_body(pack: Pack) -> str:
    """The ability cards by kind."""
    rows = (
        [kind, card.name, card.copies, card.from_players, card.words, card.source]
        for kind, card in enumerate(pack.cards)
    )
    note = (
        "The kind is the card's place in the pack: the argument of action `CARD`, and its entry in `own_hand`, "
        "`discard_pile`, `used_cards` and `source_card`. It is in the deck from the player count given on (RH-7.6)."
    )
    return f"{note}\n\n{table(['kind', 'card', 'copies', 'from', 'what it does', 'source'], rows)}"


def origins_body(pack: Pack) -> str:
    """How much of the pack is the rulebook's, and which entries."""
    kinds: Sequence[tuple[str, Sequence[Entry]]] = (
        ("texts of tiles", pack.content.text),
        ("river tiles", pack.content.tile),
        ("ability cards", pack.content.card),
        ("layouts", pack.content.layout),
        ("player counts", pack.content.players),
    )
    entries = [entry for _, kind in kinds for entry in kind]
    fixed = "\n".join(origin_line(entry) for entry in entries if entry.source == "rulebook")
    noted = "\n".join(origin_line(entry) for entry in entries if entry.source == "reconstructed" and entry.note)
    return (
        f"{RECONSTRUCTED_NOTE}\n\n{origin_table(kinds)}\n\nFrom the rulebook are:\n\n{fixed}\n\n"
        f"Reconstructed, but partly known from the rulebook, are:\n\n{noted}"
    )


def origin_line(entry: Entry) -> str:
    """An entry of the pack and the note on its source."""
    return f"- {entry_name(entry)}{f': {entry.note}' if entry.note else ''}"


def entry_name(entry: Entry) -> str:
    """What people call an entry of the pack."""
    if isinstance(entry, Tile):
        return f"tile {entry.number}"
    if isinstance(entry, Players):
        return f"{entry.count} players"
    if isinstance(entry, Layout):
        return f"layout {entry.name} for {entry.tiles} tiles"
    return f"{type(entry).__name__.lower()} {entry.name}"
