"""What Riverside adds to its card: players, codes, content and origins, written from the tables of the game."""

from __future__ import annotations

from typing import Any

from riverbed_env.core.card import CardSections, code, code_table, event_section, origins, question_table, span, table
from riverbed_env.core.game import Game

from ..content.pack import BOATS, Pack, Row, make_params
from ..rules.pieces import OBSERVATION, OWN, SHEET_TABLE
from ..rules.vocab import Boat, Event, Green
from .text import BAND_WORDS, BOAT_WORDS, EVENTS, GREEN_WORDS, PHASE_WORDS, POWER_EFFECTS, POWER_WORDS, QUESTIONS

SUMMARY = """\
A roll-and-write board game. A cruise ship sails a river in the far north; each round everybody chooses from the same
roll of dice, fills the boats of a score sheet of their own, and takes an excursion to a village near the ship. All
choose at the same time, and what the others choose is unseen until the phase is over. It can be played alone, against
a score to reach. Every rule is stated, with its id (RS-…), in [the rules](../rules/riverside.md)."""

PLAYERS = """\
## Players

1 to 6 play, each alone; the one role, `captain`, is everybody's. (At the table one player is the captain and rolls
the dice for all; that gives no advantage, so no seat is marked.) A player wins with the highest final score; a solo
player wins by reaching a score of the pack (RS-4.1). Wins that are shared count as wins for each.

## Choosing at the same time

Choices within a phase are simultaneous (RS-5.1). In a *step* every seat that has a question answers one. The
turn-based environment asks these seats one after another, in the order of their numbers; the answers change nothing
for the others, whose observations show all sheets as they were when the phase began. When nobody has a question left,
the phase is over, and everything becomes public.

- **What can't be seen**: the dice, seats, villages and scores that others choose in the phase under way, and whether
  they have anything left to choose. An observation is the same whatever they choose, and so is a seat's rendering.
- **What can be seen of the timing**: in AEC, `agent_selection` shows who is asked, and so who still has a question in
  this phase. That a seat is asked again tells, for example, that it crosses more seats. It is in no observation, mask
  or info."""

ACTIONS_NOTE = """\
The mask is made from what the seat asked may know. `MORE` is asked only where there is something else to choose than
`DONE`. A village costs the fewest +1 symbols that bring it into range."""

READING = """\
- **`sheets`** holds everybody's sheet as it was when the phase began, the observer's too; **`own_sheet`** is the
  observer's sheet as it is now. Both have the numbers of [a score sheet](#a-score-sheet).
- **Large numbers** are given in two entries, hundreds and rest.
- **Boats**: 0 white, 1 yellow, 2 brown, 3 blue, 4 pink, 5 stave church. Dice and villages count colours in the same
  way; the green die is entry 5 of `dice`.
- **Places**: entry 0 is the westernmost of the north row; the south row follows, from the west again. With ten tiles
  the south row begins at entry 5, with the extension at entry 6.
- **A question** waits for the observer also while others are asked; its mask says WAIT until the observer is.
- **When the game is over**, `question` is the first. At the anchor the choices of the last round are cleared
  (`own_dice` to `prize`); where the cap cuts the game off they stay as they were, and so do the sheets in `sheets`."""

EVENT_NOTE = """\
The roll is public at once, everything else when its phase is over. A field that its sentence doesn't name is 0."""

FORCED = """\
What is public in a phase are the sheets as it began. So only the first question of each seat can be publicly forced,
and of dice there are always several that can be chosen. That leaves the excursion of a seat that can do nothing but
stay: `"public"` doesn't ask for it. `"all"` also takes seats of a boat with one row left, the only village, the only
score and so on, which follow from dice and villages that nobody else has seen yet."""

END = """\
The game ends when the ship reaches the anchor, right after the roll (RS-2.1). Then scores are added up (RS-4.1): each
guide boat's tickets and excursions, the captain points, and what most and fewest captain points bring. The final
scores are kept in the record and told by `columns`. The cap is counted in steps (RS-5.2): in each, every seat with a
question answers one."""

NOBODY_WINS = (
    "a solo player ends below the score that wins. With `zero_sum` all get 0 also where all share the win; alone there "
    "is nobody else to pay, so it is always 0"
)

RECONSTRUCTED = "Much of the printed game exists only in pictures."


def card_sections(game: Game, pack: Pack) -> CardSections:
    """The game's parts of its card, for a content pack."""
    content = [river_section, boats_section, villages_section, scores_section, origins_section]
    return CardSections(
        summary=SUMMARY,
        options={"extension": ("`True`, `False`", "two more tiles, in rows of six (RS-1.1)")},
        players=PLAYERS,
        actions=f"{ACTIONS_NOTE}\n\n{question_table(QUESTIONS)}",
        reading=READING,
        codes="\n\n".join([sheet_section(), codes_section(), event_section(EVENTS, Event, OBSERVATION, EVENT_NOTE)]),
        nobody_wins=NOBODY_WINS,
        end=END,
        forced=FORCED,
        content="\n\n".join(section(pack) for section in content),
    )


