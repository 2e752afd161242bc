"""The numbers the rule-based agents play by; their rules hold no other such number but `tiles.OFFER`.

Chances and worths are in points: 100 is a won game. The strengths of the tracks come from games between the agents
themselves, 4,000 at each player count: multinomial logistic regression of the winner on what each track has to go, at
the starts of turns, a fit for each count, then rounded averages over the counts; past 10 to go they go on evenly.

The rest was set by hand. The worths of the verbs, the margins of the powers, what is dreaded, the noise in asking and
the worths of places were swept one number at a time, in a whole camp with everybody else unchanged, 7,500 to 9,000
games a value. Far from these values looking, swims and co-ops cost a camp some points; around them, and everywhere for
the powers, differences stayed within the noise (about 1 point), and margins were set so that the powers are used.

Swept later on common deals at 5, 7 and 9 players, 24,000 to 30,000 games a value; a camp wins more by keeping away from
other meeples (NEIGHBOUR: 2.8 points for merchants and separatists, 0.4 for the profiteer), by what others looked at and
left (0.6 to 0.9), by looking where few have (0.4 to 1.1), by looking no more once an end is near (0.2 to 0.7) and by
gambling in the Hunt (0.4). CARD_KEPT, CHIEF_PREFERRED, LATE and the limits of the cards weren't swept. Measure with

    riverbed evaluate rule_based --reference simple --players 4-9
"""

from __future__ import annotations

import numpy as np

MOST_TO_GO = 12  # more than this counts as this

# By track (kelp, log, coin) and 0 … 12 elements to go: how strongly the track pulls the game towards its end.
LOG_STRENGTH = np.array(
    [
        [2.50, 1.48, 1.00, 0.44, 0.00, -0.29, -0.57, -0.80, -1.03, -1.27, -1.50, -1.75, -2.00],
        [2.60, 1.79, 1.14, 0.58, 0.18, -0.21, -0.54, -0.85, -1.12, -1.40, -1.65, -1.90, -2.15],
        [2.20, 0.95, 0.05, -0.53, -1.03, -1.45, -1.72, -1.90, -2.05, -2.20, -2.35, -2.50, -2.65],
    ]
)
STRENGTH: np.ndarray[tuple[int, int], np.dtype[np.float64]] = np.exp(LOG_STRENGTH)

# By role, what the verbs are worth besides the tiles they turn up, in points.
LOOKING_WORTH = np.array([10.0, 10.0, 10.0, 10.0, 10.0])  # a known tile worth less waits until one has looked
DIVE_WORTH = np.array([6.0, 6.0, 6.0, 6.0, 6.0])  # with an unknown tile within reach
SWIM_WORTH = np.array([3.0, 3.0, 3.0, 3.0, 3.0])  # the card it draws
CO_OP_WORTH = np.array([2.0, 2.0, 2.0, 2.0, 2.0])  # the card it draws, the refresh
UNCOVER_WORTH = np.array([-3.0, -3.0, -6.0, -6.0, -6.0])  # the refresh less the card it costs
MARKER_BELOW = np.array([5.0, 5.0, 5.0, 5.0, 5.0])  # the refresh marker is used rather than do anything worth less
LOOK_UNTIL = 45.0  # looking no longer comes first where a camp's chance is above this
SEEN_BY_OTHERS = -0.5  # for looking at a tile, each who looked at it

# Places: what a meeple can reach from there.
UNKNOWN_IN_REACH = 1.5  # each tile the observer doesn't know
KNOWN_IN_REACH = 0.5  # of the worth of the best tile known there
BURY_IN_REACH = 0.5  # of what turning down the best tile there is worth, with a card for it
NEIGHBOUR = -0.8  # each other meeple on the space or next to it

# Asking: what the powers of the asked do to the asker, by the asker's camp, where the asked can declare them.
HUNT_DREADED = np.array([-4.0, 6.0, -3.0])
CON_DREADED = np.array([-4.0, -4.0, 0.0])
HIDING = 3.0  # the most that chance moves whom a separatist, leader or profiteer asks
CHIEF_PREFERRED = 0.5  # what a merchant asks the chief for besides the tiles

# Powers: how much more than plain revealing a declaration must bring.
HUNT_MARGIN = 1.0
CON_MARGIN = 0.0
LATE_MARGIN = 0.0  # … when another camp's track has LATE or fewer to go
LATE = 2
GAMBLE_MARGIN = -8.0  # the Hunt goes on into the unknown for more than this

# Turning up an unknown tile: for each who looked at it, by how surely of the own camp or of another.
SPURNED_BY_FRIENDS = -2.0
SPURNED_BY_OTHERS = 1.2

# Answering: a plain reveal worse than this is slipped away from.
SLIP_BELOW = -2.0

# Cards: what they must bring to be played.
BURY_FROM = 4.0
DELUDE_FROM = 5.0
RALLY_FROM = 4.0
SHARE_FROM = 0.5  # chance that the player most like a friend is one
SWAP_FROM = 4.0
MOVE_FROM = 1.0

# By Use, how much a card is worth keeping where one has to go.
CARD_KEPT = np.array([0.0, 0.5, 1.5, 2.0, 1.5, 1.5, 1.0, 1.0, 1.0, 1.0, 1.5, 0.7, 1.2, 1.0, 0.2])
