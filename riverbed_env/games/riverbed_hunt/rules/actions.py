"""The action table of Riverbed Hunt. The order of the blocks is part of the environment's version."""

from riverbed_env.kernels.actions import WAITING, ActionBlock, ActionTable

from .vocab import MAX_CARD_KINDS, MAX_SEATS, NUM_SPACES

ACTIONS = ActionTable(
    (
        WAITING,
        ActionBlock("DIVE", 1, "take the Dive action (RH-4.1)", words="dive: look at a face-down tile within reach"),
        ActionBlock("SWIM", 1, "take the Swim action (RH-4.2)", words="swim: move, then draw a card"),
        ActionBlock("CO_OP", 1, "take the Co-op action (RH-4.3)", words="co-op: ask another player to reveal a tile"),
        ActionBlock("UNCOVER", 1, "take the Uncover action (RH-4.4)",
                    words="uncover: discard a card and reveal a tile"),
        ActionBlock("READY", 2, "use the refresh marker, or choose what a card readies: 0 Dive, 1 Swim (RH-5.5)"),
        ActionBlock("END_TURN", 1, "end the turn (RH-3.1)", words="end the turn"),
        ActionBlock("REVEAL", 1, "when asked by a co-op: reveal a tile within reach (RH-4.3)",
                    words="reveal a tile within reach"),
        ActionBlock("HUNT", 1, "when asked by a co-op: declare the Hunt (RH-5.1)", words="declare the Hunt"),
        ActionBlock("CON", 1, "when asked by a co-op: declare the Con (RH-5.3)", words="declare the Con"),
        ActionBlock("SLIP_AWAY", 1, "when asked by a co-op: play a card that redirects it (RH-7.5)",
                    words="slip away: make the asker choose someone else"),
        ActionBlock("STOP", 1, "stop the Hunt, or decline what a text offers (RH-5.1, RH-6.1)",
                    words="stop, or decline"),
        ActionBlock("SPACE", NUM_SPACES, "a space, argument 0 … 15 along the river, for what is asked"),
        ActionBlock("SEAT", MAX_SEATS, "a player, argument = seats clockwise from the one who chooses (0 = oneself)"),
        ActionBlock("CARD", MAX_CARD_KINDS, "a card, argument = its place in the pack: played on one's turn, "
                    "discarded when a discard is asked (RH-7.1)"),
        ActionBlock("SILENT", 1, "on the floor: say nothing more (RH-9.3)"),
        ActionBlock("CAMP", 3, "claim that a player is of a camp: 0 merchants, 1 separatists, 2 profiteer; SEAT names "
                    "the player next (RH-9.4)"),
        ActionBlock("ROLE", 4, "claim one's own role: 0 merchant, 1 leader, 2 separatist, 3 profiteer (RH-9.4)"),
        ActionBlock("BEARS", 4, "claim the first element of a face-down tile: 0 kelp, 1 log, 2 coin, 3 none; "
                    "SPACE names the tile next (RH-9.4)"),
        ActionBlock("PROMISE", 3, "promise what one would turn up in a co-op: 0 kelp, 1 log, 2 coin (RH-9.4)"),
        ActionBlock("TURN_UP", 1, "urge to turn up a tile; SPACE names it next (RH-9.4)"),
        ActionBlock("LEAVE", 1, "urge to leave a tile face-down; SPACE names it next (RH-9.4)"),
        ActionBlock("ASK", 1, "urge to ask a player for co-ops; SEAT names the player next (RH-9.4)"),
        ActionBlock("DONT_ASK", 1, "urge not to ask a player; SEAT names the player next (RH-9.4)"),
        ActionBlock("BELIEVE", 1, "say that one believes a player; SEAT names the player next (RH-9.4)"),
        ActionBlock("DOUBT", 1, "say that one doubts a player; SEAT names the player next (RH-9.4)"),
    )
)  # fmt: skip

NUM_ACTIONS = ACTIONS.size
A = ACTIONS.ids()