def sheet_section() -> str:
    """The numbers of a sheet, in their order."""
    own = OBSERVATION.start("own_sheet")
    rows = (
        [
            span(SHEET_TABLE.start(piece.name), piece.size),
            span(own + SHEET_TABLE.start(piece.name), piece.size),
            piece.name,
            " × ".join(map(str, piece.shape)),
            " × ".join(piece.axes),
            piece.doc,
        ]
        for piece in SHEET_TABLE.pieces
    )
    return f"""\
### A score sheet

A sheet has {SHEET_TABLE.size} numbers. Row k of `sheets` is that of the player k seats clockwise.

{table(["number of a sheet", "index in `own_sheet`", "name", "shape", "axes", "meaning"], rows)}

In the state, row k of `private` holds the numbers from {code(OWN[0].name)} to {code(OWN[-1].name)} as seat k sees
them."""


def codes_section() -> str:
    """The numbers of phases, powers and ways of using the green die."""
    powers = ([power.value, power.name, POWER_WORDS[power], words] for power, words in POWER_EFFECTS.items())
    greens = {green: words.removeprefix(" and ") or "without the green die" for green, words in GREEN_WORDS.items()}
    return f"""\
### Phases, powers and the green die

{code_table("phase", PHASE_WORDS, "in words", PHASE_WORDS)}

{table(["power", "name", "in words", "what it does (RS-3.1)"], powers)}

{code_table("green", Green, "in words", greens)}"""


# --- content ----------------------------------------------------------------------------------------------------------


def river_section(pack: Pack) -> str:
    """The spaces of the route with and without the extension."""
    rows = []
    for extension in (False, True):
        params_array, _ = make_params(pack=pack.file, extension=extension)
        params = params_array[0]
        columns = int(params["columns"])
        middles = [", ".join(str(space) for space in params["middle"][row, :columns].tolist()) for row in range(2)]
        rows.append(["yes" if extension else "no", 2 * columns, *middles, int(params["anchor"])])
    route = pack.content.route
    header = ["extension", "tiles", "middle spaces, north row", "middle spaces, south row", "anchor"]
    return f"""\
## The river

A tile has {route.spaces_a_tile} spaces of the route, the east tile {route.east_tile}. Through a passage it is
{2 * route.middle_to_hub} steps from middle space to middle space, and from a middle space to its village
{route.middle_to_hub + route.hub_to_village} (RS-2.4). Columns are listed from west to east.

{table(header, rows)}"""


def boats_section(pack: Pack) -> str:
    """Every guide boat with its power and rows."""
    rows = (
        [number, boat.colour, boat.power, *(row_words(row) for row in boat.rows), boat.source]
        for number, boat in enumerate(pack.boats)
    )
    return f"""\
## Guide boats

A row is its seats, its ticket's points, its bonus and, if it has one, its royal seat, counted from the left.

{table(["boat", "colour", "power", "row 1", "row 2", "row 3", "row 4", "source"], rows)}"""


def row_words(row: Row) -> str:
    """A row of a guide boat in short."""
    royal = f", royal {row.royal}" if row.royal else ""
    return f"{row.seats} seats, {row.points} points, {row.bonus} {row.bonus_colour}{royal}"


def villages_section(pack: Pack) -> str:
    """Every tile's village."""
    names = [BOAT_WORDS[Boat(boat)] for boat in BOATS.values()]
    rows = (
        [
            village.tile,
            *(village.values.get(name, "–") for name in BOATS),  # type: ignore[call-overload]  # they are its names
            "yes" if village.passage else "no",
            "extension" if village.extension else "base",
            village.source,
        ]
        for village in pack.villages
    )
    return "## Villages\n\n" + table(["tile", *names, "passage", "game", "source"], rows)


def scores_section(pack: Pack) -> str:
    """Symbols, the captain's reward and the marks of final scores."""
    content = pack.content
    marks = [0, *content.achievements.bands]
    bands = table(["from", "in words"], zip(marks, BAND_WORDS, strict=True))
    return f"""\
## Scores and symbols

A sheet has {content.fire.symbols} fire symbols and {content.plus_one.symbols} +1 symbols. Most and fewest captain
points bring {content.captain.reward} more and less; alone {content.captain.solo_from} captain points are needed.
{content.achievements.solo_win} points win alone, and {content.achievements.extension} are taken off first with the
extension.

{bands}"""


def origins_section(pack: Pack) -> str:
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
    return origins("riverside", RECONSTRUCTED, kinds, entry_name)


def entry_name(entry: Any) -> str:
    """What people call a village or a boat; the other entries are called by their kind."""
    return f"village {entry.tile}" if hasattr(entry, "tile") else getattr(entry, "colour", "")
