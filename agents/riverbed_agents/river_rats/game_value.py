"""The value of a game: the chance to win it, given both sides' debts, and how the result of a round changes it."""

import numpy as np

from riverbed_env.games.river_rats.rules.piles import ability
from riverbed_env.games.river_rats.rules.vocab import DEBT_LIMIT, NUM_RATS, Suit
from riverbed_env.kernels.compile import Floats, Record

from .kernels import kernel

HAND_WON = 0.55  # assumed share of hands won, for the table below
WON_PILES = ((1, 0.35), (2, 0.40), (3, 0.25))  # debt in the pile of a hand won, with its probability
LOST_PILES = ((1, 0.85), (2, 0.15))  # … of a hand lost
JOKER_WORTH = 0.09  # of an unused joker in an even game; less in a decided one


def _chances() -> Floats:
    """The chance to win, (rats defeated, rat's debt, players' debt), if all hands are independent and equal."""
    chances = np.zeros((NUM_RATS + 1, DEBT_LIMIT, DEBT_LIMIT))
    chances[NUM_RATS] = 1.0
    for rat in reversed(range(NUM_RATS)):
        for rat_debt in reversed(range(DEBT_LIMIT)):
            for debt in reversed(range(DEBT_LIMIT)):
                value_if_won = sum(
                    chance
                    * (
                        chances[rat + 1, 0, debt]
                        if rat_debt + pile >= DEBT_LIMIT
                        else chances[rat, rat_debt + pile, debt]
                    )
                    for pile, chance in WON_PILES
                )
                value_if_lost = sum(
                    chance * chances[rat, rat_debt, debt + pile]
                    for pile, chance in LOST_PILES
                    if debt + pile < DEBT_LIMIT
                )
                chances[rat, rat_debt, debt] = HAND_WON * value_if_won + (1 - HAND_WON) * value_if_lost
    return chances


CHANCES = _chances()


@kernel
def game_value(defeated: int, rat_debt: int, debt: int, jokers: int) -> float:
    """The value of a game between rounds, from 0 (lost) to 1 (won)."""
    if defeated == NUM_RATS:
        return 1.0
    if debt >= DEBT_LIMIT:
        return 0.0
    chance = float(CHANCES[defeated, rat_debt, debt])
    return chance + JOKER_WORTH * jokers * 4.0 * chance * (1.0 - chance)


@kernel
def rats_defeated(table: Record) -> int:
    """The number of River Rats defeated while a round is played: 0 or 1."""
    return int(table["defeated"] != Suit.NONE)


@kernel
def after_win(table: Record, pile: int, jokers: int) -> float:
    """The value of the game after the players win a pile of debts."""
    defeated = rats_defeated(table)
    debt = int(table["debt"])
    rat_debt = int(table["rat_debt"]) + pile
    if rat_debt < DEBT_LIMIT:
        return game_value(defeated, rat_debt, debt, jokers)
    if table["rat"] == Suit.HEARTS:
        debt = max(0, debt - 1)
    return game_value(defeated + 1, 0, debt, jokers)


@kernel
def after_loss(table: Record, params: Record, pile: int, jokers: int) -> float:
    """The value of the game after the rat wins a pile of debts."""
    debt = int(table["debt"]) + pile + int(ability(table, params, Suit.HEARTS))
    return game_value(rats_defeated(table), int(table["rat_debt"]), debt, jokers)


@kernel
def round_value(table: Record, params: Record, pile: int, jokers: int, winning: float) -> float:
    """The value of the game if a pile of debts is won with probability `winning`."""
    return winning * after_win(table, pile, jokers) + (1.0 - winning) * after_loss(table, params, pile, jokers)
