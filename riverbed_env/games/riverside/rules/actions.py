"""The action table of Riverside. The order of the blocks is part of the environment's version."""

from riverbed_env.kernels.actions import WAITING, ActionBlock, ActionTable

from .vocab import MAX_PLACES, NUM_BOATS, NUM_COLOURS, NUM_GREENS, NUM_ROWS

DIE_WAYS = NUM_GREENS * 2  # actions for each base die: one of Green, with or without Fan base

ACTIONS = ActionTable(
    (
        WAITING,
        ActionBlock("DIE", NUM_COLOURS * DIE_WAYS, "dice (RS-2.2): 6 x base die + 2 x the green die (0 none, "
                    "1 with it, 2 with it on Warm night) + 1 on Fan base"),
        ActionBlock("SEAT", NUM_ROWS, "cross the next seat of a row (RS-2.2): 4 x boat + row from the top, from 0"),
        ActionBlock("STAY", 1, "no excursion this round (RS-2.4)", words="stay: no excursion this round"),
        ActionBlock("SPEED", 1, "call Speed boat; a village follows (RS-3.1)", words="call Speed boat"),
        ActionBlock("EARLY", 1, "call Early birds; a second village follows (RS-3.1)", words="call Early birds"),
        ActionBlock("DONE", 1, "score nothing more (RS-2.4)", words="score nothing more"),
        ActionBlock("VILLAGE", MAX_PLACES, "an excursion (RS-2.4), argument = place: the north row from west to east, "
                    "then the south row from west to east, from 0"),
        ActionBlock("SCORE", NUM_BOATS, "score a boat there (RS-2.4): white, yellow, brown, blue, pink, church"),
        ActionBlock("PRIZE", NUM_BOATS, "the same with the prize ticket, called now (RS-3.1)"),
    )
)  # fmt: skip

NUM_ACTIONS = ACTIONS.size
A = ACTIONS.ids()
