"""What Riverside adds to its card: players, codes, content and origins, written from the tables of the game."""

from __future__ import annotations

from collections.abc import Sequence

from riverbed_env.core.card import (
    CardSections,
    OptionWords,
    Section,
    Sourced,
    code,
    event_field_table,
    origin_table,
    question_table,
    sections,
    span,
    table,
)
from riverbed_env.core.game import Game
from riverbed_env.kernels.vocab import MAX_EVENTS

from ..content.pack import BOATS, Pack, Row, make_params
from ..rules.pieces import OBSERVATION, OWN, SHEET_TABLE
from ..rules.vocab import Boat, Event, Green, Phase, Power, Question
from .text import BAND_WORDS, BOAT_WORDS, EVENT_WORDS, GREEN_WORDS, PHASE_WORDS, POWER_WORDS, QUESTION_WORDS
from .versions import VERSION_HISTORY

SUMMARY = """\
A roll-and-write board game. A cruise ship sails a river in the far north; each round everybody chooses from the same
roll of dice, fills the boats of a score sheet of their own, and takes an excursion to a village near the ship. All
choose at the same time, and what the others choose is unseen until the phase is over. It can be played alone, against
a score to reach. Every rule is stated, with its id (RS-…), in [the rules](../rules/riverside.md)."""

PLAYERS_NOTE = """\
1 to 6 play, each alone; the one role, `captain`, is everybody's. (At the table one player is the captain and rolls
the dice for all; that gives no advantage, so no seat is marked.) A player wins with the highest final score; a solo
player wins by reaching a score of the pack (RS-4.1). Wins that are shared count as wins for each."""

SIMULTANEOUS_NOTE = """\
Choices within a phase are simultaneous (RS-5.1). In a *step* every seat that has a question answers one. The
turn-based environment asks these seats one after another, in the order of their numbers; the answers change nothing
for the others, whose observations show all sheets as they were when the phase began. When nobody has a question left,
the phase is over, and everything becomes public.

- **What can't be seen**: the dice, seats, villages and scores that others choose in the phase under way, and whether
  they have anything left to choose. An observation is the same whatever they choose, and so is a seat's rendering.
- **What can be seen of the timing**: in AEC, `agent_selection` shows who is asked, and so who still has a question in
  this phase. That a seat is asked again tells, for example, that it crosses more seats. It is in no observation, mask
  or info."""

ANSWERED_BY = {
    Question.NONE: (),
    Question.DIE: ("DIE",),
    Question.SEAT: ("SEAT",),
    Question.VILLAGE: ("VILLAGE", "SPEED", "STAY"),
    Question.SECOND: ("VILLAGE", "SPEED"),
    Question.FAST: ("VILLAGE",),
    Question.SCORE: ("SCORE", "PRIZE"),
    Question.MORE: ("SCORE", "PRIZE", "EARLY", "DONE"),
}

ACTIONS_NOTE = """\
The piece `question` of the observation says what its seat is asked, and these actions can answer it. The mask says
which of them are legal now; it is made from what the seat asked may know. `MORE` is asked only where there is
something else to choose than `DONE`. A village costs the fewest +1 symbols that bring it into range."""

OBSERVATION_NOTE = """\
- **Seats** are counted from the observer: entry 0 is the observer, entry 1 the next player clockwise, and so on.
  Entries past the number of players are 0.
- **`sheets`** holds everybody's sheet as it was when the phase began, the observer's too; **`own_sheet`** is the
  observer's sheet as it is now. Both have the numbers of [a score sheet](#a-score-sheet).
- **Large numbers** are given in two entries, hundreds and rest.
- **Boats**: 0 white, 1 yellow, 2 brown, 3 blue, 4 pink, 5 stave church. Dice and villages count colours in the same
  way; the green die is entry 5 of `dice`.
- **Places**: entry 0 is the westernmost of the north row; the south row follows, from the west again. With ten tiles
  the south row begins at entry 5, with the extension at entry 6.
- **One-hot** pieces hold a 1 at the entry that is meant and 0 elsewhere.
- **A question** waits for the observer also while others are asked; its mask says WAIT until the observer is."""

EVENT_NOTE = f"""\
`events` has a row for each of the last {MAX_EVENTS} public events, the newest first; rows of zeros are left when
fewer have happened. The roll is public at once, everything else when its phase is over. A field that its sentence
doesn't name is 0."""

