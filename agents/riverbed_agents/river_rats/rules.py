"""Rules of thumb for every question of River Rats, asked of what a seat knows: the table of contents.

Everything is weighed in one coin: the worth of the game after the round (`stakes`), by the chances of the collective
hand (`outlook`). Simple agents follow the rules; others play games on by them.
"""

import numpy as np

from riverbed_env.games.river_rats.rules.actions import A
from riverbed_env.games.river_rats.rules.legality import card_answers
from riverbed_env.games.river_rats.rules.vocab import ACE, NUM_RANKS, NUM_SUITS, Question, Suit
from riverbed_env.kernels.compile import Record

from .jokers import choose_removal, choose_reveal
from .observation_reader import kernel
from .outlook import Bars
from .plays import choose_draw, choose_play
from .suits import choose_action, choose_debt, choose_discard, choose_gift, choose_swap
from .weighing import list_scene

ACES = np.array([Suit.HEARTS, Suit.DIAMONDS, Suit.CLUBS, Suit.SPADES])  # which character is taken first


@kernel
def choose_ace(table: Record, own: Record) -> int:
    """The first ace left of those in order of preference."""
    left = card_answers(table, own)
    for place in range(NUM_SUITS):
        card = int(ACES[place]) * NUM_RANKS + ACE
        if (left >> card) & 1:
            return A.CARD + card
    return A.NO


@kernel
def decide(table: Record, own: Record, params: Record, pool: int, scene: Record, bars: Bars) -> int:
    """The action of the seat that is asked, of what it knows. pool: cards that it sees nowhere; scene: scratch."""
    question = int(table["question"])
    list_scene(table, own, params, pool, scene)
    if question == Question.ACE:
        return choose_ace(table, own)
    elif question == Question.DRAW:
        return choose_draw(table, own, params, scene, bars)
    elif question == Question.PLAY:
        return choose_play(table, own, params, scene, bars)
    elif question == Question.ACTION:
        return choose_action(table, own, params, scene, bars)
    elif question == Question.DISCARD:
        return choose_discard(table, own, params, scene, bars)
    elif question == Question.TO_MARKET:
        return choose_gift(table, own, params, scene, bars)
    elif question == Question.SWAP_OUT or question == Question.SWAP_IN:
        return choose_swap(table, own, params, scene, bars)
    elif question == Question.ADD_DEBT:
        return choose_debt(table, own, params, scene, bars)
    elif question == Question.REMOVE:
        return choose_removal(table, own, params, scene, bars)
    elif question == Question.USE_JOKER or question == Question.REVEAL_MORE:
        return choose_reveal(table, own, params, scene, bars)
    elif question == Question.MORE_TO_MARKET and table["num_players"] == 1:
        return A.DRAW
    elif question == Question.MORE_TO_MARKET:
        return choose_gift(table, own, params, scene, bars)
    return A.NO
