"""What Riverbed Hunt adds to its card: `card.md`, with the values and tables that it names."""

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from string import Template

from riverbed_env.core import card
from riverbed_env.core.game import Game
from riverbed_env.kernels.compile import Records, Vector

from ..content.pack import ROLES, Pack, Players, make_params
from ..rules import vocab as v
from ..rules.board import SIDE, place_of
from ..rules.pieces import OBSERVATION
from ..rules.state import NUM_FEATURES
from .speech import PHRASES
from .text import EVENTS, TRACKS, WORDS, describe_layers, describe_tile, roles_in_game

VERSIONS = (
    "first version",
    "talk (RH-9): actions, questions and pieces for it; without talk, games are those of version 0",
)
COUNTS = range(v.MIN_PLAYERS, v.MAX_SEATS + 1)
FEATURE_NAMES = ("kelp", "log", "coin", "icon", "text", "layers", "first", "known")


def card_sections(game: Game, pack: Pack) -> card.CardSections:
    """The game's parts of its card, for a content pack."""
    content = pack.content
    features = make_params(pack=pack)[0][0]["features"]
    known = OBSERVATION.start("known_tiles")
    layouts = ([layout.tiles, layout.name, card.ranges(layout.empty), layout.source] for layout in content.layout)
    texts = ([text.name, text.words, text.source] for text in content.text)
    cards = (
        [kind, card.name, card.copies, card.from_players, card.words, card.source]
        for kind, card in enumerate(pack.cards)
    )
    roles = {camp: [role.words for role in ROLES.values() if v.CAMP_OF[role] == camp] for camp in range(v.NUM_CAMPS)}
    ends = "the {} track is the first at its endpoint (RH-6.2)"
    camps = ([camp, card.code(game.camps[camp]), ", ".join(roles[camp]), ends.format(TRACKS[camp])] for camp in roles)
    verbs = ([verb.value, verb.name, phrase.format(seat="A", space="S")] for verb, phrase in PHRASES.items())
    dealt = ([count, *(role_cards(pack.players(count), name) for name in ROLES)] for count in COUNTS)
    entries: dict[str, Sequence[card.Sourced]] = {
        "texts of tiles": content.text,
        "river tiles": content.tile,
        "ability cards": content.card,
        "layouts": content.layout,
        "player counts": content.players,
    }
    sections = card.read_sections(
        Path(__file__).with_name("card.md"),
        layout_names=card.literals(dict.fromkeys(layout.name for layout in content.layout)),
        role_names=card.literals(ROLES),
        dealt=card.table(["players", *(role.words for role in ROLES.values())], dealt),
        player_counts=player_count_table(pack),
        camps=card.table(["number", "camp", "roles", "wins when"], camps),
        questions=card.question_table(v.Question),
        stages=card.table(["stage", "name"], ([stage.value, stage.name] for stage in v.Stage)),
        roles=card.table(
            ["role", "name", "in words", "camp"],
            ([role.value, role.name.lower(), role.words, v.CAMP_OF[role].name.lower()] for role in ROLES.values()),
        ),
        sources=card.code_table("source", v.Source, "what is under way comes from"),
        verbs=card.table(["verb", "name", "what is said (A a player, S a space)"], verbs),
        events=card.event_section(EVENTS, OBSERVATION),
        grid=river_grid(),
        layouts=card.table(["tiles", "layout", "empty spaces", "source"], layouts),
        num_features=NUM_FEATURES,
        first_feature=FEATURE_NAMES[0],
        last_feature=FEATURE_NAMES[-1],
        first_space=card.span(known, NUM_FEATURES),
        last_space=card.span(known + NUM_FEATURES * (v.NUM_SPACES - 1), NUM_FEATURES),
        elements=", ".join(f"{1 + track} {name}" for track, name in enumerate(TRACKS)),
        twins=twins_note(features, pack),
        tiles=card.table(
            ["tile", "layers from the top", "players", *FEATURE_NAMES, "source"],
            (tile_row(pack, number, features[number]) for number in sorted(pack.tiles)),
        ),
        texts=card.table(["text", "what it does", "source"], texts),
        cards=card.table(["kind", "card", "copies", "from", "what it does", "source"], cards),
        reconstructed=card.origins(game.name, entries),
    )
    return replace(sections, versions=VERSIONS)


def digest(pack: Pack, params: Records) -> str:
    """The rules in short for a reader at a table with these params, (1,): what is in play there, and nothing else."""
    players = pack.players(int(params[0]["num_players"]))
    cards = [each for each in pack.cards if each.from_players <= params[0]["num_players"]]
    listed = {
        "basics": WORDS["basics"].values(),
        "tiles": (describe_tile(pack, number) for number in players.tiles),
        "texts": (f"<{text.name}> on a tile: {text.words}" for text in pack.texts.values()),
        "cards": (f"{each.name}: {each.words}" for each in cards),
    }
    text, _, talk = Path(__file__).with_name("digest.md").read_text(encoding="utf-8").partition("<!-- talk -->\n")
    return Template(text + (talk if params[0]["talk"] else "")).substitute(
        dict(zip(TRACKS, params[0]["endpoints"].tolist(), strict=True)),
        roles=roles_in_game(params[0]),
        grid=river_grid(),
        **{name: "\n".join(f"- {line}" for line in lines) for name, lines in listed.items()},
    )


def role_cards(players: Players, name: str) -> str:
    """How many cards of a role are dealt with a player count."""
    certain = players.roles.count(name)
    return f"{certain} or {certain + 1}" if name in (players.one_of or ()) else str(certain)


def player_count_table(pack: Pack) -> str:
    """Tiles, layouts, deck and endpoints of each player count."""
    rows = []
    for count in COUNTS:
        players = pack.players(count)
        first, *others = (layout.name for layout in pack.layouts(count))
        deck = sum(card.copies for card in pack.cards if card.from_players <= count)
        ends = [
            f"{getattr(players.endpoints, name)} ({pack.total(players.tiles, v.Element(track))})"
            for track, name in enumerate(TRACKS)
        ]
        rows.append([count, card.ranges(players.tiles), ", ".join([f"**{first}**", *others]), deck, *ends])
    ends_at = (f"{name} ends at" for name in TRACKS)
    return card.table(["players", "tiles in play", "layouts", "cards in the deck", *ends_at], rows)


def river_grid() -> str:
    """The spaces of the board by number."""
    rows = [["" for _ in range(SIDE)] for _ in range(SIDE)]
    for space in range(v.NUM_SPACES):
        row, column = place_of(space)
        rows[row][column] = f"{space + 1:>2}"
    return "\n".join("   " + "  ".join(row) for row in rows)


def tile_row(pack: Pack, number: int, features: Vector) -> list[object]:
    """A tile in words and in numbers."""
    counts = [count for count in COUNTS if number in pack.players(count).tiles]
    layers = ", ".join(describe_layers(pack, number))
    return [number, layers, card.ranges(counts), *features.tolist(), pack.tiles[number].source]


def twins_note(features: Vector, pack: Pack) -> str:
    """Which tiles these numbers don't tell apart."""
    groups: dict[tuple[int, ...], list[int]] = {}
    for number in sorted(pack.tiles):
        groups.setdefault(tuple(features[number].tolist()), []).append(number)
    twins = [" and ".join(map(str, group)) for group in groups.values() if len(group) > 1]
    if not twins:
        return "No two tiles have the same numbers."
    return f"Tiles with the same numbers ({'; '.join(twins)}) are told apart by `possible`."
