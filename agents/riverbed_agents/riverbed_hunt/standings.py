"""The state features of Riverbed Hunt, for critics: how the race stands, what each seat holds, knows and has done.

They include hidden information. Like the features `camps` they are counts: no rule of play, no fitted weight.
"""

from riverbed_env.core.state_features import StateFeatures
from riverbed_env.games.riverbed_hunt.rules import vocab as v
from riverbed_env.games.riverbed_hunt.rules.board import within_reach
from riverbed_env.games.riverbed_hunt.rules.observe import write_effect
from riverbed_env.games.riverbed_hunt.rules.stack import signed_byte_of
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.pieces import Piece, PieceTable

from .camps import FARTHEST, MOST, TRACKS, add, worth_to, write_deeds
from .kernels import kernel
from .sight import CAMPS, ICON

_SEAT = "seat"
KNOWN, OPEN, BEST, WORST, UNKNOWN, UNKNOWN_WORTH = range(1, 7)  # of `within`, after the number of tiles
SHOWN, ASKED, ACTIVE, CHOSEN, CARRIER, SLIPPED, PLACED, DIVE, SWIM, UNCOVER, MARKER, LOOKED = range(12)  # of `flags`


def _of_seats(name: str, width: int, meaning: str) -> Piece:
    return Piece(name, (v.MAX_SEATS, width), "nobody", meaning, low=-MOST - 1, high=MOST, axes=(_SEAT, "which"))


# A tile's worth to a camp is that of `camps.worth_to`; "own" is the seat's camp, whose element comes first.
PIECES = PieceTable(
    (
        _of_seats("roles", v.NUM_ROLES, "one-hot role"),
        _of_seats("flags", 12, "role shown; asked; active; chosen; carries out the effect under way; slipped away; "
                  "placed; Dive, Swim ready; Uncover, refresh marker left; has looked at a role"),
        _of_seats("hand_sizes", 1, "cards in the hand"),
        _of_seats("within", 7, "face-down tiles within reach: how many, those it knows, those known to all; worth to "
                  "its camp of the best and the worst it knows; those it doesn't know, and their summed worth"),
        _of_seats("elements", 2 * v.NUM_TRACKS, "elements on the tiles within reach that it doesn't know, and on the "
                  "best that it knows"),
        _of_seats("knows", 2, "face-down tiles that it knows anywhere, and the worth of the best to its camp"),
        _of_seats("deeds", 3 * v.NUM_TRACKS, "elements by which it moved the tracks; those it turned up knowing them; "
                  "those it turned down"),
        _of_seats("asks", 3, "co-ops it asked for; in which it was asked; by its camp"),
        Piece("race", (v.NUM_TRACKS, FARTHEST), "nobody", "one-hot elements to go", axes=("track", "to go")),
        Piece("left", (v.NUM_TRACKS,), "nobody", "elements to go", high=FARTHEST, axes=("track",)),
        Piece("hidden", (v.NUM_TRACKS + 1,), "nobody", "elements on face-down tiles, and Hunt icons", high=MOST),
        Piece("face_down", (1,), "nobody", "face-down tiles", high=v.NUM_SPACES),
        Piece("question", (v.NUM_QUESTIONS,), "nobody", "one-hot question asked"),
        Piece("stage", (3,), "nobody", "one-hot stage"),
        Piece("turn_flags", (4,), "nobody", "the action is taken; the card is played; a Hunt is on; may decline"),
        Piece("source", (v.NUM_SOURCES,), "nobody", "one-hot source of the effect under way"),
        Piece("source_card", (v.MAX_CARD_KINDS,), "nobody", "one-hot card under way"),
        Piece("turn", (1,), "nobody", "turns begun", high=MOST),
        Piece("draw_pile", (1,), "nobody", "cards left to draw", high=MOST),
        Piece("players", (v.MAX_SEATS - v.MIN_PLAYERS + 1,), "nobody", "one-hot number of players"),
    )
)  # fmt: skip
AT, WIDTH = PIECES.offsets(), PIECES.widths()


@kernel
def write_standings(game: Record, params: Record, out: Vector) -> None:
    """Write the state features PIECES of a game."""
    out[:] = 0
    table = game["table"]
    for track in range(v.NUM_TRACKS):
        left = max(1, min(FARTHEST, int(params["endpoints"][track]) - int(table["tracks"][track])))
        out[AT.race + track * WIDTH.race + left - 1] = 1
        out[AT.left + track] = left
    write_question(table, out)
    out[AT.turn] = min(MOST, int(table["turn"]))
    out[AT.draw_pile] = table["draw_pile"]
    num_players = int(table["num_players"])
    out[AT.players + num_players - v.MIN_PLAYERS] = 1
    for space in range(v.NUM_SPACES):
        if (int(table["face_down"]) >> space) & 1:
            adds = params["features"][int(game["tile_at"][space])]
            out[AT.face_down] += 1
            for track in range(v.NUM_TRACKS):
                add(out, AT.hidden + track, int(adds[track]))
            out[AT.hidden + v.NUM_TRACKS] += adds[ICON]
    for seat in range(num_players):
        write_flags(game, seat, num_players, out)
        write_knowledge(game, params, seat, out)
        write_history(game, seat, num_players, out)