EVENT_COLUMNS = {
    "kind": "kind of the event, 0 where there is none",
    "actor": "1 + seats clockwise from the observer, 0 nobody",
    "boat": "1 + boat, 0 none",
    "place": "1 + place, 0 none",
    "hundreds": "hundreds of the number",
    "rest": "the number's rest",
    "detail": "see the table of kinds",
    "round": "rolls when it happened, at most 127",
}

LETTERS = {
    "actor": "the actor",
    "boat": "BOAT",
    "place": "PLACE",
    "number": "NUMBER",
    "detail": "DETAIL",
    "dice": "the BOAT-coloured die and more by DETAIL",
    "power": "power DETAIL",
    "how": " by DETAIL for NUMBER +1 symbols",
    "prize": " by DETAIL",
    "won": "NUMBER share the win",
}

DETAILS = {
    Event.ROLL: "space of the ship",
    Event.CHOOSE: "0 without the green die, 1 with it, 2 with it on Warm night; 3 more on Fan base",
    Event.TICKET: "row, from 1",
    Event.UNLOCK: "1 + power",
    Event.EXCURSION: "1 on Speed boat called for it; 2 more on Early birds",
    Event.SCORE: "1 with the prize ticket",
}

FORCED_NOTE = """\
What is public in a phase are the sheets as it began. So only the first question of each seat can be publicly forced,
and of dice there are always several that can be chosen. That leaves the excursion of a seat that can do nothing but
stay: `"public"` doesn't ask for it. `"all"` also takes seats of a boat with one row left, the only village, the only
score and so on, which follow from dice and villages that nobody else has seen yet."""

END_NOTE = """\
The game ends when the ship reaches the anchor, right after the roll (RS-2.1). Then scores are added up (RS-4.1): each
guide boat's tickets and excursions, the captain points, and what most and fewest captain points bring. The final
scores are kept in the record and told by `columns`. The cap is counted in steps (RS-5.2): in each, every seat with a
question answers one."""

NOBODY_WINS = (
    "a solo player ends below the score that wins. With `zero_sum` all get 0 also where all share the win; alone there "
    "is nobody else to pay, so it is always 0"
)

RECONSTRUCTED_NOTE = """\
Much of the printed game exists only in pictures. What they show is replaced by substitutes that agree with everything
the rulebook's text says; [the rules](../rules/riverside.md#what-is-reconstructed-and-why) tell which and why. Results
obtained with this pack are results about this reconstruction."""


def card_sections(game: Game, pack: Pack) -> CardSections:
    """The game's parts of its card, for a content pack."""
    return CardSections(
        summary=SUMMARY,
        options=option_words(),
        players=(Section("Players", PLAYERS_NOTE), Section("Choosing at the same time", SIMULTANEOUS_NOTE)),
        actions=f"{ACTIONS_NOTE}\n\n{question_table(Question, QUESTION_WORDS, ANSWERED_BY)}",
        observation=observation_body(),
        nobody_wins=NOBODY_WINS,
        end=END_NOTE,
        forced=FORCED_NOTE,
        content=(
            Section("The river", river_body(pack)),
            Section("Guide boats", boats_body(pack)),
            Section("Villages", villages_body(pack)),
            Section("Scores and symbols", scores_body(pack)),
            Section("What is reconstructed", origins_body(pack)),
        ),
        versions=VERSION_HISTORY,
    )


def option_words() -> dict[str, OptionWords]:
    """The options that only this game has."""
    return {
        "extension": OptionWords("`True`, `False`", "two more tiles, in rows of six (RS-1.1)"),
    }


# --- actions and observation ------------------------------------------------------------------------------------------


def observation_body() -> str:
    """How to read the pieces, then every number that stands for something."""
    fields = event_field_table(OBSERVATION.start("events"), tuple(EVENT_COLUMNS), EVENT_COLUMNS)
    parts = (
        Section("How to read it", OBSERVATION_NOTE),
        Section("A score sheet", sheet_body()),
        Section("Phases, powers and the green die", codes_body()),
        Section(
            "Public events",
            f"{EVENT_NOTE}\n\n{fields}\n\n{event_table()}",
        ),
    )
    return sections(parts, level=3)


def sheet_body() -> str:
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
    numbers = table(["number of a sheet", "index in `own_sheet`", "name", "shape", "axes", "meaning"], rows)
    return (
        f"A sheet has {SHEET_TABLE.size} numbers. Row k of `sheets` is that of the player k seats clockwise.\n\n"
        f"{numbers}\n\nIn the state, row k of `private` holds the numbers from {code(OWN[0].name)} to "
        f"{code(OWN[-1].name)} as seat k sees them."
    )


