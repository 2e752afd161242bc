"""What Riverside adds to its card: `card.md`, with the values and tables that it names."""

from pathlib import Path
from typing import Any

from riverbed_env.core import card
from riverbed_env.core.game import Game

from ..content.pack import BOATS, Pack, Row, make_params
from ..rules import vocab as v
from ..rules.pieces import OBSERVATION, OWN, SHEET_TABLE
from .text import BANDS, EVENTS, WORDS


def card_sections(game: Game, pack: Pack) -> card.CardSections:
    """The game's parts of its card, for a content pack."""
    content = pack.content
    route, achievements = content.route, content.achievements
    powers = ([power.value, power.name, power.words, WORDS["power"][power.name]] for power in v.Power)
    bands = zip([0, *achievements.bands], BANDS, strict=True)
    return card.read_sections(
        Path(__file__).with_name("card.md"),
        questions=card.question_table(v.Question),
        sheet_size=SHEET_TABLE.size,
        sheet=sheet_table(),
        first_own=card.code(OWN[0].name),
        last_own=card.code(OWN[-1].name),
        phases=card.code_table("phase", v.Phase, "in words"),
        powers=card.table(["power", "name", "in words", "what it does (RS-3.1)"], powers),
        greens=card.code_table("green", v.Green, "in words"),
        events=card.event_section(EVENTS, OBSERVATION),
        spaces_a_tile=route.spaces_a_tile,
        east_tile=route.east_tile,
        crossing=2 * route.middle_to_hub,
        aside=route.middle_to_hub + route.hub_to_village,
        routes=route_table(pack),
        boats=boat_table(pack),
        villages=village_table(pack),
        fire=content.fire.symbols,
        plus_one=content.plus_one.symbols,
        reward=content.captain.reward,
        solo_from=content.captain.solo_from,
        solo_win=achievements.solo_win,
        deduction=achievements.extension,
        bands=card.table(["from", "in words"], bands),
        reconstructed=origins_of(pack),
    )


def sheet_table() -> str:
    """The numbers of a sheet, in their order."""
    own = OBSERVATION.start("own_sheet")
    rows = (
        [
            card.span(SHEET_TABLE.start(piece.name), piece.size),
            card.span(own + SHEET_TABLE.start(piece.name), piece.size),
            piece.name,
            " × ".join(map(str, piece.shape)),
            " × ".join(piece.axes),
            piece.doc,
        ]
        for piece in SHEET_TABLE.pieces
    )
    return card.table(["number of a sheet", "index in `own_sheet`", "name", "shape", "axes", "meaning"], rows)


def route_table(pack: Pack) -> str:
    """The spaces of the route with and without the extension."""
    rows = []
    for extension in (False, True):
        params_array, _ = make_params(pack=pack.file, extension=extension)
        params = params_array[0]
        columns = int(params["columns"])
        middles = [", ".join(str(space) for space in params["middle"][row, :columns].tolist()) for row in range(2)]
        rows.append(["yes" if extension else "no", 2 * columns, *middles, int(params["anchor"])])
    return card.table(["extension", "tiles", "middle spaces, north row", "middle spaces, south row", "anchor"], rows)


def boat_table(pack: Pack) -> str:
    """Every guide boat with its power and rows."""
    rows = (
        [number, boat.colour, boat.power, *(row_words(row) for row in boat.rows), boat.source]
        for number, boat in enumerate(pack.boats)
    )
    return card.table(["boat", "colour", "power", "row 1", "row 2", "row 3", "row 4", "source"], rows)


def row_words(row: Row) -> str:
    """A row of a guide boat in short."""
    royal = f", royal {row.royal}" if row.royal else ""
    return f"{row.seats} seats, {row.points} points, {row.bonus} {row.bonus_colour}{royal}"


def village_table(pack: Pack) -> str:
    """Every tile's village."""
    names = [v.Boat(boat).words for boat in BOATS.values()]
    rows = (
        [
            village.tile,
            *(village.values.get(name, "–") for name in BOATS),
            "yes" if village.passage else "no",
            "extension" if village.extension else "base",
            village.source,
        ]
        for village in pack.villages
    )
    return card.table(["tile", *names, "passage", "game", "source"], rows)


def origins_of(pack: Pack) -> str:
    """How much of the pack is the rulebook's."""
    content = pack.content
    kinds: dict[str, Any] = {
        "route": [content.route],
        "fire symbols": [content.fire],
        "+1 symbols": [content.plus_one],
        "captain points": [content.captain],
        "achievements": [content.achievements],
        "guide boats": pack.boats,
        "villages": pack.villages,
    }
    return card.origins("riverside", kinds)
