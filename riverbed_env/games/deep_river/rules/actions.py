"""The action table of Deep River. The order of the blocks is part of the environment's version.

Places are counted from the seat's own nest, so one policy serves both sides. The salmon's actions use the place numbers
of `vocab`, the eels' actions the mirrored ones. `MIRRORED_ACTION` converts in both directions.
"""

import numpy as np

from riverbed_env.kernels.actions import WAITING, ActionBlock, ActionTable

from .vocab import MIRRORED_PLACE, NUM_PLACES, NUM_TOKENS

PLACE_LABELS = (
    "own nest, single face",
    "own nest, double face",
    *(f"tile {tile} from the own nest" for tile in (1, 2, 3)),
    "double tile, first slot",
    "double tile, second slot",
    *(f"tile {tile} from the own nest" for tile in (5, 6, 7)),
)

ACTIONS = ActionTable(
    (
        WAITING,
        ActionBlock("TOKEN", NUM_TOKENS, "carry out a current token, argument = its place in the pack (DR-2.1)"),
        ActionBlock("PLACE", NUM_PLACES, "a place, for what is asked, counted from one's own nest: 0 own nest, single "
                    "face; 1 own nest, double face; 2, 3, 4 the first three tiles; 5, 6 the slots of the double tile; "
                    "7, 8, 9 the last three tiles", PLACE_LABELS),
        ActionBlock("TILT", NUM_TOKENS, "tilt a current token, argument = its place in the pack (DR-3.1)"),
        ActionBlock("TURN", 1, "on the double tile: turn a pawn to its double face (DR-3.2)",
                    words="turn a pawn to its double face"),
        ActionBlock("ADVANCE", 1, "on the double tile: advance a fish (DR-3.2)", words="advance a fish by one tile"),
        ActionBlock("USE", 1, "use the tile to which a fish was advanced (DR-3.2)", words="use the tile"),
        ActionBlock("LEAVE", 1, "don't use it (DR-3.2)", words="leave the tile unused"),
    )
)  # fmt: skip

NUM_ACTIONS = ACTIONS.size
A = ACTIONS.ids()

MIRRORED_ACTION = np.arange(NUM_ACTIONS)  # an action of one side as the other side's for the same place
MIRRORED_ACTION[A.PLACE : A.PLACE + NUM_PLACES] = A.PLACE + MIRRORED_PLACE
