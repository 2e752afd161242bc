"""The rules of thumb for every question of River Rats, based on what a seat knows.

All choices are compared by the value of the game after the round (`game_value`), from the chances of the collective
hand (`outlook`). The simple agent follows the rules; the careful agent uses them to play out sampled games.
"""

import numpy as np

from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.legality import card_answers
from riverbed_env.games.river_rats.rules.vocab import ACE, NUM_RANKS, NUM_SUITS, Question, Suit
from riverbed_env.kernels.compile import Record

from .jokers import choose_removal, choose_reveal
from .kernels import kernel
from .outlook import RatHands
from .plays import choose_draw, choose_play
from .suits import choose_action, choose_card, choose_debt, choose_gift, choose_swap
from .weighing import read_scene

ACES = np.array([Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES])  # the order of preference for characters


@kernel
def choose_ace(table: Record, own: Record) -> int:
    """The preferred ace of those left."""
    left = card_answers(table, own)[0]
    for place in range(NUM_SUITS):
        card = int(ACES[place]) * NUM_RANKS + ACE
        if (left >> card) & 1:
            return A.CARD + card
    return A.NO


@kernel
def decide(table: Record, own: Record, params: Record, pool: int, scene: Record, rat_hands: RatHands) -> int:
    """The action of the seat to act. pool: the cards it can't see, as a set; scene: (SCENE), scratch."""
    question = int(table["question"])
    read_scene(table, own, params, pool, scene)
    if question == Question.ACE:
        return choose_ace(table, own)
    elif question == Question.DRAW:
        return choose_draw(table, own, params, scene, rat_hands)
    elif question == Question.PLAY:
        return choose_play(table, own, params, scene, rat_hands)
    elif question == Question.ACTION:
        return choose_action(table, own, params, scene, rat_hands)
    elif question == Question.DISCARD:
        return choose_card(table, own, params, scene, rat_hands, -1.0)
    elif question == Question.TO_MARKET:
        return choose_gift(table, own, params, scene, rat_hands)
    elif question == Question.SWAP_OUT or question == Question.SWAP_IN:
        return choose_swap(table, own, params, scene, rat_hands)
    elif question == Question.ADD_DEBT:
        return choose_debt(table, own, params, scene, rat_hands)
    elif question == Question.REMOVE:
        return choose_removal(table, own, params, scene, rat_hands)
    elif question == Question.USE_JOKER or question == Question.REVEAL_MORE:
        return choose_reveal(table, own, params, scene, rat_hands)
    elif question == Question.MORE_TO_MARKET and table["num_players"] == 1:
        return A.DRAW
    elif question == Question.MORE_TO_MARKET:
        return choose_gift(table, own, params, scene, rat_hands)
    return A.NO