def codes_body() -> str:
    """The numbers of phases, powers and ways of using the green die; questions have a table of their own."""
    phases = table(["phase", "name", "in words"], ([phase.value, phase.name, PHASE_WORDS[phase]] for phase in Phase))
    powers = table(["power", "name", "in words"], ([power.value, power.name, POWER_WORDS[power]] for power in Power))
    greens = table(
        ["green", "name", "in words"],
        (
            [green.value, green.name, GREEN_WORDS[green].strip().removeprefix("and ") or "without the green die"]
            for green in Green
        ),
    )
    return f"The numbers of `question` are in the table under [Actions](#actions).\n\n{phases}\n\n{powers}\n\n{greens}"


def event_table() -> str:
    """Every kind of public event as a sentence, and what its detail is."""
    rows = [[Event.NONE.value, Event.NONE.name, "no event yet", "–"]]
    for event, words in EVENT_WORDS.items():
        rows.append([event.value, event.name, words.format(**LETTERS), DETAILS.get(event, "–")])
    return table(["kind", "name", "what everybody learns", "detail"], rows)


# --- content ----------------------------------------------------------------------------------------------------------


def river_body(pack: Pack) -> str:
    """The spaces of the route with and without the extension."""
    rows = []
    for extension in (False, True):
        params_array, _ = make_params(pack=pack.file, extension=extension)
        params = params_array[0]
        columns = int(params["columns"])
        middles = [", ".join(str(space) for space in params["middle"][row, :columns].tolist()) for row in range(2)]
        rows.append(["yes" if extension else "no", 2 * columns, *middles, int(params["anchor"])])
    route = pack.content.route
    ways = (
        f"A tile has {route.spaces_a_tile} spaces of the route, the east tile {route.east_tile}. Through a passage "
        f"it is {2 * route.middle_to_hub} steps from middle space to middle space, and from a middle space to its "
        f"village {route.middle_to_hub + route.hub_to_village} (RS-2.4)."
    )
    header = ["extension", "tiles", "middle spaces, north row", "middle spaces, south row", "anchor"]
    return f"{ways} Columns are listed from west to east.\n\n{table(header, rows)}"


def boats_body(pack: Pack) -> str:
    """Every guide boat with its power and rows."""
    rows = (
        [number, boat.colour, boat.power, *(row_words(row) for row in boat.rows), boat.source]
        for number, boat in enumerate(pack.boats)
    )
    note = (
        "A row is its seats, its ticket's points, its bonus and, if it has one, its royal seat, counted from the left."
    )
    return f"{note}\n\n{table(['boat', 'colour', 'power', 'row 1', 'row 2', 'row 3', 'row 4', 'source'], rows)}"


def row_words(row: Row) -> str:
    """A row of a guide boat in short."""
    royal = f", royal {row.royal}" if row.royal else ""
    return f"{row.seats} seats, {row.points} points, {row.bonus} {row.bonus_colour}{royal}"


def villages_body(pack: Pack) -> str:
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
    return table(["tile", *names, "passage", "game", "source"], rows)


def scores_body(pack: Pack) -> str:
    """Symbols, the captain's reward and the marks of final scores."""
    content = pack.content
    marks = [0, *content.achievements.bands]
    bands = table(["from", "in words"], zip(marks, BAND_WORDS, strict=True))
    return (
        f"A sheet has {content.fire.symbols} fire symbols and {content.plus_one.symbols} +1 symbols. Most and fewest "
        f"captain points bring {content.captain.reward} more and less; alone {content.captain.solo_from} captain "
        f"points are needed. {content.achievements.solo_win} points win alone, and {content.achievements.extension} "
        f"are taken off first with the extension.\n\n{bands}"
    )


def origins_body(pack: Pack) -> str:
    """How much of the pack is the rulebook's."""
    content = pack.content
    kinds: Sequence[tuple[str, Sequence[Sourced]]] = (
        ("route", [content.route]),
        ("fire symbols", [content.fire]),
        ("+1 symbols", [content.plus_one]),
        ("captain points", [content.captain]),
        ("achievements", [content.achievements]),
        ("guide boats", pack.boats),
        ("villages", pack.villages),
    )
    return f"{RECONSTRUCTED_NOTE}\n\n{origin_table(kinds)}"