@kernel
def write_question(table: Record, out: Vector) -> None:
    """Write the question and the effect under way."""
    out[AT.question + int(table["question"])] = 1
    out[AT.stage + int(table["stage"])] = 1
    depth = write_effect(table, AT.turn_flags, AT.source, AT.source_card, out)
    if depth == 0:
        return
    frame = table["frames"][depth - 1]
    out[AT.flags + int(frame["carrier"]) * WIDTH.flags + CARRIER] = 1
    if frame["seat"] >= 0:
        out[AT.flags + int(frame["seat"]) * WIDTH.flags + CHOSEN] = 1


@kernel
def write_flags(game: Record, seat: int, num_players: int, out: Vector) -> None:
    """Write a seat's role, its cards and what it is about to do."""
    table = game["table"]
    out[AT.roles + seat * WIDTH.roles + int(game["private"][seat]["role"])] = 1
    out[AT.hand_sizes + seat] = table["hand_size"][seat]
    at = AT.flags + seat * WIDTH.flags
    out[at + SHOWN] = int(table["role"][seat] >= 0)
    out[at + ASKED] = int(table["asked"] == seat)
    out[at + ACTIVE] = int(table["active"] == seat)
    out[at + SLIPPED] = (int(table["slipped"]) >> seat) & 1
    out[at + PLACED] = int(table["position"][seat] >= 0)
    out[at + DIVE] = table["dive_ready"][seat]
    out[at + SWIM] = table["swim_ready"][seat]
    out[at + UNCOVER] = table["uncover_left"][seat]
    out[at + MARKER] = table["marker_left"][seat]
    for other in range(num_players):
        if other != seat and game["private"][seat]["looked"][other] >= 0:
            out[at + LOOKED] = 1


@kernel
def write_knowledge(game: Record, params: Record, seat: int, out: Vector) -> None:
    """Write what a seat knows of the face-down tiles, and what lies within its reach."""
    table = game["table"]
    private = game["private"][seat]
    camp = int(CAMPS[int(private["role"])])
    within = within_reach(table, params, seat) if table["position"][seat] >= 0 else 0
    at = AT.within + seat * WIDTH.within
    elements, knows = AT.elements + seat * WIDTH.elements, AT.knows + seat * WIDTH.knows
    unknown_worth = 0
    for space in range(v.NUM_SPACES):
        if not (int(table["face_down"]) >> space) & 1:
            continue
        number = int(game["tile_at"][space])
        worth = worth_to(params, number, camp)
        is_known = private["known"][space] != v.NO_TILE
        if is_known:
            out[knows + 1] = worth if out[knows] == 0 else max(int(out[knows + 1]), worth)
            out[knows] += 1
        if not (within >> space) & 1:
            continue
        out[at] += 1
        out[at + OPEN] += int(game["private"][v.PUBLIC]["known"][space] != v.NO_TILE)
        adds = params["features"][number]
        if not is_known:
            out[at + UNKNOWN] += 1
            unknown_worth += worth
            for place in range(v.NUM_TRACKS):
                out[elements + place] += adds[TRACKS[camp, place]]
            continue
        if out[at + KNOWN] == 0 or worth > out[at + BEST]:
            out[at + BEST] = worth
            for place in range(v.NUM_TRACKS):
                out[elements + v.NUM_TRACKS + place] = adds[TRACKS[camp, place]]
        out[at + WORST] = worth if out[at + KNOWN] == 0 else min(int(out[at + WORST]), worth)
        out[at + KNOWN] += 1
    out[at + UNKNOWN_WORTH] = max(-MOST, min(MOST, unknown_worth))


@kernel
def write_history(game: Record, seat: int, num_players: int, out: Vector) -> None:
    """Write what a seat has done, and whom it asked."""
    table = game["table"]
    camp = int(CAMPS[int(game["private"][seat]["role"])])
    write_deeds(table, camp, seat, AT.deeds + seat * WIDTH.deeds, out)
    for between in range(num_players - 1):
        times = signed_byte_of(int(table["asks"][seat]), between)
        asked = (seat + 1 + between) % num_players
        add(out, AT.asks + seat * WIDTH.asks, times)
        add(out, AT.asks + asked * WIDTH.asks + 1, times)
        if int(CAMPS[int(game["private"][asked]["role"])]) == camp:
            add(out, AT.asks + asked * WIDTH.asks + 2, times)


STANDINGS = StateFeatures(
    "standings",
    PIECES,
    write_standings,
    scales={
        "hand_sizes": 3.0,
        "within": 3.0,
        "elements": 2.0,
        "knows": 4.0,
        "deeds": 4.0,
        "asks": 4.0,
        "left": 6.0,
        "hidden": 8.0,
        "face_down": 16.0,
        "turn": 16.0,
        "draw_pile": 16.0,
    },
    folders=kernel.folders,
)
