"""The parameters of the rule-based agent (all but `tiles.OFFER`).

Chances and worths are in points: 100 is a won game. The strengths of the tracks are fitted to games of this agent
against itself, 4,000 at each player count, by multinomial logistic regression of the winner on what each track has to
go at the start of turns. They are rounded averages of the fits at each player count, extrapolated linearly past 10.

The other parameters were set by hand. The worths of actions, the margins of the powers, the *_DREADED costs, the noise
in asking and the worths of places were swept one at a time: one camp used the changed value, all other agents were
unchanged, 7,500 to 9,000 games per value. Values far from these for looking, swims and co-ops cost a camp some points.
Close to them, and everywhere for the powers, differences were within the noise (about 1 point); the margins are set so
that the powers are used.

A later sweep used common deals at 5, 7 and 9 players, 24,000 to 30,000 games per value. A camp gains from keeping away
from other meeples (NEIGHBOUR: 2.8 points for merchants and separatists, 0.4 for the profiteer), from discounting tiles
that others looked at and left (0.6 to 0.9), from looking where few have looked (0.4 to 1.1), from no longer looking
when an end is near (0.2 to 0.7) and from gambling in the Hunt (0.4). CARD_KEPT, CHIEF_PREFERRED, LATE and the limits of
the cards weren't swept. Measure with

    riverbed evaluate rule_based --reference simple --players 4-9
"""

from decimal import Decimal
from enum import IntEnum

import numpy as np

MOST_TO_GO = 12  # larger values count as this

# By track (kelp, log, coin) and 0 … 12 elements to go.
LOG_STRENGTH = np.array(
    [
        [2.50, 1.48, 1.00, 0.44, 0.00, -0.29, -0.57, -0.80, -1.03, -1.27, -1.50, -1.75, -2.00],
        [2.60, 1.79, 1.14, 0.58, 0.18, -0.21, -0.54, -0.85, -1.12, -1.40, -1.65, -1.90, -2.15],
        [2.20, 0.95, 0.05, -0.53, -1.03, -1.45, -1.72, -1.90, -2.05, -2.20, -2.35, -2.50, -2.65],
    ]
)
# NumPy's exp rounds differently with and without AVX-512, and ties between choices hang on the last bit. Decimals are
# the same everywhere; the two that AVX-512 rounds down are rounded as they were when the published corpus was played.
STRENGTH = np.array([[float(Decimal(log).exp()) for log in logs] for logs in LOG_STRENGTH.tolist()])
STRENGTH[1, [3, 7]] = np.nextafter(STRENGTH[1, [3, 7]], 0.0)

# By role, what actions are worth besides the tiles they turn up, in points.
LOOKING_WORTH = np.array([10.0, 10.0, 10.0, 10.0, 10.0])  # look first if no known tile is worth this much
DIVE_WORTH = np.array([6.0, 6.0, 6.0, 6.0, 6.0])  # with an unknown tile within reach
SWIM_WORTH = np.array([3.0, 3.0, 3.0, 3.0, 3.0])  # the card it draws
CO_OP_WORTH = np.array([2.0, 2.0, 2.0, 2.0, 2.0])  # the card it draws, the refresh
UNCOVER_WORTH = np.array([-3.0, -3.0, -6.0, -6.0, -6.0])  # the refresh minus the card that it costs
MARKER_BELOW = np.array([5.0, 5.0, 5.0, 5.0, 5.0])  # use the refresh marker if every action is worth less
LOOK_UNTIL = 45.0  # looking no longer comes first once a camp's chance is higher
SEEN_BY_OTHERS = -0.5  # for each other player who looked at the tile to look at

# Places: what a meeple can reach from a space.
UNKNOWN_IN_REACH = 1.5  # each unknown tile
KNOWN_IN_REACH = 0.5  # share of the worth of the best known tile
BURY_IN_REACH = 0.5  # share of the worth of turning down the best tile, if holding a card that does so
NEIGHBOUR = -0.8  # each other meeple on the space or next to it

# Asking: what it costs if the asked player declares a power, by the asker's camp.
HUNT_DREADED = np.array([-4.0, 6.0, -3.0])
CON_DREADED = np.array([-4.0, -4.0, 0.0])
HIDING = 3.0  # the largest random bonus for a seat that a separatist, leader or profiteer may ask
CHIEF_PREFERRED = 0.5  # a merchant's bonus for asking the chief

# Powers: by how much declaring must beat a plain reveal.
HUNT_MARGIN = 1.0
CON_MARGIN = 0.0
LATE_MARGIN = 0.0  # … when another camp's track has LATE or fewer to go
LATE = 2
GAMBLE_MARGIN = -8.0  # the Hunt continues on an unknown tile if that gains more than this

# Turning up an unknown tile: the correction for each player who looked at it, times the probability of their camp.
SPURNED_BY_FRIENDS = -2.0
SPURNED_BY_OTHERS = 1.2

# Answering: slip away if a plain reveal is worth less.
SLIP_BELOW = -2.0

# Cards: play them if they gain more than this.
BURY_FROM = 4.0
DELUDE_FROM = 5.0
RALLY_FROM = 4.0
SHARE_FROM = 0.5  # probability that the likeliest friend is one
SWAP_FROM = 4.0
MOVE_FROM = 1.0

# By Use: what a card is worth keeping when one must be discarded.
CARD_KEPT = np.array([0.0, 0.5, 1.5, 2.0, 1.5, 1.5, 1.0, 1.0, 1.0, 1.0, 1.5, 0.7, 1.2, 1.0, 0.2])


class Speech(IntEnum):
    """How to tell of a tile that one knows."""

    NOTHING = 0
    TRUTH = 1
    LURE = 2  # say kelp, so that merchants turn it up
    DETER = 3  # say log, so that merchants leave it


# Talk: by one's own camp and the camp that the tile helps most. Telling of every tile cost each camp: with 7 players
# merchants 4.5 points (the others listen too), separatists 4 (their lies are found out), each against saying nothing,
# 2,000 games each. So each camp tells only of the tiles that help it.
SPEECH = np.array(
    [
        [Speech.TRUTH, Speech.NOTHING, Speech.NOTHING],
        [Speech.NOTHING, Speech.LURE, Speech.NOTHING],
        [Speech.NOTHING, Speech.NOTHING, Speech.LURE],
    ]
)
SURE_ABOVE = 0.9  # say of which camp a seat is if that is more probable
ACCUSED_ABOVE = 0.6  # liars accuse a seat if it is a merchant with more probability
