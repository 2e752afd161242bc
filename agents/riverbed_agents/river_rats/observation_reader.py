"""Read an observation of River Rats into the records that the rules work on.

The records contain only what the observation shows: the public table and the observer's cards. The observer is seat 0.
"""

from pathlib import Path

import numpy as np
import numpy.typing as npt

from riverbed_env.games.river_rats.content.pack import MODES
from riverbed_env.games.river_rats.rules.kernels import kernel as rules
from riverbed_env.games.river_rats.rules.pieces import AT, NOW_SIZE
from riverbed_env.games.river_rats.rules.vocab import (
    MAX_SEATS,
    NO_CARD,
    NOBODY,
    NUM_CARDS,
    NUM_CATEGORIES,
    NUM_MODES,
    NUM_QUESTIONS,
    NUM_SUITS,
    NUM_ZONES,
    Ending,
    Mode,
    Question,
    Step,
    Winner,
)
from riverbed_env.kernels.common import one_hot
from riverbed_env.kernels.compile import KernelFamily, Record
from riverbed_env.kernels.vocab import Forced

FOLDERS = (*rules.folders, Path(__file__).parent)

kernel = KernelFamily("river_rats_agents", *FOLDERS)

Vector = npt.NDArray[np.int8]


# RR-5.1, by mode: powers, abilities, face-down cards of the rat, what a joker does.
RULES = np.array(
    [[MODES[mode].powers, MODES[mode].abilities, MODES[mode].face_down, MODES[mode].joker] for mode in Mode], np.int64
)
NO_CAP = 1 << 30  # decisions


@kernel
def card_set(observation: Vector, start: int) -> int:
    """A piece with one entry per card, as a set of cards."""
    cards = 0
    for card in range(NUM_CARDS):
        cards |= int(observation[start + card] != 0) << card
    return cards


@kernel
def read_params(observation: Vector, params: Record) -> None:
    """Write the rules in force; forced decisions are taken automatically."""
    mode = one_hot(observation, AT.mode, NUM_MODES)
    params["max_decisions"] = NO_CAP
    params["num_players"] = 1 + one_hot(observation, AT.num_players, MAX_SEATS)
    params["auto_forced"] = Forced.ALL
    params["mode"] = mode
    params["prediction"] = one_hot(observation, AT.prediction_rule, 2)
    params["powers"] = RULES[mode, 0]
    params["abilities"] = RULES[mode, 1]
    params["face_down"] = RULES[mode, 2]
    params["joker"] = RULES[mode, 3]


@kernel
def read_sets(observation: Vector, table: Record, own: Record) -> None:
    """Write where the visible cards are, and the cards that were seen to go into a hand or a debt."""
    own["hand"] = card_set(observation, AT.own_hand)
    own["placed"] = one_hot(observation, AT.own_face_down, NUM_CARDS)
    table["market"] = card_set(observation, AT.market)
    table["discard"] = card_set(observation, AT.discard_pile)
    table["rat_up"] = card_set(observation, AT.rat_cards)
    table["collective"] = card_set(observation, AT.collective)
    table["revealed"] = card_set(observation, AT.revealed)
    table["taken"][:] = 0
    table["rat_debt_seen"] = 0
    table["debt_seen"] = 0
    if len(observation) > NOW_SIZE:
        for seat in range(MAX_SEATS):
            table["taken"][seat] = card_set(observation, AT.taken + seat * NUM_CARDS)
        table["rat_debt_seen"] = card_set(observation, AT.rat_debt_seen)
        table["debt_seen"] = card_set(observation, AT.debt_seen)


@kernel
def step_of(question: int) -> int:
    """The Step that follows once a question is answered."""
    if question == Question.ACE:
        return Step.ACES
    elif question == Question.DRAW or question == Question.PLAY:
        return Step.DRAW_OR_PLAY
    elif question == Question.USE_JOKER or question == Question.REVEAL_MORE:
        return Step.COMPARE
    return Step.END_TURN


@kernel
def read_question(observation: Vector, table: Record) -> None:
    """Write the question, the seat to act, and the action in progress."""
    table["num_players"] = 1 + one_hot(observation, AT.num_players, MAX_SEATS)
    table["question"] = one_hot(observation, AT.question, NUM_QUESTIONS)
    table["step"] = step_of(int(table["question"]))
    table["ending"] = Ending.PLAYING
    table["winner"] = Winner.NONE
    table["active"] = one_hot(observation, AT.active, MAX_SEATS)
    table["asked"] = one_hot(observation, AT.asked, MAX_SEATS)
    table["placer"] = one_hot(observation, AT.placer, MAX_SEATS)
    table["played"] = one_hot(observation, AT.just_played, NUM_CARDS)
    table["swapped"] = one_hot(observation, AT.swapped_out, NUM_CARDS)
    table["zone"] = one_hot(observation, AT.zone, NUM_ZONES)
    table["power"] = observation[AT.flags]
    table["drawn"] = observation[AT.flags + 1]
    table["joker_used"] = observation[AT.flags + 2]
    table["skips"] = observation[AT.skips]


@kernel
def read_sizes(observation: Vector, table: Record) -> None:
    """Write the rats, the characters, and the numbers of cards, jokers and debts."""
    table["rat"] = one_hot(observation, AT.rat, NUM_SUITS)
    table["defeated"] = one_hot(observation, AT.defeated, NUM_SUITS)
    for seat in range(MAX_SEATS):
        table["character"][seat] = one_hot(observation, AT.characters + seat * NUM_SUITS, NUM_SUITS)
        table["hand_size"][seat] = observation[AT.hand_sizes + seat]
    table["deck_size"] = observation[AT.deck]
    table["rat_down"] = observation[AT.rat_face_down]
    table["pile_size"] = observation[AT.pile]
    table["first_debt"] = one_hot(observation, AT.first_debt, NUM_CARDS)
    table["rat_debt"] = observation[AT.rat_debt]
    table["debt"] = observation[AT.debt]
    table["prediction"] = one_hot(observation, AT.predicted, NUM_CATEGORIES)
    table["joker_down"] = observation[AT.jokers]
    table["joker_up"] = observation[AT.jokers + 1]


@kernel
def read(observation: Vector, view: Record, params: Record) -> None:
    """Fill `view` with what the observer knows, as seat 0, and `params` with the rules in force."""
    table = view["table"]
    view["seat"] = 0
    table["events"][:] = 0
    table["tally"][:] = 0
    table["decisions"] = 0
    table["event_count"] = 0
    table["turn"] = 0
    table["round"] = 0
    read_params(observation, params)
    read_sets(observation, table, view["private"])
    read_question(observation, table)
    read_sizes(observation, table)


@kernel
def known_collective(table: Record, own: Record) -> int:
    """The cards of the collective hand that a seat knows, as a set, without jokers."""
    cards = int(table["collective"]) | int(table["revealed"])
    if own["placed"] != NO_CARD and table["placer"] != NOBODY:
        cards |= 1 << int(own["placed"])
    return cards
