"""The action table of River Rats. The order of the blocks is part of the environment's version."""

from riverbed_env.kernels.actions import WAITING, ActionBlock, ActionTable

from .vocab import NUM_CARDS

ACTIONS = ActionTable(
    (
        WAITING,
        ActionBlock("CARD", NUM_CARDS, "a card, argument = 13 × suit + rank, for what is asked: an ace to choose; a "
                    "card to take, play, discard, put into the market, swap out, swap in, or remove"),
        ActionBlock("DRAW", 1, "a card from the deck: into the hand (RR-2.1), alone into the market (RR-2.4), revealed "
                    "into the collective hand (RR-5.2)"),
        ActionBlock("JOKER", 1, "use a joker (RR-2.1, RR-5.1, RR-5.2)"),
        ActionBlock("NO", 1, "decline, or stop"),
        ActionBlock("ACT", 1, "perform the suit action of the card just played (RR-2.3)"),
        ActionBlock("POWER", 1, "use the player power instead (RR-2.4)"),
        ActionBlock("HIDDEN", 1, "remove the lowest of the rat's face-down cards (RR-5.1)",
                    words="remove one of the rat's face-down cards"),
        ActionBlock("DEBT", 1, "add debt (RR-2.4)", words="add debt"),
    )
)  # fmt: skip

NUM_ACTIONS = ACTIONS.size
A = ACTIONS.ids()
