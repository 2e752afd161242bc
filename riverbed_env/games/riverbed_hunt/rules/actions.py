"""The action table of Riverbed Hunt. The order of the blocks is part of the environment's version."""

from riverbed_env.kernels.actions import ActionBlock, ActionTable

from .vocab import MAX_CARD_KINDS, MAX_SEATS, NUM_SPACES

ACTIONS = ActionTable(
    (
        ActionBlock("WAIT", 1, "the only legal action of a seat that isn't asked; illegal for one that is"),
        ActionBlock("DIVE", 1, "take the Dive action (RH-4.1)"),
        ActionBlock("SWIM", 1, "take the Swim action (RH-4.2)"),
        ActionBlock("CO_OP", 1, "take the Co-op action (RH-4.3)"),
        ActionBlock("UNCOVER", 1, "take the Uncover action (RH-4.4)"),
        ActionBlock("READY", 2, "use the refresh marker, or choose what a card readies: 0 Dive, 1 Swim (RH-5.5)"),
        ActionBlock("END_TURN", 1, "end the turn (RH-3.1)"),
        ActionBlock("REVEAL", 1, "when asked by a co-op: reveal a tile within reach (RH-4.3)"),
        ActionBlock("HUNT", 1, "when asked by a co-op: declare the Hunt (RH-5.1)"),
        ActionBlock("CON", 1, "when asked by a co-op: declare the Con (RH-5.3)"),
        ActionBlock("SLIP_AWAY", 1, "when asked by a co-op: play a card that redirects it (RH-7.5)"),
        ActionBlock("STOP", 1, "stop the Hunt, or decline what a text offers (RH-5.1, RH-6.1)"),
        ActionBlock("SPACE", NUM_SPACES, "a space, argument 0 … 15 along the river, for what is asked"),
        ActionBlock("SEAT", MAX_SEATS, "a player, argument = seats clockwise from the one who chooses (0 = oneself)"),
        ActionBlock("CARD", MAX_CARD_KINDS, "a card, argument = its place in the pack: played on one's turn, "
                    "discarded when a discard is asked (RH-7.1)"),
    )
)  # fmt: skip

NUM_ACTIONS = ACTIONS.size
A = ACTIONS.ids()
