"""The feature set `outlook` of Riverbed Hunt: the estimates behind the decisions of the rule-based agent."""

import numpy as np

from riverbed_env.core.features import FeatureSet
from riverbed_env.games.riverbed_hunt.rules.pieces import OBSERVATION
from riverbed_env.games.riverbed_hunt.rules.vocab import MAX_SEATS, NUM_CAMPS, NUM_ROLES, NUM_SPACES
from riverbed_env.kernels.common import keep
from riverbed_env.kernels.compile import Record, Vector
from riverbed_env.kernels.pieces import Piece, PieceTable

from .kernels import kernel
from .rule_based.listening import listen
from .rule_based.places import count_others, holds_burial, place_worth
from .rule_based.tiles import OUTLOOK, survey
from .rule_based.trust import asking_worth, expected_answer, judge, survey_reach
from .sight import own_camp, players, space_of

PERCENT = 100
QUARTERS = 4  # features count points of winning chance in quarters
MOST = 127

_AXES = {axis.partition(" ")[0]: axis for piece in OBSERVATION.pieces for axis in piece.axes}
SEAT, SPACE, ROLE = _AXES["seat"], _AXES["space"], _AXES["role"]

PIECES = PieceTable(
    (
        Piece("beliefs", (MAX_SEATS, NUM_ROLES), "own", "probability of each seat's role in percent", high=PERCENT,
              axes=(SEAT, ROLE)),
        Piece("answers", (MAX_SEATS, NUM_CAMPS + 1), "own",
              "gain of the own camp from asking the seat, if it is of each camp and by the beliefs, in quarter points",
              low=-MOST, high=MOST, axes=(SEAT, "camp, then all")),
        Piece("worths", (NUM_SPACES, NUM_CAMPS), "own", "worth of turning up the tile to each camp, in quarter points",
              low=-MOST, high=MOST, axes=(SPACE, "each camp")),
        Piece("places", (NUM_SPACES,), "own", "worth of standing there to the own camp, in quarter points",
              low=-MOST, high=MOST, axes=(SPACE,)),
        Piece("blind", (NUM_CAMPS,), "own", "worth of turning up an unknown tile to each camp, in quarter points",
              low=-MOST, high=MOST, axes=("each camp",)),
        Piece("chances", (NUM_CAMPS,), "own", "each camp's winning chance by the tracks, in percent", high=PERCENT,
              axes=("each camp",)),
    )
)  # fmt: skip

PIECES_AT = PIECES.offsets()


@kernel
def quarters(points: float) -> int:
    """Points in quarters, clipped to -MOST … MOST."""
    return int(max(-MOST, min(MOST, round(QUARTERS * points))))


@kernel
def write_outlook(view: Record, params: Record, observation: Vector, mask: Vector, stream: Record, out: Vector) -> None:
    """Write the features PIECES of a view to `out`."""
    outlooks = np.zeros(1, OUTLOOK)
    survey(view, params, outlooks[0])
    listen(view, params, outlooks[0])
    judge(view, params, outlooks[0])
    own_side = own_camp(view)
    out[:] = 0
    write_seats(view, params, outlooks[0], own_side, out)
    write_spaces(view, params, outlooks[0], own_side, out)
    for camp in range(NUM_CAMPS):
        out[PIECES_AT.blind + camp] = quarters(outlooks[0]["worths"][NUM_SPACES, camp])
        out[PIECES_AT.chances + camp] = int(outlooks[0]["now"][camp] + 0.5)
    keep(outlooks)


@kernel
def write_seats(view: Record, params: Record, outlook: Record, own_side: int, out: Vector) -> None:
    """Write the pieces by seat: beliefs and answers."""
    for seat in range(players(view)):
        for role in range(NUM_ROLES):
            out[PIECES_AT.beliefs + seat * NUM_ROLES + role] = int(PERCENT * outlook["beliefs"][seat, role] + 0.5)
        here = space_of(view, seat)
        if seat == 0 or here < 0:
            continue
        survey_reach(view, params, outlook, seat)
        start = PIECES_AT.answers + seat * (NUM_CAMPS + 1)
        for camp in range(NUM_CAMPS):
            out[start + camp] = quarters(expected_answer(outlook, camp, own_side))
        out[start + NUM_CAMPS] = quarters(asking_worth(view, params, outlook, seat, own_side, True))


@kernel
def write_spaces(view: Record, params: Record, outlook: Record, own_side: int, out: Vector) -> None:
    """Write the pieces by space: worths and places."""
    buries = holds_burial(view, params)
    count_others(view, outlook)
    for space in range(NUM_SPACES):
        for camp in range(NUM_CAMPS):
            out[PIECES_AT.worths + space * NUM_CAMPS + camp] = quarters(outlook["worths"][space, camp])
        out[PIECES_AT.places + space] = quarters(place_worth(view, params, outlook, space, own_side, buries))


OUTLOOK_FEATURES = FeatureSet(
    "outlook",
    PIECES,
    write_outlook,
    scales={"beliefs": 100.0, "answers": 20.0, "worths": 20.0, "places": 20.0, "blind": 20.0, "chances": 100.0},
    folders=kernel.folders,
    about="role posteriors; expected gain of asking each seat, turning up each tile and standing on each space",
)
